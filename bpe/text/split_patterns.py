r"""The split patterns as files write them: for Oniguruma, and as vendors published them.

A ``tokenizer.json`` holds its pattern as a regular expression. To tell which of ours it is, the
expression is looked up among those that mean the same; one that is not here stays with the engine
that the file was written for.
"""

import re
from functools import cache

from bpe.errors import BPEError, library
from bpe.text import own_pattern
from bpe.text.pretokenize import PATTERNS, split

_CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_WORDS = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_SIGNS = r" ?[^\s\p{L}\p{N}]+[\r\n]*"
_SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_CASED = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*",
)

_PUBLISHED: dict[tuple[str, ...], str] = {
    (r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",): "gpt2",
    (r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+\z|\s+(?!\S)|\s",): "gpt2",
    (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
        rf"|{_SIGNS}|\s+$|\s*[\r\n]|\s+(?!\S)|\s",
    ): "cl100k",
    (
        "|".join(f"{word}{_CONTRACTIONS}?" for word in _CASED)
        + rf"|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_SPACES}",
    ): "o200k",
    (rf"{_CONTRACTIONS}|{_WORDS}|\p{{N}}{{1,3}}|{_SIGNS}|{_SPACES}",): "llama3",
    (rf"{_CONTRACTIONS}|{_WORDS}|\p{{N}}|{_SIGNS}|{_SPACES}",): "qwen2",
    (
        rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}"
        rf"| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*|{_SPACES}",
    ): "qwen3_5",
    ("|".join(_CASED) + rf"|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_SPACES}",): "mistral_v3",
    (
        r"\p{N}{1,3}",
        "[一-龥\u3040-ゟ゠-ヿ]+",
        r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
        rf"| ?[\p{{P}}\p{{S}}]+[\r\n]*|{_SPACES}",
    ): "deepseek_v3",
}
"""The expressions of one or more steps to the name of the pattern that they are."""


@cache
def published_patterns() -> dict[tuple[str, ...], str]:
    """Return the expressions of one or more steps, and the name of our pattern of each."""
    ours = {oniguruma(source): name for name, source in PATTERNS.items() if source is not None}
    return {**{(source,): name for source, name in ours.items()}, **_PUBLISHED}


def pattern_of(expression: str) -> str:
    """Return the name of the pattern that an expression means, or itself as one of one's own."""
    return published_patterns().get((oniguruma(expression),)) or own_pattern.PREFIX + expression


def as_published(name: str) -> tuple[str, ...]:
    """Return the expressions of a pattern of ours, one step after the other, for Oniguruma.

    Vendors' own where there are any: other readers know these, and no others.
    """
    ours = PATTERNS[name]
    vendors = next((steps for steps, same in _PUBLISHED.items() if same == name), None)
    if vendors is not None and name != "cl100k":  # of which tiktoken's is the one that is known
        return vendors
    return () if ours is None else (oniguruma(ours),)


def oniguruma(pattern: str) -> str:
    r"""Return ``pattern`` in Oniguruma's syntax, where ``{1,3}+`` repeats and ``$`` ends a line.

    Without possessive quantifiers our patterns match the same, as nothing follows any of them
    that its own characters could match.

    >>> oniguruma(r"\p{N}{1,3}+|\s++$")
    '\\p{N}{1,3}|\\s+\\z'
    """
    for possessive, greedy in (("{1,3}+", "{1,3}"), ("?+", "?"), ("++", "+"), ("*+", "*")):
        pattern = pattern.replace(possessive, greedy)
    return pattern.replace("$", r"\z")


_TRIED = (
    "I'm WE'LL they'd've don’t  two  spaces \t\n\nlines\r\nand\rreturns\nfirst\nlast words\n",
    "1 12 123 1234 12345 3.14 1,000,000 ½ ²³ ٣٤ ABC_def9 $^{}[]()|\\ /// ...!!",
    "中文English混排，没有空格。「引号」、——破折号……《书名》㐀𠀀 日本語カタカナ 한국어 e\u0301 Å ﬁ",
    "aaa bbb  x = y ** 2  # z\n\n\n    return\u3000\u00a0",
    "\u200b👩‍👩‍👧‍👦 עברית हिन्दी \x00\x7f\x85\u2028 end",
)
"""Texts at which the two engines part where they read an expression in different ways."""


_ESCAPED = re.compile(r"\\.", re.DOTALL)
_WORD = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200c}\x{200d}"
_TRANSLATED = {r"\w": f"[{_WORD}]", r"\W": f"[^{_WORD}]"}


def own_in_oniguruma(pattern: str) -> str:
    """Return the expression of a pattern of one's own as a ``tokenizer.json`` holds it.

    The two engines disagree about what is a letter of a word in eight characters, such as ½. Where
    an expression means something else for another reason, :class:`BPEError`.
    """
    source = _ESCAPED.sub(
        lambda match: _TRANSLATED.get(match[0], match[0]), own_pattern.expression(pattern)
    )
    tokenizers = library("tokenizers")
    try:
        splitter = tokenizers.pre_tokenizers.Split(tokenizers.Regex(source), "isolated")
        differing = [
            text
            for text in _TRIED
            if [piece for piece, _ in splitter.pre_tokenize_str(text)] != list(split(text, pattern))
        ]
    except BPEError:
        raise
    except Exception as error:  # the engine raises nothing more particular
        raise BPEError(
            "Hugging Face tokenizers cannot read the split pattern: “{reason}”", reason=str(error)
        ) from error
    if differing:
        raise BPEError(
            "The split pattern cuts otherwise in Hugging Face tokenizers, where some signs mean "
            "something else: “^” and “$” stand at every line, “{{1,3}}+” repeats. Use the format "
            "“bpe”."
        )
    return source

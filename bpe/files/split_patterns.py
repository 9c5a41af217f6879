r"""The split patterns as files write them: for Oniguruma, and as vendors published them.

A ``tokenizer.json`` holds its pattern as a regular expression. To tell which of ours it is, the
expression is looked up among those that mean the same; one that is not here stays with the engine
that the file was written for.
"""

from functools import cache

from bpe.training.pretokenize import PATTERNS

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

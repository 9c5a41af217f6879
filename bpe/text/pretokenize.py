"""Text before pairs are counted: normalised, without special tokens, split into pre-tokens.

The split patterns are those of the published tokenizers, run by the ``regex`` package, with the
classes of one Unicode version (:mod:`bpe.text.unicode`). Each one matches every character,
so that the joined pieces of a text are the text. A pattern of one's own is a regular expression
behind ``regex:`` (:mod:`bpe.text.own_pattern`).
"""

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache, partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal

from bpe.errors import BPEError
from bpe.progress import OnProgress, Progress
from bpe.text import own_pattern
from bpe.text.special_tokens import split_specials
from bpe.text.unicode import NEWER, scalar_text, with_stand_ins

if TYPE_CHECKING:
    import regex

_STARTER = re.compile("[\0-\x7f\u4e00-\u9fa5]")
_TOLD = 4096  # pre-tokens between two calls of `on_progress`: some milliseconds

PATTERNS: dict[str, str | None] = {
    # GPT-2: Radford et al. 2019; contractions, then letters, numbers and signs, each with the
    # space before it. The trailing \s+ alternative keeps the last space for the next word.
    "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    # GPT-3.5 and GPT-4: numbers in threes, contractions in any case, line breaks apart.
    "cl100k": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
    r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
    # GPT-4o: words split where the case changes, marks stay with their letters.
    "o200k": r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    # Llama 3 (tokenizer.py of meta-llama/llama3) and, letter for letter, GLM-4
    # (tokenization_chatglm.py of THUDM/glm-4-9b-chat): cl100k but for white space at the very end.
    "llama3": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    # Qwen2 to Qwen3 (tokenizer.json of Qwen/Qwen3-8B): Llama 3 with each digit apart.
    "qwen2": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    # Qwen3.5 and 3.6 (their tokenizer.json): Qwen2 with marks among the letters.
    "qwen3_5": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}"
    r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    # DeepSeek V3 (its tokenizer.json): three splits one after the other, each within the pieces of
    # the one before: numbers in threes; runs of 汉字 and kana; and within these and the rest
    #     [ASCII sign][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*
    #     |\s*[\r\n]+|\s+(?!\S)|\s+
    # What matches nothing is a piece too. As one expression: nothing but \s and [\r\n] reaches
    # across the border of a run of 汉字 and kana, in which U+3040, 3097 and 3098 are unassigned.
    "deepseek_v3": r"[!-/:-@\[-`{-~][A-Za-z]+|\p{N}{1,3}"
    r"|[^\r\n\p{L}\p{N}\p{P}\p{S}一-龥\u3040-\u30ff]?[\p{L}\p{M}&&[^一-龥\u3040-\u30ff]]+"
    r"|[\u3040\u3097\u3098]?[\p{L}\p{M}&&[一-龥\u3040-\u30ff]]+"
    r"| ?[\p{P}\p{S}&&[^\u3040-\u30ff]]+[\r\n]*|[\p{P}\p{S}&&[\u3040-\u30ff]]+"
    r"|\s*[\r\n]+|\s+(?![^\s\p{N}一-龥\u3040-\u30ff])|\s+"
    r"|[^\s\p{L}\p{M}\p{N}\p{P}\p{S}\u3040-\u30ff]+(?![\p{L}\p{M}&&[^一-龥\u3040-\u30ff]])"
    r"|[\u3040\u3097\u3098]+(?![\p{L}\p{M}&&[一-龥\u3040-\u30ff]])",
    # Kimi K2 (tokenization_kimi.py of moonshotai/Kimi-K2-Base): o200k with runs of 汉字 apart.
    "kimi_k2": r"[\p{Han}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*"
    r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+"
    r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    # Mistral Nemo and later (tekken.json): o200k with each digit apart and no contractions.
    "mistral_v3": r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    # Words as a reader sees them: white space goes with the word that follows it.
    "whitespace": r"\s*\S+|\s+",
    # No cut at all: a whole document is one pre-token.
    "none": None,
}

NORMALISATIONS = ("NFC", "NFKC", "lowercase", "strip-punctuation")


def normaliser(name: str) -> Callable[[str], str]:
    """Return the function that ``name`` stands for.

    ``name`` is ``"none"`` or one or more of :data:`NORMALISATIONS` joined by ``+``, applied in
    that order. ``"strip-punctuation"`` deletes the characters of Unicode's punctuation and symbol
    categories, Chinese ones included.

    >>> normaliser("lowercase+strip-punctuation")("Low, Lower，Lowest!")
    'low lowerlowest'
    """
    if name == "none":
        return lambda text: text
    steps = [_normalisation(step) for step in name.split("+")]

    def normalise(text: str) -> str:
        for step in steps:
            text = step(text)
        return text

    return normalise


def _normalisation(name: str) -> Callable[[str], str]:
    match name:
        case "NFC" | "NFKC":
            return partial(_composed, name)
        case "lowercase":
            return str.lower
        case "strip-punctuation":
            return lambda text: _punctuation().sub("", text)
    raise BPEError(
        "There is no normalisation “{name}”. Choose “none”, or join some of these with “+”: "
        "{names}.",
        name=name,
        names=", ".join(NORMALISATIONS),
    )


def _composed(form: Literal["NFC", "NFKC"], text: str, size: int = 2_000) -> str:
    """Return a normal form of a text, which is looked for only in the parts that are not normal.

    Whether a part is normal is seen forty times as fast. Nothing composes with what stands before
    a character of ASCII or a 汉字, so that both sides can be normalised apart.
    """
    parts = []
    start = 0
    while border := _STARTER.search(text, start + size):
        parts.append(unicodedata.normalize(form, text[start : border.start()]))
        start = border.start()
    parts.append(unicodedata.normalize(form, text[start:]))
    return "".join(parts)


@lru_cache(maxsize=1)
def _punctuation() -> "regex.Pattern[str]":
    import regex

    signs = r"\p{P}\p{S}" + regex.escape(string.punctuation)
    return regex.compile(f"[{signs}&&[^{NEWER}]]+", regex.V1)


@lru_cache(maxsize=32)
def compiled_pattern(pattern: str) -> "regex.Pattern[str] | None":
    """Return the compiled split pattern of a name, or ``None`` where the text stays whole.

    Its classes are those of the installed ``regex``; :func:`split_spans` sees to the version.
    """
    if own_pattern.is_own(pattern):
        return own_pattern.compiled(pattern)
    if pattern not in PATTERNS:
        raise BPEError(
            "There is no split pattern “{name}”. Choose one of: {names}. Write “regex:” in front "
            "of an expression of your own.",
            name=pattern,
            names=", ".join(PATTERNS),
        )
    source = PATTERNS[pattern]
    if source is None:
        return None
    import regex  # not needed where a scanner splits

    return regex.compile(source, regex.V1)  # V1 knows &&


def split_spans(text: str, pattern: str) -> Iterator[tuple[int, int]]:
    """Yield where each pre-token of ``text`` begins and ends, in characters.

    >>> list(split_spans("I'm in", "gpt2"))
    [(0, 1), (1, 3), (3, 6)]
    """
    compiled = compiled_pattern(pattern)
    if compiled is None:
        if text:
            yield 0, len(text)
    elif own_pattern.is_own(pattern):
        for start, end, _matched in own_pattern.pieces(compiled, with_stand_ins(text)):
            yield start, end
    else:
        for match in compiled.finditer(with_stand_ins(text)):
            yield match.span()


def split(text: str, pattern: str) -> Iterator[str]:
    """Yield the pre-tokens of ``text``; joined they are ``text`` again.

    >>> list(split("Hello helo, I'm", "gpt2"))
    ['Hello', ' helo', ',', ' I', "'m"]
    """
    compiled = compiled_pattern(pattern)
    if compiled is None or own_pattern.is_own(pattern) or with_stand_ins(text) is not text:
        for start, end in split_spans(text, pattern):
            yield text[start:end]
        return
    for match in compiled.finditer(text):  # a third faster than by spans
        yield match.group()


def count_words(
    texts: Iterable[str],
    pattern: str,
    *,
    special_tokens: Collection[str] = (),
    normalisation: str = "none",
    on_progress: OnProgress = lambda progress: None,
) -> dict[bytes, int]:
    """Count the pre-tokens of a corpus: UTF-8 bytes of each to the number of times it occurs.

    Special tokens are cut out and not counted: nothing is ever merged with them. Keys stand in
    the order of first occurrence, which the ``"first-seen"`` tie-break refers to. A pattern of
    one's own that leaves out some of the text raises :class:`BPEError`; what ``on_progress``
    raises ends the counting.

    >>> count_words(["low low lower"], "whitespace")
    {b'low': 1, b' low': 1, b' lower': 1}
    """
    counts = count_pieces(
        texts, partial(_split_wholly, pattern=pattern), special_tokens, normalisation, on_progress
    )
    return {piece.encode(): count for piece, count in counts.items()}


def _split_wholly(text: str, pattern: str) -> Iterator[str]:
    if not own_pattern.is_own(pattern):
        yield from split(text, pattern)
        return
    for start, end in own_pattern.split_wholly(pattern, with_stand_ins(text)):
        yield text[start:end]


def count_pieces(
    texts: Iterable[str],
    cut: Callable[[str], Iterable[str]],
    special_tokens: Collection[str],
    normalisation: str,
    on_progress: OnProgress,
) -> dict[str, int]:
    """Count the pieces that ``cut`` makes of texts, as :func:`count_words` does."""
    normalise = normaliser(normalisation)
    counts: Counter[str] = Counter()  # which adds up a list five times as fast as a loop
    ended = place = 0

    def parts() -> Iterator[Iterable[str]]:
        nonlocal ended
        for text in texts:
            for part, special in split_specials(scalar_text(text), special_tokens):
                if not special:
                    yield cut(normalise(part))
                    ended += len(part)

    pieces = chain.from_iterable(parts())
    while batch := list(islice(pieces, _TOLD)):
        counts.update(batch)
        place = max(place + sum(map(len, batch)), ended)
        on_progress(Progress("counting", place, None))
    return dict(counts)

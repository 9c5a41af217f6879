"""What happens to text before pairs are counted: normalise, cut out special tokens, split.

The split patterns are those of the published tokenizers, run by the ``regex`` package. Each one
matches every character, so that the joined pieces of a text are the text.
"""

import string
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache

import regex

from bpe.encoders.base import scalar_text
from bpe.errors import BPEError
from bpe.training.special_tokens import split_specials

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
            return lambda text: unicodedata.normalize(name, text)
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


@lru_cache(maxsize=1)
def _punctuation() -> regex.Pattern[str]:
    return regex.compile(r"[\p{P}\p{S}" + regex.escape(string.punctuation) + "]+")


@lru_cache(maxsize=32)
def compiled_pattern(pattern: str) -> regex.Pattern[str] | None:
    """Return the compiled split pattern of a name, or ``None`` where the text stays whole."""
    if pattern not in PATTERNS:
        raise BPEError(
            "There is no split pattern “{name}”. Choose one of: {names}.",
            name=pattern,
            names=", ".join(PATTERNS),
        )
    source = PATTERNS[pattern]
    return None if source is None else regex.compile(source)


def split(text: str, pattern: str) -> Iterator[str]:
    """Yield the pre-tokens of ``text``; joined they are ``text`` again.

    >>> list(split("Hello helo, I'm", "gpt2"))
    ['Hello', ' helo', ',', ' I', "'m"]
    """
    compiled = compiled_pattern(pattern)
    if compiled is None:
        if text:
            yield text
        return
    for match in compiled.finditer(text):
        yield match.group()


def count_words(
    texts: Iterable[str],
    pattern: str,
    *,
    special_tokens: Collection[str] = (),
    normalisation: str = "none",
) -> dict[bytes, int]:
    """Count the pre-tokens of a corpus: UTF-8 bytes of each to the number of times it occurs.

    Special tokens are cut out and not counted: nothing is ever merged with them. Keys stand in
    the order of first occurrence, which the ``"first-seen"`` tie-break refers to.

    >>> count_words(["low low lower"], "whitespace")
    {b'low': 1, b' low': 1, b' lower': 1}
    """
    normalise = normaliser(normalisation)
    counts: dict[str, int] = {}
    for text in texts:
        for part, special in split_specials(scalar_text(text), special_tokens):
            if special:
                continue
            for piece in split(normalise(part), pattern):
                counts[piece] = counts.get(piece, 0) + 1
    return {piece.encode(): count for piece, count in counts.items()}

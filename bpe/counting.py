"""Counting the tokens of a long text bit by bit, with the same result as all at once.

Engines written in other languages hold Python's lock while they encode, so that fifty megabytes
in one call stop everybody else for many seconds. A text is cut only where no token reaches across
and where what stands on one side does not change how the other is split.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

import regex

from bpe.catalog import LEADING_SPACE, CatalogEncoder
from bpe.encoder import Encoder, scalar_text
from bpe.formats.ranks import RankEncoder
from bpe.tokenizer import Tokenizer

STEP = 100_000
"""Characters encoded between two answers: 20 to 100 ms."""

# A letter, then what no split pattern joins to the letters before it: neither letter, mark, number
# nor the apostrophe of a contraction. No pattern looks back behind such a place.
_AFTER_LETTERS = regex.compile(r"(?<=\p{L})(?=[^\p{L}\p{M}\p{N}'’])")
_BEFORE_LINE_BREAK = regex.compile(r"(?<=[^\n\r])(?=\n)")


def count_steadily(encoder: Encoder, text: str, *, step: int = STEP) -> Iterator[tuple[int, int]]:
    """Yield how many characters are done and how many tokens they have; the last pair is the sum.

    It counts what ``encode(text, disallowed_special=())`` gives. A tokenizer that cannot be cut
    safely, or a text without a place for it, is done in one step.
    """
    text = scalar_text(text)
    if isinstance(encoder, Tokenizer):
        yield from _by_iteration(encoder, text, step)
        return
    places, extra = _places(encoder)
    start = tokens = 0
    while start < len(text):
        end = _next(places, text, start + step) if places else len(text)
        tokens += len(encoder.encode(text[start:end], disallowed_special=()))
        tokens -= extra if start else 0
        start = end
        yield end, tokens


def _by_iteration(tokenizer: Tokenizer, text: str, step: int) -> Iterator[tuple[int, int]]:
    done = 0

    def blocks() -> Iterator[str]:
        nonlocal done
        for at in range(0, len(text), step):
            yield text[at : at + step]
            done = at

    told = tokens = 0
    for _ in tokenizer.encode_iterable(blocks(), disallowed_special=()):
        if done > told:
            told = done
            yield told, tokens
        tokens += 1
    if text:
        yield len(text), tokens


_Places = Callable[[str, int], int | None]


def _next(places: _Places, text: str, after: int) -> int:
    """Return the first safe place at or behind ``after``, or the end."""
    if after >= len(text):
        return len(text)
    found = places(text, after)
    return len(text) if found is None else found


def _places(encoder: Encoder) -> tuple[_Places | None, int]:
    """Return what finds safe places, and how many tokens each cut adds."""
    if isinstance(encoder, RankEncoder):
        return (_split_places if encoder.pattern in ("gpt2", "cl100k", "o200k") else None), 0
    if not isinstance(encoder, CatalogEncoder):
        return None, 0
    if encoder.facts.kind == "byte-level BPE":
        return _split_places, 0
    prefixed = encoder.normalises == LEADING_SPACE
    if prefixed and _pieces_with(encoder, " \n"):
        return None, 0
    return (lambda text, after: _line_places(encoder, text, after)), int(prefixed)


def _split_places(text: str, after: int) -> int | None:
    found = _AFTER_LETTERS.search(text, after)
    return found.start() if found else None


def _line_places(encoder: CatalogEncoder, text: str, after: int) -> int | None:
    """Find a line break that no piece joins to what is before it: there, merges never meet.

    A space that the engine puts in front of the rest is a token by itself, as no piece joins it
    to a line break.
    """
    for found in _BEFORE_LINE_BREAK.finditer(text, after):
        at = found.start()
        if not _pieces_with(encoder, text[at - 1 : at + 1]):
            return at
    return None


@lru_cache(maxsize=4096)
def _pieces_with(encoder: CatalogEncoder, characters: str) -> bool:
    needle = characters.encode()
    return any(needle in piece for piece in encoder.ranks)

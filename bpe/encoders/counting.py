"""Counting the tokens of a long text bit by bit, with the same result as all at once.

Engines written in other languages hold Python's lock while they encode, so that fifty megabytes
in one call stop everybody else for many seconds. A text is cut only where no token reaches across
and where what stands on one side does not change how the other is split.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

import regex

from bpe.encoders.base import Encoder, SteadyEncoder, scalar_text
from bpe.encoders.catalog import LEADING_SPACE, CatalogEncoder
from bpe.encoders.seams import Seams
from bpe.encoders.spelling import METASPACE
from bpe.encoders.tokenizer import Tokenizer
from bpe.files.tiktoken import RankEncoder

STEP = 100_000
"""Characters encoded between two answers: 2 to 40 ms, as nobody else runs meanwhile."""
_SLOWER = 4
"""So much longer do engines take that merge over a whole text, not within pre-tokens."""

# A letter, then what no split pattern joins to the letters before it: neither letter, mark, number
# nor the apostrophe of a contraction. No pattern looks back behind such a place.
_CUT_AFTER_LETTERS = ("gpt2", "cl100k", "o200k")
_AFTER_LETTERS = regex.compile(r"(?<=\p{L})(?=[^\p{L}\p{M}\p{N}'’])")


def count_steadily(encoder: Encoder, text: str, *, step: int = STEP) -> Iterator[tuple[int, int]]:
    """Yield how many characters are done and how many tokens they have; the last pair is the sum.

    It counts what ``encode(text, disallowed_special=())`` gives. A tokenizer that cannot be cut
    safely (see :func:`is_steady`), or a text without a place for it, is done in one step.
    """
    text = scalar_text(text)
    if isinstance(encoder, Tokenizer):
        yield from _by_iteration(encoder, text, step)
        return
    tokens = 0
    if isinstance(encoder, SteadyEncoder):
        for done, ids in encoder.encode_steadily(text, disallowed_special=()):
            tokens += len(ids)
            yield done, tokens
        return
    cutter = _cutter(encoder)
    if isinstance(encoder, CatalogEncoder) and encoder.facts.kind == "SentencePiece":
        step = max(step // _SLOWER, 1)
    cut: _Cut | None = _Cut(0, 0, 0)
    while cut and cut.next < len(text):
        start, extra = cut.next, cut.extra
        cut = cutter(text, start + step) if cutter and start + step < len(text) else None
        end = cut.end if cut else len(text)
        tokens += len(encoder.encode(text[start:end], disallowed_special=())) - extra
        yield end, tokens


def is_steady(encoder: Encoder) -> bool:
    """Whether :func:`count_steadily` can stop on the way through a text."""
    if isinstance(encoder, RankEncoder):
        return encoder.pattern in _CUT_AFTER_LETTERS
    return isinstance(encoder, Tokenizer | SteadyEncoder | CatalogEncoder)


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


class _Cut(NamedTuple):
    """A safe place: where the text before it ends, where the next starts, what that adds to it."""

    end: int
    next: int
    extra: int


_Cutter = Callable[[str, int], _Cut | None]
"""Returns the first cut at or behind a place of a text."""


def _cutter(encoder: Encoder) -> _Cutter | None:
    if isinstance(encoder, RankEncoder):
        return _at_splits if encoder.pattern in _CUT_AFTER_LETTERS else None
    if not isinstance(encoder, CatalogEncoder):
        return None
    return _at_splits if encoder.facts.kind == "byte-level BPE" else _at_seams(encoder)


def _at_splits(text: str, after: int) -> _Cut | None:
    found = _AFTER_LETTERS.search(text, after)
    return _Cut(found.start(), found.start(), 0) if found else None


@lru_cache(maxsize=8)
def _at_seams(encoder: CatalogEncoder) -> _Cutter | None:
    """Cut between characters that no piece joins.

    Where the engine puts a space in front of every text, one that is there is left out for it; any
    other text must start with what no piece joins to a space, which is then a token too many.
    """
    prefix = " " if encoder.normalises == LEADING_SPACE else ""
    if prefix and prefix.encode() not in encoder.ranks:
        return None
    pieces = [piece.decode("utf-8", "replace") for piece in encoder.ranks]
    pieces = [piece for piece in pieces if "\ufffd" not in piece]
    # ▁ is how these engines write a space, so that one in the text is a space to them.
    written = [piece.replace(" ", METASPACE) for piece in pieces if " " in piece]
    seams = Seams([*pieces, *written, " " + METASPACE, METASPACE + " "])

    def cutter(text: str, after: int) -> _Cut | None:
        place = seams.first(text, after, prefix=prefix)
        if place is None:
            return None
        if not prefix or text[place] != prefix:
            return _Cut(place, place, len(prefix))
        return _Cut(place, place + 1, 0) if place + 1 < len(text) else None

    return cutter

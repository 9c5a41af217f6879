"""Pieces of a text that have no more tokens than a limit, cut at the best borders at hand.

Sentences stay whole where they fit; a longer one is cut at clauses, then at spaces, and at last
between characters as a reader sees them (a base letter with its accents, an emoji with its parts).
Only one that does not fit by itself, such as a letter under 600 marks, is cut between code points.
"""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import accumulate

import regex

from bpe.errors import BPEError, whole_number

Count = Callable[[str], int]

_LONGEST_CHARACTER = 100
"""Of code points; :func:`truncate` may cut a longer one."""
_SHOWN = 20
"""Code points of a character that an error shows."""

# A border lies at the end of each match, never before what belongs to the character in front of
# it: marks, vowel signs that are letters (Thai and Lao AM), skin tones. A full stop ends a sentence
# only before white space, so that 3.14 stays whole; closing quotes and brackets and the white space
# go with their sentence.
_BORDER = r"(?: (?<=[\r\n]) | (?! [\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}] ) )"
_SENTENCE = regex.compile(
    r"""(?: (?: [。！？!?…]+ [”’」』）)\]"']* | \. [”’）)\]"']* (?=\s) ) \s* | \n+ )""" + _BORDER,
    regex.VERBOSE,
)
_CLAUSE = regex.compile(
    r"""(?: [，、；：]+ [”’」』）]* \s* | [,;:] \s+ )""" + _BORDER, regex.VERBOSE
)
_WORD = regex.compile(r"\s+" + _BORDER, regex.VERBOSE)
_CHARACTER = regex.compile(r"\X")
_LEVELS = (_CLAUSE, _WORD, _CHARACTER)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a text: its place in it (code points), and its own number of tokens."""

    text: str
    start: int
    tokens: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def chunks(text: str, count: Count, max_tokens: int, overlap: int = 0) -> tuple[Chunk, ...]:
    """Return the pieces of a text, each of at most ``max_tokens`` when encoded by itself.

    Each piece takes as many sentences as fit. With ``overlap`` it begins with the end of the piece
    before, as much as has that many tokens: whole sentences, clauses or words, in this order.
    Raises :class:`BPEError` if a single character has more than ``max_tokens``.
    """
    most = whole_number(max_tokens, at_least=1)
    if most is None:
        raise BPEError("A chunk must have at least 1 token, not {most!r}.", most=max_tokens)
    most_again = whole_number(overlap, at_least=0)
    if most_again is None or most_again >= most:
        raise BPEError(
            "Chunks of {most} tokens can overlap by 0 to {less} tokens, not by {overlap!r}.",
            most=most,
            less=most - 1,
            overlap=overlap,
        )
    pieces = _split(_SENTENCE, text)
    made: list[Chunk] = []
    first, start, guess, again = 0, 0, 16, ""
    while first < len(pieces):
        taken = _as_many_as_fit(pieces, first, guess, partial(_count_behind, count, again), most)
        if not taken:
            if again:  # a sentence that fits alone is not cut for what comes again
                again = _end_of(again, count, count(again) // 2)
            else:
                pieces[first : first + 1] = _finer(pieces[first], count, most)
            continue
        chunk = again + "".join(pieces[first : first + taken])
        made.append(Chunk(chunk, start - len(again), count(chunk)))
        first, start, guess = first + taken, start + len(chunk) - len(again), taken
        again = _end_of(chunk, count, most_again)
    return tuple(made)


def _count_behind(count: Count, before: str, text: str) -> int:
    return count(before + text)


def _end_of(text: str, count: Count, most: int) -> str:
    """Return the longest proper end of a text in so many tokens that begins at a good border."""
    for level in (_SENTENCE, _CLAUSE, _WORD) if most else ():
        pieces = _split(level, text)
        ends = list(accumulate(reversed(pieces[1:]), lambda end, piece: piece + end))
        if number := bisect_right(ends, most, key=count):
            end: str = ends[number - 1]
            return end
    return ""


def truncate(text: str, count: Count, max_tokens: int) -> str:
    """Return a beginning of a text that fits, cut between characters; one more does not fit.

    A character that does not fit by itself is cut between its code points. A longer beginning may
    fit again; what is returned was measured.
    """
    most = whole_number(max_tokens, at_least=0)
    if most is None:
        raise BPEError("A text is cut to 0 tokens or more, not to {most!r}.", most=max_tokens)
    high = 4 * most + 4
    while high < len(text) and count(text[:high]) <= most:
        high *= 2
    if len(text) <= high and count(text) <= most:
        return text
    ends = [match.end() for match in _CHARACTER.finditer(text[: high + _LONGEST_CHARACTER])]
    fitting = bisect_right(ends, most, key=lambda end: count(text[:end]))
    end = ends[fitting - 1] if fitting else 0
    if fitting < len(ends) and count(text[end : ends[fitting]]) > most:
        inside = range(end + 1, ends[fitting] + 1)
        end += bisect_right(inside, most, key=lambda place: count(text[:place]))
    return text[:end]


def _as_many_as_fit(pieces: list[str], first: int, guess: int, count: Count, most: int) -> int:
    """Return how many pieces from ``first`` on fit together; 0 if not even one does.

    It doubles from ``guess``, then bisects. A longer run may fit; what it returns was measured.
    """

    def fits(number: int) -> bool:
        return count("".join(pieces[first : first + number])) <= most

    remaining = len(pieces) - first
    low, high = 0, min(max(guess, 1), remaining)
    while fits(high):
        low = high
        if high == remaining:
            return remaining
        high = min(2 * high, remaining)
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low


def _finer(piece: str, count: Count, most: int) -> list[str]:
    for level in _LEVELS:
        parts = _split(level, piece)
        if len(parts) > 1:
            return parts
    if len(piece) > 1:
        return list(piece)
    raise BPEError(
        "“{character}” alone has {tokens} tokens, more than the {most} allowed for a chunk.",
        character=piece if len(piece) <= _SHOWN else f"{piece[:_SHOWN]}…",
        tokens=count(piece),
        most=most,
    )


def _split(border: regex.Pattern[str], text: str) -> list[str]:
    ends = [match.end() for match in border.finditer(text)]
    if not ends or ends[-1] < len(text):
        ends.append(len(text))
    starts = [0, *ends[:-1]]
    return [text[start:end] for start, end in zip(starts, ends, strict=True) if end > start]

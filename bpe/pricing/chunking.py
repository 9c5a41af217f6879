"""Splitting a text into pieces of at most so many tokens, on the best borders at hand.

Sentences are kept whole where they fit; a longer one is cut at clauses, then at spaces, and at last
between characters as a reader sees them (a base letter with its accents, an emoji with its parts).
The pieces joined are the text.
"""

from dataclasses import dataclass

import regex

from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.pricing.count import token_ids

# A border lies at the end of each match. A full stop ends a sentence only before white space, so
# that 3.14 stays whole; closing quotes and brackets and the white space go with their sentence.
_SENTENCE = regex.compile(
    r"""(?: [。！？!?…]+ [”’」』）)\]"']* | \. [”’）)\]"']* (?=\s) ) \s* | \n+""", regex.VERBOSE
)
_CLAUSE = regex.compile(r"""[，、；：]+ [”’」』）]* \s* | [,;:] \s+""", regex.VERBOSE)
_WORD = regex.compile(r"\s+")
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
        """Where it ends in the text."""
        return self.start + len(self.text)


def chunks(text: str, encoder: Encoder, max_tokens: int) -> tuple[Chunk, ...]:
    """Return the pieces of a text, each of at most ``max_tokens`` when encoded by itself.

    Each piece takes as many sentences as fit. Raises :class:`BPEError` if a single character has
    more tokens than that.
    """
    if isinstance(max_tokens, bool) or not isinstance(max_tokens, int) or max_tokens < 1:
        raise BPEError("A chunk must have at least 1 token, not {most}.", most=max_tokens)
    pieces = _split(_SENTENCE, text)
    found: list[Chunk] = []
    at, start, guess = 0, 0, 16
    while at < len(pieces):
        taken = _as_many_as_fit(pieces, at, guess, encoder, max_tokens)
        if not taken:
            pieces[at : at + 1] = _finer(pieces[at], encoder, max_tokens)
            continue
        chunk = "".join(pieces[at : at + taken])
        found.append(Chunk(chunk, start, _length(encoder, chunk)))
        at, start, guess = at + taken, start + len(chunk), taken
    return tuple(found)


def _as_many_as_fit(pieces: list[str], at: int, guess: int, encoder: Encoder, most: int) -> int:
    """Return how many pieces from ``at`` on fit together; 0 if not even one does.

    It doubles or halves from ``guess``, then bisects. More text can have fewer tokens, so this may
    miss a longer run that fits; what it returns was measured.
    """

    def fits(number: int) -> bool:
        return _length(encoder, "".join(pieces[at : at + number])) <= most

    left = len(pieces) - at
    low, high = 0, min(max(guess, 1), left)
    while fits(high):
        low = high
        if high == left:
            return left
        high = min(2 * high, left)
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low


def _finer(piece: str, encoder: Encoder, most: int) -> list[str]:
    for level in _LEVELS:
        parts = _split(level, piece)
        if len(parts) > 1:
            return parts
    raise BPEError(
        "“{character}” alone has {tokens} tokens, more than the {most} allowed for a chunk.",
        character=piece,
        tokens=_length(encoder, piece),
        most=most,
    )


def _split(border: regex.Pattern[str], text: str) -> list[str]:
    ends = [match.end() for match in border.finditer(text)]
    if not ends or ends[-1] < len(text):
        ends.append(len(text))
    starts = [0, *ends[:-1]]
    return [text[start:end] for start, end in zip(starts, ends, strict=True) if end > start]


def _length(encoder: Encoder, text: str) -> int:
    return len(token_ids(encoder, text))

"""Where may a text be cut between characters that no piece of a SentencePiece vocabulary joins?"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from bpe.text.cuts import Cut, Cutter

_WINDOW = 4096
_BETWEEN = "\ud800"  # no piece has it, being text


class JoinedCharacters:
    """The pairs of characters inside the pieces of one vocabulary.

    SentencePiece merges, or adds up scores, over a whole text: there are no pre-tokens between
    which nothing happens. But a token is a piece, so between two characters that stand side by
    side in no piece there is always a boundary, and one side does not change the other.
    """

    def __init__(self, pieces: Iterable[str]) -> None:
        pieces = list(pieces)
        pairs = _pairs(_codes(_BETWEEN.join(pieces)))
        self._pairs: npt.NDArray[np.int64] = np.unique(pairs)
        known = [ord(piece) for piece in pieces if len(piece) == 1]
        self._known: npt.NDArray[np.int64] = np.unique(np.array(known, dtype=np.int64))

    def first_border(self, text: str, after: int, *, prefix: str = "") -> int | None:
        """Return the first place at or behind ``after``, but not the start, to cut ``text`` at.

        One of the two characters there is a piece by itself, as unknown ones in a row may be one
        token. Where the encoder puts ``prefix`` in front of every text, the character behind the
        border is that prefix, or no piece joins the prefix to it.
        """
        for start in range(max(after, 1), len(text), _WINDOW):
            codes = _codes(text[start - 1 : start + _WINDOW])
            known = _in(codes, self._known)
            safe = ~_in(_pairs(codes), self._pairs) & (known[:-1] | known[1:])
            if prefix:
                behind = codes[1:]
                safe &= (behind == ord(prefix)) | ~_in(_pair(ord(prefix), behind), self._pairs)
            found = np.flatnonzero(safe)
            if found.size:
                return start + int(found[0])
        return None


def between_pieces(pieces: Iterable[str], *, prefix: str = "") -> Cutter:
    """Return what cuts text that is encoded into ``pieces``, spaces written as spaces.

    ``prefix`` is the space that the encoder puts in front of every text, if it does. One that the
    next part starts with is left out, as the encoder puts it back; in front of anything else it is
    a token too many.
    """
    joined = JoinedCharacters(pieces)

    def cutter(text: str, after: int) -> Cut | None:
        place = joined.first_border(text, after, prefix=prefix)
        if place is None:
            return None
        if not prefix or text[place] != prefix:
            return Cut(place, place, len(prefix))
        return Cut(place, place + 1, 0) if place + 1 < len(text) else None

    return cutter


def _codes(text: str) -> npt.NDArray[np.int64]:
    data = text.encode("utf-32-le", "surrogatepass")
    return np.frombuffer(data, dtype="<u4").astype(np.int64)


def _pairs(codes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return _pair(codes[:-1], codes[1:])


def _pair(
    first: npt.NDArray[np.int64] | int, second: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    return np.asarray(first << 21 | second, dtype=np.int64)


def _in(values: npt.NDArray[np.int64], ordered: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    if not ordered.size:
        return np.zeros(len(values), dtype=np.bool_)
    at = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    return np.asarray(ordered[at] == values)

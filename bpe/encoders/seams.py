"""Where a text can be cut so that no piece of a vocabulary reaches across.

SentencePiece merges, or adds up scores, over a whole text: there are no pre-tokens between which
nothing happens. But a token is a piece, so between two characters that stand side by side in no
piece there is always a boundary, and what is on one side does not change the other.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

_WINDOW = 4096
_BETWEEN = "\ud800"  # no piece has it, being text


class Seams:
    """The pairs of characters inside the pieces of one vocabulary."""

    def __init__(self, pieces: Iterable[str]) -> None:
        pieces = list(pieces)
        pairs = _pairs(_codes(_BETWEEN.join(pieces)))
        self._pairs: npt.NDArray[np.int64] = np.unique(pairs)
        known = [ord(piece) for piece in pieces if len(piece) == 1]
        self._known: npt.NDArray[np.int64] = np.unique(np.array(known, dtype=np.int64))

    def first(self, text: str, after: int, *, prefix: str = "") -> int | None:
        """Return the first place at or behind ``after``, but not the start, to cut ``text`` at.

        One of the two characters is a piece by itself, as unknown ones in a row may be one token.
        ``prefix`` is a character that will be put in front of what is behind the cut: that starts
        then with the same (and one of the two can go), or with what no piece joins to it.
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

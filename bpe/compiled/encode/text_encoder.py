"""Text to ids by the compiled loop, which is in :mod:`bpe.compiled.encode.encoding`, drawn there.

Importing this takes a millisecond, as neither NumPy nor Numba is imported: what a fresh process
waits for before it encodes. How the tables are made is in :mod:`.encoder`. Special tokens are the
business of :mod:`bpe.encoders`: here every text is ordinary text, and scalar.
"""

import re
import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from itertools import accumulate, pairwise
from operator import sub
from typing import TYPE_CHECKING, Any

from bpe.compiled.compiling import by_name
from bpe.compiled.encode.workspace import (
    MANY_BYTES,
    SHORT_TEXT,
    Utf8,
    Workspace,
    Workspaces,
    holds_any,
    id_room,
    utf8_of,
)
from bpe.compiled.layout import PADDING, SCANNERS, UNCUT, string_layout, zeros

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ids = npt.NDArray[np.int32]

_Part = tuple[Utf8, memoryview]

Splitter = Callable[[str], Iterable[str]]
"""From a text to its pre-tokens; joined they are the text."""

SAFE_IN_BYTES = re.compile(rb"[0-9A-Za-z](?=[ \n])")
"""Where every pattern cuts, as far as ASCII alone decides it: behind the letter."""

_SHARED = 1 << 19  # characters of a text that threads share
_LARGE = 1 << 16  # bytes of a document
_MANY_IDS = 1 << 20  # from here on shared integers are worth it
_SOME_IDS = 1 << 18  # the same, where NumPy is imported already
_IDS_OF_SHORT_TEXTS = 1 << 23  # their integers have taken as long as importing NumPy by then
_LISTS_AT_ONCE = 256  # of texts, whose ids are objects in the processor's cache
_IDS_AT_ONCE = 4096  # their objects stay in the processor's cache

_encode = by_name("bpe.compiled.encode.encoding.encode_text")
_token_spans = by_name("bpe.compiled.encode.strings.token_spans")


class TextEncoder:
    """Text to ids. Frozen after it is made, and safe under threads.

    ``tables`` are those of the kernel, as it takes them; ``lengths`` the bytes of each id.
    ``splitter`` is a name of :data:`bpe.text.pretokenize.PATTERNS`, or a function from a text
    to its pre-tokens.
    """

    def __init__(self, tables: tuple[Any, ...], lengths: Any, splitter: str | Splitter) -> None:
        self._tables = tables
        self._lengths = lengths
        self._split: Splitter | None = None
        self._scanner = UNCUT
        if not isinstance(splitter, str):
            self._split = splitter
        elif splitter in SCANNERS:
            self._scanner = SCANNERS[splitter]
        elif splitter != "none":
            from bpe.text.pretokenize import split  # only here: regex takes long

            self._split = partial(split, pattern=splitter)
        self._workspaces = Workspaces(tables, self._scanner)
        self._in_short_texts = 0  # ids so far

    def encode(self, text: str) -> list[int]:
        data = text.encode() if len(text) <= SHORT_TEXT else None
        if data is None or len(data) > SHORT_TEXT or self._split is not None:
            return self._as_list(self._encode_long(text))
        workspace = self._workspaces.take()
        count = workspace.encode(self._scanner, data)
        self._in_short_texts += count
        enough = _SOME_IDS if "numpy" in sys.modules else _IDS_OF_SHORT_TEXTS
        if self._in_short_texts >= enough:
            ids = workspace.as_list(count, self._shared)
        else:
            ids = workspace.room[:count].tolist()
        self._workspaces.give_back(workspace)
        return ids

    def count(self, text: str, *, threads: int = 1) -> int:
        if threads > 1 and len(text) > _SHARED and self._reads_strings:
            return int(self.count_batch([text], threads)[0])
        data = text.encode() if len(text) <= SHORT_TEXT else b""
        is_short = 0 < len(data) <= SHORT_TEXT and self._split is None
        parts = [] if is_short else self._parts(text)  # may raise: no workspace is lost
        workspace = self._workspaces.take()
        if is_short:
            count = workspace.encode(self._scanner, data)
        else:
            count, _ = self._pass_over(workspace, parts, self._scanner)
        self._workspaces.give_back(workspace)
        return count

    def holds(self, text: str, tokens: tuple[bytes, ...]) -> bool:
        """Return whether a long text holds one of some tokens, which begin with the same two bytes.

        Unless kernels are linked, the UTF-8 is made for this alone, and once more to encode.
        """
        return holds_any(utf8_of(text), tokens)

    def encode_to_numpy(self, text: str, *, threads: int = 1) -> "Ids":
        """Return the ids of ``text`` as int32; a long text can use several threads."""
        if threads > 1 and len(text) > _SHARED and self._reads_strings:
            from bpe.compiled.encode import threads as many  # only here: for long texts

            return many.encode(self._workspaces, [text], threads)[0]
        import numpy as np

        return np.asarray(self._encode_long(text))

    def encode_batch_to_numpy(
        self, texts: Sequence[str], threads: int = 1, *, tokens: tuple[bytes, ...] = ()
    ) -> "tuple[Ids, npt.NDArray[np.int64]]":
        """Return the ids of all texts one behind the other, as int32, and where those of each end.

        Where a text holds one of ``tokens``, which begin with the same two bytes:
        :class:`.threads.IsSpecial`.
        """
        import numpy as np

        from bpe.compiled.encode import threads as many  # only here: for many texts

        if not texts:
            return np.zeros(0, np.int32), np.zeros(0, np.int64)
        if self._reads_strings:
            return many.encode(self._workspaces, texts, threads, tokens=tokens)
        each = [np.asarray(self._encode_long(text)) for text in texts]
        return np.concatenate(each), np.cumsum(list(map(len, each)))

    def count_batch(
        self, texts: Sequence[str], threads: int = 1, *, tokens: tuple[bytes, ...] = ()
    ) -> "npt.NDArray[np.int64]":
        """Return how many ids each text has."""
        import numpy as np

        from bpe.compiled.encode import threads as many  # only here: for many texts

        if not texts:
            return np.zeros(0, np.int64)
        if self._reads_strings:
            return many.count(self._workspaces, texts, threads, tokens=tokens)
        return np.fromiter(map(self.count, texts), np.int64, len(texts))

    def spans(self, text: str, ids: "Ids") -> "npt.NDArray[np.int64]":
        """Return the span of characters that each of the ids of ``text`` touches, a row each."""
        import numpy as np

        spans = np.empty((len(ids), 2), np.int64)
        if len(ids):
            _token_spans(utf8_of(text), ids, self._lengths, 0, spans.reshape(-1))
        return spans

    @property
    def _reads_strings(self) -> bool:
        """Whether kernels can read texts where Python has them, without the GIL."""
        return self._split is None and string_layout() is not None

    def encode_batch(self, texts: Iterable[str], *, threads: int = 1) -> list[list[int]]:
        """Return the ids of each text."""
        ids, ends = self.encode_batch_to_numpy(list(texts), threads)
        many, bounds = len(ids) >= _SOME_IDS, list(pairwise([0, *ends.tolist()]))
        lists: list[list[int]] = []
        for number in range(0, len(bounds), _LISTS_AT_ONCE):
            group = bounds[number : number + _LISTS_AT_ONCE]
            first = group[0][0]
            part = ids[first : group[-1][1]]
            numbers = self._shared.take(part) if many else array("i", part.tobytes())
            lists += [numbers[start - first : end - first].tolist() for start, end in group]
        return lists

    def _encode_long(self, text: str) -> memoryview:
        return self._encode_parts(self._parts(text), self._scanner)[0]

    def _encode_parts(self, parts: list[_Part], scanner: int) -> tuple[memoryview, memoryview]:
        """Return the ids of all parts, and where in them those of each piece of the last end."""
        room = sum(len(part) for part, _ in parts)
        workspace = self._workspaces.take()
        stays = room <= MANY_BYTES
        ids = workspace.room_for(room) if stays else id_room(room)
        count, ends = self._pass_over(workspace, parts, scanner, ids)
        result = memoryview(bytearray(ids[:count])).cast("i") if stays else ids[:count]
        self._workspaces.give_back(workspace)
        return result, ends

    def _pass_over(
        self, workspace: Workspace, parts: list[_Part], scanner: int, ids: memoryview | None = None
    ) -> tuple[int, memoryview]:
        """Write the ids of a text into ``ids``, or only count them; return how many there are.

        And where those of each piece of the last part end.
        """
        workspace.expect(sum(len(part) for part, _ in parts))
        progress = memoryview(array("q", (0, 0, 0)))
        for text, ends in parts:
            progress[0] = progress[1] = 0
            id_ends = memoryview(array("q", bytes(8 * len(ends))))
            while missing := _encode(
                *(scanner, int(ids is None), text, ends, *workspace.fixed),
                *(workspace.ids if ids is None else ids, id_ends, progress),
            ):
                workspace.make_room(missing)
        workspace.forget_long_words()
        return progress[2], id_ends

    def _parts(self, text: str) -> list[_Part]:
        """Return the UTF-8 of a text, with padding, and where in it the pieces of a splitter end.

        A large one is not copied for the sake of its padding: if there is a border near its end
        where every scanner cuts, what follows serves as padding, and is a part of its own.
        """
        parts, pieces = [], [utf8_of(text)]
        if self._split is not None:
            pieces = [piece.encode() for piece in self._split(text)]
        elif (size := len(pieces[0])) > _LARGE and self._scanner != UNCUT:
            border = SAFE_IN_BYTES.search(pieces[0], size - _LARGE // 2, size - PADDING)
            if border is not None:
                parts = [(pieces[0], memoryview(array("q", (border.end(),))))]
                pieces = [pieces[0][border.end() :]]
        ends = memoryview(array("q", accumulate(map(len, pieces))))
        return [*parts, (b"".join([*pieces, bytes(PADDING)]), ends)]

    def _as_list(self, ids: memoryview) -> list[int]:
        if len(ids) < (_SOME_IDS if "numpy" in sys.modules else _MANY_IDS):
            return array("i", ids.tobytes()).tolist()  # a memoryview takes twice as long
        import numpy as np

        shared: list[int] = []
        objects = np.empty(_IDS_AT_ONCE, object)
        numbers = np.asarray(ids)
        for first in range(0, len(numbers), _IDS_AT_ONCE):
            part = numbers[first : first + _IDS_AT_ONCE]
            shared += self._shared.take(part, out=objects[: len(part)], mode="clip").tolist()
        return shared

    @cached_property
    def _shared(self) -> Any:
        """An array of one object per id, so that lists of many ids make none."""
        import numpy as np

        return np.array(range(len(self._lengths)), dtype=object)


_ROOM = 16  # bytes copied at once

_total_length = by_name("bpe.compiled.encode.strings.total_length")
_join = by_name("bpe.compiled.encode.strings.join")


class CompiledDecoder:
    """The bytes of all tokens, one behind the other in ``pool``.

    ``starts`` are where in it each begins, and the end of the last; ``gaps`` the ids that do not
    exist.
    """

    def __init__(self, pool: bytes, starts: Sequence[int], gaps: Iterable[int]) -> None:
        lengths = array("q", map(sub, starts[1:], starts))
        for token_id in gaps:
            lengths[token_id] = -1
        self._starts = memoryview(array("q", starts[:-1]))
        self._lengths = memoryview(lengths)
        self._pool = pool + bytes(_ROOM)

    def joined(self, ids: Sequence[int]) -> memoryview | None:
        """Return the joined bytes of ids; ``None`` if one of them does not exist."""
        try:
            numbers = memoryview(array("I", ids))
        except (OverflowError, TypeError):
            return None
        size = _total_length(numbers, self._lengths)
        if size < 0:
            return None
        target = memoryview(zeros(size + _ROOM)).cast("B")
        _join(numbers, self._starts, self._lengths, self._pool, target)
        return target[:size]

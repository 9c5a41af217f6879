"""Text to ids by the compiled loop, which is in :mod:`bpe.compiled.encode.encoding`, drawn there.

Importing this takes a millisecond, as neither NumPy nor Numba is imported: what a fresh process
waits for before it encodes. How the tables are made is in :mod:`.encoder`. Special tokens are the
business of :mod:`bpe.encoders`: here every text is ordinary text, and scalar.
"""

import re
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from operator import sub
from typing import TYPE_CHECKING, Any, TypeVar

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

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")

Splitter = Callable[[str], Iterable[str]]
"""From a text to its pre-tokens; joined they are the text."""

SAFE_IN_BYTES = re.compile(rb"[0-9A-Za-z](?=[ \n])")
"""Where every pattern cuts, as far as ASCII alone decides it: behind the letter."""

_SHARED = 1 << 19  # characters of a text that threads share
_CHARACTERS = 200_000  # of texts of which lists are made at once
_LARGE = 1 << 16  # bytes of a document
_MANY_IDS = 1 << 20  # from here on shared integers are worth it
_SOME_IDS = 1 << 18  # the same, where NumPy is imported already
_IDS_OF_SHORT_TEXTS = 1 << 23  # their integers have taken as long as importing NumPy by then
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
        self._split = _splitter(splitter)
        self._scanner = SCANNERS.get(splitter, UNCUT) if isinstance(splitter, str) else UNCUT
        self._workspaces = Workspaces(tables, self._scanner)
        self._in_short_texts = 0  # ids so far

    def encode(self, text: str) -> list[int]:
        data = text.encode() if len(text) <= SHORT_TEXT else None
        if data is None or len(data) > SHORT_TEXT or self._split is not None:
            return self._as_list(self._encode_chunk([text])[0])
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
        if self._split is not None:
            return len(self._encode_chunk([text])[0])
        data = utf8_of(text)  # may raise: no workspace is lost
        workspace = self._workspaces.take()
        if isinstance(data, bytes) and len(data) <= SHORT_TEXT:
            count = workspace.encode(self._scanner, data)
        else:
            count = self._pass_over(workspace, [data], None)[0]
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
        return _as_array(self._encode_chunk([text])[0])

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
        results = list(map(self._encode_chunk, _gather(texts)))
        counts = [np.diff(ends, prepend=0) for _, ends in results]
        ids = np.concatenate([_as_array(each) for each, _ in results])
        return ids, np.cumsum(np.concatenate(counts))

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
        """Return the ids of each text; this thread makes lists while others encode."""
        gathered = list(_gather(texts))
        threads = min(threads, len(gathered))
        lists: list[list[int]] = []
        many = _CHARACTERS * len(gathered) > 3 * _MANY_IDS
        for ids, ends in on_threads(self.encode_batch_to_numpy, gathered, threads):
            numbers = self._shared.take(ids) if many else array("i", ids.tobytes())
            start = 0
            for end in ends.tolist():
                lists.append(numbers[start:end].tolist())
                start = end
        return lists

    def _encode_chunk(self, texts: list[str]) -> tuple[memoryview, list[int]]:
        """Return the ids of some texts one behind the other, and where those of each end."""
        if self._scanner != UNCUT or self._split is None:
            return self._encode_documents(list(map(utf8_of, texts)))
        pieces = [[piece.encode() for piece in self._split(text)] for text in texts]
        ids, ends = self._encode_documents([piece for each in pieces for piece in each])
        ends.insert(0, 0)
        done, after = 0, []
        for each in pieces:
            done += len(each)
            after.append(ends[done])
        return ids, after

    def _encode_documents(self, documents: Sequence[Utf8]) -> tuple[memoryview, list[int]]:
        room = sum(map(len, documents)) + PADDING
        workspace = self._workspaces.take()
        stays = room <= MANY_BYTES
        ids = workspace.room_for(room) if stays else id_room(room)
        count, ends = self._pass_over(workspace, documents, ids)
        result = memoryview(bytearray(ids[:count])).cast("i") if stays else ids[:count]
        self._workspaces.give_back(workspace)
        return result, ends

    def _pass_over(
        self, workspace: Workspace, documents: Sequence[Utf8], ids: memoryview | None
    ) -> tuple[int, list[int]]:
        """Write the ids of all documents into ``ids``, or only count them.

        Return how many there are, and where those of each document end.
        """
        workspace.expect(sum(map(len, documents)))
        id_ends = array("q", bytes(8 * len(documents)))
        progress = memoryview(array("q", (0, 0, 0)))
        for text, ends in self._padded(documents):
            progress[0] = progress[1] = 0
            while missing := _encode(
                self._scanner,
                int(ids is None),
                text,
                memoryview(array("q", ends)),
                *workspace.fixed,
                workspace.ids if ids is None else ids,
                memoryview(id_ends),
                progress,
            ):
                workspace.make_room(missing)
        workspace.forget_long_words()
        return progress[2], id_ends.tolist()

    def _padded(self, documents: Sequence[Utf8]) -> Iterator[tuple[Utf8, list[int]]]:
        """Yield texts with padding that hold all documents in turn, and where these end in them.

        A large one is not copied for the sake of its padding: if there is a border near its end
        where every scanner cuts, what follows serves as padding, and is yielded for itself.
        """
        if len(documents) == 1 and len(documents[0]) > _LARGE and self._scanner != UNCUT:
            (text,) = documents
            border = SAFE_IN_BYTES.search(text, len(text) - _LARGE // 2, len(text) - PADDING)
            if border is not None:
                yield text, [border.end()]
                documents = [text[border.end() :]]
        end, ends = 0, []
        for document in documents:
            end += len(document)
            ends.append(end)
        yield b"".join([*documents, bytes(PADDING)]), ends

    def _as_list(self, ids: memoryview) -> list[int]:
        if len(ids) < (_SOME_IDS if "numpy" in sys.modules else _MANY_IDS):
            return array("i", ids.tobytes()).tolist()  # a memoryview takes twice as long
        import numpy as np

        shared: list[int] = []
        objects = np.empty(_IDS_AT_ONCE, object)
        numbers = _as_array(ids)
        for first in range(0, len(numbers), _IDS_AT_ONCE):
            part = numbers[first : first + _IDS_AT_ONCE]
            shared += self._shared.take(part, out=objects[: len(part)], mode="clip").tolist()
        return shared

    @cached_property
    def _shared(self) -> Any:
        """An array of one object per id, so that lists of many ids make none."""
        import numpy as np

        return np.array(range(len(self._lengths)), dtype=object)


def _as_array(ids: memoryview) -> "Ids":
    import numpy as np

    if not ids:
        return np.zeros(0, np.int32)
    return np.frombuffer(ids, np.int32)


def _splitter(splitter: str | Splitter) -> Splitter | None:
    if splitter == "none":
        return None
    if not isinstance(splitter, str):
        return splitter
    if splitter in SCANNERS:
        return None  # a scanner does

    from bpe.text.pretokenize import split  # only here: regex takes long

    return partial(split, pattern=splitter)


def on_threads(
    work: Callable[[_Given], _Made], given: Sequence[_Given], threads: int
) -> Iterator[_Made]:
    """Yield what each work makes, in order; where one fails, the others are not waited for."""
    if threads <= 1:
        yield from map(work, given)
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads)
    try:
        yield from pool.map(work, given)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _gather(texts: Iterable[str], characters: int = _CHARACTERS) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= characters:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


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

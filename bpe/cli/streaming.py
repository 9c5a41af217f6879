"""Texts to train on, a part at a time: large files are never in memory whole.

A large text is cut where no pre-token reaches across, so that the merges are those of the whole.
It counts as several documents then. Large tables are read row by row; PDF and Word files whole.
"""

import codecs
import io
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from bpe.cli import rows
from bpe.cli.input import OnRead, Refused, Source, of_file, of_standard_input, paths
from bpe.documents import corpus
from bpe.errors import BPEError
from bpe.text.cuts import Cutter, cut_around

LARGE = 32 * 2**20
"""Bytes of a text file from which on it is read in parts."""

_PART = 1 << 22
_HEAD = 1 << 20
_ROWS = (".csv", ".tsv", ".jsonl")
_TEXT = (".txt", ".md", ".json")


class Corpus:
    """The texts of files, folders, patterns of names and standard input (``-``).

    Large texts are cut by ``cutter``, outside of ``special_tokens``; without one they are whole.
    Iterating reads them, and tells ``on_read`` how many bytes. ``size`` is all bytes there are,
    ``None`` where nobody knows.
    """

    def __init__(
        self,
        names: Sequence[str],
        cutter: Cutter | None,
        special_tokens: Collection[str],
        *,
        charset: str | None = None,
        column: str | None = None,
        on_read: OnRead = lambda size: None,
    ) -> None:
        self._files = [
            file for name in names for file in ([None] if name == "-" else paths([name]))
        ]
        self._cutter = cutter
        self._special_tokens = special_tokens
        self._charset = charset
        self._column = column
        self._on_read = on_read
        known = [file for file in self._files if file is not None]
        whole = len(known) == len(self._files)
        self.size = sum(file.stat().st_size for file in known) if whole else None

    def __iter__(self) -> Iterator[str]:
        several, empty = len(self._files) > 1, True
        for file in self._files:
            if several and file is not None and not file.stat().st_size:
                continue  # an empty __init__.py says nothing against the folder it is in
            empty = False
            try:
                yield from self._texts(file)
            except BPEError as error:
                name = "standard input" if file is None else str(file)
                raise Refused(str(error) if name in str(error) else f"{name}: {error}") from error
        if empty:
            raise Refused("All these files are empty.")

    def _texts(self, file: Path | None) -> Iterator[str]:
        if file is None:
            yield from self._of_standard_input()
            return
        is_text = file.suffix.lower() in _TEXT or file.suffix.lower() not in corpus.SUFFIXES
        if is_text and file.stat().st_size > LARGE:
            yield from self._parts(of_file(file), self._charset_of(file))
            return
        if file.suffix.lower() == ".parquet":
            yield from rows.texts(file, "", self._column, self._on_read)
            return
        if file.suffix.lower() in _ROWS and file.stat().st_size > LARGE:
            yield from rows.texts(file, self._charset_of(file), self._column, self._on_read)
            return
        data = file.read_bytes()
        self._on_read(len(data))
        if file.suffix.lower() not in corpus.SUFFIXES:
            yield corpus.decode(data, encoding=self._charset).text
            return
        yield from corpus.read(
            data, file.name, encoding=self._charset, column=self._column, max_bytes=sys.maxsize
        ).texts

    def _charset_of(self, file: Path) -> str:
        with file.open("rb") as opened:
            return self._charset or _guess(opened.read(_HEAD))

    def _of_standard_input(self) -> Iterator[str]:
        source = of_standard_input()
        if self._charset is not None:
            yield from self._parts(source, self._charset)
            return
        with source.open() as file:
            head = file.read(LARGE)
            if len(head) < LARGE:
                yield corpus.decode(head).text
                return
            whole = io.BufferedReader(_Chained(head, file))
            yield from self._parts(Source("-", None, lambda: whole), _guess(head[:_HEAD]))

    def _parts(self, source: Source, charset: str) -> Iterator[str]:
        blocks = source.blocks(charset, self._on_read)
        yield from parts(blocks, self._cutter, self._special_tokens)


def parts(
    blocks: Iterable[str], cutter: Cutter | None, special_tokens: Collection[str]
) -> Iterator[str]:
    """Yield the joined blocks cut where training sees no difference; whole where it might."""
    waiting, wanted = "", _PART
    for number, block in enumerate(blocks):
        waiting += block.removeprefix("\ufeff") if number == 0 else block
        if cutter is None or len(waiting) < wanted:
            continue
        cut = cut_around(cutter, waiting, len(waiting) // 2, special_tokens)
        if cut is None:
            wanted = 2 * len(waiting)
            continue
        yield waiting[: cut.end]
        waiting, wanted = waiting[cut.next :], _PART
    if waiting:
        yield waiting


def _guess(head: bytes) -> str:
    """Return the charset of a text by its beginning, cut behind a line."""
    if not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        head = head[: head.rfind(b"\n") + 1] or head
    return corpus.decode(head).encoding


class _Chained(io.RawIOBase):
    """What was read already, and the file that goes on from there."""

    def __init__(self, head: bytes, file: BinaryIO) -> None:
        self._head = io.BytesIO(head)
        self._file = file

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a part of the buffer."""
        data = self._head.read(len(buffer)) or self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

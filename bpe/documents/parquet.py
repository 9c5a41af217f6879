"""Columns of text in Parquet files.

A few kilobytes of Parquet can stand for any number of rows, so a file is read in a process of its
own (:mod:`bpe.sandbox`), which calls :func:`read`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bpe import sandbox
from bpe.errors import BPEError, from_extra
from bpe.text.unicode import scalar_text

MAX_TEXT = 100 * 2**20
"""The most bytes that the texts of a column may have together."""

_ROWS = 1_000


@dataclass(frozen=True)
class Parquet:
    """A table of Parquet; see :class:`bpe.documents.tables.Table`."""

    data: bytes = field(repr=False)
    columns: tuple[str, ...]
    likely: str | None
    """The column with the most letters in the first rows."""
    height: int
    """How many rows there are."""

    @classmethod
    def from_bytes(cls, data: bytes) -> "Parquet":
        said = _read(data, columns=None).values
        return cls(data, tuple(said["columns"]), said["likely"], said["rows"])

    def texts(self, column: str | None, /) -> list[str]:
        return _read(self.data, columns=[column]).texts if column else []

    def cells(self, wanted: Sequence[str], /) -> Iterator[tuple[int, tuple[str, ...]]]:
        texts = _read(self.data, columns=list(wanted), gaps=True).texts
        width = len(wanted)
        for row in range(self.height):
            yield row + 1, tuple(map(scalar_text, texts[row * width : (row + 1) * width]))

    def most_letters(self, rows: int, /) -> str | None:
        return self.likely


def _read(data: bytes, **options: Any) -> sandbox.Answer:
    return sandbox.unpack(sandbox.run(f"{__name__}:read", data, **options))


def read(data: bytes, *, columns: list[str] | None, gaps: bool = False) -> bytes:
    """Return what columns of text there are, or the cells of some, row by row, packed.

    Cells without text are left out, or with ``gaps`` are empty.
    """
    with from_extra("documents"):
        import pyarrow as arrow
        from pyarrow import parquet

    try:
        file = parquet.ParquetFile(arrow.BufferReader(data))
        if columns is None:
            return sandbox.pack(columns_of(file))
        texts: list[str] = []
        size = 0
        for row in cells_of(file, columns):
            for cell in row:
                if cell is not None or gaps:
                    texts.append(cell or "")
                    size += len(texts[-1].encode())
            if size > MAX_TEXT:
                raise BPEError(
                    "The texts of the file have more than {limit} MB together. Upload a part of "
                    "it.",
                    limit=MAX_TEXT >> 20,
                )
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise BPEError("The Parquet file is broken. Write it again.") from error
    return sandbox.pack({}, texts)


def cells_of(file: Any, columns: Sequence[str]) -> Iterator[tuple[str | None, ...]]:
    """Yield the cells of each row in some columns of an open file."""
    for batch in file.iter_batches(batch_size=_ROWS, columns=list(columns)):
        yield from zip(*(batch.column(name).to_pylist() for name in columns), strict=True)


def columns_of(file: Any) -> dict[str, Any]:
    """Say which columns hold text, and which has the most letters in the first rows."""
    import pyarrow as arrow

    kinds = (arrow.types.is_string, arrow.types.is_large_string, arrow.types.is_string_view)

    def is_text(kind: Any) -> bool:
        if arrow.types.is_dictionary(kind):
            kind = kind.value_type
        return any(is_kind(kind) for is_kind in kinds)

    names = [column.name for column in file.schema_arrow if is_text(column.type)]
    letters = dict.fromkeys(names, 0)
    for batch in file.iter_batches(batch_size=_ROWS, columns=names):
        for name in names:
            for cell in batch.column(name).to_pylist():
                letters[name] += sum(map(str.isalpha, cell or ""))
        break
    likely = max(names, key=letters.__getitem__, default=None)
    return {"columns": names, "likely": likely, "rows": file.metadata.num_rows}

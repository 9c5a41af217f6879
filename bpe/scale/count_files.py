"""Files of counted words: Parquet with two columns, ``word`` (binary) and ``count`` (int64).

Any program can write one. Those written here also say what was counted and how (the metadata
``bpe``), and have their words in :data:`PARTS` parts by a hash, sorted within each, a row group a
part: files are merged part by part, and the digest depends on words and counts alone.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as arrow
import pyarrow.compute as compute
from pyarrow import parquet

from bpe.algorithm.counts import MOST, Counted, WordCounts
from bpe.algorithm.recipe import Recipe
from bpe.errors import BPEError
from bpe.scale.shards import WORD_TYPES, file_system, opening, written_whole
from bpe.text.digests import name_of_total, sum_of_totals
from bpe.writing import require_apart

PARTS = 256
SUFFIX = ".counts.parquet"
VERSION = 2

_SCHEMA = arrow.schema([("word", arrow.large_binary()), ("count", arrow.int64())])
_KEY = b"bpe"
_HASHED_AT_ONCE = 1 << 16


def part_of(words: WordCounts) -> npt.NDArray[np.uint8]:
    """Return the part of each word: the top byte of a polynomial in its bytes, mixed.

    For bytes b₀, b₁, … it is h = Σ (bᵢ + 1) · Pⁱ modulo 2⁶⁴, then h ⊕ h ≫ 33, times M, and the top
    eight bits, with P = 0x100000001B3 and M = 0xFF51AFD7ED558CCD.
    """
    lengths = np.diff(words.offsets)
    longest = int(lengths.max(initial=0))
    powers = np.cumprod(np.full(max(longest, 1), 0x100000001B3, np.uint64))
    powers = np.concatenate([np.ones(1, np.uint64), powers])[:longest]
    parts = np.empty(len(words), np.uint8)
    for first in range(0, len(words), _HASHED_AT_ONCE):
        last = min(first + _HASHED_AT_ONCE, len(words))
        starts = words.offsets[first:last] - words.offsets[first]
        data = words.text[words.offsets[first] : words.offsets[last]]
        place = np.arange(len(data)) - np.repeat(starts, lengths[first:last])
        hashed = np.add.reduceat((data.astype(np.uint64) + np.uint64(1)) * powers[place], starts)
        hashed ^= hashed >> np.uint64(33)
        hashed *= np.uint64(0xFF51AFD7ED558CCD)
        parts[first:last] = hashed >> np.uint64(56)
    return parts


def _to_arrow(words: WordCounts) -> Any:
    buffers = [None, arrow.py_buffer(words.offsets), arrow.py_buffer(words.text)]
    column = arrow.LargeBinaryArray.from_buffers(arrow.large_binary(), len(words), buffers)
    return arrow.table([column, arrow.array(words.counts)], schema=_SCHEMA)


def _from_arrow(table: Any) -> WordCounts:
    """Return a table's words in arrays of their own."""
    if not len(table):
        return _NONE
    column = table.column("word").combine_chunks()
    _, offsets_buffer, text = column.buffers()
    offsets = np.frombuffer(offsets_buffer, np.int64)[column.offset :][: len(column) + 1]
    letters = np.frombuffer(text, np.uint8)[offsets[0] : offsets[-1]]
    return WordCounts(letters, offsets - offsets[0], table.column("count").to_numpy())


_NONE = WordCounts.of({})


class CountFile:
    """A file of counts that is open for reading."""

    def __init__(self, url: str, file: Any) -> None:
        self.url = url
        try:
            self._parquet = parquet.ParquetFile(file, page_checksum_verification=True)
        except (arrow.ArrowException, OSError) as error:
            raise self._not_whole(str(error)) from error
        kinds = {field.name: field.type for field in self._parquet.schema_arrow}
        word, count = kinds.get("word"), kinds.get("count")
        if word not in WORD_TYPES or count is None or not arrow.types.is_integer(count):
            raise BPEError(
                "“{name}” is no file of counts: it needs the columns “word” (binary) and “count” "
                "(64-bit integers).",
                name=url,
            )
        self.counted: Counted | None = None
        self.rows_of_parts: list[int] | None = None
        try:
            about = json.loads((self._parquet.metadata.metadata or {}).get(_KEY, b"null"))
            if about is None:  # of another program
                return
            if about.pop("version") not in (1, VERSION):
                raise ValueError
            if about.pop("checksum", None) not in (None, _checksum(about)):
                raise self._not_whole("its metadata were changed")
            self.rows_of_parts = about.pop("rows")
            self._words_digest = about.pop("words", about["digest"])
            self.counted = Counted(**{**about, "special_tokens": tuple(about["special_tokens"])})
        except BPEError:
            raise
        except (ValueError, AttributeError, KeyError, TypeError) as error:
            raise BPEError(
                "“{name}” was written by another version of this library. Count again.", name=url
            ) from error

    def _not_whole(self, reason: str) -> BPEError:
        return BPEError(
            "“{name}” is not a whole file of counts: {reason}. Count again.",
            name=self.url,
            reason=reason[:200],
        )

    def parts(self) -> Iterator[WordCounts]:
        """Yield all parts in order, the empty ones too; what is not as it was written is refused.

        The last part is yielded before the digest of all can be checked.
        """
        try:
            if self.rows_of_parts is None:
                yield from parts_of(summed([self._in_any_order()]))
                return
            digest = _digest()
            group = 0
            for rows in self.rows_of_parts:
                words = _NONE
                if rows:
                    words = _from_arrow(
                        self._parquet.read_row_group(group, columns=["word", "count"])
                    )
                    group += 1
                _add(digest, words)
                yield words
        except (arrow.ArrowException, OSError, IndexError) as error:
            raise self._not_whole(str(error)) from error
        if self._words_digest != digest.hexdigest()[:16]:
            raise self._not_whole("its words or counts were changed")

    def _in_any_order(self) -> Any:
        """Return the table of another program, read whole."""
        table = self._parquet.read(columns=["word", "count"])
        if table.column("word").null_count or table.column("count").null_count:
            raise BPEError("“{name}” has rows without a word or a count.", name=self.url)
        table = table.cast(_SCHEMA)
        lengths = compute.binary_length(table.column("word"))
        least = compute.min(table.column("count")).as_py()
        if len(table) and (compute.min(lengths).as_py() < 1 or least < 0):
            raise BPEError("“{name}” has empty words or counts below zero.", name=self.url)
        return table


def summed(tables: Sequence[Any]) -> WordCounts:
    """Return the words of several tables, each once with its counts added up, sorted."""
    if not tables:
        return _NONE
    table = arrow.concat_tables(tables)
    counts = table.column("count").cast(arrow.float64(), safe=False)  # of 64 bits the sum wraps
    _refuse_too_large(compute.sum(counts).as_py() or 0)
    sums = table.group_by("word").aggregate([("count", "sum")])
    sums = sums.rename_columns({"count_sum": "count"}).select(["word", "count"])
    return _from_arrow(sums.sort_by("word"))


def _refuse_too_large(total: float) -> None:
    if total > MOST:
        raise BPEError("The counts of the words are too large: together they exceed 2⁶².")


@contextmanager
def opened(url: str) -> Iterator[CountFile]:
    """Open a file of counts, wherever it is; what is none raises :class:`BPEError`."""
    system, path = file_system(url)
    with opening(url), system.open(path, "rb") as file:
        yield CountFile(url, file)


def parts_of(words: WordCounts) -> Iterator[WordCounts]:
    """Bring words that were just counted into the canonical order, a part at a time."""
    table = _to_arrow(words)
    parts = part_of(words)
    order = np.argsort(parts, kind="stable")
    borders = np.searchsorted(parts[order], np.arange(PARTS + 1))
    for first, last in pairwise(borders):
        rows = table.take(arrow.array(order[first:last]))
        yield _from_arrow(rows.sort_by("word")) if first < last else _NONE


def save(words: WordCounts, url: str) -> None:
    """Write words that were just counted."""
    assert words.counted is not None  # as of all that is counted here
    write(parts_of(words), words.counted, url)


def write(parts: Iterable[WordCounts], counted: Counted, url: str) -> Counted:
    """Write parts, which must come in order; return ``counted`` as the file says it.

    The file is there whole or not at all: it is written beside its place and then moved there.
    """
    digest = _digest()
    rows: list[int] = []
    total = 0.0
    # No word is there twice: a dictionary would hold them all again.
    how: Any = {"compression": "zstd", "use_dictionary": False, "write_page_checksum": True}
    with (
        written_whole(url) as path,
        open(path, "wb") as file,
        parquet.ParquetWriter(file, _SCHEMA, **how) as writer,
    ):
        for words in parts:
            rows.append(len(words))
            if not len(words):
                continue
            pairs = np.maximum(np.diff(words.offsets) - 1, 1)
            total += float(np.dot(words.counts.astype(np.float64), pairs))
            writer.write_table(_to_arrow(words), row_group_size=len(words))
            _add(digest, words)
        _refuse_too_large(total)
        name = digest.hexdigest()[:16]
        counted = replace(counted, digest=counted.digest if counted.total else name, in_order=False)
        about = {**asdict(counted), "words": name, "rows": rows}
        about |= {"checksum": _checksum(about), "version": VERSION}
        writer.add_key_value_metadata({_KEY.decode(): json.dumps(about)})
    return counted


_digest = partial(hashlib.sha256, b"sorted word counts")


def _add(digest: Any, words: WordCounts) -> None:
    """Go on with the digest of words and counts in the canonical order."""
    if len(words):
        for column in (np.diff(words.offsets), words.text, words.counts):
            digest.update(np.ascontiguousarray(column).data)


def _checksum(about: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()


def merge(urls: Sequence[str], out: str, recipe: Recipe | None = None) -> Counted:
    """Add up the counts of several files into one; return what they were counted in.

    Files of different recipes raise :class:`BPEError`, and so do files that do not say theirs,
    unless ``recipe`` says it for them. Memory holds one part of each file.
    """
    require_apart(out, urls)
    with ExitStack() as stack:
        files = [stack.enter_context(opened(url)) for url in urls]
        merged = (
            summed([_to_arrow(words) for words in parts if len(words)])
            for parts in zip(*(file.parts() for file in files), strict=True)
        )
        return write(merged, _together(files, recipe), out)


def _together(files: Sequence[CountFile], recipe: Recipe | None) -> Counted:
    cuts = []
    for file in files:
        if file.counted is not None:
            cuts.append(file.counted)
        elif recipe is None:
            raise BPEError(
                "“{name}” does not say how its words were cut. Say it by a recipe.", name=file.url
            )
    if not files:
        raise BPEError("There are no counts to add up.")
    wanted = cuts[0] if recipe is None else Counted.by(recipe)
    for file in files:
        if file.counted is not None and (difference := file.counted.differs(wanted)):
            field, there, here = difference
            raise BPEError(
                "“{name}” was counted with another {field} ({there}) than the rest ({here}).",
                name=file.url,
                field=field,
                there=there,
                here=here,
            )
    total = ""
    if len(cuts) == len(files) and all(each.total for each in cuts):
        total = sum_of_totals(each.total for each in cuts)
    return replace(
        wanted,
        documents=sum(each.documents for each in cuts),
        bytes=sum(each.bytes for each in cuts),
        digest=name_of_total(total) if total else "",
        total=total,
    )


def read(url: str) -> WordCounts:
    """Return the words of a file, all in memory, in the canonical order."""
    return read_without_rare(url, 0)[0]


def read_without_rare(url: str, at_least: int) -> tuple[WordCounts, int, int]:
    """Return the words of a file that occur so often, and how many others, how often together.

    Memory holds the words that are left, and one part of the others.
    """
    left_out = occurrences = 0
    tables: list[Any] = []
    with opened(url) as file:
        for words in file.parts():
            rare = words.counts < at_least
            left_out += int(rare.sum())
            occurrences += int(words.counts[rare].sum())
            if len(words) or not tables:
                tables.append(_to_arrow(words).filter(arrow.array(~rare)))
        counted = file.counted
    if left_out and counted is not None:
        name = f"{counted.digest} without words below {at_least}"
        digest = hashlib.sha256(name.encode()).hexdigest()[:16]
        counted = replace(counted, digest=digest, total="")
    words = replace(_from_arrow(arrow.concat_tables(tables)), counted=counted)
    return words, left_out, occurrences


MOST_COUNTED = 1_000
"""Up to this count :func:`floor_that_fits` looks for a floor."""


def floor_that_fits(url: str, memory: int) -> int:
    """Return the least count of words such that training on those that have it fits into memory.

    ``memory`` is in bytes; training takes :func:`bpe.compiled.train.learner.estimated_memory`.
    Raises :class:`BPEError` where words of every count up to :data:`MOST_COUNTED` are too many.
    """
    from bpe.compiled.train.learner import estimated_memory  # only here: its kernels take long

    sizes = np.zeros(MOST_COUNTED + 1, np.int64)  # bytes of the words of each count
    with opened(url) as file:
        for words in file.parts():
            counts = np.minimum(words.counts, MOST_COUNTED)
            np.add.at(sizes, counts, np.diff(words.offsets))
    bytes_left = np.cumsum(sizes[::-1])[::-1]
    for at_least in range(1, MOST_COUNTED + 1):
        if estimated_memory(int(bytes_left[at_least])) <= memory:
            return at_least
    raise BPEError(
        "The words that occur {most} times or more alone need {needed} MB to train on, and "
        "{memory} MB are given. Train on counts of a part of the corpus.",
        most=f"{MOST_COUNTED:,}",
        needed=f"{estimated_memory(int(bytes_left[-1])) >> 20:,}",
        memory=f"{memory >> 20:,}",
    )

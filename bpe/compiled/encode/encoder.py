"""Any byte-level BPE, compiled: vocabularies of ranks (tiktoken) and lists of merges (ours).

The loop is in :mod:`bpe.compiled.encode.encoding`, drawn there. Special tokens are the business of
:mod:`bpe.encoders`: here every text is ordinary text, and scalar.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from bpe.compiled.characters import PADDING
from bpe.compiled.compiling import packed
from bpe.compiled.encode import vocabulary
from bpe.compiled.encode.borders import Borders, mark_tokens, no_borders
from bpe.compiled.encode.encoding import empty_batch, encode_text
from bpe.compiled.encode.merge_table import MOST_IDS, MergeTable, empty_merge_table, merges_in
from bpe.compiled.encode.piece_cache import empty_cache
from bpe.compiled.encode.piece_merging import Merges, empty_scratch
from bpe.compiled.scanner import SCANNERS, UNCUT
from bpe.compiled.unicode_classes import class_table
from bpe.compiled.word_table import WordTable, empty_table
from bpe.encoders.cuts import SAFE_IN_BYTES, chunks
from bpe.errors import BPEError
from bpe.training.counts import WordCounts
from bpe.training.pretokenize import split
from bpe.training.recipe import BYTES, Merge

Ids = npt.NDArray[np.int32]

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")

_THREADS = min(os.cpu_count() or 1, 8)
_PIECE = 1 << 18  # characters that a thread encodes at once
_LARGE = 1 << 16  # bytes of a document
_FEW_IDS = 4096  # up to so many it is not worth looking up shared int objects


_encode: Callable[..., int] = encode_text  # called with several of its arguments as one

Splitter = Callable[[str], Iterable[str]]
"""From a text to its pre-tokens; joined they are the text."""


class CompiledEncoder:
    """Text to ids. Frozen after it is made, and safe under threads.

    Made by :meth:`from_ranks` or :meth:`from_merges`. ``splitter`` is a name of
    :data:`bpe.training.pretokenize.PATTERNS`, or a function from a text to its pre-tokens.
    """

    def __init__(
        self, merges: Merges, lengths: npt.NDArray[np.int64], splitter: str | Splitter
    ) -> None:
        self._merges = merges
        self._lengths = lengths  # bytes of each id
        self._split = _splitter(splitter)
        self._scanner = SCANNERS.get(splitter, UNCUT) if isinstance(splitter, str) else UNCUT
        self._integers = np.array(range(len(lengths)), dtype=object)
        self._idle: list[_Workspace] = []

    @classmethod
    def from_ranks(cls, ranks: Mapping[bytes, int], splitter: str | Splitter) -> "CompiledEncoder":
        """Make an encoder of tokens and their ranks, which are ids and priorities at once.

        A pre-token that is in the vocabulary is its id, whether merges lead to it or not. Raises
        :class:`BPEError` if a byte is missing.
        """
        tokens = list(ranks)
        ids = np.fromiter(ranks.values(), np.int64, len(ranks))
        byte_ids = _byte_ids([ranks.get(bytes([byte])) for byte in range(BYTES)])
        token_lengths = np.fromiter(map(len, tokens), np.int64, len(tokens))
        size = int(ids.max()) + 1
        _refuse_large_vocabulary(size)
        words = _token_table(tokens, ids)
        table = empty_merge_table(
            vocabulary.enter_splits(words, len(tokens), empty_merge_table(0), False)
        )
        vocabulary.enter_splits(words, len(tokens), table, True)
        borders = no_borders()
        mark_tokens(borders, words.pool, np.cumsum(token_lengths))
        merges = _merges(byte_ids, table, np.empty(0, np.int32), borders)
        unreached = np.zeros(len(tokens), np.bool)
        scratch = empty_scratch(int(token_lengths.max()))
        used = empty_merge_table(len(tokens))
        vocabulary.keep_used_splits(merges, words, len(tokens), scratch, used, unreached)
        merges = merges._replace(table=used)
        if unreached.any():
            whole = _token_table([tokens[at] for at in np.flatnonzero(unreached)], ids[unreached])
            merges = merges._replace(whole=whole)
        lengths = np.zeros(size, np.int64)
        lengths[ids] = token_lengths
        return cls(merges, lengths, splitter)

    @classmethod
    def from_merges(
        cls,
        merges: Sequence[Merge] | Sequence[tuple[int, int, int]],
        splitter: str | Splitter,
        *,
        byte_ids: Sequence[int] = range(BYTES),
        whole: Mapping[bytes, int] | None = None,
    ) -> "CompiledEncoder":
        """Make an encoder of merges ``(left, right, new id, ...)``, the first ones first.

        ``byte_ids`` are the ids of the 256 bytes. Different pairs may spell the same bytes.
        A pre-token that is in ``whole`` has the id it has there, whatever merges say.
        """
        left = np.fromiter((merge[0] for merge in merges), np.int64, len(merges))
        right = np.fromiter((merge[1] for merge in merges), np.int64, len(merges))
        new = np.fromiter((merge[2] for merge in merges), np.int64, len(merges))
        base = _byte_ids(byte_ids)
        _refuse_large_vocabulary(max(int(new.max(initial=0)), int(base.max())) + 1)
        table = empty_merge_table(len(merges))
        vocabulary.enter_merges(left, right, table)
        spelling = {token: bytes([byte]) for byte, token in enumerate(base.tolist())}
        left_over: Sequence[tuple[int, ...]] = merges
        while left_over:  # a part may be made by a later merge
            later = []
            for merge in left_over:
                if merge[0] in spelling and merge[1] in spelling:
                    spelling[merge[2]] = spelling[merge[0]] + spelling[merge[1]]
                else:
                    later.append(merge)
            left_over = later if len(later) < len(left_over) else ()
        lengths = np.zeros(max(spelling) + 1, np.int64)
        lengths[list(spelling)] = list(map(len, spelling.values()))
        borders = no_borders()
        text = np.frombuffer(b"".join([*spelling.values(), bytes(PADDING)]), np.uint8)
        mark_tokens(borders, text.copy(), np.cumsum(list(map(len, spelling.values()))))
        made = _merges(base, table, new.astype(np.int32), borders)
        if whole:
            ids = np.fromiter(whole.values(), np.int64, len(whole))
            made = made._replace(whole=_token_table(list(whole), ids))
            lengths = np.concatenate(
                [lengths, np.zeros(max(0, int(ids.max()) + 1 - len(lengths)), np.int64)]
            )
            lengths[ids] = np.fromiter(map(len, whole), np.int64, len(whole))
        return cls(made, lengths, splitter)

    def tables(self) -> list[npt.NDArray[Any]]:
        """Return all arrays that the encoder consists of; :meth:`from_tables` takes them."""
        merges = self._merges
        plain: list[Any] = [merges.byte_ids, merges.byte_pairs, merges.table, merges.merged_ids]
        return [*plain, *merges.whole, *merges.borders, self._lengths]

    @classmethod
    def from_tables(
        cls, tables: Sequence[npt.NDArray[Any]], splitter: str | Splitter
    ) -> "CompiledEncoder":
        """Make an encoder of the arrays of another one."""
        byte_ids, byte_pairs, table, merged_ids = tables[:4]
        whole, borders = WordTable(*tables[4:8]), Borders(*tables[8:10])
        merges = Merges(byte_ids, byte_pairs, table, merged_ids, whole, borders)
        return cls(merges, tables[10], splitter)

    def encode(self, text: str) -> list[int]:
        """Return the ids of ``text``."""
        return self._as_list(self.encode_to_numpy(text))

    def encode_to_numpy(self, text: str, *, threads: int = 1) -> Ids:
        """Return the ids of ``text`` as int32; a long text can use several threads."""
        if threads == 1 or self._scanner == UNCUT or len(text) <= _PIECE:
            return self._encode_chunk([text])[0]
        with ThreadPoolExecutor(threads) as pool:
            parts = pool.map(self._encode_chunk, ([piece] for piece in chunks(text, _PIECE)))
            return np.concatenate([ids for ids, _ in parts])

    def encode_batch(self, texts: Iterable[str]) -> list[list[int]]:
        """Return the ids of each text, worked out on all cores."""
        return [self._as_list(ids) for ids in self.encode_batch_to_numpy(texts)]

    def encode_batch_to_numpy(self, texts: Iterable[str]) -> list[Ids]:
        """Return the ids of each text as int32, worked out on all cores."""
        gathered = list(_gather(texts))
        if len(gathered) == 1:
            results = [self._encode_chunk(gathered[0])]
        else:
            results = _on_threads(self._encode_chunk, gathered)
        return [part for ids, ends in results for part in np.split(ids, ends[:-1])]

    def encode_words(self, words: WordCounts) -> Iterator[tuple[Ids, npt.NDArray[np.int64]]]:
        """Yield the ids of words one behind the other, and how many each has, some words at a time.

        Each word is taken for a pre-token, whatever the split pattern makes of it.
        """
        workspace = _Workspace(self._merges)
        first = 0
        while first < len(words):
            begin = words.offsets[first]
            after = int(np.searchsorted(words.offsets, begin + _PIECE, "right")) - 1
            after = max(after, first + 1)
            ends = words.offsets[first + 1 : after + 1] - begin
            text = np.zeros(ends[-1] + PADDING, np.uint8)
            text[: ends[-1]] = words.text[begin : begin + ends[-1]]
            text.flags.writeable = False  # as the bytes of a text are: one kernel for both
            ids = np.empty(len(text), np.int32)
            id_ends = np.empty(len(ends), np.int64)
            progress = np.zeros(3, np.int64)
            while missing := _encode(UNCUT, text, ends, *workspace.fixed, ids, id_ends, progress):
                workspace.make_room(missing)
            yield ids[: progress[2]].copy(), np.diff(id_ends, prepend=0)
            first = after

    def recovered_merges(self) -> list[tuple[int, int, int]]:
        """Return the pair that makes each token of :meth:`from_ranks` and the token, by its id."""
        return [(left, right, new) for left, right, new in merges_in(self._merges.table).tolist()]

    def decoded_length(self, ids: Ids) -> int:
        """Return how many bytes the tokens of ``ids`` have together."""
        return int(self._lengths[ids].sum())

    def _encode_chunk(self, texts: list[str]) -> tuple[Ids, npt.NDArray[np.int64]]:
        """Return the ids of some texts one behind the other, and where those of each end."""
        if self._scanner != UNCUT or self._split is None:
            return self._encode_documents([text.encode() for text in texts])
        pieces = [[piece.encode() for piece in self._split(text)] for text in texts]
        ids, ends = self._encode_documents([piece for each in pieces for piece in each])
        after = np.cumsum(np.fromiter(map(len, pieces), np.int64, len(pieces)))
        return ids, np.concatenate([np.zeros(1, np.int64), ends])[after]

    def _encode_documents(self, documents: list[bytes]) -> tuple[Ids, npt.NDArray[np.int64]]:
        room = sum(map(len, documents)) + PADDING
        ids = np.empty(room, np.int32)
        id_ends = np.empty(len(documents), np.int64)
        progress = np.zeros(3, np.int64)
        try:
            workspace = self._idle.pop()
        except IndexError:
            workspace = _Workspace(self._merges)
        for text, ends in self._padded(documents):
            progress[:2] = 0
            while missing := _encode(
                self._scanner,
                np.frombuffer(text, np.uint8),
                ends,
                *workspace.fixed,
                ids,
                id_ends,
                progress,
            ):
                workspace.make_room(missing)
        workspace.forget_long_words()
        self._idle.append(workspace)
        ids.resize(progress[2], refcheck=False)  # gives back what was not needed, copies nothing
        return ids, id_ends

    def _padded(self, documents: list[bytes]) -> Iterator[tuple[bytes, npt.NDArray[np.int64]]]:
        """Yield texts with padding that hold all documents in turn, and where these end in them.

        A large one is not copied for the sake of its padding: if there is a border near its end
        where every scanner cuts, what follows serves as padding, and is yielded for itself.
        """
        if len(documents) == 1 and len(documents[0]) > _LARGE and self._scanner != UNCUT:
            (text,) = documents
            border = SAFE_IN_BYTES.search(text, len(text) - _LARGE // 2, len(text) - PADDING)
            if border is not None:
                yield text, np.array([border.end()])
                documents = [text[border.end() :]]
        ends = np.cumsum(np.fromiter(map(len, documents), np.int64, len(documents)))
        yield b"".join([*documents, bytes(PADDING)]), ends

    def _as_list(self, ids: Ids) -> list[int]:
        if len(ids) <= _FEW_IDS:
            few: list[int] = ids.tolist()
            return few
        # One shared object per id: no integer is made. So few at once stay in the cache.
        shared: list[int] = []
        objects = np.empty(_FEW_IDS, object)
        for at in range(0, len(ids), _FEW_IDS):
            part = ids[at : at + _FEW_IDS]
            shared += self._integers.take(part, out=objects[: len(part)], mode="clip").tolist()
        return shared


def _splitter(splitter: str | Splitter) -> Splitter | None:
    """Return what splits a text; ``None`` where it stays whole."""
    if splitter == "none":
        return None
    return partial(split, pattern=splitter) if isinstance(splitter, str) else splitter


class _Workspace:
    """What one thread needs while it encodes; the cache is kept for the next text.

    ``fixed`` are the arguments of the kernel that are the same for each text.
    """

    def __init__(self, merges: Merges) -> None:
        self._merges = merges
        self._batch = empty_batch()
        self._cache = empty_cache()
        self.make_room(1 << 10)

    def make_room(self, room: int) -> None:
        """Have scratch room for pre-tokens of up to so many bytes."""
        self._room = room
        scratch = empty_scratch(room)
        self.fixed = packed(class_table(), self._merges, self._cache, scratch, self._batch)

    def forget_long_words(self) -> None:
        """Give back the scratch room of an unusually long pre-token."""
        if self._room > 1 << 16:
            self.make_room(1 << 10)


def _on_threads(work: Callable[[_Given], _Made], given: Sequence[_Given]) -> list[_Made]:
    """Return what each work makes. Where one is interrupted, nobody waits for the others."""
    pool = ThreadPoolExecutor(_THREADS)
    try:
        made = list(pool.map(work, given))
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown(wait=False)
    return made


def _gather(texts: Iterable[str], characters: int = 200_000) -> Iterator[list[str]]:
    """Gather texts into lists of about so many characters, each worth a thread's while."""
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


def _token_table(tokens: Sequence[bytes], ids: npt.NDArray[np.int64]) -> WordTable:
    """Return the table from the bytes of tokens to their ids."""
    lengths = np.fromiter(map(len, tokens), np.int64, len(tokens))
    room = 16
    while room < len(tokens):
        room *= 2
    words = empty_table(room, int(lengths.sum()))
    text = np.frombuffer(b"".join([*tokens, bytes(PADDING)]), np.uint8)
    vocabulary.enter_tokens(text, np.cumsum(lengths), ids, words)
    return words


# A table without room, for no tokens at all.
_NO_WORDS = WordTable(
    slots=np.zeros(2, np.uint64),
    offsets=np.zeros(1, np.int64),
    pool=np.zeros(PADDING, np.uint8),
    counts=np.zeros(0, np.int64),
)


def _merges(byte_ids: Ids, table: MergeTable, merged_ids: Ids, borders: Borders) -> Merges:
    byte_pairs = np.empty(BYTES * BYTES, np.int32)
    merges = Merges(byte_ids, byte_pairs, table, merged_ids, _NO_WORDS, borders)
    vocabulary.enter_byte_pairs(merges)
    return merges


def _byte_ids(ids: Sequence[int | None]) -> Ids:
    missing = [byte for byte, token in enumerate(ids) if token is None]
    if missing or len(ids) != BYTES:
        raise BPEError(
            "This vocabulary has no token for {missing} of the 256 bytes, so some texts could "
            "not be encoded. Use one that has them all.",
            missing=len(missing) or BYTES - len(ids),
        )
    return np.array(ids, np.int32)


def _refuse_large_vocabulary(size: int) -> None:
    if size > MOST_IDS:
        raise BPEError(
            "The compiled encoder takes vocabularies of up to {most} tokens, and this one has "
            "{size}.",
            most=MOST_IDS,
            size=size,
        )

"""The tables of any byte-level BPE: vocabularies of ranks (tiktoken) and lists of merges (ours).

What encodes with them is in :mod:`.text_encoder`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bpe.algorithm.counts import WordCounts
from bpe.algorithm.recipe import BYTES, Merge
from bpe.compiled.characters import Borders, mark_tokens, no_borders
from bpe.compiled.compiling import packed
from bpe.compiled.encode import piece_merging
from bpe.compiled.encode.piece_cache import SHORT_KEY
from bpe.compiled.encode.piece_merging import (
    MOST_IDS,
    Merges,
    MergeTable,
    Scratch,
    ShortTokens,
    empty_merge_table,
    merges_in,
)
from bpe.compiled.encode.text_encoder import Splitter, TextEncoder
from bpe.compiled.layout import PADDING, UNCUT, scratch_memory
from bpe.compiled.unicode_classes import class_table
from bpe.compiled.word_table import WordTable, empty_table, pool_of
from bpe.errors import BPEError

Ids = npt.NDArray[np.int32]

_WORDS_AT_ONCE = 1 << 18  # bytes of them


class CompiledEncoder(TextEncoder):
    """Text to ids, made by :meth:`from_ranks` or :meth:`from_merges`; and what else its tables say.

    Frozen after it is made, and safe under threads.
    """

    def __init__(
        self, merges: Merges, lengths: npt.NDArray[np.int64], splitter: str | Splitter
    ) -> None:
        super().__init__(packed(class_table(), merges), lengths, splitter)
        self._merges = merges

    @classmethod
    def from_ranks(cls, ranks: Mapping[bytes, int], splitter: str | Splitter) -> "CompiledEncoder":
        """Make an encoder of tokens and their ranks, which are ids and priorities at once.

        A pre-token that is in the vocabulary is its id, whether merges lead to it or not. Raises
        :class:`BPEError` if a byte is missing.
        """
        tokens = list(ranks)
        ids = np.fromiter(ranks.values(), np.int64, len(ranks))
        byte_ids = _byte_ids([ranks.get(bytes([byte])) for byte in range(BYTES)])
        lengths = _lengths({i: len(token) for token, i in ranks.items()})
        words = _token_table(tokens, ids)
        borders = _borders_of(pool_of(words), words.offsets[1 : len(ids) + 1])
        merges = _merges(byte_ids, _all_splits(words, ids), np.empty(0, np.int32), borders)
        merges, unreached = _with_used_splits(merges, words, ids)
        if unreached.any():
            whole = _token_table([tokens[i] for i in np.flatnonzero(unreached)], ids[unreached])
            merges = merges._replace(whole=whole)
        return cls(merges._replace(short_tokens=_short_tokens(ranks)), lengths, splitter)

    @classmethod
    def from_pieces(cls, pieces: Mapping[bytes, int], byte_ids: Sequence[int]) -> "CompiledEncoder":
        """Make an encoder that merges the characters of a whole text, as SentencePiece does.

        Of all ``pieces``, with their ids, the first ones are made first. A character that is none
        becomes its bytes, whose ids are ``byte_ids``: these are not merged.
        """
        tokens = list(pieces)
        ids = np.fromiter(pieces.values(), np.int64, len(pieces))
        sizes = {i: len(token) for token, i in pieces.items()}
        lengths = _lengths(dict.fromkeys(byte_ids, 1) | sizes)
        words, priorities = _token_table(tokens, ids), np.arange(len(tokens))
        ascii_first = [pieces.get(bytes([byte]), i) for byte, i in enumerate(byte_ids)]
        characters = [
            i for i, token in enumerate(tokens) if len(token) > 1 and len(token.decode()) == 1
        ]
        borders = _borders_of(pool_of(words), words.offsets[1 : len(ids) + 1])
        table = _all_splits(words, priorities)
        merges = _merges(_byte_ids(ascii_first), table, ids.astype(np.int32), borders)._replace(
            byte_pairs=np.empty(0, np.int32),
            whole=_token_table([tokens[i] for i in characters], ids[characters]),
        )
        merges, _ = _with_used_splits(merges, words, priorities)
        return cls(merges, lengths, "none")

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
        table = empty_merge_table(len(merges))
        piece_merging.enter_merges(left, right, table)
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
        sizes = {i: len(token) for i, token in spelling.items()}
        text = np.frombuffer(b"".join([*spelling.values(), bytes(PADDING)]), np.uint8)
        borders = _borders_of(text, np.cumsum(list(sizes.values())))
        made = _merges(base, table, new.astype(np.int32), borders)
        whole = whole or {}
        if whole:
            ids = np.fromiter(whole.values(), np.int64, len(whole))
            made = made._replace(whole=_token_table(list(whole), ids))
        sizes |= {i: len(token) for token, i in whole.items()}
        return cls(made, _lengths(dict.fromkeys(new.tolist(), 0) | sizes), splitter)

    def tables(self) -> list[npt.NDArray[Any]]:
        """Return all arrays that the encoder consists of; :meth:`from_tables` takes them."""
        merges = self._merges
        plain: list[Any] = [merges.byte_ids, merges.byte_pairs, merges.table, merges.merged_ids]
        return [*plain, *merges.whole, *merges.borders, *merges.short_tokens, self._lengths]

    @classmethod
    def from_tables(cls, arrays: Sequence[Any], splitter: str | Splitter) -> "CompiledEncoder":
        """Make an encoder of the arrays of another one, which may be a ``memoryview`` each."""
        tables: list[Any] = list(map(np.asarray, arrays))
        byte_ids, byte_pairs, table, merged_ids = tables[:4]
        parts = WordTable(*tables[4:8]), Borders(*tables[8:10]), ShortTokens(*tables[10:13])
        return cls(Merges(byte_ids, byte_pairs, table, merged_ids, *parts), tables[13], splitter)

    def encode_words(self, words: WordCounts) -> Iterator[tuple[Ids, npt.NDArray[np.int64]]]:
        """Yield the ids of words one behind the other, and how many each has, some words at a time.

        Each word is taken for a pre-token, whatever the split pattern makes of it.
        """
        first = 0
        while first < len(words):
            begin = words.offsets[first]
            after = int(np.searchsorted(words.offsets, begin + _WORDS_AT_ONCE, "right")) - 1
            after = max(after, first + 1)
            ends = words.offsets[first + 1 : after + 1] - begin
            text = words.text[begin : words.offsets[after]].tobytes() + bytes(PADDING)
            ids, id_ends = self._encode_parts([(text, ends.data)], UNCUT)
            yield np.array(ids, np.int32), np.diff(id_ends, prepend=0)
            first = after

    def recovered_merges(self) -> list[tuple[int, int, int]]:
        """Return the pair that makes each token of :meth:`from_ranks` and the token, by its id."""
        return [(left, right, new) for left, right, new in merges_in(self._merges.table).tolist()]


def _token_table(tokens: Sequence[bytes], ids: npt.NDArray[np.int64]) -> WordTable:
    lengths = np.fromiter(map(len, tokens), np.int64, len(tokens))
    room = 16
    while room < len(tokens):
        room *= 2
    words = empty_table(room, int(lengths.sum()))
    text = np.frombuffer(b"".join([*tokens, bytes(PADDING)]), np.uint8)
    piece_merging.enter_tokens(text, np.cumsum(lengths), ids, words)
    return words


def _borders_of(text: npt.NDArray[np.uint8], ends: npt.NDArray[np.int64]) -> Borders:
    borders = no_borders()
    mark_tokens(borders, text, ends)
    return borders


def _lengths(sizes: Mapping[int, int]) -> npt.NDArray[np.int64]:
    """Return the bytes of each id up to the largest, 0 of those that do not exist."""
    size = max(sizes) + 1
    if size > MOST_IDS:
        raise BPEError(
            "The compiled encoder takes vocabularies of up to {most} tokens, and this one has "
            "{size}.",
            most=MOST_IDS,
            size=size,
        )
    lengths = np.zeros(size, np.int64)
    lengths[list(sizes)] = list(sizes.values())
    return lengths


def _all_splits(words: WordTable, priorities: npt.NDArray[np.int64]) -> MergeTable:
    """Return a table of each pair of tokens that joins to a token."""
    text, nothing = pool_of(words), empty_merge_table(0)
    table = empty_merge_table(piece_merging.enter_splits(words, text, priorities, nothing, False))
    piece_merging.enter_splits(words, text, priorities, table, True)
    return table


def _with_used_splits(
    merges: Merges, words: WordTable, priorities: npt.NDArray[np.int64]
) -> tuple[Merges, npt.NDArray[np.bool]]:
    """Return the merges with one pair for each token, and which tokens no merge leads to."""
    unreached = np.zeros(len(priorities), np.bool)
    longest = int(np.diff(words.offsets[: len(priorities) + 1]).max())
    scratch = Scratch(*map(np.asarray, scratch_memory(longest)))
    used = empty_merge_table(len(priorities))
    text = pool_of(words)
    piece_merging.keep_used_splits(merges, words, text, priorities, scratch, used, unreached)
    return merges._replace(table=used), unreached


def _short_tokens(ranks: Mapping[bytes, int]) -> ShortTokens:
    rarest_first = sorted(ranks, key=ranks.__getitem__, reverse=True)  # evicted before others
    tokens = [token for token in rarest_first if len(token) <= SHORT_KEY]
    text = bytearray(b"".join([*tokens, bytes(PADDING)]))  # may be written, as a cached one may
    return ShortTokens(
        np.frombuffer(text, np.uint8),
        np.array(list(map(len, tokens)), np.uint8),
        np.array([*map(ranks.__getitem__, tokens), 0, 0, 0], np.int32),
    )


def _merges(byte_ids: Ids, table: MergeTable, merged_ids: Ids, borders: Borders) -> Merges:
    byte_pairs, tokens = np.empty(BYTES * BYTES, np.int32), _short_tokens({})
    no_words = empty_table(1, 0)._replace(counts=np.zeros(0, np.int64))
    merges = Merges(byte_ids, byte_pairs, table, merged_ids, no_words, borders, tokens)
    piece_merging.enter_byte_pairs(merges)
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

"""The encoding loop: scan pre-tokens, cut them where no token reaches across, look up the pieces.

Pieces are gathered by the batch, because the memory of the cache is slow: its line for each piece
is asked for at once, and read when the batch is full::

    starts     at 0    at 3     at 8    ...    and the end of the last piece
    firsts     "low"   " lower" ...            the key of a piece in bpe.compiled.encode.piece_cache
    seconds    ...
    lines      where its set begins; -1: longer than the key of a set

Each of these is tried before the next one::

    sets       the cache of short pieces
    whole      a pre-token that is a token of a vocabulary of ranks is its id. That only needs
               looking up for the few tokens that their own merges do not lead to
    words      the cache of other pieces: longer ones, and those of more ids
    merging    bpe.compiled.encode.piece_merging
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe.compiled.characters import HIGH_BITS, Classes, Text
from bpe.compiled.compiling import Int, inlined, kernel, routine
from bpe.compiled.encode.borders import piece_end
from bpe.compiled.encode.layout import BATCH, SHORT
from bpe.compiled.encode.piece_cache import (
    MOST_BYTES,
    SHORT_IDS,
    SHORT_KEY,
    Cache,
    copy_ids,
    enter_short,
    first_bytes,
    is_whole,
    more_bytes,
    place_of,
    remember,
    set_of,
    with_label,
)
from bpe.compiled.encode.piece_merging import Merges, Scratch, merge_long, merge_short
from bpe.compiled.instructions import hash_bytes, low_bytes, prefetch
from bpe.compiled.scanner import pre_token_ends
from bpe.compiled.word_table import count_in, slot_of, word_in


class Batch(NamedTuple):
    """The arrays drawn above, ``starts`` one longer than the others; and ends of pre-tokens."""

    pre_tokens: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    firsts: npt.NDArray[np.uint64]
    seconds: npt.NDArray[np.uint64]
    lines: npt.NDArray[np.int64]

    @classmethod
    def of(cls, memory: Iterable[memoryview]) -> "Batch":
        return cls(*map(np.asarray, memory))


@kernel
def encode_text(
    scanner: Int,
    only_counts: Int,
    text: Text,
    ends: npt.NDArray[np.int64],
    classes: Classes,
    merges: Merges,
    cache: Cache,
    scratch: Scratch,
    batch: Batch,
    ids: npt.NDArray[np.int32],
    id_ends: npt.NDArray[np.int64],
    progress: npt.NDArray[np.int64],
) -> Int:
    """Encode the documents that end at ``ends``; return 0, or the scratch room that is missing.

    Writes the ids one behind the other, and into ``id_ends`` where those of each document end.
    ``progress`` is (documents done, place in the text, ids so far): after the caller made more
    scratch room the kernel goes on from there; where all are done it begins anew. ``ids`` has room
    for an id per byte and three more; if it ``only_counts``, for those of one piece, as each is
    written over the one before.
    """
    document, at, found_ids = progress[0], progress[1], progress[2]
    if document == len(ends):
        document = at = found_ids = np.int64(0)
    advance = np.int64(0) if only_counts else np.int64(-1)  # a mask of what ids are written behind
    written = found_ids & advance
    has_whole = len(merges.whole.counts) > 0
    while document < len(ends):
        end = ends[document]
        start = after = at  # of the pre-token
        scanned = found = np.int64(0)
        while at < end:
            pieces = np.int64(0)
            while at < end and pieces < BATCH:
                if at == after:
                    if scanned == found:
                        scanned = np.int64(0)
                        found = pre_token_ends(scanner, text, at, end, classes, batch.pre_tokens)
                    at, scanned, pieces = gather_plain(
                        cache, batch, text, at, scanned, found, pieces, has_whole
                    )
                    start = after = at
                    if scanned == found or pieces == BATCH:
                        continue
                    after = batch.pre_tokens[scanned]
                    scanned += 1
                if after - start > len(scratch.ids):
                    break
                length = piece_end(merges.borders, text, at, after) - at
                whole = has_whole and length == after - start
                gather(cache, batch, pieces, text, at, length, whole)
                at += length
                pieces += 1
            if pieces == 0:
                progress[0], progress[1], progress[2] = document, at, found_ids
                return after - at
            batch.starts[pieces] = at
            piece = np.int64(0)
            while piece < pieces:
                piece, count = copy_cached(cache, batch, piece, pieces, ids, written, advance)
                found_ids += count
                written += count & advance
                if piece < pieces:
                    count = look_up(merges, cache, scratch, batch, piece, text, ids, written)
                    found_ids += count
                    written += count & advance
                    piece += 1
        id_ends[document] = found_ids
        document += 1
    progress[0], progress[1], progress[2] = document, at, found_ids
    return 0


@inlined
def gather_plain(
    cache: Cache,
    batch: Batch,
    text: Text,
    at: Int,
    scanned: Int,
    found: Int,
    pieces: Int,
    whole: Int,
) -> tuple[Int, Int, Int]:
    """Enter the next pre-tokens into the batch, up to one that may have to be cut, or is long.

    Return where the last one ends, and how many ends and pieces there are by then.
    """
    while scanned < found and pieces < BATCH:  # most are pieces as they are
        length = batch.pre_tokens[np.uint64(scanned)] - at
        if length > SHORT_KEY:
            break
        first, more = first_bytes(text, at, length), more_bytes(text, at, length)
        if (first | more) & HIGH_BITS != 0:
            break
        enter_key(cache, batch, pieces, at, first, with_label(more, length, whole))
        at += length
        pieces += 1
        scanned += 1
    return at, scanned, pieces


@inlined
def gather(
    cache: Cache, batch: Batch, piece: Int, text: Text, at: Int, length: Int, whole: Int
) -> None:
    """Enter a piece into the batch, and have the line of its set fetched.

    ``whole`` says that it is a pre-token, and may be a token that merges do not lead to.
    """
    if length > SHORT_KEY:
        batch.starts[piece] = at
        batch.seconds[piece] = with_label(np.uint64(0), np.int64(0), whole)
        batch.lines[piece] = -1
        return
    second = with_label(more_bytes(text, at, length), length, whole)
    enter_key(cache, batch, piece, at, first_bytes(text, at, length), second)


@inlined
def enter_key(cache: Cache, batch: Batch, piece: Int, at: Int, first: Int, second: Int) -> None:
    index = np.uint64(piece)  # Numba need not ask whether it is negative
    line = set_of(cache, first, second)
    prefetch(cache.sets, line)
    batch.starts[index] = at
    batch.firsts[index], batch.seconds[index], batch.lines[index] = first, second, line


@inlined
def copy_cached(
    cache: Cache,
    batch: Batch,
    piece: Int,
    pieces: Int,
    ids: npt.NDArray[np.int32],
    written: Int,
    advance: Int,
) -> tuple[Int, Int]:
    """Write the ids of pieces up to one that is in no set; return its number, and how many ids.

    A loop without calls, in which nearly all time is spent.
    """
    found = np.int64(0)
    while piece < pieces:
        index = np.uint64(piece)
        line = batch.lines[index]
        if line < 0:
            break
        place = place_of(cache, line, batch.firsts[index], batch.seconds[index])
        if place < 0:
            break
        found += copy_ids(cache, place, ids, written + (found & advance))
        piece += 1
    return piece, found


@inlined
def look_up(
    merges: Merges,
    cache: Cache,
    scratch: Scratch,
    batch: Batch,
    piece: Int,
    text: Text,
    ids: npt.NDArray[np.int32],
    written: Int,
) -> Int:
    """Write the ids of a piece of the batch that is in no set; return how many there are."""
    first, second, line = batch.firsts[piece], batch.seconds[piece], batch.lines[piece]
    at = batch.starts[piece]
    length = batch.starts[piece + 1] - at
    count = encode_new(merges, cache, scratch, text, at, length, is_whole(second), ids, written)
    if line >= 0 and count <= SHORT_IDS:
        enter_short(cache, line, first, second, ids, written, count)
    return count


@routine
def encode_new(
    merges: Merges,
    cache: Cache,
    scratch: Scratch,
    text: Text,
    at: Int,
    length: Int,
    whole: Int,
    ids: npt.NDArray[np.int32],
    written: Int,
) -> Int:
    """Write the ids of a piece that is in no set at ``written``; return how many there are."""
    if length == 1:
        ids[written] = merges.byte_ids[text[at]]
        return 1
    if whole:
        token = count_in(merges.whole, text, at, length)
        if token >= 0:
            ids[written] = token
            return 1
    head = low_bytes(text, at, min(length, 8))
    hashed = hash_bytes(text, at, length, head)
    slot = slot_of(cache.words, text, at, length, head, hashed)
    word = word_in(cache.words, slot)
    if word >= 0:
        start, count = cache.words.counts[word] >> 8, cache.words.counts[word] & 0xFF
        for index in range(count):
            ids[written + index] = cache.ids[start + index]
        return count
    if length <= SHORT:
        count = merge_short(merges, scratch, text, at, length, ids, written)
    else:
        count = merge_long(merges, scratch, text, at, length, ids, written)
    if length <= MOST_BYTES and (length > SHORT_KEY or count > SHORT_IDS):
        remember(cache, text, at, length, head, hashed, slot, ids, written, count)
    return count

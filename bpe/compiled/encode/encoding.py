"""The encoding loop: scan pre-tokens, cut them where no token reaches across, look up the pieces.

Pieces are gathered by the batch, because the memory of the cache is slow: its line for each piece
is asked for at once, and read when the batch is full::

    ends       at 0    at 3     at 9    ...    << 1 | whether a pre-token ends there
    firsts     "low"   " lower" ...            the key of a piece in bpe.compiled.encode.piece_cache
    seconds    ...
    lines      where its set begins

Each of these is tried before the next one::

    sets       the cache of short pieces
    whole      a pre-token that is a token of a vocabulary of ranks is its id. That only needs
               looking up for the few tokens that their own merges do not lead to
    words      the cache of other pieces: longer ones, and those of more ids
    merging    bpe.compiled.encode.piece_merging
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe.compiled.characters import Classes, Ids, Numbers, Text
from bpe.compiled.compiling import Int, inlined, kernel, routine
from bpe.compiled.encode.piece_cache import (
    IN_NO_SET,
    MOST_BYTES,
    SHORT_IDS,
    SHORT_KEY,
    Cache,
    copy_ids,
    enter_short,
    is_cached,
    key_at,
    remember,
)
from bpe.compiled.encode.piece_merging import Merges, Scratch, merge_long, merge_short
from bpe.compiled.instructions import prefetch
from bpe.compiled.layout import BATCH, SHORT
from bpe.compiled.scanner import ONE, YES, piece_ends
from bpe.compiled.word_table import Word, count_in, number_in, slot_of, word_at


class Batch(NamedTuple):
    """The arrays drawn above; ``ends`` are those of many batches, ``rest`` is the scanner's."""

    ends: Numbers
    rest: Numbers
    firsts: npt.NDArray[np.uint64]
    seconds: npt.NDArray[np.uint64]
    lines: Numbers


@kernel
def encode_text(
    scanner: Int,
    only_counts: Int,
    text: Text,
    ends: Numbers,
    classes: Classes,
    merges: Merges,
    cache: Cache,
    scratch: Scratch,
    batch: Batch,
    ids: Ids,
    id_ends: Numbers,
    progress: Numbers,
) -> Int:
    """Encode the documents that end at ``ends``; return 0, or the scratch room that is missing.

    Writes the ids one behind the other, and into ``id_ends`` where those of each document end.
    ``progress`` is (documents done, place in the text, ids so far): after the caller made more
    scratch room the kernel goes on from there; where all are done it begins anew. ``ids`` has room
    for an id per byte and three more; if it ``only_counts``, for those of one piece, as each is
    written over the one before.
    """
    document, start, found_ids = progress[0], progress[1], progress[2]
    if document == len(ends):
        document = start = found_ids = np.int64(0)
    advance = np.int64(0) if only_counts else np.int64(-1)  # a mask of what ids are written behind
    written = found_ids & advance
    has_whole = np.int64(len(merges.whole.counts) > 0)
    rest, room = batch.rest, np.int64(len(scratch.ids))
    while document < len(ends):
        end = ends[document]
        while start < end:
            batch.ends[0] = start << 1 | (rest[0] <= start)
            last = piece_ends(
                scanner, text, start, end, classes, merges.borders, YES, rest, batch.ends, ONE
            )
            taken = np.int64(0)
            while taken + 1 < last:
                pieces = gather(cache, batch, text, taken, last, room, has_whole)
                if pieces == 0:
                    start = batch.ends[taken] >> 1
                    rest[0] = end_of_rest(batch, taken, last)
                    progress[0], progress[1], progress[2] = document, start, found_ids
                    return (batch.ends[taken + 1] >> 1) - start
                piece = np.int64(0)
                while piece < pieces:
                    piece, count = copy_cached(cache, batch, piece, pieces, ids, written, advance)
                    found_ids += count
                    written += count & advance
                    if piece < pieces:
                        place = taken + piece
                        count = look_up(
                            merges, cache, scratch, batch, piece, place, text, ids, written
                        )
                        found_ids += count
                        written += count & advance
                        piece += 1
                taken += pieces
            start = batch.ends[last - 1] >> 1
        rest[0] = 0
        id_ends[document] = found_ids
        document += 1
    progress[0], progress[1], progress[2] = document, start, found_ids
    return 0


@kernel
def enter_tokens(
    classes: Classes, merges: Merges, cache: Cache, scratch: Scratch, batch: Batch
) -> None:
    """Put the tokens that a pre-token may be into a cache: they need not be merged when met."""
    tokens = merges.short_tokens
    whole = np.int64(len(merges.whole.counts) > 0)
    place = np.int64(0)
    for token in range(len(tokens.lengths)):
        length = np.int64(tokens.lengths[token])
        first, second, line = key_at(cache, tokens.text, place, length, whole)
        enter_short(cache, line, first, second, tokens.ids, token, np.int64(1))
        place += length


@inlined
def gather(
    cache: Cache, batch: Batch, text: Text, taken: Int, last: Int, room: Int, has_whole: Int
) -> Int:
    """Enter the next pieces into the batch, and have the lines of their sets fetched.

    Return how many they are: up to one for which there is no room to merge it.
    """
    pieces = min(last - 1 - taken, BATCH)
    before = batch.ends[taken]
    for piece in range(pieces):
        index = np.uint64(piece)  # Numba need not ask whether it is negative
        behind = batch.ends[np.uint64(taken + piece + 1)]
        place = before >> 1
        length = (behind >> 1) - place
        whole = before & behind & 1 if has_whole else np.int64(0)
        if length > SHORT_KEY:
            if length > room:
                return piece
            batch.seconds[index], batch.lines[index] = IN_NO_SET, 0
        else:
            first, second, line = key_at(cache, text, place, length, whole)
            prefetch(cache.sets, line)
            batch.firsts[index], batch.seconds[index], batch.lines[index] = first, second, line
        before = behind
    return pieces


@routine
def end_of_rest(batch: Batch, piece: Int, last: Int) -> Int:
    """Return where the pre-token ends within which a piece begins; 0 if it begins one."""
    if batch.ends[piece] & 1:
        return 0
    while piece < last:
        if batch.ends[piece] & 1:
            return batch.ends[piece] >> 1
        piece += 1
    return batch.rest[0]


@inlined
def copy_cached(
    cache: Cache, batch: Batch, piece: Int, pieces: Int, ids: Ids, written: Int, advance: Int
) -> tuple[Int, Int]:
    """Write the ids of pieces up to one that is in no set; return its number, and how many ids.

    A loop without calls, in which nearly all time is spent.
    """
    count = np.int64(0)
    while piece < pieces:
        index = np.uint64(piece)
        place = np.uint64(batch.lines[index])
        if not is_cached(cache, place, batch.firsts[index], batch.seconds[index]):
            break
        count += copy_ids(cache, place, ids, written + (count & advance))
        piece += 1
    return piece, count


@inlined
def look_up(
    merges: Merges,
    cache: Cache,
    scratch: Scratch,
    batch: Batch,
    piece: Int,
    place: Int,
    text: Text,
    ids: Ids,
    written: Int,
) -> Int:
    """Write the ids of a piece of the batch that is in no set; return how many there are.

    It begins at ``place`` of the ends.
    """
    before, behind = batch.ends[place], batch.ends[place + 1]
    start = before >> 1
    length, whole = (behind >> 1) - start, before & behind & 1
    token = np.int64(-1)
    if length == 1:
        token = np.int64(merges.byte_ids[text[start]])
    elif whole and len(merges.whole.counts) > 0:
        token = count_in(merges.whole, text, start, length)
    if token >= 0:
        ids[written] = token
        count = np.int64(1)
    else:
        word = word_at(text, start, length)
        count = encode_word(merges, cache, scratch, text, word, ids, written)
    if length <= SHORT_KEY and count <= SHORT_IDS:
        first, second, line = batch.firsts[piece], batch.seconds[piece], batch.lines[piece]
        enter_short(cache, line, first, second, ids, written, count)
    return count


@inlined
def encode_word(
    merges: Merges, cache: Cache, scratch: Scratch, text: Text, word: Word, ids: Ids, written: Int
) -> Int:
    """Write the ids of a piece that is in no set, and no token; return how many there are."""
    place, length = word.place, word.length
    slot = slot_of(cache.words, text, word)
    number = number_in(cache.words, slot)
    if number >= 0:
        start, count = cache.words.counts[number] >> 8, cache.words.counts[number] & 0xFF
        for index in range(count):
            ids[written + index] = cache.ids[start + index]
        return count
    if length <= SHORT:
        count = merge_short(merges, scratch, text, place, length, ids, written)
    else:
        count = merge_long(merges, scratch, text, place, length, ids, written)
    if length <= MOST_BYTES and (length > SHORT_KEY or count > SHORT_IDS):
        remember(cache, text, word, slot, ids, written, count)
    return count

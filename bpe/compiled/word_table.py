"""The hash table from words to counts, and the kernel that fills it from text.

Words are numbered in the order in which they were met. Their bytes lie one behind the other::

    slots     ·, ·   "lower", 3f|6|2   ·, ·   "low", a1|3|1   ·, ·        uint64 pairs
    offsets   0     3           9        word n is pool[offsets[n] : offsets[n + 1]]
    pool      l o w _ l o w e r
    counts    3     1

A slot is a pair of numbers: the first eight bytes of the word; and 24 bits of its hash, its length
(up to 255) and its number + 1. So a short word is compared without leaving the slot.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe.compiled.characters import Borders, Classes, Numbers, Text
from bpe.compiled.compiling import Int, inlined, kernel
from bpe.compiled.instructions import hash_bytes, low_bytes, prefetch, same_bytes
from bpe.compiled.layout import PADDING
from bpe.compiled.scanner import NO, NOTHING, piece_ends

Hashes = npt.NDArray[np.uint64]

_INDEX = np.uint64(0xFFFFFFFF)
_TAG = np.uint64(0xFFFFFF0000000000)
_MOST_LENGTH = 255


class WordTable(NamedTuple):
    """The arrays drawn above; at least half of the slots are empty."""

    slots: npt.NDArray[np.uint64]
    offsets: Numbers
    pool: npt.NDArray[np.uint8]
    counts: Numbers


class Word(NamedTuple):
    """A word of a text, with its hash and the number of its first eight bytes, or of all."""

    place: Int
    length: Int
    head: Int
    hashed: Int


def empty_table(words: int, pool: int) -> WordTable:
    """Return a table with room for ``words`` words (a power of two) of ``pool`` bytes together."""
    return WordTable(
        slots=np.zeros(4 * words, np.uint64),
        offsets=np.zeros(words + 1, np.int64),
        pool=np.zeros(pool + PADDING, np.uint8),
        counts=np.zeros(words, np.int64),
    )


def pool_of(table: WordTable) -> Text:
    """Return the pool read-only, as all texts are: kernels are compiled once for each type."""
    pool = table.pool.view()
    pool.flags.writeable = False
    return pool


@inlined
def word_at(text: Text, place: Int, length: Int) -> Word:
    head = low_bytes(text, place, min(length, 8))
    return Word(place, length, head, hash_bytes(text, place, length, head))


@inlined
def has_room(table: WordTable, words: Int, length: Int) -> Int:
    """Return whether one more word of ``length`` bytes fits."""
    return words < len(table.counts) and (
        table.offsets[words] + length + PADDING <= len(table.pool)
    )


@inlined
def number_in(table: WordTable, slot: Int) -> Int:
    """Return the number of the word in a slot; -1 if the slot is empty."""
    return np.int64(table.slots[slot + 1] & _INDEX) - 1


@inlined
def label_of(word: Word) -> Int:
    """Return the second number of the slot of a word, without the number of the word."""
    return (word.hashed & _TAG) | np.uint64(min(word.length, _MOST_LENGTH)) << np.uint64(32)


@inlined
def slot_of(table: WordTable, text: Text, word: Word) -> Int:
    """Return the index of the slot where a word is, or of the empty one where it belongs."""
    mask = (len(table.slots) >> 1) - 1
    label, length = label_of(word), word.length
    slot = np.int64(word.hashed & np.uint64(mask))
    while table.slots[2 * slot + 1] != 0:
        if table.slots[2 * slot] == word.head and table.slots[2 * slot + 1] & ~_INDEX == label:
            if length <= 8:
                break
            number = number_in(table, 2 * slot)
            start = table.offsets[number]
            if table.offsets[number + 1] - start == length and same_bytes(
                table.pool, start + 8, text, word.place + 8, length - 8
            ):
                break
        slot = (slot + 1) & mask
    return 2 * slot


@inlined
def add_word(table: WordTable, words: Int, text: Text, word: Word, count: Int) -> Int:
    """Count a word ``count`` times; return how many of ``words`` different words there are now.

    There must be room for one more.
    """
    slot = slot_of(table, text, word)
    number = number_in(table, slot)
    if number >= 0:
        table.counts[number] += count
        return words
    add_new_word(table, words, text, word, count, slot)
    return words + 1


@inlined
def look_ahead(
    table: WordTable, text: Text, start: Int, ends: Numbers, first: Int, batch: Int, hashes: Hashes
) -> None:
    """Hash the words between ``start`` and ``ends[first : first + batch]``, and fetch their slots.

    Writes the head and the hash of each into ``hashes``: the memory of the slots is slow, and is
    waited for once.
    """
    mask = np.uint64((len(table.slots) >> 1) - 1)
    for index in range(batch):
        after = ends[first + index]
        word = word_at(text, start, after - start)
        hashes[2 * index], hashes[2 * index + 1] = word.head, word.hashed
        prefetch(table.slots, 2 * np.int64(word.hashed & mask))
        start = after


@inlined
def add_new_word(
    table: WordTable, words: Int, text: Text, word: Word, count: Int, slot: Int
) -> None:
    """Enter a word at the empty slot where it belongs."""
    start = table.offsets[words]
    for index in range(word.length):
        table.pool[start + index] = text[word.place + index]
    table.offsets[words + 1] = start + word.length
    table.counts[words] = count
    table.slots[slot] = word.head
    table.slots[slot + 1] = label_of(word) | np.uint64(words + 1)


@inlined
def count_in(words: WordTable, text: Text, place: Int, length: Int) -> Int:
    """Return the count of a word, or -1: in a table of tokens, the id."""
    number = number_in(words, slot_of(words, text, word_at(text, place, length)))
    return words.counts[number] if number >= 0 else np.int64(-1)


@kernel
def count_text(
    scanner: Int,
    text: Text,
    ends: Numbers,
    classes: Classes,
    borders: Borders,
    rest: Numbers,
    pre_tokens: Numbers,
    hashes: Hashes,
    table: WordTable,
    progress: Numbers,
) -> Int:
    """Count the pre-tokens of the documents that end at ``ends``; return whether all are done.

    ``pre_tokens`` is room for some ends of pre-tokens, ``hashes`` for two numbers of each.
    ``borders`` are not cut at, and ``rest`` is one zero.
    ``progress`` is (documents done, place in the text, different words); after the caller made
    more room, the kernel goes on from there.
    """
    document, place, words = progress[0], progress[1], progress[2]
    done = True
    while done and document < len(ends):
        end = ends[document]
        while done and place < end:
            batch = piece_ends(
                scanner, text, place, end, classes, borders, NO, rest, pre_tokens, NOTHING
            )
            look_ahead(table, text, place, pre_tokens, np.int64(0), batch, hashes)
            for index in range(batch):
                length = pre_tokens[index] - place
                if not has_room(table, words, length):
                    done = False
                    break
                word = Word(place, length, hashes[2 * index], hashes[2 * index + 1])
                words = add_word(table, words, text, word, np.int64(1))
                place += length
        if done:
            document += 1
    progress[0], progress[1], progress[2] = document, place, words
    return done


@kernel
def add_words(
    source: WordTable,
    pool: Text,
    first: Int,
    last: Int,
    hashes: Hashes,
    table: WordTable,
    progress: Numbers,
) -> Int:
    """Add the words ``first`` to ``last`` of another table; return how far there was room.

    ``pool`` is :func:`pool_of` ``source``, ``hashes`` room for two numbers of some words.
    """
    words = progress[2]
    number = first
    while number < last:
        batch = min(last - number, np.int64(len(hashes) >> 1))
        look_ahead(table, pool, source.offsets[number], source.offsets, number + 1, batch, hashes)
        for index in range(batch):
            start = source.offsets[number]
            length = source.offsets[number + 1] - start
            if not has_room(table, words, length):
                progress[2] = words
                return number
            word = Word(start, length, hashes[2 * index], hashes[2 * index + 1])
            words = add_word(table, words, pool, word, source.counts[number])
            number += 1
    progress[2] = words
    return number

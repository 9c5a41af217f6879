"""The split patterns ``gpt2``, ``cl100k`` and ``o200k`` as scanners over UTF-8 bytes.

A scanner is a function from the start of a pre-token to its end. It reads the alternatives of the
pattern in their order, as the regular expression in :mod:`bpe.training.pretokenize` does, with the
class of each character from :mod:`bpe.compiled.unicode_classes`. Sets of classes are bit masks::

    class      MARK CASELESS LOWER UPPER NUMBER NEWLINE SPACE OTHER
    LETTERS       0        1     1     1      0       0     0     0      [\\p{L}]
    SIGNS         1        0     0     0      0       0     0     1      [^\\s\\p{L}\\p{N}]

Texts are valid UTF-8 followed by at least :data:`PADDING` more bytes. The end of a document is
passed along: a pattern may look at what follows, but never beyond its document.
"""

import numpy as np
import numpy.typing as npt

from bpe.compiled.compiling import Int, inlined, kernel
from bpe.compiled.machine import load8, trailing_zeros
from bpe.compiled.unicode_classes import CASELESS, LOWER, MARK, NEWLINE, NUMBER, OTHER, SPACE, UPPER

PADDING = 16
SCANNERS = {"gpt2": 0, "cl100k": 1, "o200k": 2}
GPT2, CL100K, O200K = SCANNERS.values()
UNCUT = 3  # the scanner of texts that are cut already

LETTERS = 1 << UPPER | 1 << LOWER | 1 << CASELESS
NUMBERS = 1 << NUMBER
SPACES = 1 << SPACE | 1 << NEWLINE
SIGNS = 1 << OTHER | 1 << MARK
CAPITALS = 1 << UPPER | 1 << CASELESS | 1 << MARK  # o200k: what a word may begin with
SMALLS = 1 << LOWER | 1 << CASELESS | 1 << MARK  # o200k: what a word may go on with
PREFIXES = SIGNS | 1 << SPACE  # cl100k, o200k: what may stand before a word

BLANK, APOSTROPHE, SLASH = 0x20, 0x27, 0x2F
LINE_FEED, CARRIAGE_RETURN = 0x0A, 0x0D

HIGH_BITS = np.uint64(0x8080808080808080)
_SEVEN_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)
_FROM_A = np.uint64(0x0101010101010101 * (0x80 - ord("a")))
_BEYOND_Z = np.uint64(0x0101010101010101 * (0x7F - ord("z")))
BOTH_CASES = np.uint64(0x2020202020202020)
SMALL_ONLY = np.uint64(0)

Text = npt.NDArray[np.uint8]
Classes = npt.NDArray[np.uint8]


@inlined
def character(text: Text, at: Int) -> tuple[Int, Int]:
    """Return the code point of the character that begins at ``at``, and its length in bytes."""
    lead = np.int64(text[at])
    if lead < 0x80:
        return lead, 1
    if lead < 0xE0:
        return (lead & 0x1F) << 6 | (text[at + 1] & 0x3F), 2
    if lead < 0xF0:
        return (lead & 0x0F) << 12 | (text[at + 1] & 0x3F) << 6 | (text[at + 2] & 0x3F), 3
    return (
        (lead & 0x07) << 18
        | (text[at + 1] & 0x3F) << 12
        | (text[at + 2] & 0x3F) << 6
        | (text[at + 3] & 0x3F),
        4,
    )


@inlined
def is_in(text: Text, at: Int, end: Int, classes: Classes, mask: Int) -> Int:
    """Return whether there is a character at ``at`` and its class is in ``mask``."""
    if at >= end:
        return False
    return (mask >> classes[character(text, at)[0]]) & 1 != 0


@inlined
def skip(text: Text, at: Int, end: Int, classes: Classes, mask: Int) -> Int:
    """Return where the run of characters of ``mask`` that begins at ``at`` ends."""
    while at < end:
        lead = text[at]
        if lead < 0x80:
            if (mask >> classes[lead]) & 1 == 0:
                break
            at += 1
        else:
            point, size = character(text, at)
            if (mask >> classes[point]) & 1 == 0:
                break
            at += size
    return at


@inlined
def skip_letters(text: Text, at: Int, end: Int, classes: Classes, mask: Int, fold: Int) -> Int:
    """Return what :func:`skip` does, where ``mask`` has letters: English ones eight at a time.

    ``fold`` is 0x20 in each byte if both cases are in ``mask``, and 0 if small letters alone are.
    """
    while at < end:
        eight = load8(text, at)
        small = (eight | fold) & _SEVEN_BITS
        # The high bit of each byte that is no letter from a to z: too small, too large, not ASCII.
        other = (~(small + _FROM_A) | (small + _BEYOND_Z) | eight) & HIGH_BITS
        if other == 0:
            at += 8
            continue
        at += np.int64(trailing_zeros(other) >> np.uint64(3))
        if at >= end or text[at] < 0x80:
            break
        point, size = character(text, at)
        if (mask >> classes[point]) & 1 == 0:
            break
        at = skip(text, at + size, end, classes, mask)
        break
    return min(at, end)


@inlined
def skip_three_numbers(text: Text, at: Int, end: Int, classes: Classes) -> Int:
    r"""Return the end of ``\p{N}{1,3}``."""
    for _ in range(3):
        if not is_in(text, at, end, classes, NUMBERS):
            break
        at += character(text, at)[1]
    return at


@inlined
def contraction(text: Text, at: Int, end: Int, any_case: Int) -> Int:
    """Return the end of ``'(?:[sdmt]|ll|ve|re)`` at ``at``; ``at`` itself if there is none.

    In any case, U+017F (ſ) is an s.
    """
    if at + 1 >= end or text[at] != APOSTROPHE:
        return at
    fold = 0x20 if any_case else 0
    first = text[at + 1] | fold
    if first == ord("s") or first == ord("d") or first == ord("m") or first == ord("t"):
        return at + 2
    if at + 2 >= end:
        return at
    second = text[at + 2] | fold
    if first == ord("l") and second == ord("l"):
        return at + 3
    if (first == ord("v") or first == ord("r")) and second == ord("e"):
        return at + 3
    if any_case and text[at + 1] == 0xC5 and text[at + 2] == 0xBF:
        return at + 3
    return at


@kernel
def last_newline(text: Text, at: Int, end: Int) -> Int:
    """Return where the last line break before ``end`` ends; ``at`` if there is none."""
    while end > at:
        if text[end - 1] == LINE_FEED or text[end - 1] == CARRIAGE_RETURN:
            return end
        end -= 1
    return at


@kernel
def spaces(text: Text, at: Int, end: Int, classes: Classes) -> Int:
    r"""Return the end of ``\s+(?!\S)|\s+``: all but the last space, if more text follows."""
    run = skip(text, at, end, classes, SPACES)
    if run == end:
        return run
    last = run - 1
    while text[last] & 0xC0 == 0x80:
        last -= 1
    return last if last > at else run


@inlined
def gpt2_end(text: Text, at: Int, end: Int, classes: Classes) -> Int:
    """Return the end of the ``gpt2`` pre-token that begins at ``at``."""
    start = at
    if text[at] == APOSTROPHE:
        after = contraction(text, at, end, False)
        if after > at:
            return after
    elif text[at] == BLANK:
        at += 1
    if at < end:
        group = np.int64(1) << classes[character(text, at)[0]]
        if group & LETTERS:
            return skip_letters(text, at, end, classes, LETTERS, BOTH_CASES)
        if group & NUMBERS:
            return skip(text, at, end, classes, NUMBERS)
        if group & SIGNS:
            return skip(text, at, end, classes, SIGNS)
    return spaces(text, start, end, classes)


@inlined
def cl100k_end(text: Text, at: Int, end: Int, classes: Classes) -> Int:
    """Return the end of the ``cl100k`` pre-token that begins at ``at``."""
    if text[at] == APOSTROPHE:
        after = contraction(text, at, end, True)
        if after > at:
            return after
    point, size = character(text, at)
    group = np.int64(1) << classes[point]
    if group & LETTERS:
        return skip_letters(text, at, end, classes, LETTERS, BOTH_CASES)
    if group & PREFIXES and is_in(text, at + size, end, classes, LETTERS):
        return skip_letters(text, at + size, end, classes, LETTERS, BOTH_CASES)
    if group & NUMBERS:
        return skip_three_numbers(text, at, end, classes)
    signs = at + 1 if text[at] == BLANK else at
    if is_in(text, signs, end, classes, SIGNS):
        signs = skip(text, signs, end, classes, SIGNS)
        return skip(text, signs, end, classes, 1 << NEWLINE)
    run = skip(text, at, end, classes, SPACES)
    newline = last_newline(text, at, run)
    if run < end and newline > at:
        return newline
    return spaces(text, at, end, classes)


@kernel
def cased_word(text: Text, at: Int, end: Int, classes: Classes) -> Int:
    """Return the end of ``[CAPITALS]*[SMALLS]+`` at ``at``; ``at`` if it does not match.

    Caseless letters and marks are in both sets: capitals without a small letter after them give
    back what follows their last caseless character.
    """
    capital = at
    caseless = at  # the end of the last caseless character
    while capital < end:
        point, size = character(text, capital)
        group = np.int64(1) << classes[point]
        if group & CAPITALS == 0:
            break
        capital += size
        if group & SMALLS:
            caseless = capital
    small = skip_letters(text, capital, end, classes, SMALLS, SMALL_ONLY)
    return small if small > capital else caseless


@inlined
def o200k_end(text: Text, at: Int, end: Int, classes: Classes) -> Int:
    """Return the end of the ``o200k`` pre-token that begins at ``at``."""
    point, size = character(text, at)
    group = np.int64(1) << classes[point]
    word = at if group & LETTERS else at + size
    if group & (LETTERS | PREFIXES):
        after = cased_word(text, word, end, classes)
        if after == word and group & 1 << MARK:  # the mark is not a prefix, but the word itself
            word = at
            after = cased_word(text, word, end, classes)
        if after == word:
            after = skip(text, word, end, classes, CAPITALS)
        if after > word:
            return contraction(text, after, end, True)
    if group & NUMBERS:
        return skip_three_numbers(text, at, end, classes)
    signs = at + 1 if text[at] == BLANK else at
    if is_in(text, signs, end, classes, SIGNS):
        signs = skip(text, signs, end, classes, SIGNS)
        while signs < end and (
            text[signs] == LINE_FEED or text[signs] == CARRIAGE_RETURN or text[signs] == SLASH
        ):
            signs += 1
        return signs
    run = skip(text, at, end, classes, SPACES)
    newline = last_newline(text, at, run)
    return newline if newline > at else spaces(text, at, end, classes)


@inlined
def pre_token_end(scanner: Int, text: Text, at: Int, end: Int, classes: Classes) -> Int:
    """Return the end of the pre-token that begins at ``at``, by the number of the scanner."""
    if scanner == GPT2:
        return gpt2_end(text, at, end, classes)
    if scanner == CL100K:
        return cl100k_end(text, at, end, classes)
    if scanner == UNCUT:
        return end
    return o200k_end(text, at, end, classes)


@kernel
def pre_token_ends(
    scanner: Int, text: Text, end: Int, classes: Classes, ends: npt.NDArray[np.int64]
) -> Int:
    """Write the end of each pre-token of ``text[:end]`` into ``ends``; return their number."""
    found = 0
    at = np.int64(0)
    while at < end:
        at = pre_token_end(scanner, text, at, end, classes)
        ends[found] = at
        found += 1
    return found

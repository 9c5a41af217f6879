"""The split patterns of :mod:`bpe.training.pretokenize` as scanners over UTF-8 bytes.

A scanner is a function from the start of a pre-token to its end. It reads the alternatives of the
pattern in their order, as the regular expression does, with the class of each character from
:mod:`bpe.compiled.unicode_classes`. Sets of classes are bit masks. Patterns that differ in little
share a scanner, and pass it what they differ in::

    llama3        cl100k, but white space at the very end is no exception
    qwen2         llama3, but each digit apart
    kimi_k2       o200k, but runs of 汉字 apart, and no slash behind signs
    mistral_v3    o200k, but each digit apart, and no contractions

Texts are valid UTF-8 followed by at least :data:`PADDING` more bytes. The end of a document is
passed along: a pattern may look at what follows, but never beyond its document.
"""

import numpy as np
import numpy.typing as npt

from bpe.compiled.compiling import Int, inlined, kernel
from bpe.compiled.machine import load8, trailing_zeros
from bpe.compiled.unicode_classes import (
    CASELESS,
    HAN,
    HAN_LETTER,
    HAN_MARK,
    HAN_NUMBER,
    HAN_SIGN,
    KANA,
    KANA_MARK,
    KANA_OTHER,
    KANA_SIGN,
    LOWER,
    MARK,
    NEWLINE,
    NUMBER,
    OTHER,
    SIGN,
    SPACE,
    UPPER,
)

PADDING = 16
SCANNERS = {
    "gpt2": 0,
    "cl100k": 1,
    "o200k": 2,
    "llama3": 3,
    "qwen2": 4,
    "deepseek_v3": 5,
    "kimi_k2": 6,
    "mistral_v3": 7,
}
GPT2, CL100K, O200K, LLAMA3, QWEN2, DEEPSEEK_V3, KIMI_K2, MISTRAL_V3 = SCANNERS.values()
UNCUT = len(SCANNERS)  # the scanner of texts that are cut already

CASELESS_LETTERS = 1 << CASELESS | 1 << HAN | 1 << HAN_LETTER | 1 << KANA
LETTERS = 1 << UPPER | 1 << LOWER | CASELESS_LETTERS  # \p{L}
MARKS = 1 << MARK | 1 << HAN_MARK | 1 << KANA_MARK  # \p{M}
NUMBERS = 1 << NUMBER | 1 << HAN_NUMBER  # \p{N}
SPACES = 1 << SPACE | 1 << NEWLINE  # \s
PUNCTUATION = 1 << SIGN | 1 << HAN_SIGN | 1 << KANA_SIGN  # [\p{P}\p{S}]
SIGNS = PUNCTUATION | 1 << OTHER | 1 << KANA_OTHER | MARKS  # [^\s\p{L}\p{N}]
PREFIXES = SIGNS | 1 << SPACE  # what may stand before a word
CAPITALS = 1 << UPPER | CASELESS_LETTERS | MARKS  # o200k: what a word may begin with
SMALLS = 1 << LOWER | CASELESS_LETTERS | MARKS  # o200k: what a word may go on with
HANS = 1 << HAN | 1 << HAN_LETTER | 1 << HAN_SIGN | 1 << HAN_NUMBER | 1 << HAN_MARK  # \p{Han}
HAN_KANA = (  # deepseek_v3: runs of these are apart, and split once more by themselves
    1 << HAN | 1 << KANA | 1 << KANA_SIGN | 1 << KANA_MARK | 1 << KANA_OTHER
)

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
def skip_numbers(text: Text, at: Int, end: Int, classes: Classes, most: Int) -> Int:
    """Return where a run of numbers ends, of which ``most`` are taken at most."""
    for _ in range(most):
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
def cl100k_end(
    text: Text, at: Int, end: Int, classes: Classes, most_numbers: Int, last_is_whole: Int
) -> Int:
    """Return the end of the pre-token of ``cl100k`` or a pattern alike that begins at ``at``.

    ``last_is_whole``: white space at the end of the document is not cut behind its line breaks.
    """
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
        return skip_numbers(text, at, end, classes, most_numbers)
    signs = at + 1 if text[at] == BLANK else at
    if is_in(text, signs, end, classes, SIGNS):
        signs = skip(text, signs, end, classes, SIGNS)
        return skip(text, signs, end, classes, 1 << NEWLINE)
    run = skip(text, at, end, classes, SPACES)
    newline = last_newline(text, at, run)
    if newline > at and not (last_is_whole and run == end):
        return newline
    return spaces(text, at, end, classes)


@kernel
def cased_word(text: Text, at: Int, end: Int, classes: Classes, apart: Int) -> Int:
    """Return the end of ``[CAPITALS]*[SMALLS]+`` at ``at``; ``at`` if it does not match.

    Both are without the classes ``apart``. Caseless letters and marks are in both: capitals
    without a small letter after them give back what follows their last caseless character.
    """
    capital = at
    caseless = at  # the end of the last caseless character
    while capital < end:
        point, size = character(text, capital)
        group = np.int64(1) << classes[point]
        if group & CAPITALS & ~apart == 0:
            break
        capital += size
        if group & SMALLS:
            caseless = capital
    small = skip_letters(text, capital, end, classes, SMALLS & ~apart, SMALL_ONLY)
    return small if small > capital else caseless


@inlined
def o200k_end(
    text: Text,
    at: Int,
    end: Int,
    classes: Classes,
    most_numbers: Int,
    contractions: Int,
    slash: Int,
    apart: Int,
) -> Int:
    """Return the end of the pre-token of ``o200k`` or a pattern alike that begins at ``at``.

    ``contractions``: words have them; ``slash``: what goes on behind signs, as line breaks do;
    ``apart``: classes that are in no word, but runs of them are.
    """
    point, size = character(text, at)
    group = np.int64(1) << classes[point]
    if group & apart:
        return skip(text, at, end, classes, apart)
    word = at if group & LETTERS else at + size
    if group & (LETTERS | PREFIXES):
        after = cased_word(text, word, end, classes, apart)
        if after == word and group & MARKS:  # the mark is not a prefix, but the word itself
            word = at
            after = cased_word(text, word, end, classes, apart)
        if after == word:
            after = skip(text, word, end, classes, CAPITALS & ~apart)
        if after > word:
            return contraction(text, after, end, True) if contractions else after
    if group & NUMBERS:
        return skip_numbers(text, at, end, classes, most_numbers)
    signs = at + 1 if text[at] == BLANK else at
    if is_in(text, signs, end, classes, SIGNS):
        signs = skip(text, signs, end, classes, SIGNS)
        while signs < end and (
            text[signs] == LINE_FEED or text[signs] == CARRIAGE_RETURN or text[signs] == slash
        ):
            signs += 1
        return signs
    run = skip(text, at, end, classes, SPACES)
    newline = last_newline(text, at, run)
    return newline if newline > at else spaces(text, at, end, classes)


@kernel
def han_kana_end(text: Text, at: Int, end: Int, classes: Classes) -> Int:
    """Return the end of the ``deepseek_v3`` pre-token that begins with 汉字 or kana at ``at``."""
    words = HAN_KANA & (LETTERS | MARKS)
    group = np.int64(1) << classes[character(text, at)[0]]
    if group & words:
        return skip(text, at, end, classes, words)
    if group & PUNCTUATION:
        return skip(text, at, end, classes, HAN_KANA & PUNCTUATION)
    return skip_others(text, at, end, classes, 1 << KANA_OTHER, words)


@inlined
def skip_others(text: Text, at: Int, end: Int, classes: Classes, others: Int, words: Int) -> Int:
    """Return the end of a run of ``others``, the last of which may be the prefix of a word."""
    last = at
    run = at
    while is_in(text, run, end, classes, others):
        last = run
        run += character(text, run)[1]
    if not is_in(text, run, end, classes, words):
        return run
    return last if last > at else skip_letters(text, run, end, classes, words, BOTH_CASES)


@inlined
def deepseek_v3_end(text: Text, at: Int, end: Int, classes: Classes) -> Int:
    """Return the end of the ``deepseek_v3`` pre-token that begins at ``at``."""
    words = (LETTERS | MARKS) & ~HAN_KANA
    point, size = character(text, at)
    group = np.int64(1) << classes[point]
    if group & words:
        return skip_letters(text, at, end, classes, words, BOTH_CASES)
    if group & HAN_KANA:
        return han_kana_end(text, at, end, classes)
    if group & NUMBERS:
        return skip_numbers(text, at, end, classes, 3)
    if group & 1 << SPACE and is_in(text, at + size, end, classes, words):
        return skip_letters(text, at + size, end, classes, words, BOTH_CASES)
    if group & 1 << OTHER:
        return skip_others(text, at, end, classes, 1 << OTHER, words)
    if group & PUNCTUATION and point < 0x80:
        after = skip_letters(text, at + 1, end, classes, 0, BOTH_CASES)
        if after > at + 1:
            return after
    signs = at + 1 if text[at] == BLANK else at
    if is_in(text, signs, end, classes, PUNCTUATION & ~HAN_KANA):
        signs = skip(text, signs, end, classes, PUNCTUATION & ~HAN_KANA)
        return skip(text, signs, end, classes, 1 << NEWLINE)
    run = skip(text, at, end, classes, SPACES)
    newline = last_newline(text, at, run)
    if newline > at:
        return newline
    if is_in(text, run, end, classes, NUMBERS | HAN_KANA):
        return run
    return spaces(text, at, end, classes)


@inlined
def pre_token_end(scanner: Int, text: Text, at: Int, end: Int, classes: Classes) -> Int:
    """Return the end of the pre-token that begins at ``at``, by the number of the scanner."""
    if scanner == GPT2:
        return gpt2_end(text, at, end, classes)
    if scanner in (CL100K, LLAMA3, QWEN2):
        most_numbers = 1 if scanner == QWEN2 else 3
        return cl100k_end(text, at, end, classes, most_numbers, scanner == CL100K)
    if scanner == UNCUT:
        return end
    if scanner == DEEPSEEK_V3:
        return deepseek_v3_end(text, at, end, classes)
    most_numbers = 1 if scanner == MISTRAL_V3 else 3
    slash = LINE_FEED if scanner == KIMI_K2 else SLASH
    apart = HANS if scanner == KIMI_K2 else 0
    return o200k_end(text, at, end, classes, most_numbers, scanner != MISTRAL_V3, slash, apart)


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

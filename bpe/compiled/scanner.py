"""The split patterns of :mod:`bpe.text.pretokenize` as scanners over UTF-8 bytes.

A scanner is a function from the start of a pre-token to its end. It reads the alternatives of the
pattern in their order, as the regular expression does. Patterns that differ in little share the
code of a scanner, which the compiler makes a scanner for each of::

    llama3        cl100k, but white space at the very end is no exception
    qwen2         llama3, but each digit apart
    qwen3_5       qwen2, with marks among the letters
    kimi_k2       o200k, but runs of 汉字 apart, and no slash behind signs
    mistral_v3    o200k, but each digit apart, and no contractions

The end of a document is passed along: a pattern may look at what follows, but never beyond its
document.
"""

import numpy as np

from bpe.compiled.ascii_words import (
    APOSTROPHE,
    AT_ONCE,
    BLANK,
    CARRIAGE_RETURN,
    LINE_FEED,
    ascii_words,
)
from bpe.compiled.characters import (
    Borders,
    Classes,
    Numbers,
    Text,
    character,
    is_in,
    piece_end,
    skip,
)
from bpe.compiled.compiling import Int, inlined, kernel, routine
from bpe.compiled.layout import SCANNERS, UNCUT
from bpe.compiled.steps import steps
from bpe.compiled.unicode_classes import (
    BLANKS,
    CAPITALS,
    HAN_KANA,
    HANS,
    KANA_OTHERS,
    LETTERS,
    MARKS,
    NEWLINES,
    NUMBERS,
    OTHERS,
    PREFIXES,
    PUNCTUATION,
    SIGNS,
    SMALLS,
    SPACES,
)

GPT2, CL100K, O200K, LLAMA3, QWEN2, DEEPSEEK_V3, KIMI_K2, _, QWEN3_5 = SCANNERS.values()


_S, _D, _M, _T, _L, _V, _R, _E, _A, _Z = b"sdmtlvreaz"

# What is passed along is no plain integer, of which each would be compiled for once more.
NO, YES, THREE, SLASH, LINE = map(np.int64, (0, 1, 3, ord("/"), LINE_FEED))
NOTHING, ONE = NO, YES


@routine
def skip_numbers(text: Text, place: Int, end: Int, classes: Classes, most: Int) -> Int:
    """Return where a run of numbers ends, of which ``most`` are taken at most."""
    for _ in range(most):
        if not is_in(text, place, end, classes, NUMBERS):
            break
        place += character(text, place)[1]
    return place


@routine
def contraction(text: Text, place: Int, end: Int, any_case: Int) -> Int:
    """Return the end of ``'(?:[sdmt]|ll|ve|re)`` at ``place``; ``place`` itself if there is none.

    In any case, U+017F (ſ) is an s.
    """
    if place + 1 >= end or text[place] != APOSTROPHE:
        return place
    fold = 0x20 if any_case else 0
    first = text[place + 1] | fold
    if first in (_S, _D, _M, _T):
        return place + 2
    if place + 2 >= end:
        return place
    second = text[place + 2] | fold
    if first == _L and second == _L:
        return place + 3
    if first in (_V, _R) and second == _E:
        return place + 3
    if any_case and text[place + 1] == 0xC5 and text[place + 2] == 0xBF:
        return place + 3
    return place


@routine
def spaces(text: Text, place: Int, end: Int, classes: Classes, whole_before: Int) -> Int:
    r"""Return the end of ``\s+(?!\S)|\s+``: all but the last space, if more text follows.

    All, if that is one of the classes ``whole_before``.
    """
    run = skip(text, place, end, classes, SPACES)
    if run == end or is_in(text, run, end, classes, whole_before):
        return run
    last = run - 1
    while text[last] & 0xC0 == 0x80:
        last -= 1
    return last if last > place else run


@routine
def spaces_by_line(
    text: Text, place: Int, end: Int, classes: Classes, last_is_whole: Int, whole_before: Int
) -> Int:
    r"""Return the end of ``\s*[\r\n]+|\s+(?!\S)|\s+``: up to the last line break, if there is one.

    But all, if ``last_is_whole`` and the document ends there.
    """
    run = skip(text, place, end, classes, SPACES)
    if not (last_is_whole and run == end):
        while run > place:
            if text[run - 1] == LINE_FEED or text[run - 1] == CARRIAGE_RETURN:
                return run
            run -= 1
    return spaces(text, place, end, classes, whole_before)


@routine
def gpt2_end(text: Text, place: Int, end: Int, classes: Classes) -> Int:
    """Return the end of the ``gpt2`` pre-token that begins at ``place``."""
    start = place
    if text[place] == APOSTROPHE:
        after = contraction(text, place, end, NO)
        if after > place:
            return after
    elif text[place] == BLANK:
        place += 1
    if place < end:
        group = np.int64(1) << classes[character(text, place)[0]]
        if group & LETTERS:
            return skip(text, place, end, classes, LETTERS)
        if group & NUMBERS:
            return skip(text, place, end, classes, NUMBERS)
        if group & SIGNS:
            return skip(text, place, end, classes, SIGNS)
    return spaces(text, start, end, classes, NOTHING)


@routine
def cl100k_end(
    text: Text, place: Int, end: Int, classes: Classes, most: Int, last_is_whole: Int, marks: Int
) -> Int:
    """Return the end of the pre-token of ``cl100k`` or a pattern alike that begins at ``place``.

    ``last_is_whole``: white space at the end of the document is not cut behind its line breaks;
    ``marks``: the classes that belong to words besides letters.
    """
    if text[place] == APOSTROPHE:
        after = contraction(text, place, end, YES)
        if after > place:
            return after
    point, size = character(text, place)
    group = np.int64(1) << classes[point]
    words = LETTERS | marks
    if group & words:
        return skip(text, place, end, classes, words)
    if group & PREFIXES and is_in(text, place + size, end, classes, words):
        return skip(text, place + size, end, classes, words)
    if group & NUMBERS:
        return skip_numbers(text, place, end, classes, most)
    signs = place + 1 if text[place] == BLANK else place
    if is_in(text, signs, end, classes, SIGNS & ~marks):
        signs = skip(text, signs, end, classes, SIGNS & ~marks)
        return skip(text, signs, end, classes, NEWLINES)
    return spaces_by_line(text, place, end, classes, last_is_whole, NOTHING)


@routine
def cased_word(text: Text, place: Int, end: Int, classes: Classes, apart: Int) -> Int:
    """Return the end of ``[CAPITALS]*[SMALLS]+`` at ``place``; ``place`` if it does not match.

    Without the classes ``apart``. Caseless letters and marks are in both sets: capitals without a
    small letter after them give back what follows their last caseless character.
    """
    capital = place
    caseless = place  # the end of the last caseless character
    while capital < end:
        point, size = character(text, capital)
        group = np.int64(1) << classes[point]
        if group & CAPITALS & ~apart == 0:
            break
        capital += size
        if group & SMALLS:
            caseless = capital
    small = skip(text, capital, end, classes, SMALLS & ~apart)
    return small if small > capital else caseless


@routine
def o200k_end(
    text: Text,
    place: Int,
    end: Int,
    classes: Classes,
    most_numbers: Int,
    contractions: Int,
    slash: Int,
    apart: Int,
) -> Int:
    """Return the end of the pre-token of ``o200k`` or a pattern alike that begins at ``place``.

    ``contractions``: words have them; ``slash``: what stands behind signs besides line breaks;
    ``apart``: the classes that are in no word, but runs of them are.
    """
    point, size = character(text, place)
    group = np.int64(1) << classes[point]
    if group & apart:
        return skip(text, place, end, classes, apart)
    word = place if group & LETTERS else place + size
    if group & (LETTERS | PREFIXES):
        after = cased_word(text, word, end, classes, apart)
        if after == word and group & MARKS:  # the mark is not a prefix, but the word itself
            word = place
            after = cased_word(text, word, end, classes, apart)
        if after == word:
            after = skip(text, word, end, classes, CAPITALS & ~apart)
        if after > word:
            return contraction(text, after, end, YES) if contractions else after
    if group & NUMBERS:
        return skip_numbers(text, place, end, classes, most_numbers)
    signs = place + 1 if text[place] == BLANK else place
    if is_in(text, signs, end, classes, SIGNS):
        signs = skip(text, signs, end, classes, SIGNS)
        while signs < end and (
            text[signs] == LINE_FEED or text[signs] == CARRIAGE_RETURN or text[signs] == slash
        ):
            signs += 1
        return signs
    return spaces_by_line(text, place, end, classes, NO, NOTHING)


@routine
def han_kana_end(text: Text, place: Int, end: Int, classes: Classes) -> Int:
    """Return the end of the ``deepseek_v3`` pre-token that begins with 汉字 or kana at a place."""
    words = HAN_KANA & (LETTERS | MARKS)
    group = np.int64(1) << classes[character(text, place)[0]]
    if group & words:
        return skip(text, place, end, classes, words)
    if group & PUNCTUATION:
        return skip(text, place, end, classes, HAN_KANA & PUNCTUATION)
    return skip_others(text, place, end, classes, KANA_OTHERS, words)


@routine
def skip_others(text: Text, place: Int, end: Int, classes: Classes, others: Int, words: Int) -> Int:
    """Return the end of a run of ``others``, the last of which may be the prefix of a word."""
    last = place
    run = place
    while is_in(text, run, end, classes, others):
        last = run
        run += character(text, run)[1]
    if not is_in(text, run, end, classes, words):
        return run
    return last if last > place else skip(text, run, end, classes, words)


@routine
def deepseek_v3_end(text: Text, place: Int, end: Int, classes: Classes) -> Int:
    """Return the end of the ``deepseek_v3`` pre-token that begins at ``place``."""
    words = (LETTERS | MARKS) & ~HAN_KANA
    point, size = character(text, place)
    group = np.int64(1) << classes[point]
    if group & words:
        return skip(text, place, end, classes, words)
    if group & HAN_KANA:
        return han_kana_end(text, place, end, classes)
    if group & NUMBERS:
        return skip_numbers(text, place, end, classes, THREE)
    if group & BLANKS and is_in(text, place + size, end, classes, words):
        return skip(text, place + size, end, classes, words)
    if group & OTHERS:
        return skip_others(text, place, end, classes, OTHERS, words)
    if group & PUNCTUATION and point < 0x80:
        after = place + 1
        while after < end and _A <= text[after] | 0x20 <= _Z:
            after += 1
        if after > place + 1:
            return after
    signs = place + 1 if text[place] == BLANK else place
    if is_in(text, signs, end, classes, PUNCTUATION & ~HAN_KANA):
        signs = skip(text, signs, end, classes, PUNCTUATION & ~HAN_KANA)
        return skip(text, signs, end, classes, NEWLINES)
    return spaces_by_line(text, place, end, classes, NO, NUMBERS | HAN_KANA)


@routine
def pre_token_end(scanner: Int, text: Text, place: Int, end: Int, classes: Classes) -> Int:
    """Return the end of the pre-token that begins at ``place``, as the pattern says it."""
    if scanner == GPT2:
        return gpt2_end(text, place, end, classes)
    if scanner == CL100K:
        return cl100k_end(text, place, end, classes, THREE, YES, NOTHING)
    if scanner == UNCUT:
        return end
    if scanner == O200K:
        return o200k_end(text, place, end, classes, THREE, YES, SLASH, NOTHING)
    if scanner == LLAMA3:
        return cl100k_end(text, place, end, classes, THREE, NO, NOTHING)
    if scanner == QWEN2:
        return cl100k_end(text, place, end, classes, ONE, NO, NOTHING)
    if scanner == QWEN3_5:
        return cl100k_end(text, place, end, classes, ONE, NO, MARKS)
    if scanner == DEEPSEEK_V3:
        return deepseek_v3_end(text, place, end, classes)
    if scanner == KIMI_K2:
        return o200k_end(text, place, end, classes, THREE, YES, LINE, HANS)
    return o200k_end(text, place, end, classes, ONE, NO, SLASH, NOTHING)


@kernel
def piece_ends(
    scanner: Int,
    text: Text,
    place: Int,
    end: Int,
    classes: Classes,
    borders: Borders,
    cuts: Int,
    rest: Numbers,
    ends: Numbers,
    count: Int,
) -> Int:
    """Write the ends of the pre-tokens of ``text[place:end]`` into ``ends`` from ``count`` on.

    If it ``cuts`` (1, else 0) they are cut at ``borders``, and of each piece ``end << 1 | whether
    a pre-token ends there`` is written. Return how many numbers there are in ``ends``, no more than
    there is room for. If the room ends within a pre-token, ``rest[0]`` is where that one ends, and
    the next call continues it; before the first call ``rest[0]`` is 0. A kernel of its own, so that
    scanners are compiled once.
    """
    while place < end and count + AT_ONCE <= len(ends):
        if rest[0] > place:
            place, count = cut(borders, text, place, rest[0], ends, count)
            continue
        if scanner != UNCUT:
            start = place
            if text[place] < 0x80:
                place, count = ascii_words(scanner, text, place, end, cuts, ends, count)
            if place == start:
                place, count = steps(scanner, text, place, end, classes, borders, cuts, ends, count)
            if place > start:
                continue
        after = pre_token_end(scanner, text, place, end, classes)
        if cuts:
            rest[0] = after
        else:
            ends[count] = place = after
            count += 1
    return count


@inlined
def cut(
    borders: Borders, text: Text, place: Int, after: Int, ends: Numbers, count: Int
) -> tuple[Int, Int]:
    """Cut a pre-token from ``place`` on, as far as there is room for the ends of its pieces."""
    while place < after and count < len(ends):
        place = piece_end(borders, text, place, after)
        ends[count] = place << 1 | (place == after)
        count += 1
    return place, count

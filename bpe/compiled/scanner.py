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
import numpy.typing as npt

from bpe.compiled.ascii_words import (
    APOSTROPHE,
    AT_ONCE,
    BLANK,
    CARRIAGE_RETURN,
    LINE_FEED,
    Rules,
    ascii_words,
)
from bpe.compiled.characters import (
    Borders,
    Classes,
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

GPT2, CL100K, O200K, LLAMA3, QWEN2, DEEPSEEK_V3, KIMI_K2, MISTRAL_V3, QWEN3_5 = SCANNERS.values()


_S, _D, _M, _T, _L, _V, _R, _E, _A, _Z = b"sdmtlvreaz"

# What is passed along is no plain integer, of which each would be compiled for once more.
NO, YES, THREE, SLASH, LINE = map(np.int64, (0, 1, 3, ord("/"), LINE_FEED))
NOTHING, ONE = NO, YES


@routine
def skip_numbers(text: Text, at: Int, end: Int, classes: Classes, most: Int) -> Int:
    """Return where a run of numbers ends, of which ``most`` are taken at most."""
    for _ in range(most):
        if not is_in(text, at, end, classes, NUMBERS):
            break
        at += character(text, at)[1]
    return at


@routine
def contraction(text: Text, at: Int, end: Int, any_case: Int) -> Int:
    """Return the end of ``'(?:[sdmt]|ll|ve|re)`` at ``at``; ``at`` itself if there is none.

    In any case, U+017F (ſ) is an s.
    """
    if at + 1 >= end or text[at] != APOSTROPHE:
        return at
    fold = 0x20 if any_case else 0
    first = text[at + 1] | fold
    if first in (_S, _D, _M, _T):
        return at + 2
    if at + 2 >= end:
        return at
    second = text[at + 2] | fold
    if first == _L and second == _L:
        return at + 3
    if first in (_V, _R) and second == _E:
        return at + 3
    if any_case and text[at + 1] == 0xC5 and text[at + 2] == 0xBF:
        return at + 3
    return at


@routine
def skip_ascii(text: Text, at: Int, end: Int) -> Int:
    """Return where a run of letters of ASCII ends."""
    while at < end and _A <= text[at] | 0x20 <= _Z:
        at += 1
    return at


@routine
def spaces(text: Text, at: Int, end: Int, classes: Classes, whole_before: Int) -> Int:
    r"""Return the end of ``\s+(?!\S)|\s+``: all but the last space, if more text follows.

    All, if that is one of the classes ``whole_before``.
    """
    run = skip(text, at, end, classes, SPACES)
    if run == end or is_in(text, run, end, classes, whole_before):
        return run
    last = run - 1
    while text[last] & 0xC0 == 0x80:
        last -= 1
    return last if last > at else run


@routine
def spaces_by_line(
    text: Text, at: Int, end: Int, classes: Classes, last_is_whole: Int, whole_before: Int
) -> Int:
    r"""Return the end of ``\s*[\r\n]+|\s+(?!\S)|\s+``: up to the last line break, if there is one.

    But all, if ``last_is_whole`` and the document ends there.
    """
    run = skip(text, at, end, classes, SPACES)
    if not (last_is_whole and run == end):
        while run > at:
            if text[run - 1] == LINE_FEED or text[run - 1] == CARRIAGE_RETURN:
                return run
            run -= 1
    return spaces(text, at, end, classes, whole_before)


@routine
def gpt2_end(text: Text, at: Int, end: Int, classes: Classes) -> Int:
    """Return the end of the ``gpt2`` pre-token that begins at ``at``."""
    start = at
    if text[at] == APOSTROPHE:
        after = contraction(text, at, end, NO)
        if after > at:
            return after
    elif text[at] == BLANK:
        at += 1
    if at < end:
        group = np.int64(1) << classes[character(text, at)[0]]
        if group & LETTERS:
            return skip(text, at, end, classes, LETTERS)
        if group & NUMBERS:
            return skip(text, at, end, classes, NUMBERS)
        if group & SIGNS:
            return skip(text, at, end, classes, SIGNS)
    return spaces(text, start, end, classes, NOTHING)


@routine
def cl100k_end(
    text: Text,
    at: Int,
    end: Int,
    classes: Classes,
    most_numbers: Int,
    last_is_whole: Int,
    marks: Int,
) -> Int:
    """Return the end of the pre-token of ``cl100k`` or a pattern alike that begins at ``at``.

    ``last_is_whole``: white space at the end of the document is not cut behind its line breaks;
    ``marks``: the classes that belong to words besides letters.
    """
    if text[at] == APOSTROPHE:
        after = contraction(text, at, end, YES)
        if after > at:
            return after
    point, size = character(text, at)
    group = np.int64(1) << classes[point]
    words = LETTERS | marks
    if group & words:
        return skip(text, at, end, classes, words)
    if group & PREFIXES and is_in(text, at + size, end, classes, words):
        return skip(text, at + size, end, classes, words)
    if group & NUMBERS:
        return skip_numbers(text, at, end, classes, most_numbers)
    signs = at + 1 if text[at] == BLANK else at
    if is_in(text, signs, end, classes, SIGNS & ~marks):
        signs = skip(text, signs, end, classes, SIGNS & ~marks)
        return skip(text, signs, end, classes, NEWLINES)
    return spaces_by_line(text, at, end, classes, last_is_whole, NOTHING)


@routine
def cased_word(text: Text, at: Int, end: Int, classes: Classes, apart: Int) -> Int:
    """Return the end of ``[CAPITALS]*[SMALLS]+`` at ``at``; ``at`` if it does not match.

    Without the classes ``apart``. Caseless letters and marks are in both sets: capitals without a
    small letter after them give back what follows their last caseless character.
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
    small = skip(text, capital, end, classes, SMALLS & ~apart)
    return small if small > capital else caseless


@routine
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

    ``contractions``: words have them; ``slash``: what stands behind signs besides line breaks;
    ``apart``: the classes that are in no word, but runs of them are.
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
            return contraction(text, after, end, YES) if contractions else after
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
    return spaces_by_line(text, at, end, classes, NO, NOTHING)


@routine
def han_kana_end(text: Text, at: Int, end: Int, classes: Classes) -> Int:
    """Return the end of the ``deepseek_v3`` pre-token that begins with 汉字 or kana at ``at``."""
    words = HAN_KANA & (LETTERS | MARKS)
    group = np.int64(1) << classes[character(text, at)[0]]
    if group & words:
        return skip(text, at, end, classes, words)
    if group & PUNCTUATION:
        return skip(text, at, end, classes, HAN_KANA & PUNCTUATION)
    return skip_others(text, at, end, classes, KANA_OTHERS, words)


@routine
def skip_others(text: Text, at: Int, end: Int, classes: Classes, others: Int, words: Int) -> Int:
    """Return the end of a run of ``others``, the last of which may be the prefix of a word."""
    last = at
    run = at
    while is_in(text, run, end, classes, others):
        last = run
        run += character(text, run)[1]
    if not is_in(text, run, end, classes, words):
        return run
    return last if last > at else skip(text, run, end, classes, words)


@routine
def deepseek_v3_end(text: Text, at: Int, end: Int, classes: Classes) -> Int:
    """Return the end of the ``deepseek_v3`` pre-token that begins at ``at``."""
    words = (LETTERS | MARKS) & ~HAN_KANA
    point, size = character(text, at)
    group = np.int64(1) << classes[point]
    if group & words:
        return skip(text, at, end, classes, words)
    if group & HAN_KANA:
        return han_kana_end(text, at, end, classes)
    if group & NUMBERS:
        return skip_numbers(text, at, end, classes, THREE)
    if group & BLANKS and is_in(text, at + size, end, classes, words):
        return skip(text, at + size, end, classes, words)
    if group & OTHERS:
        return skip_others(text, at, end, classes, OTHERS, words)
    if group & PUNCTUATION and point < 0x80:
        after = skip_ascii(text, at + 1, end)
        if after > at + 1:
            return after
    signs = at + 1 if text[at] == BLANK else at
    if is_in(text, signs, end, classes, PUNCTUATION & ~HAN_KANA):
        signs = skip(text, signs, end, classes, PUNCTUATION & ~HAN_KANA)
        return skip(text, signs, end, classes, NEWLINES)
    return spaces_by_line(text, at, end, classes, NO, NUMBERS | HAN_KANA)


@inlined
def ascii_rules(scanner: Int) -> Rules:
    one_digit = scanner in (QWEN2, QWEN3_5, MISTRAL_V3)
    by_case = scanner in (O200K, KIMI_K2, MISTRAL_V3)
    return Rules(one_digit, scanner == GPT2, by_case)


@routine
def pre_token_end(scanner: Int, text: Text, at: Int, end: Int, classes: Classes) -> Int:
    """Return the end of the pre-token that begins at ``at``, as the pattern says it."""
    if scanner == GPT2:
        return gpt2_end(text, at, end, classes)
    if scanner == CL100K:
        return cl100k_end(text, at, end, classes, THREE, YES, NOTHING)
    if scanner == UNCUT:
        return end
    if scanner == O200K:
        return o200k_end(text, at, end, classes, THREE, YES, SLASH, NOTHING)
    if scanner == LLAMA3:
        return cl100k_end(text, at, end, classes, THREE, NO, NOTHING)
    if scanner == QWEN2:
        return cl100k_end(text, at, end, classes, ONE, NO, NOTHING)
    if scanner == QWEN3_5:
        return cl100k_end(text, at, end, classes, ONE, NO, MARKS)
    if scanner == DEEPSEEK_V3:
        return deepseek_v3_end(text, at, end, classes)
    if scanner == KIMI_K2:
        return o200k_end(text, at, end, classes, THREE, YES, LINE, HANS)
    return o200k_end(text, at, end, classes, ONE, NO, SLASH, NOTHING)


@kernel
def piece_ends(
    scanner: Int,
    text: Text,
    at: Int,
    end: Int,
    classes: Classes,
    borders: Borders,
    cuts: Int,
    rest: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    found: Int,
) -> Int:
    """Write the ends of the pre-tokens of ``text[at:end]`` into ``ends`` from ``found`` on.

    If it ``cuts`` (1, else 0) they are cut at ``borders``, and of each piece ``end << 1 | whether
    a pre-token ends there`` is written. Return how many numbers there are in ``ends``, no more than
    there is room for. If the room ends within a pre-token, ``rest[0]`` is where that one ends, and
    the next call continues it; before the first call ``rest[0]`` is 0. A kernel of its own, so that
    scanners are compiled once.
    """
    rules = ascii_rules(scanner)
    while at < end and found + AT_ONCE <= len(ends):
        if rest[0] > at:
            at, found = cut(borders, text, at, rest[0], ends, found)
            continue
        if scanner != UNCUT:
            start = at
            if text[at] < 0x80:
                at, found = ascii_words(text, at, end, rules, cuts, ends, found)
            if at == start:
                at, found = steps(scanner, text, at, end, classes, borders, cuts, ends, found)
            if at > start:
                continue
        after = pre_token_end(scanner, text, at, end, classes)
        if cuts:
            rest[0] = after
        else:
            ends[found] = at = after
            found += 1
    return found


@inlined
def cut(
    borders: Borders, text: Text, at: Int, after: Int, ends: npt.NDArray[np.int64], found: Int
) -> tuple[Int, Int]:
    """Cut a pre-token from ``at`` on, as far as there is room for the ends of its pieces."""
    while at < after and found < len(ends):
        at = piece_end(borders, text, at, after)
        ends[found] = at << 1 | (at == after)
        found += 1
    return at, found

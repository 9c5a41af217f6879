"""Pre-tokens of ASCII text, 64 bytes at once: a bit for each byte, and no jump for each word.

The patterns of :mod:`bpe.text.pretokenize` cut nearly all of ASCII by the same rules, in which a
character only depends on its neighbours. What these rules leave open is left to others.
"""

import numpy as np

from bpe.compiled.characters import Numbers, Text
from bpe.compiled.compiling import Int, inlined
from bpe.compiled.instructions import among64, ones, trailing_zeros
from bpe.compiled.layout import SCANNERS

BLANK, LINE_FEED, CARRIAGE_RETURN, APOSTROPHE, SLASH = 0x20, 0x0A, 0x0D, 0x27, 0x2F

AT_ONCE = 64
"""Bytes that are scanned at once; as many ends may be written, so there must be room for them."""

_USUAL_WORDS = 16  # in 64 bytes
_BIT, _ALL = np.uint64(1), ~np.uint64(0)

# The first one, and how many there are.
_SMALL, _CAPITAL, _DIGITS, _SIGNS = (0x61, 26), (0x41, 26), (0x30, 10), (0x21, 94)

_THREES = tuple(map(np.uint64, (3, 6, 12, 24, 48)))

# Digits stand alone; else there are at most three in a pre-token.
_ONE_DIGIT = SCANNERS["qwen2"], SCANNERS["qwen3_5"], SCANNERS["mistral_v3"]
# A word ends before a capital behind a small letter, and with its contraction.
_BY_CASE = SCANNERS["o200k"], SCANNERS["kimi_k2"], SCANNERS["mistral_v3"]
# Signs and line breaks join nothing, and digits are not cut.
_APART = SCANNERS["gpt2"]


@inlined
def ascii_words(
    scanner: Int, text: Text, place: Int, end: Int, cuts: Int, ends: Numbers, number: Int
) -> tuple[Int, Int]:
    r"""Write the ends of pre-tokens at ``place``, where one begins, as far as 64 bytes decide them.

    Return where the last one ends, and how many ends there are; ``cuts`` is that of
    :func:`bpe.compiled.scanner.piece_ends`. In all patterns

    * a word, a run of signs or, in some, of digits takes one blank before it along;
    * of several blanks the last one stands with what follows, and the others are a pre-token;
    * except in GPT-2's, one sign before a word belongs to it (but not that of a
      contraction), and line breaks belong to the signs before them.

    Works on a bit for each byte, the lowest for ``place``; a pre-token begins where ``starts`` has
    one::

        text      b o x ,   o f \n T e a   ( a - b . \n N o t   1 2 3 4
        letters   1 1 1 0 0 1 1 0  1 1 1 0 0 1 0 1 0 0  1 1 1 0 0 0 0 0
        signs     0 0 0 1 0 0 0 0  0 0 0 0 1 0 1 0 1 0  0 0 0 0 0 0 0 0
        starts    1 0 0 1 1 0 0 1  1 0 0 1 0 1 1 0 1 0  1 0 0 1 1 0 0 1
    """
    small = among64(text, place, *_SMALL)
    capital = among64(text, place, *_CAPITAL)
    letters = small | capital
    digits = among64(text, place, *_DIGITS)
    signs = among64(text, place, *_SIGNS) & ~letters & ~digits
    blanks = among64(text, place, BLANK, 1)
    breaks = among64(text, place, LINE_FEED, 1) | among64(text, place, CARRIAGE_RETURN, 1)
    apostrophes = among64(text, place, APOSTROPHE, 1)

    spaces = blanks | breaks
    seen = (letters | digits | signs | spaces) & (_ALL >> np.uint64(max(place + 64 - end, 0)))
    follows = (seen & ~spaces) >> _BIT  # something is next that is no white space
    behind_blank, behind_break = blanks << _BIT, breaks << _BIT
    sign_starts = signs & ~(signs << _BIT | behind_blank)
    word_starts = letters & ~(letters << _BIT | behind_blank)
    by_case = scanner in _BY_CASE
    if by_case:
        word_starts |= capital & small << _BIT
    if scanner == _APART:
        behind_space = spaces << _BIT
        starts = spaces & (~behind_space | follows) | digits & ~(digits << _BIT | behind_blank)
        open_ = apostrophes & sign_starts & letters >> _BIT
    else:
        word_starts &= ~(sign_starts << _BIT)
        starts = blanks & (~behind_blank | follows)
        starts |= breaks & ~(behind_break | behind_blank | signs << _BIT)
        starts |= digits if scanner in _ONE_DIGIT else three_digits(digits)
        open_ = breaks & behind_blank | blanks & behind_break & ~follows
        open_ |= blanks & behind_blank & digits >> _BIT
        if by_case:
            open_ |= apostrophes & letters << _BIT | behind_break & among64(text, place, SLASH, 1)
        else:
            open_ |= apostrophes & sign_starts & letters >> _BIT & letters >> np.uint64(2)
    starts |= sign_starts | word_starts
    length = np.int64(trailing_zeros(~seen | open_))
    if length < 2:
        return place, number
    starts &= (_ALL >> np.uint64(64 - length)) - _BIT  # the first one ends nothing
    count = np.int64(ones(starts))
    base = place << cuts | cuts
    for index in range(_USUAL_WORDS):  # all of them: the processor could not guess where to stop
        ends[np.uint64(number + index)] = base + (np.int64(trailing_zeros(starts)) << cuts)
        starts &= starts - _BIT
    for index in range(_USUAL_WORDS, count):
        ends[np.uint64(number + index)] = base + (np.int64(trailing_zeros(starts)) << cuts)
        starts &= starts - _BIT
    number += count
    return (ends[np.uint64(number - 1)] >> cuts if count > 0 else place), number


@inlined
def three_digits(digits: Int) -> Int:
    """Return where runs of digits begin, and each third digit in them."""
    starts = digits & ~(digits << _BIT)
    behind = digits & digits << _BIT & digits << np.uint64(2)  # as many digits as are skipped
    for skipped in _THREES:
        starts |= starts << skipped & behind
        behind &= behind << skipped
    return starts

"""Pre-tokens of any text by a table of steps: from a state and a kind of character to the next.

A state is what the pre-token that has begun consists of so far. An excerpt of ``cl100k``, where a
bar stands before what begins a pre-token::

                  letter        sign            line break          blank         digit
    WORD          WORD        | ONE_SIGN      | BREAKS            | ONE_BLANK   | ONE_DIGIT
    ONE_SIGN      WORD          MORE_SIGNS      SIGNS_AND_BREAKS  | ONE_BLANK   | ONE_DIGIT
    ONE_BLANK     WORD          MORE_SIGNS      open                open        | ONE_DIGIT

Open is what depends on more than that; then the scanner of the pattern is asked.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bpe.compiled.characters import Borders, Classes, Numbers, Text, character, is_open
from bpe.compiled.compiling import Int, inlined
from bpe.compiled.instructions import load8
from bpe.compiled.layout import SCANNERS, USUAL_WORD
from bpe.compiled.unicode_classes import (
    CASELESS,
    HAN,
    HAN_LETTER,
    HAN_MARK,
    HAN_SIGN,
    HANS,
    KANA,
    KANA_MARK,
    LETTERS,
    LOWER,
    MARKS,
    NEWLINE,
    NUMBERS,
    SIGN,
    SIGNS,
    SPACE,
    UPPER,
    class_table,
)

# A kind is a class of bpe.compiled.unicode_classes, or one of ASCII.
BLANK, ASCII_UPPER, ASCII_LOWER, ASCII_SIGN, APOSTROPHE, SLASH = range(18, 24)

START, WORD, UPPER_WORD, LOWER_WORD, HAN_WORD = range(5)
ONE_SIGN, MORE_SIGNS, SIGNS_AND_BREAKS = range(5, 8)
ONE_BLANK, ONE_SPACE, BREAKS = range(8, 11)
ONE_DIGIT, TWO_DIGITS, DIGITS = range(11, 14)

_CUT, _OPEN, _LEAVE = np.uint64(1), np.uint64(2), np.uint64(4)
_KINDS, _STATES = 32, 16
_STATE_BITS = np.uint64((_STATES - 1) * _KINDS)

_Next = dict[int, int]
"""From a kind to the state that it leads to."""


def _kinds(classes: Int) -> list[int]:
    """Return the classes of a bit mask, and the kinds of ASCII that belong to them."""
    of_ascii = {UPPER: [ASCII_UPPER], LOWER: [ASCII_LOWER], SIGN: [ASCII_SIGN, SLASH]}
    kinds = [kind for kind in range(BLANK) if classes >> kind & 1]
    return [*kinds, *(kind for each in kinds for kind in of_ascii.get(each, ()))]


def _to(state: int, kinds: Iterable[int]) -> _Next:
    return dict.fromkeys(kinds, state)


def _table(
    begins: _Next, goes_on: Mapping[int, _Next], left_open: Mapping[int, Iterable[int]]
) -> npt.NDArray[np.uint16]:
    """Return where each kind leads from each state.

    It goes on with the pre-token, or else ``begins`` one, unless that is ``left_open``.
    """
    table = np.full((_STATES, _KINDS), _OPEN, np.uint16)
    for state in range(DIGITS + 1):
        for kind, new in begins.items():
            if kind not in left_open.get(state, ()):
                table[state, kind] = new * _KINDS | int(state != START)
        for kind, new in goes_on.get(state, {}).items():
            table[state, kind] = new * _KINDS
        if state not in (WORD, UPPER_WORD, LOWER_WORD):
            table[state, [ASCII_UPPER, ASCII_LOWER]] |= int(_LEAVE)
    return table


_SPACES = BLANK, SPACE, NEWLINE
_DIGITS = _kinds(NUMBERS)


def _gpt2() -> npt.NDArray[np.uint16]:
    words, signs = _kinds(LETTERS), _kinds(SIGNS)
    begins = _to(WORD, words) | _to(MORE_SIGNS, signs) | _to(DIGITS, _DIGITS)
    goes_on = {
        WORD: _to(WORD, words),
        MORE_SIGNS: _to(MORE_SIGNS, [*signs, APOSTROPHE]),
        DIGITS: _to(DIGITS, _DIGITS),
        ONE_BLANK: {**begins, APOSTROPHE: MORE_SIGNS},
    }
    begins |= {BLANK: ONE_BLANK, SPACE: ONE_SPACE, NEWLINE: ONE_SPACE}
    return _table(begins, goes_on, dict.fromkeys((ONE_BLANK, ONE_SPACE), _SPACES))


def _usual(
    words: _Next,
    signs: Sequence[int],
    most_digits: int,
    *,
    joining: Sequence[int] | None = None,
    apart: _Next | None = None,
    slash: bool = False,
) -> npt.NDArray[np.uint16]:
    """Return the steps of a pattern in which one sign or blank joins the word behind it.

    ``words`` and ``apart`` are what letters begin, the latter without a sign or blank. Of ``signs``
    only the ``joining`` ones join a word; a ``slash`` may follow them as line breaks do.
    """
    apart = apart or {}
    begins = {
        **words,
        **_to(MORE_SIGNS, signs),
        **_to(ONE_SIGN, signs if joining is None else joining),
        **_to(ONE_DIGIT, _DIGITS),
        BLANK: ONE_BLANK,
        SPACE: ONE_SPACE,
        NEWLINE: BREAKS,
        **apart,
    }
    more_signs = _to(MORE_SIGNS, [*signs, APOSTROPHE])
    goes_on = {
        ONE_SIGN: {**words, **more_signs, NEWLINE: SIGNS_AND_BREAKS},
        MORE_SIGNS: {**more_signs, NEWLINE: SIGNS_AND_BREAKS},
        SIGNS_AND_BREAKS: _to(SIGNS_AND_BREAKS, [NEWLINE, SLASH] if slash else [NEWLINE]),
        ONE_BLANK: {**words, **more_signs},
        ONE_SPACE: words,
        BREAKS: {NEWLINE: BREAKS},
    }
    left_open: dict[int, Iterable[int]] = dict.fromkeys((ONE_BLANK, ONE_SPACE, BREAKS), _SPACES)
    for kind, word in (words | apart).items():
        goes_on.setdefault(word, {})[kind] = word
    if most_digits > 1:
        goes_on[ONE_DIGIT], goes_on[TWO_DIGITS] = _to(TWO_DIGITS, _DIGITS), _to(DIGITS, _DIGITS)
    if UPPER_WORD in goes_on:  # what has no case may end a word or stand before its capitals
        caseless, upper, lower = (goes_on[word] for word in (WORD, UPPER_WORD, LOWER_WORD))
        left_open |= {WORD: upper | lower, UPPER_WORD: caseless, LOWER_WORD: caseless}
        goes_on[UPPER_WORD] = upper | lower
    return _table(begins, goes_on, left_open)


def _all_tables() -> npt.NDArray[np.uint16]:
    letters = _to(WORD, _kinds(LETTERS))
    cased = {
        **_to(WORD, [CASELESS, HAN, HAN_LETTER, KANA]),
        **_to(UPPER_WORD, [UPPER, ASCII_UPPER]),
        **_to(LOWER_WORD, [LOWER, ASCII_LOWER]),
    }
    signs, no_marks = _kinds(SIGNS), _kinds(SIGNS & ~MARKS)
    tables = {
        "gpt2": _gpt2(),
        "cl100k": _usual(letters, signs, 3),
        "o200k": _usual(cased, no_marks, 3, slash=True),
        "llama3": _usual(letters, signs, 3),
        "qwen2": _usual(letters, signs, 1),
        "deepseek_v3": _usual(
            _to(WORD, [ASCII_UPPER, ASCII_LOWER]),
            [*_kinds(1 << SIGN), HAN_SIGN],
            3,
            joining=[ASCII_SIGN, SLASH],
            apart=_to(HAN_WORD, [HAN, KANA, KANA_MARK]),
        ),
        "kimi_k2": _usual(
            {kind: word for kind, word in cased.items() if kind not in (HAN, HAN_LETTER)},
            [*no_marks, HAN_MARK],
            3,
            apart=_to(HAN_WORD, _kinds(HANS)),
        ),
        "mistral_v3": _usual(cased, no_marks, 1, slash=True),
        "qwen3_5": _usual(_to(WORD, _kinds(LETTERS | MARKS)), no_marks, 1),
    }
    return np.concatenate([tables[name].reshape(-1) for name in SCANNERS])


_TABLES = _all_tables()


def _ascii_kinds() -> npt.NDArray[np.uint8]:
    kinds = class_table()[:0x80].copy()
    for kind, of_ascii in ((UPPER, ASCII_UPPER), (LOWER, ASCII_LOWER), (SIGN, ASCII_SIGN)):
        kinds[kinds == kind] = of_ascii
    kinds[list(b" '/")] = BLANK, APOSTROPHE, SLASH
    return kinds


_ASCII_KINDS = _ascii_kinds()


@inlined
def steps(
    scanner: Int,
    text: Text,
    place: Int,
    end: Int,
    classes: Classes,
    borders: Borders,
    cuts: Int,
    ends: Numbers,
    count: Int,
) -> tuple[Int, Int]:
    """Write the ends of pre-tokens at ``place``, where one begins, as far as the table says them.

    Return where the last one ends, and how many ends there are; what they mean says
    :func:`bpe.compiled.scanner.piece_ends`. It stops before a word of ASCII, which is scanned
    faster otherwise.
    """
    table = np.uint64(scanner) * np.uint64(_STATES * _KINDS)
    step = np.uint64(START)
    start = last = place
    last_found = count
    before = np.int64(0)
    end = min(end, place + USUAL_WORD)
    while place < end and count < len(ends):
        lead = np.int64(text[place])
        is_piece = np.int64(0)
        if lead < 0x80:
            behind, size, kind = lead, 1, _ASCII_KINDS[np.uint64(lead)]
        else:
            if lead & 0xF0 == 0xE0:
                three = np.int64(load8(text, place))
                behind = (three & 0xF) << 12 | (three & 0x3F00) >> 2 | (three & 0x3F0000) >> 16
                size = 3
            else:
                behind, size = character(text, place)
            kind = classes[np.uint64(behind)]
            if cuts and place > start:
                is_piece = is_open(borders, before, text[place - 1], behind, lead)
        step = np.uint64(_TABLES[table | step & _STATE_BITS | np.uint64(kind)])
        if step & _OPEN != 0:
            break
        is_end = np.int64(step & _CUT)
        ends[np.uint64(count)] = place << cuts | is_end & cuts
        count += is_piece | is_end
        if is_end:
            last, last_found = place, count
        if step & _LEAVE != 0:
            break
        before = behind
        place += size
    return last, last_found

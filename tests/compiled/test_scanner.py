"""The scanners cut exactly where the same patterns do as regular expressions."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe.compiled.ascii_words import AT_ONCE
from bpe.compiled.characters import mark_tokens, no_borders
from bpe.compiled.layout import PADDING, SCANNERS
from bpe.compiled.scanner import YES, piece_ends
from bpe.compiled.unicode_classes import class_table
from bpe.text.pretokenize import PATTERNS, split
from fuzz.scanners import pre_token_ends, scan

# One or two characters of each kind that a pattern can tell apart.
KINDS = ["a", "é", "A", "ǅ", "中", "龦", "ʰ", "あ", "\u0301", "\u3099", "\U00016ff0"]
KINDS += ["1", "²", "〇", " ", "\t", "\u3000", "\n", "\r"]
KINDS += ["'", "/", "!", "。", "😀", "⺀", "・", "\x00", "\u3097", "\U0003d000"]
CONTRACTIONS = ["'", "s", "T", "ſ", "l", "L", "V", "E", "r", "e", "a", "中", "!", "\n"]

# What English is made of, and what may stand in it.
PLAIN = ["a", "B", "é", "中", "\u0301", "1", " ", "\n", "\r", "\t"]
PLAIN += ["'", "s", "/", ".", "\x00", "\x7f"]


def assert_equal(text: str, pattern: str) -> None:
    pieces = list(split(text, pattern))
    if (got := scan(text, pattern)) != pieces:
        pairs = zip(got, pieces, strict=False)
        at = next(at for at, pair in enumerate(pairs) if len(set(pair)) > 1)
        pytest.fail(f"{got[at - 1 : at + 2]} instead of {pieces[at - 1 : at + 2]}")


def test_every_published_pattern_has_a_scanner():
    assert set(PATTERNS) - set(SCANNERS) == {"whitespace", "none"}


@pytest.mark.parametrize("pattern", SCANNERS)
@pytest.mark.parametrize("kinds", [KINDS, CONTRACTIONS])
def test_every_short_sequence_of_kinds(pattern, kinds):
    pairs, three = itertools.product(kinds, repeat=2), itertools.product("a中1 \n'.", repeat=3)
    assert_equal("".join(map("".join, itertools.product(kinds, repeat=3))), pattern)
    for letters in itertools.chain(kinds, pairs, three):
        text = "".join(letters)
        assert scan(text, pattern) == list(split(text, pattern)), repr(text)


@pytest.mark.parametrize("pattern", SCANNERS)
def test_every_short_sequence_in_english(pattern):
    # 64 bytes are scanned at once, so that sequences stand at the beginning, the end and across.
    sentence = "The w{0}rds of this sentence are counted: from here, to{0}here it goes. "
    sequences = map("".join, itertools.product(PLAIN, repeat=3))
    assert_equal("".join(map(sentence.format, sequences)), pattern)


@pytest.mark.parametrize("pattern", SCANNERS)
@settings(max_examples=150, deadline=None)
@given(
    words=st.lists(
        st.sampled_from(
            [*"aBs,.' \n'é中1", " the", " word", "THE", " a", ", it", "\nIt", "x" * 70]
            + [" (so", "-On", "/a", ".\nNo", "don't"]
        )
    ),
    tail=st.sampled_from(["", "s", " and what follows them, so that there are more than 64 bytes"]),
)
def test_random_english(pattern, words, tail):
    text = "".join(words) * 3 + tail
    assert scan(text, pattern) == list(split(text, pattern))


@pytest.mark.parametrize("pattern", SCANNERS)
def test_what_stands_behind_the_end_does_not_count(pattern):
    text = b"A word (so), don't-\nmind's 1 sign. \nNo"
    whole = np.frombuffer(text * 2 + bytes(PADDING), np.uint8)
    for end in range(1, len(text)):
        ends = np.empty(128, np.int64)
        found = pre_token_ends(SCANNERS[pattern], whole, end, ends)
        lengths = itertools.accumulate(map(len, split(text[:end].decode(), pattern)))
        assert ends[:found].tolist() == list(lengths), end


RUNS = ["1", " ", "\n", "\t", " \n", "\n ", ".", "'", "a", "A", "aB", "中", "。", "1a", " 1"]


@pytest.mark.parametrize("pattern", SCANNERS)
def test_runs_of_every_length(pattern):
    for run in RUNS:
        texts = [f"so {run * length}it, 中{run * length}" for length in range(1, 70)]
        assert_equal("so".join(texts), pattern)
        assert_equal(texts[-1], pattern)


def borders():
    """Those of a vocabulary with three tokens of two characters, and two with parts of some."""
    tokens = [text.encode() for text in ("中国", "é中", "\u0301龦")]
    tokens += ["龍".encode() + b"\xe5", b"\x9b\xe6"]
    marked = no_borders()
    text = np.frombuffer(b"".join(tokens) + bytes(PADDING), np.uint8)
    mark_tokens(marked, text, np.cumsum(list(map(len, tokens))))
    return marked


def is_border(before, behind):
    """Return whether none of these tokens reaches across, and the second character is not ASCII."""
    last, lead = before.encode()[-1], behind.encode()[0]
    if before + behind in ("中国", "é中", "\u0301龦") or lead < 0x80:
        return False
    return (before, lead) != ("龍", 0xE5) and (last, lead) != (0x9B, 0xE6)


def cut_one_by_one(text, pattern):
    """Return each piece and whether a pre-token ends with it."""
    pieces = []
    for pre_token in split(text, pattern):
        piece = ""
        for before, behind in itertools.pairwise(pre_token):
            piece += before
            if is_border(before, behind):
                pieces.append((piece.encode(), False))
                piece = ""
        pieces.append(((piece + pre_token[-1]).encode(), True))
    return pieces


@pytest.mark.parametrize("pattern", SCANNERS)
@settings(max_examples=100, deadline=None)
@given(
    room=st.sampled_from([1, 5, 200]),
    text=st.lists(
        st.sampled_from([*KINDS, *CONTRACTIONS, *"国文龍四"])
        | st.sampled_from([" the words", "中国中文" * 30, "x" * 70, "中" * 400])
    ).map("".join),
)
def test_pieces_are_those_of_the_pre_tokens_whatever_room_there_is(pattern, room, text):
    marked = borders()
    data = text.encode()
    whole = np.frombuffer(data + bytes(PADDING), np.uint8)
    ends, rest = np.empty(room + AT_ONCE - 1, np.int64), np.zeros(1, np.int64)
    at, pieces = 0, []
    while at < len(data):
        found = piece_ends(
            SCANNERS[pattern], whole, at, len(data), class_table(), marked, YES, rest, ends, 0
        )
        for number in ends[:found].tolist():
            start, at = at, number >> 1
            pieces.append((data[start:at], bool(number & 1)))
    assert pieces == cut_one_by_one(text, pattern)


@pytest.mark.parametrize("pattern", SCANNERS)
def test_every_character(pattern):
    # No character of the planes 4 to 13 is assigned, those of 2 and 3 are Han;
    # test_unicode_version asks tiktoken about each.
    points = [*range(0xD800), *range(0xE000, 0x20000), *range(0x20000, 0x40000, 61)]
    points += range(0xE0000, 0xE1000)
    assert_equal("".join(f"A{chr(point)}a'{chr(point)}0" for point in points), pattern)

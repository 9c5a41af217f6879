"""The scanners cut exactly where the same patterns do as regular expressions."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe.compiled.conventions import PADDING, SCANNERS
from bpe.documents import samples
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
    for length in (1, 2, 3):
        for letters in itertools.product(kinds, repeat=length):
            text = "".join(letters)
            assert scan(text, pattern) == list(split(text, pattern)), repr(text)


@pytest.mark.parametrize("pattern", SCANNERS)
def test_every_short_sequence_in_english(pattern):
    # 64 bytes are scanned at once, so that sequences stand at the beginning, the end and across.
    for letters in itertools.product(PLAIN, repeat=3):
        between = "".join(letters)
        text = f"The w{between}rds of this sentence are counted: from here, to{between}here it goes"
        assert scan(text, pattern) == list(split(text, pattern)), repr(text)


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


@pytest.mark.parametrize("pattern", SCANNERS)
def test_every_character(pattern):
    # No character of the planes 4 to 13 is assigned; test_unicode_version asks tiktoken.
    points = itertools.chain(range(0xD800), range(0xE000, 0x40000), range(0xE0000, 0xE1000))
    assert_equal("".join(f"A{chr(point)}a'{chr(point)}0" for point in points), pattern)


@pytest.mark.parametrize("pattern", SCANNERS)
@settings(max_examples=150, deadline=None)
@given(text=st.text(st.sampled_from([*KINDS, *CONTRACTIONS]), max_size=60))
def test_random_sequences_of_kinds(pattern, text):
    assert scan(text, pattern) == list(split(text, pattern))


@pytest.mark.parametrize("pattern", SCANNERS)
@pytest.mark.parametrize("language", ["zh", "en", "zh_hant"])
def test_real_text(pattern, language):
    assert_equal(samples.corpus(language), pattern)

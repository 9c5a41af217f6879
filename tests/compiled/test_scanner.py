"""The scanners cut exactly where the patterns of the ``regex`` module do."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe.compiled.scanner import PADDING, SCANNERS, pre_token_ends
from bpe.compiled.unicode_classes import class_table
from bpe.text import samples
from bpe.training.pretokenize import compiled_pattern

PATTERNS = list(SCANNERS)

# One or two characters of each kind that a pattern can tell apart.
KINDS = ["a", "é", "A", "ǅ", "中", "ʰ", "\u0301", "1", "²", " ", "\t", "\u3000", "\n", "\r"]
KINDS += ["'", "/", "!", "。", "😀", "s", "T", "ſ", "l", "V", "E", "r"]


def scan(text: str, pattern: str) -> list[str]:
    data = text.encode()
    ends = np.empty(len(data), np.int64)
    found = pre_token_ends(
        SCANNERS[pattern],
        np.frombuffer(data + bytes(PADDING), np.uint8),
        len(data),
        class_table(),
        ends,
    )
    cuts = [0, *ends[:found].tolist()]
    return [data[start:end].decode() for start, end in itertools.pairwise(cuts)]


def assert_equal(text: str, pattern: str) -> None:
    split = compiled_pattern(pattern).findall(text)
    if (got := scan(text, pattern)) != split:
        at = next(at for at, pair in enumerate(zip(got, split, strict=False)) if len(set(pair)) > 1)
        pytest.fail(f"{got[at - 1 : at + 2]} instead of {split[at - 1 : at + 2]}")


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("length", [1, 2, 3])
def test_every_short_sequence_of_kinds(pattern, length):
    split = compiled_pattern(pattern)
    for letters in itertools.product(KINDS, repeat=length):
        text = "".join(letters)
        assert scan(text, pattern) == split.findall(text), repr(text)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_character(pattern):
    # No character of the planes 4 to 13 is assigned; test_the_planes_without_characters sees to it.
    points = itertools.chain(range(0xD800), range(0xE000, 0x40000), range(0xE0000, 0xE1000))
    assert_equal("".join(f"A{chr(point)}a'{chr(point)}0" for point in points), pattern)


def test_the_planes_without_characters():
    assert not class_table()[0x40000:0xE0000].any()
    assert not class_table()[0xE1000:].any()
    assert not class_table()[0xD800:0xE000].any()


@pytest.mark.parametrize("pattern", PATTERNS)
@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=60))
def test_random_unicode(pattern, text):
    assert scan(text, pattern) == compiled_pattern(pattern).findall(text)


@pytest.mark.parametrize("pattern", PATTERNS)
@settings(max_examples=200, deadline=None)
@given(text=st.text(st.sampled_from(KINDS), max_size=60))
def test_random_sequences_of_kinds(pattern, text):
    assert scan(text, pattern) == compiled_pattern(pattern).findall(text)


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("language", ["zh", "en", "zh_hant"])
def test_real_text(pattern, language):
    assert_equal(samples.corpus(language), pattern)

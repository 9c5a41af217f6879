"""Everything that splits text has the character classes of tiktoken, for every code point."""

from functools import cache

import numpy as np
import pytest
import regex
import tiktoken

from bpe.compiled import unicode_classes
from bpe.compiled.unicode_classes import class_table
from bpe.text.unicode import UNICODE_VERSION, with_stand_ins

EVERY = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))


@cache
def of_tiktoken(pattern: str) -> set[int]:
    """The code points that a class has in tiktoken: it leaves out what its pattern does not match.

    Its own bytes are all the vocabulary that this takes.
    """
    ranks = {bytes([byte]): byte for byte in range(256)}
    engine = tiktoken.Encoding("", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    return set(map(ord, bytes(engine.encode_ordinary(EVERY)).decode()))


def named(points: set[int]) -> list[str]:
    return [f"U+{point:04X}" for point in sorted(points)]


CATEGORIES = ["L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "N", "P", "S", "Cn", "Han"]
CLASSES = [*(rf"\p{{{name}}}" for name in CATEGORIES), r"\s", r"\S"]


@pytest.mark.parametrize("pattern", CLASSES)
def test_regex_behind_stand_ins_has_the_classes_of_tiktoken(pattern):
    matches = regex.finditer(pattern, with_stand_ins(EVERY))
    ours = {ord(EVERY[match.start()]) for match in matches}
    assert named(ours ^ of_tiktoken(pattern)) == [], (
        f"regex {regex.__version__} and tiktoken {tiktoken.__version__} class these characters "
        f"differently: does bpe.text.unicode list all that is newer than {UNICODE_VERSION}?"
    )


SETS = {
    "LETTERS": r"\p{L}",
    "MARKS": r"\p{M}",
    "NUMBERS": r"\p{N}",
    "SPACES": r"\s",
    "PUNCTUATION": r"[\p{P}\p{S}]",
    "SIGNS": r"[^\s\p{L}\p{N}]",
    "CAPITALS": r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]",
    "SMALLS": r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]",
    "HANS": r"\p{Han}",
    "HAN_KANA": r"[一-龥\u3040-\u30ff]",
}


@pytest.mark.parametrize("name", SETS)
def test_the_sets_of_the_scanner_are_the_classes_of_tiktoken(name):
    members = np.flatnonzero((getattr(unicode_classes, name) >> class_table().astype(np.int64)) & 1)
    surrogates = set(range(0xD800, 0xE000))
    assert named(set(members.tolist()) - surrogates ^ of_tiktoken(SETS[name])) == []


def test_the_scanner_knows_line_breaks():
    assert np.flatnonzero(class_table() == unicode_classes.NEWLINE).tolist() == [0x0A, 0x0D]


def test_nothing_is_replaced_but_what_later_versions_assigned_or_changed():
    replaced = {ord(a) for a, b in zip(EVERY, with_stand_ins(EVERY), strict=True) if a != b}
    assigned = {ord(match[0]) for match in regex.finditer(r"\P{Cn}", EVERY)}
    assert named(replaced ^ (assigned & of_tiktoken(r"\p{Cn}"))) == ["U+0295"]

"""Which bytes of which characters a token holds: literal values, then any text and any cuts."""

from itertools import pairwise
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.analysis.segmentation import Segmentation, align, compare, segment, segment_ids
from bpe.encoders.base import character_spans
from bpe.encoders.tokenizer import Tokenizer
from bpe.errors import BPEError
from bpe.training.recipe import Recipe

FRENCH_E = "e\u0301"  # NFD; é in NFC


def cut(*pieces: bytes, special_ids=(), name="") -> Segmentation:
    """Pieces as a segmentation; equal pieces have equal ids."""
    known = list(dict.fromkeys(pieces))
    ids = map(known.index, pieces)
    return segment_ids(ids, known.__getitem__, special_ids=special_ids, name=name)


def bytes_only(*, normalisation="none", specials=("<s>",)) -> Tokenizer:
    recipe = Recipe(normalisation=normalisation, special_tokens=specials)
    return Tokenizer(merges=(), recipe=recipe)


@st.composite
def cut_texts(draw, count=1):
    """A text's bytes, and ``count`` ways to cut them, empty pieces among them."""
    raw = draw(st.text("ab中é😀\u200d\u0301\x00")).encode()
    cuts = st.lists(st.integers(0, len(raw))).map(lambda at: [0, *sorted(at), len(raw)])
    return raw, [[raw[a:b] for a, b in pairwise(draw(cuts))] for _ in range(count)]


# One token


def test_a_character_in_three_tokens_names_each_byte_and_the_other_tokens():
    first, second, third = cut(b"\xe4", b"\xb8", b"\xad").tokens()
    assert [t.kind for t in (first, second, third)] == ["part"] * 3
    assert [t.parts[0].mark for t in (first, second, third)] == ["1/3 中", "2/3 中", "3/3 中"]
    assert second.others == (0, 2)
    assert second.parts[0].code_point == "U+4E2D"
    assert second.byte_span == (1, 2)
    assert second.character_span == (0, 1)
    assert second.text == ""


def test_two_bytes_of_a_character_are_a_range():
    _, rest = cut(b"\xe4", b"\xb8\xad").tokens()
    assert rest.parts[0].mark == "2–3/3 中"
    assert (rest.parts[0].first, rest.parts[0].last, rest.parts[0].size) == (2, 3, 3)


@pytest.mark.parametrize(
    ("pieces", "kinds"),
    [
        (["中".encode()], ["whole"]),
        (["文字处理".encode()], ["several"]),
        ([" \u4e2d".encode()[:3], b"\xad"], ["mixed", "part"]),
        (["👩\u200d💻".encode()], ["several"]),  # woman, joiner, computer
        (
            ["👩".encode(), "\u200d".encode()[:1], "\u200d💻".encode()[1:]],
            ["whole", "part", "mixed"],
        ),
        ([FRENCH_E.encode()], ["several"]),
        ([b"e", "\u0301".encode()], ["whole", "whole"]),
        ([b"\x00", b"\x1b[0m"], ["whole", "several"]),
        (["שלום".encode(), "\u202e".encode()], ["several", "whole"]),
        ([b"<script>", b"</", b"script>"], ["several"] * 3),
        ([b"\xff\xfe"], ["bytes"]),
        ([b"a\xff"], ["mixed"]),
        ([b"\xe4\xb8"], ["bytes"]),  # nothing completes it
        ([b"a", b"", b"b"], ["whole", "empty", "whole"]),
        (["�".encode()], ["whole"]),  # U+FFFD that was in the text
    ],
)
def test_kinds(pieces, kinds):
    assert [token.kind for token in cut(*pieces).tokens()] == kinds


def test_a_special_token_is_special_whatever_its_bytes():
    assert cut(b"a", b"<s>", special_ids={1}).token(1).kind == "special"


def test_a_token_with_the_end_of_one_character_and_the_start_of_the_next():
    raw = "中文".encode()
    token = cut(raw[:1], raw[1:4], raw[4:]).token(1)
    assert [part.mark for part in token.parts] == ["2–3/3 中", "1/3 文"]
    assert token.kind == "mixed"
    assert token.others == (0, 2)
    assert token.text == ""


def test_whole_characters_of_a_mixed_token_are_its_text():
    assert cut(b" \xe4\xb8", b"\xad").token(0).text == " "


def test_bytes_that_are_no_character_have_no_code_point():
    (part,) = cut(b"\xff").token(0).parts
    assert (part.character, part.code_point, part.mark) == (None, None, "1/1")


def test_positions_of_the_same_id():
    segmentation = cut(b"a", b"b", b"a", b"a")
    assert segmentation.elsewhere(2) == [0, 3]
    assert segmentation.elsewhere(1) == []


def test_ten_thousand_repeats_are_found_at_once():
    segmentation = segment(bytes_only(), "啊" * 10_000)
    started = perf_counter()
    assert len(segmentation.elsewhere(15_000)) == 9_999
    assert sum(token.kind == "part" for token in segmentation.tokens()) == 30_000
    assert segmentation.token(29_999).parts[0].mark == "3/3 啊"
    assert perf_counter() - started < 10  # a quadratic pass would take minutes


@given(cut_texts())
def test_pieces_join_and_spans_cover(case):
    raw, (pieces,) = case
    segmentation = cut(*pieces)
    facts = list(segmentation.tokens())
    assert b"".join(token.bytes for token in facts) == raw == segmentation.data
    assert segmentation.text == raw.decode()
    assert [token.character_span for token in facts] == character_spans(pieces)
    ends = [token.byte_span for token in facts]
    assert [start for start, _ in ends] + [len(raw)] == [0] + [end for _, end in ends]
    for token in facts:
        held = b"".join(part.character.encode()[part.first - 1 : part.last] for part in token.parts)
        assert held == token.bytes


@given(st.binary(max_size=12), st.integers(0, 12))
def test_any_bytes_have_facts(raw, at):
    facts = list(cut(raw[:at], raw[at:]).tokens())
    assert b"".join(token.bytes for token in facts) == raw
    assert [token.character_span for token in facts] == character_spans([raw[:at], raw[at:]])
    assert sum(part.last - part.first + 1 for token in facts for part in token.parts) == len(raw)


# A text by an encoder


def test_special_tokens_in_a_text_are_ordinary_unless_allowed():
    assert len(segment(bytes_only(), "<s>")) == 3
    allowed = segment(bytes_only(), "<s>a", allowed_special="all")
    assert [token.kind for token in allowed.tokens()] == ["special", "whole"]


def test_a_normalising_encoder_shows_what_its_tokens_spell_and_says_so():
    segmentation = segment(bytes_only(normalisation="NFC"), FRENCH_E)
    assert segmentation.text == "é"
    assert (segmentation.change, segmentation.normal_form) == ("normalised", "NFC")


def test_nothing_is_said_where_normalising_changed_nothing():
    assert segment(bytes_only(normalisation="NFC"), "é").change is None


def test_half_a_surrogate_pair_is_said_to_be_replaced():
    segmentation = segment(bytes_only(), "a\ud83d")
    assert (segmentation.text, segmentation.change) == ("a�", "surrogates")


def test_the_digest_tells_cuts_ids_and_specials_apart():
    ways = [
        cut(b"ab"),
        cut(b"a", b"b"),
        cut(b"a", b"b", special_ids={1}),
        Segmentation(ids=[7, 8], pieces=[b"a", b"b"]),
        cut(b"ab", b""),
    ]
    assert len({way.digest for way in ways}) == len(ways)
    assert cut(b"ab").digest == cut(b"ab").digest


# Two segmentations


@pytest.mark.parametrize(
    ("first", "second", "splits", "joins", "crossings", "boundaries"),
    [
        ([b"ab"], [b"a", b"b"], 1, 0, 0, (0, 0, 1)),
        ([b"a", b"b"], [b"ab"], 0, 1, 0, (0, 1, 0)),
        ([b"ab", b"c", b"d"], [b"a", b"b", b"cd"], 1, 1, 0, (1, 1, 1)),
        ([b"ab", b"c"], [b"a", b"bc"], 0, 0, 1, (0, 1, 1)),
        ([b"a", b"b"], [b"a", b"b"], 0, 0, 0, (1, 0, 0)),
        (["中".encode()], [b"\xe4", b"\xb8", b"\xad"], 1, 0, 0, (0, 0, 2)),
        ([], [], 0, 0, 0, (0, 0, 0)),
    ],
)
def test_how_the_second_cuts_otherwise(first, second, splits, joins, crossings, boundaries):
    found = compare(cut(*first), cut(*second))
    assert (found.splits, found.joins, found.crossings) == (splits, joins, crossings)
    assert (found.common, found.only_first, found.only_second) == boundaries
    assert found.share == (found.common / sum(boundaries) if any(boundaries) else 1.0)


def test_blocks_name_the_tokens_of_each():
    found = compare(cut(b"ab", b"c", b"d"), cut(b"a", b"b", b"cd"))
    assert [(block.start, block.end) for block in found.blocks] == [(0, 2), (2, 4)]
    assert found.blocks[0].tokens == (range(1), range(2))
    assert found.blocks[1].tokens == (range(1, 3), range(2, 3))
    assert found.differing == list(found.blocks)


def test_segmentations_of_different_bytes_cannot_be_aligned():
    with pytest.raises(BPEError, match="qwen and gpt spell different bytes"):
        compare(cut("é".encode(), name="qwen"), cut(FRENCH_E.encode(), name="gpt"))


@given(cut_texts(count=3))
def test_blocks_are_the_finest_cuts_common_to_all(case):
    raw, ways = case
    segmentations = [cut(*pieces) for pieces in ways]
    blocks = align(segmentations)
    shared = set.intersection(*(set(way.starts) for way in segmentations))
    assert {block.end for block in blocks} | {0} == shared
    for which, way in enumerate(segmentations):
        indices = [index for block in blocks for index in block.tokens[which]]
        assert indices == list(range(len(way)))
        for block in blocks:
            joined = b"".join(way.pieces[index] for index in block.tokens[which])
            assert joined == raw[block.start : block.end]


@given(cut_texts(count=2))
def test_boundaries_are_those_of_sets(case):
    _, (first, second) = case
    first, second = cut(*filter(None, first)), cut(*filter(None, second))
    inner = [set(way.starts) - {0, len(way.data)} for way in (first, second)]
    found = compare(first, second)
    assert found.common == len(inner[0] & inner[1])
    assert found.only_first == len(inner[0] - inner[1])
    assert found.only_second == len(inner[1] - inner[0])

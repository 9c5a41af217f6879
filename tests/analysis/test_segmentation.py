"""Which bytes of which characters a token holds: literal values, then any text and any cuts."""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe.algorithm.recipe import Recipe
from bpe.analysis import segmentation
from bpe.analysis.alignment import align
from bpe.analysis.segmentation import Segmentation, recut, segment
from bpe.documents import samples
from bpe.encoders import catalog
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from tests.analysis.cuts import cut, cut_texts

FRENCH_E = "e\u0301"  # NFD; é in NFC


def bytes_only(*, normalisation="none", specials=("<s>",)) -> Tokenizer:
    recipe = Recipe(normalisation=normalisation, special_tokens=specials)
    return Tokenizer(merges=(), recipe=recipe)


# One token


def test_a_character_in_three_tokens_names_each_byte():
    first, second, third = cut(b"\xe4", b"\xb8", b"\xad").tokens()
    assert [t.kind for t in (first, second, third)] == ["part"] * 3
    assert [t.parts[0].mark for t in (first, second, third)] == ["1/3 中", "2/3 中", "3/3 中"]
    assert second.parts[0].code_point == "U+4E2D"
    assert (second.byte_span, second.text) == ((1, 2), "")
    raw = "中文".encode()
    mixed = cut(raw[:1], raw[1:4], raw[4:]).token(1)
    assert [part.mark for part in mixed.parts] == ["2–3/3 中", "1/3 文"]
    assert (mixed.kind, mixed.text) == ("mixed", "")
    assert cut(b" \xe4\xb8", b"\xad").token(0).text == " "
    (part,) = cut(b"\xff").token(0).parts
    assert (part.character, part.code_point, part.mark) == (None, None, "1/1")


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


@given(cut_texts())
def test_pieces_join_and_spans_cover(case):
    raw, (pieces,) = case
    segmentation = cut(*pieces)
    facts = list(segmentation.tokens())
    assert b"".join(token.bytes for token in facts) == raw == segmentation.data
    assert segmentation.text == raw.decode()
    ends = [token.byte_span for token in facts]
    assert [start for start, _ in ends] + [len(raw)] == [0] + [end for _, end in ends]
    for token in facts:
        held = b"".join(part.character.encode()[part.first - 1 : part.last] for part in token.parts)
        assert held == token.bytes


@given(st.binary(max_size=12), st.integers(0, 12))
def test_any_bytes_have_facts(raw, at):
    facts = list(cut(raw[:at], raw[at:]).tokens())
    assert b"".join(token.bytes for token in facts) == raw
    assert sum(part.last - part.first + 1 for token in facts for part in token.parts) == len(raw)


# A text by an encoder


def test_special_tokens_in_a_text_are_ordinary_unless_allowed():
    assert len(segment(bytes_only(), "<s>")) == 3
    allowed = segment(bytes_only(), "<s>a", allowed_special="all")
    assert [token.kind for token in allowed.tokens()] == ["special", "whole"]
    assert cut(b"a", b"<s>", special_ids={1}).token(1).kind == "special"


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


def test_the_estimate_of_memory_covers_what_a_segmentation_holds():
    whole = segment(bytes_only(), "看路灯 street light " * 200)
    held = [whole.ids, whole.pieces, whole.starts, whole.character_starts, whole.data]
    assert sum(map(sys.getsizeof, held)) <= whole.memory <= 100 * len(whole)


def test_what_is_kept_of_a_changed_text_is_the_text_given_and_what_comes_back():
    changed = segment(bytes_only(normalisation="NFC"), FRENCH_E)
    assert (changed.change, changed.normal_form, changed.text) == ("normalised", "NFC", "é")
    assert (changed.source, changed.decoded) == (FRENCH_E, "é")
    assert (changed.source_bytes, changed.source_characters) == (3, 2)
    same = segment(bytes_only(normalisation="NFC"), "é中")
    assert same.change is same.source is same.decoded is None
    assert (same.source_bytes, same.source_characters) == (5, 2)
    mended = segment(bytes_only(), "a\ud83d")
    assert (mended.text, mended.change) == ("a�", "surrogates")


# Cutting again only what changed gives the tokens that cutting everything gives.


NAMES = ("o200k_base", "cl100k_base", "gpt2", "deepseek_v3", "qwen3", "llama2", "gemma3")
TEXT = (samples.corpus("zh")[:900] + "\n\n" + samples.corpus("en")[:900]) * 2
PIECES = st.one_of(
    st.text(max_size=8),
    st.sampled_from(
        ["\n", " ", "<|endoftext|>", "don't", "人工智能", "e\u0301", "👨‍👩‍👧", "  \n ", "12345"]
    ),
)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None)
@given(at=st.integers(0, len(TEXT)), removed=st.integers(0, 30), typed=PIECES)
def test_an_edit_anywhere_gives_the_tokens_of_the_whole_text(name, at, removed, typed):
    encoder = catalog.encoding(name)
    new = TEXT[:at] + typed + TEXT[at + removed :]
    before = segment(encoder, TEXT)
    found, wanted = recut(encoder, before, TEXT, new), segment(encoder, new)
    assert list(found.ids) == list(wanted.ids)
    assert found.digest == wanted.digest
    assert (found.change, found.name) == (wanted.change, wanted.name)


def test_only_what_stands_around_the_change_is_cut_again(monkeypatch):
    encoder = catalog.encoding("o200k_base")
    cut_again = []

    def counted(encoder, text):
        cut_again.append(len(text))
        return segment(encoder, text)

    before = segment(encoder, TEXT)
    monkeypatch.setattr(segmentation, "segment", counted)
    recut(encoder, before, TEXT, TEXT[:2000] + "新" + TEXT[2000:])
    (size,) = cut_again
    assert size < 400


def test_a_token_that_is_added_to_the_vocabulary_is_seen_across_the_change():
    encoder = catalog.encoding("deepseek_v3")
    assert segment(encoder, TEXT).change is None
    token = next(iter(encoder.special_tokens))
    old = TEXT[:1500] + token[:-1] + " " + TEXT[1500:]
    new = TEXT[:1500] + token + TEXT[1500:]
    found = recut(encoder, segment(encoder, old), old, new)
    assert list(found.ids) == list(segment(encoder, new).ids)


# Several ways to cut the same bytes, held against each other.


def test_segmentations_of_different_bytes_cannot_be_aligned():
    with pytest.raises(BPEError, match="qwen and gpt spell different bytes"):
        align((cut("é".encode(), name="qwen"), cut(FRENCH_E.encode(), name="gpt")))


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

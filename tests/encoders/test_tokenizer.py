"""The trained tokenizer: ids and back, special tokens, offsets, streams."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.algorithm import basic
from bpe.algorithm.merge import merge_by_heap
from bpe.algorithm.recipe import Merge, Recipe
from bpe.encoders.merge_models import MergeList
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.text.unicode import character_spans
from bpe.training.algorithms.byte_bpe import learn_by_recounting
from bpe.training.train import train

CORPUS = (
    "低头看路，抬头看天。看天，看路，看路灯。low lower lowest; the lower lights, "
    "don't you know? I'll say 2024 and 2025.\n" * 3
)
END = "<|endoftext|>"


@cache
def trained(**options) -> Tokenizer:
    return train([CORPUS], Recipe(**{"merges": 60, **options}))


awkward = st.one_of(st.text(), st.lists(st.sampled_from([*CORPUS, END, "\n", " "])).map("".join))


def test_ids_are_bytes_then_special_tokens_then_merges():
    tokenizer = Tokenizer((Merge(108, 111, 257, 2),), Recipe(special_tokens=(END,)))
    assert tokenizer.token_bytes(255) == b"\xff"
    assert tokenizer.special_tokens == {END: 256}
    assert tokenizer.token_bytes(257) == b"lo"
    assert tokenizer.vocabulary_size == 258
    assert tokenizer.encode("lo, hello") == [257, 44, 32, 104, 101, 108, 257]


@given(text=awkward)
@pytest.mark.parametrize("special_tokens", [(), (END, "路灯")])
@pytest.mark.parametrize("normalisation", ["none", "NFKC"])
def test_the_short_way_of_a_text_gives_what_the_long_one_does(special_tokens, normalisation, text):
    tokenizer = trained(special_tokens=special_tokens, normalisation=normalisation)
    tokenizer.engine.exchange()
    for call in (tokenizer.encode, tokenizer.encode_ordinary, tokenizer.count):
        for given_text in (text, text + "\ud800", text + "<|endoftext", text + END):
            assert _result(call, given_text) == _result(call, Text(given_text))
        with pytest.raises(TypeError, match="Give text as str, not bytes"):
            call(b"bytes")


class Text(str):
    """Text of a class of its own, which is always encoded the long way."""


def _result(call, *arguments):
    try:
        return call(*arguments)
    except BPEError as error:
        return str(error)


@given(st.lists(st.sampled_from(b"aabc"), max_size=200))
def test_the_heap_merges_as_the_definition_does(symbols):
    recipe = Recipe(merges=12)
    merges = learn_by_recounting({b"aaaa": 3, b"abcab": 2, b"bcbcaa": 2, bytes(symbols): 1}, recipe)
    ranks = MergeList(merges).ranks
    made = {pair: new for pair, (_, new) in ranks.items()}
    assert merge_by_heap(symbols, ranks.get) == basic.encode(symbols, made)


class TestSpecialTokens:
    tokenizer = Tokenizer((), Recipe(special_tokens=("<|a|>", "<|a|><|b|>")))

    def test_allowed_ones_become_their_ids_the_longest_first(self):
        assert self.tokenizer.encode("x<|a|><|b|>", allowed_special="all") == [120, 257]
        assert self.tokenizer.encode("<|a|>x", allowed_special={"<|a|>"}) == [256, 120]

    def test_what_is_no_special_token_cannot_be_allowed(self):
        with pytest.raises(BPEError, match="“<pad>” is not a special token"):
            self.tokenizer.encode("x", allowed_special={"<pad>"})


class TestOffsets:
    @pytest.mark.parametrize(
        ("pieces", "spans"),
        [
            ([b"a\xe4\xb8", b"\xad", b"bc"], [(0, 2), (1, 2), (2, 4)]),
            (["😀👍".encode(), b"!"], [(0, 2), (2, 3)]),
            ([b"\xff", b"\xe4\xb8", b"x"], [(0, 1), (1, 2), (2, 3)]),
            ([b"", b"a", b""], [(0, 0), (0, 1), (1, 1)]),
            ([], []),
        ],
    )
    def test_spans(self, pieces, spans):
        assert character_spans(pieces) == spans

    @given(st.lists(st.binary(max_size=6)))
    def test_each_span_holds_the_characters_that_the_bytes_touch(self, pieces):
        text = b"".join(pieces).decode("utf-8", "replace")
        spans = character_spans(pieces)
        assert all(0 <= start <= end <= len(text) for start, end in spans)
        full = [span for span, piece in zip(spans, pieces, strict=True) if piece]
        covered = {index for start, end in full for index in range(start, end)}
        assert covered == set(range(len(text)))


def test_a_long_stream_is_not_held_in_memory():
    held = []

    def lines():
        for _ in range(200):
            yield "看路，看天。\n"
            held.append(1)

    ids = trained().encode_iterable(lines(), step=20)
    next(ids)
    assert len(held) < 10


def test_the_identity_follows_the_recipe_and_the_merges():
    assert trained().digest == trained().digest != trained(merges=59).digest

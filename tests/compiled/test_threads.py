"""Many texts by many threads: each has the ids that it has alone, however they are shared out."""

from contextlib import nullcontext
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.compiled import layout
from bpe.compiled.encode import text_encoder, threads, workspace
from bpe.compiled.encode.encoder import CompiledEncoder
from bpe.documents import samples
from bpe.errors import BPEError
from bpe.text.unicode import character_spans

ENCODER = bpe.encoding("cl100k_base").engine.compiled
SLOW = bpe.encoding("cl100k_base")
TEXTS = st.lists(
    st.text(st.sampled_from("ab Zé南京市长\n1\u0301😀𝕏ÿ\x00"), max_size=40)
    | st.sampled_from(["", "x" * 3_000, "长" * 700, samples.corpus("zh")[:900]])
)
PARTS = st.sampled_from(["<|x|>", "<|e", "<|", "x|>", "ab ", "南京，", "x", "=" * 61])
FALLBACKS = [CompiledEncoder.from_ranks(SLOW.ranks, pattern) for pattern in ("none", str.split)]

PIECES = ["▁", *"abZ南京市长", "▁▁", "ab", "▁a", "南京", "市长", "▁ab", "b▁", "长é"]
OF_PIECES = CompiledEncoder.from_pieces(
    {piece.encode(): 256 + place for place, piece in enumerate(PIECES)}, range(256)
)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    """Little text is shared by many threads, cut, and written to many rooms."""
    monkeypatch.setattr(threads, "_LEAST_BLOCK", 10)
    monkeypatch.setattr(threads, "_MOST_BLOCK", 20)
    monkeypatch.setattr(threads, "_FEW", 0)
    monkeypatch.setattr(threads, "_AHEAD", 0)
    monkeypatch.setattr(text_encoder, "_SHARED", 50)
    monkeypatch.setattr(text_encoder, "_LISTS_AT_ONCE", 2)
    monkeypatch.setattr(workspace, "_USUAL_TEXT", 128)


def by_themselves(encoder, texts) -> list[list[int]]:
    return [encoder.encode(text) for text in texts]


def of_batch(ids, ends) -> list[list[int]]:
    return [part.tolist() for part in np.split(ids, ends)[:-1]]


@given(TEXTS, st.integers(1, 4), st.sampled_from([0, 0.01, 3]))
def test_each_text_has_its_own_ids(texts, number, ids_of_a_byte):
    ENCODER._workspaces.ids_of_a_byte = ids_of_a_byte
    expected = by_themselves(ENCODER, texts)
    ids, ends = ENCODER.encode_batch_to_numpy(texts, number)
    assert (ids.dtype, ends.dtype) == (np.int32, np.int64)
    assert of_batch(ids, ends) == expected
    assert ENCODER.count_batch(texts, number).tolist() == list(map(len, expected))
    assert ENCODER.encode_batch(texts, threads=number) == expected


@pytest.mark.parametrize("encoder", [ENCODER, FALLBACKS[0], OF_PIECES], ids=["cut", "whole", "▁"])
@given(st.text(st.sampled_from("ab Z,.▁南京市长，\n1é😀"), max_size=300), st.integers(2, 4))
def test_a_long_text_is_cut_where_its_ids_stay_the_same(encoder, text, number):
    expected = encoder.encode(text)
    assert encoder.encode_to_numpy(text, threads=number).tolist() == expected
    assert encoder.count(text, threads=number) == len(expected)


@pytest.mark.parametrize("encoder", [ENCODER, *FALLBACKS], ids=["cut", "whole", "a function"])
@pytest.mark.parametrize("readable", [True, False], ids=["strings are read", "by Python"])
def test_every_encoder_has_batches(encoder, readable, monkeypatch):
    if not readable:
        monkeypatch.setattr(text_encoder, "string_layout", lambda: None)
    texts = ["low lower", "", "南京市长江大桥，看路灯", "naïve ÿ", "😀 low", np.str_("low low")] * 3
    expected = by_themselves(encoder, map(str, texts))
    assert of_batch(*encoder.encode_batch_to_numpy(texts, 2)) == expected
    assert encoder.count_batch(texts, 2).tolist() == list(map(len, expected))


@pytest.mark.parametrize("number", [1, 3])
def test_half_a_surrogate_pair_is_refused(number):
    for call in (ENCODER.encode_batch_to_numpy, ENCODER.count_batch):
        for half in ("a\ud800b", "南京市\ud800", "南京\udfff市😀"):
            with pytest.raises(UnicodeEncodeError):
                call(["low", half, "lower"] * 20, number)


@given(st.lists(PARTS, max_size=30), st.booleans(), st.integers(1, 3))
def test_a_text_is_special_if_it_holds_a_token_also_where_it_is_cut(parts, is_kept, number):
    text, tokens = "".join(parts), (b"<|end|>", b"<|x|>")
    if is_kept:
        layout.utf8_memory(text)
    is_special = "<|x|>" in text
    assert ENCODER.holds(text, tokens) is is_special
    with pytest.raises(threads.IsSpecial) if is_special else nullcontext():
        ids, ends = ENCODER.encode_batch_to_numpy([text, "low"], number, tokens=tokens)
        assert of_batch(ids, ends) == by_themselves(ENCODER, [text, "low"])


def test_what_another_text_left_in_memory_is_not_special():
    with pytest.raises(threads.IsSpecial):
        ENCODER.count_batch(["中" + "=" * 400 + "<|=|>" + "=" * 400], tokens=(b"<|=|>",))
    text = "<|中" + "=" * 200
    assert ENCODER.count_batch([text], tokens=(b"<|=|>",)).tolist() == [len(ENCODER.encode(text))]


def test_ids_wait_until_those_before_them_are_counted(monkeypatch):
    texts = ["low lower", "南京 "] * 20
    job = threads._Job(ENCODER._workspaces, texts, 1, (), counts=False)
    job._shared[layout.NEXT] = 1  # another thread has taken the first block
    first, rest = texts[: job._blocks[1]], texts[job._blocks[1] :]
    size = sum(map(ENCODER.count, first))
    pauses = []

    def sleep(seconds):
        pauses.append(seconds)
        job._sizes[0] = size + 1  # and has encoded it

    monkeypatch.setattr(threads.time, "sleep", sleep)
    job._encode()
    assert len(pauses) == 1
    job.counts[0] = size
    assert job.ids()[size:].tolist() == list(chain(*by_themselves(ENCODER, rest)))


def test_an_error_in_one_thread_is_raised_and_ends_the_others(monkeypatch):
    def no_memory(workspace, most):
        raise BPEError("no memory")

    ENCODER._workspaces.idle.clear()
    monkeypatch.setattr(workspace.Workspace, "make_text_room", no_memory)
    with pytest.raises(BPEError, match="no memory"):
        ENCODER.encode_batch_to_numpy(["low " * 300] * 8, 4)
    monkeypatch.undo()
    assert ENCODER.count_batch(["low " * 300] * 8, 4).sum() == 8 * 301


def test_strings_laid_out_in_another_way_are_not_read(monkeypatch):
    assert layout.string_layout() is not None
    layout.string_layout.cache_clear()
    monkeypatch.setattr(layout, "_LENGTH", 24)  # as where each object has more fields
    assert layout.string_layout() is None
    layout.string_layout.cache_clear()


@given(st.text(st.sampled_from("ab Zé南京市长\n1\u0301😀𝕏ÿ\x00"), max_size=60))
def test_spans_are_those_of_the_slow_twin(text):
    ids = ENCODER.encode_to_numpy(text)
    expected = character_spans([SLOW.token_bytes(token_id) for token_id in ids.tolist()])
    assert list(map(tuple, ENCODER.spans(text, ids).tolist())) == expected

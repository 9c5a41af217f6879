"""Batches as arrays and counts, offsets as arrays: those of each text alone, for every encoder."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe import compiled, limits
from bpe.documents import samples
from bpe.errors import BPEError

TEXTS = ["", "low lower", samples.corpus("zh")[:500], "naïve é <thin> 😀", "a\ud800b", "x" * 3_000]
ENCODERS = [bpe.encoding(name) for name in ("cl100k_base", "qwen3", "llama2", "gemma3", "gpt2")]
ENCODERS += [
    bpe.train(TEXTS[1:3], bpe.Recipe(vocabulary_size=300)),
    bpe.train(TEXTS[1:3], bpe.Recipe(algorithm="character-bpe", merges=9, unknown="<unk>")),
]


@pytest.mark.parametrize("encoder", ENCODERS, ids=lambda encoder: encoder.name)
@pytest.mark.parametrize("texts", [TEXTS, TEXTS[:4] * 3, []], ids=["all", "scalar", "none"])
def test_of_many_texts_each_has_its_ids(encoder, texts):
    expected = [encoder.encode(text) for text in texts]
    batch = encoder.encode_batch_to_numpy(iter(texts), num_threads=2)
    assert (batch.ids.dtype, batch.ends.dtype) == (np.int32, np.int64)
    assert [part.tolist() for part in np.split(batch.ids, batch.ends)[:-1]] == expected
    counts = encoder.count_batch(texts, num_threads=2)
    assert (counts.dtype, counts.tolist()) == (np.int64, list(map(len, expected)))
    assert encoder.encode_batch(texts) == expected


def test_special_tokens_are_refused_or_allowed_as_by_encode():
    for name in ("cl100k_base", "llama2"):
        encoder = bpe.encoding(name)
        token = next(iter(encoder.special_tokens))
        texts = ["low", f"low {token} lower", "<| <"]
        with pytest.raises(BPEError, match="special token"):
            encoder.encode_batch_to_numpy(texts)
        for allowed in ("all", ()):
            special = {"allowed_special": allowed, "disallowed_special": ()}
            ids, ends = encoder.encode_batch_to_numpy(texts, **special)
            expected = [encoder.encode(text, **special) for text in texts]
            assert [part.tolist() for part in np.split(ids, ends)[:-1]] == expected
        assert encoder.count_batch(texts).tolist() == list(map(encoder.count, texts))


@pytest.mark.parametrize("encoder", ENCODERS[:-1], ids=lambda encoder: encoder.name)
def test_offsets_as_arrays_are_those_of_the_lists(encoder):
    for text in (*TEXTS[:4], TEXTS[2] * 100, "e\u0301 low"):
        ids, spans = encoder.encode_to_numpy(text, offsets=True)
        assert (ids.tolist(), list(map(tuple, spans.tolist()))) == encoder.encode_with_offsets(text)


_PARTS = ["e\u0301", "q\u0307\u0323", "\u1112\u1161\u11ab", "가\u11a8", "\u212b", "\u0958"]
_PARTS += ["\u0301", "é", "中", " low", "\n", "\u1100", "가", "😀"]


@pytest.mark.parametrize("name", ["qwen3", "qwen3_5"])
@given(parts=st.lists(st.sampled_from(_PARTS), min_size=1, max_size=30))
def test_offsets_of_text_that_is_composed_are_those_of_its_characters(name, parts):
    compiled.warm(background=False, part="encode")
    encoder, text = bpe.encoding(name), "".join(parts)
    encoder.engine.exchange()
    expected = encoder._spans_of_bytes(text)
    ids, spans = encoder._backend.spans(text)
    assert (ids.tolist(), list(map(tuple, spans.tolist()))) == expected
    assert encoder.encode_with_offsets(text) == expected


def test_a_number_of_threads_is_set_by_call_program_or_environment(monkeypatch):
    monkeypatch.setattr(limits, "_threads", 0)
    monkeypatch.setenv("BPE_NUM_THREADS", "3")
    assert limits.num_threads() == 3
    bpe.set_num_threads(2)
    assert (limits.num_threads(), limits.num_threads(5)) == (2, 5)
    for wrong in (0, -1, 1.5, "2", True):
        with pytest.raises(BPEError, match="number of threads"):
            bpe.set_num_threads(wrong)
        with pytest.raises(BPEError, match="number of threads"):
            ENCODERS[0].count_batch(["low"], num_threads=wrong)
    bpe.set_num_threads(None)
    monkeypatch.setenv("BPE_NUM_THREADS", "many")
    assert limits.num_threads() == limits.cores() >= 1


@pytest.mark.parametrize(
    ("files", "most"),
    [
        ({"cpu.max": "150000 100000"}, 2),
        ({"cpu.max": "max 100000"}, 64),
        ({"cpu.cfs_quota_us": "100000", "cpu.cfs_period_us": "100000"}, 1),
        ({"cpu.cfs_quota_us": "-1", "cpu.cfs_period_us": "100000"}, 64),
        ({}, 64),
    ],
)
def test_the_quota_of_a_container_bounds_the_cores(files, most, tmp_path, monkeypatch):
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    monkeypatch.setattr(limits, "_groups", lambda controller: [tmp_path])
    monkeypatch.setattr(limits.os, "sched_getaffinity", lambda process: range(64), raising=False)
    limits.cores.cache_clear()
    assert limits.cores() == most
    limits.cores.cache_clear()

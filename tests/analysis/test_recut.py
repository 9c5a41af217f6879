"""Cutting again only what changed gives the tokens that cutting everything gives."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe.algorithm.recipe import Recipe
from bpe.analysis import segmentation
from bpe.analysis.segmentation import recut, segment
from bpe.documents import samples
from bpe.encoders import catalog

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


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(st.text(alphabet="ab 中文，\n'1", max_size=12), min_size=2, max_size=6))
def test_edit_after_edit_of_short_texts(texts):
    encoder = bpe.train([samples.corpus("zh")], Recipe(vocabulary_size=400))
    cut = segment(encoder, "")
    for old, new in zip(["", *texts], texts, strict=False):
        cut = recut(encoder, cut, old, new)
        assert list(cut.ids) == encoder.encode(new)


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

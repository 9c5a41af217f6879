"""A text that is edited: its ids after each step are those of the whole text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.documents import samples
from bpe.encoders import backend
from bpe.errors import BPEError

ENCODERS = ("cl100k_base", "o200k_base", "deepseek_v3", "qwen3", "gpt2", "llama2")
LONG = [samples.corpus(language)[:300] for language in ("zh", "en")]
PIECES = st.sampled_from(["<|endoftext|>", "<|im_start|>", "<think>", *LONG])
PIECES |= st.text(st.sampled_from("ab Z,.南京市长，\n1é\u0301😀<|>\ud800"), max_size=60)
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 80), PIECES), max_size=8)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(backend, "_PART", 12)


@pytest.mark.parametrize("name", ENCODERS)
@given(PIECES, EDITS)
def test_after_each_edit_the_ids_are_those_of_the_text(name, text, edits):
    encoder = bpe.encoding(name)
    edited = encoder.session(text)
    for place, removed, inserted in edits:
        before = edited.text
        start = round(place * len(before))
        end = min(start + removed, len(before))
        edited.edit(start, end, inserted)
        inserted = inserted.replace("\ud800", "\ufffd")
        assert edited.text == before[:start] + inserted + before[end:]
        assert edited.ids == encoder.encode_ordinary(edited.text)
        assert (len(edited), edited.count) == (len(edited.text), len(edited.ids))


def test_appending_is_an_edit_at_the_end_and_few_parts_are_encoded_again(monkeypatch):
    encoder = bpe.encoding("cl100k_base")
    chat = encoder.session(samples.corpus("en"))
    encoded = []
    encode = chat._encode
    monkeypatch.setattr(chat, "_encode", lambda parts: encoded.extend(parts) or encode(parts))
    chat.append(" and 一 more")
    chat.edit(1_000, 1_001, "x")
    assert sum(map(len, encoded)) < 600
    assert chat.ids == encoder.encode_ordinary(chat.text)


@pytest.mark.parametrize("span", [(-1, 0), (2, 1), (0, 4), (0.0, 1), (None, 1)])
def test_a_span_outside_of_the_text_is_refused(span):
    with pytest.raises(BPEError, match="has no characters from"):
        bpe.encoding("gpt2").session("low").edit(*span, "x")

"""The compiled word counter counts what the slow one does, in the same order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe import pretokenize, samples
from bpe.kernels import counting
from bpe.pretokenize import PATTERNS

SPECIALS = ("<|end|>", "中")
texts = st.lists(st.text("ab中 \n'1!\u3000ſT/", max_size=40) | st.text(max_size=20), max_size=6)


def assert_same(documents, pattern, **options):
    slow = pretokenize.count_words(documents, pattern, **options)
    fast = counting.count_words(iter(documents), pattern, **options)
    assert list(fast.items()) == list(slow.items())


@settings(max_examples=200, deadline=None)
@given(
    documents=texts,
    pattern=st.sampled_from(list(PATTERNS)),
    specials=st.sampled_from([(), SPECIALS]),
    normalisation=st.sampled_from(["none", "NFC", "NFKC+lowercase", "strip-punctuation"]),
)
def test_any_text(documents, pattern, specials, normalisation):
    assert_same(documents, pattern, special_tokens=specials, normalisation=normalisation)


@pytest.fixture
def small_chunks(monkeypatch):
    """Cut everywhere, so that short texts go through many chunks and threads."""
    monkeypatch.setattr(counting, "CHUNK_CHARACTERS", 4)
    monkeypatch.setattr(counting.cut_safely, "__defaults__", (4,))


@pytest.mark.usefixtures("small_chunks")
@settings(max_examples=200, deadline=None)
@given(documents=texts, pattern=st.sampled_from(["gpt2", "cl100k", "o200k"]))
def test_cutting_at_safe_borders_changes_nothing(documents, pattern):
    assert_same(documents, pattern)


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("pattern", ["gpt2", "cl100k", "o200k"])
@pytest.mark.parametrize("language", ["zh", "en", "zh_hant"])
def test_real_text(pattern, language):
    assert_same([samples.corpus(language)], pattern)


def test_a_table_grows_for_one_long_word_and_for_many_words():
    assert_same(["a" * 300_000, " ".join(map(str, range(60_000)))], "gpt2")


def test_lone_surrogates_are_mended_as_in_the_slow_counter():
    assert_same(["a\ud83d\ude00b \ud83d", "\ude00 \ud83d"], "gpt2")


def test_pieces_are_cut_at_borders_and_give_the_text_again():
    text = "words and 汉字。\n更多。\n" * 1000
    pieces = list(counting.cut_safely(text, 100))
    assert "".join(pieces) == text
    assert len(pieces) > 50
    assert list(counting.cut_safely("x" * 1000, 100)) == ["x" * 1000]


def test_a_file_is_streamed_without_changing_what_is_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(counting, "CHUNK_CHARACTERS", 512)
    path = tmp_path / "corpus.txt"
    text = samples.corpus("zh") + samples.corpus("en")
    path.write_text(text, encoding="utf-8", newline="")
    pieces = list(counting.stream(path))
    assert "".join(pieces) == text
    assert len(pieces) > 10
    slow = pretokenize.count_words([text], "o200k")
    assert list(counting.count_words(pieces, "o200k").items()) == list(slow.items())

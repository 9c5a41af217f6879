"""Every byte-level learner gives the merges of the naive one, and of the lecture."""

from hypothesis import given
from hypothesis import strategies as st

from bpe import incremental, naive
from bpe.pairs import TIE_BREAKS
from bpe.pretokenize import PATTERNS, count_words
from bpe.recipe import Recipe

LEARNERS = {"naive": naive.learn, "incremental": incremental.learn}
small_words = st.dictionaries(
    st.text("ab中", min_size=1, max_size=12).map(str.encode), st.integers(1, 5), max_size=8
)


@given(words=small_words, tie_break=st.sampled_from(TIE_BREAKS), least=st.integers(1, 4))
def test_incremental_makes_the_merges_of_naive(words, tie_break, least):
    recipe = Recipe(tie_break=tie_break, min_frequency=least, special_tokens=("<s>",))
    assert list(incremental.learn(words, recipe)) == list(naive.learn(words, recipe))


@given(
    texts=st.lists(st.text(max_size=40), max_size=4),
    pattern=st.sampled_from(list(PATTERNS)),
    tie_break=st.sampled_from(TIE_BREAKS),
)
def test_they_agree_on_any_unicode_text_under_every_pattern(texts, pattern, tie_break):
    words = count_words(texts, pattern)
    recipe = Recipe(pattern=pattern, tie_break=tie_break, merges=30)
    assert list(incremental.learn(words, recipe)) == list(naive.learn(words, recipe))

"""Superwords and parity: the obvious learner and the fast one agree, and files say the same."""

import pytest
import tokenizers
from hypothesis import strategies as st

import bpe
from bpe import files
from bpe.algorithm.recipe import Recipe
from bpe.documents import samples
from bpe.errors import BPEError
from bpe.training.research import train_parity, train_superwords
from playground.train.proof import AWKWARD

EN = [samples.corpus("en")[:6000]]
PARALLEL = {
    "zh": [pair.zh for pair in samples.pairs()],
    "en": [pair.en for pair in samples.pairs()],
}
words = st.dictionaries(
    st.text("ab中", min_size=1, max_size=8).map(str.encode), st.integers(1, 4), max_size=5
)


def same_ids(tokenizer) -> bool:
    content = files.dumps(tokenizer, "huggingface")["tokenizer.json"]
    theirs = tokenizers.Tokenizer.from_str(content.decode())
    return all(theirs.encode(text).ids == tokenizer.encode(text) for text in (*AWKWARD, *EN))


class TestSuperwords:
    recipe = Recipe(merges=120, min_frequency=2)

    def test_the_fast_learner_makes_the_merges_of_the_obvious_one(self):
        texts = ["of the day of the week of the year\n" * 3, "看路，看天。看路，看天。"]
        recipe = Recipe(merges=20, min_frequency=2)
        naive = train_superwords(texts, recipe, learner="naive")
        assert train_superwords(texts, recipe, learner="incremental").merges == naive.merges

    def test_later_tokens_reach_across_words_and_earlier_ones_do_not(self):
        tokenizer = train_superwords(EN, self.recipe, subwords=0.5)
        tokens = [tokenizer.token_bytes(merge.new_id) for merge in tokenizer.merges]
        across = [token for token in tokens if b" " in token.strip(b" ")]
        assert across
        assert not set(across) & set(tokens[:60])
        assert len(tokens) == 120

    def test_they_save_tokens(self):
        plain = bpe.train(EN, self.recipe)
        assert len(train_superwords(EN, self.recipe).encode(EN[0])) < len(plain.encode(EN[0]))

    def test_hugging_face_gives_the_same_ids(self):
        assert same_ids(train_superwords(EN, self.recipe, subwords=0.5))

    def test_the_share_is_a_part_of_the_recipe(self):
        digests = {
            train_superwords(EN, self.recipe, subwords=share).training.recipe.digest
            for share in (0.5, 0.8)
        }
        assert len(digests | {self.recipe.digest}) == 3

    def test_none_of_them_is_plain_bpe(self):
        tokenizer = train_superwords(EN, self.recipe, subwords=1.0)
        assert tokenizer.merges == bpe.train(EN, self.recipe).merges


class TestParity:
    def test_it_brings_the_languages_together(self):
        recipe = Recipe(merges=300)
        plain, _ = train_parity(PARALLEL, recipe, global_share=1.0)
        fair, chosen = train_parity(PARALLEL, recipe)

        def premium(tokenizer) -> float:
            zh, en = (sum(map(tokenizer.count, texts)) for texts in PARALLEL.values())
            return zh / en

        assert abs(premium(plain) - 1) > 0.04
        assert abs(premium(fair) - 1) < 0.01
        assert set(chosen) == {"zh", "en"}

    def test_share_and_languages_are_a_part_of_recipe_corpus_and_file(self):
        recipe = Recipe(merges=20)
        fair, _ = train_parity(PARALLEL, recipe)
        half, _ = train_parity(PARALLEL, recipe, global_share=0.5)
        every = [*PARALLEL["zh"], *PARALLEL["en"]]
        other, _ = train_parity({"zh": every[:5], "en": every[5:]}, recipe)
        assert len({fair.digest, half.digest, other.digest}) == 3
        assert len({fair.recipe.digest, half.recipe.digest, recipe.digest}) == 3
        assert fair.corpus_digest != other.corpus_digest
        assert files.loads(files.dumps(fair)).recipe == fair.recipe
        assert fair.recipe.languages == ("zh", "en")

    def test_training_by_its_recipe_says_how(self):
        fair, _ = train_parity(PARALLEL, Recipe(merges=5))
        with pytest.raises(BPEError, match="train_parity"):
            bpe.train(EN, fair.recipe)
        assert train_parity(PARALLEL, fair.recipe)[0] == fair

    def test_all_merges_global_is_plain_bpe(self):
        texts = [*PARALLEL["zh"], *PARALLEL["en"]]
        recipe = Recipe(merges=100)
        tokenizer, chosen = train_parity(PARALLEL, recipe, global_share=1.0)
        assert tokenizer.merges == bpe.train(texts, recipe).merges
        assert set(chosen) == {""}

    def test_hugging_face_gives_the_same_ids(self):
        tokenizer, _ = train_parity(PARALLEL, Recipe(merges=100))
        assert same_ids(tokenizer)


@pytest.mark.parametrize("pattern", ["gpt2", "o200k"])
def test_whole_characters_have_the_same_ids_there(pattern):
    recipe = Recipe(merges=300, whole_characters=True, pattern=pattern)
    assert same_ids(bpe.train([*PARALLEL["zh"], *EN], recipe))

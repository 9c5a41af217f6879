"""Superwords and parity: the slow learner and the fast one agree, and files say the same."""

import pytest
import tokenizers

import bpe
from bpe import files
from bpe.algorithm.recipe import Recipe
from bpe.documents import samples
from bpe.errors import BPEError
from bpe.training.train import Training
from tests.support.awkward import AWKWARD

EN = [samples.corpus("en")[:6000]]
PARALLEL = {
    "zh": [pair.zh for pair in samples.pairs()],
    "en": [pair.en for pair in samples.pairs()],
}


def same_ids(tokenizer) -> bool:
    content = files.dumps(tokenizer, "huggingface")["tokenizer.json"]
    theirs = tokenizers.Tokenizer.from_str(content.decode())
    return all(theirs.encode(text).ids == tokenizer.encode(text) for text in (*AWKWARD, *EN))


class TestSuperwords:
    def recipe(self, share: float = 0.5, **more) -> Recipe:
        options = {"merges": 120, "min_frequency": 2} | more
        return Recipe(algorithm="superwords", share=share, **options)

    def test_the_fast_learners_make_the_merges_of_the_slow_one(self):
        texts = ["of the day of the week of the year\n" * 3, "看路，看天。看路，看天。"]
        naive = bpe.train(texts, self.recipe(0.8, merges=20), learner="naive")
        for learner in ("incremental", "compiled"):
            tokenizer = bpe.train(texts, self.recipe(0.8, merges=20), learner=learner)
            assert tokenizer.merges == naive.merges

    def test_later_tokens_reach_across_words_and_earlier_ones_do_not(self):
        tokenizer = bpe.train(EN, self.recipe())
        tokens = [tokenizer.token_bytes(merge.new_id) for merge in tokenizer.merges]
        across = [token for token in tokens if b" " in token.strip(b" ")]
        assert across
        assert not set(across) & set(tokens[:60])
        assert len(tokens) == 120
        plain = bpe.train(EN, Recipe(merges=120, min_frequency=2))
        assert len(tokenizer.encode(EN[0])) < len(plain.encode(EN[0]))
        assert same_ids(tokenizer)
        assert tokenizer.training.recipe == self.recipe()
        assert tokenizer.training.corpus_digest == plain.corpus_digest

    def test_none_of_them_is_plain_bpe(self):
        tokenizer = bpe.train(EN, self.recipe(1.0))
        assert tokenizer.merges == bpe.train(EN, Recipe(merges=120, min_frequency=2)).merges
        with pytest.raises(BPEError, match="need a number of merges"):
            bpe.train(EN, self.recipe(merges=None))

    def test_it_can_be_watched_and_stopped_anywhere(self):
        training = Training(EN, self.recipe())
        steps = iter(training)
        for made in range(1, 121):
            next(steps)
            if made in (30, 60, 90):
                assert len(training.tokenizer().merges) == made
        assert training.tokenizer().merges == bpe.train(EN, self.recipe()).merges


class TestParity:
    def recipe(self, share: float = 0, merges: int = 300) -> Recipe:
        return Recipe(algorithm="parity", share=share, merges=merges)

    @pytest.mark.parametrize("share", [0, 0.5, 1])
    def test_the_fast_learner_makes_the_merges_of_the_slow_one(self, share):
        slow = list(Training(PARALLEL, self.recipe(share, 20), learner="naive"))
        assert list(Training(PARALLEL, self.recipe(share, 20))) == slow

    def test_it_brings_the_languages_together(self):
        plain = bpe.train(PARALLEL, self.recipe(1))
        training = Training(PARALLEL, self.recipe())
        tokenizer = training.finished()

        def premium(tokenizer) -> float:
            zh, en = (sum(map(tokenizer.count, texts)) for texts in PARALLEL.values())
            return zh / en

        assert abs(premium(plain) - 1) > 0.04
        assert abs(premium(tokenizer) - 1) < 0.01
        assert set(training.chosen_by) == {0, 1}
        texts = [*PARALLEL["zh"], *PARALLEL["en"]]
        assert training.documents == len(texts)
        assert training.corpus_bytes == sum(len(text.encode()) for text in texts)

    def test_share_and_corpus_are_a_part_of_its_identity_and_file(self):
        fair, half = (bpe.train(PARALLEL, self.recipe(share, 20)) for share in (0, 0.5))
        every = [*PARALLEL["zh"], *PARALLEL["en"]]
        other = bpe.train({"zh": every[:5], "en": every[5:]}, self.recipe(0, 20))
        assert len({fair.digest, half.digest, other.digest}) == 3
        assert fair.corpus_digest != other.corpus_digest
        assert files.loads(files.dumps(fair)).recipe == fair.recipe

    @pytest.mark.parametrize("corpus", [EN, {"en": EN}, bpe.count_words(EN, Recipe())])
    def test_it_takes_the_texts_of_each_language(self, corpus):
        with pytest.raises(BPEError, match="of two at least|as a list of texts"):
            bpe.train(corpus, self.recipe())

    def test_all_merges_for_all_languages_is_plain_bpe_and_files_have_the_same_ids(self):
        texts = [*PARALLEL["zh"], *PARALLEL["en"]]
        tokenizer = bpe.train(PARALLEL, self.recipe(1, 100))
        assert tokenizer.merges == bpe.train(texts, Recipe(merges=100)).merges
        assert same_ids(bpe.train(PARALLEL, self.recipe(0, 100)))

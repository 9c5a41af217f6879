"""Every byte-level learner gives the merges of the naive one, and of the lecture."""

import pytest

from bpe.algorithm import incremental
from bpe.algorithm.pair_index import PairIndex
from bpe.algorithm.recipe import Merge, Recipe
from bpe.text.pretokenize import count_words, split
from bpe.text.special_tokens import split_specials
from bpe.training.algorithms.byte_bpe import learn_by_recounting

LEARNERS = {"naive": learn_by_recounting, "incremental": incremental.learn}


class TestTheLectureCorpus:
    """``intj … tech … Héllò hôw … are ü?`` with its positions, counts and first merge."""

    text = (
        "intj intj intj intj intj tech tech<|endoftext|>\n\n"
        "Héllò hôw <|endoftext|><|endoftext|> are ü?"
    )
    recipe = Recipe(special_tokens=("<|endoftext|>",))

    def corpus_in_reading_order(self):
        """Words as the lecture lays them out: each occurrence on its own, one after another."""
        pieces = []
        for part, special in split_specials(self.text, self.recipe.special_tokens):
            pieces += [] if special else [(piece.encode(), 1) for piece in split(part, "gpt2")]
        return pieces

    def test_positions_and_counts_before_the_first_merge(self):
        # The lecture numbers the bytes of special tokens too; they hold no pair.
        spelling = {byte: bytes([byte]) for byte in range(256)}
        index = PairIndex(self.corpus_in_reading_order(), spelling, "lexicographic")
        assert list(index.positions[105, 110]) == [0, 5, 10, 15, 20]
        assert list(index.positions[116, 106]) == [2, 7, 12, 17, 22]
        assert list(index.positions[32, 105]) == [4, 9, 14, 19]
        assert list(index.positions[32, 116]) == [24, 29]
        assert list(index.positions[99, 104]) == [27, 32]
        counts = {
            (105, 110): 5, (110, 116): 5, (116, 106): 5, (32, 105): 4, (32, 116): 2,
            (116, 101): 2, (101, 99): 2, (99, 104): 2, (72, 195): 1, (195, 169): 1,
            (169, 108): 1, (108, 108): 1, (108, 195): 1, (195, 178): 1, (32, 104): 1,
            (104, 195): 1, (195, 180): 1, (180, 119): 1, (32, 97): 1, (97, 114): 1,
            (114, 101): 1, (32, 195): 1, (195, 188): 1,
        }  # fmt: skip
        assert index.counts == counts
        assert list(index.next_place[:5]) == [1, 2, 3, -1, 5]

    @pytest.mark.parametrize("learn", LEARNERS.values(), ids=LEARNERS)
    def test_the_first_merge_is_t_j(self, learn):
        words = count_words([self.text], "gpt2", special_tokens=self.recipe.special_tokens)
        assert next(learn(words, self.recipe)) == Merge(116, 106, 257, 5)

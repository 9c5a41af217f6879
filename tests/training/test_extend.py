"""Extending the merges of an encoder: what is learned, which ids it gets, what it encodes."""

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe import compiled
from bpe.algorithm import basic
from bpe.algorithm.basic import merge_pair
from bpe.algorithm.recipe import TIE_BREAKS_OF_ALL, Merge, Recipe
from bpe.documents import samples
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.merge_models import MergeList, RankTable, merge_list
from bpe.errors import BPEError
from bpe.training.algorithms.byte_bpe import learn_by_recounting
from bpe.training.extend import BaseTokenizer
from bpe.training.train import Training, train
from tests.support.learners import interrupted

LEARNERS = ("naive", "incremental", "compiled")
words = st.dictionaries(
    st.text("ab中", min_size=1, max_size=12).map(str.encode), st.integers(1, 5), max_size=8
)


@st.composite
def encoders(draw) -> BytePairEncoder:
    """A small vocabulary: merges or ranks, with tokens that no merge leads to."""
    recipe = Recipe(
        merges=draw(st.integers(0, 8)), tie_break=draw(st.sampled_from(TIE_BREAKS_OF_ALL))
    )
    merges = list(learn_by_recounting(draw(words), recipe))
    spelling = {byte: bytes([byte]) for byte in range(256)}
    for merge in merges:
        spelling[merge.new_id] = spelling[merge.left] + spelling[merge.right]
    unmade = draw(st.sets(st.text("ab", min_size=3, max_size=5).map(str.encode), max_size=2))
    whole = {data: 300 + at for at, data in enumerate(sorted(unmade - set(spelling.values())))}
    specials = {"<s>": 310}
    if draw(st.booleans()):
        ranks = {data: token_id for token_id, data in spelling.items()} | whole
        return BytePairEncoder("ranks", RankTable(ranks), "gpt2", special_tokens=specials)
    model = MergeList(merges, whole=whole)
    return BytePairEncoder("merges", model, "gpt2", special_tokens=specials)


class TestLearning:
    @settings(max_examples=150, deadline=None)
    @given(
        start=encoders(),
        words=words,
        tie_break=st.sampled_from(TIE_BREAKS_OF_ALL),
        least=st.integers(1, 3),
        merges=st.none() | st.integers(0, 12),
    )
    def test_every_learner_makes_the_merges_of_the_obvious_one(
        self, start, words, tie_break, least, merges
    ):
        recipe = Recipe(merges=merges, tie_break=tie_break, min_frequency=least)
        made = {name: list(Training(words, recipe, start=start, learner=name)) for name in LEARNERS}
        assert made["incremental"] == made["naive"]
        assert made["compiled"] == made["naive"]
        with interrupted():
            again = list(Training(words, recipe, start=start, learner="compiled"))
        assert again == made["naive"]

    @settings(max_examples=100, deadline=None)
    @given(start=encoders(), words=words)
    def test_words_are_encoded_to_what_training_left_of_them(self, start, words):
        vocabulary = list(BaseTokenizer(start, Recipe()).vocabulary)
        left = {word: start.encode_word(word) for word in words}
        encoded = {tuple(start.encode_word(word)): count for word, count in words.items()}
        for one, other, new, _ in basic.train(encoded, vocabulary, 10**6):
            left = {word: merge_pair(ids, (one, other), new) for word, ids in left.items()}
        tokenizer = train(words, Recipe(), start=start, learner="incremental")
        spelled = {word: [vocabulary[token] for token in ids] for word, ids in left.items()}
        assert spelled == {
            word: [tokenizer.token_bytes(token) for token in tokenizer.encode_word(word)]
            for word in words
        }

    @settings(max_examples=100, deadline=None)
    @given(start=encoders(), words=words)
    def test_every_new_token_is_reached_by_its_own_bytes(self, start, words):
        tokenizer = train(words, Recipe(), start=start, learner="compiled")
        for token in tokenizer.training.new_ids:
            assert tokenizer.encode_word(tokenizer.token_bytes(token)) == [token]

    def test_bytes_alone_are_a_start_like_any_other(self):
        start = BytePairEncoder("bytes", MergeList([]), "gpt2")
        texts = ["low low lower newest newest", "看路，看天。"]
        merges = train(texts, Recipe(merges=9), start=start).training.merges
        assert merges == train(texts, Recipe(merges=9)).merges


LOW = ["low low low low low lower lower newest newest newest widest"]


class TestIds:
    def test_old_ids_stay_and_new_ones_follow_the_special_tokens(self):
        start = bpe.encoding("gpt2")
        recipe = Recipe(merges=3, special_tokens=("<|endoftext|>", "<|mine|>"))
        tokenizer = train(["龘靐 龘靐 龘靐"], recipe, start=start)
        assert tokenizer.special_tokens == {"<|endoftext|>": 50256, "<|mine|>": 50257}
        assert [merge.new_id for merge in tokenizer.training.merges] == [50258, 50259, 50260]
        assert tokenizer.vocabulary_size == 50261
        old = range(0, 50257, 97)
        assert [tokenizer.token_bytes(i) for i in old] == [start.token_bytes(i) for i in old]
        assert tokenizer.encode("hello world") == start.encode("hello world")

    def test_a_vocabulary_size_counts_what_is_there(self):
        start = bpe.encoding("gpt2")
        tokenizer = train(["龘靐 龘靐 龘靐"], Recipe(vocabulary_size=50259), start=start)
        assert tokenizer.vocabulary_size == 50259
        with pytest.raises(BPEError, match=r"gpt2 has 50257 tokens already"):
            train(LOW, Recipe(vocabulary_size=1000), start=start)

    def test_a_merge_may_make_a_token_that_nothing_led_to(self):
        ranks = {bytes([byte]): byte for byte in range(256)} | {b"low": 256}
        start = BytePairEncoder("ranks", RankTable(ranks), "gpt2")
        assert start.encode("slow") == list(b"slow")
        tokenizer = train({"slow": 2, "flow": 1}, Recipe(merges=2), start=start)
        assert tokenizer.training.merges == (Merge(111, 119, 257, 3), Merge(108, 257, 256, 3))
        assert tokenizer.encode("slow low") == [115, 256, 32, 256]
        assert tokenizer.training.new_ids == (257,)

    def test_it_can_be_gone_on_from_again(self):
        once = train(LOW, Recipe(merges=2), start=train(LOW, Recipe(merges=3)))
        twice = train(LOW, Recipe(merges=3), start=once)
        assert [tuple(merge)[:2] for merge in twice.merges] == [
            tuple(merge)[:2] for merge in train(LOW, Recipe(merges=8)).merges
        ]


class TestTexts:
    def test_the_start_says_how_text_is_normalised_and_cut(self):
        start = train(["x"], Recipe(merges=0, pattern="whitespace", normalisation="lowercase"))
        tokenizer = train(["LOW-low<s>LOW-low"], Recipe(special_tokens=("<s>",)), start=start)
        assert tokenizer.token_bytes(tokenizer.training.new_ids[-1]) == b"low-low"
        assert tokenizer.normalises == "lowercase"
        assert tokenizer.training.recipe.pattern == "whitespace"
        assert len(tokenizer.encode("Low-LOW")) == 1

    def test_progress_and_the_reason_to_stop(self):
        start = bpe.encoding("gpt2")
        told = []
        training = Training(
            [samples.corpus("zh")], Recipe(merges=50), start=start, on_progress=told.append
        )
        assert len(list(training)) == 50
        assert (training.share, training.stop_reason) == (1, "merges")
        assert {progress.phase for progress in told} >= {"indexing", "merging"}
        assert train(LOW, Recipe(min_frequency=99), start=start).training.merges == ()


class TestWhatCannotBeExtended:
    def test_other_kinds_of_tokenizers(self):
        with pytest.raises(BPEError, match=r"Only a byte-level BPE .* “gemma3” is none"):
            train(LOW, Recipe(merges=1), start=bpe.encoding("gemma3"))

    def test_other_algorithms(self):
        with pytest.raises(BPEError, match=r"Only byte-level BPE can extend"):
            train(LOW, Recipe(algorithm="character-bpe"), start=bpe.encoding("gpt2"))

    @pytest.mark.parametrize("other", [{"pattern": "o200k"}, {"normalisation": "NFKC"}])
    def test_a_recipe_that_cuts_in_another_way(self, other):
        with pytest.raises(BPEError, match=r"gpt2 splits and normalises text in its own way"):
            train(LOW, Recipe(merges=1, **other), start=bpe.encoding("gpt2"))

    def test_merges_that_use_tokens_which_their_bytes_do_not_lead_to(self):
        # “bc” is made before “ab”, so that “abc” is never “ab” + “c”; and then a merge needs “abc”.
        merges = [Merge(98, 99, 256, 0), Merge(97, 98, 257, 0), Merge(257, 99, 258, 0)]
        merges.append(Merge(258, 100, 259, 0))
        start = BytePairEncoder("odd", MergeList(merges), "gpt2")
        with pytest.raises(BPEError, match=r"its merges use token 258"):
            train({"abc": 2}, Recipe(merges=1), start=start)


class TestTheListOfMerges:
    texts = (samples.corpus("zh")[:3000], samples.corpus("en")[:3000], "a" * 40, "  \n\n  x")

    @pytest.mark.parametrize("name", ["gpt2", "glm4", "llama3"])
    def test_it_gives_the_ids_of_the_ranks(self, name):
        start = bpe.encoding(name)
        listed = BytePairEncoder(name, merge_list(start.model), start.pattern)
        for text in self.texts:
            assert listed.encode(text) == start.encode(text)

    @settings(max_examples=100, deadline=None)
    @given(start=encoders())
    def test_plain_python_recovers_the_same(self, start):
        quickly = merge_list(start.model)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compiled, "cached", lambda part: False)
            slowly = merge_list(pickle.loads(pickle.dumps(start)).model)
        assert slowly.merges == quickly.merges
        assert slowly.whole == quickly.whole


def test_what_was_extended_is_a_part_of_the_record():
    recipe = Recipe(merges=1)
    own = train(LOW, recipe)
    records = [train(LOW, recipe, start=start).training for start in (bpe.encoding("gpt2"), own)]
    assert [record.start for record in records] == ["gpt2", own.identity]
    assert train(LOW, records[1].recipe, start=own).training == records[1]
    with pytest.raises(BPEError, match="Hugging Face breaks ties so in plain"):
        train(LOW, Recipe(merges=1, tie_break="huggingface"), start=own)


@pytest.mark.parametrize("name", ["gpt2", "openai-community/gpt2"])
def test_the_start_may_be_named(name):
    by_name = train(LOW, Recipe(merges=2), start=name)
    assert (
        by_name.training.merges
        == train(LOW, Recipe(merges=2), start=bpe.encoding("gpt2")).training.merges
    )


def test_a_file_is_a_start_like_any_other(tmp_path):
    path = tmp_path / "tokenizer.json"
    bpe.save(train(LOW, Recipe(merges=4, special_tokens=("<s>",))), path, format="huggingface")
    tokenizer = train(LOW, Recipe(merges=2), start=bpe.load(path))
    assert len(tokenizer.merges) == 6
    bpe.save(tokenizer, path, format="huggingface")
    assert bpe.load(path).encode(LOW[0]) == tokenizer.encode(LOW[0])

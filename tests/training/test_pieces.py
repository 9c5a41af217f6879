"""WordPiece, SentencePiece's BPE and Unigram trained on the samples: encoders like any other."""

import pickle
import re
from collections import Counter
from dataclasses import replace
from itertools import chain

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.algorithm import wordpiece
from bpe.algorithm.encoding_steps import in_list_order, longest_match
from bpe.algorithm.recipe import Recipe
from bpe.documents import samples
from bpe.errors import BPEError
from bpe.training.algorithms import algorithm_of, pieces, unigram
from bpe.training.train import Training, train

CORPUS = [samples.corpus("zh"), samples.corpus("en")]
ALGORITHMS = ["wordpiece", "sentencepiece-bpe", "unigram"]


def recipe(algorithm, **options) -> Recipe:
    return Recipe(**{"algorithm": algorithm, "vocabulary_size": 2_000, **options})


@pytest.fixture(scope="module")
def trained():
    return {algorithm: train(CORPUS, recipe(algorithm)) for algorithm in ALGORITHMS}


@pytest.mark.parametrize(
    ("algorithm", "kind"),
    [("wordpiece", "WordPiece"), ("sentencepiece-bpe", "BPE"), ("unigram", "Unigram")],
)
def test_it_is_an_encoder_of_the_size_asked_for(trained, algorithm, kind):
    encoder = trained[algorithm]
    assert isinstance(encoder, bpe.Encoder)
    assert (encoder.kind, encoder.vocabulary_size) == (kind, 2_000)
    assert encoder.provenance == "trained"


@pytest.mark.parametrize("algorithm", ["sentencepiece-bpe", "unigram"])
@pytest.mark.parametrize(
    "text", ["The plan, 1998.", "龘靐", "two  spaces\n\nand lines 市议会\n", "<0x0A>"]
)
def test_with_all_bytes_every_text_comes_back(trained, algorithm, text):
    encoder = trained[algorithm]
    assert not encoder.lossy
    assert encoder.decode(encoder.encode(text)) == text


@pytest.mark.parametrize("algorithm", ["sentencepiece-bpe", "unigram"])
def test_without_a_token_for_a_space_text_is_lost(algorithm):
    encoder = train([], recipe(algorithm))
    assert encoder.decode(encoder.encode("a 中")) == "a中"
    assert encoder.lossy


@pytest.mark.parametrize("algorithm", ["sentencepiece-bpe", "unigram"])
@pytest.mark.parametrize("text", ["<UNK>", "a <UNK> b <UNK><UNK>", "<unk> [UNK] <pad>"])
def test_names_of_special_tokens_are_text_as_any_other(algorithm, text):
    encoder = train([text], recipe(algorithm, vocabulary_size=300))
    assert encoder.decode(encoder.encode(text)) == text


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_with_an_unknown_token_the_vocabulary_may_be_small(algorithm):
    options = recipe(algorithm, vocabulary_size=20, unknown="<unk>", special_tokens=("<s>",))
    encoder = train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, options)
    assert encoder.vocabulary_size <= 20
    assert encoder.lossy
    assert encoder.special_tokens == {"<s>": 0}
    assert encoder.encode("<s>", allowed_special="all") == [0]
    assert b"<unk>" in [encoder.token_bytes(number) for number in encoder.encode("x")]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_unknown_token_may_be_a_special_one(algorithm):
    tokens = {"unknown": "<unk>", "special_tokens": ("<unk>", "<s>")}
    encoder = train(["low lower lowest"] * 3, recipe(algorithm, vocabulary_size=30, **tokens))
    assert encoder.special_tokens == {"<unk>": 0, "<s>": 1}
    assert encoder.encode("X")[-1] == 0
    assert "<unk>" in encoder.decode(encoder.encode("low X"))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_same_recipe_gives_the_same_tokenizer(trained, algorithm):
    again = train(CORPUS, recipe(algorithm))
    assert again == trained[algorithm] == pickle.loads(pickle.dumps(again))
    assert hash(again) == hash(trained[algorithm])
    assert again != train(CORPUS, recipe(algorithm, normalisation="NFKC+strip-punctuation"))


def test_wordpiece_encodes_by_the_longest_match(trained):
    encoder = trained["wordpiece"]
    vocabulary = encoder.values["model"]["vocab"]
    inside = {entry.removeprefix("##") for entry in vocabulary if entry.startswith("##")}
    first = {entry for entry in vocabulary if not entry.startswith("##")}
    for word in ("council", "understanding"):
        (start, *_) = longest_match(word, first)
        rest = [step.token for step in longest_match(word[len(start.token) :], inside)]
        tokens = [encoder.token_bytes(number).decode() for number in encoder.encode(word)]
        assert tokens == [start.token, *rest]


@pytest.mark.parametrize("at_once", [3, 1 << 16])
@given(texts=st.lists(st.text(" ▁\nab,", max_size=20), max_size=3))
def test_words_are_cut_in_parts_as_by_one_expression(at_once, texts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "_AT_ONCE", at_once)
        cut = [list(algorithm_of(recipe("sentencepiece-bpe")).split(text)) for text in texts]
    begun = [text if text[:1] in ("", " ", "▁", "\n") else f"▁{text}" for text in texts]
    slow = [re.findall("\n|▁[^▁\n]*|[^▁\n]+", text.replace(" ", "▁")) for text in begun]
    assert cut == [["▁\n", *words[1:]] if words[:1] == ["\n"] else words for words in slow]
    of_pieces = algorithm_of(recipe("wordpiece"))
    counted = of_pieces.count_words(iter(texts), lambda progress: None, None, None)
    assert list(counted.items()) == list(Counter(chain(*map(of_pieces.split, texts))).items())


def halves() -> tuple[list[str], list[str]]:
    lines = [line for text in CORPUS for line in text.splitlines()]
    return [line for at, line in enumerate(lines) if at % 5], lines[::5]


def test_wordpiece_is_as_good_as_that_of_hugging_face_on_other_text():
    seen, unseen = halves()
    theirs = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="[UNK]"))
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    theirs.train_from_iterator(seen, tokenizers.trainers.WordPieceTrainer(
        vocab_size=2_500, special_tokens=["[UNK]"], show_progress=False))  # fmt: skip
    number = sum(len(encoding.ids) for encoding in theirs.encode_batch(unseen))
    options = recipe("wordpiece", vocabulary_size=2_500)
    assert sum(map(len, train(seen, options).encode_batch(unseen))) <= 1.01 * number
    taught = train(seen, replace(options, score="likelihood"))
    assert sum(map(len, taught.encode_batch(unseen))) > 1.2 * number


def test_sentencepiece_encodes_by_its_merges(trained):
    training = Training(CORPUS, recipe("sentencepiece-bpe"))
    merges = [(merge.left, merge.right) for merge in training]
    encoder = trained["sentencepiece-bpe"]
    for word in ("council", "市议会"):
        start = ["▁", *word]
        steps = list(in_list_order(start, merges))
        tokens = [encoder.token_bytes(number).decode() for number in encoder.encode(word)]
        symbols = steps[-1].after if steps else start
        assert tokens == [symbol.replace("▁", " ") for symbol in symbols]


def test_unigram_says_that_it_is_being_fitted_and_can_be_stopped():
    told = []

    def hear(progress):
        told.append(progress.phase)
        if progress.phase == "fitting":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(Training(CORPUS * 3, recipe("unigram"), on_progress=hear))
    assert told[-1] == "fitting"


@pytest.mark.parametrize(("size", "theirs"), [(2_000, 4_086), (2_990, 3_569)])
def test_unigram_is_as_good_as_that_of_sentencepiece_on_other_text(size, theirs):
    # By sentencepiece 0.2.3: byte_fallback, the rule “identity”, and else what it does by itself.
    seen, unseen = halves()
    encoder = train(seen, recipe("unigram", vocabulary_size=size))
    assert sum(map(len, encoder.encode_batch(unseen))) <= 1.01 * theirs


def test_of_too_many_words_unigram_takes_the_frequent_ones_and_a_sample(monkeypatch):
    monkeypatch.setattr(unigram, "MOST_CHARACTERS", 400)
    words = {f"{number:04}": 1 for number in range(1_000)} | {"low ": 500, "new ": 3, "99看": 1}
    taken = unigram.sampled(words)
    assert (taken["low "], taken["new "]) == (500, 3)
    assert taken["看"] == 1
    assert sum(map(len, taken)) <= 420
    assert sum(taken.values()) == pytest.approx(sum(words.values()), rel=0.05)
    assert unigram.sampled({"low ": 500}) == {"low ": 500}
    said = [Training(each, recipe("unigram", vocabulary_size=300)) for each in (words, {"low": 5})]
    assert [training.sampled for training in said] == [True, False]


def test_unigram_needs_a_size_and_bytes_need_room():
    with pytest.raises(BPEError, match="“unigram” needs a vocabulary size"):
        recipe("unigram", vocabulary_size=None)
    with pytest.raises(BPEError, match="too small"):
        recipe("sentencepiece-bpe", vocabulary_size=200)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_nothing_to_train_on(algorithm):
    encoder = train([""], recipe(algorithm))
    assert encoder.decode(encoder.encode("")) == ""


def test_normalisation_is_part_of_the_file():
    encoder = train(["Low LOW"], recipe("wordpiece", normalisation="lowercase"))
    assert encoder.encode("LOW") == encoder.encode("low")
    assert "lowercase" in encoder.normalises
    assert wordpiece.split_word("low") == ["l", "##o", "##w"]


@pytest.mark.parametrize("word", ["我", "a", "ab", "aa", "abcdefgh", "abcdefghi"])
def test_unigram_of_one_short_word_ends_with_its_characters(word):
    characters = set("▁" + word)
    recipe = Recipe(algorithm="unigram", vocabulary_size=1 + len(characters), unknown="<unk>")
    tokenizer = train({word: 1}, recipe)
    assert {tokenizer.engine.id_to_token(n) for n in range(tokenizer.vocabulary_size)} == {
        "<unk>", *characters
    }  # fmt: skip

"""Training: from texts to a tokenizer, in one call or a merge at a time."""

import threading
from itertools import islice

import pytest

from bpe import compiled
from bpe.algorithm.recipe import Recipe
from bpe.errors import BPEError
from bpe.training.algorithms.byte_bpe import ByteBPE
from bpe.training.train import Training, count_words, train

TEXTS = ["看路，看天。看路灯。", "low lower lowest", "看天 low"]


class TestChoosingALearner:
    recipe = Recipe(merges=3)

    def test_what_is_compiled_is_used(self, monkeypatch):
        monkeypatch.setattr(compiled, "ready", lambda part=None: True)
        assert Training(TEXTS, self.recipe).learner == "compiled"

    def test_a_small_corpus_does_not_wait_for_the_compiler(self, monkeypatch):
        monkeypatch.setattr(compiled, "ready", lambda part=None: False)
        assert Training(TEXTS, self.recipe).learner == "incremental"

    def test_a_large_one_does_and_nothing_of_it_is_lost(self, monkeypatch):
        monkeypatch.setattr(ByteBPE, "small_if_cached", 4)
        monkeypatch.setattr(ByteBPE, "small", 5)
        monkeypatch.setattr(compiled, "cached", lambda part: False)
        telling = threading.Event()
        monkeypatch.setattr(compiled, "ready", lambda part=None: telling.is_set())
        monkeypatch.setattr(compiled, "warm", lambda background, part: telling.wait(600))
        told = []

        def tell(progress):
            told.append(progress)
            telling.set()

        training = Training(iter(TEXTS), self.recipe, on_progress=tell)
        assert told[0].phase == "compiling"
        assert training.learner == "compiled"
        assert training.documents == 3
        assert list(training) == list(Training(TEXTS, self.recipe, learner="naive"))

    def test_what_is_on_disk_is_waited_for_sooner(self, monkeypatch):
        monkeypatch.setattr(ByteBPE, "small_if_cached", 5)
        monkeypatch.setattr(compiled, "cached", lambda part: True)
        warmed = threading.Event()
        monkeypatch.setattr(compiled, "ready", lambda part=None: warmed.is_set())
        monkeypatch.setattr(compiled, "warm", lambda background, part: warmed.set())
        assert Training(iter(TEXTS), self.recipe).learner == "compiled"

    def test_without_numba_everything_still_runs(self, monkeypatch):
        monkeypatch.setattr(compiled, "ready", lambda part=None: False)
        monkeypatch.setattr(compiled, "available", lambda: False)
        monkeypatch.setattr(ByteBPE, "small_if_cached", 5)
        assert Training(TEXTS, self.recipe).learner == "incremental"
        with pytest.raises(BPEError, match="needs Numba"):
            train(TEXTS, self.recipe, learner="compiled")


def test_on_merge_is_called_with_every_merge():
    heard = []
    tokenizer = train(TEXTS, Recipe(merges=5), on_merge=heard.append)
    assert tuple(heard) == tokenizer.merges
    assert len(heard) == 5


def test_on_progress_is_called_in_counting_indexing_and_merging():
    told = []
    texts = [" ".join(map(str, range(60_000)))] * 3
    tokenizer = train(texts, Recipe(merges=50), on_progress=told.append, learner="compiled")
    assert len(tokenizer.merges) == 50
    assert {"indexing", "merging"} <= {progress.phase for progress in told}
    counting = [progress for progress in told if progress.phase == "counting"]
    assert all(progress.total == sum(map(len, texts)) for progress in counting)
    assert told[-1] == ("merging", 50, 50)


def test_a_training_can_be_stopped_half_way():
    training = Training(TEXTS, Recipe(merges=9))
    assert len(list(islice(training, 4))) == 4
    assert training.tokenizer().vocabulary_size == 260
    assert len(list(training)) == 5


def test_what_was_read_is_told():
    training = Training(iter(TEXTS), Recipe(merges=0))
    assert training.documents == 3
    assert training.corpus_bytes == sum(len(text.encode()) for text in TEXTS)
    assert training.corpus_digest == count_words(TEXTS, Recipe()).digest


@pytest.mark.parametrize("algorithm", ["byte-bpe", "character-bpe", "unigram"])
@pytest.mark.parametrize("texts", [[b"low"], [None], [["low"]], ["low", 5]])
def test_a_corpus_of_other_than_texts_is_refused_with_what_to_give(texts, algorithm):
    for corpus in (texts, iter(texts)):
        with pytest.raises(TypeError, match="Give text as str, not "):
            train(corpus, Recipe(algorithm=algorithm, vocabulary_size=300))


@pytest.mark.parametrize("texts", [[], [""], ["\n"], ["a"]])
@pytest.mark.parametrize("algorithm", ["byte-bpe", "character-bpe"])
def test_a_corpus_without_pairs_gives_a_tokenizer_without_merges(texts, algorithm):
    tokenizer = train(texts, Recipe(algorithm=algorithm, pattern="none", end_of_word=""))
    assert tokenizer.merges == ()
    assert tokenizer.stop_reason == "min-frequency"


@pytest.mark.parametrize(
    ("options", "shares"),
    [
        ({"vocabulary_size": 260}, [0.25, 0.5, 0.75, 1.0]),
        ({"merges": 4}, [0.25, 0.5, 0.75, 1.0]),
        ({"vocabulary_size": 500, "merges": 2}, [0.5, 1.0]),
        ({"min_frequency": 3}, [0.0, 0.0]),
        (
            {"algorithm": "character-bpe", "vocabulary_size": 12, "prune": False},
            [0.25, 0.5, 0.75, 1],
        ),
        ({"algorithm": "character-bpe", "merges": 2}, [0.5, 1.0]),
        ({"algorithm": "character-bpe", "vocabulary_size": 9, "merges": 4}, [0.25, 0.5, 0.75, 1.0]),
        ({"algorithm": "character-bpe", "min_frequency": 3}, [0.0, 0.0]),
    ],
)
def test_it_says_how_far_the_merges_have_come(options, shares):
    training = Training(["low lower lowest"], Recipe(**options))
    assert training.share == 0
    assert [training.share for _ in training] == shares


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"corpus": "low lower"}, BPEError, "as a list of texts"),
        ({"corpus": None}, TypeError, "Give the corpus as a list of texts, not NoneType"),
        ({"corpus": 5}, TypeError, "Give the corpus as a list of texts, not int"),
        ({"recipe": 300}, TypeError, r"Give a recipe, such as bpe.Recipe\(vocabulary_size="),
        ({"recipe": {"merges": 1}}, TypeError, "Give a recipe, such as"),
        ({"name": None}, TypeError, "Give the name of a tokenizer as text, not NoneType"),
        ({"learner": "quantum"}, BPEError, "no learner “quantum”"),
        (
            {"recipe": Recipe(algorithm="wordpiece"), "learner": "incremental"},
            BPEError,
            "no learner “incremental” of this algorithm. Choose one of: naive, compiled",
        ),
    ],
)
def test_what_cannot_be_trained_is_refused_with_what_to_give(options, error, message):
    with pytest.raises(error, match=message):
        train(**{"corpus": TEXTS, "recipe": Recipe(merges=1), **options})


COUNTS = {"low": 5, "lower": 2, "newest": 6}


@pytest.mark.parametrize(
    ("algorithm", "options", "reason"),
    [
        ("byte-bpe", {"vocabulary_size": 260}, "vocabulary-size"),
        ("byte-bpe", {"merges": 3}, "merges"),
        ("byte-bpe", {"min_frequency": 1000}, "min-frequency"),
        ("character-bpe", {"vocabulary_size": 8, "prune": False}, "alphabet"),
        ("character-bpe", {"vocabulary_size": 9, "prune": False}, "vocabulary-size"),
        ("character-bpe", {"vocabulary_size": 10, "prune": False}, "vocabulary-size"),
        ("wordpiece", {"vocabulary_size": 12}, "vocabulary-size"),
        ("wordpiece", {"vocabulary_size": 3}, "alphabet"),
        ("sentencepiece-bpe", {"vocabulary_size": 256}, "alphabet"),
        ("sentencepiece-bpe", {"unknown": "<unk>", "vocabulary_size": 1}, "alphabet"),
        ("sentencepiece-bpe", {"merges": 2}, "merges"),
        ("sentencepiece-bpe", {"min_frequency": 99}, "min-frequency"),
        ("unigram", {"unknown": "<unk>", "vocabulary_size": 10}, "vocabulary-size"),
    ],
)
def test_it_says_which_rule_stopped_it(algorithm, options, reason):
    training = Training(COUNTS, Recipe(algorithm=algorithm, **options))
    tokenizer = training.finished()
    assert training.stop_reason == getattr(tokenizer, "stop_reason", reason) == reason

"""A tokenizer.json that asks for hours or gigabytes is stopped; ordinary ones are run here."""

import gc
import json

import pytest
import tokenizers

import bpe
from bpe import files
from bpe.algorithm.recipe import Recipe
from bpe.encoders import huggingface
from bpe.encoders.tokenizer_json import TokenizerJsonEncoder
from bpe.errors import BPEError
from bpe.text.pretokenize import NORMALISATIONS, PATTERNS
from bpe.text.split_patterns import published_patterns

GPT2_LIKE = r"'s|'t| ?\p{L}+(?=x)?| ?\p{N}+"


def split(source: str) -> dict:
    return huggingface.split({"Regex": source})


def file(**parts) -> bytes:
    model = huggingface.bpe_model({"a": 0, "b": 1, "!": 2, "aa": 3}, [["a", "a"]])
    return json.dumps(huggingface.values_of(parts.pop("model", model), **parts)).encode()


def load(content: bytes) -> TokenizerJsonEncoder:
    loaded = files.loads({"tokenizer.json": content})
    assert isinstance(loaded, TokenizerJsonEncoder)
    return loaded


def replaced(old: str, new: str) -> dict:
    return huggingface.replace({"String": old}, new)


def steps(*inside: dict) -> dict:
    return {"type": "Sequence", "normalizers": list(inside)}


@pytest.mark.parametrize(
    "source",
    [*published_patterns(), (huggingface.FINAL_SIGMA,), (r"\s+",), (r" {2,}",),
     (r"[0-9]",), (r"[\p{P}\p{S}]+",), (r"\d{1,3}|[一-龥]+|.",), (r"\.",)],
)  # fmt: skip
def test_expressions_that_cannot_run_away_are_run_here(source):
    assert huggingface.is_harmless({"pre_tokenizer": [split(each) for each in source]})


@pytest.mark.parametrize(
    "source",
    [r"(a+)+$", r"a*a*b", r"a*[^!]*c?[^!]*b$", r"a{2,}b", r"a(?=b*)", r"\K", r"a{1000}", GPT2_LIKE],
)
def test_all_others_are_not(source):
    for part in ("normalizer", "pre_tokenizer", "decoder"):
        assert not huggingface.is_harmless({part: {"type": "Sequence", "any": [split(source)]}})


@pytest.mark.parametrize(
    ("normalizer", "harmless"),
    [
        (replaced(" ", "▁"), True),
        (replaced("a", "b" * 40), False),
        (steps(*[replaced("a", "a" * 10)] * 2), False),
        (steps(replaced("x", "yz"), replaced("zy", "z" * 999)), False),
        (steps(*[replaced("a", "b")] * 201), False),
        (replaced("", "ab" * 20), False),
        ({"type": "Prepend", "prepend": "▁"}, True),
        ({"type": "Prepend", "prepend": "a" * 10_000_000}, False),
    ],
)
def test_replacements_that_make_a_text_many_times_longer(normalizer, harmless):
    assert huggingface.is_harmless({"normalizer": normalizer}) is harmless


def test_long_words_and_prefixes_of_wordpiece():
    for option in ({"max_input_chars_per_word": 10**9}, {"continuing_subword_prefix": "#" * 101}):
        assert not huggingface.is_harmless({"model": option})


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("normalisation", ["none", *NORMALISATIONS])
def test_what_is_saved_here_is_harmless(pattern, normalisation):
    recipe = Recipe(merges=2, pattern=pattern, normalisation=normalisation)
    content = files.dumps(bpe.train(["low lower"], recipe), "huggingface")
    assert huggingface.is_harmless(json.loads(content["tokenizer.json"]))


@pytest.mark.parametrize("algorithm", ["wordpiece", "sentencepiece-bpe", "unigram"])
def test_so_are_the_relatives(algorithm):
    recipe = Recipe(algorithm=algorithm, vocabulary_size=300)
    assert huggingface.is_harmless(bpe.train(["low lower"], recipe).values)


@pytest.fixture
def impatient(limit_sandbox):
    limit_sandbox(answer_seconds=0.5)


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"pre_tokenizer": split(r"a*[^!]*c?[^!]*b$")}, "a" * 2000 + "!b"),
        ({"normalizer": steps(*[replaced("a", "a" * 10)] * 6)}, "aaa"),
        ({"normalizer": steps(*[replaced("a", "a" * 10)] * 12)}, "aaa"),
        ({"normalizer": {"type": "Prepend", "prepend": "a" * 10_000_000}}, "a"),
    ],
    ids=["cubic", "many tokens", "gigabytes", "long prefix"],
)
def test_what_runs_away_is_stopped_and_the_next_text_is_encoded(parts, text, impatient):
    encoder = load(file(**parts))
    for _ in range(2):
        with pytest.raises(BPEError, match="needs too much time or memory for this text"):
            encoder.encode(text)
    assert encoder.encode("") == []


def test_a_guarded_tokenizer_gives_the_ids_of_the_library():
    content = file(
        pre_tokenizer=split(r"a+(?=b)"),
        added_tokens=[huggingface.added_token("<s>", 4)],
        decoder={"type": "Replace", "pattern": {"Regex": "a(?=!)"}, "content": "A"},
    )
    encoder = load(content)
    engine = tokenizers.Tokenizer.from_str(content.decode())
    for text in ("", "aab", "aaa!", "<s>a", "中a\0", "\ud83da"):
        expected = engine.encode(text.replace("\ud83d", "\ufffd")).ids
        assert encoder.encode(text, allowed_special="all") == expected
    assert encoder.encode("<s>a", disallowed_special=()) == [0]
    assert encoder.decode([0, 2, 3]) == engine.decode([0, 2, 3])


def test_a_long_text_gets_a_process_with_the_memory_that_it_needs(limit_sandbox):
    encoder = load(file(pre_tokenizer=split(r"a+(?=b)")))
    text = "ab!" * 300_000
    encoder._runs._worker.end()
    encoder._runs._worker._memory = 64 * 2**20
    assert encoder.count(text) == 900_000
    limit_sandbox(memory=64 * 2**20)
    encoder = load(file(pre_tokenizer=split(r"a+(?=b)")))
    encoder._runs._worker.end()
    encoder._runs._worker._memory = 64 * 2**20
    with pytest.raises(BPEError, match="needs too much time or memory for this text"):
        encoder.count(text)


def test_a_guarded_file_that_is_broken_says_so():
    with pytest.raises(BPEError, match="is not a tokenizer that can be read"):
        load(file(pre_tokenizer=split("(a")))


def test_ids_that_ask_for_a_table_of_gigabytes_are_refused():
    model = {"type": "BPE", "vocab": {"a": 4_000_000_000}, "merges": []}
    with pytest.raises(BPEError, match="the id 4,000,000,000; the limit is 4,194,304"):
        load(file(model=model))


def test_few_processes_live_at_a_time_and_none_after_its_tokenizer(limit_sandbox):
    limit_sandbox(processes=3)
    encoders = [load(file(pre_tokenizer=split(f"a*b*{n}"))) for n in range(5)]
    for encoder in encoders:
        assert encoder.encode("ab!") == [0, 1, 2]
    workers = [encoder._runs._worker for encoder in encoders]
    processes = [worker._process for worker in workers if worker._process is not None]
    assert len(processes) == 3
    del encoders, encoder, workers
    gc.collect()
    assert not any(process.is_alive() for process in processes)

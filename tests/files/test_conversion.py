"""Whatever can be loaded is saved with the same ids in every format, or refused with the reason."""

import base64
import io
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
import sentencepiece
import tiktoken
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe import files
from bpe.documents import samples
from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.encoders.huggingface import added_token
from bpe.errors import BPEError
from bpe.text import split_patterns
from bpe.text.pretokenize import PATTERNS
from tests.files.test_files import texts as hard_texts
from tests.support.awkward import AWKWARD

HOSTILE = (
    "", " ", "Hello  world! I'm 123456 \n\n x", "  lead ", "a\tb\r\n\n c   ", "<|x|> <s>",
    "你好，世界！龘靐 𠀀", "e\u0301 ﬁ 👩‍👩‍👧", "▁▁a ▁", "aaaaaaaaaaaaaaaa", "ABCdef 3.14 = y ** 2",
    f"<table><s>\t\t\t\tb</s>{' ' * 50}<unused7><unused99999>",
)  # fmt: skip
REASONS = ("format", "Choose one of")
KNOWN = ("low lower lowest", "  newest widest ", "")  # of what characters are learned of
CORPUS = ["low lower lowest newest widest 看路灯看路 "] * 3


@cache
def loaded(source: str) -> Encoder:
    """Return a tokenizer as it comes from each place that one can come from."""
    recipe = bpe.Recipe(vocabulary_size=300, special_tokens=("<|end|>",))
    trained = bpe.train(CORPUS, recipe)
    match source:
        case "trained" | "extended" | "characters":
            if source == "extended":
                return bpe.train(CORPUS, bpe.Recipe(merges=5), start=trained)
            if source == "characters":
                return bpe.train(CORPUS, bpe.Recipe(algorithm="character-bpe", merges=9))
            return trained
        case "huggingface" | "gpt2" | "tiktoken":
            return files.loads(files.dumps(trained, source), pattern="gpt2")
        case "wordpiece":
            return bpe.train(CORPUS, bpe.Recipe(algorithm="wordpiece", vocabulary_size=60))
        case "sentencepiece-bpe" | "unigram":
            return bpe.train(CORPUS, bpe.Recipe(algorithm=source, vocabulary_size=300))
        case "superwords":
            return bpe.train(CORPUS, replace(recipe, algorithm="superwords", share=0.5))
        case "model":
            return files.loads(files.dumps(bpe.encoding("llama2"), "sentencepiece"))
    return bpe.encoding(source.removesuffix(" encoding"))


SOURCES = (
    *("trained", "extended", "characters", "huggingface", "gpt2", "tiktoken", "wordpiece"),
    *("sentencepiece-bpe", "unigram", "superwords", "model"),
    *("gpt2 encoding", "cl100k_base", "mistral_v2", "llama2", "gemma2"),
)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("format", files.FORMATS)
def test_every_tokenizer_in_every_format(source, format):
    encoder = loaded(source)
    try:
        written = files.dumps(encoder, format)
    except BPEError as error:
        reason = str(error)
        assert any(why in reason for why in REASONS)
        return
    encode = engine_of(format, written, encoder)
    for text in KNOWN if source == "characters" else HOSTILE:
        assert list(encode(text)) == encoder.encode_ordinary(text)


def engine_of(format: str, written: dict[str, bytes], encoder: Encoder) -> Callable:
    """What gives the ids of a text by these files: the library that they are for, or ours."""
    match format:
        case "huggingface":
            engine = huggingface(written["tokenizer.json"])
            return lambda text: engine.encode(text, add_special_tokens=False).ids
        case "tiktoken":
            lines = written["tokenizer.tiktoken"].splitlines()
            ranks = {base64.b64decode(data): int(at) for data, at in map(bytes.split, lines)}
            pattern = PATTERNS[encoder.pattern] or r"[\s\S]+"
            return tiktoken.Encoding(
                "x", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}
            ).encode_ordinary
        case "sentencepiece":
            return sentencepiece_of(written["tokenizer.model"]).encode
        case "gpt2":
            lines = written["merges.txt"].decode().split("\n")
            assert (lines[0], lines[-1]) == ("#version: 0.2", "")
            merges = [tuple(line.split(" ")) for line in lines[1:-1]]
            model = tokenizers.models.BPE(json.loads(written["vocab.json"]), merges)
            engine = tokenizers.Tokenizer(model)
            engine.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
            assert files.loads(written).special_tokens == encoder.special_tokens
            return lambda text: engine.encode(text).ids
    return files.loads(written).encode_ordinary


@cache
def sentencepiece_of(content: bytes):
    return sentencepiece.SentencePieceProcessor(model_proto=content)


@cache
def huggingface(content: bytes):
    engine = tokenizers.Tokenizer.from_buffer(content)
    engine.encode_special_tokens = True
    return engine


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_a_model_that_is_written_again_is_the_same_to_sentencepiece(kind):
    content = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS * 20), model_writer=content, model_type=kind, vocab_size=40,
        hard_vocab_limit=False, minloglevel=2, bos_piece="<bos>", eos_piece="<eos>",
        unk_piece="[UNK]", pad_piece="[PAD]", pad_id=0, unk_id=3, bos_id=1, eos_id=2,
    )  # fmt: skip
    again = files.dumps(files.loads({"x.model": content.getvalue()}), "sentencepiece")
    theirs, ours = map(sentencepiece_of, (content.getvalue(), again["tokenizer.model"]))
    for role in ("unk_id", "bos_id", "eos_id", "pad_id"):
        assert getattr(theirs, role)() == getattr(ours, role)()
    for text in HOSTILE:
        options = {"add_bos": True, "add_eos": True}
        assert theirs.encode(text, **options) == ours.encode(text, **options)


@pytest.mark.parametrize("trim", [True, False])
@pytest.mark.parametrize("rule", ["nmt_nfkc", "identity"])
def test_offsets_of_a_model_are_those_of_sentencepiece(rule, trim):
    content = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS * 20), model_writer=content, model_type="unigram",
        vocab_size=340, byte_fallback=True, hard_vocab_limit=False, minloglevel=2,
        normalization_rule_name=rule, remove_extra_whitespaces=trim,
    )  # fmt: skip
    encoder = files.loads({"x.model": content.getvalue()})
    theirs = sentencepiece_of(content.getvalue())
    for text in ("a", "low  lower ", "  low", "ﬁ Ａ１", "\x7f", "\t low\n", "low 龘"):
        expected = theirs.encode_as_offset_mapping(text)
        ids, spans = encoder.encode_with_offsets(text)
        assert ids == expected["ids"]
        for ours, (start, end) in zip(spans, expected["offsets"], strict=True):
            # What is a part of a character has the whole of it here, and there none or its rest.
            assert ours == (start, end) or (ours[0] == start and ours[1] - ours[0] <= 1)


@pytest.mark.parametrize("source", SOURCES)
def test_special_tokens_can_be_added_to_byte_level_bpe_wherever_it_is_from(source):
    encoder = loaded(source)
    if encoder.kind != "byte-level BPE":
        with pytest.raises(BPEError, match="can have no more special tokens"):
            encoder.with_special_tokens("<|mine|>")
        return
    more = encoder.with_special_tokens("<|mine|>", "<|yours|>")
    size = len(encoder)
    ids = more.encode("<|mine|>low<|yours|>", allowed_special="all")
    assert (ids[0], ids[-1]) == (size, size + 1)
    assert ids[1:-1] == encoder.encode("low")
    assert more.decode([size]) == "<|mine|>"
    with pytest.raises(BPEError, match="must be a piece of text"):
        encoder.with_special_tokens(["<a>"])


@pytest.mark.parametrize("source", ["llama2", "huggingface"])
def test_offsets_are_those_of_hugging_face(source):
    encoder = loaded(source)
    engine = huggingface(json_file(encoder))
    for text in (*HOSTILE, " Hello  World, foo"):
        ids, spans = encoder.encode_with_offsets(text, disallowed_special=())
        theirs = engine.encode(text, add_special_tokens=False)
        assert ids == theirs.ids
        assert spans == theirs.offsets


@given(text=st.text(st.sampled_from(" \n\r\t\u3000a1.!'s字"), max_size=30))
def test_cl100k_is_written_in_the_form_that_is_usual_with_the_same_ids(text):
    encoder = catalog.encoding("cl100k_base")
    assert encoder.encode_ordinary(text) == usual_cl100k().encode_ordinary(text)


@cache
def usual_cl100k() -> Encoder:
    """The vocabulary of cl100k_base behind the split pattern that Hugging Face writes for it."""
    ranks = files.dumps(catalog.encoding("cl100k_base"), format="tiktoken")
    return files.loads(ranks, pattern="llama3")


def test_a_token_over_a_line_break_keeps_the_pattern_that_makes_it():
    written = [
        json.loads(json_file(bpe.train(texts, recipe)))
        for texts in (["a\n  "] * 3, ["low lower"])
        for recipe in [bpe.Recipe(pattern="cl100k", merges=2)]
    ]
    sources = [each["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] for each in written]
    names = [split_patterns.published_patterns()[source,] for source in sources]
    assert names == ["cl100k", "llama3"]


SAMPLES = (samples.corpus("zh"), samples.corpus("en"))


def json_file(tokenizer: Encoder) -> bytes:
    return files.dumps(tokenizer, "huggingface")["tokenizer.json"]


@pytest.mark.parametrize("name", ["gpt2", "o200k_base", "deepseek_v3", "qwen3", "glm4", "llama3"])
def test_ids_are_the_same_there_and_old_ones_have_not_moved(name):
    start = bpe.encoding(name)
    recipe = bpe.Recipe(merges=200, min_frequency=2, special_tokens=("<|mine|>",))
    tokenizer = bpe.train(SAMPLES, recipe, start=start)
    theirs = tokenizers.Tokenizer.from_buffer(json_file(tokenizer))
    for text in (*AWKWARD, *hard_texts(), *SAMPLES):
        if not any(special in text for special in tokenizer.special_tokens):
            assert theirs.encode(text, add_special_tokens=False).ids == tokenizer.encode(text)
    for special, token_id in start.special_tokens.items():
        assert theirs.token_to_id(special) == token_id
    assert theirs.token_to_id("<|mine|>") == start.vocabulary_size
    assert theirs.encode("a<|mine|>b", add_special_tokens=False).ids == [
        *start.encode("a"),
        start.vocabulary_size,
        *start.encode("b"),
    ]


def test_the_file_of_a_start_keeps_its_normaliser_and_added_tokens(tmp_path):
    values = json.loads(json_file(bpe.train(SAMPLES, bpe.Recipe(merges=50))))
    values["normalizer"] = {"type": "NFKC"}
    values["added_tokens"] = [added_token("<tool>", 306, special=False)]
    values["model"]["vocab"]["<tool>"] = 306
    start = files.loads({"tokenizer.json": json.dumps(values).encode()})
    tokenizer = bpe.train(SAMPLES, bpe.Recipe(merges=50), start=start)
    theirs = tokenizers.Tokenizer.from_buffer(json_file(tokenizer))
    for text in ("① ﬁ<tool>看路", *AWKWARD, *hard_texts()):
        assert theirs.encode(text, add_special_tokens=False).ids == tokenizer.encode(text)
    assert 306 in tokenizer.encode("a<tool>b")
    assert tokenizer.training.new_ids[0] == 307


def test_our_own_format_is_refused():
    tokenizer = bpe.train(["low low"], bpe.Recipe(merges=1), start=bpe.encoding("gpt2"))
    with pytest.raises(BPEError, match="cannot be written as “bpe”. Choose one of: hugg"):
        files.dumps(tokenizer, "bpe")

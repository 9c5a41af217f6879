"""What files say of themselves is read or named: classes, reserved ids, marks, decoders."""

import base64
import json

import pytest
import tokenizers

import bpe
from bpe import files
from bpe.errors import BPEError

TEXTS = ("元。\n\n DON'Te\u0301", "Hello,  world 1234!", " a\tb\r\n", "it's ½ ﬁ <|end|> x", "")
MARK = b"\xef\xbb\xbf"


@pytest.fixture(scope="module")
def parts() -> dict[str, bytes]:
    """``vocab.json`` and ``merges.txt`` of a small byte-level BPE with a special token."""
    recipe = bpe.Recipe(vocabulary_size=400, special_tokens=("<|end|>",), pattern="qwen2")
    made = bpe.train(["Hello, world! it's 1234 1234 DON'T don't 元。元。 a\tb é"] * 5, recipe)
    values = json.loads(files.dumps(made, "huggingface")["tokenizer.json"])
    merges = [
        merge if isinstance(merge, str) else " ".join(merge) for merge in values["model"]["merges"]
    ]
    return {
        "vocab.json": json.dumps(values["model"]["vocab"]).encode(),
        "merges.txt": "\n".join(["#version: 0.2", *merges, ""]).encode(),
    }


@pytest.mark.parametrize("name", ["Qwen2Tokenizer", "GPT2Tokenizer", "LlamaTokenizer", None])
def test_a_class_beside_the_two_files_is_refused_by_its_name(parts, name, tmp_path):
    for file, content in parts.items():
        (tmp_path / file).write_bytes(content)
    assert bpe.load(tmp_path).pattern == "gpt2"
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": name}))
    with pytest.raises(BPEError, match=f"says “{name or '–'}”.*save it there as tokenizer.json"):
        bpe.load(tmp_path)


def test_a_byte_order_mark_is_passed_over(parts):
    plain = files.loads(parts)
    marked = files.loads({name: MARK + content for name, content in parts.items()})
    ranks = files.dumps(bpe.train(["low"], bpe.Recipe(merges=1)), "tiktoken")
    assert files.loads({"a.tiktoken": MARK + ranks["tokenizer.tiktoken"]}, pattern="gpt2")
    for text in TEXTS:
        assert marked.encode_ordinary(text) == plain.encode_ordinary(text)


def tekken(**changes: object) -> dict[str, bytes]:
    tokens = [bytes([byte]) for byte in range(256)] + [b"lo", b"low", b"never"]
    config = {
        "pattern": r"\p{L}+|\P{L}",
        "default_num_special_tokens": 20,
        "default_vocab_size": 278,
        **changes,
    }
    vocab = [
        {"rank": at, "token_bytes": base64.b64encode(data).decode(), "token_str": None}
        for at, data in enumerate(tokens)
    ]
    return {"tekken.json": json.dumps({"config": config, "vocab": vocab}).encode()}


def test_tekken_has_its_reserved_ids_before_its_ranks(tmp_path):
    (tmp_path / "tekken.json").write_bytes(tekken()["tekken.json"])
    encoder = bpe.load(tmp_path)
    assert encoder.encode("low, <s>", allowed_special="all") == [277, 20 + 44, 20 + 32, 1]
    assert encoder.special_tokens["[SUFFIX]"] == 13
    assert encoder.special_tokens["<SPECIAL_19>"] == 19
    assert encoder.vocabulary_size == 278  # what is beyond the size of the file is left out
    assert encoder.decode([277]) == "low"
    for changes in ({"default_vocab_size": "x"}, {"default_num_special_tokens": -1}):
        with pytest.raises(BPEError, match="tekken.json"):
            files.loads(tekken(**changes))


@pytest.mark.parametrize("kind", ["WordLevel", "WordPiece", "BPE"])
def test_without_a_decoder_tokens_are_joined_by_spaces(kind):
    vocabulary = {"[UNK]": 0, "the": 1, "river": 2, "runs": 3, "t": 4, "h": 5, "th": 6}
    model = {"type": kind, "vocab": vocabulary, "unk_token": "[UNK]"}
    if kind == "WordPiece":
        model |= {"continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
    if kind == "BPE":
        model |= {"merges": ["t h"]}
    values = {"version": "1.0", "model": model, "pre_tokenizer": {"type": "Whitespace"}}
    content = json.dumps(values).encode()
    encoder, engine = files.loads({"x.json": content}), tokenizers.Tokenizer.from_buffer(content)
    for text in ("the river runs", "th", ""):
        ids = encoder.encode(text)
        assert ids == engine.encode(text).ids
        assert encoder.decode(ids) == engine.decode(ids, skip_special_tokens=False)


def test_an_expression_of_ones_own_gives_offsets_in_a_file_too(tmp_path):
    made = bpe.train(
        ["The river 1234 runs, 河水 流."] * 5,
        bpe.Recipe(pattern=r"regex:\p{L}+|\P{L}{1,3}?(?=\p{L})|[\s\S]", merges=30),
    )
    bpe.save(made, tmp_path / "tokenizer.json", format="huggingface")
    loaded = bpe.load(tmp_path / "tokenizer.json")
    for text in ("The river 1234", "河水 x流", ""):
        assert loaded.encode_with_offsets(text) == made.encode_with_offsets(text)

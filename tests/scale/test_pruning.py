"""Rare words left out: what is certain of the merges, and what fits into memory."""

from pathlib import Path

import pyarrow as arrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

import bpe
from bpe.compiled.train import certainty
from bpe.compiled.train.learner import estimated_memory
from bpe.errors import BPEError
from bpe.scale import pruning
from bpe.text import samples

RECIPE = bpe.Recipe(merges=50)
WORDS = st.dictionaries(
    st.text("aab ", min_size=1, max_size=6).map(str.encode), st.integers(1, 60), max_size=25
)


def kept(folder: Path, words: dict[bytes, int]) -> str:
    table = arrow.table(
        {
            "word": arrow.array(list(words), arrow.binary()),
            "count": arrow.array(list(words.values()), arrow.int64()),
        }
    )
    url = str(folder / "words.parquet")
    parquet.write_table(table, url)
    return url


@given(words=WORDS, at_least=st.integers(1, 12))
def test_certain_merges_are_those_of_all_words(
    words: dict[bytes, int], at_least: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    pruned = pruning.read(kept(tmp_path_factory.mktemp("words"), words), at_least)
    certain = pruning.certain_merges_slowly(pruned, RECIPE)
    assert certainty.certain_merges(pruned.words, pruned.lost, RECIPE) == certain
    ours, all_of_them = bpe.train(pruned.words, RECIPE), bpe.train(words, RECIPE)
    pairs = [[(merge.left, merge.right) for merge in each.merges] for each in (ours, all_of_them)]
    assert pairs[0][:certain] == pairs[1][:certain]


def test_the_first_merge_that_a_rare_word_could_change_is_not_certain(tmp_path: Path) -> None:
    # Without “xy” the pair (x, y) never occurs; with it, it would lead before (c, d).
    url = kept(tmp_path, {b"ab": 100, b"cd": 6, b"ef": 3, b"xy": 2, b"xyz": 2, b"wxy": 2})
    pruned = pruning.read(url, 3)
    assert (pruned.left_out, pruned.occurrences) == (3, 6)
    assert pruned.lost[ord("x"), ord("y")] == 6
    assert pruning.certain_merges(pruned, RECIPE) == 1
    with_all = pruning.read(url, 1)
    assert with_all.left_out == 0
    assert pruning.certain_merges(with_all, bpe.Recipe(merges=1)) == 1


def test_words_left_out_change_the_digest(tmp_path: Path) -> None:
    texts = [line for pair in samples.pairs("news") for line in (pair.zh, pair.en)]
    (tmp_path / "a.txt").write_text("\n".join(texts), encoding="utf-8")
    url = str(tmp_path / "counts.parquet")
    counted = bpe.count_to_file(tmp_path / "a.txt", RECIPE, url)
    assert pruning.read(url, 1).words.counted == counted
    pruned = pruning.read(url, 2)
    assert pruned.words.counted is not None
    assert pruned.words.counted.digest != counted.digest
    assert min(pruned.words.values()) == 2
    tokenizer = bpe.train(pruned.words, RECIPE)
    assert len(tokenizer.merges) == 50


def test_the_floor_is_the_least_that_fits(tmp_path: Path) -> None:
    words = {f"{n:04}".encode() * 100: 1 + n % 10 for n in range(1_000)}
    url = kept(tmp_path, words)
    assert pruning.floor_that_fits(url, estimated_memory(400_000)) == 1
    assert pruning.floor_that_fits(url, estimated_memory(400_000) - 1) == 2
    assert pruning.floor_that_fits(url, estimated_memory(80_000)) == 9
    assert pruning.floor_that_fits(url, estimated_memory(79_999)) == 10
    with pytest.raises(BPEError, match="1,000 times or more alone need"):
        pruning.floor_that_fits(kept(tmp_path, dict.fromkeys(words, 5_000)), 32_000_000)
    with pytest.raises(BPEError, match="leave out from 2 on"):
        pruning.read(url, 0)

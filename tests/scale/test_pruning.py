"""Rare words left out: what is certain of the merges, and what fits into memory."""

from collections.abc import Mapping
from pathlib import Path

import pyarrow as arrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

import bpe
from bpe.compiled.train import certainty
from bpe.compiled.train.learner import estimated_memory
from bpe.documents import samples
from bpe.errors import BPEError
from bpe.scale import pruning

RECIPE = bpe.Recipe(merges=50)
WORDS = st.dictionaries(
    st.text("aab 中文", min_size=1, max_size=6).map(str.encode), st.integers(1, 60), max_size=25
)


def written(folder: Path, words: dict[bytes, int]) -> str:
    table = arrow.table(
        {
            "word": arrow.array(list(words), arrow.binary()),
            "count": arrow.array(list(words.values()), arrow.int64()),
        }
    )
    url = str(folder / "words.parquet")
    parquet.write_table(table, url)
    return url


RECIPES = st.builds(
    bpe.Recipe,
    merges=st.just(50),
    tie_break=st.sampled_from(["lexicographic", "smallest-ids"]),
    min_frequency=st.integers(1, 4),
    whole_characters=st.booleans(),
) | st.builds(bpe.Recipe, merges=st.just(50), tie_break=st.just("huggingface"))


def merges(words: Mapping[bytes, int], recipe: bpe.Recipe) -> list[tuple[int, int]]:
    return [(merge.left, merge.right) for merge in bpe.train(words, recipe).merges]


@given(words=WORDS, at_least=st.integers(1, 12), recipe=RECIPES)
def test_certain_merges_are_those_of_all_words(
    words: dict[bytes, int],
    at_least: int,
    recipe: bpe.Recipe,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    pruned = pruning.read(written(tmp_path_factory.mktemp("words"), words), at_least)
    certain = pruning.certain_merges_slowly(pruned, recipe)
    assert certainty.certain_merges(pruned.words, pruned.lost, recipe) == certain
    assert merges(pruned.words, recipe)[:certain] == merges(words, recipe)[:certain]


@given(words=WORDS, recipe=RECIPES)
def test_all_merges_are_certain_where_nothing_was_left_out(
    words: dict[bytes, int], recipe: bpe.Recipe, tmp_path_factory: pytest.TempPathFactory
) -> None:
    pruned = pruning.read(written(tmp_path_factory.mktemp("words"), words), 1)
    made = len(merges(words, recipe))
    assert pruning.certain_merges_slowly(pruned, recipe) == made
    assert certainty.certain_merges(pruned.words, pruned.lost, recipe) == made


def test_a_tie_of_pairs_of_which_nothing_was_left_out_is_certain(tmp_path: Path) -> None:
    # (a, b) and (c, d) tie; “xy” was left out and might have come before (e, f), not before them.
    pruned = pruning.read(written(tmp_path, {b"ab": 9, b"cd": 9, b"ef": 3, b"xy": 2, b"xyz": 2}), 3)
    assert pruning.certain_merges(pruned, RECIPE) == 2
    assert pruning.certain_merges_slowly(pruned, RECIPE) == 2
    # With “abc”, which was left out, (a, b) would be the first and not (c, d).
    pruned = pruning.read(written(tmp_path, {b"cd": 9, b"ab": 9, b"abc": 1}), 2)
    assert pruning.certain_merges(pruned, RECIPE) == 0
    assert merges(pruned.words, RECIPE)[0] == (ord("c"), ord("d"))


def test_the_first_merge_that_a_rare_word_could_change_is_not_certain(tmp_path: Path) -> None:
    # Without “xy” the pair (x, y) never occurs; with it, it would lead before (c, d).
    url = written(tmp_path, {b"ab": 100, b"cd": 6, b"ef": 3, b"xy": 2, b"xyz": 2, b"wxy": 2})
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
    url = written(tmp_path, words)
    assert pruning.floor_that_fits(url, estimated_memory(400_000)) == 1
    assert pruning.floor_that_fits(url, estimated_memory(400_000) - 1) == 2
    assert pruning.floor_that_fits(url, estimated_memory(80_000)) == 9
    assert pruning.floor_that_fits(url, estimated_memory(79_999)) == 10
    with pytest.raises(BPEError, match="1,000 times or more alone need"):
        pruning.floor_that_fits(written(tmp_path, dict.fromkeys(words, 5_000)), 32_000_000)
    with pytest.raises(BPEError, match="leave out from 2 on"):
        pruning.read(url, 0)

"""Files of counts: written whole, merged part by part, taken from other programs."""

import json
from dataclasses import replace
from pathlib import Path

import pyarrow as arrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

import bpe
from bpe.documents import samples
from bpe.errors import BPEError
from bpe.scale import count_files

TEXTS = [line for pair in samples.pairs("dialogue") for line in (pair.zh, pair.en)]
RECIPE = bpe.Recipe(merges=30)


def written(folder, texts, recipe=RECIPE, name="a"):
    words = bpe.count_words(texts, recipe)
    url = str(folder / f"{name}.parquet")
    count_files.save(words, url)
    return url


def test_a_file_gives_back_the_words_and_what_they_were_counted_in(tmp_path):
    words = bpe.count_words(TEXTS, RECIPE)
    back = count_files.read(written(tmp_path, TEXTS))
    assert back == words
    assert back.counted == replace(words.counted, in_order=False)
    assert bpe.train(back, RECIPE).merges == bpe.train(TEXTS, RECIPE).merges
    keys = list(zip(count_files.part_of(back).tolist(), back, strict=True))
    assert keys == sorted(keys)
    assert count_files.read(written(tmp_path, [], name="none")) == {}


@settings(max_examples=30)  # each writes and merges files
@given(
    counts=st.lists(
        st.dictionaries(st.binary(min_size=1, max_size=3), st.integers(0, 2**40), max_size=9),
        min_size=1,
        max_size=4,
    )
)
def test_merging_adds_up_as_a_dict_does(counts, tmp_path_factory):
    folder = tmp_path_factory.mktemp("counts")
    urls = []
    for number, words in enumerate(counts):
        columns = {
            "word": (list(words), arrow.binary()),
            "count": ([*words.values()], arrow.int64()),
        }
        table = arrow.table({name: arrow.array(*column) for name, column in columns.items()})
        urls.append(str(folder / f"{number}.parquet"))
        parquet.write_table(table, urls[-1])
    out = str(folder / "all.parquet")
    counted = count_files.merge(urls, out, RECIPE)
    expected: dict[bytes, int] = {}
    for words in counts:
        for word, count in words.items():
            expected[word] = expected.get(word, 0) + count
    assert count_files.read(out) == expected
    again = count_files.merge([*reversed(urls)], str(folder / "again.parquet"), RECIPE)
    assert again == counted
    assert count_files.merge([out], str(folder / "once.parquet")).digest == counted.digest


def test_a_file_of_another_program_has_words_in_any_order_and_several_times(tmp_path):
    words = {f"{n}".encode(): n for n in range(3_000)}
    twice = [*words] * 2  # as from two partitions that were not added up
    table = arrow.table({"word": twice, "count": [*words.values()] * 2})
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=500)
    expected = {word: 2 * count for word, count in words.items()}
    assert count_files.read(str(tmp_path / "a.parquet")) == expected


def test_files_of_different_recipes_are_told_apart_by_name(tmp_path):
    ours = written(tmp_path, TEXTS)
    other = written(tmp_path, TEXTS, bpe.Recipe(pattern="o200k"), "b")
    with pytest.raises(
        BPEError, match=r"b\.parquet” was counted with another split pattern \(o200k\)"
    ):
        count_files.merge([ours, other], str(tmp_path / "all.parquet"))
    unknown = tmp_path / "c.parquet"
    parquet.write_table(arrow.table({"word": [b"low"], "count": [5]}), unknown)
    with pytest.raises(BPEError, match=r"c\.parquet” does not say how its words were cut"):
        count_files.merge([ours, str(unknown)], str(tmp_path / "all.parquet"))
    total = count_files.merge([ours, str(unknown)], str(tmp_path / "all.parquet"), RECIPE)
    assert total.documents == len(TEXTS)
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    ("table", "error"),
    [
        ({"word": [b"a"]}, "needs the columns"),
        ({"word": [b"a"], "count": [0.5]}, "needs the columns"),
        ({"word": [b"a", None], "count": [1, 1]}, "rows without a word"),
        ({"word": [b""], "count": [1]}, "empty words"),
        ({"word": [b"a"], "count": [-1]}, "counts below zero"),
        ({"word": [b"a", b"b"], "count": [2**62, 2**62]}, "exceed 2⁶²"),
        ({"word": [b"a", b"a"], "count": [2**62, 2**62]}, "exceed 2⁶²"),
    ],
)
def test_a_file_that_is_none_of_counts_says_why(table, error, tmp_path):
    path = tmp_path / "a.parquet"
    parquet.write_table(arrow.table(table), path)
    with pytest.raises(BPEError, match=error):
        count_files.merge([str(path)], str(tmp_path / "all.parquet"), RECIPE)


def test_half_a_file_and_one_of_another_version_are_refused(tmp_path):
    url = written(tmp_path, TEXTS)
    whole = Path(url).read_bytes()
    Path(url).write_bytes(whole[:-10])
    with pytest.raises(BPEError, match="not a whole file of counts"):
        count_files.read(url)
    table = arrow.table({"word": [b"a"], "count": [1]})
    for said in ({"version": 99, "rows": [1]}, [], {"version": 1}, {"version": 1, "rows": []}):
        metadata = {b"bpe": json.dumps(said).encode()}
        parquet.write_table(table.replace_schema_metadata(metadata), url)
        with pytest.raises(BPEError, match="another version"):
            count_files.read(url)

"""Counts of a corpus in many files: those of one process, however it is cut, stored and shared."""

import gzip
import itertools
import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe.documents import samples
from bpe.errors import BPEError
from bpe.scale import count_files, shards
from bpe.text.pretokenize import count_words as count_slowly

TEXTS = [line for pair in samples.pairs("news") for line in (pair.zh, pair.en)]
FEW = TEXTS[:10]
"""Each word costs a row group in every file of counts."""
RECIPE = bpe.Recipe(vocabulary_size=400, pattern="o200k")


def lines(path, texts):
    path.write_text("\n".join(json.dumps({"text": text}) for text in texts), encoding="utf-8")
    return path


@settings(max_examples=30)  # each writes and merges files
@given(
    texts=st.lists(st.text("ab 北京\n1.é", max_size=12), max_size=12),
    cuts=st.lists(st.integers(0, 12), max_size=4),
    order=st.randoms(use_true_random=False),
)
def test_any_split_into_shards_gives_the_merges_of_one(tmp_path_factory, texts, cuts, order):
    folder = tmp_path_factory.mktemp("shards")
    borders = [0, *sorted(min(cut, len(texts)) for cut in cuts), len(texts)]
    parts = [texts[a:b] for a, b in itertools.pairwise(borders)]
    order.shuffle(parts)
    files = [lines(folder / f"{n}.jsonl", part) for n, part in enumerate(parts)]
    counts = bpe.count_files(files, RECIPE)
    whole = bpe.count_files([lines(folder / "whole.jsonl", texts)], RECIPE)
    assert counts == whole == count_slowly(texts, "o200k")
    assert counts.counted == whole.counted
    assert counts.digest == bpe.count_words(texts, RECIPE).digest
    recipe = bpe.Recipe(pattern="o200k", merges=20)
    assert bpe.train(counts, recipe).merges == bpe.train(texts, recipe).merges


@pytest.mark.parametrize(
    "start",
    [ThreadPoolExecutor, lambda n: ProcessPoolExecutor(n, multiprocessing.get_context("spawn"))],
)
def test_every_executor_counts_the_same(start, tmp_path):
    files = [lines(tmp_path / f"{n}.jsonl", FEW[n::3]) for n in range(3)]
    alone = bpe.count_files(files, RECIPE)
    with start(2) as executor:
        assert bpe.count_files(files, RECIPE, executor=executor) == alone
        shared = bpe.count_files(files, RECIPE, executor=executor, keep=tmp_path / "parts")
    assert shared == alone == bpe.count_words(FEW, RECIPE)
    assert shared.counted == alone.counted
    assert len(list((tmp_path / "parts").iterdir())) == 3


@pytest.mark.parametrize(
    "recipe",
    [
        RECIPE,
        bpe.Recipe(pattern="none"),
        bpe.Recipe(pattern="gpt2", special_tokens=("<|endoftext|>",), normalisation="NFKC"),
        bpe.Recipe(algorithm="character-bpe", vocabulary_size=400, normalisation="lowercase"),
        bpe.Recipe(algorithm="wordpiece", vocabulary_size=400),
        bpe.Recipe(algorithm="sentencepiece-bpe", vocabulary_size=600),
    ],
    ids=lambda recipe: f"{recipe.algorithm}-{recipe.pattern}",
)
def test_a_long_document_read_in_blocks_has_the_words_of_the_whole(recipe, tmp_path, monkeypatch):
    monkeypatch.setattr("bpe.documents.reader.BLOCK", 7)
    monkeypatch.setattr("bpe.scale.counting._PIECE", 40)
    text = "<|endoftext|>".join(TEXTS) + "\n\n  \u1100\u1161 e\u0301 " + "Ab" * 40
    (tmp_path / "a.txt").write_text(text, encoding="utf-8", newline="")
    counts = bpe.count_files(tmp_path, recipe)
    assert counts == bpe.count_words([text], recipe)
    # Ids of characters are in the order of their first occurrence, which shards do not keep.
    ours, theirs = bpe.train(counts, recipe), bpe.train([text], recipe)
    assert [ours.token_bytes(token) for token in ours.encode_ordinary(text)] == [
        theirs.token_bytes(token) for token in theirs.encode_ordinary(text)
    ]


def test_kept_counts_are_not_counted_again_and_half_a_file_is(tmp_path, shards_read):
    files = [lines(tmp_path / f"{n}.jsonl", FEW[n::3]) for n in range(3)]
    keep = tmp_path / "parts"
    counts = bpe.count_files(files, RECIPE, keep=keep)
    done = sorted(keep.iterdir())
    done[0].write_bytes(done[0].read_bytes()[:200])
    shards_read.clear()
    assert bpe.count_files(files, RECIPE, keep=keep) == counts
    assert len(shards_read) == 1
    lines(files[1], ["other"])
    bpe.count_files(files, RECIPE, keep=keep)
    assert shards_read[1:] == ["1.jsonl"]
    bpe.count_files(files[:1], bpe.Recipe(pattern="gpt2"), keep=keep)
    assert shards_read[2:] == ["0.jsonl"]


def test_many_files_are_added_up_in_a_tree(tmp_path, monkeypatch):
    monkeypatch.setattr("bpe.scale.counting._AT_ONCE", 2)
    files = [lines(tmp_path / f"{n}.jsonl", FEW[n::9]) for n in range(9)]
    expected = bpe.count_words(FEW, RECIPE)
    assert bpe.count_files(files, RECIPE) == expected
    with ThreadPoolExecutor(2) as executor:
        keep = tmp_path / "parts"
        assert bpe.count_files(files, RECIPE, keep=keep, executor=executor) == expected
        monkeypatch.setattr(count_files, "merge", lambda *given: pytest.fail("done before"))
        with pytest.raises(pytest.fail.Exception):  # only the last sum is made again
            bpe.count_files(files, RECIPE, keep=keep, executor=executor)


def test_counts_in_shards_refuse_ties_for_the_pair_seen_first(tmp_path):
    counts = bpe.count_files(lines(tmp_path / "a.jsonl", TEXTS), RECIPE)
    with pytest.raises(BPEError, match="first-seen.*order of their first"):
        bpe.train(counts, bpe.Recipe(pattern="o200k", merges=3, tie_break="first-seen"))
    texts = bpe.count_words(TEXTS, RECIPE)
    bpe.train(texts, bpe.Recipe(pattern="o200k", merges=3, tie_break="first-seen"))


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("a.txt", b"\xe4\xb8", "not UTF-8: byte 1 "),
        ("a.txt", b"ab" * 600_000 + b"\xff", "not UTF-8: byte 1,200,001 "),
        ("a.txt.zst", b"(\xb5/\xfd", "could not be read to its end"),
        ("a.pdf", b"%PDF", "a.pdf: "),
    ],
)
def test_a_broken_file_is_named_with_the_place(name, content, error, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BPEError, match=error):
        bpe.count_files(tmp_path / name, RECIPE)


def test_the_likely_column_of_the_first_file_is_that_of_all(tmp_path):
    (tmp_path / "a.csv").write_text("title,body\nx,one two\n")
    (tmp_path / "b.csv").write_text("body,title\nthree,a much longer heading\n")
    (tmp_path / "c.md").write_text("four")
    assert [shard.choice.columns for shard in shards.find(tmp_path)] == [("body",), ("body",), ()]
    assert bpe.count_files(tmp_path, RECIPE) == {b"one": 1, b" two": 1, b"three": 1, b"four": 1}


def test_what_leads_to_no_file_says_so(tmp_path):
    with pytest.raises(BPEError, match="There is no text file in"):
        bpe.count_files(tmp_path, RECIPE)
    with pytest.raises(BPEError, match="There is no file"):
        bpe.count_files(str(tmp_path / "none.txt"), RECIPE)
    with pytest.raises(BPEError, match="cannot be opened"):
        bpe.count_files("nowhere://a.txt", RECIPE)


def test_names_of_files_are_no_texts_and_are_files_as_text_and_as_path(tmp_path):
    files = [lines(tmp_path / f"{n}.jsonl", FEW[n::2]) for n in range(2)]
    names = list(map(str, files))
    assert bpe.count_files(names, RECIPE) == bpe.count_files(files, RECIPE)
    for takes_texts in (bpe.count_words, bpe.train):
        with pytest.raises(BPEError, match=r"name of a file, such as .*0.jsonl.*bpe.count_files"):
            takes_texts(names, RECIPE)
    assert bpe.count_words([*names, "low"], RECIPE)[b"low"] == 1
    with pytest.raises(BPEError, match="list of texts, not as one string"):
        bpe.count_words(names[0], RECIPE)


def test_parts_are_those_of_the_definition():
    words = bpe.WordCounts.of(
        {word.encode(): 1 for word in ["a", "low", "北京", "\x00", "ab" * 900]}
    )

    def slowly(word):
        value = sum((byte + 1) * pow(0x100000001B3, at, 2**64) for at, byte in enumerate(word))
        value %= 2**64
        value ^= value >> 33
        return (value * 0xFF51AFD7ED558CCD) % 2**64 >> 56

    assert count_files.part_of(words).tolist() == [slowly(word) for word in words]
    assert count_files.part_of(bpe.WordCounts.of({})).dtype == np.uint8


@pytest.mark.parametrize("ends", ["", "\n"])
def test_lines_that_are_longer_than_a_block_are_joined_once(tmp_path, ends):
    texts = ["a", "中" * 1_500_000, "b" * (1 << 20), "", "c"]
    path = lines(tmp_path / "a.jsonl", texts)
    path.write_text(path.read_text("utf-8") + ends, encoding="utf-8")
    (shard,) = shards.find(path)
    assert ["".join(blocks) for blocks in shards.documents(shard)] == [t for t in texts if t]


def test_a_line_of_gigabytes_is_refused_before_it_is_whole(tmp_path, monkeypatch):
    monkeypatch.setattr("bpe.documents.reader._LONGEST_LINE", 2 << 20)
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"text": "' + b" " * (4 << 20)))
    with pytest.raises(BPEError, match="longer than 2 million characters"):
        shards.find(path)  # looks for the column

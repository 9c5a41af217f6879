"""Ids of a corpus in files: those of each document by itself, whole, resumable, easy to map."""

import itertools
import json

import numpy as np
import pytest

import bpe
from bpe.documents import samples
from bpe.errors import BPEError

TEXTS = [line for pair in samples.pairs("law") for line in (pair.zh, pair.en)]
OWN = bpe.train(TEXTS, bpe.Recipe(vocabulary_size=400, special_tokens=("<|endoftext|>",)))


def corpus(folder):
    folder.mkdir()
    for number in range(3):
        rows = (json.dumps({"text": text}) for text in TEXTS[number::3])
        (folder / f"{number}.jsonl").write_text("\n".join(rows), encoding="utf-8")
    (folder / "whole.txt").write_text("\n".join(TEXTS), encoding="utf-8")
    return folder


def documents(shard):
    return ["\n".join(TEXTS)] if shard == 3 else TEXTS[shard::3]


@pytest.mark.parametrize("name", ["own", "o200k_base", "llama2"])
def test_each_document_has_the_ids_of_encode(name, tmp_path, monkeypatch):
    monkeypatch.setattr("bpe.documents.reader.BLOCK", 50)
    monkeypatch.setattr("bpe.scale.encoding._PIECE", 300)
    encoder = OWN if name == "own" else bpe.encoding(name)
    written = bpe.encode_files(corpus(tmp_path / "texts"), encoder, tmp_path / "ids")
    assert len(written) == 4
    for number, file in enumerate(written):
        ids = np.load(tmp_path / "ids" / file.ids, mmap_mode="r")
        assert ids.dtype == (np.uint32 if name == "o200k_base" else np.uint16)
        borders = np.load(tmp_path / "ids" / file.ids.replace(".npy", ".documents.npy"))
        cut = [ids[a:b].tolist() for a, b in itertools.pairwise(borders)]
        assert cut == [encoder.encode_ordinary(text) for text in documents(number)]
        assert (file.documents, file.tokens) == (len(cut), len(ids))
        assert file.bytes == sum(len(text.encode()) for text in documents(number))


def test_the_ends_of_documents_are_marked(tmp_path):
    written = bpe.encode_files(
        corpus(tmp_path / "texts"), OWN, tmp_path / "ids", end_of_document="<|endoftext|>"
    )
    end = OWN.special_tokens["<|endoftext|>"]
    ids = np.load(tmp_path / "ids" / written[1].ids).tolist()
    assert ids == [id for text in documents(1) for id in (*OWN.encode(text), end)]
    index = json.loads((tmp_path / "ids" / "index.json").read_text(encoding="utf-8"))
    assert index["tokens"] == sum(file.tokens for file in written)
    assert index["dtype"] == "uint16"
    with pytest.raises(BPEError, match="“<s>” is not a special token"):
        bpe.encode_files(tmp_path / "texts", OWN, tmp_path / "ids", end_of_document="<s>")


def test_special_tokens_in_a_text_are_text_unless_they_are_allowed(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("low<|endoftext|>low")
    for allowed, ids in (
        ((), OWN.encode_ordinary("low<|endoftext|>low")),
        ("all", OWN.encode("low<|endoftext|>low", allowed_special="all")),
    ):
        (file,) = bpe.encode_files(path, OWN, tmp_path / "ids", allowed_special=allowed)
        assert np.load(tmp_path / "ids" / file.ids).tolist() == ids


def test_what_is_whole_is_not_written_again(tmp_path, shards_read):
    texts, out = corpus(tmp_path / "texts"), tmp_path / "ids"
    first = bpe.encode_files(texts, OWN, out)
    (out / first[2].ids.replace(".npy", ".json")).unlink()  # as if it was killed before the end
    shards_read.clear()
    assert bpe.encode_files(texts, OWN, out) == first
    assert shards_read == ["2.jsonl"]
    bpe.encode_files(texts / "0.jsonl", bpe.encoding("cl100k_base"), out)
    assert shards_read == ["2.jsonl", "0.jsonl"]

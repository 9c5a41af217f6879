"""The name of a corpus, in a thread of its own or not."""

import hashlib
import tracemalloc

import pytest

from bpe.text import digests
from bpe.text.unicode import scalar_text

TEXTS = ["", "南京市", "a\ud800b", "x" * 70, "", "南京市长江大桥" * 9, "end"]


@pytest.mark.parametrize("at_once", [1, 10, 100, 10_000])
def test_the_digest_of_a_corpus_is_that_of_each_text_with_its_length(monkeypatch, at_once):
    monkeypatch.setattr(digests, "_AT_ONCE", at_once)
    monkeypatch.setattr(digests, "_MOST_WAITING", 2)
    sha = hashlib.sha256()
    for encoded in (scalar_text(text).encode() for text in TEXTS):
        sha.update(len(encoded).to_bytes(8, "big") + encoded)
    found = digests.CorpusDigest()
    for number, text in enumerate(TEXTS):
        found.add(text)
        if number == 3:
            assert found.size == sum(len(scalar_text(each).encode()) for each in TEXTS[:4])
    assert str(found) == digests.digest(TEXTS) == sha.hexdigest()[:16]


def test_of_a_long_text_no_second_copy_is_held():
    text = "南京市" * 1_000_000
    tracemalloc.start()
    digests.digest([text])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2_000_000

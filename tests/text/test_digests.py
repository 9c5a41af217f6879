"""The name of a corpus, in a thread of its own or not."""

import hashlib
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.text import digests
from bpe.text.unicode import scalar_text

TEXTS = ["", "南京市", "a\ud800b", "x" * 70, "", "南京市长江大桥" * 9, "end"]


@pytest.mark.parametrize("at_once", [1, 10, 100, 10_000])
@given(order=st.permutations(TEXTS), cut=st.integers(0, len(TEXTS)))
def test_a_corpus_is_named_by_its_documents_whoever_reads_them(at_once, order, cut):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digests, "_AT_ONCE", at_once)
        patch.setattr(digests, "_MOST_WAITING", 2)
        whole, parts, blocks = (digests.CorpusDigest() for _ in range(3))
        for number, text in enumerate(TEXTS):
            whole.add(text)
            if number == 3:
                assert whole.size == sum(len(scalar_text(each).encode()) for each in TEXTS[:4])
        others = digests.CorpusDigest()
        for text in order[:cut]:
            parts.add(text)
        for text in order[cut:]:
            others.add(text)
            assert list(blocks.reading(text)) == list(text)
        for text in order[:cut]:
            list(blocks.reading([text]))
    total = sum(
        int.from_bytes(hashlib.sha256(scalar_text(text).encode()).digest())
        for text in filter(None, TEXTS)
    )
    assert int(whole.total, 16) == total % 2**256
    assert blocks.total == whole.total == digests.sum_of_totals([parts.total, others.total])
    assert str(whole) == digests.name_of_total(whole.total)
    assert whole.documents == blocks.documents == len(TEXTS)
    assert whole.size == blocks.size


def test_texts_are_named_in_their_order_with_their_lengths():
    sha = hashlib.sha256()
    for encoded in (scalar_text(text).encode() for text in TEXTS):
        sha.update(len(encoded).to_bytes(8, "big") + encoded)
    assert digests.digest(TEXTS) == sha.hexdigest()[:16]


def test_of_a_long_text_no_second_copy_is_held():
    text = "南京市" * 1_000_000
    tracemalloc.start()
    digests.digest([text])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2_000_000

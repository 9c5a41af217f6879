"""Which tokens are final, held against all continuations that are tried one by one."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe.analysis.finality import CLASSES, PROBES, common, final_tokens
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.text.pretokenize import PATTERNS, split_spans

SIGNS = "ab '中\n1"
ALL = ["".join(each) for size in range(5) for each in product(SIGNS, repeat=size)]
CORPUS = "abab a b ab'b 中中 中ab  ab\n\n b 11 b'a aab  \n  中b中"


def trained(pattern):
    recipe = bpe.Recipe(merges=14, pattern=pattern, normalisation="none")
    return bpe.train([CORPUS, CORPUS], recipe)


TRAINED = {pattern: trained(pattern) for pattern in ("gpt2", "cl100k", "o200k", "kimi_k2", "none")}


def final_slowly(encoder, text):
    """The definition: the ids that the text has in common with each of its continuations."""
    ids = encoder.encode_ordinary(text)
    return min(common(ids, encoder.encode_ordinary(text + more)) for more in ALL)


@pytest.mark.parametrize("pattern", TRAINED)
@settings(max_examples=12, deadline=None)
@given(text=st.text(SIGNS, max_size=10))
def test_it_is_the_least_that_all_continuations_leave(pattern, text):
    encoder = TRAINED[pattern]
    found = final_tokens(encoder, text)
    assert found.exact
    assert found.count == final_slowly(encoder, text)


@pytest.mark.parametrize(
    "name", ["o200k_base", "qwen3", "deepseek_v3", "gpt2", "kimi_k2", "gemma3"]
)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_what_is_called_final_no_continuation_changes_and_the_proof_does(name, data):
    encoder = bpe.encoding(name)
    signs = st.sampled_from([*CLASSES, "hello", "ing", "中国", "南京市", "\r\n", "e\u0301", "<th"])
    text = "".join(data.draw(st.lists(signs, max_size=8)))
    more = "".join(data.draw(st.lists(signs, max_size=4)))
    ids, found = encoder.encode_ordinary(text), final_tokens(encoder, text)
    assert encoder.encode_ordinary(text + more)[: found.count] == ids[: found.count]
    if found.by:
        assert common(ids, encoder.encode_ordinary(text + found.by)) == found.count < len(ids)
    else:
        assert found.exact <= (found.count == len(ids))


@pytest.mark.parametrize("pattern", [name for name in PATTERNS if name != "none"])
@settings(max_examples=150, deadline=None)
@given(text=st.text(CLASSES, max_size=6), more=st.text(CLASSES, max_size=4))
def test_a_published_pattern_looks_no_farther_than_the_probes(pattern, text, more):
    def cuts(behind):
        return tuple(at for _, at in split_spans(text + behind, pattern) if at < len(text))

    assert cuts(more) in set(map(cuts, PROBES))


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("o200k_base", "The capital of France is ", 5),  # the blank goes to the next word
        ("kimi_k2", "南京市长江大", 1),  # 桥: 南京市 | 长江大桥
        ("qwen3", "12345678", 8),  # each digit is a token for ever
        ("cl100k_base", "12345678", 2),
        ("o200k_base", "", 0),
    ],
)
def test_the_ends_of_some_prompts(name, text, count):
    found = final_tokens(bpe.encoding(name), text)
    assert (found.count, found.exact) == (count, True)


def test_of_a_last_word_without_end_no_token_is_promised():
    assert final_tokens(bpe.encoding("o200k_base"), "Hi, " + "a" * 100_000) == (1, "", False)


def test_of_a_pattern_of_ones_own_nothing_is_promised():
    encoder = bpe.train(["ab! ab!"], bpe.Recipe(merges=1, pattern=r"regex:\w+(?=!)|[\s\S]"))
    assert final_tokens(encoder, "ab") == (0, "!", True)
    assert final_tokens(encoder, "1 2") == (0, "", False)


def test_an_encoder_of_ones_own_that_names_a_pattern_is_refused():
    class Mine(Encoder):
        name, kind, lossy, normalises, special_tokens = "mine", "bytes", False, None, {}
        pattern = "gpt2"
        token_table = tuple(bytes([byte]) for byte in range(256))

        def _encode_ordinary(self, text):
            return list(text.encode())

    mine = Mine()
    assert mine.encode_batch(["ab", "", "\ud800"]) == [[97, 98], [], [0xEF, 0xBF, 0xBD]]
    with pytest.raises(BPEError, match="no byte-level BPE of this library"):
        final_tokens(mine, "ab")

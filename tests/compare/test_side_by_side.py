"""Sentences on texts and tokens side by side, without the page."""

import pytest

import bpe
from bpe import pricing
from bpe.analysis.metrics import bytes_per_token, partial_utf8_rate, tokens_per_hanzi
from bpe.analysis.segmentation import segment
from bpe.encoders import catalog
from playground import session
from playground.compare import token_actions
from playground.compare.one_text import figures
from playground.compare.side_by_side import alike, verdict
from playground.ui import memory

NASTY = {
    "joined emoji": "👨‍👩‍👧‍👦 🏳️‍🌈",
    "combining marks": "Z̸̛̲a͖͑l̶͗g̴o̵",
    "decomposed": "e\u0301 한국 a\u0308\u0323",
    "half a pair": "a\ud83db",
    "controls": "\x00\x07\x1b[31m\x7f\u202e\u200b\ufeff",
    "right to left": "שלום ‏مرحبا (1) abc",
    "markup": "<script>document.title='owned'</script><img src=x onerror=alert(1)>&amp;**b**`c`$x$",
    "private and rare": "\ue000\U000e0041𠮷𰻞",
    "white space": " \t\r\n\u3000\u00a0  \n\n",
    "repeated": "哈" * 10_000,
}
SPLITTING = {entry.pattern: entry.name for entry in catalog.encodings()[::-1] if entry.pattern}
NAMES = [*SPLITTING.values(), "gemma3", "llama2"]
"""One of each split pattern, and of pieces with a space before the text and without."""


@pytest.mark.parametrize("name", ["o200k_base", "llama2", "gemma3", "qwen3"])
def test_figures_are_those_of_the_metrics(name):
    encoder = catalog.encoding(name)
    cut = segment(encoder, "三 3 个𠮷字，…")
    assert figures({"zh": {name: cut}}) == [
        {
            "tokenizer": session.short(name),
            "least": len(cut),
            "tokens_zh": len(cut),
            "bytes_per_token_zh": bytes_per_token([cut]),
            "tokens_per_hanzi_zh": tokens_per_hanzi([cut]),
            "partial_zh": partial_utf8_rate([cut]),
        }
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("南京市长江大桥", "zh"),
        ("人工智能 AI", "zh"),
        ("Hello, 世界 and all of the others", "en"),
        ("👍 123", "en"),
        ("👍", None),
        ("", None),
    ],
)
def test_the_language_of_a_text_is_read_from_it(text, language):
    assert session.language_of(text) == language


@pytest.mark.parametrize("name", NAMES)
def test_nasty_strings_keep_their_bytes_and_counts(name):
    encoder = catalog.encoding(name)
    for what, text in NASTY.items():
        cut = segment(encoder, text)
        assert list(cut.ids) == encoder.encode(text, disallowed_special=()), what
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
        if cut.change in (None, "surrogates"):
            assert cut.data == whole, what
        else:
            assert encoder.normalises, what
        assert sum(len(token.bytes) for token in cut.tokens()) == len(cut.data)


def test_those_with_the_same_bytes_are_the_most():
    cut = {
        code: segment(catalog.encoding(code), "e\u0301")
        for code in ("qwen3", "o200k_base", "llama3")
    }
    assert alike(cut) == ["o200k_base", "llama3"]


def test_the_tokenizers_that_are_compared_at_first_fit_into_memory_beside_those_of_cost():
    """Those of the flagships stay loaded for everybody."""
    loaded = {*session.DEFAULT, *pricing.count.PANEL}
    assert (
        sum(catalog.memory_of(catalog.facts(name).vocabulary_size) for name in loaded)
        <= memory.ENCODINGS_BYTES
    )
    flagships = {model.tokenizer or model.stand_in for model in pricing.newest(pricing.table())}
    assert {*session.DEFAULT} <= flagships


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ({"cl100k_base": 200, "deepseek_v3": 100},
         "**GPT-4 needs 2.0 times as many tokens as DeepSeek V3**: 200 against 100."),
        ({"qwen3": 110, "o200k_base": 100},
         "**Qwen3 needs 10% more tokens than GPT-4o**: 110 against 100."),
        (
            {"qwen3": 7, "o200k_base": 7},
            "All 2 tokenizers need the same number of tokens for it: 7.",
        ),
        ({"qwen3": 7}, ""),
    ],
)  # fmt: skip
def test_the_verdict_names_the_most_and_the_fewest_tokens(counts, sentence):
    assert verdict(counts) == sentence


def test_the_pre_token_of_a_token_is_found_by_its_place():
    encoder = catalog.encoding("o200k_base")
    assert token_actions.pre_token(encoder, "the lowest 中国", 5) == " lowest"
    assert token_actions.pre_token(encoder, "the lowest 中国", len(b"the lowest ")) == " 中国"
    with pytest.raises(bpe.BPEError, match="does not merge bytes"):
        token_actions.pre_token(catalog.encoding("llama2"), "the", 0)


def test_of_a_token_its_ids_elsewhere_are_told():
    qwen = catalog.encoding("qwen3")
    ids = " + ".join(map(str, qwen.encode("南京市")))
    assert session.elsewhere("南京市".encode(), {"qwen3": qwen}) == [("Qwen3", ids)]
    assert session.elsewhere(b"\xe4", {"qwen3": qwen}) == []

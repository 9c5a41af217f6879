"""The sentence above tokens that spell another text than the one that was entered."""

import pytest

from bpe.analysis.segmentation import segment
from bpe.encoders import catalog
from playground.token_view.words import changes, note
from playground.ui import i18n


@pytest.mark.parametrize(
    ("name", "text", "said", "said_in_chinese"),
    [
        (
            "llama2",
            "hi",
            "it puts a space in front, takes ▁ for a space.",
            "加一个空格，把 ▁ 当作空格。",
        ),
        ("gemma3", "▁", "it takes ▁ for a space.", "把 ▁ 当作空格。"),
        ("qwen3", "e\u0301", "to the normal form NFC.", "把文本转为 NFC 规范形式。"),
    ],
)
def test_a_note_says_what_happened_to_the_text(name, text, said, said_in_chinese, monkeypatch):
    cut = segment(catalog.encoding(name), text)
    assert note(cut).endswith(said)
    monkeypatch.setattr(i18n, "language", lambda: "zh")
    assert note(cut).endswith(said_in_chinese)


@pytest.mark.parametrize(
    ("normalises", "said"),
    [
        ("leading space", "puts a space in front"),
        ("NFKC+lowercase", "brings the text to the normal form NFKC, makes capitals small letters"),
        ("white space", "takes white space for the end of a word"),
        ("nmt_nfkc+▁ as space", "normalises the text (nmt_nfkc), takes ▁ for a space"),
    ],
)
def test_every_step_is_said_and_a_space_in_front_is_no_normal_form(normalises, said):
    assert changes(normalises) == said


def test_a_text_that_stays_as_it_is_has_nonote():
    assert note(segment(catalog.encoding("qwen3"), "é")) is None

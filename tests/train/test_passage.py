"""The lines of a corpus that are tokenized at first sight are ordinary ones from its middle."""

import pytest

from playground.train import corpus
from playground.train.corpus import LONG, SHORT, passage

ZH = (
    "第{n}天，老人沿着河边走了很久，看见几个孩子在桥下放风筝，风很大，线断了，"
    "他们一边喊一边追，直到天黑才回家，第二天他们又来了，还是在同一座桥下，风也还是那么大。"
)
EN = "On day {n} the old man walked along the river and saw some children fly their kites."


def lines_of(template: str, number: int) -> str:
    return "\n".join(template.format(n=n) for n in range(number))


def test_empty_lines_titles_and_addresses_are_passed_over():
    head = "\n \n\n> * 原文作者：IDEO\n> https://example.org/a/b?c=1234567890&d=0987654321\n\n"
    shown = passage((head + lines_of(ZH, 400),)).split("\n")
    assert len(shown) == 3
    assert all(SHORT <= len(line) <= LONG for line in shown)
    assert shown == [ZH.format(n=n) for n in (201, 202, 203)]


def test_each_of_two_long_texts_has_a_line():
    zh, en = passage((lines_of(ZH, 100), lines_of(EN, 100))).split("\n")
    assert zh.startswith("第5")
    assert en.startswith("On day")


def test_of_many_documents_the_ones_in_the_middle_are_shown():
    documents = ["1234 5678", *(EN.format(n=n) for n in range(1000)), ""]
    assert passage(documents).split("\n") == [EN.format(n=n) for n in (500, 501, 502)]


@pytest.mark.parametrize("text", [lines_of(ZH, 200), lines_of(EN, 200)], ids=["zh", "en"])
def test_a_text_without_line_breaks_is_cut_at_its_sentences(text):
    shown = passage((text.replace("\n", " "),)).split("\n")
    assert len(shown) == 3
    for line in shown:
        assert SHORT <= len(line) <= LONG
        assert line.startswith(("第", "On day"))
        assert line.endswith(("。", "."))


def test_short_lines_are_shown_where_there_are_no_others():
    assert passage(("\n".join(f"第{n:02}句也可以看一看。" for n in range(100)),)).split("\n") == [
        "第50句也可以看一看。", "第51句也可以看一看。", "第52句也可以看一看。"
    ]  # fmt: skip


@pytest.mark.parametrize("texts", [("1 2 3 4 5 6 7 8 9\n" * 100,), ("\n" * 1000,)])
def test_a_corpus_without_words_begins_as_it_does(texts):
    assert passage(texts) == ""
    made = corpus.from_texts("numbers", texts, None)
    assert made is None or made.opening == texts[0].split("\n")[0]


def test_the_hero_shows_a_passage_of_files_and_the_first_lines_of_samples():
    uploaded = ("> * 原文作者\n" + lines_of(ZH, 400),)
    made = corpus.from_texts("file", uploaded, None)
    assert made is not None
    assert made.opening == passage(uploaded)
    sample = corpus.from_source(corpus.CorpusSource(sample="both"))
    assert sample is not None
    zh, en = corpus.sampled()["both"]
    assert [zh[:20], en[:20]] == [line[:20] for line in sample.opening.split("\n")]

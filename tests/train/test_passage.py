"""The lines of a corpus that are tokenized at first sight are ordinary ones from its middle."""

import pytest

from playground.train import corpus
from playground.train.corpus import passage

ZH = (
    "第{n}天，老人沿着河边走了很久，看见几个孩子在桥下放风筝，风很大，线断了，"
    "他们一边喊一边追，直到天黑才回家，第二天他们又来了，还是在同一座桥下，风也还是那么大。"
)
EN = "On day {n} the old man walked along the river and saw some children fly their kites."


def lines_of(template: str, number: int) -> str:
    return "\n".join(template.format(n=n) for n in range(number))


HEAD = "\n \n\n> * 原文作者：IDEO\n> https://example.org/a/b?c=1234567890&d=0987654321\n\n"
SHORT_LINES = "\n".join(f"第{n:02}句也可以看一看。" for n in range(100))


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        ([HEAD + lines_of(ZH, 400)], [ZH.format(n=n) for n in (201, 202, 203)]),
        ([lines_of(ZH, 100), lines_of(EN, 100)], [ZH.format(n=51), EN.format(n=51)]),
        (
            ["1234 5678", *(EN.format(n=n) for n in range(1000)), ""],
            [EN.format(n=n) for n in (500, 501, 502)],
        ),
        *(
            ([lines_of(text, 200).replace("\n", " ")], [text.format(n=n) for n in (101, 102, 103)])
            for text in (ZH, EN)
        ),
        ([SHORT_LINES], [f"第{n}句也可以看一看。" for n in (50, 51, 52)]),
    ],
    ids=["head", "two texts", "documents", "no lines, zh", "no lines, en", "short lines"],
)
def test_ordinary_lines_are_shown_from_the_middle_of_a_text_or_of_all_documents(texts, shown):
    assert passage(texts).split("\n") == shown


@pytest.mark.parametrize("texts", [("1 2 3 4 5 6 7 8 9\n" * 100,), ("\n" * 1000,)])
def test_a_corpus_without_words_begins_as_it_does(texts):
    assert passage(texts) == ""
    made = corpus.from_texts("numbers", texts, None)
    assert made is None or made.opening == texts[0].split("\n")[0]


def test_of_files_a_passage_is_shown_and_of_samples_the_first_lines():
    uploaded = (HEAD + lines_of(ZH, 400),)
    assert corpus.from_texts("file", uploaded, None).opening == passage(uploaded)
    sample = corpus.from_source(corpus.CorpusSource(sample="both"))
    firsts = [text[:20] for text in corpus.sampled()["both"]]
    assert firsts == [line[:20] for line in sample.opening.split("\n")]

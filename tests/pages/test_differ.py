"""Why do my merges differ? The reason for a list of merges that was made elsewhere."""

import pytest

import bpe
from bpe import files
from bpe.algorithm.recipe import Recipe
from bpe.documents import samples

TEXT = samples.corpus("en")[:3000]
RECIPE = Recipe(vocabulary_size=300, min_frequency=2, special_tokens=("<|endoftext|>",))


def merges_txt(**changes) -> bytes:
    from dataclasses import replace

    return files.dumps(bpe.train([TEXT], replace(RECIPE, **changes)), "gpt2")["merges.txt"]


def opened(open_page, name: str, content: bytes, **query):
    app = open_page("train", corpus="text", size="300", **query)
    app.session_state["typed_corpus"] = TEXT
    app.run()
    app.session_state["differ"] = True
    app.run()
    app.file_uploader(key="differ_file").upload(name, content).run()
    assert not app.exception
    return app


def said(app) -> str:
    every = (*app.markdown, *app.success, *app.warning, *app.info, *app.caption)
    return " ".join(each.value for each in every).replace("\\", "")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"tie_break": "first-seen"}, "it takes the one seen first"),
        ({"normalisation": "none", "tie_break": "smallest-ids"}, "the one of smallest ids"),
        ({"vocabulary_size": 301}, "leaves room for +1 merges"),
    ],
)
def test_the_reason_is_found(open_page, changes, sentence):
    assert sentence in said(opened(open_page, "merges.txt", merges_txt(**changes)))


def test_the_same_merges_and_chinese(open_page):
    app = opened(open_page, "merges.txt", merges_txt(), lang="zh")
    assert "合并全部相同" in said(app)


def test_a_tokenizer_json_has_merges_too(open_page):
    other = bpe.train([TEXT], Recipe(vocabulary_size=300, min_frequency=2, tie_break="first-seen"))
    content = files.dumps(other, "huggingface")["tokenizer.json"]
    assert "it takes the one seen first" in said(opened(open_page, "tokenizer.json", content))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("merges.txt", b"a b c\n", "Line 1 of merges.txt"),
        ("merges.txt", "中 文\n".encode(), "byte alphabet"),
        ("tokenizer.json", b"{", "not valid JSON"),
    ],
)
def test_what_is_no_list_of_merges_says_why(open_page, name, content, message):
    app = opened(open_page, name, content)
    assert message in app.error[0].value.replace("\\", "")

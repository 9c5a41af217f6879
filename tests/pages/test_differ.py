"""Why do my merges differ? The reason for a list of merges that was made elsewhere."""

import bpe
from bpe import files
from bpe.algorithm.recipe import Recipe
from bpe.documents import samples
from tests.pages.reading import said

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


def test_the_reason_is_found(open_page):
    app = opened(open_page, "merges.txt", merges_txt(vocabulary_size=301))
    assert "leaves room for +1 merges" in said(app)


def test_the_same_merges_and_chinese(open_page):
    app = opened(open_page, "merges.txt", merges_txt(), lang="zh")
    assert "合并全部相同" in said(app)


def test_a_tokenizer_json_has_merges_too(open_page):
    other = bpe.train([TEXT], Recipe(vocabulary_size=300, min_frequency=2, tie_break="first-seen"))
    content = files.dumps(other, "huggingface")["tokenizer.json"]
    assert "it takes the one seen first" in said(opened(open_page, "tokenizer.json", content))


def test_what_is_no_list_of_merges_says_why(open_page):
    app = opened(open_page, "merges.txt", b"a b c\n")
    assert "Line 1 of merges.txt" in said(app, "error")

"""The Compare page: side by side, ids as text, tokenizers of one's own."""

import importlib.metadata
import json
from pathlib import Path

import bpe
from bpe import files as formats
from bpe.algorithm.recipe import Recipe
from bpe.documents import samples
from bpe.encoders import cached_tables, catalog
from bpe.limits import BoundedCache
from playground import own_tokenizers, session, text_pair
from playground.session import Entry
from tests.pages.reading import said

DATA = Path(__file__).parents[1] / "files" / "data"


def wide_file(size: int = 600, format: str = "huggingface") -> dict[str, bytes]:
    trained = bpe.train([samples.corpus("zh")], Recipe(vocabulary_size=size))
    return formats.dumps(trained, format)


def type_into(app, side: str, *texts: str):
    """Change a side as its editor does; a second text is the translation that was put beside it."""
    sides = (side, "en" if side == "zh" else "zh")[: len(texts)]
    for one, text in zip(sides, texts, strict=True):
        app.session_state[f"compare_{one}"] = text
    app.session_state["sample"] = app.session_state["compare_filled_with"] = "own"
    app.session_state["compare_sides"] = sides
    return app.run()


def counts(app):
    """The one column of token counts, by tokenizer."""
    table = app.dataframe[0].value.set_index("tokenizer")
    (column,) = [
        name for name in table.columns if name.startswith("tokens_") and "hanzi" not in name
    ]
    return table[column]


# A text.


def test_only_a_pair_is_held_against_each_other(open_page):
    app = open_page("compare", tokenizers=["o200k_base", "llama2"])
    told = said(app, "markdown")
    # Of the text first, then against its translation.
    premium = told.index("in Chinese for each one in English")
    assert told.index("tokens than") < premium < told.rindex("times as many tokens as")
    type_into(app, "zh", "你好，世界", "Hello, world")
    table = app.dataframe[0].value.set_index("tokenizer")
    for name in ("o200k_base", "llama2"):
        encoder = catalog.encoding(name)
        assert table.loc[session.short(name), "tokens_zh"] == len(encoder.encode("你好，世界"))
        assert table.loc[session.short(name), "tokens_en"] == len(encoder.encode("Hello, world"))

    app.multiselect(key="tokenizers").set_value(["o200k_base"]).run()
    type_into(app, "zh", "南京市长江大桥")
    assert "in Chinese for each one" not in said(app, "markdown")
    assert list(app.dataframe[0].value.columns) == [
        "tokenizer", "tokens_zh", "tokens_per_hanzi_zh", "bytes_per_token_zh", "partial_zh",
    ]  # fmt: skip

    type_into(app, "en", "The bridge")
    app.button(key="add_translation").click().run()
    assert "in Chinese for each one" not in said(app, "markdown")  # there is nothing in it yet
    app.session_state["compare_zh"] = "大桥"
    app.run()
    assert "GPT-4o needs" in said(app, "markdown")
    app.button(key="drop_translation").click().run()
    assert "in Chinese for each one" not in said(app, "markdown")
    assert list(counts(app)) == [len(catalog.encoding("o200k_base").encode("The bridge"))]

    type_into(app, "zh", "南京市", "长江大桥")  # both in one language
    assert "in Chinese for each one" not in said(app, "markdown")
    assert list(counts(app)) == [len(catalog.encoding("o200k_base").encode("南京市"))]

    type_into(app, "zh", "สวัสดีชาวโลก")  # of no language that is named
    columns = json.loads(app.dataframe[0].proto.columns)
    headings = [column["label"] for column in columns.values() if column.get("label")]
    assert "Tokens" in headings
    named = {heading for heading in headings if "Chinese" in heading or "English" in heading}
    assert named == {"Tokens per Chinese character"}

    app.selectbox(key="sample").set_value("law").run()
    assert app.session_state["compare_zh"] == text_pair.sample_texts("law")["zh"]
    assert "in Chinese for each one" in said(app, "markdown")

    type_into(app, "zh", "秘密")
    assert "秘密" not in str(app.query_params)
    type_into(app, "zh", "")
    assert not app.exception
    assert not app.dataframe
    app.multiselect(key="tokenizers").set_value([]).run()
    assert "at least one tokenizer" in app.info[0].value


def test_a_tokenizer_whose_package_is_missing_says_so_and_the_others_stay(open_page, monkeypatch):
    monkeypatch.setattr(importlib.metadata, "files", lambda name: None)
    monkeypatch.setattr(cached_tables, "facts", lambda name: None)
    monkeypatch.setattr(catalog, "loaded", BoundedCache())
    app = open_page("compare", tokenizers=["gpt2", "qwen3"])
    assert "which is not installed" in app.error[0].value
    assert list(app.dataframe[0].value["tokenizer"]) == ["Qwen3"]


def test_ids_become_text(open_page):
    app = open_page("compare", tokenizers=["o200k_base", "deepseek_v3"])
    ids = catalog.encoding("o200k_base").encode("你好，世界")
    app.text_input(key="ids").set_value(str(ids)).run()
    assert app.code[0].value == "你好，世界"
    app.text_input(key="ids").set_value("12, x3").run()
    assert "“x3” is no id" in app.error[0].value
    app.text_input(key="ids").set_value("999999999").run()
    assert "999999999" in app.error[0].value
    assert not app.exception


# One's own.


def test_a_file_is_listed_chosen_and_counted_at_once(open_page):
    files = wide_file()
    app = open_page("compare", tokenizers=["qwen3"])
    app.file_uploader(key="tokenizer_files").upload("tokenizer.json", files["tokenizer.json"]).run()
    assert not app.error
    code = next(code for code in app.multiselect(key="tokenizers").value if code != "qwen3")
    assert code.startswith("file-")
    label = next(name for name in app.dataframe[0].value["tokenizer"] if name != "Qwen3")
    assert label.startswith("tokenizer.json (")
    read = formats.loads(files)
    table = app.dataframe[0].value.set_index("tokenizer")
    text = app.session_state["compare_zh"]
    assert table.loc[label, "tokens_zh"] == len(read.encode(text))
    app.button(key=f"remove_{code}").click().run()
    assert list(app.dataframe[0].value["tokenizer"]) == ["Qwen3"]
    assert not app.exception


def test_files_of_several_formats_are_read_and_a_bad_one_is_said_beside_the_upload(open_page):
    app = open_page("compare", tokenizers=["qwen3"])

    def upload(*files: tuple[str, bytes]) -> None:
        files = [(name, data, "") for name, data in files]
        app.file_uploader(key="tokenizer_files").set_value(files).run()
        assert not app.exception

    upload(("tokenizer.json", b"<html>"))
    assert "is a web page" in said(app, "error")
    assert list(app.dataframe[0].value["tokenizer"]) == ["Qwen3"]
    upload(("a.model", b"\x00\x01\x02"), ("b.tiktoken", b"aGk= zero\n"))
    assert [error.value.split(":")[0] for error in app.error] == ["a.model", "b.tiktoken"]

    upload(
        *(file for kind in ("bpe", "gpt2", "tiktoken") for file in wide_file(format=kind).items())
    )
    assert not app.error
    assert len(app.dataframe[0].value) == 4
    app.selectbox(key="rank_pattern").set_value("gpt2").run()
    ranks = [name for name in app.dataframe[0].value["tokenizer"] if ".tiktoken" in name]
    assert {name.split(" · ")[1].split(" (")[0] for name in ranks} == {"cl100k", "gpt2"}


def test_ranks_under_another_name_are_asked_for_their_pattern_and_a_model_says_what_it_does(
    open_page,
):
    (content,) = wide_file(format="tiktoken").values()
    app = open_page("compare", tokenizers=["qwen3"], lang="zh")
    app.file_uploader(key="tokenizer_files").upload("mine.json", content).run()
    assert not app.error
    assert app.selectbox(key="rank_pattern").value == "cl100k"
    assert len(app.dataframe[0].value) == 2
    model = (DATA / "bpe.model").read_bytes()
    app.file_uploader(key="tokenizer_files").set_value([("bpe.model", model, "")]).run()
    assert "会改动文本：" in said(app, "markdown")
    assert "把 ▁ 当作空格" in said(app, "markdown")
    assert "▁ as space" not in said(app, "markdown")


def test_one_too_many_waits_until_there_is_room(open_page, monkeypatch):
    monkeypatch.setattr(own_tokenizers, "MOST", 1)
    app = open_page("compare", tokenizers=["qwen3"])
    files = [(f"{size}.json", wide_file(size)["tokenizer.json"], "") for size in (300, 301, 302)]
    app.file_uploader(key="tokenizer_files").set_value(files).run()
    (error,) = app.error
    assert "and 301.json, 302.json will be read" in error.value.replace("\\", "")
    next(button for button in app.button if button.label == "Remove").click().run()
    assert any("301.json" in name for name in app.dataframe[0].value["tokenizer"])
    (error,) = app.error
    assert "and 302.json will be read" in error.value.replace("\\", "")


def test_a_repository_is_fetched_and_chosen_and_without_a_network_its_name_stays(
    open_page, monkeypatch
):
    def unreachable(*_, **__):
        raise OSError("no route")

    def fetch(repository: str):
        app.text_input(key="hub_repository").set_value(repository)
        next(b for b in app.button if b.label == "Fetch its tokenizer.json").click().run()
        assert not app.exception

    app = open_page("compare", tokenizers=["qwen3"])
    with monkeypatch.context() as patch:
        patch.setattr("urllib.request.urlopen", unreachable)
        fetch("owner/name")
    assert "The Hub gave no tokenizer.json within" in app.error[0].value
    assert app.text_input(key="hub_repository").value == "owner/name"
    fetch("not a name")
    assert "cannot be a repository" in app.error[0].value

    addresses = []
    content = wide_file()["tokenizer.json"]
    monkeypatch.setattr("bpe.files.hub.download", lambda url, *_: addresses.append(url) or content)
    fetch("owner/small")
    assert not app.error
    assert "owner/small" in list(app.dataframe[0].value["tokenizer"])
    assert addresses[0].endswith("/owner/small/resolve/main/tokenizer.json")
    assert "hub:owner/small" in app.query_params["tokenizers"]


def test_a_tokenizer_that_runs_away_is_named_and_the_others_are_shown(open_page, limit_sandbox):
    limit_sandbox(answer_seconds=0.5)
    split = {"type": "Split", "pattern": {"Regex": r"a*[^!]*c?[^!]*b$"}, "behavior": "Isolated"}
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "!": 2}, "merges": []}
    values = {"version": "1.0", "pre_tokenizer": {**split, "invert": False}, "model": model}
    slow = formats.loads({"slow.json": json.dumps({**values, "added_tokens": []}).encode()})
    app = open_page("compare", tokenizers=["qwen3", "o200k_base"])
    app.session_state["own tokenizers"] = {"file-slow": Entry(slow)}
    app.session_state["tokenizers"] = ["file-slow", "qwen3"]
    app = type_into(app, "en", "a" * 2_000 + "!b")
    assert not app.exception
    assert "needs too much time or memory for this text" in said(app, "error")
    assert len(counts(app)) >= 1


def test_what_the_reader_does_not_see_is_said_and_shown(open_page):
    hidden_text = "pay\u200bpаl"
    app = open_page("compare", lang="en", tokenizers=["cl100k_base"])
    assert "look like nothing" not in said(app, "caption")
    type_into(app, "zh", hidden_text)
    app.run()
    told = said(app, "caption")
    encoder = catalog.encoding("cl100k_base")
    assert "2 characters look like nothing" in told
    assert f"needs {encoder.count(hidden_text)} tokens; cleaned up, 1" in told
    assert "⟨U+200B⟩" in said(app, "markdown")
    app = open_page("cost", lang="en")
    app.session_state["compare_zh"] = hidden_text
    app.run()
    assert "2 characters look like nothing" in said(app, "caption")
    app = open_page("train", lang="en", corpus="text")
    app.session_state["typed_corpus"] = hidden_text
    app.run()
    assert "2 characters look like nothing" in said(app, "caption")

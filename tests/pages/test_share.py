"""A link of each page shows in a new session what it showed where it was copied."""

import re
from pathlib import Path
from urllib.parse import parse_qs

import pytest
import streamlit as st

import bpe
from bpe import files
from bpe.documents.documents import CorpusSource
from bpe.errors import BPEError
from bpe.text import own_pattern
from playground.share import contents
from playground.share.codec import OwnTokenizer, State, pack, unpack
from playground.share.session_file import SessionFile, dumps, loads
from tests.pages.reading import data_of, said, warnings

DATA = Path(__file__).parents[1] / "share" / "data"
"""A link and a session file of version 1, as they were first written."""


@pytest.fixture(scope="module", autouse=True)
def empty_caches():
    """Once for all of them: what a link opens is mostly what was shown where it was copied."""
    st.cache_data.clear()
    st.cache_resource.clear()


def link_of(app) -> str:
    """Return what the link of the page carries."""
    app.session_state["share"] = True
    app.run()
    assert not app.exception
    return parse_qs(data_of(app, "bpe_copy")["link"].split("?")[-1])["s"][0]


def field(app, key: str):
    return next(box for box in app.text_input if box.key == key)


@pytest.fixture
def open_link(open_page):
    """Open what a page links to in a new session, which has nothing to complain of."""

    def run(app, page: str, **where: str):
        again = open_page(page, s=link_of(app), **where)
        assert not again.exception
        assert not warnings(again)
        return again

    return run


def test_compare_shows_texts_and_tokenizers_again(open_page, open_link):
    app = open_page("compare", lang="zh", tokenizers=["llama2", "qwen3"], base="qwen3")
    app.session_state["sample"] = app.session_state["compare_filled_with"] = "own"
    app.session_state["compare_sides"] = ("en", "zh")
    app.session_state["compare_en"] = "The river is wide.\n*not* <b>markup</b>"
    app.session_state["compare_zh"] = "这条河很宽。"
    app.run()
    assert not app.exception
    again = open_link(app, "compare", locale="fr")
    assert again.session_state["lang"] == "zh"
    assert again.session_state["compare_en"] == "The river is wide.\n*not* <b>markup</b>"
    assert again.session_state["compare_zh"] == "这条河很宽。"
    assert again.session_state["compare_sides"] == ("en", "zh")
    assert again.multiselect(key="tokenizers").value == ["llama2", "qwen3"]
    assert again.session_state["base"] == "qwen3"
    again.run()
    assert "s" not in again.query_params
    assert again.query_params["tokenizers"] == ["llama2", "qwen3"]


TYPED = "aa bb\naa cc\naa bb"
COUNTS = '{"hug": 10, "pug": 5, "bun": 4}'


def test_what_was_trained_on_typed_texts_comes_back_by_links_and_in_a_file(
    open_page, open_link, saved
):
    app = open_page("train", lang="en", corpus="text", documents="line", least="1", size="300")
    app.session_state["typed_corpus"] = TYPED
    app.run()
    app = train_shows_its_recipe_again(open_link(app, "train"), app)
    app.session_state["downloads"] = True
    app.run()
    (code,) = app.session_state["own tokenizers"]
    field(app, f"name-{code}-en").set_value("the one of the lines")
    app.session_state["typed_corpus"] = COUNTS
    app.selectbox(key="algorithm").set_value("character-bpe").run()
    own, size = app.session_state["own tokenizers"], app.number_input(key="size").value
    assert len(own) == 2
    app.session_state["share"] = False
    app.switch_page("pages/compare.py").run()
    app.multiselect(key="tokenizers").set_value(list(own))
    app.selectbox(key="sample").set_value("law").run()
    has_the_tokenizers(open_link(app, "compare"), own)

    again = open_file(open_page, saved(app), "compare")
    assert again.session_state["lang"] == "en"
    assert again.selectbox(key="sample").value == "law"
    has_the_tokenizers(again, own)
    again.switch_page("pages/train.py").run()
    assert again.session_state["typed_corpus"] == COUNTS
    assert again.number_input(key="size").value == size


def test_a_tokenizer_that_nobody_named_is_still_the_visitors_own_elsewhere(open_page, open_link):
    app = open_page("train", lang="zh", corpus="en", size="300")
    app.switch_page("pages/compare.py").run()
    for page in (app, open_link(app, "compare")):
        assert "**你的分词器 用的词元是" in said(page)


def train_shows_its_recipe_again(again, app):
    """Check that one Train page shows what another shows; return it."""
    assert again.session_state["typed_corpus"] == TYPED
    assert again.number_input(key="size").value == 300
    assert again.number_input(key="least").value == 1
    assert list(again.session_state["own tokenizers"]) == list(app.session_state["own tokenizers"])
    again.run()
    assert set(again.query_params) >= {"corpus", "size", "least", "documents"}
    assert again.number_input(key="size").value == 300
    return again


def has_the_tokenizers(app, own) -> None:
    """Check that a Compare page has the tokenizers of another session, and shows them."""
    for code, entry in own.items():
        assert app.session_state["own tokenizers"][code].tokenizer == entry.tokenizer
        assert app.session_state["own tokenizers"][code].name == entry.name
        assert code in app.multiselect(key="tokenizers").value


def test_merges_by_hand_become_a_challenge_that_shows_the_score_alone(open_page):
    app = open_page("learn", lang="en", lesson="sheet")
    app.session_state["puzzle sheet.by-hand"] = MINE
    app.run()
    link_of(app)
    next(each for each in app.toggle if each.label.startswith("As a challenge")).set_value(True)
    state = unpack(link := link_of(app))
    assert (state.fields["challenge"], state.answers) == (MINE, {})
    again = open_page("learn", s=link)
    assert "ten merges with **1.30** bytes per symbol" in again.info[0].value
    assert data_of(again, "bpe_merges_by_hand")["merges"] == []
    again.session_state["puzzle sheet.by-hand"] = f"{MINE}\n· th"
    again.run()
    assert "The challenge is beaten." in said(again)
    forged = State("learn", {"lesson": "sheet", "challenge": "a b c\n" * 50}, (), {})
    assert not open_page("learn", s=pack(forged)).exception


MINE = "a t\no at\nt h"


def test_the_sheet_shows_all_answers_and_a_lesson_links_to_its_own(open_page, open_link):
    app = open_page("learn", locale="zh-CN", lesson="bytes")
    app.run()
    assert "lang" not in app.query_params
    app.button_group(key="lang").set_value("en").run()
    assert app.query_params["lang"] == "en"
    field(app, "puzzle bytes.pair").set_value("中不").run()
    app.button_group(key="bet bytes.rare").set_value("48").run()
    assert unpack(link_of(app)).answers.keys() == {"bets", "puzzles", "scores"}
    next(each for each in app.toggle if each.label.startswith("Without")).set_value(True)
    for_a_class = unpack(link_of(app))
    assert (for_a_class.answers, for_a_class.fields) == ({}, {"lang": "en", "lesson": "bytes"})
    for name, text in (("A question", "Why three?"), ("Its answer", "By UTF-8.")):
        next(each for each in app.text_input if each.label.startswith(name)).set_value(text).run()
    asked = unpack(link_of(app))
    assert asked.fields["asked bytes"] == ["Why three?", "By UTF-8."]
    assert asked.answers == {}
    next(each for each in app.toggle if each.label.startswith("Without")).set_value(False)
    app.button_group(key="lesson").set_value("merge").run()
    app.session_state["text merge"] = "hug pug"
    app.run()
    of_merge = unpack(link_of(app))
    assert of_merge.answers == {}
    assert of_merge.fields == {"lang": "en", "lesson": "merge", "text merge": "hug pug"}
    app.button_group(key="lesson").set_value("sheet").run()
    again = open_link(app, "learn")
    assert any(
        "Puzzles solved: 1. Right at the first guess: 0 of 1." in each.value
        for each in again.markdown
    )


SECTIONS = [
    ("compare", {"view": "languages", "parallel": "law"}),
    ("compare", {"view": "vocabulary", "vocabulary_order": "-bytes", "vocabulary_search": "中"}),
    ("cost", {"section": "models", "search": "gpt", "old": True}),
    ("cost", {"section": "conversation"}),
    ("cost", {"section": "conversation", "request_of": "messages"}),
    ("cost", {"section": "batch", "batch_jobs": True}),
    ("cost", {"answers": "tokens", "answer_tokens": 17}),
    ("learn", {"lesson": "bytes"}),
    ("train", {"corpus": "zh", "algorithm": "unigram", "size": 900}),
]


@pytest.mark.parametrize(("page", "fields"), SECTIONS, ids=str)
def test_a_link_of_each_section_brings_its_settings(open_page, page, fields):
    app = open_page(page, s=pack(State(page, {"lang": "en", **fields})))
    assert not app.exception
    assert not warnings(app)
    assert unpack(link_of(app)).fields == {"lang": "en", **fields}
    in_url = {key: app.query_params[key] for key in app.query_params if key != "lang"}
    assert in_url == {key: str(value).lower() for key, value in fields.items()}


def test_hours_and_a_moment_come_back(open_page, open_link):
    when = {"hours": ["3", "8"], "moment": "2026-03-04T05:06"}
    again = open_link(open_page("cost", every="month", **when), "cost")
    assert again.slider(key="hours").value == (3, 8)
    assert str(again.session_state["moment"]) == "2026-03-04 05:06:00"


def test_a_broken_link_opens_the_page_and_says_so(open_page):
    app = open_page("learn", lang="en", s=pack(State("learn"))[:-4])
    for _run in range(2):
        assert not app.exception
        assert "This link is incomplete" in said(app, "warning")
        app.run()
    assert "s" not in app.query_params


def test_a_link_has_one_budget_of_time_for_all_its_tokenizers(open_page, monkeypatch):
    monkeypatch.setattr(contents, "SECONDS", 0.0)
    monkeypatch.setattr(own_pattern, "SECONDS", 1.0)
    runs_away = OwnTokenizer("own-1", "slow", {"pattern": "regex:(a|aa)+!"}, CorpusSource(text="a"))
    others = [
        OwnTokenizer(
            f"own-{number}", f"later {number}", {"merges": 3}, CorpusSource(text="low lower")
        )
        for number in range(2, 26)
    ]
    app = open_page("compare", s=pack(State("compare", {}, (runs_away, *others[:-1]))))
    assert not app.exception
    named = said(app, "warning")
    assert "more than 0 seconds of work" in named
    assert all(f"later {number}" in named for number in range(2, 25))


def test_what_of_a_link_cannot_be_had_here_is_named(open_page):
    entries = (
        OwnTokenizer("own-1", "*no corpus*"),
        OwnTokenizer("own-2", "sample", corpus=CorpusSource(sample="nowhere")),
        OwnTokenizer("own-3", "recipe", {"merges": -1}, CorpusSource(sample="zh")),
        OwnTokenizer("own-4", "words", {}, CorpusSource(text='{"a": 2000000000}')),
        OwnTokenizer("own-5", "field", {"no such": 1}, CorpusSource(text="a")),
    )
    again = open_page(
        "compare", lang="en", s=pack(State("compare", {"*colour*": "red"}, tokenizers=entries))
    )
    assert not again.exception
    *tokenizers, of_the_field = warnings(again)
    assert [said.split("”")[0] for said in tokenizers] == [
        f"The tokenizer “{entry.name}" for entry in entries
    ]
    assert "“*colour*”" in of_the_field
    assert "own tokenizers" not in again.session_state or not again.session_state["own tokenizers"]


@pytest.mark.parametrize("by_state", [True, False])
def test_a_link_may_name_a_repository_of_the_hub(open_page, open_link, monkeypatch, by_state):
    def download(url, *_more):
        asked.append(url)
        if "missing" in url:
            raise BPEError("The Hub has no such file.")
        return content

    asked = []
    content = files.dumps(bpe.train(["low lower"], bpe.Recipe(merges=3)), "huggingface")
    content = content["tokenizer.json"]
    monkeypatch.setattr("bpe.files.hub.download", download)
    codes = ["hub:owner/small", "hub:owner/missing", "gpt2"]
    query = {"tokenizers": codes}
    if by_state:
        entries = tuple(OwnTokenizer(code, code) for code in codes[:2])
        query = {"s": pack(State("compare", query, entries))}
    app = open_page("compare", lang="en", **query)
    assert not app.exception
    assert app.multiselect(key="tokenizers").value == ["hub:owner/small", "gpt2"]
    assert warnings(app) == ["owner/missing: The Hub has no such file."]
    app.run()
    assert len(asked) == 2  # it is not tried again
    again = open_page("compare", s=link_of(app))
    assert again.multiselect(key="tokenizers").value == ["hub:owner/small", "gpt2"]
    assert not warnings(again)


@pytest.mark.parametrize(
    ("page", "query", "names"),
    [
        ("compare", {"tokenizers": [f"published-{'a' * 64}", "gpt2"], "dropout": "30"},
         [f"published-{'a' * 64}", "dropout"]),
        ("compare", {"view": "languages", "question": "lengths"}, ["lengths"]),
        ("train", {"picture": "borders", "start": "gpt2", "experiment": "growth"},
         ["borders", "start", "experiment"]),
        ("learn", {"s": pack(State("learn", {"lesson": "stumble", "polluted": True}))},
         ["polluted"]),
        ("cost", {"sample": "**bold** <b>", "section": "$x$", "utm_source": "mail"},
         ["$x$", "**bold** <b>"]),
    ],
)  # fmt: skip
def test_a_link_to_what_is_not_here_opens_and_says_so_in_one_sentence(
    open_page, page, query, names
):
    app = open_page(page, **{"lang": "en", **query})
    assert not app.exception
    (sentence,) = warnings(app)
    assert {*re.findall("“([^”]*)”", sentence)} == {*names}
    assert "You see everything else." in sentence
    escaped = app.warning[0].value
    assert not re.search(r"(?<!\\)[$*<>]", escaped)  # none of it is Markdown
    if data_of(app, "bpe_tab")["again"]:  # a browser runs the page once more by itself
        assert warnings(app.run()) == [sentence]


@pytest.fixture
def saved(monkeypatch):
    """Return the file that the popover offers to save."""
    offered = []
    in_a_file = contents.in_a_file

    def look(page):
        offered.append(in_a_file(page))
        return offered[-1]

    monkeypatch.setattr(contents, "in_a_file", look)

    def save(app) -> bytes:
        app.session_state["share"] = True
        app.run()
        assert not app.exception
        return dumps(offered[-1][0])

    return save


def open_file(open_page, data: bytes, page: str):
    """Open a session file of that page in a new session, which has nothing to complain of."""
    app = open_page("learn", lang="zh")
    app.session_state["state to be restored"] = ("its id", loads(data).state, loads(data))
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    assert not warnings(app)
    return app


def test_a_session_file_says_what_was_removed_since(open_page):
    own = {"sample": "own", "compare_sides": ["en"], "compare_en": "hello"}
    fields = {"polluted": True, "tokenizers": ["own-extended", "gpt2"], **own}
    data = dumps(SessionFile(State("compare", fields)))
    app = open_page("learn", lang="en")
    app.session_state["state to be restored"] = ("its id", loads(data).state, loads(data))
    app.switch_page("pages/compare.py").run()
    assert not app.exception
    assert any(text.startswith("This session file is from an earlier") for text in warnings(app))
    assert app.session_state["compare_en"] == "hello"


def test_a_link_and_a_session_file_of_the_first_version_still_open(open_page):
    link = (DATA / "link-1.txt").read_text(encoding="ascii").strip()
    check_the_first_ones(open_page("compare", s=link))
    app = open_file(open_page, (DATA / "session-1.zip").read_bytes(), "compare")
    check_the_first_ones(app)
    app.switch_page("pages/train.py").run()
    assert app.session_state["typed_corpus"] == "low lower lowest\n最低的，最低的"
    assert app.number_input(key="size").value == 300
    app.switch_page("pages/learn.py").run()
    assert field(app, "puzzle bytes.pair").value == "中不"


def check_the_first_ones(app) -> None:
    """Check that a page shows what was stored in :data:`DATA`."""
    assert not app.exception
    assert not warnings(app)
    assert app.session_state["lang"] == "zh"
    assert app.session_state["compare_en"] == "The river is wide."
    assert app.session_state["compare_zh"] == "这条河很宽。"
    tokenizer = app.session_state["own tokenizers"]["own-7df5dbf9"].tokenizer
    assert tokenizer.recipe.vocabulary_size == 300
    assert len(tokenizer.merges) == 17
    assert "own-7df5dbf9" in app.multiselect(key="tokenizers").value

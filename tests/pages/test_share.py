"""A link of each page shows in a new session what it showed where it was copied."""

import io
import json
import zipfile
from pathlib import Path
from urllib.parse import parse_qs

import pytest
import streamlit as st

from bpe.text import own_pattern
from playground.compare import report
from playground.session import CorpusSource
from playground.share import codec, contents
from playground.share.codec import OwnTokenizer, State, pack, unpack
from playground.share.restore import Incoming
from playground.share.session_file import dumps, loads

DATA = Path(__file__).parents[1] / "share" / "data"
"""A link and a session file of version 1, as they were first written."""

report_of = report.report


@pytest.fixture(scope="module", autouse=True)
def empty_caches():
    """Once for all of them: what a link opens is mostly what was shown where it was copied."""
    st.cache_data.clear()
    st.cache_resource.clear()


def components(block):
    for child in getattr(block, "children", {}).values():
        yield child
        yield from components(child)


def data_of(app, name: str) -> dict:
    """Return what the component of that name was given."""
    proto = next(
        each.proto
        for each in components(app._tree)
        if each.type == "bidi_component" and each.proto.component_name == name
    )
    return json.loads(proto.json)


def link_of(app) -> str:
    """Return what the link of the page carries."""
    app.session_state["share"] = True
    app.run()
    assert not app.exception
    return parse_qs(data_of(app, "bpe_copy")["link"].split("?")[-1])["s"][0]


def field(app, key: str):
    return next(box for box in app.text_input if box.key == key)


def noticed(app) -> list[str]:
    return [warning.value.replace("\\", "") for warning in app.warning]


def test_compare_shows_both_own_texts_and_the_tokenizers_again(open_page):
    app = open_page("compare", lang="zh", tokenizers=["llama2", "qwen3"], base="qwen3")
    app.session_state["sample"] = app.session_state["compare_filled_with"] = "own"
    app.session_state["compare_sides"] = ("en", "zh")
    app.session_state["compare_en"] = "The river is wide.\n*not* <b>markup</b>"
    app.session_state["compare_zh"] = "这条河很宽。"
    app.run()
    again = open_page("compare", locale="fr", s=link_of(app))
    assert not again.exception
    assert not noticed(again)
    assert again.session_state["lang"] == "zh"
    assert again.session_state["compare_en"] == "The river is wide.\n*not* <b>markup</b>"
    assert again.session_state["compare_zh"] == "这条河很宽。"
    assert again.session_state["compare_sides"] == ("en", "zh")
    assert again.multiselect(key="tokenizers").value == ["llama2", "qwen3"]
    assert again.selectbox(key="base").value == "qwen3"
    again.run()
    assert "s" not in again.query_params
    assert again.query_params["tokenizers"] == ["llama2", "qwen3"]


@pytest.mark.parametrize("corpus", ["low lower lowest", '{"hug": 10, "pug": 5, "bun": 4}'])
def test_a_tokenizer_of_a_typed_text_is_trained_again(open_page, corpus):
    app = open_page("train", lang="en", corpus="text", algorithm="character-bpe", size="12")
    app.session_state["typed_corpus"] = corpus
    app.run()
    code, own = list(app.session_state["own tokenizers"].items())[-1]
    app.session_state["share"] = False
    app.switch_page("pages/compare.py").run()
    again = open_page("compare", s=link_of(app))
    assert not again.exception
    assert not noticed(again)
    assert again.session_state["own tokenizers"][code].tokenizer == own.tokenizer
    assert code in again.multiselect(key="tokenizers").value


def test_train_shows_the_recipe_and_the_text_again(open_page):
    app = open_page("train", lang="en", corpus="text", documents="line", least="1", size="300")
    app.session_state["typed_corpus"] = "aa bb\naa cc\naa bb"
    app.run()
    trained = list(app.session_state["own tokenizers"])
    again = open_page("train", s=link_of(app))
    assert not again.exception
    assert not noticed(again)
    assert again.session_state["typed_corpus"] == "aa bb\naa cc\naa bb"
    assert again.number_input(key="size").value == 300
    assert again.number_input(key="least").value == 1
    assert list(again.session_state["own tokenizers"]) == trained
    again.run()
    assert set(again.query_params) >= {"corpus", "size", "least", "documents"}
    assert again.number_input(key="size").value == 300


def test_cost_shows_models_numbers_and_moment_again(open_page):
    app = open_page(
        "cost", lang="zh", section="month", currency="CNY", rate="7.5", a_requests="77",
        hours=["3", "8"], moment="2026-03-04T05:06", weekends="true", budget="1000",
        models=["deepseek/deepseek-v4-pro"],
    )  # fmt: skip
    again = open_page("cost", s=link_of(app))
    assert not again.exception
    assert not noticed(again)
    assert again.number_input(key="a_requests").value == 77
    assert again.number_input(key="rate").value == 7.5
    assert again.number_input(key="budget").value == 1000
    assert again.slider(key="hours").value == (3, 8)
    assert again.toggle(key="weekends").value is True
    assert str(again.session_state["moment"]) == "2026-03-04 05:06:00"
    assert again.multiselect(key="models").value == ["deepseek/deepseek-v4-pro"]


def test_a_lesson_shows_its_own_answers_and_the_sheet_all(open_page):
    app = open_page("learn", lang="en", lesson="bytes")
    field(app, "puzzle bytes.pair").set_value("中不").run()
    app.button_group(key="bet bytes.rare").set_value("48").run()
    app.button_group(key="lesson").set_value("merge").run()
    app.session_state["text merge"] = "hug pug"
    app.run()
    of_merge = unpack(link_of(app))
    assert of_merge.answers == {}
    assert of_merge.fields == {"lang": "en", "lesson": "merge", "text merge": "hug pug"}
    app.button_group(key="lesson").set_value("sheet").run()
    again = open_page("learn", s=link_of(app))
    assert not again.exception
    assert not noticed(again)
    assert any(
        "Puzzles solved: 1. Right at the first guess: 0 of 1." in each.value
        for each in again.markdown
    )


SECTIONS = [
    ("compare", {"view": "languages", "parallel": "law"}),
    ("compare", {"view": "vocabulary", "vocabulary_from": "2", "vocabulary_search": "中"}),
    ("compare", {"view": "files"}),
    ("cost", {"section": "models", "search": "gpt", "old": "true"}),
    ("cost", {"section": "conversation"}),
    ("cost", {"section": "window"}),
    ("cost", {"section": "batch", "batch_jobs": "true"}),
    ("cost", {"answers": "tokens", "answer_zh": "17"}),
    ("learn", {"lesson": "relatives"}),
    ("train", {"corpus": "zh", "algorithm": "unigram", "size": "900"}),
]


@pytest.mark.parametrize(("page", "settings"), SECTIONS, ids=str)
def test_a_link_of_each_section_brings_its_settings(open_page, page, settings):
    app = open_page(page, lang="en", **settings)
    app.run()
    given = {key: app.query_params[key] for key in app.query_params}
    again = open_page(page, s=link_of(app))
    assert not again.exception
    assert not noticed(again)
    again.run()
    again.run()
    known = {key: again.query_params[key] for key in again.query_params if key != "lang"}
    assert known == {key: value for key, value in given.items() if key != "lang"}


IMPOSSIBLE = [
    ("train", {"corpus": "text", "typed_corpus": ["no", "text"], "normalise": [1, {}]}),
    ("compare", {"compare_sides": ["zh", "zh"], "tokenizers": ["no", 7], "ids": "x" * 99_000}),
    ("cost", {"section": "month", "hours": [20, 3], "moment": "9999-12-31", "rate": 1e300}),
    ("learn", {"lesson": "chinese", "chinese_zh": "\ud800", "settings": "x", "own tokenizers": 1}),
]


def test_values_that_no_field_could_have_are_left_out(open_page):
    answers = {"bets": {"chinese.curve": "[[]]", "x": 5}, "scores": {"merge": ["a", 2], "b": 1}}
    for page, fields in IMPOSSIBLE:
        again = open_page(page, s=pack(State(page, fields, answers=answers)))
        assert not again.exception, page
        again.run()
        assert not again.exception, page


def test_a_field_that_is_not_here_is_named_as_it_is(open_page):
    again = open_page("learn", lang="en", s=pack(State("learn", {"*colour*": "red"})))
    assert "The link sets “*colour*”, which this page does not have." in noticed(again)


BROKEN = [
    ("1AAAA", "This link is incomplete"),
    ("2AAAA", "made by a newer version"),
    (pack(State("compare"))[:-4], "This link is incomplete"),
]


def test_a_broken_link_opens_the_page_and_says_so(open_page):
    for link, said in BROKEN:
        again = open_page("compare", lang="en", s=link)
        assert not again.exception
        assert any(said in each for each in noticed(again))
        again.run()
        assert any(said in each for each in noticed(again))
        assert "s" not in again.query_params


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
    named = " ".join(noticed(app))
    assert "more than 0 seconds of work" in named
    assert all(f"later {number}" in named for number in range(2, 25))


def test_a_tokenizer_that_cannot_be_trained_is_named(open_page):
    entries = (
        OwnTokenizer("own-1", "*no corpus*"),
        OwnTokenizer("own-2", "sample", corpus=CorpusSource(sample="nowhere")),
        OwnTokenizer("own-3", "recipe", {"merges": -1}, CorpusSource(sample="zh")),
        OwnTokenizer("own-4", "words", {}, CorpusSource(text='{"a": 2000000000}')),
        OwnTokenizer("own-5", "field", {"no such": 1}, CorpusSource(text="a")),
    )
    again = open_page("compare", lang="en", s=pack(State("compare", tokenizers=entries)))
    assert not again.exception
    assert [said.split("”")[0] for said in noticed(again)] == [
        f"The tokenizer “{entry.name}" for entry in entries
    ]
    assert "own tokenizers" not in again.session_state or not again.session_state["own tokenizers"]


def test_what_a_link_cannot_carry_is_named(open_page):
    app = open_page("train", lang="en", corpus="text", size="300", least="1")
    app.session_state["typed_corpus"] = "".join(map(chr, range(0x4E00, 0x4E00 + 9_000)))
    app.run()
    link = link_of(app)
    assert len(link) < codec.BUDGET
    assert any("The text that begins “一丁丂" in said for said in noticed(app))


LONG = " ".join(f"{number:x}" for number in range(4_000))
"""Numbers that hardly repeat, so that no link has room for them."""


def trained_on_a_long_text(open_page):
    """Return the Train page after such a training, the code of the tokenizer, and itself."""
    app = open_page("train", lang="en", corpus="text", size="300")
    app.session_state["typed_corpus"] = LONG
    app.run()
    code, own = list(app.session_state["own tokenizers"].items())[-1]
    return app, code, own.tokenizer


def test_a_tokenizer_of_a_long_text_is_carried_once_it_is_published(
    open_page, tmp_path, monkeypatch
):
    monkeypatch.setenv("BPE_STORE", tmp_path.as_uri())
    app, code, tokenizer = trained_on_a_long_text(open_page)
    app.switch_page("pages/compare.py").run()
    before = open_page("compare", s=link_of(app))
    assert code not in before.session_state["own tokenizers"]
    assert "A link carries those that you publish first, on the Train page." in noticed(app)
    app.session_state["share"] = False
    app.switch_page("pages/train.py").run()
    app.session_state[f"publish-{code}"] = True
    app.run()
    app.button(key=f"publish-now-{code}").click().run()
    app.switch_page("pages/compare.py").run()
    again = open_page("compare", s=link_of(app))
    assert not again.exception
    assert not noticed(again)
    restored = again.session_state["own tokenizers"][code].tokenizer
    assert restored.merges == tokenizer.merges
    assert code in again.multiselect(key="tokenizers").value
    assert not noticed(app)


def test_a_published_one_is_named_where_it_cannot_be_had(open_page):
    entry = OwnTokenizer("own-12345678", "笔记", published="a" * 64)
    strange = OwnTokenizer("o200k_base", "fake", published="a" * 64)
    again = open_page("compare", s=pack(State("compare", tokenizers=(entry, strange))))
    assert not again.exception
    assert [said.split("”")[0] for said in noticed(again)] == [
        "The tokenizer “笔记",
        "The tokenizer “fake",
    ]


def test_the_report_has_the_link_that_is_copied(open_page, monkeypatch):
    app = open_page("compare", tokenizers=["llama2", "qwen3"], base="qwen3")
    made = []
    monkeypatch.setattr(report, "report", lambda *given: made.append(given[3]) or report_of(*given))
    app.session_state["comparison_report"] = True
    app.run()
    assert not app.exception
    assert parse_qs(made[0].split("?")[-1])["s"] == [link_of(app)]


def test_the_language_of_the_browser_is_not_in_the_url(open_page):
    app = open_page("learn", locale="zh-CN")
    app.run()
    assert "lang" not in app.query_params
    app.button_group(key="lang").set_value("en").run()
    assert app.query_params["lang"] == "en"


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


def test_a_session_file_opens_to_the_same_page_with_everything(open_page, saved):
    app = open_page("train", lang="en", corpus="text", size="262", least="1")
    app.session_state["typed_corpus"] = "low lower lowest " * 100
    app.run()
    (code,) = app.session_state["own tokenizers"]
    app.session_state["share"] = False
    app.switch_page("pages/compare.py").run()
    app.selectbox(key="sample").set_value("law").run()
    data = saved(app)
    again = open_page("learn", lang="zh")
    again.session_state["state to be restored"] = Incoming("its id", loads(data).state, loads(data))
    again.switch_page("pages/compare.py").run()
    assert not again.exception
    assert not noticed(again)
    assert again.session_state["lang"] == "en"
    assert again.selectbox(key="sample").value == "law"
    own, theirs = (each.session_state["own tokenizers"][code] for each in (app, again))
    assert own.tokenizer == theirs.tokenizer
    assert code in again.multiselect(key="tokenizers").value
    again.switch_page("pages/train.py").run()
    assert again.session_state["typed_corpus"] == "low lower lowest " * 100
    assert again.number_input(key="size").value == 262


def two_files() -> bytes:
    """Return a ZIP of lines that belong together, as FLORES has them."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("zho_Hans.dev", "你好\n再见\n")
        archive.writestr("eng_Latn.dev", "hello\ngoodbye\n")
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("pairs.csv", "zh,en\n你好,hello\n再见,goodbye\n".encode("gb18030")),
        ("pairs.po", b'msgid "hello"\nmsgstr "\xe4\xbd\xa0\xe5\xa5\xbd"\n'),
        ("pairs.zip", two_files()),
    ],
)
def test_a_session_file_holds_the_pairs_that_were_uploaded(open_page, saved, name, data):
    app = open_page("cost", lang="en", prompts="pairs")
    app.file_uploader(key="pair_file").upload(name, data).run()
    before = [caption.value for caption in app.caption]
    assert any("pair" in caption for caption in before)
    data = saved(app)
    assert "Not in it" not in " ".join(noticed(app))
    again = open_page("learn", lang="en")
    again.session_state["state to be restored"] = Incoming("its id", loads(data).state, loads(data))
    again.switch_page("pages/cost.py").run()
    assert not again.exception
    after = [caption.value for caption in again.caption]
    assert f"Still here from before: {name}" in after
    assert {caption for caption in before if "pair" in caption} <= set(after)


def check_the_first_ones(app) -> None:
    """Check that a page shows what was stored in :data:`DATA`."""
    assert not app.exception
    assert not noticed(app)
    assert app.session_state["lang"] == "zh"
    assert app.session_state["compare_en"] == "The river is wide."
    assert app.session_state["compare_zh"] == "这条河很宽。"
    tokenizer = app.session_state["own tokenizers"]["own-7df5dbf9"].tokenizer
    assert tokenizer.recipe.vocabulary_size == 300
    assert len(tokenizer.merges) == 17
    assert "own-7df5dbf9" in app.multiselect(key="tokenizers").value


def test_a_link_of_the_first_version_still_opens(open_page):
    link = (DATA / "link-1.txt").read_text(encoding="ascii").strip()
    check_the_first_ones(open_page("compare", s=link))


def test_a_session_file_of_the_first_version_still_opens(open_page):
    file = loads((DATA / "session-1.zip").read_bytes())
    app = open_page("learn", lang="en")
    app.session_state["state to be restored"] = Incoming("its id", file.state, file)
    app.switch_page("pages/compare.py").run()
    check_the_first_ones(app)
    app.switch_page("pages/train.py").run()
    assert app.session_state["typed_corpus"] == "low lower lowest\n最低的，最低的"
    assert app.number_input(key="size").value == 300
    app.switch_page("pages/learn.py").run()
    assert field(app, "puzzle bytes.pair").value == "中不"

"""What holds of every page: it is alive at first sight, in both languages."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from playground.share.codec import State, pack
from playground.text_pair import sample_texts
from tests.pages.reading import data_of, said, warnings

ROOT = Path(__file__).parents[2]
PAGES = {"train": "训练", "compare": "对比", "cost": "成本", "learn": "学习"}


@pytest.mark.parametrize("page", PAGES)
def test_the_language_starts_from_the_browser_and_can_be_switched(open_page, page):
    app = open_page(page, locale="zh-CN")
    assert app.title[0].value.startswith(f"*{PAGES[page]}：* ")
    assert not app.error
    assert warnings(app) == []
    app.button_group(key="lang").set_value("en").run()
    assert app.title[0].value.startswith(f"*{page.title()}:* ")
    assert app.query_params["lang"] == "en"
    assert not app.exception
    assert not app.error


def test_choices_outlive_a_visit_to_another_page_and_a_switch_of_language(open_page):
    app = open_page("compare")
    app.selectbox(key="sample").set_value("code").run()
    app.multiselect(key="tokenizers").set_value(["llama2", "qwen3"]).run()
    app.switch_page("pages/learn.py").run()
    app.button_group(key="lang").set_value("zh").run()
    app.switch_page("pages/compare.py").run()
    assert app.selectbox(key="sample").value == app.query_params["sample"] == "code"
    assert app.session_state["compare_zh"] == sample_texts("code")["zh"]
    assert app.multiselect(key="tokenizers").value == ["llama2", "qwen3"]


def test_a_text_typed_on_one_page_is_what_the_others_show(open_page):
    app = open_page("compare", lang="zh")
    app.session_state["compare_zh"] = "我们学校的食堂真好吃。谢谢。"
    app.session_state["sample"] = "own"
    app.run()
    app.switch_page("pages/cost.py").run()
    assert app.session_state["compare_zh"] == "我们学校的食堂真好吃。谢谢。"
    app.switch_page("pages/learn.py").run()
    assert app.text_input(key="text why").value == "我们学校的食堂真好吃。"
    app.text_input(key="text why").set_value("今天下雨").run()
    app.switch_page("pages/train.py").run()
    assert explorer_text(app) == "今天下雨"
    linked = dict(app.query_params)
    assert "今天下雨" not in str(linked)
    app.button_group(key="corpus").set_value("text").run()
    app.session_state["typed_corpus"] = "看路，看天。看路灯。\n" * 30
    app.run()
    assert explorer_text(app).startswith("看路，看天。看路灯。")
    app.switch_page("pages/compare.py").run()
    assert app.selectbox(key="sample").value == "own"
    assert app.session_state["compare_zh"].startswith("看路，看天。看路灯。")


def explorer_text(app) -> str:
    return str(data_of(app, "bpe_explorer")["text"])


def test_a_link_of_any_page_carries_the_text(open_page):
    fields = {"sample": "own", "compare_sides": ["zh"], "compare_zh": "大桥", "lang": "zh"}
    assert explorer_text(open_page("train", s=pack(State("", fields)))) == "大桥"
    former = {"sample": "own", "cost_zh": "长江", "cost_en": "river", "lang": "zh"}
    app = open_page("cost", s=pack(State("cost", former)))
    assert app.session_state["compare_zh"] == "长江"
    app.switch_page("pages/learn.py").run()
    assert app.text_input(key="text why").value == "长江"


def fail() -> None:
    raise RuntimeError("in /srv/app")


def test_a_visitor_sees_no_path_of_the_server():
    (shown,) = AppTest.from_function(fail, default_timeout=600).run().exception
    assert shown.message
    assert not shown.stack_trace
    assert not any(word in str(shown.proto) for word in ("/srv", "RuntimeError", "site-packages"))


def test_a_choice_of_the_link_that_is_not_here_is_named_until_another_is_made(open_page):
    app = open_page("cost", lang="zh", sample="poems")
    said = ["链接要求的“poems”这里没有；其余内容都在。"]
    assert warnings(app) == said
    assert app.selectbox(key="sample").value == "news"
    app.number_input(key="requests").set_value(5).run()
    assert warnings(app) == said
    app.selectbox(key="sample").set_value("law").run()
    assert warnings(app) == []


def test_a_parameter_that_a_page_does_not_have_is_named_once(open_page):
    app = open_page("cost", locale="zh-CN", tokenizer="llama2", utm_source="mail")
    assert warnings(app) == ["链接要求的“tokenizer”这里没有；其余内容都在。"]
    app.button_group(key="lang").set_value("en").run()
    assert warnings(app) == []


def test_the_glossary_opens(open_page):
    app = open_page("compare", lang="zh")
    assert "从文本到 ID" not in said(app, "markdown")
    app.button(key="glossary").click().run()
    assert not app.exception
    assert "**词元** (token)" in said(app, "markdown")


def test_the_first_run_of_a_server_draws_the_widgets_of_the_next(open_page, monkeypatch):
    usual = open_page("train", lang="en").button_group(key="lang").proto.id
    monkeypatch.undo()  # now each run is the first one of a server
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=600).run()
    assert app.button_group(key="lang").proto.id == usual

"""The course: every lesson opens by its link, asks before it tells, and checks by running."""

import pytest
import streamlit as st

import bpe
from playground.learn import asking, content
from playground.learn.lessons import LESSONS, notes
from playground.share.codec import State, pack
from playground.ui.i18n import plain

CODES = [lesson.code for lesson in LESSONS]


@pytest.fixture(scope="module", autouse=True)
def empty_caches():
    """Once for all of them: a lesson trains up to a dozen tokenizers, the same each time."""
    st.cache_data.clear()
    st.cache_resource.clear()


def solve(app, code, answer):
    """Type an answer to a puzzle."""
    if code in ("notes.order", "sheet.by-hand"):  # of several lines, in an editor of ours
        app.session_state[f"puzzle {code}"] = answer
        return app.run()
    return field(app, f"puzzle {code}").set_value(answer).run()


def field(app, key):
    return next(box for box in app.text_input if box.key == key)


def type_text(app, code, text):
    """Type the text that a lesson starts from; that of two lessons stands in an editor of ours."""
    if code in ("merge", "relatives"):
        app.session_state[f"text {code}"] = text
        return app.run()
    return field(app, f"text {code}").set_value(text).run()


def said(app) -> str:
    return "\n".join(block.value for block in [*app.markdown, *app.success, *app.info])


@pytest.mark.parametrize("code", CODES)
def test_a_lesson_opens_by_its_link(open_page, code):
    app = open_page("learn", lang="zh", lesson=code)
    assert not app.exception
    assert not app.error
    assert app.button_group(key="lesson").value == code
    asked = [each for each in app.markdown if "extension:" in each.value]
    assert len(asked) == len(content.of(code)["puzzles"])
    assert app.caption[-1].value.endswith("16")


def test_the_way_to_the_next_lesson_and_back_and_by_the_map(open_page):
    app = open_page("learn", lang="en")
    assert app.button_group(key="lesson").value == CODES[0]
    app.button(key="next lesson").click().run()
    assert app.button_group(key="lesson").value == CODES[1]
    assert app.query_params["lesson"] == CODES[1]
    app.button(key="Previous lesson").click().run()
    assert app.button_group(key="lesson").value == CODES[0]
    assert app.button(key="Previous lesson").disabled
    title = "Bytes, and why Chinese starts at three"
    assert f"4 · {title} · 6 min" in app.button_group(key="lesson").options
    app.button_group(key="lesson").set_value("bytes").run()
    assert app.header[0].value == title
    app.session_state["course progress"].puzzles["bytes.pair"] = "中不"
    app.run()
    assert f"4 · {title} · 6 min ✓" in app.button_group(key="lesson").options


def test_whatever_is_typed_the_lessons_go_on(open_page):
    app = open_page("learn", lang="en")
    codes = ["why", "merge", "bytes", "pretokens", "encode", "tables", "stumble", "relatives"]
    for code in codes:
        app.button_group(key="lesson").set_value(code).run()
        for text in ("", "我", "中文 and English，" * 4_000):
            type_text(app, code, text)
            assert not app.exception, code
            cut = [line.value for line in app.caption if "takes the first" in line.value]
            assert bool(cut) == (len(text) > 10), code


def test_merges_of_bytes_and_of_few_words_do_not_depend_on_what_was_shown_before(open_page):
    app = open_page("learn", lang="en", lesson="merge")
    type_text(app, "merge", "ab ab")
    app.button_group(key="merge_unit").set_value("bytes").run()
    type_text(app, "merge", "Hello helo, I'm")
    assert not app.exception
    assert app.query_params["merge_unit"] == "bytes"
    app.button_group(key="merge_unit").set_value("characters").run()
    type_text(app, "merge", '{"hug": 10, "pug": 5, "pun": 12, "bun": 4}')
    assert not app.exception
    field(app, "merge new word").set_value("hugs 中").run()
    assert not app.exception


PUZZLES = [
    ("why.unknown", "xenon", "readings"),
    ("merge.target", "low lower lowest", "lower low lowest"),
    ("merge.ties", "ab cd", "ab ab cd"),
    ("bytes.pair", "中国", "中不"),
    ("bytes.one-token", "人工智能，人工", "人工智能人工智能"),
    ("notes.order", "o w\nl ow\now e", "o w\now e\nl ow"),
    ("pretokens.more", "Hello world", "camelCase"),
    ("tables.stale", "low lower", "xabyzabwuabv"),
    ("fast.worst", "abcdefghijkl", "abababababab"),
    ("stumble.alike", "abc = ＡＢＣ", "paypal = раураl"),
    ("stumble.dead", "亚洲", " I'"),
    ("sheet.by-hand", "a t", "a t\no at\nt h\n· th\n·th e\n· a\nb oat\n·th at\n· boat\nw r"),
    ("relatives.first", "ab ab", "hug hug pug bugs"),
    ("encode.part", "readings", "unhappiness"),
    ("encode.fewest", "看了一眼", "发现了一种"),
    (
        "chinese.cheaper",
        "你好世界 = hello world",
        "一见钟情 = to fall deeply in love at first sight",
    ),
]


def test_a_puzzle_refuses_a_wrong_answer_and_accepts_a_right_one(open_page):
    app = open_page("learn", lang="en")
    for solved, (code, wrong, right) in enumerate(PUZZLES):
        lesson = code.split(".")[0]
        app.button_group(key="lesson").set_value(lesson).run()
        accepted = len(app.success)  # of another puzzle of the lesson
        solve(app, code, wrong)
        assert len(app.success) == accepted, code
        assert f"Puzzles solved: {solved} " in app.caption[-1].value, code
        solve(app, code, right)
        assert len(app.success) == accepted + 1, (code, said(app))
        assert f"Puzzles solved: {solved + 1} " in app.caption[-1].value, code
        assert "✓" in app.button_group(key="lesson").options[CODES.index(lesson)], code


def guess(app, code, option):
    return app.button_group(key=f"bet {code}").set_value(option).run()


def test_a_guess_is_called_right_with_the_reason_or_has_a_second_try(open_page):
    app = open_page("learn", lang="en", lesson="bytes")
    assert "strokes do not count" not in said(app)
    guess(app, "bytes.rare", "3")
    assert app.success[0].value.startswith("**Correct**: Three, as for")
    assert ":green[:material/check: **3**]" in said(app)
    app.button_group(key="lesson").set_value("sheet").run()
    assert "Right at the first guess: 1 of 1." in said(app)

    app = open_page("learn", lang="en", lesson="bytes")
    guess(app, "bytes.rare", "48")
    assert app.warning[0].value == "**48** is not it. Once more?"
    assert "strokes do not count" not in said(app)
    again = app.button_group(key="bet bytes.rare again")
    assert again.options == ["1", "3", "6"]
    again.set_value("3").run()
    assert app.success[0].value.startswith("**Right at the second guess**: Three")
    assert ":red[:material/close: 48]" in said(app)
    app.button_group(key="lesson").set_value("sheet").run()
    assert "Right at the first guess: 0 of 1." in said(app)

    app = open_page("learn", lang="en", lesson="bytes")
    guess(app, "bytes.rare", "48")
    guess(app, "bytes.rare again", "6")
    assert app.warning[0].value.startswith("**Not this time**: Three")
    assert ":green[:material/check: **3**]" in said(app)
    assert not app.success
    assert not app.exception


RIGHT = {
    "why.bridge": "unknown", "relatives.hugs": "gs", "pretokens.count": "1-5",
    "tables.changed": "10", "encode.second": "ch", "notes.low-lower-lowest": "3",
    "stumble.berry": "3", "chinese.dearer": "none", "bytes.rare": "3",
    "encode.ways": "495", "stumble.never": "thai",
}  # fmt: skip


def test_each_question_knows_its_answer(open_page):
    for code, right in RIGHT.items():
        lesson = code.split(".")[0]
        app = open_page("learn", lang="en", lesson=lesson, notes_example="low-lower-lowest")
        guess(app, code, right)
        assert not app.exception, code
        assert "**Correct**" in app.success[0].value, code


def test_a_pattern_of_ones_own_that_cannot_be_is_said_beside_it(open_page):
    app = open_page("learn", lang="en", lesson="pretokens")
    for pattern, said in (
        ("(", "not a regular expression"),
        ("a{300000}", "too much time or memory"),
        ("a" * 2001, "longer than 2000 characters"),
    ):
        app.text_input(key="own_pattern").set_value(pattern).run()
        assert said in app.warning[0].value
        assert not app.exception


def test_worked_examples_are_drawn_and_asked_about_before_they_are_corrected(open_page):
    app = open_page("learn", lang="en", lesson="notes", notes_example="low-lower-lowest")
    assert "wins only by the rule for ties" not in said(app)
    app.button_group(key="bet notes.low-lower-lowest").set_value("3").run()
    assert "wins only by the rule for ties" in said(app)
    assert "ow, low" in said(app)
    for example in notes.SHOWN:
        app.selectbox(key="notes_example").set_value(example).run()
        assert not app.exception, example
        assert not app.warning, example
    app.selectbox(key="notes_example").set_value("own-merges").run()
    field(app, "notes own word").set_value("").run()
    assert not app.exception
    app.session_state["notes own merges"] = "o w\nlow"
    app.run()
    assert not app.exception
    assert "One merge a line" in app.warning[0].value


def test_a_link_with_a_guess_that_cannot_be_shows_none(open_page):
    for code in ("chinese.curve", "fast.share"):
        for placed in ("[1, null]", "{"):
            lesson = {"lesson": code.split(".")[0]}
            state = State("learn", lesson, answers={"bets": {code: placed}})
            assert not open_page("learn", s=pack(state)).exception, (code, placed)


def test_ids_are_decoded(open_page):
    app = open_page("learn", lang="en", lesson="encode")
    assert app.code[0].value == "你好世界"
    app.text_input(key="ids").set_value("57668, x").run()
    assert "Only whole numbers" in app.warning[0].value
    app.text_input(key="ids").set_value("99999999").run()
    assert "Ids from 0" in app.warning[0].value
    assert not app.exception


def test_the_bet_on_chinese_is_answered_on_the_readers_sentence(open_page):
    app = open_page("learn", lang="en", lesson="chinese")
    app.button_group(key="bet chinese.dearer").set_value("none").run()
    assert not app.exception
    assert "DeepSeek V3" in said(app)
    assert list(app.dataframe[0].value.columns) == ["tokenizer", "zh", "en", "premium"]
    app.session_state["chinese_zh"] = ""
    app.run()
    assert "Type a sentence in both languages" in app.info[0].value
    assert not app.exception


def test_the_race_is_run_on_ones_own_text_on_the_readers_machine(open_page, monkeypatch):
    def race():
        next(button for button in app.button if button.label.startswith("Race")).click().run()
        assert not app.exception
        return app.session_state["timing"]

    app = open_page("learn", lesson="fast", lang="en")
    text = "low lower lowest 看路 " * 100
    app.session_state["race_text"] = text
    frame = race()
    assert set(frame["learner"]) >= {"naive", "incremental"}
    assert frame["characters"].max() <= len(text)
    monkeypatch.setattr("playground.learn.lessons.fast.SIZES", (200, 400))
    monkeypatch.setattr("bpe.compiled.ready", lambda part=None: True)
    app.session_state["race_text"] = ""
    assert set(race()["learner"]) == {"naive", "incremental", "compiled"}
    assert "times as fast as the naive one" in said(app)

    # The fast learners are timed several times.
    seconds = iter([2.0, 0.9, 0.1, 0.5, *[0.01] * 3])
    monkeypatch.setattr(
        "playground.learn.lessons.fast._seconds", lambda _text, _learner: next(seconds)
    )
    app.session_state["race_text"] = "a"
    race()
    assert "the incremental learner is 20 times as fast" in said(app)
    assert "and the compiled one 200 times" in said(app)


def test_polluted_tokens_are_shown_only_when_asked_for(open_page):
    app = open_page("learn", lang="zh", lesson="stumble")
    assert "超过五分之一" in said(app)
    assert not app.code
    app.toggle(key="polluted").set_value(True).run()
    assert len(app.code[0].value.splitlines()) == 25


def test_the_readers_sentence_is_carried_to_the_other_pages(open_page):
    app = open_page("learn", lang="en", lesson="chinese")
    app.button_group(key="bet chinese.dearer").set_value("none").run()
    for page, text in (("compare", "你好，世界"), ("cost", "再见，世界")):
        app.session_state["chinese_zh"] = text
        app.run()
        app.button(key=f"to {page}").click().run()
        assert not app.exception
        assert app.title[0].value.lower() == page
        assert app.session_state[f"{page}_zh"] == text
        app.switch_page("pages/learn.py").run()


def test_what_was_typed_and_answered_is_there_again_and_on_the_sheet(open_page):
    app = open_page("learn", lang="en", lesson="bytes")
    type_text(app, "bytes", "看路")
    solve(app, "bytes.pair", "中不")
    app.button(key="next lesson").click().run()
    app.button(key="Previous lesson").click().run()
    assert field(app, "text bytes").value == "看路"
    assert field(app, "puzzle bytes.pair").value == "中不"
    app.query_params["lang"] = "zh"
    app.run()
    assert field(app, "text bytes").value == "看路"
    app.button_group(key="lang").set_value("en").run()
    app.button_group(key="lesson").set_value("sheet").run()
    assert "Puzzles solved: 1. Right at the first guess: 0 of 0." in said(app)
    row = app.dataframe[0].value.iloc[0]
    assert row["lesson"] == "4 · " + content.title(LESSONS[3].code)
    assert row["answers"] == "中不"


def test_one_sentence_goes_through_the_lessons_from_bytes_to_cost(open_page):
    app = open_page("learn", lang="zh", lesson="why")
    for code in ("why", "bytes", "pretokens", "encode"):
        app.button_group(key="lesson").set_value(code).run()
        assert app.text_input(key=f"text {code}").value == asking.BRIDGE
    for code in ("merge", "relatives"):
        app.button_group(key="lesson").set_value(code).run()
        assert app.session_state[f"text {code}"].split()[-1] == asking.BRIDGE
    app.button_group(key="lesson").set_value("chinese").run()
    assert app.session_state["chinese_zh"] == asking.BRIDGE
    ids = " ".join(map(str, bpe.encoding("o200k_base").encode(asking.BRIDGE)))
    assert f"模型拿到的 ID：{ids}" in [caption.value for caption in app.caption]


def test_the_readers_sentence_goes_along_to_the_other_lessons(open_page):
    app = open_page("learn", lang="en", lesson="why")
    assert app.text_input(key="text why").value == asking.TOWERS
    app.text_input(key="text why").set_value("my own words").run()
    for code in ("pretokens", "encode"):
        app.button_group(key="lesson").set_value(code).run()
        assert app.text_input(key=f"text {code}").value == "my own words"
    app.button_group(key="lesson").set_value("bytes").run()
    assert app.text_input(key="text bytes").value == "my own words 中国"
    app.button_group(key="lesson").set_value("encode").run()
    app.text_input(key="text encode").set_value("other words").run()
    app.button_group(key="lesson").set_value("why").run()
    assert app.text_input(key="text why").value == "other words"
    app.button_group(key="lesson").set_value("merge").run()
    assert app.session_state["text merge"] == "other words"
    app.button_group(key="chips merge").set_value(1).run()
    assert app.session_state["text merge"] == "low lower lowest"
    app.button_group(key="chips merge").set_value(0).run()
    assert app.session_state["text merge"] == "other words"


def test_the_readers_sentence_among_the_examples_is_not_markdown(open_page):
    app = open_page("learn", lang="en", lesson="why")
    app.text_input(key="text why").set_value("**bold** [link](x)").run()
    app.button_group(key="lesson").set_value("pretokens").run()
    chip = app.button_group(key="chips pretokens").proto.options[0].content
    assert chip == plain("**bold** [link](x)") != "**bold** [link](x)"

"""The course: every lesson opens by its link, asks before it tells, and checks by running."""

import json

import pytest
import streamlit as st

import bpe
from playground.learn import asking, content
from playground.learn.lesson import Progress
from playground.learn.lessons import LESSONS, notes
from playground.share.codec import State, pack
from playground.ui.i18n import plain
from tests.pages.reading import data_of, said

CODES = [lesson.code for lesson in LESSONS]


@pytest.fixture(scope="module", autouse=True)
def empty_caches():
    """Once for all of them: a lesson trains up to a dozen tokenizers, the same each time."""
    st.cache_data.clear()
    st.cache_resource.clear()


def fill(app, key, text):
    """Type into a field; an editor of ours has its text in the state of the session."""
    boxes = [box for box in app.text_input if box.key == key]
    if boxes:
        boxes[0].set_value(text)
    else:
        assert key in app.session_state
        app.session_state[key] = text
    return app


def value(app, key):
    return next(box for box in app.text_input if box.key == key).value


def go(app, lesson):
    return app.button_group(key="lesson").set_value(lesson).run()


def guess(app, code, option):
    return app.button_group(key=f"bet {code}").set_value(option).run()


def is_of(lesson, code):
    return code.split(".")[0] == lesson


RIGHT = {
    "why.bridge": "unknown", "relatives.hugs": "gs", "pretokens.count": "1-5",
    "tables.changed": "10", "encode.second": "ch", "stumble.berry": "1",
    "chinese.dearer": "some", "bytes.rare": "3", "encode.ways": "495", "merge.third": "h + ug",
    "relatives.third": "hugs",
}  # fmt: skip
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
    ("chinese.cheaper", "你好世界 = hello world",
     "一见钟情 = to fall deeply in love at first sight"),
]  # fmt: skip


@pytest.mark.parametrize("lesson", CODES)
def test_a_lesson_opens_takes_any_text_and_knows_right_answers_from_wrong_ones(open_page, lesson):
    app = open_page("learn", lang="zh", lesson=lesson)
    assert not app.exception
    assert not app.error
    assert app.button_group(key="lesson").value == lesson
    asked = [each for each in app.markdown if "extension:" in each.value]
    assert len(asked) == len(content.of(lesson)["puzzles"])
    assert app.caption[-1].value.endswith("16")

    app.button_group(key="lang").set_value("en")
    if "label" in content.of(lesson):
        type_anything(app, f"text {lesson}")
    else:
        app.run()
    bets = {code: right for code, right in RIGHT.items() if is_of(lesson, code)}
    puzzles = [puzzle for puzzle in PUZZLES if is_of(lesson, puzzle[0])]
    assert len(puzzles) == len(asked)
    for code, right in bets.items():
        app.button_group(key=f"bet {code}").set_value(right)
    for code, wrong, _right in puzzles:
        fill(app, f"puzzle {code}", wrong)
    app.run()
    assert not app.exception
    assert ["**Correct" in each.value for each in app.success] == [True] * len(bets)
    assert app.session_state["course progress"].scores == dict.fromkeys(bets, (1, 1))
    assert "Puzzles solved: 0 " in app.caption[-1].value
    for code, _wrong, right in puzzles:
        fill(app, f"puzzle {code}", right)
    app.run()
    assert len(app.success) == len(bets) + len(puzzles), said(app)
    assert f"Puzzles solved: {len(puzzles)} " in app.caption[-1].value
    assert "✓" in app.button_group(key="lesson").options[CODES.index(lesson)]


def type_anything(app, key):
    for text in ("", "中文 and English，" * 4_000):
        fill(app, key, text).run()
        assert not app.exception
        cut = [line.value for line in app.caption if "takes the first" in line.value]
        assert bool(cut) == (len(text) > 10)


def test_the_way_goes_by_buttons_and_the_map_and_keeps_what_was_typed_and_answered(open_page):
    app = open_page("learn", lang="en")
    assert app.button_group(key="lesson").value == CODES[0]
    app.button(key="next lesson").click().run()
    assert app.button_group(key="lesson").value == CODES[1]
    assert app.query_params["lesson"] == CODES[1]
    title = "Bytes, and why Chinese starts at three"
    assert f"4 · {title} · 6 min" in app.button_group(key="lesson").options
    go(app, "bytes")
    assert app.header[0].value == f"4 · {title}"

    fill(app, "text bytes", "看路").run()
    fill(app, "puzzle bytes.pair", "中不").run()
    assert f"4 · {title} · 6 min **✓**" in app.button_group(key="lesson").options
    app.button(key="next lesson").click().run()
    go(app, "bytes")
    assert value(app, "text bytes") == "看路"
    assert value(app, "puzzle bytes.pair") == "中不"
    app.query_params["lang"] = "zh"
    app.run()
    assert value(app, "text bytes") == "看路"
    app.button_group(key="lang").set_value("en").run()
    go(app, "sheet")
    assert "Puzzles solved: 1. Right at the first guess: 0 of 0." in said(app)
    row = app.dataframe[0].value.iloc[0]
    assert row["lesson"] == f"4 · {title}"
    assert row["answers"] == "中不"


def test_a_sheet_has_a_name_and_those_of_a_class_become_one_table(open_page):
    app = open_page("learn", lang="en", lesson="sheet")
    assert "there is a sheet to save" in said(app)
    assert not app.get("download_button")
    bets = {"bytes.rare": "3", "why.own": "three"}
    done = Progress(bets, {"bytes.pair": "中不"}, {"bytes.rare": (1, 1)})
    app.session_state["course progress"] = done
    app.run()
    app.text_input(key="sheet name").set_value("河水").run()
    assert len(app.get("download_button")) == 1
    facts = json.dumps({"sheet": "=1+1", **done.answers()})
    saved = f"# x\n\n```json\n{facts}\n```\n".encode()
    files = 2 * [("bpe-sheet.md", saved, "text/markdown")] + [
        ("notes.md", b"# notes", "text/markdown")
    ]
    app.file_uploader(key="class_sheets").set_value(files).run()
    assert not app.exception
    table = app.dataframe[-1].value
    assert table.values.tolist() == 2 * [["=1+1", 1, 1, 1, 0, 0, "three"]]
    assert "notes" in app.warning[0].value
    assert len(app.get("download_button")) == 2


def test_what_a_teacher_asks_is_answered_before_the_answer_is_shown(open_page):
    state = State("learn", {"lesson": "bytes", "asked bytes": ["Why *three*?", "By UTF-8."]})
    app = open_page("learn", lang="en", s=pack(state))
    assert "Why *three*?" in said(app)
    assert "By UTF-8." not in said(app)
    fill(app, "bet bytes.own", "no idea").run()
    assert "no idea" in said(app)
    assert plain("By UTF-8.") in app.success[0].value
    assert "Why *three*?" not in said(go(app, "why"))
    answers = go(app, "sheet").dataframe[0].value["answers"]
    assert answers.tolist() == ["no idea"]


def test_the_picture_of_the_first_lesson_does_not_give_the_guess_away(open_page):
    app = open_page("learn", lang="zh", lesson="why")
    assert "<unk>" not in str(data_of(app, "bpe_ladder")["rows"])
    guess(app, "why.bridge", "unknown")
    assert "<unk>" in str(data_of(app, "bpe_ladder")["rows"])


def test_merges_of_bytes_and_of_few_words_do_not_depend_on_what_was_shown_before(open_page):
    app = open_page("learn", lang="en", lesson="merge")
    for unit, text in (
        ("characters", "ab ab"), ("bytes", "ab ab"), ("bytes", "Hello helo, I'm"),
        ("characters", '{"hug": 10, "pug": 5, "pun": 12, "bun": 4}'),
    ):  # fmt: skip
        app.button_group(key="merge_unit").set_value(unit)
        fill(app, "text merge", text).run()
        assert not app.exception
        assert app.query_params.get("merge_unit", "characters") == unit
    fill(app, "merge new word", "hugs 中").run()
    assert not app.exception


def test_a_guess_is_called_right_with_the_reason_or_has_a_second_try(open_page):
    app = open_page("learn", lang="en", lesson="bytes")
    guess(app, "bytes.rare", "48")
    assert app.warning[0].value == "**48** is not it. Once more?"
    assert "strokes do not count" not in said(app)
    assert app.button_group(key="bet bytes.rare again").options == ["1", "3", "6"]
    guess(app, "bytes.rare again", "3")
    assert app.success[0].value.startswith("**Right at the second guess**: Three")
    assert ":red[:material/close: 48]" in said(app)

    go(app, "tables")
    guess(app, "tables.changed", "34")
    guess(app, "tables.changed again", "5")
    assert app.warning[0].value.startswith("**Not this time**: 10: five times")
    assert ":green[:material/check: **10**]" in said(app)
    assert not app.success
    go(app, "sheet")
    assert "Right at the first guess: 0 of 2." in said(app)
    assert not app.exception


def test_what_cannot_be_read_is_said_beside_its_field(open_page):
    app = open_page("learn", lang="en", lesson="pretokens")
    fill(app, "own_pattern", "(").run()
    assert "not a regular expression" in app.warning[0].value
    go(app, "encode")
    assert app.code[0].value == "你好世界"
    for ids, complaint in (("57668, x", "Only whole numbers"), ("99999999", "no token id")):
        fill(app, "ids", ids).run()
        assert complaint in app.warning[0].value
        assert not app.exception


def test_worked_examples_are_drawn_and_asked_about_before_they_are_corrected(open_page):
    app = open_page("learn", lang="en", lesson="notes", notes_example="low-lower-lowest")
    assert "wins only by the rule for ties" not in said(app)
    guess(app, "notes.low-lower-lowest", "3")
    assert "**Correct**" in app.success[0].value
    assert "wins only by the rule for ties" in said(app)
    assert "ow, low" in said(app)
    for example in notes.SHOWN:
        app.selectbox(key="notes_example").set_value(example).run()
        assert not app.exception, example
        assert not app.warning, example
    app.selectbox(key="notes_example").set_value("own-merges").run()
    fill(app, "notes own word", "").run()
    assert not app.exception
    fill(app, "notes own merges", "o w\nlow").run()
    assert not app.exception
    assert "One merge a line" in app.warning[0].value


def test_a_sentence_in_both_languages_is_counted_and_carried_to_the_other_pages(open_page):
    no_guess = {"bets": {"chinese.curve": "[1, null]"}}
    state = State("learn", {"lesson": "chinese"}, answers=no_guess)
    app = open_page("learn", lang="en", s=pack(state))
    assert not app.exception
    guess(app, "chinese.dearer", "none")
    assert not app.exception
    assert "DeepSeek V3" in said(app)
    assert list(app.dataframe[0].value.columns) == ["tokenizer", "zh", "en", "premium"]
    fill(app, "chinese_zh", "").run()
    assert "Type a sentence in both languages" in app.info[0].value
    assert not app.exception
    app.session_state["tokenizers"] = ["cl100k_base"]
    app.session_state["models"] = ["openai/gpt-4o"]
    for page, text in (("compare", "你好，世界"), ("cost", "再见，世界")):
        fill(app, "chinese_zh", text).run()
        app.button(key=f"to {page}").click().run()
        assert not app.exception
        assert app.title[0].value.startswith(f"*{page.title()}:* ")
        assert app.session_state["compare_zh"] == text
        app.switch_page("pages/learn.py").run()


def test_a_sentence_goes_through_the_lessons_from_bytes_to_cost(open_page):
    app = open_page("learn", lang="zh", lesson="why")
    assert value(app, "text why") == asking.BRIDGE
    for code in ("bytes", "pretokens", "encode"):
        assert value(go(app, code), f"text {code}") == asking.BRIDGE
    for code in ("merge", "relatives"):
        assert go(app, code).session_state[f"text {code}"].split()[-1] == asking.BRIDGE
    assert go(app, "chinese").session_state["chinese_zh"] == asking.BRIDGE
    ids = " ".join(map(str, bpe.encoding("o200k_base").encode(asking.BRIDGE)))
    assert f"模型拿到的 ID：{ids}" in [caption.value for caption in app.caption]

    # The reader's own one goes along.
    app.button_group(key="lang").set_value("en").run()
    assert value(go(app, "why"), "text why") == asking.TOWERS
    fill(app, "text why", "my own words").run()
    for code in ("pretokens", "encode"):
        assert value(go(app, code), f"text {code}") == "my own words"
    assert value(go(app, "bytes"), "text bytes") == "my own words 中国"
    fill(go(app, "encode"), "text encode", "other words").run()
    assert value(go(app, "why"), "text why") == "other words"
    go(app, "merge")
    assert app.session_state["text merge"] == "other words"
    for example in ("low lower lowest", "other words", "aaa aaaa"):
        app.selectbox(key="example merge").set_value(example).run()
        assert app.session_state["text merge"] == example
        assert app.selectbox(key="example merge").value is None

    fill(go(app, "why"), "text why", "**bold** [link](x)").run()
    example = go(app, "pretokens").selectbox(key="example pretokens").options[0]
    assert example == plain("**bold** [link](x)") != "**bold** [link](x)"

"""The course: the lessons in the order in which they are read, and the way from one to another."""

from collections.abc import Iterator

import streamlit as st

from playground.learn import asking, content
from playground.learn.lesson import Lesson, progress
from playground.learn.lessons import (
    algorithms,
    chinese,
    encode,
    fast,
    merge,
    notes,
    pretokens,
    sheet,
    stumble,
    tables,
    why,
)
from playground.learn.lessons import bytes as bytes_
from playground.ui import fields, streamlit_private
from playground.ui.i18n import _
from playground.ui.state import Field

_BEFORE: tuple[Lesson, ...] = (
    why.LESSON, merge.LESSON, notes.LESSON, bytes_.LESSON, pretokens.LESSON, encode.LESSON,
    stumble.LESSON, algorithms.LESSON, chinese.LESSON, tables.LESSON, fast.LESSON,
)  # fmt: skip
LESSONS = (*_BEFORE, sheet.lesson(_BEFORE))


_KEY = "lesson"


def show() -> None:
    lessons = {lesson.code: lesson for lesson in LESSONS}
    asked = st.query_params.get(_KEY)
    if streamlit_private.after_back() and asked in lessons:
        _open(asked)
    chosen = fields.segments(
        _("Lessons"),
        {lesson.code: _station(number, lesson) for number, lesson in numbered()},
        key=_KEY,
        always=True,  # which tells one lesson from another in the browser's history
        label_visibility="collapsed",
    )
    lesson = lessons[chosen]
    number = next(number for number, each in numbered() if each is lesson)
    st.header(f"{number} · {content.title(chosen)}", anchor=False)
    st.markdown(content.intro(chosen, **lesson.values))
    asking.own_question(chosen)
    lesson.draw()
    if later := following(lesson):
        st.button(
            _("Next: {title}").format(title=content.title(later.code)),
            key="next lesson",
            type="primary",
            icon=":material/arrow_forward:",
            on_click=_open,
            args=(later.code,),
        )
    done = sum(progress().solved(lesson) for lesson in LESSONS)
    there = sum(len(content.of(lesson.code)["puzzles"]) for lesson in LESSONS)
    st.caption(_("Puzzles solved: {done} of {all}").format(done=done, all=there))


def following(lesson: Lesson) -> Lesson | None:
    """Return the lesson after one on the way, which leads past the branch."""
    later = LESSONS[LESSONS.index(lesson) + 1 :]
    return next((each for each in later if _is_branch(lesson) or not _is_branch(each)), None)


def numbered() -> Iterator[tuple[str, Lesson]]:
    codes = [lesson.code for lesson in LESSONS]
    return ((number, LESSONS[codes.index(code)]) for number, code in content.numbered(codes))


def _is_branch(lesson: Lesson) -> bool:
    """Whether it is for those who write code: the way through the course leads past it."""
    return bool(content.of(lesson.code).get("branch"))


def _station(number: str, lesson: Lesson) -> str:
    """Return what the map says of a lesson: its number and name, how long it takes, and if done."""
    done = " **✓**" if progress().solved(lesson) else ""
    coders = _(" (for coders)") if _is_branch(lesson) else ""
    long = _("{minutes} min").format(minutes=content.of(lesson.code)["minutes"])
    return f"{number} · {content.title(lesson.code)}{coders} · {long}{done}"


def _open(code: str) -> None:
    Field(_KEY, "").set(code)

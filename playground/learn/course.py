"""The frame of the course: which lesson is open, the way to the others, what is done."""

from collections.abc import Collection

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from playground.learn.lesson import Lesson, progress
from playground.learn.lessons import LESSONS
from playground.ui import settings
from playground.ui.i18n import _

_KEY, _MAP = "lesson", "lesson_map"


def show() -> None:
    lessons = {lesson.code: lesson for lesson in LESSONS}
    numbers = {lesson.code: number for number, lesson in enumerate(LESSONS, start=1)}

    def title(lesson: Lesson) -> str:
        done = " ✓" if progress().solved(lesson) else ""
        coders = _(" (for those who write code)") if lesson.branch else ""
        long = _("about {minutes} min").format(minutes=lesson.minutes)
        return f"{numbers[lesson.code]} · {lesson.title()}{coders} · {long}{done}"

    _follow_the_browser(lessons)
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        before = st.container(width="content")
        chosen = settings.select(
            _("Lesson"),
            {code: title(lesson) for code, lesson in lessons.items()},
            key=_KEY,
            always=True,  # which tells one lesson from another in the browser's history
            label_visibility="collapsed",
        )
        after = st.container(width="content")
    with place:
        _map(chosen)
    earlier, later = neighbours(lessons[chosen])
    with before:
        _way(earlier, "Previous lesson", ":material/arrow_back:", _("Previous lesson"))
    with after:
        _way(later, "Next lesson", ":material/arrow_forward:", _("Next lesson"))
    lesson = lessons[chosen]
    st.header(lesson.title(), anchor=False)
    lesson.draw()
    if later is not None:
        st.button(
            _("Next: {title}").format(title=later.title()),
            key="next lesson",
            type="primary",
            icon=":material/arrow_forward:",
            on_click=_open,
            args=(later.code,),
        )
    done = sum(progress().solved(lesson) for lesson in LESSONS)
    there = sum(lesson.puzzles for lesson in LESSONS)
    st.caption(_("Puzzles solved: {done} of {all}").format(done=done, all=there))


def neighbours(lesson: Lesson) -> tuple[Lesson | None, Lesson | None]:
    """Return the lessons before and after one on the way, which leads past the branch."""
    way = [each for each in LESSONS if lesson.branch or not each.branch]
    at = way.index(lesson)
    return way[at - 1] if at else None, way[at + 1] if at + 1 < len(way) else None


def _map(chosen: str) -> None:
    """Draw the lessons by their numbers, those with a puzzle solved marked; a click opens one."""
    labels = {
        lesson.code: f"{number} ✓" if progress().solved(lesson) else str(number)
        for number, lesson in enumerate(LESSONS, start=1)
    }
    st.session_state[_MAP] = chosen
    st.pills(
        _("Lessons"), list(labels), format_func=labels.__getitem__, key=_MAP,
        label_visibility="collapsed", on_change=_follow_the_map,
    )  # fmt: skip


def _follow_the_map() -> None:
    if code := st.session_state[_MAP]:
        _open(code)


def _way(lesson: Lesson | None, key: str, icon: str, label: str) -> None:
    st.button(
        label,
        key=key,
        icon=icon,
        help=lesson.title() if lesson else label,
        disabled=lesson is None,
        on_click=_open,
        args=(lesson.code,) if lesson else (),
    )


def _follow_the_browser(lessons: Collection[str]) -> None:
    context = get_script_run_ctx()
    code = st.query_params.get(_KEY)
    if context and context.is_history_navigation and code in lessons:
        st.session_state[_KEY] = code


def _open(code: str) -> None:
    st.session_state[_KEY] = code

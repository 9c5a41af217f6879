"""The course: the lessons in the order in which they are read, and the way from one to another."""

from collections.abc import Collection, Iterator

import streamlit as st

from playground.learn import content
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
    why.LESSON,
    merge.LESSON,
    notes.LESSON,
    bytes_.LESSON,
    pretokens.LESSON,
    encode.LESSON,
    stumble.LESSON,
    algorithms.LESSON,
    chinese.LESSON,
    tables.LESSON,
    fast.LESSON,
)

LESSONS = (*_BEFORE, sheet.lesson(_BEFORE))


_KEY = "lesson"

# On a phone the stations and the examples are rows that one pushes along, so that the picture comes
# soon and has room above its card. The station where one is stays in sight.
_STYLE = """<style>
.st-key-lesson [role="radiogroup"] { counter-reset: lesson; gap: 0.5rem; flex-wrap: nowrap; }
.st-key-lesson [role="radiogroup"] button {
  position: relative; width: 1.75rem; min-width: 0; height: 1.75rem; min-height: 0; padding: 0;
  border-radius: 50%;
}
.st-key-lesson [role="radiogroup"] button p {
  font-size: 0.8125rem; max-width: 1.1ch; overflow: hidden; text-overflow: clip;
  white-space: nowrap;
}
.st-key-lesson [role="radiogroup"] button:is(:hover, :focus-visible) p {
  position: absolute; z-index: 5; inset: 110% auto auto 0; max-width: none; padding: 0.25rem 0.5rem;
  background: var(--st-background-color, Canvas); border: 1px solid #8888; border-radius: 0.35rem;
}
.st-key-lesson [role="radiogroup"] > :last-child button:is(:hover, :focus-visible) p {
  inset: 110% 0 auto auto;
}
.st-key-lesson [role="radiogroup"] > :nth-child(n + 10) button p { max-width: 2.1ch; }
@media (max-width: 640px) {
  :is(.st-key-lesson, [class*="st-key-chips"]) [role="radiogroup"] {
    position: relative;
    flex-wrap: nowrap;
    overflow-x: auto;
  }
  :is(.st-key-lesson, [class*="st-key-chips"]) [role="radiogroup"] > * { flex: none; }
  .st-key-lesson [role="radiogroup"] button { width: 2.5rem; height: 2.5rem; }
  .st-key-lesson [aria-checked="true"] {
    position: sticky !important;
    inset-inline: 0;
    background: color-mix(in srgb, #3f87b8 15%, Canvas) !important;
  }
}
</style>"""


def show() -> None:
    st.html(_STYLE)
    lessons = {lesson.code: lesson for lesson in LESSONS}
    _follow_the_browser(lessons)
    chosen = fields.segments(
        _("Lessons"),
        {lesson.code: _station(number, lesson) for number, lesson in numbered()},
        key=_KEY,
        always=True,  # which tells one lesson from another in the browser's history
        label_visibility="collapsed",
    )
    lesson = lessons[chosen]
    earlier, later = neighbours(lesson)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header(content.title(lesson.code), anchor=False)
        _way(earlier, "Previous lesson", ":material/arrow_back:", _("Previous lesson"))
        _way(later, "Next lesson", ":material/arrow_forward:", _("Next lesson"))
    lesson.draw()
    if later is not None:
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


def neighbours(lesson: Lesson) -> tuple[Lesson | None, Lesson | None]:
    """Return the lessons before and after one on the way, which leads past the branch."""
    way = [each for each in LESSONS if _is_branch(lesson) or not _is_branch(each)]
    at = way.index(lesson)
    return way[at - 1] if at else None, way[at + 1] if at + 1 < len(way) else None


def numbered() -> Iterator[tuple[str, Lesson]]:
    codes = [lesson.code for lesson in LESSONS]
    return ((number, LESSONS[codes.index(code)]) for number, code in content.numbered(codes))


def _is_branch(lesson: Lesson) -> bool:
    """Whether it is for those who write code: the way through the course leads past it."""
    return bool(content.of(lesson.code).get("branch"))


def _station(number: str, lesson: Lesson) -> str:
    """Return what the map says of a lesson: its number and name, how long it takes, and if done."""
    done = " ✓" if progress().solved(lesson) else ""
    coders = _(" (for coders)") if _is_branch(lesson) else ""
    long = _("{minutes} min").format(minutes=content.of(lesson.code)["minutes"])
    return f"{number} · {content.title(lesson.code)}{coders} · {long}{done}"


def _way(lesson: Lesson | None, key: str, icon: str, label: str) -> None:
    st.button(
        label,
        key=key,
        icon=icon,
        help=content.title(lesson.code) if lesson else label,
        disabled=lesson is None,
        on_click=_open,
        args=(lesson.code,) if lesson else (),
    )


def _follow_the_browser(lessons: Collection[str]) -> None:
    code = st.query_params.get(_KEY)
    if streamlit_private.after_back() and code and code in lessons:
        _open(code)


def _open(code: str) -> None:
    Field(_KEY, "").set(code)

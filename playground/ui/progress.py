"""Work of many short steps with its progress in view, which a click stops and another resumes."""

import time
from collections.abc import Iterable

import streamlit as st

from playground.ui.i18n import _
from playground.ui.state import Field

REDRAW = 0.15
"""Seconds between two drawings of the progress, and so the time in which a click is noticed."""

_STOPPED: Field[object] = Field("stopped work", None)


def run(name: object, steps: Iterable[tuple[float, str]], *, stopped: str) -> None:
    """Do the steps; each yields, once it is done, the share of all and what to say about it.

    The caller stores what is done: after a click, ``steps`` begins anew and has to resume there.
    After a click on Stop, ``stopped`` is shown instead, until the reader resumes; work of another
    ``name`` is not stopped by that. Only one work at a time shows its progress.
    """
    if _STOPPED.get() == name:
        st.warning(stopped, icon=":material/stop_circle:")
        st.button(_("Go on"), icon=":material/play_circle:", on_click=_go_on)
        return
    place = st.empty()
    drawn = time.perf_counter()
    bar = None
    for share, text in steps:
        if time.perf_counter() - drawn > REDRAW:
            drawn = time.perf_counter()
            bar = bar or _begin(place.container(), name)
            bar.progress(share, text=text)
    place.empty()


def checkpoint() -> None:
    """Let a click that the browser has sent end this run here, which reading the session does."""
    _STOPPED.get()


def _begin(
    place: st.delta_generator.DeltaGenerator, name: object
) -> st.delta_generator.DeltaGenerator:
    bar = place.progress(0.0)
    place.button(
        _("Stop"), icon=":material/stop_circle:", key="stop_counting", on_click=_stop, args=(name,)
    )
    return bar


def _stop(name: object) -> None:
    _STOPPED.set(name)


def _go_on() -> None:
    _STOPPED.pop()

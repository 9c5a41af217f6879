"""Settings beside a result; on a phone, the result alone, with the settings in a drawer below.

The drawer leaves the upper part of the screen free, so that one sees the result answer. Whether it
is open is the browser's business alone: opening it asks the server nothing.
"""

from typing import Any

import streamlit as st

from playground import browser
from playground.ui import frame
from playground.ui.i18n import _

_button = browser.component("bpe_drawer", "ui/drawer/button.js", "ui/drawer/button.css")


def row() -> Any:
    """Return the place for a row of settings above the result. Once on a page."""
    return _drawer(st)


def columns(*, result: int = 2) -> tuple[Any, Any]:
    """Return the places for the settings and for the result, so many times as wide.

    Once on a page.
    """
    left, right = st.columns([1, result], gap="large")
    return _drawer(left), right


def _drawer(place: Any) -> Any:
    room = frame.hidden_until_styled("drawer_room", place)
    with room:
        _button(data={"open": _("Settings"), "close": _("Show the result")}, key="drawer_button")
    return room.container(key="drawer")

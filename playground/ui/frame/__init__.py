"""The frame of every page: style, glossary, and Streamlit's own words in the reader's language.

Streamlit has English words alone and an English ``<html lang>``, and no setting for either. A
script in the page writes them anew, in place, as they appear. Another keeps the browser's history
to one entry a page.

Settings stand beside their result; on a phone the result alone, with the settings in a drawer below
it. That leaves the upper part of the screen free, so that one sees the result answer. Whether it is
open is the browser's business alone: opening it asks the server nothing.
"""

import time
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from playground import browser
from playground.ui.i18n import ENGLISH, _, html_tag, language, plain, translated

_HERE = Path(__file__).parent
_SINCE = "language of the frame, and since when"

_component = browser.component("bpe_frame", "ui/frame/translate.js")


def style() -> None:
    st.html(_HERE / "frame.css")


def room_of_header() -> DeltaGenerator:
    """Return the place of the header, which takes up a pixel.

    The style lifts it to the top, over the room that Streamlit leaves there. So what follows it
    stands where it stays, also before the style has come.
    """
    return hidden_until_styled("header_room")


def hidden_until_styled(key: str, place: Any = st) -> DeltaGenerator:
    """Return a container that takes up a pixel until the style of its key has come.

    Streamlit fetches what draws a style when it draws one first. What the style moves elsewhere
    would until then stand in the way, and be seen moving.
    """
    container: DeltaGenerator = place.container(key=key, height=1, border=False)
    return container


def translate() -> None:
    with st.container(key="frame_words"):
        _component(
            data={
                "lang": html_tag(),
                "since": _since(language()),
                "words": {word: _(word) for word in words()} if language() != ENGLISH else {},
            },
            key="frame",
        )


def _since(code: str) -> int:
    """Return when this session began to be read in a language, in milliseconds since 1970."""
    before, since = st.session_state.get(_SINCE, ("", 0))
    if code != before:
        since = max(since + 1, time.time_ns() // 1_000_000)
        st.session_state[_SINCE] = code, since
    return int(since)


@cache
def words() -> tuple[str, ...]:
    lines = (_HERE / "words.txt").read_text("utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


def opened(label: str, *, icon: str, key: str) -> Any:
    """Draw a section that can be opened; return its place, or ``None`` while it is closed.

    So nothing of it is worked out before it is opened.
    """
    place = st.expander(label, icon=icon, key=key, on_change="rerun")
    return place if place.open else None


_button = browser.component("bpe_drawer", "ui/frame/drawer.js", "ui/frame/drawer.css")


def settings_row() -> Any:
    """Return the place for a row of settings above the result. Once on a page."""
    return _drawer(st)


def settings_and_result(*, result: int = 2) -> tuple[Any, Any]:
    """Return the places for the settings and for the result, so many times as wide.

    Once on a page.
    """
    column, right = st.columns([1, result], gap="large")
    return _drawer(column), right


def _drawer(place: Any) -> Any:
    room = hidden_until_styled("drawer_room", place)
    with room:
        _button(data={"open": _("Settings"), "close": _("Show the result")}, key="drawer_button")
    return room.container(key="drawer")


def glossary() -> None:
    """Draw the button that opens the words of the field, in both languages."""
    label = _("Glossary")
    if st.button(label, key="glossary", icon=":material/menu_book:", type="tertiary"):
        st.dialog(label, width="medium")(_show_glossary)()


def _show_glossary() -> None:
    st.markdown(
        "\n".join(
            f"- **{word}** ({other}){_(': ')}{plain(meaning)}"
            for word, other, meaning in _glossary()
        )
    )


def _glossary() -> list[tuple[str, str, str]]:
    """Return each word, its English (for English its Chinese, as in the notes), and its meaning."""
    return [
        (word, translated(word, "zh"), _(meaning))
        if language() == ENGLISH
        else (_(word), word, _(meaning))
        for word, meaning in meanings().items()
    ]


@cache
def meanings() -> dict[str, str]:
    file = _HERE / "glossary.toml"
    return dict(tomllib.loads(file.read_text("utf-8"))["words"])

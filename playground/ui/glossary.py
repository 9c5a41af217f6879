"""The words of the field, in both languages; every page opens them."""

import tomllib
from functools import cache
from pathlib import Path

import streamlit as st

from playground.ui.i18n import ENGLISH, _, language, plain, translated


def button() -> None:
    label = _("Glossary")
    if st.button(label, key="glossary", icon=":material/menu_book:", type="tertiary"):
        st.dialog(label, width="medium")(show)()


def show() -> None:
    st.markdown(
        "\n".join(
            f"- **{word}** ({other}){_(': ')}{plain(meaning)}" for word, other, meaning in words()
        )
    )


def words() -> list[tuple[str, str, str]]:
    """Return each word, its English (for English its Chinese, as in the notes), and its meaning."""
    return [
        (word, translated(word, "zh"), _(meaning))
        if language() == ENGLISH
        else (_(word), word, _(meaning))
        for word, meaning in meanings().items()
    ]


@cache
def meanings() -> dict[str, str]:
    file = Path(__file__).with_suffix(".toml")
    return dict(tomllib.loads(file.read_text("utf-8"))["words"])

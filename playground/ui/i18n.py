"""Every sentence in two languages: English is the message id, ``zh.po`` has the Chinese.

``_("…")`` gives a sentence in the reader's language, ``error_text`` an error of the library. The
choice starts from the browser's language and lives in the URL.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Protocol

import polib
import streamlit as st

from bpe.errors import BPEError, Translatable


class Said(Protocol):
    """A sentence of the library: an English template and what fills its gaps."""

    @property
    def template(self) -> str:
        """The message id."""

    @property
    def values(self) -> dict[str, object]:
        """What fills the gaps."""


LANGUAGES = {"zh": "中文", "en": "English"}
KEY = "lang"


def _(message: str) -> str:
    """Return ``message`` in the reader's language; without a translation, as it is."""
    return _chinese().get(message, message) if language() == "zh" else message


def language() -> str:
    """Return the reader's language, ``"zh"`` or ``"en"``."""
    chosen = st.session_state.get(KEY, st.query_params.get(KEY))
    return str(chosen) if chosen in LANGUAGES else language_of_browser()


def language_of_browser() -> str:
    """Return the language that the browser asks for, ``"zh"`` or ``"en"``."""
    return "zh" if (st.context.locale or "").lower().startswith("zh") else "en"


def error_text(error: BPEError) -> str:
    """Return what an error of the library says, in the reader's language."""
    return plain(sentence(error))


def sentence(said: Said) -> str:
    """Return a sentence of the library, in the reader's language."""
    values = {
        name: _(value) if isinstance(value, Translatable) else value
        for name, value in said.values.items()
    }
    return _(said.template).format(**values)


def sentences_joined(*sentences: str) -> str:
    """Join sentences as the reader's language does: Chinese puts no space behind its full stop."""
    return ("" if language() == "zh" else " ").join(sentences)


def names_joined(names: Iterable[str]) -> str:
    """Join names as the reader's language does."""
    return ("、" if language() == "zh" else ", ").join(names)


def plain(text: str) -> str:
    """Return ``text`` for a place that renders Markdown, so that it appears as it was typed.

    Addresses become links after escapes are read: a character without width divides them.
    """
    text = _ADDRESS.sub(f"\\g<0>{_DIVIDER}", text)
    return "".join(f"\\{character}" if character in _MARKDOWN else character for character in text)


_MARKDOWN = frozenset("\\`*_{}[]<>#|~$:&")
_ADDRESS = re.compile(r"https?://(?=[-.\w])|\bwww(?=\.)|(?<=[-.\w+])@(?=[-\w])", re.IGNORECASE)
_DIVIDER = "\u2060"


@cache
def _chinese() -> dict[str, str]:
    catalogue = polib.pofile(str(Path(__file__).with_name("zh.po")))
    return {entry.msgid: entry.msgstr for entry in catalogue if entry.msgstr}

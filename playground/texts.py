"""Every sentence in two languages: English is the message id, ``zh.po`` has the Chinese.

``_("…")`` gives a sentence in the reader's language, ``error_text`` an error of the library. The
choice starts from the browser's language and lives in the URL.
"""

from functools import cache
from pathlib import Path

import polib
import streamlit as st

from bpe.errors import BPEError

LANGUAGES = {"zh": "中文", "en": "English"}
KEY = "lang"


def _(message: str) -> str:
    """Return ``message`` in the reader's language; without a translation, as it is."""
    return _chinese().get(message, message) if language() == "zh" else message


def language() -> str:
    """Return the reader's language, ``"zh"`` or ``"en"``."""
    chosen = st.session_state.get(KEY)
    if chosen in LANGUAGES:
        return str(chosen)
    return "zh" if (st.context.locale or "").lower().startswith("zh") else "en"


def choose_language() -> None:
    """Draw the switch between the languages."""
    if st.session_state.get(KEY) not in LANGUAGES and KEY not in st.query_params:
        st.session_state[KEY] = language()
    st.segmented_control(
        "语言 / Language",
        list(LANGUAGES),
        format_func=LANGUAGES.__getitem__,
        key=KEY,
        bind="query-params",
        label_visibility="collapsed",
    )


def error_text(error: BPEError) -> str:
    """Return what an error of the library says, in the reader's language."""
    values = {
        name: _(value) if isinstance(value, str) else value for name, value in error.values.items()
    }
    return plain(_(error.template).format(**values))


def plain(text: str) -> str:
    """Return ``text`` for a place that renders Markdown, so that it appears as it was typed."""
    return "".join(f"\\{character}" if character in _MARKDOWN else character for character in text)


_MARKDOWN = frozenset("\\`*_{}[]()<>#+-.!|~$:&")


@cache
def _chinese() -> dict[str, str]:
    catalogue = polib.pofile(str(Path(__file__).with_name("zh.po")))
    return {entry.msgid: entry.msgstr for entry in catalogue if entry.msgstr}

"""The languages of the interface: English message ids, and a ``.po`` file for each other language.

``_("…")`` gives a sentence in the reader's language, ``error_text`` an error of the library. The
choice starts from the browser's language and is in the URL. A file ``xx.po`` beside this module
adds the language ``xx`` once its header says its name and its tag in HTML.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache, reduce
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
        """The values in the gaps."""


KEY = "lang"
ENGLISH = "en"

FOLDER = Path(__file__).parent
"""Where the translations are."""


def _(message: str) -> str:
    """Return ``message`` in the reader's language; without a translation, as it is."""
    return translated(message, language())


def translated(message: str, code: str) -> str:
    return _messages(code).get(message, message)


def language() -> str:
    chosen = st.session_state.get(KEY, st.query_params.get(KEY))
    return str(chosen) if chosen in languages() else language_of_browser()


def language_of_browser() -> str:
    """Return the code of the language that the browser asks for; English where there is none."""
    code = (st.context.locale or "").lower().replace("_", "-").split("-")[0]
    return code if code in languages() else ENGLISH


@cache
def languages() -> dict[str, str]:
    headers = {code: _header(code) for code in _translations()}
    named = {
        code: head["X-Language-Name"] for code, head in headers.items() if "X-Language-Name" in head
    }
    return named | {ENGLISH: "English"}


def html_tag() -> str:
    code = language()
    return code if code == ENGLISH else _header(code)["Language"]


def _translations() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.po"))


@cache
def _header(code: str) -> dict[str, str]:
    """Return what a translation says of itself; the sentences are not read for that."""
    head, _sentences = (FOLDER / f"{code}.po").read_text(encoding="utf-8").split("\n\n", 1)
    return dict(polib.pofile(head).metadata)


@cache
def _messages(code: str) -> dict[str, str]:
    """Return the sentences of a language by their message ids; of English, none."""
    if code == ENGLISH:
        return {}
    catalogue = polib.pofile(str(FOLDER / f"{code}.po"))
    return {entry.msgid: entry.msgstr for entry in catalogue if entry.msgstr}


def error_text(error: Said) -> str:
    return plain(sentence(error))


def sentence(message: Said) -> str:
    """Return a sentence of the library, in the reader's language, with those inside it."""

    def translated(value: object) -> object:
        if isinstance(value, BPEError):
            return sentence(value)
        return _(value) if isinstance(value, Translatable) else value

    values = {name: translated(value) for name, value in message.values.items()}
    return _(message.template).format(**values)


def sentences_joined(*sentences: str) -> str:
    """Join sentences as the reader's language does: Chinese puts no space behind its full stop."""
    return _joined(_("{first} {next}"), sentences)


def names_joined(names: Iterable[str]) -> str:
    return _joined(_("{first}, {next}"), names)


def _joined(template: str, parts: Iterable[str]) -> str:
    first, *others = list(parts) or [""]
    return reduce(lambda text, more: template.format(first=text, next=more), others, first)


@contextmanager
def errors_shown() -> Iterator[None]:
    """Show in place of the rest why something cannot be drawn, such as memory that is not free."""
    try:
        yield
    except BPEError as error:
        st.error(error_text(error))
    except RuntimeError as error:
        if "start new thread" not in str(error):
            raise
        st.error(_("The server is too busy to do this at the moment. Try again in a minute."))


def plain(text: str) -> str:
    """Return ``text`` for a place that renders Markdown, so that it appears as it was typed.

    Addresses become links after escapes are read: a character without width divides them.
    """
    text = _ADDRESS.sub(f"\\g<0>{_DIVIDER}", text)
    return "".join(f"\\{character}" if character in _MARKDOWN else character for character in text)


_MARKDOWN = frozenset("\\`*_{}[]<>#|~$:&")
_ADDRESS = re.compile(r"https?://(?=[-.\w])|\bwww(?=\.)|(?<=[-.\w+])@(?=[-\w])", re.IGNORECASE)
_DIVIDER = "\u2060"

"""The choice of a corpus: sample texts, what the reader types, or files."""

from collections.abc import Mapping
from functools import partial
from pathlib import PurePath
from typing import Any

import streamlit as st

from bpe.documents.documents import CorpusSource
from bpe.errors import BPEError
from playground import session
from playground.editor import plain_text
from playground.train import presets
from playground.train.corpus import Corpus, from_texts, sampled, size_text
from playground.ui import caches, fields, state, unseen, uploads
from playground.ui.i18n import _, error_text, names_joined
from playground.ui.state import Field

MOST_TYPED = 400_000
"""Characters of a typed text that a session file restores."""

_SOURCE = "corpus"
_SEPARATOR = "---"
_LATEST = "corpus"


def choose(place: Any, settings: Any) -> Corpus | None:
    """Draw the choice of a corpus and return it; ``None`` where there is none yet.

    What cannot be a corpus is said below it. What few need is in the place of the ``settings``.
    """
    current = Field(_SOURCE, None).pending or state.choice(_SOURCE)
    current = current or next(reversed(fields.asked_for(_SOURCE)), "")
    sample = current if current in list(sampled()) else "both"  # a link may hold a list
    with place:
        source = fields.segments(
            _("Text to train on"),
            {sample: _("Samples"), "text": _("Paste"), "upload": _("Files")},
            key=_SOURCE,
            default="both",
        )
        with st.container():  # one place whatever is in it, so that what is open below stays open
            name, texts = _texts(source)
        below_text = st.container()
        with st.expander(_("Textbook examples, each with its recipe"), icon=":material/menu_book:"):
            presets.chips()
    with settings:
        if source == sample:
            names = {"both": _("Both samples"), "zh": _("Chinese"), "en": _("English")}
            _variant(names, source)
        try:
            corpus = _separated(name, texts, source)
        except BPEError as error:
            below_text.error(error_text(error))
            return None
        if corpus:
            _facts(corpus)
    if corpus and source in ("text", "upload"):
        with below_text:
            unseen.notice("\n".join(texts), key="corpus")
    return corpus


def _variant(names: Mapping[str, str], source: str) -> None:
    """Draw the choice between kinds of a source; a click takes another."""
    key = f"kind of {next(iter(names))}"
    Field(key, "").set(source)
    st.segmented_control(
        _("Kind"), list(names), format_func=names.__getitem__, key=key, required=True,
        label_visibility="collapsed",
        on_change=lambda: Field(_SOURCE, "").set(Field(key, "").get()),
    )  # fmt: skip


def _texts(source: str) -> tuple[str, tuple[str, ...]]:
    """Return what the texts of a source are called, and the texts."""
    if source == "text":
        return _("typed"), _typed()
    if source != "upload":
        return _("samples"), sampled()[source]
    read = uploads.documents()
    names = [PurePath(document.name).stem for document in read]
    name = names_joined(names[:2]) + ("…" if len(names) > 2 else "")
    return name, tuple(text for document in read for text in document.texts)


def _typed() -> tuple[str, ...]:
    text = plain_text(
        _("Your text"),
        key=presets.TEXT,
        default=session.text(),
        placeholder=_('Type or paste a text, or words with their counts: {"hug": 10, "pug": 5}'),
        limit=MOST_TYPED,
    )
    return (text,) if text.strip() else ()


def _separated(name: str, texts: tuple[str, ...], source: str) -> Corpus | None:
    """Draw the choice of a separator; return the documents.

    While they are the same it is the same corpus, so that it is hashed and measured once.
    """
    chosen = fields.select(
        _("A new document begins"),
        {
            "text": _("with each file or text"),
            "paragraph": _("after an empty line"),
            "line": _("with each line"),
            "own": _("after a separator of my own"),
        },
        key="documents",
    )
    st.caption(_("No merge crosses from one document into the next; separators are not learned."))
    separator: str | None = None if chosen == "text" else chosen
    if chosen == "own":
        separator = st.text_input(
            _("Separator"), **Field("separator", _SEPARATOR, state.words(100)).text()
        )
    recipe = None
    if source in sampled():
        recipe = CorpusSource(sample=source, separator=separator)
    elif source == "text" and texts:
        recipe = CorpusSource(text=texts[0], separator=separator)
    make = partial(from_texts, name, texts, separator, recipe)
    return caches.latest(_LATEST, (name, texts, separator, recipe), make)


def _facts(corpus: Corpus) -> None:
    facts = [
        _("Documents: {number}").format(number=f"{len(corpus.texts):,}"),
        _("Characters: {number}").format(number=f"{corpus.characters:,}"),
        _("Chinese characters: {share:.0%}").format(share=corpus.hanzi / max(corpus.characters, 1)),
        size_text(corpus.size),
    ]
    if corpus.words is not None:
        facts.insert(0, _("Different words: {number}").format(number=f"{corpus.words:,}"))
    st.caption(" · ".join(facts))

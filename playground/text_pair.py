"""Chinese and English texts of the same meaning: samples by domain, or the reader's own."""

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Any

import streamlit as st

from bpe.documents import parallel_texts, samples
from playground.editor import plain_text
from playground.ui import caches, settings
from playground.ui.i18n import _

OWN = "own"
SENTENCES = 3
"""How many sample pairs make a text: enough to see, few enough to read."""


def domain_names() -> dict[str, str]:
    """Return the sample domains in the reader's language."""
    return {
        "news": _("News"),
        "dialogue": _("Dialogue"),
        "documentation": _("Documentation"),
        "law": _("Law"),
        "literary": _("Literature"),
        "code": _("Numbers and code"),
        "social": _("Social media"),
    }


def sample_texts(domain: str) -> dict[str, str]:
    """Return a few samples of a domain as a text in each language, a line for each."""
    chosen = samples.pairs(domain)[:SENTENCES]
    return {
        "zh": "\n".join(pair.zh for pair in chosen),
        "en": "\n".join(pair.en for pair in chosen),
    }


def still_sample(texts: Mapping[str, str]) -> str | None:
    """Return the language whose text is that of a sample while the other has been changed.

    Such texts do not say the same. ``None`` where both are a sample's, or both the reader's.
    """
    for domain in domain_names():
        sample = sample_texts(domain)
        alike = [code for code in sample if texts.get(code) == sample[code]]
        if len(alike) == 1:
            return alike[0]
    return None


def text_areas(page: str) -> dict[str, str]:
    """Draw the choice of a sample and both texts; return them by language.

    A sample that is changed is no sample any more. What the reader types stays in the session
    and out of the URL.
    """
    names = {**domain_names(), OWN: _("My own texts")}
    zh_key, en_key = f"{page}_zh", f"{page}_en"
    domain = settings.select(_("Sample texts"), names, key="sample")
    filled_key = f"{page}_filled_with"
    if st.session_state.get(filled_key) != domain:
        if domain != OWN:
            sample = sample_texts(domain)
            st.session_state[zh_key], st.session_state[en_key] = sample["zh"], sample["en"]
        st.session_state[filled_key] = domain

    def typed() -> None:
        st.session_state["sample"] = st.session_state[filled_key] = OWN

    sample = {"zh": "", "en": ""} if domain == OWN else sample_texts(domain)
    return {
        code: plain_text(label, key=key, default=sample[code], on_edit=typed)
        for label, key, code in ((_("Chinese"), zh_key, "zh"), (_("English"), en_key, "en"))
    }


def from_table(
    data: bytes, name: str, *, places: tuple[Any, Any], key: str, max_bytes: int
) -> parallel_texts.Pairs:
    """Draw the choice of a column for each language at two places; return the pairs of the rows.

    ``key`` names the file. A row with only one of the two raises BPEError.
    """
    content = hashlib.sha256(data).digest()

    @cache
    def table() -> parallel_texts.Table:
        return parallel_texts.read_table(data, name, max_bytes=max_bytes)

    columns, guess = caches.latest(
        "columns of the table of pairs",
        content,
        lambda: (table().columns, (table().zh, table().en)),
    )
    zh, en = (
        place.selectbox(
            label,
            columns,
            index=columns.index(guessed),
            key=f"{language} column {key}",
        )
        for place, label, language, guessed in zip(
            places,
            (_("Chinese column"), _("English column")),
            ("zh", "en"),
            guess,
            strict=True,
        )
    )
    return caches.latest("table of pairs", (content, zh, en), lambda: table().pairs(zh, en))

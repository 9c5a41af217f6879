"""Tokens in a list: their order, the table of the first of them, a file of all, and their kinds
in words."""

from typing import cast

import numpy as np
import pandas as pd
import streamlit as st

from bpe.analysis.vocabulary import Indices, Order, Vocabulary
from playground.ui import settings, tables
from playground.ui.i18n import _, language

LISTED = 1_000
"""How many tokens are listed; all of those found are in the file to download."""


def common(some: Indices, others: Indices) -> Indices:
    return np.intersect1d(some, others, assume_unique=True)


def in_order(known: Vocabulary, chosen: Indices) -> Indices:
    orders = {
        "id": _("id, first ones first"),
        "-id": _("id, last ones first"),
        "-characters": _("most characters first"),
        "characters": _("fewest characters first"),
        "-bytes": _("most bytes first"),
        "bytes": _("fewest bytes first"),
        "text": _("text"),
    }
    order = settings.select(_("Order"), orders, key="vocabulary_order")
    return known.sort(
        chosen, cast(Order, order.removeprefix("-")), descending=order.startswith("-")
    )


def show(known: Vocabulary, chosen: Indices, *, key: str) -> None:
    listed = frame(known, chosen[:LISTED])
    tables.show(
        listed.assign(script=listed["script"].map(scripts()), kind=listed["kind"].map(kinds())),
        {
            "id": tables.number(_("Id"), form="%d", width="small"),
            "token": tables.text(_("Token"), width="medium"),
            "characters": tables.number(_("Whole characters")),
            "length": tables.number(_("Length in bytes")),
            "script": tables.text(_("Writing system")),
            "kind": tables.text(_("Kind")),
            "bytes": tables.text(_("Bytes"), width="medium"),
        },
        alt_text=_("The tokens found, with id, bytes, length, script and kind"),
        most_height=420,
        key=f"{key}_{language()}",
    )


def frame(known: Vocabulary, chosen: Indices) -> pd.DataFrame:
    """Return a row for each token, scripts and kinds by their codes."""
    rows = [
        (
            entry.id,
            entry.text,
            entry.characters,
            len(entry.bytes),
            entry.script,
            entry.kind,
            entry.bytes.hex(" ").upper(),
        )
        for entry in known.entries(chosen)
    ]
    columns = ["id", "token", "characters", "length", "script", "kind", "bytes"]
    return pd.DataFrame(rows, columns=columns)


def download(known: Vocabulary, chosen: Indices, name: str, *, key: str) -> None:
    st.download_button(
        _("Tokens as CSV"),
        lambda: tables.as_csv(frame(known, chosen)),
        name,
        "text/csv",
        icon=":material/download:",
        on_click="ignore",
        key=key,
    )


def scripts() -> dict[str, str]:
    return {
        "han": _("Chinese characters"),
        "latin": _("Latin"),
        "kana": _("Kana"),
        "hangul": _("Hangul"),
        "cyrillic": _("Cyrillic"),
        "arabic": _("Arabic"),
        "other": _("another script"),
        "mixed": _("several scripts"),
        "digits": _("digits"),
        "signs": _("signs"),
        "space": _("white space"),
        "none": _("no whole character"),
    }


def kinds() -> dict[str, str]:
    return {
        "character": _("one character"),
        "several": _("several characters"),
        "partial": _("with parts of characters"),
        "special": _("special"),
        "empty": _("no bytes"),
    }

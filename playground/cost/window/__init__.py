"""Whether a text fits each model's window, how much more would, and the text cut into pieces."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.text import samples
from playground.cost import columns, counting, models, notes
from playground.cost.desk import Desk
from playground.cost.window import gauges, pieces
from playground.cost.window.gauges import Row
from playground.ui import fields, settings, tables, uploads
from playground.ui.i18n import _, error_text, sentence

_TEXT = "window_text"


def section(desk: Desk) -> None:
    """Draw the text on the left, and its gauges and pieces on the right."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        text = _text()
        reserve = fields.whole(_("Kept free for the answer, tokens"), "reserve", 1000)
        chosen = models.choose(desk)
    with right:
        if not text:
            st.info(_("Type or upload a text on the left."), icon=":material/edit:")
            return
        if not chosen:
            models.ask_for_one()
            return
        try:
            rows = gauges.measure(chosen, text, reserve=reserve)
        except BPEError as error:
            st.error(error_text(error))
            return
        gauges.show(desk, rows)
        notes.unknown_window(desk, chosen)
        _table(desk, rows)
        st.caption(
            _(
                "汉字 and words are measured with each model's tokenizer on our samples; a page is "
                "{hanzi} 汉字 or {words} English words. Either all Chinese or all English fits, "
                "not both."
            ).format(hanzi=pricing.HANZI_PER_PAGE, words=pricing.WORDS_PER_PAGE)
        )
        pieces.show(desk, text, chosen)


def _text() -> str:
    source = settings.segments(
        _("Text"), {"typed": _("a sample or my own"), "file": _("from a file")}, key="text_from"
    )
    if source == "file":
        return "\n".join(document.text for document in uploads.documents(key="window_files"))
    if _TEXT not in st.session_state:
        st.session_state[_TEXT] = samples.corpus("zh")
    typed = st.text_area(_("Text"), key=_TEXT, height=260, persist_state="session")
    return typed or ""


def _table(desk: Desk, rows: Sequence[Row]) -> None:
    frame = pd.DataFrame(
        [
            {
                "model": desk.names[row.model.id],
                "tokens": row.count.tokens,
                "count": counting.badge(row.count),
                "window": row.gauge.window,
                "share": row.share,
                "fits": columns.fits(row.gauge.fits),
                "free": row.gauge.free,
                "hanzi": row.room.hanzi if row.room else None,
                "words": row.room.words if row.room else None,
                "zh_pages": float(row.room.zh_pages) if row.room else None,
                "en_pages": float(row.room.en_pages) if row.room else None,
                "limits": row.model.limits_source.url if row.model.limits_source else None,
                "method": sentence(row.count.method),
            }
            for row in rows
        ]
    )
    tables.show(
        frame,
        {
            **columns.model(),
            "tokens": tables.number(_("Tokens")),
            "count": tables.text(_("Count")),
            "window": tables.number(_("Context window")),
            "share": tables.number(_("Share of context window"), form="percent"),
            "fits": tables.text(_("Fits the window")),
            "free": tables.number(_("Tokens still free")),
            "hanzi": tables.number(_("or 汉字")),
            "words": tables.number(_("or English words")),
            "zh_pages": tables.number(_("Chinese pages"), form="%,.1f"),
            "en_pages": tables.number(_("English pages"), form="%,.1f"),
            "limits": tables.link(_("Source of limits"), _("source")),
            "method": tables.text(_("How it was counted"), width="large"),
        },
        alt_text=_("Tokens, share of the window, and how much more fits, for each model"),
    )

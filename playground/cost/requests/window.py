"""Whether a text fits each model's window, how much more would, and the text cut into pieces."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from bpe.documents import samples
from bpe.pricing import Count, Model, Sentence
from playground.cost import counting, layout, models
from playground.cost.context import PricingContext
from playground.cost.languages import comparing
from playground.cost.requests import pieces
from playground.editor import plain_text
from playground.ui import charts, fields, tables, uploads
from playground.ui.i18n import _, names_joined, plain, sentence, sentences_joined

__all__ = ["Inputs", "choose", "show"]

HANZI_PER_PAGE = 800
"""汉字 on a page: 20 lines of 40, an ordinary printed page. A convention."""
WORDS_PER_PAGE = 500
"""English words on a page: single-spaced A4 or Letter at 12 points. A convention, too."""

_MANY = 100_000
"""Characters or words by which the rest of a window is measured."""
_TEXT = "window_text"
_MOST = 400_000
"""Characters of a typed text that a session file restores."""


Inputs = tuple[str, int, list[Model]]
"""A text, the tokens reserved for an answer, and the models."""


def choose(context: PricingContext) -> Inputs:
    return (
        _text(),
        fields.whole(_("Reserved for the answer, tokens"), "reserve", 1000),
        models.choose(context),
    )


def show(context: PricingContext, inputs: Inputs) -> None:
    text, reserve, chosen = inputs
    if not text:
        st.info(_("Type or upload a text in the settings."), icon=":material/edit:")
        return
    if not chosen:
        models.ask_for_one()
        return
    rows = _measure(chosen, text, reserve=reserve)
    _show_chart(context, rows)
    layout.show_unknown_windows(context, chosen)
    _show_table(context, rows)
    ended = ((model, Sentence(model.ended)) for model in chosen if model.ended)
    layout.show_notes(context, ended)
    pieces.show(context, text, chosen)


def _text() -> str:
    source = fields.segments(
        _("Text"), {"typed": _("A sample or my own"), "file": _("From a file")}, key="text_from"
    )
    if source == "file":
        return "\n".join(document.text for document in uploads.documents(key="window_files"))
    return plain_text(_("Text"), key=_TEXT, default=samples.corpus("zh"), rows=8, limit=_MOST)


@dataclass(frozen=True)
class Fit:
    """A text's count for a model, and what of its window stays ``reserved`` for the answer."""

    model: Model
    count: Count
    reserved: int
    hanzi: int | None = None
    """How many Chinese characters, or else English words, still fit."""
    words: int | None = None

    @property
    def most(self) -> int | None:
        """The longest text that fits."""
        window = self.model.context_window
        return window and min(window - self.reserved, self.model.max_input or window)

    @property
    def free(self) -> int | None:
        return None if self.most is None else max(0, self.most - self.count.tokens)

    @property
    def fits(self) -> bool | None:
        """Whether text and answer fit wherever in its range the count is; ``None`` if unsure."""
        most = self.most
        if most is None or self.count.low <= most < self.count.high:
            return None
        return self.count.tokens <= most

    @property
    def share(self) -> float | None:
        """The share of the window that the text takes."""
        window = self.model.context_window
        return None if not window else self.count.tokens / window


def _measure(chosen: Sequence[Model], text: str, *, reserve: int) -> list[Fit]:
    """Count a text for each model, with ``reserve`` tokens reserved for the answer.

    The fullest window is first; those of unknown size are last.
    """
    counted = counting.count(chosen, text)
    one = (
        comparing.length(chosen, (_MANY, "hanzi"), "zh"),
        comparing.length(chosen, (_MANY, "words"), "en"),
    )
    rows = []
    for model in chosen:
        row = Fit(model, counted[model.id], reserve)
        if row.free is not None:
            hanzi, words = (row.free * _MANY // each[model.id].tokens for each in one)
            row = replace(row, hanzi=hanzi, words=words)
        rows.append(row)
    return sorted(rows, key=lambda row: -1 if row.share is None else row.share, reverse=True)


def _show_chart(context: PricingContext, rows: Sequence[Fit]) -> None:
    known = [row for row in rows if row.share is not None]
    if known:
        st.markdown(_reading(context, known))
        charts.show(
            partial(_chart, _frame(context, known)),
            alt_text=_("How much of each model's context window the text fills"),
        )


def _reading(context: PricingContext, known: Sequence[Fit]) -> str:
    over = [context.names[row.model.id] for row in known if row.fits is False]
    unsure = [context.names[row.model.id] for row in known if row.fits is None]
    said = []
    if over:
        said.append(
            _("The text and the answer do **not** fit: {models}.").format(
                models=plain(names_joined(over))
            )
        )
    if unsure:
        said.append(
            _("Within the range of the estimate they may or may not fit: {models}.").format(
                models=plain(names_joined(unsure))
            )
        )
    if said:
        return sentences_joined(*said)
    fullest = known[0]
    return _(
        "It fits all {models} windows; the tightest is that of **{model}**, where text and "
        "answer take {percent}% of {window} tokens."
    ).format(
        models=len(known),
        model=plain(context.names[fullest.model.id]),
        percent=f"{100 * ((fullest.share or 0) + _reserved_share(fullest)):.3g}",
        window=f"{fullest.model.context_window:,}",
    )


def _reserved_share(row: Fit) -> float:
    return row.reserved / (row.model.context_window or 1)


def _share_with_answer(row: Fit) -> float | None:
    return None if row.share is None else row.share + _reserved_share(row)


def _frame(context: PricingContext, known: Sequence[Fit]) -> pd.DataFrame:
    rows = [
        (context.names[row.model.id], part, place, share, f"{100 * share:.3g}%")
        for row in known
        for place, (part, share) in enumerate(
            ((_("the text"), row.share or 0), (_("reserved for the answer"), _reserved_share(row)))
        )
    ]
    return pd.DataFrame(rows, columns=["model", "part", "place", "share", "shown"])


def _chart(frame: pd.DataFrame) -> Any:
    order, parts = (list(dict.fromkeys(frame[name])) for name in ("model", "part"))
    bars = (
        alt.Chart(frame)
        .mark_bar(height={"band": 0.75})
        .encode(
            y=alt.Y("model:N", sort=order, axis=layout.MODEL_AXIS),
            x=alt.X(
                "share:Q",
                title=_("Share of context window"),
                axis=alt.Axis(format="~%", tickCount=5),
                stack=True,
            ),
            color=charts.colour("part:N", parts, layout.BILL_COLOURS[:2]).sort(parts),
            order=alt.Order("place:Q"),
            tooltip=[
                alt.Tooltip("model:N", title=_("Model")),
                alt.Tooltip("part:N", title=_("Part")),
                alt.Tooltip("shown:N", title=_("Share of context window")),
            ],
        )
    )
    full = charts.line_at(1, _("the window is full"))
    return alt.layer(bars, full).properties(height=30 * len(order) + 130)


def _show_table(context: PricingContext, rows: Sequence[Fit]) -> None:
    def pages(units: int | None, of_a_page: int) -> float | None:
        return None if units is None else 10 * units // of_a_page / 10

    page = {"form": "%,.1f"}
    layout.show_rows(
        context,
        rows,
        {
            **layout.model_column(context),
            "tokens": (tables.number(_("Tokens")), lambda row: row.count.tokens),
            "count": (tables.text(_("Count")), lambda row: counting.badge(row.count)),
            "window": (tables.number(_("Context window")), lambda row: row.model.context_window),
            "share": (
                tables.number(_("Share of context window"), form="percent"),
                _share_with_answer,
            ),
            "most": (
                tables.number(
                    _("Room for the text"),
                    help=_("The window without the answer, or what a model takes as input."),
                ),
                lambda row: row.most,
            ),
            "fits": (tables.text(_("Fits the window")), lambda row: layout.fits(row.fits)),
            "free": (tables.number(_("Tokens still free")), lambda row: row.free),
            "hanzi": (tables.number(_("or Chinese characters")), lambda row: row.hanzi),
            "words": (tables.number(_("or English words")), lambda row: row.words),
            "zh_pages": (
                tables.number(_("Chinese pages"), **page),
                lambda row: pages(row.hanzi, HANZI_PER_PAGE),
            ),
            "en_pages": (
                tables.number(_("English pages"), **page),
                lambda row: pages(row.words, WORDS_PER_PAGE),
            ),
            "limits": (
                tables.link(_("Source of limits"), _("source")),
                lambda row: row.model.limits_source and row.model.limits_source[0],
            ),
            "method": (
                tables.text(_("How it was counted"), width="large"),
                lambda row: row.count.method and sentence(row.count.method),
            ),
        },
        alt_text=_("Tokens, share of the window, and how much more fits, for each model"),
    )
    st.caption(
        _(
            "Chinese characters and words are measured with each model's tokenizer on our samples; "
            "a page is {hanzi} Chinese characters or {words} English words. Either all Chinese or "
            "all English fits, not both."
        ).format(hanzi=HANZI_PER_PAGE, words=WORDS_PER_PAGE)
    )

"""A chat that grows turn by turn: whether it fits each model's window, and what it costs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from bpe import pricing
from bpe.pricing import Conversation, Count, Model, Simulation
from playground import text_pair
from playground.cost import counting, layout, models
from playground.cost.languages.inputs import text_of_side
from playground.cost.price_settings import PricingContext
from playground.ui import charts, fields, progress, tables, uploads
from playground.ui.i18n import _, names_joined, plain, sentence, sentences_joined

_COLOURS = ("#4f7f78", "#9cc0b4")
"""Of the beginning and the turns."""
_MOST_TURNS = 1_000
_NEAR = 1 / 3
"""The end of the windows is drawn where more than this share of one is taken."""


Chat = tuple[str | None, Conversation, list[Model]]
"""The text that a chat begins with (``None``: the plan has the number of its tokens), its plan, and
the models."""


@dataclass(frozen=True)
class Row:
    """The chat on one model: its beginning and its turns.

    ``ends`` are the turns with the beginning at both ends of its range.
    """

    model: Model
    begins: Count
    chat: Simulation
    ends: tuple[Simulation, Simulation]

    @property
    def total(self) -> Decimal:
        return self.chat.total

    @property
    def refused_from(self) -> int | None:
        """The first turn that is surely longer than the model takes."""
        return self.ends[0].overflow_turn

    @property
    def fits(self) -> bool | None:
        """Whether all turns fit wherever in its range the beginning is; ``None`` if unsure."""
        if self.refused_from is not None:
            return False
        is_sure = self.model.context_window is not None and self.ends[1].overflow_turn is None
        return True if is_sure else None

    @property
    def _longest(self) -> pricing.Usage:
        return self.chat.turns[-1].usage

    @property
    def share(self) -> float | None:
        """The share of the window that the longest request and its answer take."""
        window = self.model.context_window
        return window and (self._longest.input + self._longest.output) / window

    @property
    def free(self) -> int | None:
        """Tokens by which the text could be longer."""
        most = longest_input(self.model, self._longest.output)
        return None if most is None else max(0, most - self._longest.input)


def longest_input(model: Model, answer: int) -> int | None:
    """Return how many tokens a request may have beside so many of an answer."""
    window = model.context_window
    return window and min(window - answer, model.max_input or window)


def choose(context: PricingContext) -> Chat:
    text, begins = _beginning()
    one, two, three = st.columns(3, vertical_alignment="bottom")
    user = fields.whole(_("Message, tokens"), "user", 200, place=one)
    output = fields.whole(_("Answer, tokens"), "reply", 500, place=two)
    turns = fields.whole(_("Turns"), "turns", 30, least=1, most=_MOST_TURNS, step=1, place=three)
    chosen = models.choose(context)
    with st.expander(_("More: tools, reasoning, cache")):
        tools = fields.whole(_("Tools, tokens"), "tools", 0)
        reasoning = layout.reasoning_tokens()
        caching = fields.segments(
            _("Prompt caching"), {"on": _("On"), "off": _("Off")}, key="caching"
        )
    plan = Conversation(
        turns, system_tokens=begins, tools_tokens=tools, user_tokens=user, output_tokens=output,
        caching=caching == "on", reasoning_tokens=reasoning,
    )  # fmt: skip
    return text, plan, chosen


def _beginning() -> tuple[str | None, int]:
    """Draw the text that the chat begins with, or a number of tokens; return both."""
    source = fields.segments(
        _("It begins with"),
        {"typed": _("A text"), "file": _("A file"), "tokens": _("In tokens")},
        key="text_from",
    )
    if source == "tokens":
        return None, fields.whole(_("System prompt, tokens"), "begins", 1000)
    if source == "file":
        documents = uploads.documents(key="window_files")
        return "\n".join(document.text for document in documents), 0
    shown = text_pair.choose(_("Sample texts"))
    return text_of_side(shown, shown.sides[0]), 0


def show(context: PricingContext, chat: Chat) -> None:
    _text, plan, chosen = chat
    if not chosen:
        models.ask_for_one()
        return
    rows = measure(context, chat)
    st.markdown(reading(context, rows))
    if measured := [row for row in rows if row.share is not None]:
        charts.show(
            partial(_windows, _window_frame(context, measured)),
            alt_text=_("How much of each model's context window the chat fills"),
        )
    notes = layout.show_hours(context, ((row.model, row.chat.notes) for row in rows))
    if unknown := [context.names[model.id] for model in chosen if model.context_window is None]:
        template = _("The context window is not known for: {models}.")
        st.caption(template.format(models=plain(names_joined(unknown))))
    _show_table(context, rows)
    more = layout.frame_notes(context, chosen)
    layout.show_notes(context, notes, chosen, reasoning=plan.reasoning_tokens, more=more)


def measure(context: PricingContext, chat: Chat) -> list[Row]:
    """Return the chat on each model, that with the fullest window first."""
    text, plan, chosen = chat
    begins = {model.id: Count.exactly(plan.system_tokens) for model in chosen}
    if text is not None:
        begins = counting.count(chosen, text)
    rows = []
    for model in chosen:
        count = begins[model.id]
        on = {
            tokens: pricing.simulate(model, replace(plan, system_tokens=tokens), context.terms)
            for tokens in {count.low, count.tokens, count.high}
        }
        rows.append(Row(model, count, on[count.tokens], (on[count.low], on[count.high])))
        progress.checkpoint()
    return sorted(rows, key=lambda row: -1 if row.share is None else row.share, reverse=True)


def reading(context: PricingContext, rows: Sequence[Row]) -> str:
    """Say whether the chat fits, and what it costs."""
    sentences = [*_in_windows(context, rows)]
    if accepted := [row for row in rows if row.fits is not False]:
        volume = _("for {turns} turns").format(turns=f"{len(accepted[0].chat.turns):,}")
        ranges = {
            row.model.id: (row.ends[0].total, row.total, row.ends[1].total) for row in accepted
        }
        sentences.append(layout.cheapest_and_dearest(context, volume, ranges))
    return sentences_joined(*sentences)


def _in_windows(context: PricingContext, rows: Sequence[Row]) -> Iterable[str]:
    measured = [row for row in rows if row.share is not None]
    if measured and all(row.fits for row in measured):
        yield _(
            "It fits all {models} windows; the tightest is that of **{model}**, where the longest "
            "request and its answer take {percent}% of {window} tokens."
        ).format(
            models=len(measured),
            model=plain(context.names[measured[0].model.id]),
            percent=f"{100 * (measured[0].share or 0):.3g}",
            window=f"{measured[0].model.context_window:,}",
        )
    if over := [row for row in rows if row.fits is False]:
        names = [
            _("{model} (from turn {turn} on)").format(
                model=plain(context.names[row.model.id]), turn=f"{row.refused_from:,}"
            )
            for row in over
        ]
        yield _(
            "Requests are **refused**, as they are longer than the model takes: {models}. Their "
            "amounts are those of a window that is large enough."
        ).format(models=names_joined(names))
    if unsure := [context.names[row.model.id] for row in measured if row.fits is None]:
        yield _("Within the range of the estimate they may or may not fit: {models}.").format(
            models=plain(names_joined(unsure))
        )


def _windows(frame: pd.DataFrame) -> Any:
    tall = 30 * frame["label"].nunique() + 110
    title = _("Share of context window")
    parts = list(frame.sort_values("order")["part"].drop_duplicates())
    bars = alt.Chart(frame).mark_bar(height={"band": 0.7})
    layers: list[Any] = [
        bars.encode(
            y=alt.Y("label:N", sort=None, axis=layout.MODEL_AXIS),
            x=alt.X("share:Q", title=title, stack="zero", axis=alt.Axis(format="~%", tickCount=5)),
            order=alt.Order("order:Q"),
            color=charts.colour("part:N", parts, _COLOURS, columns=2),
            tooltip=[
                alt.Tooltip("label:N", title=_("Model")),
                alt.Tooltip("part:N", title=_("Part")),
                alt.Tooltip("share:Q", title=title, format=".2%"),
            ],
        )
    ]
    if frame.groupby("label")["share"].sum().max() > _NEAR:
        layers.append(charts.line_at(1, _("the window is full")))
    return alt.layer(*layers).properties(height=tall)


def _window_frame(context: PricingContext, rows: Sequence[Row]) -> pd.DataFrame:
    data = []
    for row in rows:
        name = context.names[row.model.id]
        begins = row.begins.tokens / (row.model.context_window or 1)
        data.append((name, _("the beginning"), 0, begins))
        data.append((name, _("the turns"), 1, (row.share or 0) - begins))
    return pd.DataFrame(data, columns=["label", "part", "order", "share"])


def _show_table(context: PricingContext, rows: Sequence[Row]) -> None:
    layout.show_rows(
        context,
        rows,
        {
            **layout.model_column(context),
            "fits": (tables.text(_("Fits the window")), _fits),
            "total": (_("All turns"), lambda row: row.total),
            "tokens": (tables.number(_("Beginning, tokens")), lambda row: row.begins.tokens),
            "count": (tables.text(_("Count")), lambda row: counting.badge(row.begins)),
            "share": (
                tables.number(_("Share of context window"), form="percent"),
                lambda row: row.share,
            ),
            "window": (tables.number(_("Context window")), lambda row: row.model.context_window),
            "free": (tables.number(_("Tokens still free")), lambda row: row.free),
            "limits": layout.limits_column(),
            **layout.price_columns(context),
            "method": (
                tables.text(_("How it was counted"), width="large"),
                lambda row: row.begins.method and sentence(row.begins.method),
            ),
        },
        alt_text=_("The chat's cost, share of the window, and how much more fits, on each model"),
    )


def _fits(row: Row) -> str:
    if row.refused_from is None or len(row.chat.turns) == 1:
        return layout.fits(row.fits)
    return _("refused from turn {turn} on").format(turn=f"{row.refused_from:,}")

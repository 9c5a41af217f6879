"""A conversation: what it costs, when it overflows, and what forgetting would save."""

from collections.abc import Sequence
from decimal import Decimal

import pandas as pd
import streamlit as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import Model, Savings, Simulation, words
from playground.cost import columns, models, notes
from playground.cost.conversation import plan, turns
from playground.cost.conversation.plan import Plan
from playground.cost.desk import Desk
from playground.ui import tables
from playground.ui.i18n import _, error_text, plain


def section(desk: Desk) -> None:
    """Draw the plan on the left and its turns on the right."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        model = models.choose_one(desk)
        try:
            planned = plan.choose()
        except BPEError as error:
            st.error(error_text(error))
            return
        others = models.choose(desk, label=_("Hold these models against it"))
    with right:
        try:
            remembered = planned.on(desk, model)
        except BPEError as error:
            st.error(error_text(error))
            return
        st.markdown(_reading(desk, remembered.everything))
        _metrics(desk, remembered, planned.keep)
        turns.show_chart(desk, remembered)
        turns.show_table(desk, remembered)
        notes.below(
            desk,
            [
                *((model, note) for note in remembered.everything.notes),
                *notes.of_prices(desk, [model]),
            ],
        )
        _frame_note(desk, model, messages=2 * planned.conversation.turns)
        if others:
            _others(desk, others, planned)
        notes.stale(desk, [model, *others])


def _reading(desk: Desk, everything: Simulation) -> str:
    """Say in words what all turns cost, and which is the first that does not fit."""
    overflow = everything.overflow_turn
    said = _("**{model}**: {turns} turns cost {total}, the last of them {last}.").format(
        model=plain(desk.names[everything.model.id]),
        turns=f"{everything.plan.turns:,}",
        total=desk.money.words(everything.total),
        last=desk.money.words(everything.turns[-1].cost),
    )
    window = everything.model.context_window
    if window is None:
        fits = _("Its context window is not known, so nobody can say when it is full.")
    elif overflow is None:
        fits = _("All turns fit the window of {window} tokens.").format(window=f"{window:,}")
    else:
        fits = _(
            "**Turn {turn} overflows** the window of {window} tokens; the turns before it cost "
            "{before}."
        ).format(
            turn=f"{overflow:,}",
            window=f"{window:,}",
            before=desk.money.words(everything.total_that_fits),
        )
    return f"{said}\n\n{fits}"


def _metrics(desk: Desk, remembered: Savings, keep: int) -> None:
    """Draw what the three ways of remembering cost, and what two of them save."""
    one, two, three = st.columns(3)
    total = remembered.everything.total
    one.metric(_("Everything is sent"), desk.money.text(total))
    for place, label, saved in (
        (two, _("The last {turns} turns").format(turns=f"{keep:,}"), remembered.last_turns_save),
        (three, _("A running summary"), remembered.summary_saves),
    ):
        said = _("Saves {money}.") if saved >= 0 else _("Costs {money} more.")
        place.metric(
            label,
            desk.money.text(total - saved),
            f"{100 * -saved / total if total else Decimal(0):+.0f}%",
            delta_color="inverse",
            help=said.format(money=desk.money.words(abs(saved))),
        )


def _frame_note(desk: Desk, model: Model, *, messages: int) -> None:
    """Say what roles and messages would add, by the vendor's rule, or that no rule is known."""
    overhead = pricing.chat_overhead(model, messages)
    if overhead is None:
        notes.below(desk, [(model, pricing.Sentence(words.CHAT_UNKNOWN))])
        return
    notes.below(desk, [(model, overhead.rule)])
    st.caption(
        _(
            "The last request here has {messages} messages: {tokens} tokens more than counted."
        ).format(messages=f"{messages:,}", tokens=f"{overhead.tokens:,}")
        + f" [{_('The rule at its source')}]({overhead.source})"
    )


def _others(desk: Desk, chosen: Sequence[Model], planned: Plan) -> None:
    """Draw the same conversation on the other models, the cheapest first."""
    st.subheader(_("The same conversation on other models"))
    money = desk.money
    remembered = [(model, planned.on(desk, model)) for model in chosen]
    frame = pd.DataFrame(
        [
            {
                "model": desk.names[model.id],
                "total": money.number(found.everything.total),
                "last": money.number(found.last_turns.total),
                "summary": money.number(found.summary.total),
                "overflow": _overflow(found.everything),
                "window": model.context_window,
                **columns.of_price(desk, model),
            }
            for model, found in remembered
        ]
    ).sort_values("total", ignore_index=True)
    tables.show(
        frame,
        {
            **columns.model(),
            "total": money.column(_("Everything is sent"), frame["total"]),
            "last": money.column(_("The last turns only"), frame["last"]),
            "summary": money.column(_("A running summary"), frame["summary"]),
            "overflow": tables.text(_("Overflows in turn")),
            "window": tables.number(_("Context window")),
            **columns.price(),
        },
        alt_text=_("The conversation's cost and overflow on each model"),
    )


def _overflow(everything: Simulation) -> str:
    if everything.model.context_window is None:
        return _("unknown")
    turn = everything.overflow_turn
    return _("never") if turn is None else f"{turn:,}"

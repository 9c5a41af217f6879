"""A conversation: what it costs, when it overflows, and what forgetting would save."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from operator import itemgetter
from typing import Any

import streamlit as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import MEMORIES, MOST_TURNS, Conversation, Model, Simulation, messages
from playground.cost import layout, models
from playground.cost.context import PricingContext
from playground.cost.requests import turns
from playground.ui import fields, tables
from playground.ui.i18n import _, error_text, plain

__all__ = ["Inputs", "choose", "show"]


@dataclass(frozen=True)
class Inputs:
    """A model, others to compare it with, the conversation, and how much of it is sent again."""

    model: Model
    others: list[Model]
    conversation: Conversation
    keep: int
    """Turns to keep where not everything is sent."""
    summary: int
    """Tokens of a summary of the other turns."""

    def on(self, context: PricingContext, model: Model) -> turns.Remembered:
        terms = context.terms(model)
        return {
            memory: pricing.simulate(
                model, self.conversation, terms, memory=memory, keep=self.keep,
                summary_tokens=self.summary,
            )
            for memory in MEMORIES
        }  # fmt: skip


def choose(context: PricingContext) -> Inputs | None:
    """Draw the fields and return what they hold; ``None`` where they contradict each other."""
    model = models.choose_one(context)
    try:
        conversation, keep, summary = _conversation()
    except BPEError as error:
        st.error(error_text(error))
        return None
    others = models.choose(context, label=_("Compare it with these models"))
    return Inputs(model, others, conversation, keep, summary)


def show(context: PricingContext, inputs: Inputs | None) -> None:
    if inputs is None:
        return
    remembered = inputs.on(context, inputs.model)
    st.markdown(_reading(context, remembered["all"]))
    _metrics(context, remembered, inputs.keep)
    turns.show_chart(context, remembered)
    notes = layout.show_hours(context, _notes(context, inputs.model, remembered))
    turns.show_table(context, remembered)
    others = _others(context, inputs) if inputs.others else []
    for model, found in others:
        notes += _notes(context, model, found)
    layout.show_notes(
        context,
        notes,
        models=[inputs.model, *(model for model, _found in others)],
        reasoning=inputs.conversation.reasoning_tokens,
        more=_frame_notes(context, inputs.model, messages_sent=2 * inputs.conversation.turns),
    )


def _conversation() -> tuple[Conversation, int, int]:
    """Draw the fields of the conversation; return it, the turns to keep, and a summary's tokens."""
    one, two = _row()
    system = fields.whole(_("System prompt, tokens"), "system", 1000, place=one)
    tools = fields.whole(_("Tools, tokens"), "tools", 500, place=two)
    one, two = _row()
    user = fields.whole(_("User's message, tokens"), "user", 200, place=one)
    growth = fields.whole(
        _("Growth per turn, tokens"), "growth", 0, least=-fields.MOST, step=10, place=two
    )
    one, two = _row()
    output = fields.whole(_("Answer, tokens"), "reply", 500, place=one)
    with two:
        reasoning = layout.reasoning_tokens("reasoning")
    one, two = _row()
    number = fields.whole(_("Turns"), "turns", 30, least=1, most=MOST_TURNS, step=1, place=one)
    keep = fields.whole(
        _("Turns to remember"),
        "keep",
        6,
        least=1,
        most=MOST_TURNS,
        step=1,
        hint=_("For the two ways of forgetting: the last turns only, or a running summary."),
        place=two,
    )
    one, two = _row()
    summary = fields.whole(_("Summary, tokens"), "summary", 400, place=one)
    with two:
        caching = fields.segments(
            _("Prompt caching"), {"on": _("On"), "off": _("Off")}, key="caching"
        )
    conversation = Conversation(
        number,
        system_tokens=system,
        tools_tokens=tools,
        user_tokens=user,
        growth=growth,
        output_tokens=output,
        caching=caching == "on",
        reasoning_tokens=reasoning,
    )
    return conversation, keep, summary


def _row() -> Sequence[Any]:
    return st.columns(2, vertical_alignment="bottom")


def _reading(context: PricingContext, everything: Simulation) -> str:
    overflow = everything.overflow_turn
    said = _("**{model}**: {turns} turns cost {total}, the last of them {last}.").format(
        model=plain(context.names[everything.model.id]),
        turns=f"{everything.plan.turns:,}",
        total=context.money.markdown(everything.total),
        last=context.money.markdown(everything.turns[-1].cost),
    )
    window = everything.model.context_window
    if window is None:
        fits = _("Its context window is not known, so nobody can say when it is full.")
    elif overflow is None:
        fits = _("All turns fit the window of {window} tokens.").format(window=f"{window:,}")
    else:
        fits = _(
            "**From turn {turn} on, requests are refused**: they are longer than the model takes, "
            "of input and answer together {window} tokens, of input alone {most}. The turns before "
            "cost {before}; the other amounts are those of a window that is large enough."
        ).format(
            turn=f"{overflow:,}",
            window=f"{window:,}",
            most=f"{everything.model.max_input or window:,}",
            before=context.money.markdown(everything.total_that_fits),
        )
    return f"{said}\n\n{fits}"


def _metrics(context: PricingContext, remembered: turns.Remembered, keep: int) -> None:
    one, two, three = st.columns(3)
    total = remembered["all"].total
    one.metric(_("Everything is sent"), context.money.text(total))
    _refused(one, remembered["all"])
    for place, label, saved, simulation in (
        (
            two,
            _("The last {turns} turns").format(turns=f"{keep:,}"),
            total - remembered["last turns"].total,
            remembered["last turns"],
        ),
        (three, _("A running summary"), total - remembered["summary"].total, remembered["summary"]),
    ):
        said = _("Saves {money}.") if saved >= 0 else _("Costs {money} more.")
        place.metric(
            label,
            context.money.text(total - saved),
            f"{100 * -saved / total if total else Decimal(0):+.0f}%",
            delta_color="inverse",
            help=said.format(money=context.money.markdown(abs(saved))),
        )
        _refused(place, simulation)


def _refused(place: Any, simulation: Simulation) -> None:
    if simulation.overflow_turn is not None:
        place.caption(
            _("Refused from turn {turn} on.").format(turn=f"{simulation.overflow_turn:,}")
        )


def _notes(context: PricingContext, model: Model, found: turns.Remembered) -> list[layout.Note]:
    notes = (*found["all"].notes, *layout.model_notes(context, model))
    return [(model, note) for note in notes]


def _frame_notes(context: PricingContext, model: Model, *, messages_sent: int) -> list[str]:
    frame, tokens = pricing.frame_of(model), pricing.frame_tokens(model, messages_sent)
    if frame is None:
        return layout.note_lines(context, [(model, pricing.Sentence(messages.CHAT_UNKNOWN))])
    added = _("The last request here has {messages} messages: {tokens} tokens more than counted.")
    return [
        *layout.note_lines(context, [(model, frame.rule)]),
        added.format(messages=f"{messages_sent:,}", tokens=f"{tokens:,}")
        + f" [{_('The rule at its source')}]({frame.source})",
    ]


def _others(context: PricingContext, inputs: Inputs) -> list[tuple[Model, turns.Remembered]]:
    st.header(_("The same conversation on other models"))
    remembered = [(model, inputs.on(context, model)) for model in inputs.others]
    model = itemgetter(0)
    layout.show_rows(
        context,
        sorted(remembered, key=lambda row: row[1]["all"].total),
        {
            **layout.model_column(context, model),
            "total": (_("Everything is sent"), lambda row: row[1]["all"].total),
            "last": (_("The last turns only"), lambda row: row[1]["last turns"].total),
            "summary": (_("A running summary"), lambda row: row[1]["summary"].total),
            "overflow": (
                tables.text(_("Refused from turn")),
                lambda row: _overflow(row[1]["all"]),
            ),
            "window": (tables.number(_("Context window")), lambda row: row[0].context_window),
            **layout.price_columns(context, model),
        },
        alt_text=_("The conversation's cost and overflow on each model"),
    )
    return remembered


def _overflow(everything: Simulation) -> str:
    if everything.model.context_window is None:
        return _("unknown")
    turn = everything.overflow_turn
    return _("never") if turn is None else f"{turn:,}"

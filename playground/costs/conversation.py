"""A conversation turn by turn: what it costs, when it overflows, what forgetting would save."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import Conversation, Model, Savings, Simulation, words
from playground import charts, settings
from playground.costs import drawing, fields, models, notes
from playground.costs.desk import Desk
from playground.texts import _, error_text, plain


def section(desk: Desk) -> None:
    """Draw the plan on the left and its turns on the right."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        model = models.choose_one(desk)
        try:
            plan, keep, summary = _plan()
        except BPEError as error:
            st.error(error_text(error))
            return
        others = models.choose(desk, label=_("Hold these models against it"))
    with right:
        names = models.names(desk.table.all_models)
        try:
            remembered = _savings(desk, model, plan, keep, summary)
        except BPEError as error:
            st.error(error_text(error))
            return
        _headline(desk, remembered, names[model.id], keep)
        _charts(desk, remembered)
        _turns_table(desk, remembered)
        notes.below(
            (names[model.id], note)
            for note in (
                *remembered.everything.notes,
                *desk.bill(model, pricing.Usage(1)).notes,
                *model.notes,
            )
        )
        _frame_note(model, plan, names[model.id])
        _others(desk, others, plan, keep, summary, names)
        notes.stale(desk, [model, *others], names)


def _plan() -> tuple[Conversation, int, int]:
    """Draw the fields; return the plan, the turns to keep, and the length of a summary."""
    one, two = st.columns(2)
    with one:
        system = fields.whole(_("System prompt, tokens"), "system", 1000)
        user = fields.whole(_("User's message, tokens"), "user", 200)
        output = fields.whole(_("Answer, tokens"), "reply", 500)
        keep = fields.whole(
            _("Turns to remember"),
            "keep",
            6,
            least=1,
            most=pricing.conversation.MOST_TURNS,
            step=1,
            hint=_("For the two ways of forgetting: the last turns only, or a running summary."),
        )
    with two:
        tools = fields.whole(_("Tools, tokens"), "tools", 500)
        growth = fields.whole(
            _("Growth per turn, tokens"), "growth", 0, least=-fields.MOST_TOKENS, step=10
        )
        turns = fields.whole(
            _("Turns"), "turns", 30, least=1, most=pricing.conversation.MOST_TURNS, step=1
        )
        summary = fields.whole(_("Summary, tokens"), "summary", 400)
    caching = settings.segments(
        _("Prompt caching"), {"on": _("on"), "off": _("off")}, key="caching"
    )
    plan = Conversation(
        turns,
        system_tokens=system,
        tools_tokens=tools,
        user_tokens=user,
        growth=growth,
        output_tokens=output,
        caching=caching == "on",
    )
    return plan, keep, summary


def _savings(desk: Desk, model: Model, plan: Conversation, keep: int, summary: int) -> Savings:
    return pricing.savings(
        model,
        plan,
        keep_turns=keep,
        summary_tokens=summary,
        when=desk.when,
        overrides=desk.overrides.get(model.id),
        free_weekends=desk.free_weekends,
    )


def _headline(desk: Desk, remembered: Savings, name: str, keep: int) -> None:
    everything = remembered.everything
    overflow = everything.overflow_turn
    turns = everything.plan.turns
    said = _("**{model}**: {turns} turns cost {total}, the last of them {last}.").format(
        model=plain(name),
        turns=f"{turns:,}",
        total=desk.money.words(everything.total),
        last=desk.money.words(everything.turns[-1].cost),
    )
    window = everything.model.context_window
    if window is None:
        said += "\n\n" + _("Its context window is not known, so nobody can say when it is full.")
    elif overflow is None:
        said += "\n\n" + _("All turns fit the window of {window} tokens.").format(
            window=f"{window:,}"
        )
    else:
        said += "\n\n" + _(
            "**Turn {turn} overflows** the window of {window} tokens; the turns before it cost "
            "{before}."
        ).format(
            turn=f"{overflow:,}",
            window=f"{window:,}",
            before=desk.money.words(everything.total_that_fits),
        )
    st.markdown(said)
    one, two, three = st.columns(3)
    one.metric(_("Everything is sent"), desk.money.text(everything.total))
    _saving(
        desk,
        two,
        _("The last {turns} turns").format(turns=f"{keep:,}"),
        remembered.last_turns,
        everything,
    )
    _saving(desk, three, _("A running summary"), remembered.summary, everything)


def _saving(
    desk: Desk,
    place: st.delta_generator.DeltaGenerator,
    label: str,
    other: Simulation,
    whole: Simulation,
) -> None:
    saved = whole.total - other.total
    change = 100 * -saved / whole.total if whole.total else 0
    place.metric(
        label,
        desk.money.text(other.total),
        f"{change:+.0f}%",
        delta_color="inverse",
        help=_("Saves {money}.").format(money=desk.money.words(saved))
        if saved >= 0
        else _("Costs {money} more.").format(money=desk.money.words(-saved)),
    )


def _ways(remembered: Savings) -> Mapping[str, Simulation]:
    return {
        _("everything"): remembered.everything,
        _("the last turns"): remembered.last_turns,
        _("a summary"): remembered.summary,
    }


def _charts(desk: Desk, remembered: Savings) -> None:
    view = settings.segments(
        _("Chart"),
        {"cost": _("Cost of each turn"), "sum": _("Cost so far"), "tokens": _("Tokens sent")},
        key="turn_chart",
        label_visibility="collapsed",
    )
    rows = []
    for way, simulation in _ways(remembered).items():
        so_far = 0.0
        for turn in simulation.turns:
            cost = desk.money.number(turn.cost)
            so_far += cost
            value = {"cost": cost, "sum": so_far, "tokens": turn.input_tokens}[view]
            rows.append((turn.number, way, value))
    frame = pd.DataFrame(rows, columns=["turn", "way", "value"])
    if len(frame) > 1500:  # a line has no more points than pixels
        frame = frame[frame["turn"] % (len(frame) // 1500 + 1) == 1]
    money = view != "tokens"
    frame["shown"] = [
        desk.money.text(desk.money.dollars(pricing.as_decimal(value))) if money else f"{value:,}"
        for value in frame["value"]
    ]
    charts.show(
        drawing.turns(
            frame,
            value="value",
            title=desk.money.name if money else _("Tokens"),
            window=None if money else remembered.everything.model.context_window,
        ),
        alt_text=_("Cost or length of each turn, for three ways to remember a conversation"),
    )


def _turns_table(desk: Desk, remembered: Savings) -> None:
    fits = {True: _("yes"), False: _("no"), None: _("unknown")}
    other = {turn.number: turn for turn in remembered.last_turns.turns}
    short = {turn.number: turn for turn in remembered.summary.turns}
    frame = pd.DataFrame(
        [
            {
                "turn": turn.number,
                "cost": desk.money.number(turn.cost),
                "last": desk.money.number(other[turn.number].cost),
                "summary": desk.money.number(short[turn.number].cost),
                "input": turn.input_tokens,
                "cached": turn.cached_tokens,
                "written": turn.cache_write_tokens,
                "output": turn.output_tokens,
                "fits": fits[turn.fits],
            }
            for turn in remembered.everything.turns
        ]
    )
    number = st.column_config.NumberColumn
    st.dataframe(
        frame,
        hide_index=True,
        lazy=False,
        placeholder="–",
        height=min(320, 38 + 35 * len(frame)),
        column_config={
            "turn": number(_("Turn"), format="localized", pinned=True),
            "input": number(_("Input tokens"), format="localized"),
            "cached": number(_("of these cached"), format="localized"),
            "written": number(_("of these written to the cache"), format="localized"),
            "output": number(_("Output tokens"), format="localized"),
            "fits": st.column_config.TextColumn(_("Fits the window")),
            "cost": desk.money.column(_("Everything is sent"), frame["cost"]),
            "last": desk.money.column(_("The last turns only"), frame["last"]),
            "summary": desk.money.column(_("A running summary"), frame["summary"]),
        },
        alt=_("Tokens and cost of each turn"),
    )


def _frame_note(model: Model, plan: Conversation, name: str) -> None:
    """Say what roles and messages would add, by the vendor's rule, or that no rule is known."""
    messages = 2 * plan.turns
    overhead = pricing.chat_overhead(model, messages)
    if overhead is None:
        notes.below([(name, pricing.Sentence(words.CHAT_UNKNOWN))])
        return
    notes.below([(name, overhead.rule)])
    st.caption(
        _(
            "The last request here has {messages} messages: {tokens} tokens more than counted."
        ).format(messages=f"{messages:,}", tokens=f"{overhead.tokens:,}")
        + f" [{_('The rule at its source')}]({overhead.source})"
    )


def _others(
    desk: Desk,
    chosen: Sequence[Model],
    plan: Conversation,
    keep: int,
    summary: int,
    names: Mapping[str, str],
) -> None:
    """Draw the same conversation on the other models."""
    if not chosen:
        return
    st.subheader(_("The same conversation on other models"))
    rows = []
    for model in chosen:
        remembered = _savings(desk, model, plan, keep, summary)
        everything = remembered.everything
        unknown = model.context_window is None
        rows.append(
            {
                "model": names[model.id],
                "total": desk.money.number(everything.total),
                "last": desk.money.number(remembered.last_turns.total),
                "summary": desk.money.number(remembered.summary.total),
                "overflow": _("unknown")
                if unknown
                else _("never")
                if everything.overflow_turn is None
                else f"{everything.overflow_turn:,}",
                "window": model.context_window,
                "date": models.price_day(model),
                "source": model.sources[0] if model.sources else None,
            }
        )
    frame = pd.DataFrame(rows).sort_values("total", ignore_index=True)
    text = st.column_config.TextColumn
    st.dataframe(
        frame,
        hide_index=True,
        lazy=False,
        placeholder="–",
        column_config={
            "model": text(_("Model"), pinned=True),
            "total": desk.money.column(_("Everything is sent"), frame["total"]),
            "last": desk.money.column(_("The last turns only"), frame["last"]),
            "summary": desk.money.column(_("A running summary"), frame["summary"]),
            "overflow": text(_("Overflows in turn")),
            "window": st.column_config.NumberColumn(_("Context window"), format="localized"),
            "date": text(_("Price date")),
            "source": st.column_config.LinkColumn(_("Price source"), display_text=_("source")),
        },
        alt=_("The conversation's cost and overflow on each model"),
    )

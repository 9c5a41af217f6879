"""A month of steady traffic: what it costs on each model, one plan against another, and the clock
by which DeepSeek bills."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from decimal import Decimal
from typing import Any

import pandas as pd
import streamlit as st

from bpe import pricing, samples
from bpe.errors import BPEError
from bpe.pricing import BEIJING, LABELS, PARTS, Comparison, Model, Month, Scenario, words
from playground import charts, pairs, settings
from playground.costs import counting, drawing, fields, models, notes
from playground.costs.desk import Desk
from playground.texts import _, error_text, plain

WORKDAYS = Decimal(5) / 7
Hours = tuple[int, int]


@dataclass(frozen=True)
class Plan:
    """What the reader has entered for one plan. A text, where given, is counted per model."""

    name: str
    requests: int
    tokens: tuple[int, int]
    texts: tuple[str, str] | None
    cached: Decimal
    written: Decimal
    batch: Decimal
    days: int

    def lengths(self, chosen: Sequence[Model]) -> dict[str, tuple[int, int, str]]:
        """Return the tokens of prompt and answer for each model by id, and how sure they are."""
        if self.texts is None:
            return {model.id: (*self.tokens, _("as entered")) for model in chosen}
        prompts, replies = (counting.count(chosen, text) for text in self.texts)
        return {
            name: (
                prompts[name].tokens,
                replies[name].tokens,
                counting.badge(max(prompts[name], replies[name], key=_uncertainty)),
            )
            for name in prompts
        }

    def scenario(self, input_tokens: int, output_tokens: int, peak: Decimal) -> Scenario:
        """Return the scenario for a model with these lengths and this share in dear hours."""
        return Scenario(
            Decimal(self.requests),
            input_tokens,
            output_tokens,
            cached_share=self.cached,
            batch_share=self.batch,
            peak_share=peak,
            days=self.days,
            written_share=self.written,
        )


def section(desk: Desk) -> None:
    """Draw the plans on the left and their costs on the right."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        chosen = models.choose(desk)
        plans = [_plan("a")]
        if st.toggle(_("Hold another plan against it"), key="against", bind="query-params"):
            plans.append(_plan("b", cached=50))
        busy = _busy_hours(chosen)
        budget = st.number_input(
            _("Budget for the month, {currency}").format(currency=desk.money.name),
            min_value=0.0,
            max_value=1e12,
            value=None,
            step=100.0,
            key="budget",
            bind="query-params",
            placeholder=_("none"),
        )
    with right:
        if not chosen:
            st.info(_("Choose at least one model on the left."), icon=":material/checklist:")
            return
        try:
            rows = [_row(desk, plan, chosen, busy) for plan in plans]
        except BPEError as error:
            st.error(error_text(error))
            return
        _result(desk, chosen, plans, rows, busy, budget)


@dataclass(frozen=True)
class Costs:
    """A plan's month on each model by id, and how sure its counts are."""

    months: dict[str, Month]
    badges: dict[str, str]


def _row(desk: Desk, plan: Plan, chosen: Sequence[Model], busy: Hours) -> Costs:
    months: dict[str, Month] = {}
    badges: dict[str, str] = {}
    lengths = plan.lengths(chosen)
    for model in chosen:
        asked, answered, badges[model.id] = lengths[model.id]
        months[model.id] = pricing.month(
            model,
            plan.scenario(asked, answered, peak_share(model, busy, desk.free_weekends)),
            on=desk.when.astimezone(BEIJING).date(),
            overrides=desk.overrides.get(model.id),
        )
    return Costs(months, badges)


def peak_share(model: Model, busy: Hours, free_weekends: bool) -> Decimal:
    """Return the share of requests in dear hours, if they come evenly between two hours.

    With free weekends, two days of seven have no dear hours.
    """
    start, end = busy
    if end <= start:
        return Decimal(0)
    dear = Decimal(0)
    for since, until in pricing.peak_hours(model):
        overlap = min(_hour(until) or Decimal(24), Decimal(end)) - max(_hour(since), Decimal(start))
        dear += max(Decimal(0), overlap)
    share = dear / (end - start)
    weekly = free_weekends and model.weekends_off_peak_from is not None
    return share * WORKDAYS if weekly else share


def _plan(code: str, *, cached: int = 0) -> Plan:
    """Draw the fields of one plan; ``code`` stands before the name of each in the URL."""
    name = code.upper()
    with st.container(border=True):
        st.markdown(f"**{_('Plan {name}').format(name=name)}**")
        source = settings.segments(
            _("Length of a request"),
            {"typed": _("in tokens"), "text": _("from a text")},
            key=f"{code}_source",
        )
        one, two = st.columns(2)
        texts = None
        tokens = (0, 0)
        if source == "text":
            language = "zh" if code == "a" else "en"
            texts = (
                _text(one, _("Prompt"), f"{code}_prompt", language, 0),
                _text(two, _("Answer"), f"{code}_answer", language, 1),
            )
        else:
            with one:
                asked = fields.whole(_("Input tokens"), f"{code}_input", 2000)
            with two:
                tokens = (asked, fields.whole(_("Output tokens"), f"{code}_output", 300))
        requests = fields.whole(
            _("Requests a day"), f"{code}_requests", 1000, most=1_000_000_000, step=100
        )
        cached_share = fields.share(
            _("Share of input read from the cache"),
            f"{code}_cached",
            cached,
            hint=_("Cached tokens are part of the input, not added to it."),
        )
        batch = fields.share(_("Share of requests sent as batch jobs"), f"{code}_batch")
        with st.expander(_("Cache writes and days")):
            written = fields.share(
                _("Share of input written to the cache"),
                f"{code}_written",
                hint=_("Only some vendors charge more for it; for others it is input."),
            )
            days = fields.whole(
                _("Days in the month"), f"{code}_days", 30, least=1, most=366, step=1
            )
    return Plan(name, requests, tokens, texts, cached_share, written, batch, days)


def _text(place: Any, label: str, key: str, language: str, part: int) -> str:
    """Draw a text, at first one of our samples."""
    if key not in st.session_state:
        chosen = samples.pairs("documentation")[part * pairs.SENTENCES :][: pairs.SENTENCES]
        st.session_state[key] = "\n".join(getattr(pair, language) for pair in chosen)
    typed = place.text_area(label, key=key, height=140, persist_state="session")
    return typed or ""


def _busy_hours(chosen: Sequence[Model]) -> Hours:
    """Draw the hours of the requests, where they matter to one of the models."""
    if not any(map(pricing.has_hours, chosen)):
        return (9, 18)
    start, end = st.slider(
        _("Hours in which requests come, in Beijing"),
        0,
        24,
        (9, 18),
        format="%d:00",
        key="hours",
        bind="query-params",
        help=_("They matter to DeepSeek only, which charges more in the busy hours of Beijing."),
    )
    return int(start), int(end)


def _result(
    desk: Desk,
    chosen: Sequence[Model],
    plans: Sequence[Plan],
    rows: Sequence[Costs],
    busy: Hours,
    budget: float | None,
) -> None:
    names = models.names(desk.table.all_models)
    st.markdown(_reading(desk, plans, rows, names, budget))
    title = _("{currency} a month").format(currency=desk.money.name)
    parts = {
        "input": _("Input"),
        "cached_input": _("Cached input"),
        "cache_write": _("Cache write"),
        "output": _("Output"),
    }
    charts.show(
        drawing.bills(
            _bills(desk, plans, rows, names), title=title, parts=parts, budget=budget or None
        ),
        alt_text=_("Cost of the month on each model, by parts of the bill"),
    )
    _clock(desk, chosen, rows[0], names, busy)
    if len(rows) == 2:
        _comparison(desk, rows, names)
    _table(desk, plans, rows, names)
    notes.below(
        (names[name], note)
        for costs in rows
        for name, month in costs.months.items()
        for note in (*month.notes, *month.model.notes)
        if note.template != words.WEEKEND
    )
    notes.stale(desk, chosen, names)
    bound = [
        model
        for model in chosen
        if model.weekends_off_peak_from
        and not desk.free_weekends
        and peak_share(model, busy, free_weekends=False)
    ]
    notes.below((names[model.id], pricing.Sentence(words.WEEKEND)) for model in bound)


def _reading(
    desk: Desk,
    plans: Sequence[Plan],
    rows: Sequence[Costs],
    names: Mapping[str, str],
    budget: float | None,
) -> str:
    first = sorted(rows[0].months.values(), key=lambda month: month.per_month.total)
    least, most = first[0], first[-1]
    said = _("Plan {plan}: {requests} requests a month cost {least} on **{cheapest}**").format(
        plan=plans[0].name,
        requests=f"{plans[0].requests * plans[0].days:,}",
        least=desk.money.words(least.per_month.total),
        cheapest=plain(names[least.model.id]),
    )
    if len(first) > 1:
        said += _(" and {most} on **{dearest}**").format(
            most=desk.money.words(most.per_month.total), dearest=plain(names[most.model.id])
        )
    said += _(".")
    if budget:
        within = [m for m in first if float(desk.money.amount(m.per_month.total)) <= budget]
        said += "\n\n" + _("{within} of {all} models stay within the budget.").format(
            within=len(within), all=len(first)
        )
    return said


def _bills(
    desk: Desk, plans: Sequence[Plan], rows: Sequence[Costs], names: Mapping[str, str]
) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "model": names[name],
                "scenario": plan.name,
                "part": part,
                "cost": desk.money.number(month.per_month.part(part)),
                "money": desk.money.text(month.per_month.part(part)),
                "total": desk.money.number(month.per_month.total),
                "total_money": desk.money.text(month.per_month.total),
            }
            for plan, costs in zip(plans, rows, strict=True)
            for name, month in costs.months.items()
            for part in PARTS
        ]
    )


def _clock(
    desk: Desk, chosen: Sequence[Model], costs: Costs, names: Mapping[str, str], busy: Hours
) -> None:
    """Draw the dear hours, and say what the cheap ones would save."""
    clocked = [model for model in chosen if pricing.has_hours(model)]
    if not clocked:
        return
    st.subheader(_("DeepSeek's clock"))
    here = desk.when.astimezone(BEIJING)
    charts.show(
        drawing.clock(
            pricing.peak_hours(clocked[0]),
            (float(busy[0]), float(busy[1])),
            here.hour + here.minute / 60,
        ),
        alt_text=_("Dear and cheap hours of a day in Beijing, and the hours of your requests"),
    )
    for model in clocked:
        share = peak_share(model, busy, desk.free_weekends)
        saving = costs.months[model.id].off_peak_saving or Decimal(0)
        band = pricing.band_at(model, desk.when)
        if desk.free_weekends and pricing.is_free_weekend(model, desk.when):
            band = "off-peak"
        said = _(
            "**{model}**: {percent} % of these requests come in dear hours. All in cheap hours "
            "would save {money} a month."
        ).format(
            model=plain(names[model.id]),
            percent=f"{100 * share:.0f}",
            money=desk.money.words(saving),
        )
        now = _("At {time} in Beijing the price is that of dear hours.")
        if band == "off-peak":
            now = _("At {time} in Beijing the price is that of cheap hours.")
        st.markdown(said + "  \n" + now.format(time=f"{here:%H:%M}"))


def _comparison(desk: Desk, rows: Sequence[Costs], names: Mapping[str, str]) -> None:
    """Say on which model the second plan changes most."""
    compared = [Comparison(rows[0].months[name], rows[1].months[name]) for name in rows[0].months]
    most = max(compared, key=lambda pair: abs(pair.saving))
    said = _("Plan B saves most on **{model}**: {money} a month ({percent} %).")
    if most.saving < 0:
        said = _("Plan B costs more, most on **{model}**: {money} a month ({percent} %).")
    st.markdown(
        said.format(
            model=plain(names[most.a.model.id]),
            money=desk.money.words(abs(most.saving)),
            percent=f"{100 * abs(most.saving_share or Decimal(0)):.0f}",
        )
    )


def _table(
    desk: Desk, plans: Sequence[Plan], rows: Sequence[Costs], names: Mapping[str, str]
) -> None:
    money = desk.money
    frame = pd.DataFrame(
        [
            {
                "model": names[name],
                "plan": plan.name,
                "request": money.number(month.per_request.total),
                "day": money.number(month.per_day.total),
                "month": money.number(month.per_month.total),
                **{part: money.number(month.per_month.part(part)) for part in PARTS},
                "off_peak": None
                if month.off_peak_saving is None
                else money.number(month.off_peak_saving),
                "saving": money.number(Comparison(rows[0].months[name], month).saving),
                "asked": month.scenario.input_tokens,
                "answered": month.scenario.output_tokens,
                "count": costs.badges[name],
                "changed": bool(desk.overrides.get(name)),
                "date": models.price_day(month.model),
                "source": month.model.sources[0] if month.model.sources else None,
            }
            for plan, costs in zip(plans, rows, strict=True)
            for name, month in costs.months.items()
        ]
    ).sort_values(["plan", "month"], ignore_index=True)
    if len(rows) == 1:
        frame = frame.drop(columns=["plan", "saving"])
    if frame["off_peak"].isna().all():
        frame = frame.drop(columns="off_peak")
    if not frame["changed"].any():
        frame = frame.drop(columns="changed")
    labels: dict[str, str] = {
        "request": _("A request"),
        "day": _("A day"),
        "month": _("A month"),
        **{part: _("Month: {part}").format(part=_(LABELS[part])) for part in PARTS},
        "off_peak": _("Saving, all in cheap hours"),
        "saving": _("Saving against plan A"),
    }
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    st.dataframe(
        frame,
        hide_index=True,
        lazy=False,
        placeholder="–",
        column_config={
            "model": text(_("Model"), pinned=True),
            "plan": text(_("Plan")),
            **{
                name: money.column(label, frame[name])
                for name, label in labels.items()
                if name in frame
            },
            "asked": number(_("Input tokens"), format="localized"),
            "answered": number(_("Output tokens"), format="localized"),
            "count": text(_("Count")),
            "changed": st.column_config.CheckboxColumn(_("Price changed by hand")),
            "date": text(_("Price date")),
            "source": st.column_config.LinkColumn(_("Price source"), display_text=_("source")),
        },
        alt=_("Cost of a request, a day and a month on each model, by parts of the bill"),
    )


def _uncertainty(counted: pricing.TokenCount) -> float:
    return (counted.high - counted.low) / (counted.tokens or 1)


def _hour(moment: time) -> Decimal:
    return Decimal(moment.hour) + Decimal(moment.minute) / 60

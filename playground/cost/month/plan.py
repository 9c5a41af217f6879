"""A plan of a month's traffic: its fields, the lengths of its requests, and what they cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

import streamlit as st

from bpe import pricing
from bpe.pricing import BEIJING, Language, Model, Month, Scenario
from playground import text_pair
from playground.cost import layout
from playground.cost.context import PricingContext
from playground.cost.languages import comparing, results
from playground.cost.languages.inputs import TextOrLength
from playground.cost.month.hours import BusyHours, peak_share
from playground.editor import plain_text
from playground.ui import fields, settings
from playground.ui.i18n import _


@dataclass(frozen=True)
class Traffic:
    """Requests a day and the days, and what share of them is billed otherwise."""

    requests: int
    cached: Decimal
    written: Decimal
    batch: Decimal
    days: int

    def scenario(self, tokens: tuple[int, int], reasoning: int, peak_share: Decimal) -> Scenario:
        return Scenario(
            Decimal(self.requests),
            *tokens,
            cached_share=self.cached,
            batch_share=self.batch,
            peak_share=peak_share,
            days=self.days,
            written_share=self.written,
            reasoning_tokens=reasoning,
        )


@dataclass(frozen=True)
class TrafficPlan:
    """What the reader has entered for one plan. A text, where given, is counted per model."""

    name: str
    traffic: Traffic
    parts: tuple[TextOrLength, TextOrLength]
    """Prompt and answer."""
    reasoning: int


@dataclass(frozen=True)
class PlanCosts:
    """A plan's month on each model by id, and how sure its counts are."""

    plan: TrafficPlan
    months: dict[str, Month]
    badges: dict[str, str]
    ranges: dict[str, tuple[Decimal, Decimal, Decimal]]
    """What the month costs at the low end of the counts, at the counts, and at the high end."""

    @property
    def accepted(self) -> list[Month]:
        """The months of models whose window, if known, holds a request; the cheapest first."""
        fitting = (month for month in self.months.values() if month.fits is not False)
        return sorted(fitting, key=lambda month: month.per_month.total)

    @property
    def refused(self) -> list[Model]:
        return [month.model for month in self.months.values() if month.fits is False]


def price(
    context: PricingContext, plan: TrafficPlan, chosen: Sequence[Model], busy: BusyHours
) -> PlanCosts:
    parts = [comparing.length(chosen, part) for part in plan.parts]
    lengths = {model.id: [part[model.id] for part in parts] for model in chosen}

    def month(model: Model, end: Literal["tokens", "low", "high"]) -> Month:
        prompt, answer = (getattr(length, end) for length in lengths[model.id])
        return pricing.month(
            model,
            plan.traffic.scenario(
                (prompt, answer), plan.reasoning, peak_share(model, busy, context.free_weekends)
            ),
            on=context.when.astimezone(BEIJING).date(),
            overrides=context.overrides.get(model.id),
        )

    months = {model.id: month(model, "tokens") for model in chosen}
    ranges = {
        model.id: (
            month(model, "low").per_month.total,
            months[model.id].per_month.total,
            month(model, "high").per_month.total,
        )
        for model in chosen
    }
    badges = {
        name: results.badge(max(both, key=lambda length: length.uncertainty)) or _("as entered")
        for name, both in lengths.items()
    }
    return PlanCosts(plan, months, badges, ranges)


def choose(code: str, *, language: Language, cached: int = 0) -> TrafficPlan:
    """Draw the fields of one plan; ``code`` stands before the name of each in the URL.

    ``language`` is that of the texts it begins with, ``cached`` its share in percent.
    """
    name = code.upper()
    with st.container(border=True):
        st.markdown(f"**{_('Plan {name}').format(name=name)}**")
        parts = _parts(code, language)
        reasoning = layout.reasoning_tokens(f"{code}_reasoning")
        return TrafficPlan(name, choose_traffic(code, cached=cached), parts, reasoning)


def choose_traffic(code: str, *, cached: int = 0) -> Traffic:
    """Draw the fields of the traffic; ``code`` stands before the name of each in the URL."""
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
        days = fields.whole(_("Days in the month"), f"{code}_days", 30, least=1, most=366, step=1)
    return Traffic(requests, cached_share, written, batch, days)


def _parts(code: str, language: Language) -> tuple[TextOrLength, TextOrLength]:
    """Draw how long a request is; return its tokens, or else the texts to count."""
    source = settings.segments(
        _("Length of a request"),
        {"typed": _("In tokens"), "text": _("From a text")},
        key=f"{code}_source",
    )
    one, two = st.columns(2)
    if source == "text":
        prompt = _text(one, _("Prompt"), f"{code}_prompt", language, 0)
        answer = _text(two, _("Answer"), f"{code}_answer", language, 1)
        if prompt != _sample(language, 0) and answer == _sample(language, 1):
            st.info(
                _("The answer is still the sample's: change it as well."),
                icon=":material/edit:",
            )
        return prompt, answer
    asked = fields.whole(_("Input tokens"), f"{code}_input", 2000, place=one)
    answered = fields.whole(_("Output tokens"), f"{code}_output", 300, place=two)
    return asked, answered


def _text(place: Any, label: str, key: str, language: Language, part: int) -> str:
    with place:
        return plain_text(label, key=key, default=_sample(language, part), rows=5)


def _sample(language: Language, part: int) -> str:
    return text_pair.sample_texts("documentation", answers=part == 1)[language]

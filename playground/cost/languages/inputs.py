"""The fields: prompts and answers, in one language or two, models, and how often."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from decimal import Decimal
from functools import partial

import streamlit as st

from bpe.encoders import catalog
from bpe.pricing import BEIJING, Model, Terms, Traffic
from playground import session, text_pair
from playground.cost import layout, models
from playground.cost.price_settings import PricingContext
from playground.editor import plain_text
from playground.text_pair import Language
from playground.ui import fields, state, unseen
from playground.ui.i18n import ENGLISH, _, language
from playground.ui.state import Field

Content = str | int | tuple[int, str]
"""A text, a number of tokens for all models, or a length in a unit of :func:`units`."""
Contents = Mapping[Language, Content]

_ANSWER = {"hanzi": 150, "words": 120}
"""About as long as the samples."""


BusyHours = tuple[int, int]
"""From one full hour of the day in Beijing to another, of 0 to 24."""
DEFAULT_HOURS: BusyHours = (9, 18)
WORKDAYS = Decimal(5) / 7


@dataclass(frozen=True)
class Inputs:
    """The values of the fields.

    ``traffic`` gives the month of a model, if the requests are those of one.
    """

    prompts: Contents
    answers: Contents
    models: list[Model]
    requests: int
    reasoning: int = 0
    traffic: Callable[[Model], Traffic] | None = None
    busy: BusyHours = DEFAULT_HOURS

    @property
    def volume(self) -> str:
        template = _("for {requests} requests")
        if self.traffic:
            template = _("for a month of {requests} requests")
        return template.format(requests=f"{self.requests:,}")


def units() -> dict[str, str]:
    return {"hanzi": _("Chinese characters"), "words": _("English words")}


def choose(context: PricingContext) -> Inputs:
    source = fields.segments(
        _("Prompts"), {"texts": _("A sample or my own"), "length": _("By length")}, key="prompts"
    )
    prompts: Contents
    if source == "length":
        prompts = dict.fromkeys(
            text_pair.sample_sides(), length_field("prompt", hanzi=400, words=340)
        )
    else:
        prompts = _texts()
    answers = dict.fromkeys(prompts, answer_field("answer", "answer_tokens"))
    chosen = models.choose(context)
    every = fields.segments(
        _("How often"), {"once": _("Once"), "month": _("Every day for a month")}, key="every"
    )
    if every == "once":
        requests = fields.whole(
            _("Requests"), "requests", 1000, least=1, most=1_000_000_000, step=1000
        )
        return Inputs(prompts, answers, chosen, requests, layout.reasoning_tokens())
    return _month(context, prompts, answers, chosen)


def _month(
    context: PricingContext, prompts: Contents, answers: Contents, chosen: list[Model]
) -> Inputs:
    daily = fields.whole(_("Requests a day"), "both_requests", 1000, most=1_000_000_000, step=100)
    with st.expander(_("More: cache, batch jobs, days, reasoning")):
        cached = fields.share(
            _("Share of input read from the cache"),
            "both_cached",
            hint=_("Cached tokens are part of the input, not added to it."),
        )
        batch = fields.share(_("Share of requests sent as batch jobs"), "both_batch")
        written = fields.share(
            _("Share of input written to the cache"),
            "both_written",
            hint=_("Only some vendors charge more for it; for others it is input."),
        )
        days = fields.whole(_("Days in the month"), "both_days", 30, least=1, most=366, step=1)
        reasoning = layout.reasoning_tokens()
    busy = _choose_hours(chosen)

    def traffic(model: Model) -> Traffic:
        peak = peak_share(model, busy, context.terms)
        return Traffic(daily * days, cached, written, batch, peak)

    return Inputs(prompts, answers, chosen, daily * days, reasoning, traffic, busy)


def _choose_hours(chosen: Sequence[Model]) -> BusyHours:
    if not any(model.prices.has_hours for model in chosen):
        return DEFAULT_HOURS
    start, end = st.slider(
        _("Hours in which requests come, in Beijing"), 0, 24, DEFAULT_HOURS, format="%d:00",
        help=_("They matter to DeepSeek only, which charges more in the busy hours of Beijing."),
        **Field("hours", DEFAULT_HOURS, state.span(0, 24)).bound(),
    )  # fmt: skip
    return int(start), int(end)


def peak_share(model: Model, busy: BusyHours, terms: Terms) -> Decimal:
    """Return the share of requests in peak hours, if they come evenly between two hours.

    With free weekends, two days of seven have no peak hours.
    """
    day = terms.moment.astimezone(BEIJING).date()
    moments = (datetime.combine(day, time(hour), BEIJING) for hour in range(*busy))
    bands = list(map(model.prices.band_at, moments))
    weekly = terms.free_weekends and model.weekends_off_peak_from is not None
    return Decimal(bands.count("peak")) / (len(bands) or 1) * (WORKDAYS if weekly else 1)


def _texts() -> dict[Language, Content]:
    """Draw the sample or the visitor's own text, with its translation where there is one.

    Return the texts by language.
    """
    shown = text_pair.choose(_("Sample texts"))
    for side in shown.sides:
        text = text_of_side(shown, side)
        unseen.notice(text, key=f"cost_{side}", load=partial(catalog.encoding, "o200k_base"))
    text_pair.choose_translation(
        shown, _("With the same text in the other language, both are held against each other.")
    )
    return {code: text for code, text in shown.by_language.items() if text}  # type: ignore[misc]


def text_of_side(shown: text_pair.Texts, side: str) -> str:
    """Draw the editor of a side and return its text; an edit makes it the visitor's own."""

    def edited() -> None:
        text_pair.edited(side)

    return plain_text(
        shown.label(side), key=session.side(side).key, on_edit=edited, restore=shown.own
    )


def answer_field(of: str, tokens: str) -> Content:
    """Draw the length of an answer: the same content on each model, unless tokens are chosen.

    ``of`` and ``tokens`` are the keys of the fields.
    """
    kinds = {"length": _("By length"), "tokens": _("In tokens")}
    if fields.segments(_("Answers"), kinds, key=f"{of}s") == "tokens":
        return fields.whole(_("Answer to each, tokens"), tokens, 300)
    return length_field(of, **_ANSWER)


def length_field(of: str, *, hanzi: int, words: int) -> tuple[int, str]:
    """Draw a length in Chinese characters or English words, which is the same content in both."""
    first = "words" if language() == ENGLISH else "hanzi"
    unit = fields.segments(
        _("Length in"), units(), key=f"{of}_unit", default=first, label_visibility="collapsed"
    )
    number = fields.whole(
        _("Length of the prompt") if of == "prompt" else _("Length of the answer"),
        f"{of}_length_{unit}",
        hanzi if unit == "hanzi" else words,
        step=50,
        hint=_("The same content in each language; tokens as each model counts our samples."),
    )
    return number, unit

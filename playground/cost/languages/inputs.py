"""The fields: prompts and answers, in one language or two, models, and how often."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from decimal import Decimal
from functools import partial
from typing import Any

import streamlit as st

from bpe.documents import samples
from bpe.encoders import catalog
from bpe.pricing import Model, Traffic
from playground import session, text_pair
from playground.cost import layout, models
from playground.cost.price_settings import PricingContext
from playground.editor import plain_text
from playground.text_pair import Language
from playground.ui import charts, fields, state, unseen
from playground.ui.i18n import ENGLISH, _, language
from playground.ui.state import Field

Content = str | int | tuple[int, str]
"""A text, a number of tokens for all models, or a length in a unit of :func:`units`."""
Contents = Mapping[Language, Content]

_ANSWERS_OF = Field("cost_answers_filled_with", "")
_BY_LENGTH = Field("the answers are by length as the prompt is the reader's own", False)
ANSWER = {"hanzi": 150, "words": 120}
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
        _("Prompts"),
        {
            "texts": _("A sample or my own"),
            "length": _("By length"),
        },
        key="prompts",
    )
    prompts: Contents
    domain = session.OWN_TEXT
    if source == "length":
        prompts = dict.fromkeys(
            text_pair.sample_sides(), length_field("prompt", hanzi=400, words=340)
        )
    else:
        prompts, domain = _texts()
    answers = _answers(domain, tuple(prompts))
    chosen = models.choose(context)
    every = fields.segments(
        _("How often"), {"once": _("Once"), "month": _("Every day for a month")}, key="every"
    )
    if every == "once":
        requests = fields.whole(
            _("Requests"), "requests", 1000, least=1, most=1_000_000_000, step=1000
        )
        return Inputs(prompts, answers, chosen, requests, layout.reasoning_tokens("reasoning"))
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
        reasoning = layout.reasoning_tokens("reasoning")
    busy = _choose_hours(chosen)

    def traffic(model: Model) -> Traffic:
        peak = peak_share(model, busy, context.free_weekends)
        return Traffic(Decimal(daily * days), cached, written, batch, peak)

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


def peak_share(model: Model, busy: BusyHours, free_weekends: bool) -> Decimal:
    """Return the share of requests in peak hours, if they come evenly between two hours.

    With free weekends, two days of seven have no peak hours.
    """
    start, end = map(Decimal, busy)
    if end <= start:
        return Decimal(0)
    peaks = [
        (_hour(since), _hour(until) or Decimal(24)) for since, until in model.prices.peak_hours
    ]
    overlap = sum((max(min(until, end) - max(since, start), Decimal(0)) for since, until in peaks),
                  Decimal(0))  # fmt: skip
    weekly = free_weekends and model.weekends_off_peak_from is not None
    return overlap / (end - start) * (WORKDAYS if weekly else 1)


def _hour(moment: time) -> Decimal:
    return Decimal(moment.hour) + Decimal(moment.minute) / 60


def _texts() -> tuple[dict[Language, Content], str]:
    """Draw the sample or the visitor's own text, with its translation where there is one.

    Return the texts by language, and which sample they are.
    """
    shown = text_pair.choose(_("Sample texts"))
    for side in shown.sides:
        text = text_of_side(shown, side)
        unseen.notice(text, key=f"cost_{side}", load=partial(catalog.encoding, "o200k_base"))
    text_pair.choose_translation(
        shown, _("With the same text in the other language, both are held against each other.")
    )
    domain = session.OWN_TEXT if shown.own else session.FILLED_WITH.get()
    return {code: text for code, text in shown.by_language.items() if text}, domain  # type: ignore[misc]


def text_of_side(shown: text_pair.Texts, side: str) -> str:
    """Draw the editor of a side and return its text; an edit makes it the visitor's own."""

    def edited() -> None:
        text_pair.edited(side)

    return plain_text(
        shown.label(side), key=session.side(side).key, on_edit=edited, restore=shown.own
    )


def _answers(domain: str, languages: tuple[Any, ...]) -> dict[Language, Content]:
    """Draw the answers: of a sample its own texts, of others a length, unless the reader types.

    A length is of the same content in each language and for each model; tokens only if asked for.
    """
    is_sample = domain in samples.DOMAINS
    if _ANSWERS_OF.get() != domain:
        texts = text_pair.sample_texts(domain, answers=True) if is_sample else {}
        shown = {code: Field(f"answer_text_{code}", "").get() for code in session.SIDES}
        are_a_samples = any(
            shown == text_pair.sample_texts(each, answers=True) for each in samples.DOMAINS
        )
        if is_sample or are_a_samples:
            for code in session.SIDES:
                Field(f"answer_text_{code}", "").set(texts.get(code, ""))  # type: ignore[call-overload]
            kind: Field[str] = Field("answers", "text")
            if is_sample and _BY_LENGTH.pop():
                kind.set("text")
            elif not is_sample and kind.get() == "text":
                kind.set("length")
                _BY_LENGTH.set(True)
        _ANSWERS_OF.set(domain)
    how = fields.segments(
        _("Answers"),
        {"text": _("As texts"), "length": _("By length"), "tokens": _("In tokens")},
        key="answers",
        default="text" if is_sample else "length",
    )
    if how == "length":
        return dict.fromkeys(languages, length_field("answer", **ANSWER))
    if how == "tokens":
        places = st.columns(max(2, len(languages)))
        names = charts.languages()
        return {
            code: fields.whole(
                _("{language}, tokens").format(language=names[code]), f"answer_{code}", 300,
                place=place,
            )
            for code, place in zip(languages, places, strict=False)
        }  # fmt: skip
    sample = text_pair.sample_texts(domain, answers=True) if is_sample else {}
    with st.expander(_("The answers")):
        labels: dict[Language, str] = {"zh": _("Answer in Chinese"), "en": _("Answer in English")}
        return {
            code: plain_text(
                labels[code], key=f"answer_text_{code}", default=sample.get(code, ""), rows=4
            )
            for code in languages
        }


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

"""What has to be said about a bill: prices that are missing, which hours, and whether it fits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bpe.pricing import messages
from bpe.pricing.messages import Sentence
from bpe.pricing.money import money_text

if TYPE_CHECKING:
    from bpe.pricing.bill import Cost


def notes_on(bill: Cost) -> Iterator[Sentence]:
    """Yield all sentences about a bill; those about every price of its model are not among them."""
    yield from _price_notes(bill)
    yield from _step_notes(bill)
    yield from _thinking_notes(bill)
    yield from _hour_notes(bill)
    yield from _size_notes(bill)


def _price_notes(bill: Cost) -> Iterator[Sentence]:
    """Yield what was missing in the list, or changed by hand."""
    if bill.overridden:
        yield Sentence(messages.OVERRIDDEN)
    if bill.wanted_batch and not bill.batch:
        yield Sentence(messages.NO_BATCH_PRICE)
    cached, written = bill.line("cached_input"), bill.line("cache_write")
    if cached.as_input and cached.tokens:
        yield Sentence(messages.NO_CACHED_PRICE)
    if written.as_input and written.tokens:
        yield Sentence(messages.NO_WRITE_PRICE)


def _step_notes(bill: Cost) -> Iterator[Sentence]:
    """Yield that of a price that rises with a request's length the lowest step alone is known."""
    steps, usage = bill.model.prices.unknown_steps, bill.usage
    if steps is None or (bill.line("input").overridden and bill.line("output").overridden):
        return
    holds = steps.holds(usage.input_tokens, usage.written_tokens)
    if steps.output_edge is None:
        template = messages.LOWEST_STEP if holds else messages.TOO_LOW
        yield Sentence.of(template, input=f"{steps.input_edges[0]:,}")
    else:
        template = messages.LOWEST_STEP_OF_BOTH if holds else messages.TOO_LOW_OF_BOTH
        edges = f"{steps.input_edges[0]:,}", f"{steps.output_edge:,}"
        yield Sentence.of(template, input=edges[0], output=edges[1])


def _thinking_notes(bill: Cost) -> Iterator[Sentence]:
    """Yield the price of output in thinking mode, and whether it was used."""
    if bill.rates.thinking_output:
        thinks = bill.usage.reasoning_tokens > 0
        template = messages.THINKING_PRICED if thinks else messages.THINKING_OUTPUT
        unit, _ = bill.rates.thinking_output.at(bill.usage.input_tokens)
        price = money_text(unit, bill.model.prices.currency)
        yield Sentence.of(template, price=price)


def _hour_notes(bill: Cost) -> Iterator[Sentence]:
    """Yield which hours' price it is, where prices depend on the hour."""
    prices = bill.model.prices
    if bill.band is None or (bill.line("input").overridden and bill.line("output").overridden):
        return
    peak, off_peak = prices.peak_base, prices.at(bill.when, daily=False).base
    if bill.band == "peak":
        percent = round(100 * (peak - off_peak) / peak)
        yield Sentence.of(messages.PEAK, hours=prices.peak_hours_text, percent=percent)
        if bill.model.is_free_weekend(bill.when):
            yield Sentence(messages.WEEKEND)
    else:
        percent = round(100 * (peak - off_peak) / off_peak)
        yield Sentence.of(messages.OFF_PEAK, hours=prices.peak_hours_text, percent=percent)


def _size_notes(bill: Cost) -> Iterator[Sentence]:
    """Yield that a request is longer than the window, or its answer than the model writes."""
    window, most, usage = bill.model.context_window, bill.model.max_output, bill.usage
    if window is not None and usage.input_tokens > window:
        yield Sentence.of(messages.REFUSED, tokens=f"{usage.input_tokens:,}", window=f"{window:,}")
    elif window is not None and not bill.fits:
        tokens = usage.input_tokens + usage.written_tokens
        yield Sentence.of(messages.CUT_OFF, tokens=f"{tokens:,}", window=f"{window:,}")
    if most is not None and usage.written_tokens > most:
        yield Sentence.of(messages.ANSWER_TOO_LONG, most=f"{most:,}")

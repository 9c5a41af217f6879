"""The cost of one request, part by part.

The money is that of ``genai_prices.calc_price`` for the same request (a test compares them over the
whole table); here it also says how it came about. Tiers are a cliff: past the edge **all** tokens
of the request cost the higher price, and only the total input decides.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Literal

from bpe.errors import BPEError, Sentence, whole_number
from bpe.pricing import messages
from bpe.pricing.genai_list import units
from bpe.pricing.model_table import Model
from bpe.pricing.prices import Band, Rate, Rates, base_of, money_text

BillPart = Literal["input", "cached_input", "cache_write", "output"]
PARTS: tuple[BillPart, ...] = ("input", "cached_input", "cache_write", "output")
"""The parts of every bill. Others, such as ``web_searches``, are called as genai-prices does."""
_UNITS = dict(
    zip(PARTS, ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens"),
        strict=True)
)  # fmt: skip
MILLION = 1_000_000
MOST_TOKENS = 10**12
"""A request with more tokens than this is refused as a typing error."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of one request. Cached and cache-written tokens are **part of** the input.

    Reasoning tokens are those that a model writes for itself before it answers; they come on top of
    ``output_tokens``, and are billed as output. ``more`` has what else is billed, by the units of
    genai-prices: ``cache_write_1h_tokens`` and ``input_audio_tokens``, which are part of the tokens
    above, or ``web_searches``. ``tier`` is how the request was processed, such as ``"batch"``.
    Of an object that a vendor's API sent, which is ``reported``, ``unread`` names the fields that
    nothing was taken from.
    """

    input_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    more: Mapping[str, int] = field(default_factory=dict, hash=False)
    tier: str = ""
    unread: tuple[str, ...] = ()
    reported: bool = False

    def __post_init__(self) -> None:
        for part in fields(self)[:5]:
            object.__setattr__(self, part.name, _checked(getattr(self, part.name)))
        object.__setattr__(self, "more", {unit: _checked(n) for unit, n in self.more.items()})
        if self.cached_tokens + self.cache_write_tokens > self.input_tokens:
            raise BPEError(
                "{cached} cached and {written} cache-written tokens are more than the whole input "
                "of {input}. Both are part of the input, not added to it.",
                cached=self.cached_tokens,
                written=self.cache_write_tokens,
                input=self.input_tokens,
            )

    @property
    def input(self) -> int:
        """The whole input, cached tokens included."""
        return self.input_tokens

    @property
    def output(self) -> int:
        """All that the model writes: the answer, and what it thinks before."""
        return self.output_tokens + self.reasoning_tokens

    def split(self, priced: Iterable[str]) -> dict[str, int]:
        """Return how much is billed as each part: itself without what is billed apart.

        ``priced`` are the units of ``more`` that have prices of their own.
        """
        amounts = (self.input_tokens, self.cached_tokens, self.cache_write_tokens, self.output)
        of_unit = {**dict(zip(_UNITS.values(), amounts, strict=True)),
                   **{unit: self.more[unit] for unit in priced}}  # fmt: skip
        if len(of_unit) == len(PARTS):
            plain = self.input_tokens - self.cached_tokens - self.cache_write_tokens
            return dict(zip(PARTS, (plain, *amounts[1:]), strict=True))
        dimensions = {unit: units()[unit]["dimensions"].items() for unit in of_unit}
        apart: dict[str, int] = {}
        for unit in sorted(of_unit, key=lambda unit: -len(dimensions[unit])):
            parts = (apart[each] for each in apart if dimensions[unit] <= dimensions[each])
            apart[unit] = of_unit[unit] - sum(parts)
            if apart[unit] < 0:
                raise BPEError(
                    "The parts of “{unit}” are more than all {amount}.",
                    unit=unit, amount=of_unit[unit],
                )  # fmt: skip
        return {part: apart.pop(unit) for part, unit in _UNITS.items()} | apart


ByHand = Mapping[BillPart, Decimal]
"""Prices entered by hand, per million tokens, in the currency of the model's prices."""


@dataclass(frozen=True, slots=True)
class Terms:
    """When a request is sent, prices entered by hand, and whether weekends count as off-peak.

    ``when`` is by default now; a naive time is taken as UTC. ``overrides`` are prices of a million
    tokens such as ``{"input": Decimal("1.5")}``. ``free_weekends`` applies a vendor's rule that
    weekends are off-peak, which the price list cannot express; without it the result is the list's,
    and a note says that it is too high.
    """

    when: datetime | None = None
    overrides: ByHand = field(default_factory=dict, hash=False)
    free_weekends: bool = False

    def __post_init__(self) -> None:
        if wrong := self.overrides.keys() - set(PARTS):
            raise TypeError(f"No part of a bill: {', '.join(wrong)}.")
        for price in self.overrides.values():
            if not (price.is_finite() and price >= 0):
                raise BPEError("A price must be zero or more, not {price}.", price=price)

    @property
    def moment(self) -> datetime:
        return self.when or datetime.now(UTC)

    def rates(self, model: Model, *, tier: str = "") -> Rates:
        """Return the prices that hold; those by hand have no tiers, and hold for thinking too."""
        daily = not (self.free_weekends and model.is_free_weekend(self.moment))
        rates = model.prices.at(self.moment, tier=tier, daily=daily)
        by_hand: dict[str, Rate] = {part: Rate(price) for part, price in self.overrides.items()}
        if "output" in by_hand:
            rates = {part: rate for part, rate in rates.items() if part != "thinking_output"}
        return {**rates, **by_hand}


@dataclass(frozen=True, slots=True)
class Line:
    """One part of the bill: ``tokens`` × ``unit_price`` per million = ``amount``.

    Of searches and other things that are no tokens, ``tokens`` is their number, and the price that
    of a thousand or as many as genai-prices has it for. ``as_input`` says that this part has no
    price of its own and is billed as other input.
    """

    part: str
    tokens: int
    unit_price: Decimal
    amount: Decimal
    overridden: bool = False
    as_input: bool = False


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one request, in the currency of the model's prices, and why.

    ``rates`` are those that were used, prices by hand among them. ``tier_above`` is the edge of the
    long-input tier that applied, if one did. ``tier`` says how the request is processed and
    ``tier_applies`` whether that has prices of its own, ``band`` which hours' price it is where
    that matters.
    """

    model: Model
    usage: Usage
    rates: Rates
    lines: tuple[Line, ...]
    when: datetime
    tier_above: int | None
    tier: str
    tier_applies: bool
    band: Band | None

    @property
    def notes(self) -> tuple[Sentence, ...]:
        """Sentences about this bill, which do not hold for every price of its model."""
        return tuple(_notes_on(self))

    @property
    def total(self) -> Decimal:
        return sum((line.amount for line in self.lines), Decimal(0))

    @property
    def overridden(self) -> bool:
        return any(line.overridden for line in self.lines)

    @property
    def fits(self) -> bool | None:
        """Whether the request fits the window; a vendor refuses one that does not."""
        return self.model.fits(self.usage.input_tokens, self.usage.output)

    @property
    def batch(self) -> bool:
        """Whether these are the prices of batch jobs."""
        return self.tier == "batch" and self.tier_applies

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Units used that have no price in the list, or no other than that of plain text."""
        return tuple(
            unit for unit, amount in self.usage.more.items()
            if amount and unit not in self.rates and _needs_price(unit)
        )  # fmt: skip

    @property
    def at_least(self) -> bool:
        """Whether something is missing in the total, or in it at too low a price."""
        ended = self.model.price_has_ended(self.when)
        return bool(self.unpriced) or ended or (self.tier in _DEARER and not self.tier_applies)

    def line(self, part: str) -> Line:
        return next(line for line in self.lines if line.part == part)


def at_one_moment(terms: Terms | None) -> Terms:
    """Return the terms with the moment of their first request, if they leave it open."""
    terms = terms or Terms()
    return replace(terms, when=terms.moment)


def cost(model: Model, usage: Usage, terms: Terms | None = None, *, batch: bool = False) -> Cost:
    """Return what a request costs on those terms.

    ``batch`` asks for batch prices; a model without them is billed as usual, with a note.
    """
    terms = at_one_moment(terms)
    moment, by_hand = terms.moment, terms.overrides
    tier = "batch" if batch else usage.tier
    rates = terms.rates(model, tier=tier)
    billed = usage
    if too_short_to_cache(model, usage):
        more = {unit: amount for unit, amount in usage.more.items() if "cache_write" not in unit}
        billed = replace(usage, cache_write_tokens=0, more=more)
    if "requests" in rates:
        billed = replace(billed, more={"requests": 1, **billed.more})
    amounts = billed.split(rates.keys() & billed.more.keys())
    lines = tuple(_line(part, amount, usage, rates, by_hand) for part, amount in amounts.items())
    edges = [_rate_of(part, usage, rates)[0].at(usage.input_tokens)[1] or 0 for part in amounts]
    applies = bool(tier) and bool(model.prices.of_tier(tier, moment))
    free = terms.free_weekends and model.is_free_weekend(moment)
    band = "off-peak" if free else model.prices.band_at(moment)
    return Cost(model, usage, rates, lines, moment, max(edges) or None, tier, applies, band)


def too_short_to_cache(model: Model, usage: Usage) -> bool:
    """Return whether a request is to write to the cache what its vendor does not cache.

    What a vendor reports was written.
    """
    prefix = usage.cached_tokens + usage.cache_write_tokens
    writes = usage.cache_write_tokens > 0 and not usage.reported
    return writes and prefix < (model.least_cached or 0)


def _line(part: str, tokens: int, usage: Usage, rates: Rates, by_hand: ByHand) -> Line:
    rate, as_input = _rate_of(part, usage, rates)
    price, _ = rate.at(usage.input_tokens)
    overridden = ("input" if as_input else part) in by_hand
    per = MILLION if part in PARTS else units()[part]["per"]
    return Line(part, tokens, price, price * tokens / per, overridden, as_input)


def _rate_of(part: str, usage: Usage, rates: Rates) -> tuple[Rate, bool]:
    """Return the rate of a part, and whether it is that of other input for want of its own."""
    if part == "output" and usage.reasoning_tokens and "thinking_output" in rates:
        return rates["thinking_output"], False
    if part in rates:
        return rates[part], False
    if part == "output" or "input" not in rates:
        return Rate(Decimal(0)), False
    return rates["input"], True


def _needs_price(unit: str) -> bool:
    """Return whether a unit is not simply text: an hour in the cache, sound, film, a search."""
    kind = units()[unit]["dimensions"]
    dearer = kind.get("modality") in ("audio", "video") or kind.get("cache_ttl") == "1h"
    return kind["family"] != "tokens" or dearer


_ORDINARY = ("", "standard", "default", "auto", "on_demand")
_DEARER = ("priority", "fast")


def _checked(tokens: object) -> int:
    if (count := whole_number(tokens)) is None:
        raise BPEError("A number of tokens must be a whole number, not {count}.", count=tokens)
    if count < 0:
        raise BPEError("A number of tokens cannot be negative: {count}.", count=count)
    if count > MOST_TOKENS:
        raise BPEError(
            "{count} tokens in one call must be a mistake; at most {most} are counted.",
            count=count, most=MOST_TOKENS,
        )  # fmt: skip
    return count


# What has to be said: prices that are missing or out of date, which hours, and whether it fits.


def _notes_on(bill: Cost) -> Iterator[Sentence]:
    yield from _price_notes(bill)
    if not (bill.line("input").overridden and bill.line("output").overridden):
        yield from _step_notes(bill)
    if thinking := bill.rates.get("thinking_output"):
        thinks = bill.usage.reasoning_tokens > 0
        template = messages.THINKING_PRICED if thinks else messages.THINKING_OUTPUT
        unit, _ = thinking.at(bill.usage.input_tokens)
        yield Sentence.of(template, price=money_text(unit, bill.model.prices.currency))
    yield from _hour_notes(bill)
    yield from _size_notes(bill)


def _price_notes(bill: Cost) -> Iterator[Sentence]:
    input_line, cached, written, output = (bill.line(part) for part in PARTS)
    if bill.model.ended:
        yield Sentence(bill.model.ended)
    until = bill.model.valid_until
    if until is not None and not (input_line.overridden and output.overridden):
        ended = bill.model.price_has_ended(bill.when)
        yield Sentence.of(messages.PRICE_ENDED if ended else messages.PRICE_UNTIL, date=until)
    if too_short_to_cache(bill.model, bill.usage):
        yield least_note(bill.model)
    if bill.overridden:
        yield Sentence(messages.OVERRIDDEN)
    if bill.tier == "batch" and not bill.batch:
        yield Sentence(messages.NO_BATCH_PRICE)
    elif bill.tier not in _ORDINARY and not bill.tier_applies:
        yield Sentence.of(messages.NO_TIER_PRICE, tier=bill.tier)
    if bill.unpriced:
        parts = ", ".join(f"{unit} ({bill.usage.more[unit]:,})" for unit in bill.unpriced)
        yield Sentence.of(messages.NOT_PRICED, parts=parts)
    if "output" not in bill.rates and output.tokens and bill.model.ended is None:
        yield Sentence(messages.NO_OUTPUT_PRICE)
    if cached.as_input and cached.tokens:
        yield Sentence(messages.NO_CACHED_PRICE)
    if written.as_input and written.tokens:
        yield Sentence(messages.NO_WRITE_PRICE)


def least_note(model: Model) -> Sentence:
    """Return that a prefix of too few tokens is not cached, or that this number is assumed."""
    template = messages.TOO_SHORT_TO_CACHE if model.least_source else messages.LEAST_ASSUMED
    return Sentence.of(template, tokens=f"{model.least_cached:,}")


def _step_notes(bill: Cost) -> Iterator[Sentence]:
    """Yield that of a price that rises with a request's length the lowest step alone is known."""
    prices, usage = bill.model.prices, bill.usage
    above, output = prices.unknown_above, prices.unknown_output
    if above is None:
        return
    holds = usage.input_tokens <= above and (output is None or usage.output < output)
    if output is None:
        template = messages.LOWEST_STEP if holds else messages.TOO_LOW
    else:
        template = messages.LOWEST_STEP_OF_BOTH if holds else messages.TOO_LOW_OF_BOTH
    yield Sentence.of(template, input=f"{above:,}", output=f"{output or 0:,}")


def _hour_notes(bill: Cost) -> Iterator[Sentence]:
    prices = bill.model.prices
    by_hand = bill.line("input").overridden and bill.line("output").overridden
    if bill.band is None or by_hand or bill.model.ended == messages.STALE_ROW:
        return  # the hours of a row that is out of date are, too
    peak, off_peak = prices.peak_base, base_of(prices.at(bill.when, daily=False))
    template, this = (messages.PEAK, peak) if bill.band == "peak" else (messages.OFF_PEAK, off_peak)
    percent = round(100 * (peak - off_peak) / this)
    yield Sentence.of(template, hours=prices.peak_hours_text, percent=percent)
    if bill.band == "peak" and bill.model.is_free_weekend(bill.when):
        yield Sentence(messages.WEEKEND)


def _size_notes(bill: Cost) -> Iterator[Sentence]:
    model, usage = bill.model, bill.usage
    tokens, window = f"{usage.input_tokens:,}", model.context_window
    if window is not None and usage.input_tokens > window:
        yield Sentence.of(messages.REFUSED, tokens=tokens, window=f"{window:,}")
    elif model.max_input is not None and usage.input_tokens > model.max_input:
        yield Sentence.of(messages.INPUT_REFUSED, tokens=tokens, most=f"{model.max_input:,}")
    elif window is not None and not bill.fits:
        together = f"{usage.input_tokens + usage.output:,}"
        yield Sentence.of(messages.CUT_OFF, tokens=together, window=f"{window:,}")
    if model.max_output is not None and usage.output > model.max_output:
        yield Sentence.of(messages.ANSWER_TOO_LONG, most=f"{model.max_output:,}")

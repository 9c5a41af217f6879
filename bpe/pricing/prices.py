"""Money, and prices of one model: what a million tokens cost, from which day, at which hours.

Where they come from is in ``data.py``, and what a request costs in ``bill.py``. Prices are in one
currency, and converted here if at all: amounts made from them never are. Hours are told in Beijing
time, as only DeepSeek's prices depend on them; its public holidays, which are off-peak too, are not
known here. The exchange rate is dated, or the reader's own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from bpe.errors import BPEError, Sentence
from bpe.pricing import messages

Number = Decimal | int | float | str
"""A number of a form. It is read by its decimal digits: ``0.1`` is a tenth, not a float's."""

Currency = Literal["USD", "CNY"]
SIGNS: dict[Currency, str] = {"USD": "$", "CNY": "¥"}

Band = Literal["peak", "off-peak"]

BEIJING = timezone(timedelta(hours=8), "Asia/Shanghai")
"""Beijing time; China has had no summer time since 1991."""


def as_decimal(value: Number) -> Decimal:
    """Return a number as its decimal digits say; anything else raises :class:`BPEError`."""
    try:
        number = value if isinstance(value, Decimal) else Decimal(str(value))
    except ArithmeticError:
        raise BPEError("“{value}” is not a number.", value=value) from None
    if not number.is_finite():
        raise BPEError("“{value}” is not a number.", value=value)
    return number


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """How many yuan a US dollar is, on which day, and by whom.

    ``source`` is an address, or ``None`` for a rate entered by hand; ``note`` is a message id.
    """

    cny_per_usd: Decimal
    date: date
    source: str | None
    note: str


def own_rate(cny_per_usd: Number, day: date) -> ExchangeRate:
    rate = as_decimal(cny_per_usd)
    if not 0 < rate < 1000:
        raise BPEError(
            "A dollar must be more than 0 and less than 1000 yuan, not {rate}.", rate=rate
        )
    return ExchangeRate(rate, day, None, messages.OWN_RATE)


def money_text(amount: Decimal, currency: Currency = "USD") -> str:
    """Return money for display: two decimals, or three significant digits below one.

    >>> money_text(Decimal("1234.567"))
    '$1,234.57'
    >>> money_text(Decimal("0.0012345"), "CNY")
    '¥0.00123'
    >>> money_text(Decimal("-0.5"))
    '-$0.50'
    """
    sign = "-" if amount < 0 else ""
    size = abs(amount)
    places = 2 if size >= 1 or not size else max(2, 2 - size.adjusted())
    rounded = size.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    text = f"{rounded:,f}"
    whole, _, decimals = text.partition(".")
    return f"{sign}{SIGNS[currency]}{whole}.{decimals.rstrip('0').ljust(2, '0')}"


@dataclass(frozen=True, slots=True)
class Rate:
    """A base price and, for long inputs, steps.

    A step is the number of input tokens above which **all** tokens of a request cost its price.
    The price is that of a million tokens; of other units, of as many as genai-prices has it for.
    """

    base: Decimal
    steps: tuple[tuple[int, Decimal], ...] = ()

    def at(self, total_input: int) -> tuple[Decimal, int | None]:
        """Return the price for a request with that much input, and the step that was passed.

        >>> Rate(Decimal(1), ((200, Decimal(2)),)).at(200)
        (Decimal('1'), None)
        >>> Rate(Decimal(1), ((200, Decimal(2)),)).at(201)
        (Decimal('2'), 200)
        """
        for above, price in reversed(self.steps):
            if total_input > above:
                return price, above
        return self.base, None

    def converted(self, convert: Callable[[Decimal], Decimal]) -> "Rate":
        return Rate(convert(self.base), tuple((above, convert(p)) for above, p in self.steps))


Rates = Mapping[str, Rate]
"""The price of each part of a request, where the vendor publishes one.

The parts are ``input``, ``cached_input``, ``cache_write`` (that with the shortest life, which is
five minutes at Anthropic) and ``output``; ``thinking_output`` is that of all output in thinking
mode, where it has a price of its own. Prices of other units have the names of genai-prices:
``cache_write_1h_tokens``, ``web_searches``.
"""


def base_of(rates: Rates) -> Decimal:
    """Return the input and the output price of short requests, added up to compare rates by."""
    return sum((rates[part].base for part in ("input", "output") if part in rates), Decimal(0))


@dataclass(frozen=True, slots=True)
class Rule:
    """Rates that hold from a day on (UTC), or daily between two times (UTC, end excluded)."""

    rates: Rates = field(hash=False)
    starts: date | None = None
    daily: tuple[time, time] | None = None

    def converted(self, convert: Callable[[Decimal], Decimal]) -> "Rule":
        rates = {part: rate.converted(convert) for part, rate in self.rates.items()}
        return replace(self, rates=rates)

    def holds(self, when: datetime) -> bool:
        """Return whether the rule applies at that moment; a naive time is taken as UTC."""
        moment = _utc(when)
        if self.starts is not None and moment.date() < self.starts:
            return False
        if self.daily is None:
            return True
        start, end = self.daily
        now = moment.time()
        if end < start:
            return now >= start or now < end
        return start <= now < end


@dataclass(frozen=True, slots=True)
class Prices:
    """All rules of one model, and the partial rules that replace them in ``tiers``.

    A tier is how a request is processed: ``"batch"``, ``"flex"``, ``"priority"``, ``"fast"``.

    Where the list has only the lowest step of a price that rises with the length of a request, that
    holds up to ``unknown_above`` tokens of input, and for some models below ``unknown_output`` of
    output. ``published_in`` is the currency in which the list has them, ``currency`` the one they
    are in.
    """

    standard: tuple[Rule, ...]
    tiers: tuple[tuple[str, Rule], ...] = ()
    currency: Currency = "USD"
    published_in: Currency = "USD"
    unknown_above: int | None = None
    unknown_output: int | None = None

    def converted(self, currency: Currency, rate: ExchangeRate) -> "Prices":
        """Return the prices in that currency; as published, they are left as they are."""
        if currency == self.currency:
            return self

        def convert(price: Decimal) -> Decimal:
            yuan = rate.cny_per_usd
            return price * yuan if currency == "CNY" else price / yuan

        standard = tuple(rule.converted(convert) for rule in self.standard)
        tiers = tuple((tier, rule.converted(convert)) for tier, rule in self.tiers)
        return replace(self, standard=standard, tiers=tiers, currency=currency)

    def conversion_note(self, rate: ExchangeRate) -> tuple[Sentence, ...]:
        """Return a sentence on how the prices were converted, none where they are as published."""
        if self.currency == self.published_in:
            return ()
        return (
            Sentence.of(
                messages.CONVERTED,
                currency=self.published_in,
                rate=rate.cny_per_usd,
                date=rate.date,
            ),
        )

    def rule(self, when: datetime, *, daily: bool = True) -> Rule:
        """Return the rule for that moment: the last that holds, or else the first.

        Hours of the day belong to the rule before them in the list, and hold from its day on.
        ``daily=False`` leaves them out.
        """
        rules = [rule for rule in self.standard if daily or rule.daily is None]
        held, has_begun = [], True
        for rule in rules:
            if rule.daily is None:
                has_begun = rule.holds(when)
            if has_begun and rule.holds(when):
                held.append(rule)
        return held[-1] if held else (rules or self.standard)[0]

    def at(self, when: datetime, *, tier: str = "", daily: bool = True) -> Rates:
        """Return what holds at that moment."""
        return {**self.rule(when, daily=daily).rates, **self.of_tier(tier, when)}

    def of_tier(self, tier: str, when: datetime) -> Rates:
        """Return the prices of a tier alone; for each part the first rule that holds decides."""
        rates: Rates = {}
        for name, rule in self.tiers:
            if name == tier and rule.holds(when):
                rates = {**rule.rates, **rates}
        return rates

    @property
    def has_hours(self) -> bool:
        return any(rule.daily is not None for rule in self.standard)

    @property
    def peak_hours_text(self) -> str:
        """The peak hours in Beijing time, in order: ``"09:00–12:00 / 14:00–18:00"``."""
        daily = sorted(
            [_in_beijing(end) for end in rule.daily] for rule in self.standard if rule.daily
        )
        return " / ".join(f"{start:%H:%M}–{end:%H:%M}" for start, end in daily)

    @property
    def peak_base(self) -> Decimal:
        """What :func:`base_of` gives for peak hours, 0 where hours do not matter."""
        daily = (base_of(rule.rates) for rule in self.standard if rule.daily is not None)
        return max(daily, default=Decimal(0))

    def band_at(self, when: datetime) -> Band | None:
        """Return which hours' price the list has then, or ``None`` where hours do not matter.

        The list knows hours but not days: on weekends see :meth:`Model.is_free_weekend`.
        """
        if not self.has_hours:
            return None
        return (
            "peak" if base_of(self.at(when)) > base_of(self.at(when, daily=False)) else "off-peak"
        )

    def moment_in(self, band: Band, day: date) -> datetime | None:
        """Return the first full hour of a Beijing day with that price, ``None`` without one."""
        hours = (datetime.combine(day, time(hour), BEIJING) for hour in range(24))
        return next((moment for moment in hours if self.band_at(moment) == band), None)


def _utc(when: datetime) -> datetime:
    try:
        return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except OverflowError:  # within hours of the first or the last moment there is
        return when.replace(tzinfo=UTC)


def _in_beijing(moment: time) -> time:
    return datetime.combine(date(2026, 1, 1), moment, UTC).astimezone(BEIJING).time()

"""What steady traffic costs: the average request, times the requests.

Nothing about bursts or growth. The cached prefix is part of the input. Refilling the cache is left
out unless ``written_share`` says how much of the input is written anew.
"""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from decimal import ROUND_HALF_UP, Decimal

from bpe.errors import BPEError, Sentence
from bpe.pricing import messages
from bpe.pricing.bill import PARTS, Overrides, Terms, Usage, cost
from bpe.pricing.model_table import Model
from bpe.pricing.prices import Band, as_decimal

MOST_REQUESTS = Decimal(10**15)
_OF_ONE_HOUR = (messages.PEAK, messages.OFF_PEAK)
_SHARES = ("cached_share", "written_share", "batch_share", "peak_share")


@dataclass(frozen=True, slots=True)
class Traffic:
    """A number of requests, and what share of them is billed otherwise.

    ``cached_share`` and ``written_share`` are shares of the input, ``batch_share`` of the requests
    sent as batch jobs, ``peak_share`` of the requests in peak hours (it matters only for models
    whose price depends on the hour; the default is the most expensive case). Shares run from 0 to
    1.
    """

    requests: Decimal
    cached_share: Decimal = Decimal(0)
    written_share: Decimal = Decimal(0)
    batch_share: Decimal = Decimal(0)
    peak_share: Decimal = Decimal(1)

    def __post_init__(self) -> None:
        for name in ("requests", *_SHARES):
            object.__setattr__(self, name, as_decimal(getattr(self, name)))
        if not 0 <= self.requests <= MOST_REQUESTS:
            raise BPEError(
                "Requests must be from 0 to {most}, not {count}.",
                most=MOST_REQUESTS,
                count=self.requests,
            )
        for share in (getattr(self, name) for name in _SHARES):
            if not 0 <= share <= 1:
                raise BPEError(
                    "A share must be from 0 to 1 (0% to 100%), not {share}.", share=share
                )
        if self.cached_share + self.written_share > 1:
            raise BPEError("Cached and cache-written input together cannot exceed the whole input.")

    def of(self, usage: Usage) -> Usage:
        """Return one request with the cached tokens of the shares, halves rounded up.

        >>> Traffic(1, cached_share="0.5").of(Usage(1001)).cached_tokens
        501
        """
        cached, written = (
            int((usage.input_tokens * share).quantize(Decimal(1), ROUND_HALF_UP))
            for share in (self.cached_share, self.written_share)
        )
        written = min(written, usage.input_tokens - cached)
        return replace(usage, cached_tokens=cached, cache_write_tokens=written)


@dataclass(frozen=True, slots=True)
class TrafficCost:
    """What traffic costs on a model, by parts of the bill, in the currency of its prices.

    ``all_off_peak`` is the total if every request came off-peak, ``None`` where the price does not
    depend on the hour. ``usage`` is one request.
    """

    model: Model
    usage: Usage
    parts: dict[str, Decimal]
    all_off_peak: Decimal | None
    notes: tuple[Sentence, ...]

    @property
    def total(self) -> Decimal:
        return sum(self.parts.values(), Decimal(0))

    @property
    def fits(self) -> bool | None:
        """Whether a request fits the model's window; a vendor refuses one that does not."""
        return self.usage.fits(self.model.context_window, self.model.max_input)


def traffic_cost(
    model: Model,
    usage: Usage,
    traffic: Traffic,
    *,
    on: date | None = None,
    overrides: Overrides | None = None,
) -> TrafficCost:
    """Return what requests cost on a model at the prices of the day ``on`` (default: today)."""
    day = on or datetime.now(UTC).date()
    usage = traffic.of(usage)
    parts, notes = _average(model, usage, traffic, day, overrides)
    off_peak = None
    if model.prices.has_hours:
        cheapest = replace(traffic, peak_share=Decimal(0))
        off_peak = sum(_average(model, usage, cheapest, day, overrides)[0].values(), Decimal(0))
    return TrafficCost(model, usage, parts, off_peak, notes)


def _average(
    model: Model, usage: Usage, traffic: Traffic, day: date, overrides: Overrides | None
) -> tuple[dict[str, Decimal], tuple[Sentence, ...]]:
    """Weigh the four kinds of request: batch or not, in peak hours or not."""
    parts = dict.fromkeys(map(str, PARTS), Decimal(0))
    notes: dict[Sentence, None] = {}
    if model.prices.has_hours and model.ended != messages.STALE_ROW:
        mixed = Sentence.of(
            messages.MIXED_HOURS,
            percent=round(100 * traffic.peak_share),
            hours=model.prices.peak_hours_text,
        )
        notes[mixed] = None
    for when, hours in _moments(model, traffic.peak_share, day):
        for batch, share in ((True, traffic.batch_share), (False, 1 - traffic.batch_share)):
            if not hours * share:
                continue
            bill = cost(model, usage, Terms(when, overrides), batch=batch)
            for line in bill.lines:
                amount = line.amount * hours * share * traffic.requests
                parts[line.part] = parts.get(line.part, Decimal(0)) + amount
            notes |= {note: None for note in bill.notes if note.template not in _OF_ONE_HOUR}
    return parts, tuple(notes)


def _moments(model: Model, peak_share: Decimal, day: date) -> list[tuple[datetime, Decimal]]:
    """Return a moment of each kind of hour and the share of requests in it."""
    noon = datetime.combine(day, time(12), UTC)
    if not model.prices.has_hours:
        return [(noon, Decimal(1))]
    bands: tuple[tuple[Band, Decimal], ...] = (("peak", peak_share), ("off-peak", 1 - peak_share))
    return [(model.prices.moment_in(band, day) or noon, share) for band, share in bands]

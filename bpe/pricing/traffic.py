"""What steady traffic costs in a day and a month, and one plan against another.

The cost of the average request, times the requests; nothing about bursts or growth. The cached
prefix is part of the input. Refilling the cache is left out unless ``written_share`` says how much
of the input is written anew.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from decimal import ROUND_HALF_UP, Decimal

from bpe.errors import BPEError, Sentence
from bpe.pricing import messages
from bpe.pricing.bill import PARTS, BillPart, Overrides, Terms, Usage, cost
from bpe.pricing.model_table import Model
from bpe.pricing.prices import Band, as_decimal
from bpe.pricing.prompts import LANGUAGES, Language, LanguageCosts, Texts

MOST_REQUESTS = Decimal(10**12)
_OF_ONE_HOUR = (messages.PEAK, messages.OFF_PEAK)
MOST_DAYS = 366


@dataclass(frozen=True)
class Scenario:
    """Traffic: requests a day, tokens of the average one, and what share is cheaper.

    ``cached_share`` and ``written_share`` are shares of the input, ``batch_share`` of the requests
    sent as batch jobs, ``peak_share`` of the requests in peak hours (it matters only for models
    whose price depends on the hour; the default is the most expensive case). Shares run from 0 to
    1.
    """

    requests_per_day: Decimal
    input_tokens: int
    output_tokens: int
    cached_share: Decimal = Decimal(0)
    batch_share: Decimal = Decimal(0)
    peak_share: Decimal = Decimal(1)
    days: int = 30
    written_share: Decimal = Decimal(0)
    reasoning_tokens: int = 0

    def __post_init__(self) -> None:
        for name in ("requests_per_day", "cached_share", "batch_share", "peak_share",
                     "written_share"):  # fmt: skip
            object.__setattr__(self, name, as_decimal(getattr(self, name)))
        if not 0 <= self.requests_per_day <= MOST_REQUESTS:
            raise BPEError(
                "Requests per day must be from 0 to {most}, not {given}.",
                most=MOST_REQUESTS,
                given=self.requests_per_day,
            )
        for share in (self.cached_share, self.batch_share, self.peak_share, self.written_share):
            if not 0 <= share <= 1:
                raise BPEError(
                    "A share must be from 0 to 1 (0% to 100%), not {share}.", share=share
                )
        if self.cached_share + self.written_share > 1:
            raise BPEError("Cached and cache-written input together cannot exceed the whole input.")
        if isinstance(self.days, bool) or not 1 <= self.days <= MOST_DAYS:
            raise BPEError(
                "A month must have from 1 to {most} days, not {days}.",
                most=MOST_DAYS,
                days=self.days,
            )
        self.usage()

    def usage(self) -> Usage:
        """Return the tokens of one request; the shares give whole tokens, halves rounded up.

        >>> Scenario(Decimal(1), 1001, 5, cached_share=Decimal("0.5")).usage().cached_tokens
        501
        """
        cached = _tokens(self.input_tokens, self.cached_share)
        written = min(
            _tokens(self.input_tokens, self.written_share), max(0, self.input_tokens - cached)
        )
        return Usage(self.input_tokens, cached, written, self.output_tokens, self.reasoning_tokens)


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Money by part of the bill."""

    input: Decimal = Decimal(0)
    cached_input: Decimal = Decimal(0)
    cache_write: Decimal = Decimal(0)
    output: Decimal = Decimal(0)

    @property
    def total(self) -> Decimal:
        return sum((self.part(part) for part in PARTS), Decimal(0))

    def part(self, part: BillPart) -> Decimal:
        amount: Decimal = getattr(self, part)
        return amount

    def times(self, factor: Decimal | int) -> "Breakdown":
        return Breakdown(*(self.part(part) * factor for part in PARTS))


@dataclass(frozen=True, slots=True)
class Month:
    """What a scenario costs on a model, in the currency of its prices.

    ``per_request`` is the average. ``all_off_peak`` is the month if every request came off-peak,
    ``None`` where the price does not depend on the hour.
    """

    model: Model
    scenario: Scenario
    per_request: Breakdown
    all_off_peak: Breakdown | None
    notes: tuple[Sentence, ...]

    @property
    def fits(self) -> bool | None:
        """Whether a request fits the model's window; a vendor refuses one that does not."""
        return self.scenario.usage().fits(self.model.context_window, self.model.max_input)

    @property
    def total(self) -> Decimal:
        """What the average request costs."""
        return self.per_request.total

    @property
    def per_day(self) -> Breakdown:
        return self.per_request.times(self.scenario.requests_per_day)

    @property
    def per_month(self) -> Breakdown:
        return self.per_day.times(self.scenario.days)

    @property
    def off_peak_saving(self) -> Decimal | None:
        """What moving every request out of the peak hours would save in the month."""
        if self.all_off_peak is None:
            return None
        return self.per_month.total - self.all_off_peak.total


@dataclass(frozen=True, slots=True)
class MonthComparison:
    """One month against another; ``saving`` is what the second costs less (negative: more)."""

    a: Month
    b: Month

    @property
    def saving(self) -> Decimal:
        return self.a.per_month.total - self.b.per_month.total

    @property
    def saving_share(self) -> Decimal | None:
        """The saving as a share of the first, ``None`` if the first costs nothing."""
        total = self.a.per_month.total
        return self.saving / total if total else None


def compare_months(
    model: Model,
    zh: Texts,
    en: Texts,
    scenario: Scenario,
    *,
    on: date | None = None,
    overrides: Overrides | None = None,
) -> LanguageCosts:
    """Return what a month of the same requests costs in either language.

    The tokens of the ``scenario`` do not count: those of the texts stand in their place.
    """
    texts = {"zh": zh, "en": en}

    def average(asked: Language, given: Language) -> Month:
        prompt, answer = texts[asked].prompt, texts[given].answer
        of_texts = replace(scenario, input_tokens=prompt, output_tokens=answer)
        return month(model, of_texts, on=on, overrides=overrides)

    bills = tuple(
        (asked, given, average(asked, given)) for asked in LANGUAGES for given in LANGUAGES
    )
    return LanguageCosts(model, zh, en, scenario.requests_per_day * scenario.days, bills)


def month(
    model: Model, scenario: Scenario, *, on: date | None = None, overrides: Overrides | None = None
) -> Month:
    """Return what a scenario costs on a model at the prices of the day ``on`` (default: today)."""
    day = on or datetime.now(UTC).date()
    per_request, notes = _average(model, scenario, scenario.peak_share, day, overrides)
    off_peak = None
    if model.prices.has_hours:
        cheapest, _ = _average(model, scenario, Decimal(0), day, overrides)
        off_peak = cheapest.times(scenario.requests_per_day).times(scenario.days)
    return Month(model, scenario, per_request, off_peak, notes)


def _average(
    model: Model, scenario: Scenario, peak_share: Decimal, day: date, overrides: Overrides | None
) -> tuple[Breakdown, tuple[Sentence, ...]]:
    """Weigh the four kinds of request: batch or not, in peak hours or not."""
    usage = scenario.usage()
    weighed: list[Breakdown] = []
    notes: dict[Sentence, None] = {}
    if model.prices.has_hours and model.ended != messages.STALE_ROW:
        mixed = Sentence.of(
            messages.MIXED_HOURS,
            percent=round(100 * peak_share),
            hours=model.prices.peak_hours_text,
        )
        notes[mixed] = None
    for when, hours in _moments(model, peak_share, day):
        for batch, share in ((True, scenario.batch_share), (False, 1 - scenario.batch_share)):
            if not hours * share:
                continue
            bill = cost(model, usage, Terms(when, overrides), batch=batch)
            weighed.append(Breakdown(*(line.amount for line in bill.lines)).times(hours * share))
            notes |= {note: None for note in bill.notes if note.template not in _OF_ONE_HOUR}
    return _sum(weighed), tuple(notes)


def _moments(model: Model, peak_share: Decimal, day: date) -> list[tuple[datetime, Decimal]]:
    """Return a moment of each kind of hour and the share of requests in it."""
    noon = datetime.combine(day, time(12), UTC)
    if not model.prices.has_hours:
        return [(noon, Decimal(1))]
    bands: tuple[tuple[Band, Decimal], ...] = (("peak", peak_share), ("off-peak", 1 - peak_share))
    return [(model.prices.moment_in(band, day) or noon, share) for band, share in bands]


def _sum(parts: Iterable[Breakdown]) -> Breakdown:
    columns = zip(*([part.part(name) for name in PARTS] for part in parts), strict=True)
    return Breakdown(*(sum(column, Decimal(0)) for column in columns))


def _tokens(whole: int, share: Decimal) -> int:
    return int((whole * share).quantize(Decimal(1), ROUND_HALF_UP))

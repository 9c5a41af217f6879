"""Many requests: steady traffic, which is the average request times their number, and chats.

Of traffic, nothing about bursts or growth; refilling the cache is left out unless ``written_share``
says how much of the input is written anew. Every request of a chat sends the whole history again,
so the cost of a turn grows with its number. What the frame of a chat adds is in ``requests.py``.
"""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from decimal import ROUND_HALF_UP, Decimal

from bpe.errors import BPEError, Sentence
from bpe.pricing import messages
from bpe.pricing.bill import PARTS, Terms, Usage, at_one_moment, cost
from bpe.pricing.model_table import Model
from bpe.pricing.prices import Band, as_decimal

_OF_ONE_HOUR = (messages.PEAK, messages.OFF_PEAK)
_SHARES = ("cached_share", "written_share", "batch_share", "peak_share")


@dataclass(frozen=True, slots=True)
class Traffic:
    """A number of requests, and what share of them is billed otherwise.

    ``cached_share`` and ``written_share`` are shares of the input, ``batch_share`` of the requests
    sent as batch jobs, ``peak_share`` of those in peak hours (it matters only for models whose
    price depends on the hour; the default is the most expensive case). Shares run from 0 to 1.
    """

    requests: Decimal
    cached_share: Decimal = Decimal(0)
    written_share: Decimal = Decimal(0)
    batch_share: Decimal = Decimal(0)
    peak_share: Decimal = Decimal(1)

    def __post_init__(self) -> None:
        for name in ("requests", *_SHARES):
            object.__setattr__(self, name, as_decimal(getattr(self, name)))
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
    """The cost of traffic on a model, by parts of the bill, in the currency of its prices.

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
) -> TrafficCost:
    """Return what requests cost on a model at the prices of the day ``on`` (default: today)."""
    day = on or datetime.now(UTC).date()
    usage = traffic.of(usage)
    parts, notes = _average(model, usage, traffic, day)
    off_peak = None
    if model.prices.has_hours:
        cheapest = replace(traffic, peak_share=Decimal(0))
        off_peak = sum(_average(model, usage, cheapest, day)[0].values(), Decimal(0))
    return TrafficCost(model, usage, parts, off_peak, notes)


def _average(
    model: Model, usage: Usage, traffic: Traffic, day: date
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
            bill = cost(model, usage, Terms(when), batch=batch)
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


# Chats.

MOST_TURNS = 10_000


@dataclass(frozen=True, slots=True)
class Conversation:
    """The plan of a chat, in tokens.

    Each request starts with ``system_tokens`` and ``tools_tokens``. The user's message in turn *n*
    has ``user_tokens + (n − 1) × growth`` tokens, every answer has ``output_tokens`` and follows
    ``reasoning_tokens``, which no later request sends again. With ``caching``, what the previous
    request sent is read from the cache.
    """

    turns: int
    system_tokens: int = 0
    tools_tokens: int = 0
    user_tokens: int = 0
    growth: int = 0
    output_tokens: int = 0
    caching: bool = False
    reasoning_tokens: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.turns <= MOST_TURNS:
            raise BPEError(
                "A conversation must have from 1 to {most} turns, not {turns}.",
                most=MOST_TURNS,
                turns=self.turns,
            )
        for count in (self.system_tokens, self.tools_tokens, self.user_tokens, self.output_tokens,
                      self.reasoning_tokens):  # fmt: skip
            Usage(count)
        if self.user_in(self.turns) < 0:
            raise BPEError(
                "With a growth of {growth} tokens a turn, the user's message has fewer than 0 "
                "tokens by turn {turn}.",
                growth=self.growth,
                turn=self.turns,
            )

    def user_in(self, turn: int) -> int:
        return self.user_tokens + (turn - 1) * self.growth

    @property
    def prefix(self) -> int:
        """System prompt and tools, with which every request starts."""
        return self.system_tokens + self.tools_tokens


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: its request, what it costs, and whether it fits.

    ``fits`` is whether input and answer fit the window; ``None`` if the window is unknown.
    """

    number: int
    usage: Usage
    cost: Decimal
    fits: bool | None


@dataclass(frozen=True, slots=True)
class Simulation:
    """All turns of a conversation on a model.

    Requests past the overflow are refused. They are priced as if the window were large enough, so
    that totals can be compared.
    """

    model: Model
    plan: Conversation
    turns: tuple[Turn, ...]
    notes: tuple[Sentence, ...]

    @property
    def total(self) -> Decimal:
        return sum((turn.cost for turn in self.turns), Decimal(0))

    @property
    def overflow_turn(self) -> int | None:
        """The first turn that does not fit; ``None`` if all fit or the window is unknown."""
        return next((turn.number for turn in self.turns if turn.fits is False), None)


def simulate(model: Model, plan: Conversation, terms: Terms | None = None) -> Simulation:
    """Return the turns of a conversation, all at the prices of one moment (default: now).

    Every request sends all turns before it.
    """
    terms = at_one_moment(terms)
    rates, least = terms.rates(model), model.least_cached or 0
    reads, writes = (
        plan.caching and rate is not None for rate in (rates.cached_input, rates.cache_write)
    )
    answer = Usage(0, output_tokens=plan.output_tokens, reasoning_tokens=plan.reasoning_tokens)
    turns: list[Turn] = []
    before, history = 0, plan.prefix
    for number in range(1, plan.turns + 1):
        sent = history + plan.user_in(number)
        cached = before if reads and before >= least else 0
        usage = replace(
            answer,
            input_tokens=sent,
            cached_tokens=cached,
            cache_write_tokens=sent - cached if writes and sent >= least else 0,
        )
        fits = usage.fits(model.context_window, model.max_input)
        turns.append(Turn(number, usage, cost(model, usage, terms).total, fits))
        before, history = sent, sent + plan.output_tokens
    notes: tuple[Sentence, ...] = ()
    if plan.caching:
        notes = (Sentence(messages.CACHE_ASSUMPTION if reads else messages.NO_CACHED_PRICE),)
        if reads and least and model.least_source is None:
            notes += (Sentence.of(messages.LEAST_ASSUMED, tokens=f"{least:,}"),)
    return Simulation(model, plan, tuple(turns), notes + cost(model, answer, terms).notes)

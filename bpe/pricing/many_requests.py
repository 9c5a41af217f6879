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
from bpe.pricing.bill import Cost, Terms, Usage, at_one_moment, cost, least_note
from bpe.pricing.model_table import Model
from bpe.pricing.prices import Band

_OF_ONE_HOUR = (messages.PEAK, messages.OFF_PEAK)


@dataclass(frozen=True, slots=True)
class Traffic:
    """A number of requests, and what share of them is billed otherwise.

    ``cached_share`` and ``written_share`` are shares of the input, ``batch_share`` of the requests
    sent as batch jobs, ``peak_share`` of those in peak hours (it matters only for models whose
    price depends on the hour; the default is the most expensive case). Shares run from 0 to 1.
    """

    requests: int
    cached_share: Decimal = Decimal(0)
    written_share: Decimal = Decimal(0)
    batch_share: Decimal = Decimal(0)
    peak_share: Decimal = Decimal(1)

    def __post_init__(self) -> None:
        if self.cached_share + self.written_share > 1:
            raise BPEError("Cached and cache-written input together cannot exceed the whole input.")

    def of(self, usage: Usage) -> Usage:
        """Return one request with the cached tokens of the shares, halves rounded up.

        >>> Traffic(1, cached_share=Decimal("0.5")).of(Usage(1001)).cached_tokens
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
    """The cost of traffic on a model in the currency of its prices, and whether a request fits."""

    total: Decimal
    fits: bool | None
    notes: tuple[Sentence, ...]


def traffic_cost(model: Model, usage: Usage, traffic: Traffic, *, on: date) -> TrafficCost:
    """Return what requests cost on a model at the prices of the day ``on``.

    That is the weighted sum of four kinds of request: batch or not, in peak hours or not.
    """
    usage = traffic.of(usage)
    total = Decimal(0)
    notes: dict[Sentence, None] = {}
    if model.prices.has_hours and model.ended != messages.STALE_ROW:
        percent = round(100 * traffic.peak_share)
        hours_of_peak = model.prices.peak_hours_text
        notes[Sentence.of(messages.MIXED_HOURS, percent=percent, hours=hours_of_peak)] = None
    for when, hours in _moments(model, traffic.peak_share, on):
        for batch, share in ((True, traffic.batch_share), (False, 1 - traffic.batch_share)):
            if hours * share:
                bill = cost(model, usage, Terms(when), batch=batch)
                total += bill.total * hours * share * traffic.requests
                notes |= {note: None for note in bill.notes if note.template not in _OF_ONE_HOUR}
    return TrafficCost(total, model.fits(usage.input_tokens, usage.output), tuple(notes))


def _moments(model: Model, peak_share: Decimal, day: date) -> list[tuple[datetime, Decimal]]:
    """Return a moment of each kind of hour and the share of requests in it."""
    noon = datetime.combine(day, time(12), UTC)
    if not model.prices.has_hours:
        return [(noon, Decimal(1))]
    bands: tuple[tuple[Band, Decimal], ...] = (("peak", peak_share), ("off-peak", 1 - peak_share))
    return [(model.prices.moment_in(band, day) or noon, share) for band, share in bands]


# Chats.


@dataclass(frozen=True, slots=True)
class Conversation:
    """The plan of a chat, in tokens.

    Each request starts with ``system_tokens`` and ``tools_tokens``. Each message of the user has
    ``user_tokens``; each answer has ``output_tokens`` and follows ``reasoning_tokens``, which no
    later request sends again. With ``caching``, what the previous request sent is read from the
    cache.
    """

    turns: int
    system_tokens: int = 0
    tools_tokens: int = 0
    user_tokens: int = 0
    output_tokens: int = 0
    caching: bool = False
    reasoning_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Simulation:
    """The bills of all turns of a conversation on a model.

    Requests past the overflow are refused. They are priced as if the window were large enough, so
    that totals can be compared.
    """

    turns: tuple[Cost, ...]
    notes: tuple[Sentence, ...]

    @property
    def total(self) -> Decimal:
        return sum((turn.total for turn in self.turns), Decimal(0))

    @property
    def overflow_turn(self) -> int | None:
        """The first turn that does not fit; ``None`` if all fit or the window is unknown."""
        turns = enumerate(self.turns, start=1)
        return next((number for number, turn in turns if turn.fits is False), None)


def simulate(model: Model, plan: Conversation, terms: Terms | None = None) -> Simulation:
    """Return the turns of a conversation, all at the prices of one moment (default: now).

    Every request sends all turns before it.
    """
    terms = at_one_moment(terms)
    rates, least = terms.rates(model), model.least_cached or 0
    reads, writes = (plan.caching and part in rates for part in ("cached_input", "cache_write"))
    answer = Usage(0, output_tokens=plan.output_tokens, reasoning_tokens=plan.reasoning_tokens)
    turns: list[Cost] = []
    before, history = 0, plan.system_tokens + plan.tools_tokens
    for _turn in range(plan.turns):
        sent = history + plan.user_tokens
        cached = before if reads and before >= least else 0
        written = sent - cached if writes and sent >= least else 0
        usage = replace(answer, input_tokens=sent, cached_tokens=cached, cache_write_tokens=written)
        turns.append(cost(model, usage, terms))
        before, history = sent, sent + plan.output_tokens
    notes: tuple[Sentence, ...] = ()
    if plan.caching:
        notes = (Sentence(messages.CACHE_ASSUMPTION if reads else messages.NO_CACHED_PRICE),)
        if reads and least and model.least_source is None:
            notes += (least_note(model),)
    return Simulation(tuple(turns), notes + cost(model, answer, terms).notes)

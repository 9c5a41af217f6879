"""What a conversation costs turn by turn, and when it no longer fits.

Every request of a chat sends the whole history again, so the cost of a turn grows with its number.
Three ways of remembering are compared: everything, the last turns only, or a running summary.
What the frame of a chat adds to its texts is in ``requests.py``.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from bpe.errors import BPEError, Sentence
from bpe.pricing import messages
from bpe.pricing.bill import Terms, Usage, at_one_moment, cost
from bpe.pricing.model_table import Model

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
        """What every request starts with: system prompt and tools."""
        return self.system_tokens + self.tools_tokens


Memory = Literal["all", "last turns", "summary"]
"""What a request sends of the turns before it: everything, the last ones, or a running summary."""
MEMORIES: tuple[Memory, ...] = ("all", "last turns", "summary")


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: its request, what it costs, and whether it fits.

    ``summary_cost`` is that of the summarising request made before it, if one was. ``fits`` is
    whether input and answer fit the window; ``None`` if the window is unknown.
    """

    number: int
    usage: Usage
    request_cost: Decimal
    summary_cost: Decimal
    fits: bool | None

    @property
    def cost(self) -> Decimal:
        return self.request_cost + self.summary_cost


@dataclass(frozen=True, slots=True)
class Simulation:
    """All turns of a conversation on a model.

    Requests past the overflow are refused. They are priced as if the window were large enough, so
    that totals can be compared; ``total_that_fits`` stops before them.
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

    @property
    def total_that_fits(self) -> Decimal:
        """What the turns before the overflow cost."""
        end = self.overflow_turn
        held = self.turns if end is None else self.turns[: end - 1]
        return sum((turn.cost for turn in held), Decimal(0))


def simulate(
    model: Model,
    plan: Conversation,
    terms: Terms | None = None,
    *,
    memory: Memory = "all",
    keep: int = 0,
    summary_tokens: int = 0,
) -> Simulation:
    """Return the turns of a conversation, all at the prices of one moment (default: now).

    ``keep`` is the number of turns that ``"last turns"`` sends. With ``"summary"``, whenever so
    many turns have gathered, one more request turns them and the summary so far into a summary of
    ``summary_tokens``.
    """
    if memory != "all" and keep < (1 if memory == "summary" else 0):
        raise BPEError("Say how many turns to keep; it cannot be {turns}.", turns=keep)
    terms = at_one_moment(terms)
    rates = terms.rates(model)
    reads, writes = (
        plan.caching and rate is not None for rate in (rates.cached_input, rates.cache_write)
    )
    answer = Usage(0, output_tokens=plan.output_tokens, reasoning_tokens=plan.reasoning_tokens)
    turns: list[Turn] = []
    for number, sent, cached, summarised in _requests(plan, memory, keep, summary_tokens):
        cached = cached if reads and cached >= (model.least_cached or 0) else 0
        usage = replace(
            answer,
            input_tokens=sent,
            cached_tokens=cached,
            cache_write_tokens=sent - cached if writes and sent >= (model.least_cached or 0) else 0,
        )
        extra = Decimal(0)
        if summarised is not None:
            extra = cost(model, Usage(summarised, output_tokens=summary_tokens), terms).total
        fits = usage.fits(model.context_window, model.max_input)
        turns.append(Turn(number, usage, cost(model, usage, terms).total, extra, fits))
    notes: tuple[Sentence, ...] = ()
    if plan.caching:
        notes = (Sentence(messages.CACHE_ASSUMPTION if reads else messages.NO_CACHED_PRICE),)
        if reads and model.least_cached and model.least_source is None:
            least = f"{model.least_cached:,}"
            notes += (Sentence.of(messages.LEAST_ASSUMED, tokens=least),)
    return Simulation(model, plan, tuple(turns), notes + cost(model, answer, terms).notes)


def _requests(
    plan: Conversation, memory: Memory, keep: int, summary_tokens: int
) -> Iterator[tuple[int, int, int, int | None]]:
    """Yield of each turn its number, the tokens it sends and those of them that may be cached.

    And the tokens that are summarised before it, if any. While nothing has been dropped, the whole
    previous request is cached; after that only the system prompt and the tools still stand where
    they stood.
    """
    sizes: list[int] = []  # of each turn whose text is still sent: message and answer
    summary, before = 0, 0  # the summary so far, and the previous request
    for number in range(1, plan.turns + 1):
        summarised, cached = None, before
        if memory == "summary" and len(sizes) == keep:
            summarised = summary + sum(sizes)
            sizes, summary, cached = [], summary_tokens, plan.prefix
        elif memory == "last turns" and len(sizes) > keep:
            sizes = sizes[len(sizes) - keep :]
            cached = plan.prefix
        before = plan.prefix + summary + sum(sizes) + plan.user_in(number)
        yield number, before, min(cached, before), summarised
        sizes.append(plan.user_in(number) + plan.output_tokens)

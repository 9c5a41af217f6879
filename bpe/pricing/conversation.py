"""What a conversation costs turn by turn, and when it no longer fits.

Every request of a chat sends the whole history again, so the cost of a turn grows with its number.
Three ways of remembering are compared: everything, the last turns only, or a running summary.
What the frame of a chat adds to its texts is in ``prompts.py``.
"""

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Memory:
    """What a request sends of the turns before it.

    ``"all"``: everything. ``"last turns"``: the last ``turns``. ``"summary"``: whenever ``turns``
    turns have gathered, one more request turns them and the summary so far into a summary of
    ``summary_tokens``.
    """

    kind: Literal["all", "last turns", "summary"] = "all"
    turns: int = 0
    summary_tokens: int = 0

    def __post_init__(self) -> None:
        if self.kind != "all" and self.turns < (1 if self.kind == "summary" else 0):
            raise BPEError("Say how many turns to keep; it cannot be {turns}.", turns=self.turns)
        Usage(self.summary_tokens)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: its request in tokens, what it costs, and whether it fits.

    ``summary_cost`` is that of the summarising request made before it, if one was. ``fits`` is
    whether input and answer fit the window; ``None`` if the window is unknown.
    """

    number: int
    input_tokens: int
    cached_tokens: int
    cache_write_tokens: int
    output_tokens: int
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
    memory: Memory
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


@dataclass(frozen=True, slots=True)
class Savings:
    """The same conversation remembered in three ways; savings are against sending everything."""

    everything: Simulation
    last_turns: Simulation
    summary: Simulation

    @property
    def last_turns_save(self) -> Decimal:
        """What truncation saves (negative: it costs more, when a cache is lost)."""
        return self.everything.total - self.last_turns.total

    @property
    def summary_saves(self) -> Decimal:
        """What summarising saves, its own requests included."""
        return self.everything.total - self.summary.total


def simulate(
    model: Model, plan: Conversation, memory: Memory | None = None, terms: Terms | None = None
) -> Simulation:
    """Return the turns of a conversation, all at the prices of one moment (default: now)."""
    memory = memory or Memory()
    meter = _Meter(model, plan, at_one_moment(terms))
    turns = (_summarised if memory.kind == "summary" else _remembered)(meter, memory)
    notes: list[Sentence] = []
    if plan.caching:
        works = meter.reads_cache
        notes.append(Sentence(messages.CACHE_ASSUMPTION if works else messages.NO_CACHED_PRICE))
    answer = Usage(0, output_tokens=plan.output_tokens, reasoning_tokens=plan.reasoning_tokens)
    alone = cost(model, answer, meter.terms)
    return Simulation(model, plan, memory, tuple(turns), (*notes, *alone.notes))


def savings(
    model: Model,
    plan: Conversation,
    terms: Terms | None = None,
    *,
    keep_turns: int,
    summary_tokens: int,
) -> Savings:
    """Return the conversation remembered whole, cut to the last turns, and summarised."""
    terms = at_one_moment(terms)
    memories = (
        Memory(), Memory("last turns", keep_turns), Memory("summary", keep_turns, summary_tokens)
    )  # fmt: skip
    return Savings(*(simulate(model, plan, memory, terms) for memory in memories))


@dataclass(frozen=True, slots=True)
class _Meter:
    model: Model
    plan: Conversation
    terms: Terms

    @property
    def reads_cache(self) -> bool:
        return self.terms.rates(self.model).cached_input is not None

    @property
    def pays_for_writing(self) -> bool:
        return self.terms.rates(self.model).cache_write is not None

    def price(self, usage: Usage) -> Decimal:
        return cost(self.model, usage, self.terms).total

    def turn(self, number: int, history: int, cached: int, summary_cost: Decimal) -> Turn:
        plan = self.plan
        sent = plan.prefix + history + plan.user_in(number)
        cached = cached if plan.caching and self.reads_cache else 0
        written = sent - cached if plan.caching and self.pays_for_writing else 0
        usage = Usage(sent, cached, written, plan.output_tokens, plan.reasoning_tokens)
        fits = usage.fits(self.model.context_window, self.model.max_input)
        return Turn(
            number, sent, cached, written, plan.output_tokens, self.price(usage), summary_cost, fits
        )


def _remembered(meter: _Meter, memory: Memory) -> list[Turn]:
    """Simulate remembering everything, or the last turns only.

    While nothing has been dropped, the whole previous request is cached; after that only the
    system prompt and the tools still stand where they stood.
    """
    plan = meter.plan
    turns: list[Turn] = []
    sizes: list[int] = []  # of each turn before: message and answer
    history = 0
    for number in range(1, plan.turns + 1):
        keep = len(sizes) if memory.kind == "all" else min(memory.turns, len(sizes))
        dropped = keep < len(sizes)
        if memory.kind == "last turns" and dropped:
            history = sum(sizes[len(sizes) - keep :])
        cached = 0 if not turns else plan.prefix if dropped else turns[-1].input_tokens
        turns.append(meter.turn(number, history, cached, Decimal(0)))
        sizes.append(plan.user_in(number) + plan.output_tokens)
        history += sizes[-1]
    return turns


def _summarised(meter: _Meter, memory: Memory) -> list[Turn]:
    plan = meter.plan
    turns: list[Turn] = []
    history, gathered = 0, 0  # tokens after the prefix; turns in them since the last summary
    for number in range(1, plan.turns + 1):
        extra = Decimal(0)
        cached = turns[-1].input_tokens if turns else 0
        if gathered == memory.turns:
            extra = meter.price(Usage(history, output_tokens=memory.summary_tokens))
            history, gathered, cached = memory.summary_tokens, 0, plan.prefix
        turns.append(meter.turn(number, history, cached, extra))
        history += plan.user_in(number) + plan.output_tokens
        gathered += 1
    return turns

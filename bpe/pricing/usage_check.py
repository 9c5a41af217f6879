"""Our count of a request and its answer beside what a vendor's ``usage`` object says it billed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from bpe.errors import Sentence
from bpe.pricing import messages
from bpe.pricing.api_shapes import read_usage
from bpe.pricing.bill import Cost, Terms, Usage, at_one_moment, cost
from bpe.pricing.count import Count
from bpe.pricing.model_table import Model
from bpe.pricing.requests import Exactness, RequestCount


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a bill: the vendor's number, ours (``None``: cannot be known), and why.

    ``part`` is input, cached, written, answer, reasoning, or a unit of :attr:`Usage.more`; ``sure``
    says whether ours is exact, ``None`` where there is none; of a request that is not counted whole
    it is the least.
    """

    part: str
    theirs: int
    ours: int | None
    causes: tuple[Sentence, ...] = ()
    sure: Exactness | Literal["at least"] | None = None

    @property
    def difference(self) -> int | None:
        """How much more the vendor counts."""
        return None if self.ours is None else self.theirs - self.ours


@dataclass(frozen=True, slots=True)
class UsageCheck:
    """A bill line by line, and its money: by the vendor's numbers, and by ours.

    ``notes`` are about its prices; those on our count are in the :class:`RequestCount`.
    """

    reported: Usage
    rows: tuple[Row, ...]
    theirs: Cost
    ours: Cost

    @property
    def notes(self) -> tuple[Sentence, ...]:
        names = ", ".join(self.reported.unread)
        unread = (Sentence.of(messages.USAGE_UNREAD, names=names),) if names else ()
        return unread + self.theirs.notes + self.theirs.model.notes


def check_usage(
    model: Model,
    request: RequestCount,
    usage: Mapping[str, Any],
    answer: Count | None = None,
    terms: Terms | None = None,
) -> UsageCheck:
    """Return our counts beside those of a usage object, and the likely cause of what differs.

    Whether a cache was read and how long a model reasoned is known to the vendor alone: these
    numbers are taken over in the money of both.
    """
    billed, terms = read_usage(usage, model.provider), at_one_moment(terms)
    causes = _input_causes(billed, request)
    sure: Any = "at least" if request.at_least else request.exactness
    rows = [Row("input", billed.input, request.total, causes, sure)]
    inside = (Sentence(messages.USAGE_CACHE),)
    for part, number in (("cached", billed.cached_tokens), ("written", billed.cache_write_tokens)):
        if number:
            rows.append(Row(part, number, None, inside))
    rows.append(Row("answer", billed.output_tokens, None))
    if answer is not None:
        why = _answer_causes(billed, answer)
        rows[-1] = Row("answer", billed.output_tokens, answer.tokens, why, answer.exactness)
    if billed.reasoning_tokens:
        reasoning = (Sentence(messages.USAGE_REASONING),)
        rows.append(Row("reasoning", billed.reasoning_tokens, None, reasoning))
    rows += [Row(unit, amount, None) for unit, amount in billed.more.items()]
    cached = min(billed.cached_tokens, request.total)
    written = min(billed.cache_write_tokens, request.total - cached)
    counted = replace(
        billed,
        input_tokens=request.total,
        cached_tokens=cached,
        cache_write_tokens=written,
        output_tokens=answer.tokens if answer else billed.output_tokens,
        more={
            unit: min(amount, written) if "cache_write" in unit else amount
            for unit, amount in billed.more.items()
            if not unit.endswith("_tokens") or "cache_write" in unit
        },
    )
    theirs, ours = cost(model, billed, terms), cost(model, counted, terms)
    return UsageCheck(billed, tuple(rows), theirs, ours)


def _input_causes(billed: Usage, request: RequestCount) -> tuple[Sentence, ...]:
    off = billed.input - request.total
    if not off:
        return (Sentence(messages.USAGE_EQUAL),)
    causes = []
    if request.frame_is is None and off > 0:
        causes.append(Sentence(messages.USAGE_FRAME))
    elif Sentence(messages.CHAT_PARTS) in request.notes:
        causes.append(Sentence(messages.USAGE_PARTS))
    if request.tools_is == "estimate" != request.text_is:
        causes.append(Sentence(messages.TOOLS_UNKNOWN))
    if request.tools and off == -request.tools:
        causes.append(Sentence(messages.USAGE_NO_TOOLS))
    if off == -request.frame:
        causes.append(Sentence(messages.USAGE_NO_FRAME))
    images = [note for note in request.notes if note.template == messages.IMAGES]
    if request.text_is == "estimate":
        causes += images or [Sentence(messages.USAGE_TOKENIZER)]
    return tuple(causes) or (Sentence(messages.USAGE_SERVER),)


def _answer_causes(billed: Usage, answer: Count) -> tuple[Sentence, ...]:
    off = billed.output_tokens - answer.tokens
    if not off:
        return (Sentence(messages.USAGE_EQUAL),)
    if answer.exactness == "estimate" and answer.low <= billed.output_tokens <= answer.high:
        return (Sentence(messages.USAGE_TOKENIZER),)
    if off in (1, 2):
        return (Sentence(messages.USAGE_END),)
    if off > 0 and not billed.reasoning_tokens:
        return (Sentence(messages.USAGE_HIDDEN),)
    return (Sentence(messages.USAGE_SERVER),)

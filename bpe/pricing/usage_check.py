"""Our count of a request and its answer beside what a vendor's ``usage`` object says it billed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bpe.errors import Sentence
from bpe.pricing import messages
from bpe.pricing.api_shapes import Reported, read_usage
from bpe.pricing.bill import Cost, Terms, Usage, at_one_moment, cost
from bpe.pricing.count import TokenCount
from bpe.pricing.model_table import Model
from bpe.pricing.requests import Exactness, RequestCount


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a bill: the vendor's number, ours (``None``: cannot be known), and why.

    ``sure`` says whether ours is exact; ``None`` where there is none.
    """

    part: Literal["input", "cached", "written", "answer", "reasoning"]
    theirs: int
    ours: int | None
    causes: tuple[Sentence, ...] = ()
    sure: Exactness | None = None

    @property
    def difference(self) -> int | None:
        """How much more the vendor counts."""
        return None if self.ours is None else self.theirs - self.ours


@dataclass(frozen=True, slots=True)
class UsageCheck:
    """A bill line by line, and its money: by the vendor's numbers, and by ours.

    ``notes`` are about its prices; those on our count are in the :class:`RequestCount`.
    """

    reported: Reported
    rows: tuple[Row, ...]
    theirs: Cost
    ours: Cost

    @property
    def notes(self) -> tuple[Sentence, ...]:
        return self.theirs.notes + self.theirs.model.notes


def check_usage(
    model: Model,
    request: RequestCount,
    usage: Mapping[str, Any],
    answer: TokenCount | None = None,
    terms: Terms | None = None,
) -> UsageCheck:
    """Return our counts beside those of a usage object, and the likely cause of what differs.

    Whether a cache was read and how long a model reasoned is known to the vendor alone: these
    numbers are taken over in the money of both.
    """
    found, terms = read_usage(usage), at_one_moment(terms)
    causes = _input_causes(found, request)
    rows = [Row("input", found.input, request.total, causes, request.exactness)]
    for part, number in (("cached", found.cached), ("written", found.written)):
        if number:
            rows.append(Row(part, number, None, (_CACHE[found.shape == "Anthropic"],)))  # type: ignore[arg-type]
    if answer is None:
        rows.append(Row("answer", found.visible, None))
    else:
        why = _answer_causes(found, answer)
        rows.append(Row("answer", found.visible, answer.tokens, why, answer.exactness))
    if found.reasoning:
        rows.append(Row("reasoning", found.reasoning, None, (Sentence(messages.USAGE_REASONING),)))
    cached = min(found.cached, request.total)
    visible = answer.tokens if answer else found.visible
    bills = (
        Usage(found.input, found.cached, found.written, found.visible, found.reasoning),
        Usage(
            request.total, cached, min(found.written, request.total - cached), visible,
            found.reasoning,
        ),
    )  # fmt: skip
    theirs, ours = (cost(model, bill, terms) for bill in bills)
    return UsageCheck(found, tuple(rows), theirs, ours)


_CACHE = (Sentence(messages.USAGE_CACHE_INSIDE), Sentence(messages.USAGE_CACHE_OUTSIDE))


def _input_causes(found: Reported, request: RequestCount) -> tuple[Sentence, ...]:
    off = found.input - request.total
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
    if request.text_is == "estimate":
        causes.append(Sentence(messages.USAGE_TOKENIZER))
    return tuple(causes) or (Sentence(messages.USAGE_SERVER),)


def _answer_causes(found: Reported, answer: TokenCount) -> tuple[Sentence, ...]:
    off = found.visible - answer.tokens
    if not off:
        return (Sentence(messages.USAGE_EQUAL),)
    if answer.exactness == "estimate" and answer.low <= found.visible <= answer.high:
        return (Sentence(messages.USAGE_TOKENIZER),)
    if off in (1, 2):
        return (Sentence(messages.USAGE_END),)
    if off > 0 and not found.reasoning:
        return (Sentence(messages.USAGE_HIDDEN),)
    return (Sentence(messages.USAGE_SERVER),)

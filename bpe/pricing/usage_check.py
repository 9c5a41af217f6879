"""Our count of a request and its answer beside what a vendor's ``usage`` object says it billed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bpe.errors import BPEError, Sentence
from bpe.pricing import messages
from bpe.pricing.bill import Cost, Terms, Usage, at_one_moment, cost
from bpe.pricing.count import TokenCount
from bpe.pricing.model_table import Model
from bpe.pricing.requests import Exactness, RequestCount

Shape = Literal["OpenAI", "Anthropic", "Gemini", "DeepSeek"]
"""Whose form a usage object has; Qwen and GLM send OpenAI's, or its newer one."""


@dataclass(frozen=True, slots=True)
class Reported:
    """What a usage object says: ``input`` and ``output`` are all that is billed as such."""

    shape: Shape
    input: int
    output: int
    cached: int = 0
    written: int = 0
    reasoning: int = 0

    def __post_init__(self) -> None:
        if self.cached + self.written > self.input or self.reasoning > self.output:
            raise BPEError("The usage object contradicts itself: a part is more than the whole.")

    @property
    def visible(self) -> int:
        """The output that one can read."""
        return self.output - self.reasoning


def read_usage(usage: Mapping[str, Any]) -> Reported:
    """Return what a usage object says, whichever vendor's form it has.

    >>> read_usage({"input_tokens": 5, "cache_read_input_tokens": 90, "output_tokens": 7}).input
    95
    """
    usage = _inner(usage)
    if "promptTokenCount" in usage:
        thoughts = _number(usage, "thoughtsTokenCount")
        return Reported(
            "Gemini",
            _number(usage, "promptTokenCount") + _number(usage, "toolUsePromptTokenCount"),
            _number(usage, "candidatesTokenCount") + thoughts,
            cached=_number(usage, "cachedContentTokenCount"),
            reasoning=thoughts,
        )
    if "cache_read_input_tokens" in usage or "cache_creation_input_tokens" in usage:
        cached, written = (
            _number(usage, f"cache_{kind}_input_tokens") for kind in ("read", "creation")
        )
        total = _number(usage, "input_tokens") + cached + written
        return Reported("Anthropic", total, _number(usage, "output_tokens"), cached, written)
    asked, answered = ("prompt", "completion") if "prompt_tokens" in usage else ("input", "output")
    if f"{asked}_tokens" not in usage:
        raise BPEError(
            "This is not a usage object that we know: it must have “prompt_tokens”, "
            "“input_tokens” or “promptTokenCount”."
        )
    cached = _number(_part(usage, f"{asked}_tokens_details"), "cached_tokens")
    shape: Shape = "DeepSeek" if "prompt_cache_hit_tokens" in usage else "OpenAI"
    return Reported(
        shape,
        _number(usage, f"{asked}_tokens"),
        _number(usage, f"{answered}_tokens"),
        cached=cached or _number(usage, "prompt_cache_hit_tokens"),
        reasoning=_number(_part(usage, f"{answered}_tokens_details"), "reasoning_tokens"),
    )


def _inner(usage: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the usage object within a whole answer of an API."""
    for name in ("usage", "usageMetadata"):
        if isinstance(usage.get(name), Mapping):
            inner: Mapping[str, Any] = usage[name]
            return inner
    return usage


def _part(usage: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = usage.get(name)
    return found if isinstance(found, Mapping) else {}


def _number(usage: Mapping[str, Any], name: str) -> int:
    found = usage.get(name) or 0
    if isinstance(found, bool) or not isinstance(found, int) or found < 0:
        raise BPEError("“{name}” of a usage object must be a whole number.", name=name)
    return found


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

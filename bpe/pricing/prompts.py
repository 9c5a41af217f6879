"""Prompts: in Chinese and in English, and many at once.

Prompt and answer are priced apart: output costs several times as much as input, so the language of
the answer often matters more. Reading files and counting are elsewhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, Protocol

from bpe.analysis.metrics import percentile
from bpe.errors import BPEError, Sentence
from bpe.pricing.bill import Terms, Usage, at_one_moment, cost
from bpe.pricing.model_table import Model

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, Language] = ("zh", "en")


@dataclass(frozen=True, slots=True)
class Texts:
    """Tokens of a prompt and of an answer in one language."""

    prompt: int
    answer: int = 0


class Request(Protocol):
    """One request, or the average one of a month."""

    @property
    def total(self) -> Decimal: ...
    @property
    def fits(self) -> bool | None: ...
    @property
    def notes(self) -> tuple[Sentence, ...]: ...


@dataclass(frozen=True, slots=True)
class LanguageCosts:
    """The cost of ``requests`` requests for each language of prompt and answer.

    Money is in the currency of the model's prices.
    """

    model: Model
    zh: Texts
    en: Texts
    requests: int | Decimal
    bills: tuple[tuple[Language, Language, Request], ...]
    """One request of each language of prompt and answer."""

    def bill(self, prompt: Language, answer: Language | None = None) -> Request:
        """Return one request with prompt and answer (default: the same) in these languages."""
        wanted = (prompt, answer or prompt)
        return next(bill for asked, given, bill in self.bills if (asked, given) == wanted)

    def cost(self, prompt: Language, answer: Language | None = None) -> Decimal:
        return self.requests * self.bill(prompt, answer).total

    @property
    def fits(self) -> bool | None:
        """Whether all these requests fit the model's window; a vendor refuses those that do not."""
        known = {bill.fits for _asked, _given, bill in self.bills}
        return None if None in known else False not in known

    @property
    def notes(self) -> tuple[Sentence, ...]:
        """What is to be said about these bills, each sentence once."""
        return tuple({note: None for _asked, _given, bill in self.bills for note in bill.notes})

    @property
    def cheaper(self) -> Language | None:
        """The language in which prompt and answer together cost less; ``None`` if equal."""
        zh, en = self.cost("zh"), self.cost("en")
        return None if zh == en else "zh" if zh < en else "en"

    @property
    def saving(self) -> Decimal:
        """What the cheaper language saves, for all requests."""
        return abs(self.cost("zh") - self.cost("en"))

    @property
    def saving_share(self) -> Decimal:
        """The saving as a share of the more expensive language's cost."""
        higher = max(self.cost("zh"), self.cost("en"))
        return self.saving / higher if higher else Decimal(0)


def compare_languages(
    model: Model,
    zh: Texts,
    en: Texts,
    terms: Terms | None = None,
    *,
    requests: int = 1000,
    reasoning_tokens: int = 0,
) -> LanguageCosts:
    """Return what the same meaning costs in either language, each answer after equal reasoning."""
    if requests < 0:
        raise BPEError("A number of requests cannot be negative: {count}.", count=requests)
    terms = at_one_moment(terms)
    texts = {"zh": zh, "en": en}
    bills = tuple(
        (asked, given, cost(model, usage, terms))
        for asked in LANGUAGES
        for given in LANGUAGES
        for usage in [
            Usage(
                texts[asked].prompt,
                output_tokens=texts[given].answer,
                reasoning_tokens=reasoning_tokens,
            )
        ]
    )
    return LanguageCosts(model, zh, en, requests, bills)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a column of token counts comes to. ``over`` has the row numbers, from 0, past ``limit``.

    All numbers of an empty column are 0.
    """

    rows: int
    total: int
    mean: Decimal
    p50: int
    p95: int
    longest: int
    limit: int | None
    over: tuple[int, ...]


def summarise(counts: Sequence[int], *, limit: int | None = None) -> Summary:
    """Return totals, median, 95th percentile and the rows with more than ``limit`` tokens."""
    for count in counts:
        Usage(count)
    ordered = sorted(counts)
    total = sum(ordered)
    over = () if limit is None else tuple(i for i, count in enumerate(counts) if count > limit)
    return Summary(
        len(ordered), total, Decimal(total) / (len(ordered) or 1),
        percentile(ordered, 50), percentile(ordered, 95), ordered[-1] if ordered else 0,
        limit, over,
    )  # fmt: skip


def row_costs(
    model: Model,
    counts: Iterable[int],
    terms: Terms | None = None,
    *,
    output_tokens: int = 0,
    reasoning_tokens: int = 0,
    batch: bool = False,
) -> list[Decimal]:
    """Return what each row costs, with the same length of answer and reasoning for all."""
    terms = at_one_moment(terms)
    usages = (Usage(count, 0, 0, output_tokens, reasoning_tokens) for count in counts)
    return [cost(model, usage, terms, batch=batch).total for usage in usages]

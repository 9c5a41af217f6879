"""How long the texts are for each model, and what they cost in either language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from bpe import pricing
from bpe.pricing import BEIJING, LANGUAGES, Language, LanguageCosts, Model, Texts, TokenCount
from bpe.text.digests import digest
from playground.cost import counting
from playground.cost.context import PricingContext
from playground.cost.counting import CountColumn
from playground.cost.languages.inputs import Inputs, PairFile, TextOrLength


@dataclass(frozen=True)
class Length:
    """The tokens of a text for a model (of many texts: their mean), and the range they are in."""

    tokens: int
    low: int
    high: int
    total: int
    """All tokens, where ``tokens`` is a mean."""
    counted: TokenCount | CountColumn | None = None
    """Where it comes from; ``None`` if it was typed."""

    @property
    def uncertainty(self) -> float:
        return (self.high - self.low) / (self.tokens or 1)


Lengths = Mapping[Language, Mapping[str, Length]]
"""By language, and then by the id of a model."""


@dataclass(frozen=True)
class ModelComparison:
    """A model with the lengths of its texts, and the costs at, below and above its counts."""

    model: Model
    prompts: Mapping[Language, Length]
    answers: Mapping[Language, Length]
    frame: int | None
    """Tokens that a chat adds, where it is asked for and its rule is known."""
    costs: LanguageCosts
    low: LanguageCosts
    high: LanguageCosts

    @property
    def surely_differs(self) -> bool:
        """Whether one language costs less for all counts within their ranges."""
        return bool(
            self.low.cost("zh") > self.high.cost("en") or self.low.cost("en") > self.high.cost("zh")
        )

    @property
    def is_unsure(self) -> bool:
        """Whether the ranges of the estimates overlap: either language may cost less."""
        exact = all(self.low.cost(code) == self.high.cost(code) for code in LANGUAGES)
        return not (exact or self.surely_differs)

    @property
    def premium(self) -> Decimal | None:
        zh, en = self.prompts["zh"].total, self.prompts["en"].total
        return Decimal(zh) / en if en else None

    @property
    def worse_count(self) -> Length:
        return max((self.prompts[code] for code in LANGUAGES), key=lambda found: found.uncertainty)


def compare(context: PricingContext, inputs: Inputs) -> list[ModelComparison]:
    if isinstance(inputs.prompts, PairFile):
        prompts = mean_lengths(inputs.models, inputs.prompts)
    else:
        prompts = _lengths(inputs.models, inputs.prompts)
    answers = _lengths(inputs.models, inputs.answers)
    return [compared(context, model, prompts, answers, inputs) for model in inputs.models]


def mean_lengths(models: Sequence[Model], file: PairFile) -> Lengths:
    """Return the mean lengths of the pairs, of as many as are counted in both languages."""
    texts = [text for pair in file.pairs for text in pair]
    columns = counting.count_many(models, texts, f"pairs-{digest(texts)}")
    pairs = counting.number_counted(columns) // 2
    return {
        language: {
            name: mean_of(column.sliced(slice(place, 2 * pairs, 2)))
            for name, column in columns.items()
        }
        for place, language in enumerate(LANGUAGES)
    }


def compared(
    context: PricingContext, model: Model, prompts: Lengths, answers: Lengths, inputs: Inputs
) -> ModelComparison:
    """Price the lengths of a model's texts: at the counts, and at both ends of their ranges."""
    frame = pricing.frame_tokens(model, inputs.messages) if inputs.messages else None
    asked = {code: prompts[code][model.id] for code in LANGUAGES}
    answered = {code: answers[code][model.id] for code in LANGUAGES}

    def costs(end: Literal["tokens", "low", "high"]) -> LanguageCosts:
        zh, en = (
            Texts(getattr(asked[code], end) + (frame or 0), getattr(answered[code], end))
            for code in LANGUAGES
        )
        if inputs.month:
            return pricing.compare_months(
                *(model, zh, en, inputs.month(model)),
                on=context.when.astimezone(BEIJING).date(),
                overrides=context.overrides.get(model.id),
            )
        return pricing.compare_languages(
            model,
            zh,
            en,
            requests=inputs.requests,
            reasoning_tokens=inputs.reasoning,
            terms=context.terms(model),
        )

    return ModelComparison(
        model, asked, answered, frame, costs("tokens"), costs("low"), costs("high")
    )


def _lengths(models: Sequence[Model], texts: Mapping[Language, TextOrLength]) -> Lengths:
    return {language: length(models, texts[language]) for language in LANGUAGES}


def length(models: Sequence[Model], text: TextOrLength) -> dict[str, Length]:
    """Return how long a text, or a length that was typed, is for each model."""
    if isinstance(text, int):
        return {model.id: Length(text, text, text, text) for model in models}
    return {
        name: Length(counted.tokens, counted.low, counted.high, counted.tokens, counted)
        for name, counted in counting.count(models, text).items()
    }


def mean_of(column: CountColumn) -> Length:
    number = len(column) or 1

    def mean(counts: Sequence[int]) -> int:
        return (2 * sum(counts) + number) // (2 * number)

    return Length(
        mean(column.tokens),
        mean(column.low),
        mean(column.high),
        sum(column.tokens),
        column,
    )

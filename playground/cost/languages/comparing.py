"""How long the texts are for each model, and what they cost in each language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import regex

from bpe import pricing
from bpe.documents import samples
from bpe.pricing import BEIJING, Cost, Count, Model, Sentence, TrafficCost, Usage, messages
from playground.cost import counting
from playground.cost.languages.inputs import Content, Inputs, units
from playground.cost.price_settings import PricingContext
from playground.text_pair import Language
from playground.ui.i18n import _

Lengths = Mapping[Language, Mapping[str, Count]]
"""By language, and then by the id of a model."""
Range = tuple[Decimal, Decimal, Decimal]
"""Money at the low end of the counts, at the counts, and at the high end."""


@dataclass(frozen=True)
class Comparison:
    """A model with the lengths of its texts, and what all requests cost.

    ``ranges`` and ``bills`` are by the language of prompt and answer.
    """

    model: Model
    prompts: Mapping[Language, Count]
    answers: Mapping[Language, Count]
    ranges: Mapping[Language, Range]
    bills: Mapping[Language, Cost | TrafficCost]

    @property
    def languages(self) -> tuple[Language, ...]:
        return tuple(self.prompts)

    @property
    def premium(self) -> Decimal | None:
        """The tokens in Chinese for each in English."""
        zh, en = (count.tokens if (count := self.prompts.get(code)) else 0 for code in ("zh", "en"))
        return Decimal(zh) / en if zh and en else None

    def cost(self, code: Language) -> Decimal:
        return self.ranges[code][1]

    @property
    def cheaper(self) -> Language | None:
        """The language in which prompt and answer together cost less; ``None`` if about equal."""
        if len(self.languages) < 2 or abs(self.change) < Decimal("0.005"):
            return None
        return "zh" if self.change < 0 else "en"

    @property
    def change(self) -> Decimal:
        """How much more Chinese costs than English, as a share; 0 where nothing is compared."""
        if len(self.languages) < 2 or not self.cost("en"):
            return Decimal(0)
        return self.cost("zh") / self.cost("en") - 1

    @property
    def saving(self) -> Decimal:
        return abs(self.cost("zh") - self.cost("en"))

    @property
    def fits(self) -> bool | None:
        """Whether all these requests fit the model's window; a vendor refuses those that do not."""
        outcomes = {bill.fits for bill in self.bills.values()}
        return False if False in outcomes else None if None in outcomes else True

    @property
    def notes(self) -> tuple[Sentence, ...]:
        return tuple({note: None for bill in self.bills.values() for note in bill.notes})

    @property
    def is_unsure(self) -> bool:
        """Whether the ranges of the estimates overlap: either language may cost less."""
        if len(self.languages) < 2:
            return False
        (low, _zh, high), (other_low, _en, other_high) = self.ranges["zh"], self.ranges["en"]
        exact = low == high and other_low == other_high
        return not exact and low <= other_high and other_low <= high

    @property
    def worse_count(self) -> Count:
        return max(self.prompts.values(), key=lambda count: count.uncertainty)


def compare(context: PricingContext, inputs: Inputs) -> list[Comparison]:
    prompts, answers = (
        {code: length(inputs.models, content, code) for code, content in contents.items()}
        for contents in (inputs.prompts, inputs.answers)
    )
    return [compared(context, model, prompts, answers, inputs) for model in inputs.models]


def length(models: Sequence[Model], content: Content, code: Language) -> Mapping[str, Count]:
    """Return how long a text, or a length that was typed, is for each model."""
    if isinstance(content, int):
        return {model.id: Count.exactly(content) for model in models}
    if isinstance(content, str):
        return counting.count(models, content)
    number, unit = content
    zh, en = ("\n".join(getattr(pair, side) for pair in samples.pairs()) for side in ("zh", "en"))
    of_samples = len(regex.findall(r"\p{Han}", zh)) if unit == "hanzi" else len(en.split())
    method = Sentence.of(messages.METHOD_BY_LENGTH, length=f"{number:,} {units()[unit]}")
    return {
        name: replace(count.scaled(Decimal(number) / of_samples), method=method)
        for name, count in counting.count(models, zh if code == "zh" else en).items()
    }


def compared(
    context: PricingContext, model: Model, prompts: Lengths, answers: Lengths, inputs: Inputs
) -> Comparison:
    """Price the lengths of a model's texts: at the counts, and at both ends of their ranges."""
    prompt_counts = {code: counts[model.id] for code, counts in prompts.items()}
    answer_counts = {code: counts[model.id] for code, counts in answers.items()}
    ranges: dict[Language, Range] = {}
    bills: dict[Language, Cost | TrafficCost] = {}
    times = 1 if inputs.traffic else inputs.requests
    day = context.when.astimezone(BEIJING).date()
    for code, prompt in prompt_counts.items():
        usages = [
            Usage(
                getattr(prompt, end),
                output_tokens=getattr(answer_counts[code], end),
                reasoning_tokens=inputs.reasoning,
            )
            for end in ("low", "tokens", "high")
        ]
        low, bills[code], high = (
            pricing.traffic_cost(model, usage, inputs.traffic(model), on=day)
            if inputs.traffic
            else pricing.cost(model, usage, context.terms)
            for usage in usages
        )
        ranges[code] = low.total * times, bills[code].total * times, high.total * times
    return Comparison(model, prompt_counts, answer_counts, ranges, bills)


def badge(count: Count) -> str:
    """Return whether a length is exact; of one in characters or words that it is one."""
    if count.method is not None and count.method.template == messages.METHOD_BY_LENGTH:
        return _("by length")
    return counting.badge(count)

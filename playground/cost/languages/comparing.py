"""What the same meaning costs on a model in either language, and what an estimate leaves open."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from bpe import pricing
from bpe.pricing import Languages, Model, Texts
from bpe.pricing.languages import LANGUAGES, Language
from playground.cost.desk import Desk
from playground.cost.languages.lengths import Length, Lengths


@dataclass(frozen=True)
class Row:
    """A model with the lengths of its prompts, and costs at, below and above its counts."""

    model: Model
    prompts: Mapping[Language, Length]
    answers: Mapping[Language, Length]
    frame: int | None
    """Tokens that a chat adds, where it is asked for and its rule is known."""
    costs: Languages
    low: Languages
    high: Languages

    @property
    def surely_differs(self) -> bool:
        """Whether one language costs less wherever in their ranges the counts really are."""
        return bool(
            self.low.cost("zh") > self.high.cost("en") or self.low.cost("en") > self.high.cost("zh")
        )

    @property
    def premium(self) -> Decimal | None:
        """Chinese prompt tokens for each English one."""
        zh, en = self.prompts["zh"].total, self.prompts["en"].total
        return Decimal(zh) / en if en else None

    @property
    def worse_count(self) -> Length:
        """The prompt whose count is less certain."""
        return max((self.prompts[code] for code in LANGUAGES), key=lambda found: found.uncertainty)


def compare(
    desk: Desk, model: Model, prompts: Lengths, answers: Lengths, *, requests: int, messages: int
) -> Row:
    """Return what ``requests`` of these lengths cost, each a chat of ``messages`` (0: none)."""
    overhead = pricing.chat_overhead(model, messages) if messages else None
    frame = overhead.tokens if overhead else None
    asked = {code: prompts[code][model.id] for code in LANGUAGES}
    answered = {code: answers[code][model.id] for code in LANGUAGES}

    def costs(end: Literal["tokens", "low", "high"]) -> Languages:
        zh, en = (
            Texts(getattr(asked[code], end) + (frame or 0), getattr(answered[code], end))
            for code in LANGUAGES
        )
        return pricing.compare_languages(model, zh, en, requests=requests, **desk.terms(model))

    return Row(model, asked, answered, frame, costs("tokens"), costs("low"), costs("high"))

"""The same meaning in Chinese and English on one model: which language costs less, and by how much.

Prompt and answer are priced apart: output costs several times as much as input, so the language of
the answer often matters more.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal

from bpe.errors import BPEError
from bpe.pricing.call import Overrides, Usage, cost
from bpe.pricing.records import Model

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, Language] = ("zh", "en")


@dataclass(frozen=True, slots=True)
class Texts:
    """Tokens of a prompt and of an answer in one language."""

    prompt: int
    answer: int = 0


@dataclass(frozen=True, slots=True)
class Languages:
    """The cost of ``requests`` requests in US dollars, for each language of prompt and answer."""

    model: Model
    zh: Texts
    en: Texts
    requests: int
    costs: tuple[tuple[Language, Language, Decimal], ...]

    def cost(self, prompt: Language, answer: Language | None = None) -> Decimal:
        """Return the cost with the prompt and the answer (default: the same) in these languages."""
        wanted = (prompt, answer or prompt)
        return next(money for asked, given, money in self.costs if (asked, given) == wanted)

    @property
    def cheaper(self) -> Language | None:
        """The language in which prompt and answer together cost less; ``None`` if equal."""
        zh, en = self.cost("zh"), self.cost("en")
        return None if zh == en else "zh" if zh < en else "en"

    @property
    def saving(self) -> Decimal:
        """What the cheaper language saves, in US dollars for all requests."""
        return abs(self.cost("zh") - self.cost("en"))

    @property
    def saving_share(self) -> Decimal:
        """The saving as a share of the dearer language's cost."""
        dearer = max(self.cost("zh"), self.cost("en"))
        return self.saving / dearer if dearer else Decimal(0)


def compare_languages(
    model: Model,
    zh: Texts,
    en: Texts,
    *,
    requests: int = 1000,
    when: datetime | None = None,
    overrides: Overrides | None = None,
    free_weekends: bool = False,
) -> Languages:
    """Return what the same meaning costs in either language; the options are those of `cost`."""
    if requests < 0:
        raise BPEError("A number of requests cannot be negative: {count}.", count=requests)
    moment = when or datetime.now().astimezone()
    by_language = {"zh": zh, "en": en}
    costs = tuple(
        (
            asked,
            given,
            requests
            * cost(
                model,
                Usage(by_language[asked].prompt, output_tokens=by_language[given].answer),
                when=moment,
                overrides=overrides,
                free_weekends=free_weekends,
            ).total,
        )
        for asked in LANGUAGES
        for given in LANGUAGES
    )
    return Languages(model, zh, en, requests, costs)

"""How much of a model's context window a text takes, and how much more would fit."""

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

from bpe.errors import BPEError
from bpe.pricing.bill import Usage
from bpe.pricing.model_table import Model

HANZI_PER_PAGE = 800
"""汉字 on a page: 20 lines of 40, an ordinary printed page. A convention."""
WORDS_PER_PAGE = 500
"""English words on a page: single-spaced A4 or Letter at 12 points. A convention, too."""


@dataclass(frozen=True, slots=True)
class Gauge:
    """A window and what fills it, in tokens; ``window`` is ``None`` if it is unknown.

    ``reserved`` stays free for the answer.
    """

    window: int | None
    used: int
    reserved: int
    most_input: int | None = None
    """What the text alone may have, where that is less than the window."""

    @property
    def share(self) -> Decimal | None:
        """The used share of the window; more than 1 where the text does not fit."""
        return None if self.window is None else Decimal(self.used) / self.window

    @property
    def most(self) -> int | None:
        """The longest text that fits."""
        if self.window is None:
            return None
        return min(self.window - self.reserved, self.most_input or self.window)

    @property
    def free(self) -> int | None:
        """Tokens still free beside the reserve, at least 0."""
        return None if self.most is None else max(0, self.most - self.used)

    @property
    def fits(self) -> bool | None:
        return None if self.most is None else self.used <= self.most


@dataclass(frozen=True, slots=True)
class Remaining:
    """What fits in the free tokens, rounded down: either 汉字 **or** English words, not both."""

    tokens: int
    hanzi: int
    words: int
    zh_pages: Decimal
    en_pages: Decimal


def gauge(model: Model, tokens: int, *, reserve: int = 0) -> Gauge:
    Usage(tokens, output_tokens=reserve)
    return Gauge(model.context_window, tokens, reserve, model.max_input)


def remaining(tokens: int, *, tokens_per_hanzi: Decimal, tokens_per_word: Decimal) -> Remaining:
    """Return what fits in ``tokens``, by rates **measured** with that model's tokenizer.

    Pages are given to a tenth.
    """
    for rate in (tokens_per_hanzi, tokens_per_word):
        if not rate > 0:
            raise BPEError("A rate must be more than zero, not {rate}.", rate=rate)
    hanzi = int(tokens / tokens_per_hanzi)
    words = int(tokens / tokens_per_word)
    pages = _pages(hanzi, HANZI_PER_PAGE), _pages(words, WORDS_PER_PAGE)
    return Remaining(tokens, hanzi, words, *pages)


def _pages(units: int, per_page: int) -> Decimal:
    return (Decimal(units) / per_page).quantize(Decimal("0.1"), ROUND_FLOOR)

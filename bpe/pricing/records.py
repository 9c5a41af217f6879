"""What is known about one model: who sells it, what it costs, what it holds, how it is counted.

Only the value. The table of all models is in ``price_table.py``.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from bpe.pricing.rates import Prices
from bpe.pricing.sentence import Sentence
from bpe.pricing.vocabularies import Exactness


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fact is from, and on which day it was true there."""

    url: str
    date: date


@dataclass(frozen=True, slots=True)
class Published:
    """Prices per million tokens in the currency in which the vendor publishes them."""

    currency: str
    input: Decimal
    cached_input: Decimal | None
    output: Decimal
    source: Source


@dataclass(frozen=True, slots=True)
class Model:
    """A model as one provider sells it.

    ``id`` is ``provider/ref``, where ``ref`` is the provider's own name for the model.
    ``country`` is the vendor's home and ``region`` where this price list holds (a message id).
    ``context_window`` and ``max_output`` are in tokens; ``None`` means that we do not know.
    ``tokenizer`` is the model's encoding, or ``None``: then ``stand_in`` names the encoding that
    the estimate starts from and ``calibration`` its ratios. ``reason`` says why (a message id).
    ``price_date`` is the day of the price list; ``comments`` are quoted from it, in English;
    ``notes`` are ours. ``ended`` is the reason why the model is hidden by default, or ``None``.
    """

    id: str
    ref: str
    name: str
    vendor: str
    provider: str
    country: str
    region: str
    prices: Prices
    tokenizer: str | None
    exactness: Exactness
    reason: str
    price_date: date
    sources: tuple[str, ...]
    stand_in: str | None = None
    calibration: str | None = None
    open_weights: bool | None = None
    context_window: int | None = None
    max_output: int | None = None
    limits_source: Source | None = None
    ended: str | None = None
    comments: tuple[str, ...] = ()
    notes: tuple[Sentence, ...] = ()
    published: Published | None = None
    weekends_off_peak_from: date | None = None

    @property
    def deprecated(self) -> bool:
        """Whether the model is hidden unless one asks for it."""
        return self.ended is not None


STALE_AFTER_DAYS = 30


def age_in_days(model: Model, today: date) -> int:
    """Return how old the model's price is on that day, at least 0."""
    return max(0, (today - model.price_date).days)


def is_stale(model: Model, today: date) -> bool:
    """Return whether the price is older than :data:`STALE_AFTER_DAYS` days."""
    return age_in_days(model, today) > STALE_AFTER_DAYS

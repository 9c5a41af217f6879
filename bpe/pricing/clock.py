"""Hours of the day with different prices, told in Beijing time.

Only DeepSeek has such prices now. Which hours are dear is read from the price rules themselves;
known here besides is only the time zone. Chinese public holidays are not known: DeepSeek says that
they are off-peak too.
"""

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Literal

from bpe.pricing.rates import Rate, Rates
from bpe.pricing.records import Model

Band = Literal["peak", "off-peak"]

BEIJING = timezone(timedelta(hours=8), "Asia/Shanghai")
"""Beijing time; China has had no summer time since 1991."""


def has_hours(model: Model) -> bool:
    """Return whether the model's price depends on the hour."""
    return any(rule.daily is not None for rule in model.prices.standard)


def band_at(model: Model, when: datetime) -> Band | None:
    """Return which price holds then by the price list, or ``None`` where hours do not matter.

    The list knows hours but not days: on weekends see :func:`is_free_weekend`.
    """
    if not has_hours(model):
        return None
    here = _level(model.prices.at(when))
    usual = _level(model.prices.at(when, daily=False))
    return "peak" if here > usual else "off-peak"


def peak_hours(model: Model) -> tuple[tuple[time, time], ...]:
    """Return the dear hours in Beijing time, in order: ``((09:00, 12:00), (14:00, 18:00))``."""
    return tuple(
        sorted(
            (_beijing(rule.daily[0]), _beijing(rule.daily[1]))
            for rule in model.prices.standard
            if rule.daily is not None
        )
    )


def is_free_weekend(model: Model, when: datetime) -> bool:
    """Return whether the vendor bills that moment off-peak because it is Saturday or Sunday."""
    since = model.weekends_off_peak_from
    here = (when.replace(tzinfo=UTC) if when.tzinfo is None else when).astimezone(BEIJING)
    return since is not None and here.date() >= since and here.weekday() >= 5


def moment_in(model: Model, band: Band, day: date) -> datetime | None:
    """Return the first full hour of a Beijing day with that price, or ``None`` if it has none."""
    for hour in range(24):
        moment = datetime.combine(day, time(hour), BEIJING)
        if band_at(model, moment) == band:
            return moment
    return None


def _level(rates: Rates) -> Decimal:
    return sum((_base(rate) for rate in (rates.input, rates.output)), Decimal(0))


def _base(rate: Rate | None) -> Decimal:
    return Decimal(0) if rate is None else rate.base


def _beijing(moment: time) -> time:
    return datetime.combine(date(2026, 1, 1), moment, UTC).astimezone(BEIJING).time()

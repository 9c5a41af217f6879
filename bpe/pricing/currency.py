"""US dollars and yuan: a dated rate that the reader can change, and money as text.

All amounts are US dollars until shown. Nothing here fetches a rate.
"""

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from bpe.errors import BPEError
from bpe.pricing import words
from bpe.pricing.own import facts
from bpe.pricing.traffic import Number, as_decimal

Currency = Literal["USD", "CNY"]
SIGNS: dict[Currency, str] = {"USD": "$", "CNY": "¥"}


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """How many yuan a US dollar is, on which day, and by whom.

    ``source`` is an address, or ``None`` for a rate entered by hand; ``note`` is a message id.
    """

    cny_per_usd: Decimal
    date: date
    source: str | None
    note: str

    def convert(self, dollars: Decimal, currency: Currency) -> Decimal:
        """Return an amount of US dollars in that currency, unrounded."""
        return dollars * self.cny_per_usd if currency == "CNY" else dollars


def example_rate() -> ExchangeRate:
    """Return the rate by which the price list itself converts: an example, not a quotation."""
    given = facts()["currency"]
    rate = Decimal(given["cny_per_usd"])
    return ExchangeRate(rate, given["date"], given["source"], words.EXAMPLE_RATE)


def own_rate(cny_per_usd: Number, day: date) -> ExchangeRate:
    """Return a rate entered by hand."""
    rate = as_decimal(cny_per_usd)
    if not 0 < rate < 1000:
        raise BPEError(
            "A dollar must be more than 0 and less than 1000 yuan, not {rate}.", rate=rate
        )
    return ExchangeRate(rate, day, None, words.OWN_RATE)


def money_text(amount: Decimal, currency: Currency = "USD") -> str:
    """Return money for display: two decimals, or three significant digits below one.

    >>> money_text(Decimal("1234.567"))
    '$1,234.57'
    >>> money_text(Decimal("0.0012345"), "CNY")
    '¥0.00123'
    >>> money_text(Decimal("-0.5"))
    '-$0.50'
    """
    sign = "-" if amount < 0 else ""
    size = abs(amount)
    places = 2 if size >= 1 or not size else max(2, 2 - size.adjusted())
    rounded = size.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    text = f"{rounded:,f}"
    whole, _, decimals = text.partition(".")
    return f"{sign}{SIGNS[currency]}{whole}.{decimals.rstrip('0').ljust(2, '0')}"

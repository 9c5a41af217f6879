"""Numbers as a form gives them, US dollars and yuan, and money as text.

The exchange rate is dated and can be replaced by the reader's own; nothing here fetches one.
"""

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from bpe.errors import BPEError
from bpe.pricing import messages

Number = Decimal | int | float | str
"""What a form may give. It is read by its decimal digits: ``0.1`` is a tenth, not a float's."""

Currency = Literal["USD", "CNY"]
SIGNS: dict[Currency, str] = {"USD": "$", "CNY": "¥"}


def as_decimal(value: Number) -> Decimal:
    """Return a number as its decimal digits say; anything else raises :class:`BPEError`."""
    try:
        number = value if isinstance(value, Decimal) else Decimal(str(value))
    except ArithmeticError:
        raise BPEError("“{value}” is not a number.", value=value) from None
    if not number.is_finite():
        raise BPEError("“{value}” is not a number.", value=value)
    return number


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """How many yuan a US dollar is, on which day, and by whom.

    ``source`` is an address, or ``None`` for a rate entered by hand; ``note`` is a message id.
    """

    cny_per_usd: Decimal
    date: date
    source: str | None
    note: str

    def convert(self, amount: Decimal, source: Currency, target: Currency) -> Decimal:
        """Return an amount of one currency in the other, unrounded."""
        if source == target:
            return amount
        return amount * self.cny_per_usd if target == "CNY" else amount / self.cny_per_usd


def own_rate(cny_per_usd: Number, day: date) -> ExchangeRate:
    rate = as_decimal(cny_per_usd)
    if not 0 < rate < 1000:
        raise BPEError(
            "A dollar must be more than 0 and less than 1000 yuan, not {rate}.", rate=rate
        )
    return ExchangeRate(rate, day, None, messages.OWN_RATE)


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

"""Money in the reader's currency: as words, as a table column, as a number for a chart.

Amounts are US dollars in ``Decimal`` up to here, and are rounded here only.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from math import floor, log10
from typing import Any

import streamlit as st

from bpe.pricing import Currency, ExchangeRate, money_text
from bpe.pricing.currency import SIGNS
from playground.ui.i18n import _, plain


@dataclass(frozen=True)
class Money:
    """A currency, and the rate by which dollars become it."""

    currency: Currency
    rate: ExchangeRate

    @property
    def sign(self) -> str:
        """The sign before an amount."""
        return SIGNS[self.currency]

    @property
    def name(self) -> str:
        """What the currency is called."""
        return _("yuan") if self.currency == "CNY" else _("US dollars")

    def amount(self, dollars: Decimal) -> Decimal:
        """Return an amount of dollars in this currency, unrounded."""
        return self.rate.convert(dollars, self.currency)

    def dollars(self, amount: Decimal) -> Decimal:
        """Return an amount of this currency in dollars."""
        return amount / self.rate.cny_per_usd if self.currency == "CNY" else amount

    def number(self, dollars: Decimal) -> float:
        """Return an amount as a chart or a table takes it, for display only."""
        return float(self.amount(dollars))

    def text(self, dollars: Decimal) -> str:
        """Return money as plain text."""
        return money_text(self.amount(dollars), self.currency)

    def words(self, dollars: Decimal) -> str:
        """Return money for a place that renders Markdown, where a dollar sign begins a formula."""
        return plain(self.text(dollars))

    def column(self, label: str, values: Iterable[float], **more: Any) -> Any:
        """Return a table column of money, with three digits of the smallest amount in it."""
        sizes = [abs(value) for value in values if value]  # NaN is not zero, and has no size
        smallest = min((size for size in sizes if size == size), default=1.0)
        places = min(max(2, 2 - floor(log10(smallest))), 8) if smallest < 1 else 2
        return st.column_config.NumberColumn(label, format=f"{self.sign}%,.{places}f", **more)

"""What every price on the page depends on: price list, changed prices, currency, and the moment.

Only the value, and what of it lives in the session; the fields are in ``price_settings.py``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import cached_property
from math import floor, log10
from typing import Any, TypedDict

import streamlit as st

from bpe.pricing import (
    SIGNS,
    Currency,
    ExchangeRate,
    Model,
    Overrides,
    Table,
    messages,
    money_text,
)
from playground.ui.i18n import _, plain

_OVERRIDES = "changed prices"


def now() -> datetime:
    """Return the present, in UTC; nothing else on the page asks for it."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Money:
    """Money in the reader's currency: as text, as a table column, as a number for a chart.

    Amounts are US dollars in ``Decimal`` up to here, and are rounded here only.
    """

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

    def markdown(self, dollars: Decimal) -> str:
        """Return money for a place that renders Markdown, where a dollar sign begins a formula."""
        return plain(self.text(dollars))

    def column(self, label: str, values: Iterable[float], **more: Any) -> Any:
        """Return a table column of money, with three digits of the smallest amount in it."""
        sizes = [abs(value) for value in values if value]  # NaN is not zero, and has no size
        smallest = min((size for size in sizes if size == size), default=1.0)
        places = min(max(2, 2 - floor(log10(smallest))), 8) if smallest < 1 else 2
        return st.column_config.NumberColumn(label, format=f"{self.sign}%,.{places}f", **more)


class PriceTerms(TypedDict):
    """The keywords of every function that prices something."""

    when: datetime
    overrides: Overrides | None
    free_weekends: bool


@dataclass(frozen=True)
class PricingContext:
    """Everything but texts and models that decides what something costs."""

    table: Table
    overrides: Mapping[str, Overrides]
    money: Money
    when: datetime
    """The moment whose prices count: the present, unless the reader has chosen another."""
    free_weekends: bool
    now: datetime

    def terms(self, model: Model) -> PriceTerms:
        """Return the terms on which requests to this model are priced."""
        return {
            "when": self.when,
            "overrides": self.overrides.get(model.id),
            "free_weekends": self.free_weekends,
        }

    @cached_property
    def names(self) -> Mapping[str, str]:
        """A name for each model by id; those that share one are told apart by their seller.

        Qwen and GLM are sold by two price lists, one for mainland China; Llama by several hosts.
        """
        models = self.table.all_models
        times = Counter(model.name for model in models)
        return {
            model.id: model.name if times[model.name] == 1 else f"{model.name} · {_seller(model)}"
            for model in models
        }


def _seller(model: Model) -> str:
    return _(model.region) if model.region != messages.GLOBAL else model.provider


def overrides() -> dict[str, Overrides]:
    """Return the prices changed in this session, by model."""
    changed: dict[str, Overrides] = st.session_state.setdefault(_OVERRIDES, {})
    return changed


def override(model: Model, changed: Overrides) -> None:
    """Keep the changed prices of a model; without any, its prices are the list's again."""
    if changed:
        overrides()[model.id] = changed
    else:
        overrides().pop(model.id, None)


def forget_overrides() -> None:
    """Return to the prices of the list."""
    st.session_state[_OVERRIDES] = {}

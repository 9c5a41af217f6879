"""The context of every price on the page: price list, currency, and the moment.

Only the value; the fields are in ``price_settings.py``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property
from math import floor, log10
from typing import Any

from bpe.pricing import (
    SIGNS,
    Currency,
    ExchangeRate,
    Model,
    Table,
    Terms,
    messages,
    money_text,
)
from playground.ui import tables
from playground.ui.i18n import _, plain

_FIRST, _LAST = datetime(2, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, tzinfo=UTC)


def now() -> datetime:
    """Return the present, in UTC; the page reads the clock here only.

    That of a clock which is off by ages is moved to where every time zone has it.
    """
    return min(max(datetime.now(UTC), _FIRST), _LAST)


@dataclass(frozen=True)
class Money:
    """Money in the reader's currency: as text, as a table column, as a number for a chart.

    Amounts are in that currency already, in ``Decimal``, and are rounded here only.
    """

    currency: Currency

    @property
    def sign(self) -> str:
        return SIGNS[self.currency]

    @property
    def name(self) -> str:
        return _("yuan") if self.currency == "CNY" else _("US dollars")

    def text(self, amount: Decimal) -> str:
        return money_text(amount, self.currency)

    def markdown(self, amount: Decimal) -> str:
        """Return money for a place that renders Markdown, where a dollar sign begins a formula."""
        return plain(self.text(amount))

    def texts(self, amounts: Sequence[Decimal]) -> list[str]:
        unit = Decimal(1).scaleb(-self._places(map(float, amounts)))
        return [f"{self.sign}{amount.quantize(unit, ROUND_HALF_UP):,f}" for amount in amounts]

    def column(self, label: str, amounts: Sequence[Decimal | None]) -> tuple[Any, list[Any]]:
        """Return a table column of money, with three digits of the smallest amount, and its cells.

        A table rounds the binary digits of a number. What these would round otherwise than
        :meth:`texts` does, such as half a cent, is moved by a trifle.
        """
        places = self._places(float(amount) for amount in amounts if amount is not None)
        unit = Decimal(1).scaleb(-places)

        def cell(amount: Decimal) -> float:
            rounded, value = amount.quantize(unit, ROUND_HALF_UP), float(amount)
            same = f"{value:.{places}f}" == f"{rounded:f}"
            return value if same else value * (1 + 1e-12)

        cells = [None if amount is None else cell(amount) for amount in amounts]
        return tables.number(label, form=f"{self.sign}%,.{places}f"), cells

    @staticmethod
    def _places(values: Iterable[float]) -> int:
        smallest = min((abs(value) for value in values if value), default=1.0)
        return min(max(2, 2 - floor(log10(smallest))), 8) if smallest < 1 else 2


@dataclass(frozen=True)
class PricingContext:
    """Everything but texts and models that decides what something costs."""

    table: Table
    """All models, with their prices in the reader's currency."""
    money: Money
    rate: ExchangeRate
    when: datetime
    """The moment whose prices count: the present, unless the reader has chosen another."""
    free_weekends: bool
    now: datetime

    def terms(self, model: Model) -> Terms:
        return Terms(self.when, self.free_weekends)

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
    if model.region == messages.INTERNATIONAL:
        return _("international")  # in full it would be half of a chart on a phone
    return _(model.region) if model.region != messages.GLOBAL else model.provider

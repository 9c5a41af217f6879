"""The context of every price on the page: price list, currency, rate and moment, and its fields.

The price list is this version's until the reader fetches a newer one, which lives in the session.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property
from math import floor, log10
from typing import Any

import streamlit as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import BEIJING, Currency, ExchangeRate, Model, Table, Terms, messages
from playground.ui import fields, state, tables
from playground.ui.i18n import _, error_text, plain, sentences_joined
from playground.ui.state import Field

_TABLE: Field[Table | None] = Field("price list", None)
_REFRESHED: Field[str | BPEError | None] = Field("what came of fetching prices", None)
_LEAST_RATE, _MOST_RATE = 0.0001, 999.0
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
        return pricing.SIGNS[self.currency]

    @property
    def name(self) -> str:
        return _("yuan") if self.currency == "CNY" else _("US dollars")

    def text(self, amount: Decimal) -> str:
        return pricing.money_text(amount, self.currency)

    def markdown(self, amount: Decimal) -> str:
        """Return money for a place that renders Markdown, where a dollar sign begins a formula."""
        return plain(self.text(amount))

    def texts(self, amounts: Sequence[Decimal]) -> list[str]:
        unit = Decimal(1).scaleb(-self._places(map(float, amounts)))
        return [f"{self.sign}{amount.quantize(unit, ROUND_HALF_UP):,f}" for amount in amounts]

    def column(self, label: str, amounts: Sequence[Decimal | None]) -> tuple[Any, list[Any]]:
        """Return a table column of money, with three digits of the smallest amount, and its cells.

        These are rounded here: a table rounds the binary digits of a number, half a cent otherwise
        than :meth:`texts` does.
        """
        places = self._places(float(amount) for amount in amounts if amount is not None)
        unit = Decimal(1).scaleb(-places)
        cells = [amount and float(amount.quantize(unit, ROUND_HALF_UP)) for amount in amounts]
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

    @property
    def terms(self) -> Terms:
        return Terms(self.when, free_weekends=self.free_weekends)

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


def choose() -> PricingContext:
    present = now()
    with st.popover(_("Currency and prices"), icon=":material/tune:", width="content"):
        currency = fields.segments(_("Currency"), {"USD": "$ USD", "CNY": "¥ CNY"}, key="currency")
        rate = _choose_rate(present)
        when, free_weekends = _choose_moment()
        table = _table()
    money = Money("CNY" if currency == "CNY" else "USD")
    table, when = table.in_currency(money.currency, rate), when or present
    return PricingContext(table, money, rate, when, free_weekends, present)


def say_what_is_special(chosen: PricingContext) -> None:
    sentences = []
    if chosen.money.currency == "CNY":
        sentences.append(
            _(
                "Dollars are converted at {rate} yuan ({date}); prices published in yuan are shown "
                "as published."
            ).format(rate=chosen.rate.cny_per_usd, date=chosen.rate.date)
        )
        sentences.append(_(chosen.rate.note))
    if abs(chosen.when - chosen.now) > timedelta(minutes=5):
        moment = chosen.when.strftime("%Y-%m-%d %H:%M")
        sentences.append(_("Priced as of {moment} in Beijing.").format(moment=moment))
    if sentences:
        st.caption(sentences_joined(*sentences))


def _choose_rate(now: datetime) -> ExchangeRate:
    example = pricing.example_rate()
    usual = float(example.cny_per_usd)
    typed = st.number_input(
        _("Yuan per US dollar"), _LEAST_RATE, _MOST_RATE, usual, step=0.01, format="%.4f",
        **Field("rate", usual, state.number(_LEAST_RATE, _MOST_RATE, float)).bound(),
    )  # fmt: skip
    same = typed is None or pricing.as_decimal(typed) == example.cny_per_usd
    rate = example if same else pricing.own_rate(typed, now.astimezone(BEIJING).date())
    st.caption(_("{date}: {note}").format(date=rate.date, note=_(rate.note)))
    return rate


def _choose_moment() -> tuple[datetime | None, bool]:
    typed = st.datetime_input(
        _("Prices at this moment in Beijing (empty: now)"),
        value=None,
        step=timedelta(minutes=1),
        help=_("DeepSeek's prices depend on the hour, and announced prices on the day."),
        **Field("moment", None, state.moment).bound(),
    )
    free = fields.switch(
        _("DeepSeek's weekends are off-peak"),
        "weekends",
        hint=_(
            "DeepSeek bills Saturdays and Sundays (Beijing time) off-peak all day. The price list "
            "does not know this; without it, weekend costs are an upper bound."
        ),
    )
    return typed.replace(tzinfo=BEIJING) if typed else None, free


def _table() -> Table:
    """Draw the age of the price list and the way to a newer one; return the one in use."""
    if st.button(_("Fetch today's prices"), icon=":material/refresh:", key="refresh"):
        with st.spinner(_("Fetching prices…"), show_time=True):
            try:
                _TABLE.set(fetched := pricing.refresh())
                _REFRESHED.set(_("Now the prices of {date}.").format(date=fetched.date))
            except BPEError as error:
                _REFRESHED.set(error)
    table: Table = _TABLE.get() or pricing.table()
    outcome = _REFRESHED.get()
    if isinstance(outcome, BPEError):
        st.error(error_text(outcome))
    elif outcome:
        st.success(outcome)
    st.caption(_("Price list of {date}.").format(date=table.date))
    return table

"""The fields of the pricing context: currency, exchange rate, moment, and a newer price list.

The price list is this version's until the reader fetches a newer one, which lives in the session.
"""

from datetime import datetime, timedelta
from typing import cast

import streamlit as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import BEIJING, Currency, ExchangeRate, Table
from playground.cost import context
from playground.cost.context import Money, PricingContext
from playground.ui import fields, state
from playground.ui.i18n import _, error_text, sentence, sentences_joined
from playground.ui.state import Field

_TABLE: Field[Table | None] = Field("price list", None)
_ASKED = Field("new prices were asked for", False)
_REFRESHED: Field[str | BPEError | None] = Field("what came of fetching prices", None)
_LEAST_RATE, _MOST_RATE = 0.0001, 999.0


def choose() -> PricingContext:
    now = context.now()
    with st.popover(_("Currency and prices"), icon=":material/tune:", width="content"):
        currency = fields.segments(_("Currency"), {"USD": "$ USD", "CNY": "¥ CNY"}, key="currency")
        rate = _choose_rate(now)
        when, free_weekends = _choose_moment()
        table = _table()
    wanted = cast(Currency, currency)
    return PricingContext(
        table.in_currency(wanted, rate),
        Money(wanted),
        rate,
        when or now,
        free_weekends,
        now,
    )


def say_what_is_special(chosen: PricingContext) -> None:
    sentences = []
    if chosen.money.currency == "CNY":
        sentences.append(
            _(
                "Dollars are converted at {rate} yuan ({date}); prices published in yuan are shown "
                "as published."
            ).format(rate=chosen.rate.cny_per_usd, date=chosen.rate.date)
        )
        sentences.append(sentence(pricing.Sentence(chosen.rate.note)))
    if abs(chosen.when - chosen.now) > timedelta(minutes=5):
        moment = chosen.when.strftime("%Y-%m-%d %H:%M")
        sentences.append(_("Priced as of {moment} in Beijing.").format(moment=moment))
    if sentences:
        st.caption(sentences_joined(*sentences))


def _choose_rate(now: datetime) -> ExchangeRate:
    example = pricing.example_rate()
    typed = st.number_input(
        _("Yuan per US dollar"),
        min_value=_LEAST_RATE,
        max_value=_MOST_RATE,
        value=float(example.cny_per_usd),
        step=0.01,
        format="%.4f",
        **Field("rate", float(example.cny_per_usd), state.real(_LEAST_RATE, _MOST_RATE)).bound(),
    )
    same = typed is None or pricing.as_decimal(typed) == example.cny_per_usd
    rate = example if same else pricing.own_rate(typed, now.astimezone(BEIJING).date())
    st.caption(
        _("{date}: {note}").format(date=rate.date, note=sentence(pricing.Sentence(rate.note)))
    )
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
    st.button(
        _("Fetch today's prices"),
        icon=":material/refresh:",
        key="refresh",
        on_click=_ask_for_prices,
    )
    if _ASKED.get():
        with st.spinner(_("Fetching prices…"), show_time=True):
            _refresh()
        _ASKED.pop()  # not before: a run in between asks again
    table: Table = _TABLE.get() or pricing.table()
    outcome = _REFRESHED.get()
    if isinstance(outcome, BPEError):
        st.error(error_text(outcome))
    elif outcome:
        st.success(outcome)
    st.caption(_("Price list of {date}.").format(date=table.date))
    return table


def _ask_for_prices() -> None:
    _ASKED.set(True)


def _refresh() -> None:
    before: Table = _TABLE.get() or pricing.table()
    try:
        fetched = pricing.refresh()
    except BPEError as error:
        _REFRESHED.set(error)
        return
    listed = {model.id: model for model in before.all_models}
    new = sum(model.id not in listed for model in fetched.all_models)
    both = [model for model in fetched.all_models if model.id in listed]
    changed = sum(listed[model.id].prices != model.prices for model in both)
    _TABLE.set(fetched)
    _REFRESHED.set(
        _("Now the prices of {date}. Changed models: {changed}; new ones: {new}.").format(
            date=fetched.date, changed=changed, new=new
        )
    )

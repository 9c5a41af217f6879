"""What all sections of the cost page share: the price list in use, changed prices, the currency,
and the moment whose prices count.

The price list is this version's until the reader fetches a newer one; that one, and prices changed
by hand, live in the session.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Literal, TypedDict, cast

import streamlit as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import BEIJING, ExchangeRate, Model, Overrides, Table, words
from playground.cost import clock
from playground.cost.money import Money
from playground.ui import settings
from playground.ui.i18n import _, error_text, sentence, sentences_joined

_TABLE = "price list"
_OVERRIDES = "changed prices"
_ASKED = "new prices were asked for"
_REFRESHED = "what came of fetching prices"


class Terms(TypedDict):
    """What pricing takes beside model and tokens."""

    when: datetime
    overrides: Overrides | None
    free_weekends: bool


@dataclass(frozen=True)
class Desk:
    """Everything but texts and models that decides what something costs."""

    table: Table
    overrides: Mapping[str, Overrides]
    money: Money
    when: datetime
    free_weekends: bool

    def terms(self, model: Model) -> Terms:
        """Return by what a call of this model is priced, beside its tokens."""
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
    return _(model.region) if model.region != words.GLOBAL else model.provider


def choose() -> Desk:
    """Draw the currency and, a click away, rate, moment and age of the prices."""
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        currency = cast(
            Literal["USD", "CNY"],
            settings.segments(
                _("Currency"),
                {"USD": "$ USD", "CNY": "¥ CNY"},
                key="currency",
                label_visibility="collapsed",
            ),
        )
        with st.popover(_("Prices and rate"), icon=":material/tune:"):
            rate = _choose_rate()
            when, free_weekends = _choose_moment()
            table = _table()
    return Desk(table, overrides(), Money(currency, rate), when, free_weekends)


def overrides() -> dict[str, Overrides]:
    """Return the prices changed in this session, by model."""
    changed: dict[str, Overrides] = st.session_state.setdefault(_OVERRIDES, {})
    return changed


def override(model: Model, changed: Overrides) -> None:
    """Keep the changed prices of a model, or forget them if none is changed."""
    if changed:
        overrides()[model.id] = changed
    else:
        overrides().pop(model.id, None)


def forget_overrides() -> None:
    """Return to the prices of the list."""
    st.session_state[_OVERRIDES] = {}


def _choose_rate() -> ExchangeRate:
    example = pricing.example_rate()
    given = st.number_input(
        _("Yuan for one US dollar"),
        min_value=0.0001,
        max_value=999.0,
        value=float(example.cny_per_usd),
        step=0.01,
        format="%.4f",
        key="rate",
        bind="query-params",
    )
    same = given is None or pricing.as_decimal(given) == example.cny_per_usd
    rate = example if same else pricing.own_rate(given, clock.now().astimezone(BEIJING).date())
    st.caption(
        _("{date}: {note}").format(date=rate.date, note=sentence(pricing.Sentence(rate.note)))
    )
    return rate


def _choose_moment() -> tuple[datetime, bool]:
    given = st.datetime_input(
        _("Prices at this moment in Beijing (empty: now)"),
        value=None,
        step=timedelta(minutes=1),
        key="moment",
        bind="query-params",
        help=_("DeepSeek's prices depend on the hour, and announced prices on the day."),
    )
    free = st.toggle(
        _("DeepSeek's weekends are off-peak"),
        key="weekends",
        bind="query-params",
        help=_(
            "DeepSeek bills Saturdays and Sundays (Beijing time) off-peak all day. The price list "
            "does not know this; without it, weekend costs are an upper bound."
        ),
    )
    when = given.replace(tzinfo=BEIJING) if given else clock.now()
    return when, bool(free)


def _table() -> Table:
    """Draw the age of the price list and the way to a newer one; return the one in use."""
    st.button(
        _("Fetch today's prices"),
        icon=":material/refresh:",
        key="refresh",
        on_click=_ask_for_prices,
    )
    if st.session_state.pop(_ASKED, False):
        with st.spinner(_("Fetching prices…"), show_time=True):
            _refresh()
    table: Table = st.session_state.get(_TABLE) or pricing.table()
    outcome = st.session_state.get(_REFRESHED)
    if isinstance(outcome, BPEError):
        st.error(error_text(outcome))
    elif outcome:
        st.success(outcome)
    st.caption(_("Price list of {date}.").format(date=table.date))
    return table


def _ask_for_prices() -> None:
    st.session_state[_ASKED] = True


def _refresh() -> None:
    before: Table = st.session_state.get(_TABLE) or pricing.table()
    try:
        fetched = pricing.refresh()
    except BPEError as error:
        st.session_state[_REFRESHED] = error
        return
    known = {model.id: model for model in before.all_models}
    changed = sum(
        model.id in known and known[model.id].prices != model.prices for model in fetched.all_models
    )
    new = sum(model.id not in known for model in fetched.all_models)
    st.session_state[_TABLE] = fetched
    st.session_state[_REFRESHED] = _(
        "Now the prices of {date}. Changed models: {changed}; new ones: {new}."
    ).format(date=fetched.date, changed=changed, new=new)


def say_what_is_special(desk: Desk) -> None:
    """Say in one line what the reader has changed, or needs to know about all amounts."""
    said = []
    if desk.money.currency == "CNY":
        said.append(
            _("Converted at {rate} yuan for a dollar ({date}).").format(
                rate=desk.money.rate.cny_per_usd, date=desk.money.rate.date
            )
        )
        said.append(sentence(pricing.Sentence(desk.money.rate.note)))
    if abs(desk.when - clock.now()) > timedelta(minutes=5):
        moment = desk.when.strftime("%Y-%m-%d %H:%M")
        said.append(_("Priced as of {moment} in Beijing.").format(moment=moment))
    if desk.overrides:
        said.append(
            _("Models with a price changed by hand: {models}.").format(models=len(desk.overrides))
        )
    if said:
        st.caption(sentences_joined(*said))

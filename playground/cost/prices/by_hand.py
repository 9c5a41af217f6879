"""Prices that the reader changes: typed into the table, listed below it, and taken back."""

from dataclasses import replace
from decimal import Decimal

import streamlit as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import PARTS, Model, Overrides, Rate, Table
from playground.cost import desk as desks
from playground.cost.desk import Desk
from playground.cost.money import Money
from playground.ui.i18n import _, error_text, plain

_VERSION = "version of the price editor"
_WRONG = "what was wrong with a price"


def editor_key(desk: Desk, found: list[Model]) -> str:
    """Return the key of a table of these models, a new one whenever its prices have changed.

    Streamlit keeps what was typed with the key, and would type it again over the new prices.
    """
    version = st.session_state.setdefault(_VERSION, 0)
    ids = tuple(model.id for model in found)
    return f"price editor {hash((ids, desk.money.currency, version))}"


def take_over(key: str, ids: list[str], table: Table, money: Money) -> None:
    """Keep the prices that were typed into the table with this key and these models as rows.

    An emptied cell is the list's again; a price that cannot be is said to be wrong.
    """
    edited: dict[int, dict[str, float | None]] = st.session_state[key]["edited_rows"]
    st.session_state.pop(_WRONG, None)
    for row, cells in edited.items():
        model = table.model(ids[int(row)])
        changed = desks.overrides().get(model.id, Overrides())
        for part in PARTS:
            if part not in cells:
                continue
            value = cells[part]
            try:
                price = None if value is None else money.dollars(pricing.as_decimal(value))
                changed = replace(changed, **{part: price})
            except BPEError as error:
                st.session_state[_WRONG] = error
        desks.override(model, changed)
    st.session_state[_VERSION] += 1


def show(desk: Desk) -> None:
    """Say what was wrong, and list the changed prices beside the list's, with the way back."""
    if error := st.session_state.get(_WRONG):
        st.error(error_text(error))
    if not desk.overrides:
        return
    said = [line for name, prices in desk.overrides.items() for line in _lines(desk, name, prices)]
    with st.container(border=True):
        st.markdown(f"**{_('Changed by hand')}**\n\n" + "\n".join(said))
        st.button(
            _("Back to the prices of the list"),
            icon=":material/undo:",
            key="forget_prices",
            on_click=_forget,
        )


def _lines(desk: Desk, name: str, prices: Overrides) -> list[str]:
    """Return a line for each changed price of a model."""
    listed = desk.table.model(name).prices.at(desk.when)
    said = []
    for part in PARTS:
        price: Decimal | None = getattr(prices, part)
        if price is None:
            continue
        rate: Rate | None = getattr(listed, part)
        said.append(
            _("- {model}, {part}: {now} instead of {before}").format(
                model=plain(desk.names[name]),
                part=_(pricing.LABELS[part]),
                now=desk.money.words(price),
                before=desk.money.words(rate.base) if rate else _("not published"),
            )
        )
    return said


def _forget() -> None:
    desks.forget_overrides()
    st.session_state.pop(_WRONG, None)
    st.session_state[_VERSION] += 1

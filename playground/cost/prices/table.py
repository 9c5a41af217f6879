"""The table of prices: what the list says of each model, and prices that the reader types in."""

from decimal import Decimal
from typing import Any

import pandas as pd
import streamlit as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import PARTS, Currency, Model, Overrides, Rate, Table, UnknownSteps
from playground.cost import context as session
from playground.cost import layout
from playground.cost.context import Money, PricingContext, TypedPrice
from playground.ui import tables
from playground.ui.i18n import _, error_text, names_joined, plain

_VERSION = "version of the price editor"
_WRONG = "error of a price"


def show(context: PricingContext, found: list[Model]) -> None:
    """Draw the table; a price typed into it holds everywhere on the page."""
    frame = pd.DataFrame([_cells(context, model) for model in found])
    for name in ("changed", "ended"):
        if not frame[name].any():
            frame = frame.drop(columns=name)
    key = _editor_key(context, found)
    st.data_editor(
        frame,
        key=key,
        hide_index=True,
        num_rows="fixed",
        placeholder="–",
        height=tables.height(len(frame), 620),
        column_config=_headings(context.money),
        disabled=[name for name in frame.columns if name not in PARTS],
        on_change=_take_over,
        args=(key, [model.id for model in found], context.table, context.money),
        alt=_("Prices, limits, sources and dates of the models"),
    )


def show_changed(context: PricingContext) -> None:
    """Show the error, and list the changed prices beside the list's, with the way back."""
    if error := st.session_state.get(_WRONG):
        st.error(error_text(error))
    if not context.overrides:
        return
    said = [
        line for name, prices in context.overrides.items() for line in _lines(context, name, prices)
    ]
    with st.container(border=True):
        st.markdown(f"**{_('Changed by hand')}**\n\n" + "\n".join(said))
        st.button(
            _("Back to the prices of the list"),
            icon=":material/undo:",
            key="forget_prices",
            on_click=_forget,
        )


def _cells(context: PricingContext, model: Model) -> dict[str, Any]:
    by_hand = context.overrides.get(model.id)
    batch = model.prices.batch_rates(context.when)
    return {
        "model": context.names[model.id],
        "vendor": model.vendor,
        **_prices(context, model, by_hand),
        "batch_input": _amount(batch.input),
        "batch_output": _amount(batch.output),
        "hours": _hours(model),
        "window": model.context_window,
        "input_limit": model.max_input,
        "most": model.max_output,
        "weights": {True: _("open"), False: _("closed"), None: ""}[model.open_weights],
        "region": _(model.region),
        "count": {"exact": _("exact"), "assumed": _("assumed"), "estimate": _("estimated")}[
            model.certainty
        ],
        "tokenizer": model.tokenizer or f"≈ {model.stand_in}",
        "date": layout.price_day(context, model),
        "published": model.prices.published_in,
        "source": model.sources[0] if model.sources else None,
        "limits": model.limits_source.url if model.limits_source else None,
        "why": _(model.reason),
        "ended": _(model.ended) if model.ended else "",
    }


def _prices(context: PricingContext, model: Model, by_hand: Overrides | None) -> dict[str, Any]:
    """Return the price of each part: changed by hand, or the list's."""
    free_now = context.free_weekends and model.is_free_weekend(context.when)
    listed = model.prices.at(context.when, daily=not free_now)
    rates = by_hand.over(listed) if by_hand else listed
    cells: dict[str, Any] = {
        **{part: _amount(getattr(rates, part)) for part in PARTS},
        "changed": "",
        "long": _long_input(context.money, rates.input, rates.output, model.prices.unknown_steps),
    }
    if by_hand:
        parts = [_(pricing.LABELS[part]) for part in PARTS if getattr(by_hand, part) is not None]
        cells["changed"] = "✎ " + names_joined(parts)
    return cells


def _amount(rate: Rate | None) -> float | None:
    return None if rate is None else float(rate.base)


def _long_input(
    money: Money, input_rate: Rate | None, output: Rate | None, unknown: UnknownSteps | None
) -> str:
    """Say what a request with a long input costs: ``> 200,000: $2.50 / $15.00``."""
    steps = {step.above for rate in (input_rate, output) if rate for step in rate.steps}
    said = []
    for edge in sorted(steps):
        prices = [money.text(rate.at(edge + 1)[0]) for rate in (input_rate, output) if rate]
        said.append(f"> {edge:,}: {' / '.join(prices)}")
    if unknown is not None:
        first = f"{unknown.input_edges[0]:,}"
        said.append(_("> {tokens}: more, not known").format(tokens=first))
    return "; ".join(said)


def _hours(model: Model) -> str:
    if not model.prices.has_hours:
        return ""
    return names_joined(f"{start:%H:%M}–{end:%H:%M}" for start, end in model.prices.peak_hours)


def _headings(money: Money) -> dict[str, Any]:
    """Return the heading of each cell of :func:`_cells`; prices have the sign of their currency."""

    def price(label: str) -> Any:
        return tables.number(f"{label} ({money.sign})", form=None, min_value=0, max_value=1_000_000)

    return {
        "model": tables.text(_("Model"), pinned=True),
        "vendor": tables.text(_("Vendor")),
        "input": price(_("Input")),
        "cached_input": price(_("Cached input")),
        "cache_write": price(_("Cache write")),
        "output": price(_("Output")),
        "changed": tables.text(_("Changed by hand")),
        "batch_input": price(_("Batch input")),
        "batch_output": price(_("Batch output")),
        "long": tables.text(_("Long input: input / output")),
        "hours": tables.text(_("Peak hours, Beijing")),
        "window": tables.number(_("Context window")),
        "input_limit": tables.number(_("Longest input")),
        "most": tables.number(_("Longest output")),
        "weights": tables.text(_("Weights")),
        "region": tables.text(_("Where the price list holds")),
        "count": tables.text(_("Token count")),
        "tokenizer": tables.text(_("Vocabulary")),
        "date": tables.text(_("Price date")),
        "published": tables.text(_("Published in")),
        "source": tables.link(_("Price source"), _("source")),
        "limits": tables.link(_("Source of limits"), _("source")),
        "why": tables.text(_("Why the count is so sure"), width="large"),
        "ended": tables.text(_("No longer sold"), width="large"),
    }


def _editor_key(context: PricingContext, found: list[Model]) -> str:
    """Return the key of a table of these models, a new one whenever its prices have changed.

    Streamlit stores the typed values with the key, and would type it again over the new prices.
    """
    version = st.session_state.setdefault(_VERSION, 0)
    ids = tuple(model.id for model in found)
    return f"price editor {hash((ids, context.money.currency, version))}"


def _take_over(key: str, ids: list[str], table: Table, money: Money) -> None:
    """Keep the prices that were typed into the table with this key and these models as rows.

    An emptied cell is the list's again; a price that cannot be is said to be wrong.
    """
    edited: dict[int, dict[str, float | None]] = st.session_state[key]["edited_rows"]
    st.session_state.pop(_WRONG, None)
    for row, cells in edited.items():
        model = table.model(ids[int(row)])
        for part in PARTS:
            if part not in cells:
                continue
            try:
                session.type_price(model, part, _typed(cells[part], money.currency))
            except BPEError as error:
                st.session_state[_WRONG] = error
    st.session_state[_VERSION] += 1


def _typed(value: float | None, currency: Currency) -> TypedPrice | None:
    return None if value is None else TypedPrice(pricing.as_decimal(value), currency)


def _lines(context: PricingContext, name: str, prices: Overrides) -> list[str]:
    listed = context.table.model(name).prices.at(context.when)
    said = []
    for part in PARTS:
        price: Decimal | None = getattr(prices, part)
        if price is None:
            continue
        rate: Rate | None = getattr(listed, part)
        said.append(
            _("- {model}, {part}: {now} instead of {before}").format(
                model=plain(context.names[name]),
                part=_(pricing.LABELS[part]),
                now=context.money.markdown(price),
                before=context.money.markdown(rate.base) if rate else _("not published"),
            )
        )
    return said


def _forget() -> None:
    session.forget_typed_prices()
    st.session_state.pop(_WRONG, None)
    st.session_state[_VERSION] += 1

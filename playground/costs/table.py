"""All models with their prices: searched, filtered, and changed by hand."""

from dataclasses import replace
from decimal import Decimal
from typing import Any, get_args

import pandas as pd
import streamlit as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import PARTS, Model, Overrides, Part, Rate
from playground import settings
from playground.costs import desk as desks
from playground.costs import models
from playground.costs.desk import Desk
from playground.costs.money import Money
from playground.texts import _, error_text, plain

CONTEXTS = {"": 0, "32k": 32_000, "128k": 128_000, "200k": 200_000, "1m": 1_000_000}
_EDITOR = "price editor"
_SHOWN = "models in the price editor"
_WRONG = "what was wrong with a price"


def section(desk: Desk) -> None:
    """Draw the filters on the left and the table on the right."""
    left, right = st.columns([1, 3], gap="large")
    with left:
        found = _filtered(desk)
    with right:
        if not found:
            st.info(
                _("No model fits all of these conditions. Take one of them back."),
                icon=":material/filter_alt_off:",
            )
            return
        _table(desk, found)


def _filtered(desk: Desk) -> list[Model]:
    """Draw the filters and return the models that pass them."""
    text = st.text_input(
        _("Search"),
        key="search",
        bind="query-params",
        max_chars=100,
        placeholder=_("gpt, qwen max, glm…"),
    )
    deprecated = st.toggle(_("Also models that are no longer sold"), key="old", bind="query-params")
    listed = desk.table.models(deprecated=bool(deprecated))
    vendors = settings.several(
        _("Vendors"),
        {vendor: vendor for vendor in sorted({model.vendor for model in listed})},
        key="vendors",
        placeholder=_("all"),
    )
    regions = settings.several(
        _("Where the price list holds"),
        {region: _(region) for region in sorted({model.region for model in listed})},
        key="regions",
        placeholder=_("everywhere"),
    )
    weights = settings.segments(
        _("Weights"),
        {"all": _("all"), "open": _("open"), "closed": _("closed")},
        key="weights",
    )
    context = settings.select(
        _("Context window, tokens"),
        {"": _("any"), **{code: f"≥ {size:,}" for code, size in CONTEXTS.items() if size}},
        key="context",
    )
    most = st.number_input(
        _("Input price at most, {currency} per million tokens").format(currency=desk.money.name),
        min_value=0.0,
        max_value=100_000.0,
        value=None,
        step=0.1,
        key="price",
        bind="query-params",
        placeholder=_("any"),
    )
    return pricing.find(
        listed,
        text or "",
        vendors=vendors,
        regions=regions,
        open_weights=None if weights == "all" else weights == "open",
        min_context=CONTEXTS[context] or None,
        max_input_price=None if most is None else desk.money.dollars(pricing.as_decimal(most)),
        when=desk.when,
    )


def _table(desk: Desk, found: list[Model]) -> None:
    names = models.names(desk.table.all_models)
    st.markdown(
        _(
            "Models: {models}. Prices in {currency} per million tokens; change one in the table to "
            "calculate with it everywhere on this page."
        ).format(models=len(found), currency=desk.money.name)
    )
    frame = pd.DataFrame([_row(desk, model, names) for model in found])
    for name in ("changed", "published", "ended"):
        if not frame[name].any():
            frame = frame.drop(columns=name)
    ids = [model.id for model in found]
    version = st.session_state.setdefault(f"{_EDITOR} version", 0)
    key = f"{_EDITOR} {hash((tuple(ids), desk.money.currency, version))}"
    st.session_state[_SHOWN] = (ids, desk.table)
    columns = _columns(desk.money)
    st.data_editor(
        frame,
        key=key,
        hide_index=True,
        num_rows="fixed",
        placeholder="–",
        height=min(620, 38 + 35 * len(frame)),
        column_config=columns,
        disabled=[name for name in frame.columns if name not in PARTS],
        on_change=_take_over,
        args=(key, desk.money),
        alt=_("Prices, limits, sources and dates of the models"),
    )
    if error := st.session_state.get(_WRONG):
        st.error(error_text(error))
    _changed(desk, names)
    st.caption(
        _(
            "Each price has the day on which the list had it. A dash: not published; cached input "
            "without a price is billed as other input."
        )
    )
    with st.expander(_("What the price list says about these models")):
        for model in found[:40]:
            for comment in model.comments:
                st.caption(f"**{plain(names[model.id])}** {plain(comment)}")
        if len(found) > 40:
            st.caption(_("Narrow the search to read the remarks on more models."))


def _row(desk: Desk, model: Model, names: dict[str, str]) -> dict[str, Any]:
    listed = model.prices.at(desk.when, daily=not _free_now(desk, model))
    changed = desk.overrides.get(model.id)
    rates = changed.over(listed) if changed else listed
    batch = model.prices.batch_rates(desk.when)
    published = desk.money.currency == "CNY" and model.published and not changed
    row: dict[str, Any] = {"model": names[model.id], "vendor": model.vendor}
    for part in PARTS:
        rate: Rate | None = getattr(rates, part)
        row[part] = None if rate is None else desk.money.number(rate.base)
    if published and model.published:
        row["input"] = float(model.published.input)
        row["output"] = float(model.published.output)
        if model.published.cached_input is not None:
            row["cached_input"] = float(model.published.cached_input)
    if changed:
        parts = [_(pricing.LABELS[p]) for p in PARTS if getattr(changed, p) is not None]
        row["changed"] = "✎ " + ", ".join(parts)
    else:
        row["changed"] = ""
    row["published"] = _("as published in CNY") if published else ""
    row |= {
        "batch_input": None if batch.input is None else desk.money.number(batch.input.base),
        "batch_output": None if batch.output is None else desk.money.number(batch.output.base),
        "long": _long_input(desk.money, rates.input, rates.output),
        "hours": _hours(model),
        "window": model.context_window,
        "most": model.max_output,
        "weights": {True: _("open"), False: _("closed"), None: ""}[model.open_weights],
        "region": _(model.region),
        "count": {"exact": _("exact"), "assumed": _("assumed"), "estimate": _("estimated")}[
            model.exactness
        ],
        "tokenizer": model.tokenizer or f"≈ {model.stand_in}",
        "date": models.price_day(model),
        "source": model.sources[0] if model.sources else None,
        "limits": model.limits_source.url if model.limits_source else None,
        "why": _(model.reason),
        "ended": _(model.ended) if model.ended else "",
    }
    return row


def _free_now(desk: Desk, model: Model) -> bool:
    return desk.free_weekends and pricing.is_free_weekend(model, desk.when)


def _long_input(money: Money, input_rate: Rate | None, output: Rate | None) -> str:
    """Say what a call with a long input costs: ``> 200,000: $2.50 / $15.00``."""
    steps = {step.above for rate in (input_rate, output) if rate for step in rate.steps}
    said = []
    for edge in sorted(steps):
        prices = [money.text(rate.at(edge + 1)[0]) for rate in (input_rate, output) if rate]
        said.append(f"> {edge:,}: {' / '.join(prices)}")
    return "; ".join(said)


def _hours(model: Model) -> str:
    """Say the dear hours in Beijing time."""
    if not pricing.has_hours(model):
        return ""
    return ", ".join(f"{start:%H:%M}–{end:%H:%M}" for start, end in pricing.peak_hours(model))


def _columns(money: Money) -> dict[str, Any]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    link = st.column_config.LinkColumn

    return {
        "model": text(_("Model"), pinned=True),
        "vendor": text(_("Vendor")),
        "input": _price(money, _("Input")),
        "cached_input": _price(money, _("Cached input")),
        "cache_write": _price(money, _("Cache write")),
        "output": _price(money, _("Output")),
        "changed": text(_("Changed by hand")),
        "batch_input": _price(money, _("Batch input")),
        "batch_output": _price(money, _("Batch output")),
        "long": text(_("Long input: input / output")),
        "hours": text(_("Dear hours, Beijing")),
        "window": number(_("Context window"), format="localized"),
        "most": number(_("Longest output"), format="localized"),
        "weights": text(_("Weights")),
        "region": text(_("Where the price list holds")),
        "count": text(_("Token count")),
        "tokenizer": text(_("Vocabulary")),
        "date": text(_("Price date")),
        "published": text(_("Published price")),
        "source": link(_("Price source"), display_text=_("source")),
        "limits": link(_("Source of limits"), display_text=_("source")),
        "why": text(_("Why the count is so sure"), width="large"),
        "ended": text(_("No longer sold"), width="large"),
    }


def _price(money: Money, label: str) -> Any:
    return st.column_config.NumberColumn(
        f"{label} ({money.sign})", min_value=0, max_value=1_000_000
    )


def _take_over(key: str, money: Money) -> None:
    """Keep the prices that were typed into the table; an emptied cell is the list's again."""
    ids, table = st.session_state[_SHOWN]
    edited: dict[int, dict[str, float | None]] = st.session_state[key]["edited_rows"]
    st.session_state.pop(_WRONG, None)
    for row, cells in edited.items():
        model = table.model(ids[int(row)])
        changed = desks.overrides().get(model.id, Overrides())
        for part, value in cells.items():
            if part not in get_args(Part):
                continue
            try:
                price = None if value is None else money.dollars(pricing.as_decimal(value))
                changed = replace(changed, **{part: price})
            except BPEError as error:
                st.session_state[_WRONG] = error
        desks.override(model, changed)
    st.session_state[f"{_EDITOR} version"] += 1


def _changed(desk: Desk, names: dict[str, str]) -> None:
    """List the prices changed by hand beside those of the list, with the way back."""
    changed = desks.overrides()
    if not changed:
        return
    said = []
    for name, prices in changed.items():
        listed = desk.table.model(name).prices.at(desk.when)
        for part in PARTS:
            price: Decimal | None = getattr(prices, part)
            if price is None:
                continue
            rate: Rate | None = getattr(listed, part)
            before = desk.money.words(rate.base) if rate else _("not published")
            said.append(
                _("- {model}, {part}: {now} instead of {before}").format(
                    model=plain(names[name]),
                    part=_(pricing.LABELS[part]),
                    now=desk.money.words(price),
                    before=before,
                )
            )
    with st.container(border=True):
        st.markdown(f"**{_('Changed by hand')}**\n\n" + "\n".join(said))
        st.button(
            _("Back to the prices of the list"),
            icon=":material/undo:",
            key="forget_prices",
            on_click=_forget,
        )


def _forget() -> None:
    desks.forget_overrides()
    st.session_state.pop(_WRONG, None)
    st.session_state[f"{_EDITOR} version"] += 1

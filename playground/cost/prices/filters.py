"""The filters of the price list: words, vendors, price lists, weights, window and price."""

import streamlit as st

from bpe import pricing
from bpe.pricing import Model
from playground.cost.desk import Desk
from playground.ui import fields, settings
from playground.ui.i18n import _

CONTEXTS = {"": 0, "32k": 32_000, "128k": 128_000, "200k": 200_000, "1m": 1_000_000}


def choose(desk: Desk) -> list[Model]:
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
    most = fields.amount(
        _("Input price at most, {currency} per million tokens").format(currency=desk.money.name),
        "price",
        most=100_000.0,
        step=0.1,
        empty=_("any"),
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

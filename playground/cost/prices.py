"""All models with their prices, searched and filtered."""

from collections.abc import Mapping

import streamlit as st

from bpe import pricing
from bpe.pricing import Model, Rate, Rates
from playground.cost import layout, models
from playground.cost.price_settings import Money, PricingContext
from playground.ui import fields, tables
from playground.ui.i18n import _, error_text, names_joined, plain
from playground.ui.state import Field


def choose(context: PricingContext) -> list[Model]:
    text = fields.words(_("Search"), "search", most=100, placeholder=_("gpt, qwen max, glm…"))
    deprecated = fields.switch(_("Include discontinued and embedding models"), "old")
    listed = context.table.models(deprecated=deprecated)
    vendors = fields.several(
        _("Vendors"),
        {vendor: vendor for vendor in sorted({model.vendor for model in listed})},
        key="vendors",
        placeholder=_("all"),
    )
    most = fields.optional(
        _("Input price at most, {currency} per million tokens").format(currency=context.money.name),
        "price", most=100_000.0, step=0.1, empty=_("any"),
    )  # fmt: skip
    matching = (
        model
        for model in context.table.models(text, deprecated=deprecated)
        if (not vendors or model.vendor in vendors)
        and (most is None or (_amount(context.terms.rates(model).get("input")) or 0) <= most)
    )
    chosen = models.chosen_ids(context.table)
    return sorted(matching, key=lambda model: model.id not in chosen)


def show(context: PricingContext, listed: list[Model]) -> None:
    searched = (Field("search", "").get() or "").strip()
    family = pricing.family_of(searched, context.table.unpriced)
    if family:
        st.warning(error_text(family.error(searched)), icon=":material/money_off:")
    if not listed:
        if not family:
            none = _("No model fits all of these conditions. Remove one of them.")
            st.info(none, icon=":material/filter_alt_off:")
        return
    st.markdown(
        _(
            "Models: {models}. Prices in {currency} per million tokens. Chosen models come first."
        ).format(models=len(listed), currency=context.money.name)
    )
    tables.show_rows(
        listed,
        _columns(context, listed),
        optional=("ended",),
        most_height=620,
        alt_text=_("Prices, limits, sources and dates of the models"),
    )
    st.caption(
        _(
            "Each price shows its own date, or else the list's. A dash: not published; cached "
            "input without a price is billed as other input."
        )
    )
    families = (
        family.name if family.name.startswith(family.vendor) else f"{family.vendor} {family.name}"
        for family in context.table.unpriced
    )
    st.caption(
        _(
            "Not in the table, as no dated source of their prices is at hand: {models}. Search "
            "for one to read what can be done."
        ).format(models=plain(names_joined(families)))
    )


def _columns(context: PricingContext, listed: list[Model]) -> dict[str, tables.Column]:
    rates = {model.id: context.terms.rates(model) for model in listed}
    batch = {model.id: model.prices.of_tier("batch", context.when) for model in listed}
    weights = {True: _("open"), False: _("closed"), None: ""}
    sure = {"exact": _("exact"), "assumed": _("assumed"), "estimate": _("estimated")}

    def price(label: str, part: str, rates: Mapping[str, Rates] = rates) -> tables.Column:
        column = tables.number(f"{label} ({context.money.sign})", form=None)
        return column, lambda model: _amount(rates[model.id].get(part))

    text = tables.text
    return {
        **layout.model_column(context, lambda model: model),
        "vendor": (text(_("Vendor")), lambda model: model.vendor),
        "input": price(_("Input"), "input"),
        "cached_input": price(_("Cached input"), "cached_input"),
        "cache_write": price(_("Cache write"), "cache_write"),
        "output": price(_("Output"), "output"),
        "long": (
            text(_("Long input: input / output")),
            lambda model: _long_input(context.money, rates[model.id], model.prices.unknown_above),
        ),
        "batch_input": price(_("Batch input"), "input", batch),
        "batch_output": price(_("Batch output"), "output", batch),
        "hours": (text(_("Peak hours, Beijing")), lambda model: model.prices.peak_hours_text),
        "window": (tables.number(_("Context window")), lambda model: model.context_window),
        "input_limit": (tables.number(_("Longest input")), lambda model: model.max_input),
        "most": (tables.number(_("Longest output")), lambda model: model.max_output),
        "weights": (text(_("Weights")), lambda model: weights[model.open_weights]),
        "region": (text(_("Region of the price")), lambda model: _(model.region)),
        "count": (text(_("Token count")), lambda model: sure[model.certainty]),
        "tokenizer": (
            text(_("Vocabulary")),
            lambda model: model.tokenizer or f"≈ {model.stand_in}",
        ),
        "published": (text(_("Published in")), lambda model: model.prices.published_in),
        **layout.price_columns(context, lambda model: model),
        "limits": layout.limits_column(lambda model: model),
        "why": (text(_("How reliable the count is"), width="large"), lambda model: _(model.reason)),
        "ended": (
            text(_("No longer sold"), width="large"),
            lambda model: _(model.ended) if model.ended else None,
        ),
    }


def _amount(rate: Rate | None) -> float | None:
    return None if rate is None else float(rate.base)


def _long_input(money: Money, rates: Rates, unknown: int | None) -> str:
    """Say what a request with a long input costs: ``> 200,000: $2.50 / $15.00``."""
    both = [rates[part] for part in ("input", "output") if part in rates]
    steps = {above for rate in both for above, _price in rate.steps}
    texts = []
    for edge in sorted(steps):
        prices = [money.text(rate.at(edge + 1)[0]) for rate in both]
        texts.append(f"> {edge:,}: {' / '.join(prices)}")
    if unknown is not None:
        texts.append(_("> {tokens}: more, not known").format(tokens=f"{unknown:,}"))
    return "; ".join(texts)

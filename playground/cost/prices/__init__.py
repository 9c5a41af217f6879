"""All models with their prices: searched, filtered, and changed by hand."""

import streamlit as st

from bpe import pricing
from bpe.pricing import Model
from playground.cost import models
from playground.cost.context import PricingContext
from playground.cost.prices import table
from playground.ui import fields, settings
from playground.ui.i18n import _, error_text, names_joined, plain

__all__ = ["choose", "show"]

REMARKS = 40
"""How many models' remarks are worth listing."""
WINDOWS = {"": 0, "32k": 32_000, "128k": 128_000, "200k": 200_000, "1m": 1_000_000}


def choose(context: PricingContext) -> list[Model]:
    text = fields.words(_("Search"), "search", most=100, placeholder=_("gpt, qwen max, glm…"))
    deprecated = fields.switch(_("Also models no longer sold, and embeddings"), "old")
    listed = context.table.models(deprecated=deprecated)
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
    window = settings.select(
        _("Context window, tokens"),
        {"": _("any"), **{code: f"≥ {size:,}" for code, size in WINDOWS.items() if size}},
        key="context",
    )
    most = fields.amount(
        _("Input price at most, {currency} per million tokens").format(currency=context.money.name),
        "price",
        most=100_000.0,
        step=0.1,
        empty=_("any"),
    )
    found = pricing.find(
        listed,
        text,
        vendors=vendors,
        regions=regions,
        open_weights=None if weights == "all" else weights == "open",
        min_context=WINDOWS[window] or None,
        max_input_price=None if most is None else pricing.as_decimal(most),
        when=context.when,
    )
    chosen = models.chosen_ids()
    return sorted(found, key=lambda model: model.id not in chosen)


def show(context: PricingContext, found: list[Model]) -> None:
    is_said = _say_unpriced(context)
    if not found and is_said:
        return
    if not found:
        st.info(
            _("No model fits all of these conditions. Remove one of them."),
            icon=":material/filter_alt_off:",
        )
        return
    st.markdown(
        _(
            "Models: {models}. Prices in {currency} per million tokens; change one in the "
            "table to calculate with it everywhere on this page. Chosen models come first."
        ).format(models=len(found), currency=context.money.name)
    )
    table.show(context, found)
    table.show_changed(context)
    st.caption(
        _(
            "Each price has its own day, or else that of the list. A dash: not published; cached "
            "input without a price is billed as other input."
        )
    )
    _list_unpriced(context)
    _remarks(context, found)


def _say_unpriced(context: PricingContext) -> bool:
    """Say that the price of the searched model is not known, if so; return whether it was said."""
    searched = (st.session_state.get("search") or "").strip()
    family = pricing.family_of(searched, context.table.unpriced)
    if family is None:
        return False
    st.warning(error_text(family.error(searched)), icon=":material/money_off:")
    return True


def _list_unpriced(context: PricingContext) -> None:
    families = (
        family.name if family.name.startswith(family.vendor) else f"{family.vendor} {family.name}"
        for family in context.table.unpriced
    )
    st.caption(
        _(
            "Not in the table, as no dated source of their prices is at hand: {models}. Search "
            "for one to read where to enter prices of your own."
        ).format(models=plain(names_joined(families)))
    )


def _remarks(context: PricingContext, found: list[Model]) -> None:
    with st.expander(_("What the price list says about these models")):
        for model in found[:REMARKS]:
            for comment in model.comments:
                st.caption(f"**{plain(context.names[model.id])}** {plain(comment)}")
        if len(found) > REMARKS:
            st.caption(_("Narrow the search to read the remarks on more models."))

"""What the price list says of a model, as the cells of a table, and the headings above them."""

from typing import Any

from bpe import pricing
from bpe.pricing import PARTS, Model, Overrides, Rate
from playground.cost import columns
from playground.cost.desk import Desk
from playground.cost.money import Money
from playground.ui import tables
from playground.ui.i18n import _, names_joined


def of(desk: Desk, model: Model) -> dict[str, Any]:
    """Return the cells of a model; the prices are in the currency of the desk."""
    by_hand = desk.overrides.get(model.id)
    batch = model.prices.batch_rates(desk.when)
    return {
        "model": desk.names[model.id],
        "vendor": model.vendor,
        **_prices(desk, model, by_hand),
        "batch_input": _amount(desk.money, batch.input),
        "batch_output": _amount(desk.money, batch.output),
        "hours": _hours(model),
        "window": model.context_window,
        "most": model.max_output,
        "weights": {True: _("open"), False: _("closed"), None: ""}[model.open_weights],
        "region": _(model.region),
        "count": {"exact": _("exact"), "assumed": _("assumed"), "estimate": _("estimated")}[
            model.exactness
        ],
        "tokenizer": model.tokenizer or f"≈ {model.stand_in}",
        "date": columns.price_day(model),
        "source": model.sources[0] if model.sources else None,
        "limits": model.limits_source.url if model.limits_source else None,
        "why": _(model.reason),
        "ended": _(model.ended) if model.ended else "",
    }


def _prices(desk: Desk, model: Model, by_hand: Overrides | None) -> dict[str, Any]:
    """Return the price of each part: changed by hand, or published in yuan, or the list's."""
    free_now = desk.free_weekends and pricing.is_free_weekend(model, desk.when)
    listed = model.prices.at(desk.when, daily=not free_now)
    rates = by_hand.over(listed) if by_hand else listed
    cells: dict[str, Any] = {
        **{part: _amount(desk.money, getattr(rates, part)) for part in PARTS},
        "changed": "",
        "long": _long_input(desk.money, rates.input, rates.output),
        "published": "",
    }
    if by_hand:
        parts = [_(pricing.LABELS[part]) for part in PARTS if getattr(by_hand, part) is not None]
        cells["changed"] = "✎ " + names_joined(parts)
    elif desk.money.currency == "CNY" and (published := model.published):
        cells["published"] = _("as published in CNY")
        cells |= {"input": float(published.input), "output": float(published.output)}
        if published.cached_input is not None:
            cells["cached_input"] = float(published.cached_input)
    return cells


def _amount(money: Money, rate: Rate | None) -> float | None:
    return None if rate is None else money.number(rate.base)


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
    return names_joined(f"{start:%H:%M}–{end:%H:%M}" for start, end in pricing.peak_hours(model))


def headings(money: Money) -> dict[str, Any]:
    """Return the heading of each cell of :func:`of`; prices have the sign of their currency."""

    def price(label: str) -> Any:
        return tables.number(f"{label} ({money.sign})", form=None, min_value=0, max_value=1_000_000)

    return {
        **columns.model(),
        "vendor": tables.text(_("Vendor")),
        "input": price(_("Input")),
        "cached_input": price(_("Cached input")),
        "cache_write": price(_("Cache write")),
        "output": price(_("Output")),
        "changed": tables.text(_("Changed by hand")),
        "batch_input": price(_("Batch input")),
        "batch_output": price(_("Batch output")),
        "long": tables.text(_("Long input: input / output")),
        "hours": tables.text(_("Dear hours, Beijing")),
        "window": tables.number(_("Context window")),
        "most": tables.number(_("Longest output")),
        "weights": tables.text(_("Weights")),
        "region": tables.text(_("Where the price list holds")),
        "count": tables.text(_("Token count")),
        "tokenizer": tables.text(_("Vocabulary")),
        "date": tables.text(_("Price date")),
        "published": tables.text(_("Published price")),
        "source": tables.link(_("Price source"), _("source")),
        "limits": tables.link(_("Source of limits"), _("source")),
        "why": tables.text(_("Why the count is so sure"), width="large"),
        "ended": tables.text(_("No longer sold"), width="large"),
    }

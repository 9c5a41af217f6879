"""The columns that tables of the cost page have in common: which model, and how good its price."""

from typing import Any

from bpe.pricing import Model, is_stale
from playground.cost import clock
from playground.cost.desk import Desk
from playground.ui import tables
from playground.ui.i18n import _


def model() -> dict[str, Any]:
    """Return the heading of the models' names, which stay in view while the rest is scrolled."""
    return {"model": tables.text(_("Model"), pinned=True)}


def of_price(desk: Desk, model: Model) -> dict[str, Any]:
    """Return the cells of day and source of a model's price, and of prices changed by hand."""
    changed = {"changed": bool(desk.overrides.get(model.id))} if desk.overrides else {}
    return changed | {
        "date": price_day(model),
        "source": model.sources[0] if model.sources else None,
    }


def price() -> dict[str, Any]:
    """Return the headings of :func:`of_price`."""
    return {
        "changed": tables.tick(_("Price changed by hand")),
        "date": tables.text(_("Price date")),
        "source": tables.link(_("Price source"), _("source")),
    }


def price_day(model: Model) -> str:
    """Return the day of a model's price, marked if it is old by now."""
    day = str(model.price_date)
    is_old = is_stale(model, clock.now().date())
    return f"{day} · {_('older than 30 days')}" if is_old else day


def fits(known: bool | None) -> str:
    """Return the cell of whether something fits a window, which may be unknown."""
    return {True: _("yes"), False: _("no"), None: _("unknown")}[known]

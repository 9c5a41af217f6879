"""Choosing models. A name in the URL that no price list has is shown as an error, not dropped."""

from collections.abc import Iterable, Sequence
from typing import Any

import streamlit as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import Model, Table
from playground.cost.price_settings import PricingContext
from playground.ui import fields, state
from playground.ui.i18n import _, error_text
from playground.ui.state import Field

_SEVERAL, _ONE = "models", "request_model"
"""The names of both choices in the URL."""


def choose(context: PricingContext, label: str | None = None) -> list[Model]:
    listed = _offered(context, _SEVERAL, (default := _default(context.table)))
    chosen = fields.several(
        label or _("Models"),
        {name: context.names[name] for name in listed},
        key=_SEVERAL,
        default=[name for name in default if name in listed],
        placeholder=_("Choose at least one"),
        on_change=_forget_unknown,
        args=(_SEVERAL,),
    )
    _show_unknown(_SEVERAL)
    return [listed[name] for name in chosen]


def chosen_ids(table: Table) -> list[str]:
    return fields.chosen(_SEVERAL, _default(table))


def _default(table: Table) -> list[str]:
    """Return the newest flagship of each vendor: their tokenizers stay loaded for everybody."""
    flagships = {model.provider: model.id for model in reversed(pricing.newest(table))}
    return [*reversed(flagships.values())]


def ask_for_one() -> None:
    st.info(_("Choose at least one model in the settings."), icon=":material/checklist:")


def choose_one(context: PricingContext) -> Model:
    first = _default(context.table)[0]
    listed = _offered(context, _ONE, [first])
    chosen = fields.select(
        _("Model"),
        {name: context.names[name] for name in listed},
        key=_ONE,
        default=first if first in listed else None,
        on_change=_forget_unknown,
        args=(_ONE,),
    )
    _show_unknown(_ONE)
    return listed[chosen]


def _offered(context: PricingContext, key: str, default: Sequence[str]) -> dict[str, Model]:
    """Return the models to choose from: those still sold, and those that the URL names."""
    offered = {model.id: model for model in context.table.models()}
    names = [name for name in fields.asked_for(key) if name]
    named, unknown = find(context.table, names)
    ids = [model.id for model in named]
    for model in named:
        offered.setdefault(model.id, model)
    if ids != names:
        if Field(key, None).pending is not None or state.defer_to_next_run():
            state.restore({key: ids or list(default)})
        else:
            st.query_params.pop(key, None)
            if ids:
                st.query_params[key] = ids
    if unknown:
        _unknown(key).set(unknown)
    chosen = Field[Any](key, []).get()
    for name in [chosen] if isinstance(chosen, str) else chosen:
        if name not in offered:  # a withdrawn model that was in the URL a moment ago
            offered.update({m.id: m for m in context.table.all_models if m.id == name})
    return offered


def _unknown(key: str) -> Field[list[BPEError]]:
    return Field(f"unknown {key}", [])


def find(table: Table, names: Iterable[str]) -> tuple[list[Model], list[BPEError]]:
    """Return the models that these names mean, and an error for each name that means none."""
    chosen: list[Model] = []
    errors: list[BPEError] = []
    for name in names:
        try:
            chosen.append(table.model(name))
        except BPEError as error:
            errors.append(error)
    return chosen, errors


def _show_unknown(key: str) -> None:
    for error in _unknown(key).get():
        state.say(error_text(error))


def _forget_unknown(key: str) -> None:
    _unknown(key).pop()

"""Choosing models. A name in the URL that no price list has is shown as an error, not dropped."""

from collections.abc import Sequence
from contextlib import suppress
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


def choose(context: PricingContext) -> list[Model]:
    def say_unknown(names: Sequence[str]) -> None:
        for name in names:
            try:
                context.table.model(name)
            except BPEError as error:
                state.say(error_text(error))

    listed = _offered(context, _SEVERAL)
    chosen = fields.several(
        _("Models"),
        {name: context.names[name] for name in listed},
        key=_SEVERAL,
        default=[name for name in _default(context.table) if name in listed],
        placeholder=_("Choose at least one"),
        say_unknown=say_unknown,
    )
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
    listed = _offered(context, _ONE)
    first = next((name for name in _default(context.table) if name in listed), None)
    names = {name: context.names[name] for name in listed}
    return listed[fields.select(_("Model"), names, key=_ONE, default=first)]


def _offered(context: PricingContext, key: str) -> dict[str, Model]:
    """Return the models to choose from: those still sold, and those that the URL names.

    A name as APIs and hosts write it becomes the id of its model there.
    """
    offered = {model.id: model for model in context.table.models()}
    names = [name for name in fields.asked_for(key) if name]
    ids = {name: name for name in names}
    for name in names:
        with suppress(BPEError):
            model = context.table.model(name)
            offered.setdefault(model.id, model)
            ids[name] = model.id
    wanted = [*dict.fromkeys(ids.values())]
    if wanted != names:
        if Field(key, None).pending is not None or state.defer_to_next_run():
            state.restore({key: wanted})
        else:
            st.query_params[key] = wanted
    chosen = Field[Any](key, []).get()
    for name in [chosen] if isinstance(chosen, str) else chosen:
        if name not in offered:  # a withdrawn model that was in the URL a moment ago
            offered.update({m.id: m for m in context.table.all_models if m.id == name})
    return offered

"""Choosing models, naming them, and saying how old and how sure their prices are."""

from collections import Counter
from collections.abc import Iterable

import streamlit as st

from bpe.errors import BPEError
from bpe.pricing import Model, is_stale, words
from playground import settings
from playground.costs import clock
from playground.costs.desk import Desk
from playground.texts import _, error_text

DEFAULT = (
    "openai/gpt-5",
    "openai/gpt-4o",
    "anthropic/claude-sonnet-5-5",
    "google/gemini-3.8-flash",
    "deepseek/deepseek-v4-pro",
    "zai/GLM-4.5",
    "alibaba-cn/qwen3-max",
)


def names(models: Iterable[Model]) -> dict[str, str]:
    """Return a name for each model by id; those that share a name are told apart by their seller.

    Qwen and GLM are sold by two price lists, one for mainland China; Llama by several hosts.
    """
    models = list(models)
    times = Counter(model.name for model in models)
    return {
        model.id: model.name if times[model.name] == 1 else f"{model.name} · {_seller(model)}"
        for model in models
    }


def choose(desk: Desk, key: str = "models", label: str | None = None) -> list[Model]:
    """Draw the choice of models and return them; unknown ones in the URL are said to be unknown."""
    listed = _offered(desk, key)
    chosen = settings.several(
        label or _("Models"),
        names(listed.values()),
        key=key,
        default=[name for name in DEFAULT if name in listed],
        placeholder=_("Choose at least one"),
        on_change=_forget_unknown,
        args=(key,),
    )
    _say_unknown(key)
    return [listed[name] for name in chosen]


def choose_one(desk: Desk, key: str = "model") -> Model:
    """Draw the choice of one model and return it."""
    listed = _offered(desk, key)
    chosen = settings.select(
        _("Model"),
        names(listed.values()),
        key=key,
        default=DEFAULT[0] if DEFAULT[0] in listed else None,
        on_change=_forget_unknown,
        args=(key,),
    )
    _say_unknown(key)
    return listed[chosen]


def price_day(model: Model) -> str:
    """Return the day of a model's price, marked if it is old by now."""
    today = clock.now().date()
    day = str(model.price_date)
    return f"{day} · {_('older than 30 days')}" if is_stale(model, today) else day


def _offered(desk: Desk, key: str) -> dict[str, Model]:
    """Return the models to choose from: those that are sold, and those that the URL asks for."""
    offered = {model.id: model for model in desk.models()}
    asked = [name for name in st.query_params.get_all(key) if name]
    known: list[str] = []
    unknown: list[BPEError] = []
    for name in asked:
        try:
            model = desk.table.model(name)
        except BPEError as error:
            unknown.append(error)
        else:
            known.append(model.id)
            offered.setdefault(model.id, model)
    if known and known != asked:
        st.query_params[key] = known
    if unknown:
        st.session_state[f"unknown {key}"] = unknown
    kept = st.session_state.get(key, [])
    for name in [kept] if isinstance(kept, str) else kept:
        if name not in offered:  # a withdrawn model that was in the URL a moment ago
            offered.update({m.id: m for m in desk.table.all_models if m.id == name})
    return offered


def _say_unknown(key: str) -> None:
    for error in st.session_state.get(f"unknown {key}", []):
        st.warning(error_text(error), icon=":material/help:")


def _forget_unknown(key: str) -> None:
    st.session_state.pop(f"unknown {key}", None)


def _seller(model: Model) -> str:
    return _(model.region) if model.region != words.GLOBAL else model.provider

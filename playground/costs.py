"""What a text costs on each model: counted with the model's own tokenizer, at a dated price."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pandas as pd
import streamlit as st

from bpe import catalog, pricing
from bpe.errors import BPEError
from bpe.pricing import Model, TokenCount, Usage
from playground import charts, settings
from playground.texts import _, error_text, sentence

DEFAULT = (
    "openai/gpt-5",
    "openai/gpt-4o",
    "anthropic/claude-sonnet-4-5",
    "google/gemini-2.5-pro",
    "deepseek/deepseek-v4-pro",
    "alibaba-cn/qwen3-max",
    "zai/GLM-4.5",
)


def choose_models(key: str) -> list[Model]:
    """Draw the choice of models and return them."""
    listed = {model.id: model for model in pricing.models() if not model.deprecated}
    labels = {
        name: f"{model.name} · {_(model.region)}" if model.vendor == "Alibaba" else model.name
        for name, model in listed.items()
    }
    chosen = settings.several(
        _("Models"),
        labels,
        key=key,
        default=[name for name in DEFAULT if name in listed],
        placeholder=_("Choose at least one"),
    )
    return [listed[name] for name in chosen]


def count(models: Sequence[Model], text: str) -> dict[str, TokenCount]:
    """Return the tokens of a text for each model."""
    return pricing.count_for_all(models, text, catalog.encoding)


def rows(
    models: Sequence[Model],
    counts: dict[str, dict[str, TokenCount]],
    *,
    output_tokens: int,
    requests: int,
) -> pd.DataFrame:
    """Return a row for each model and language: tokens, money of all requests, window, source.

    Money is in US dollars, as floats for display only.
    """
    now = datetime.now(UTC)
    table: list[dict[str, Any]] = []
    for model in models:
        for language, by_model in counts.items():
            counted = by_model[model.id]
            try:
                usage = Usage(counted.tokens, output_tokens=output_tokens)
                cost = pricing.cost(model, usage, when=now)
            except BPEError as error:
                st.error(f"{model.name}: {error_text(error)}")
                continue
            window = model.context_window
            table.append(
                {
                    "model": model.name,
                    "language": language,
                    "tokens": counted.tokens,
                    "count": badge(counted),
                    "input": float(cost.input_total * requests),
                    "output": float(cost.line("output").amount * requests),
                    "total": float(cost.total * requests),
                    "window": (counted.tokens + output_tokens) / window if window else None,
                    "source": model.sources[0] if model.sources else None,
                    "date": model.price_date,
                    "method": sentence(counted.method),
                }
            )
    return pd.DataFrame(table)


def badge(counted: TokenCount) -> str:
    """Return whether a count is exact, or how far off the estimate may be."""
    if counted.exactness == "exact":
        return _("exact")
    return _("estimate ±{percent} %").format(percent=counted.error_percent)


def reading(frame: pd.DataFrame) -> str:
    """Say in words what the language changes on the model where it changes most."""
    wide = frame.pivot(index="model", columns="language", values="total")
    if not {"zh", "en"} <= set(wide.columns) or (wide <= 0).any().any():
        return ""
    ratio = (wide["zh"] / wide["en"]).sort_values()
    name, most = ratio.index[-1], float(ratio.iloc[-1])
    return _(
        "The Chinese version costs {ratio:.2f} times the English one on {model}, the largest "
        "difference here; the output is the same for both."
    ).format(model=name, ratio=most)


def chart(frame: pd.DataFrame, requests: int) -> None:
    """Draw the cost of each model in both languages, cheapest first."""
    order = list(dict.fromkeys(frame.sort_values("total")["model"]))
    title = _("US dollars for {requests} requests").format(requests=f"{requests:,}")
    charts.show(
        charts.bars(
            frame, value="total", title=title, order=order, number_format=",.2f", category="model"
        ),
        alt_text=_("Cost of each model in Chinese and English"),
    )


def table(frame: pd.DataFrame) -> None:
    """Draw every figure with its exactness, source and date."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    st.dataframe(
        frame.assign(language=frame["language"].map(charts.languages())),
        hide_index=True,
        lazy=False,
        column_config={
            "model": text(_("Model")),
            "language": text(_("Language")),
            "tokens": number(_("Tokens"), format="localized"),
            "count": text(_("Count")),
            "input": number(_("Input, $"), format="%.4f"),
            "output": number(_("Output, $"), format="%.4f"),
            "total": number(_("Total, $"), format="%.4f"),
            "window": number(_("Share of context window"), format="percent"),
            "source": st.column_config.LinkColumn(_("Price source"), display_text=_("source")),
            "date": st.column_config.DateColumn(_("Price date")),
            "method": text(_("How it was counted"), width="large"),
        },
        alt=_("Tokens, cost, share of the context window and price source of each model"),
    )

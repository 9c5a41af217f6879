"""What two languages cost on each model: as bars, against the context window, and as a table."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from bpe.pricing import LANGUAGES, Language
from playground.cost import counting, layout
from playground.cost.context import PricingContext
from playground.cost.counting import CountColumn
from playground.cost.languages.comparing import Length, ModelComparison
from playground.ui import charts, frame, tables
from playground.ui.charts import REFERENCE
from playground.ui.i18n import _, sentence


def by_model_and_language(context: PricingContext, rows: Sequence[ModelComparison]) -> pd.DataFrame:
    """Return a row for each model and language, which both charts are drawn from.

    ``cost`` lies between ``low`` and ``high``; ``money`` and ``range`` say so in words.
    """
    money = context.money
    cells = [(row, code) for row in rows for code in LANGUAGES]
    amounts = money.texts([row.costs.cost(code) for row, code in cells])
    data = pd.DataFrame(
        [
            {
                "model": context.names[row.model.id],
                "language": code,
                "cost": float(row.costs.cost(code)),
                "low": float(row.low.cost(code)),
                "high": float(row.high.cost(code)),
                "money": _or_refused(amount, row, code),
                "range": f"{money.text(row.low.cost(code))} – {money.text(row.high.cost(code))}",
                "window": row.model.context_window,
            }
            for (row, code), amount in zip(cells, amounts, strict=True)
        ]
    )
    return data.assign(language=data["language"].map(charts.languages()))


def _or_refused(amount: str, row: ModelComparison, language: Language) -> str:
    refused = row.costs.bill(language).fits is False
    return f"{amount} · {_('refused')}" if refused else amount


def costs_by_language(data: pd.DataFrame, *, title: str) -> Any:
    order = list(dict.fromkeys(data.sort_values("cost")["model"]))
    of_each: dict[str, Any] = {
        "y": alt.Y("model:N", sort=order, axis=layout.MODEL_AXIS),
        "yOffset": alt.YOffset("language:N", sort=list(charts.languages().values())),
        "tooltip": [
            alt.Tooltip("model:N", title=_("Model")),
            alt.Tooltip("language:N", title=_("Language")),
            alt.Tooltip("money:N", title=title),
            alt.Tooltip("range:N", title=_("Range")),
        ],
    }
    base = alt.Chart(data.assign(end=data[["cost", "high"]].max(axis=1))).encode(**of_each)
    layers = [
        base.mark_bar(height={"band": 0.85}).encode(
            x=alt.X("cost:Q", title=title, axis=layout.AMOUNT_AXIS), color=charts.language_colour()
        )
    ]
    estimated = data[data["high"] > data["low"]]
    if len(estimated):
        whiskers = alt.Chart(estimated).mark_rule(color=REFERENCE, strokeWidth=1.5)
        layers.append(whiskers.encode(**of_each, x="low:Q", x2="high:Q"))
    layers.append(
        base.mark_text(align="left", dx=4).encode(
            x=alt.X("end:Q", title=title), text="money:N", color=alt.value(charts.INK)
        )
    )
    return alt.layer(*layers).properties(height=40 * len(order) + 110)


def cost_against_window(data: pd.DataFrame, *, title: str) -> Any:
    """Return the cost of each model over its context window, both languages joined by a line.

    Both must be known and more than zero.
    """
    x = alt.X(
        "window:Q",
        scale=alt.Scale(type="log", nice=False, padding=30),
        title=_("Context window, tokens"),
        axis=alt.Axis(format="~s", tickCount=5),
    )
    y = alt.Y("cost:Q", scale=alt.Scale(type="log"), title=title, axis=alt.Axis(format=",~g"))
    base = alt.Chart(data).encode(
        x=x,
        y=y,
        tooltip=[
            alt.Tooltip("model:N", title=_("Model")),
            alt.Tooltip("language:N", title=_("Language")),
            alt.Tooltip("window:Q", title=_("Context window, tokens"), format=",d"),
            alt.Tooltip("money:N", title=title),
        ],
    )
    lines = base.mark_line(color=REFERENCE, strokeWidth=1).encode(detail="model:N")
    dots = base.mark_circle(size=90, opacity=1).encode(color=charts.language_colour())
    top = data.sort_values("cost").groupby("model").tail(1)
    labels = alt.Chart(top).mark_text(dy=-12, fontSize=11).encode(x=x, y=y, text="model:N")
    return (lines + dots + labels).properties(height=360)


def badge(length: Length) -> str:
    """Return whether a length is exact; nothing of one that was typed."""
    return counting.badge(length.counted) if length.counted else ""


def _method(length: Length) -> str:
    if isinstance(length.counted, CountColumn):
        return _("the mean of {texts} texts").format(texts=f"{len(length.counted) or 1:,}")
    return sentence(length.counted.method) if length.counted else ""


def show_table(
    context: PricingContext, rows: Sequence[ModelComparison], *, comparable: bool
) -> None:
    """Draw the figures, without what a language saves where the texts are not ``comparable``."""
    ratio = tables.number(_("Premium"), form="%.2f", help=_("Chinese tokens for each English one"))
    first: dict[str, tables.Column] = {
        **layout.model_column(context),
        "zh": (tables.number(_("Tokens, Chinese")), lambda row: row.prompts["zh"].tokens),
        "en": (tables.number(_("Tokens, English")), lambda row: row.prompts["en"].tokens),
        "count": (tables.text(_("Count")), lambda row: badge(row.worse_count)),
        "premium": (ratio, lambda row: row.premium),
        "zh_zh": (_("All in Chinese"), lambda row: row.costs.cost("zh")),
        "en_en": (_("All in English"), lambda row: row.costs.cost("en")),
    }
    share = tables.number(_("Saving, share"), form="percent")
    names = charts.languages()
    more: dict[str, tables.Column] = {
        "zh_en": (_("Chinese, answer in English"), lambda row: row.costs.cost("zh", "en")),
        "en_zh": (_("English, answer in Chinese"), lambda row: row.costs.cost("en", "zh")),
        "saving": (_("Saving"), lambda row: row.costs.saving),
        "share": (share, lambda row: row.costs.saving_share),
        "cheaper": (
            tables.text(_("Cheaper language")),
            lambda row: names.get(row.costs.cheaper or "", _("equal")),
        ),
        "answer_zh": (
            tables.number(_("Answer tokens, Chinese")),
            lambda row: row.answers["zh"].tokens,
        ),
        "answer_en": (
            tables.number(_("Answer tokens, English")),
            lambda row: row.answers["en"].tokens,
        ),
        "frame": (tables.number(_("Chat frame, tokens")), lambda row: row.frame),
        "fits": (tables.text(_("Fits the window")), lambda row: layout.fits(row.costs.fits)),
        **layout.price_columns(context),
        "method": (
            tables.text(_("How it was counted"), width="large"),
            lambda row: _method(row.prompts["zh"]),
        ),
    }
    ordered = sorted(rows, key=lambda row: row.costs.cost("zh"))
    if not comparable:
        of_both = ("premium", "saving", "share", "cheaper")
        first, more = (
            {name: column for name, column in columns.items() if name not in of_both}
            for columns in (first, more)
        )
    alt_text = _("Tokens, premium and cost of each model in both languages")
    layout.show_rows(context, ordered, first, alt_text=alt_text)
    place = frame.opened(
        _("All figures, with the price's day and source"), icon=":material/table:", key="all_costs"
    )
    if place is None:
        return
    with place:
        layout.show_rows(
            context,
            ordered,
            {**first, **more},
            alt_text=_(
                "Tokens, premium and cost of each model in both languages, with price source"
            ),
            optional=["frame"],
        )

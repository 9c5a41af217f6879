"""The costs of texts on each model: as bars and as a table."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from playground.cost import layout
from playground.cost.context import PricingContext
from playground.cost.languages.comparing import Comparison, badge
from playground.ui import charts, frame, tables
from playground.ui.charts import REFERENCE
from playground.ui.i18n import _, sentence


def by_model_and_language(context: PricingContext, rows: Sequence[Comparison]) -> pd.DataFrame:
    """Return a row for each model and language: ``cost`` lies between ``low`` and ``high``.

    ``money`` and ``range`` say so in words.
    """
    money = context.money
    cells = [(row, code) for row in rows for code in row.languages]
    amounts = money.texts([row.cost(code) for row, code in cells])
    data = []
    for (row, code), amount in zip(cells, amounts, strict=True):
        low, cost, high = row.ranges[code]
        is_refused = row.bills[code].fits is False
        data.append(
            {
                "model": context.names[row.model.id],
                "language": charts.languages()[code],
                "cost": float(cost),
                "low": float(low),
                "high": float(high),
                "money": f"{amount} · {_('refused')}" if is_refused else amount,
                "range": f"{money.text(low)} – {money.text(high)}",
            }
        )
    return pd.DataFrame(data)


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


def show_table(context: PricingContext, rows: Sequence[Comparison]) -> None:
    """Draw the figures; what compares two languages only where there are two."""
    names = charts.languages()
    languages = rows[0].languages
    first: dict[str, tables.Column] = {
        **layout.model_column(context),
        **{code: _tokens(_("Tokens, {language}"), "prompts", code) for code in languages},
        "count": (tables.text(_("Count")), lambda row: badge(row.worse_count)),
    }
    more: dict[str, tables.Column] = {
        f"answer_{code}": _tokens(_("Answer tokens, {language}"), "answers", code)
        for code in rows[0].answers
    }
    if len(languages) > 1:
        ratio = tables.number(
            _("Chinese ÷ English"), form="%.2f", help=_("Chinese tokens for each English one")
        )
        share = tables.number(_("Chinese instead of English"), form="percent")
        first["premium"] = ratio, lambda row: row.premium
        first["zh_zh"] = _("All in Chinese"), lambda row: row.cost("zh")
        first["en_en"] = _("All in English"), lambda row: row.cost("en")
        more = {
            "saving": (_("Saving"), lambda row: row.saving),
            "share": (share, lambda row: row.change),
            "cheaper": (
                tables.text(_("Cheaper language")),
                lambda row: names.get(row.cheaper or "", _("equal")),
            ),
            **more,
        }
    else:
        first["cost"] = _("Cost"), lambda row: row.least
    more = {
        **more,
        "frame": (tables.number(_("Chat frame, tokens")), lambda row: row.frame),
        "fits": (tables.text(_("Fits the window")), lambda row: layout.fits(row.fits)),
        **layout.price_columns(context),
        "method": (tables.text(_("How it was counted"), width="large"), _method),
    }
    ordered = sorted(rows, key=lambda row: row.cost(languages[0]))
    layout.show_rows(
        context, ordered, first, alt_text=_("Tokens and cost of each model in each language")
    )
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
            alt_text=_("Tokens and cost of each model in each language, with price source"),
            optional=["frame"],
        )


def _tokens(label: str, of: str, code: str) -> tables.Column:
    heading = tables.number(label.format(language=charts.languages()[code]))
    return heading, lambda row: getattr(row, of)[code].tokens


def _method(row: Comparison) -> str:
    method = next(iter(row.prompts.values())).method
    return sentence(method) if method else ""

"""The table of two languages: tokens, premium and cost of each model, in both."""

from collections.abc import Sequence

import pandas as pd

from playground.cost import columns
from playground.cost.desk import Desk
from playground.cost.languages.comparing import Row
from playground.ui import charts, tables
from playground.ui.i18n import _


def show(desk: Desk, rows: Sequence[Row]) -> None:
    """Draw the table, what is cheapest in Chinese first."""
    money = desk.money
    frame = pd.DataFrame(
        [
            {
                "model": desk.names[row.model.id],
                "zh": row.prompts["zh"].tokens,
                "en": row.prompts["en"].tokens,
                "count": row.worse_count.badge,
                "premium": None if row.premium is None else float(row.premium),
                "zh_zh": money.number(row.costs.cost("zh")),
                "en_en": money.number(row.costs.cost("en")),
                "cheaper": charts.languages().get(row.costs.cheaper or "", _("equal")),
                "saving": money.number(row.costs.saving),
                "share": float(row.costs.saving_share),
                "zh_en": money.number(row.costs.cost("zh", "en")),
                "en_zh": money.number(row.costs.cost("en", "zh")),
                "answer_zh": row.answers["zh"].tokens,
                "answer_en": row.answers["en"].tokens,
                "frame": row.frame,
                **columns.of_price(desk, row.model),
                "method": row.prompts["zh"].method,
            }
            for row in sorted(rows, key=lambda row: row.costs.cost("zh"))
        ]
    )
    if frame["frame"].isna().all():
        frame = frame.drop(columns="frame")
    tables.show(
        frame,
        {
            **columns.model(),
            "zh": tables.number(_("Tokens, Chinese")),
            "en": tables.number(_("Tokens, English")),
            "count": tables.text(_("Count")),
            "premium": tables.number(
                _("Premium"), form="%.2f", help=_("Chinese tokens for each English one")
            ),
            "zh_zh": money.column(_("All in Chinese"), frame["zh_zh"]),
            "en_en": money.column(_("All in English"), frame["en_en"]),
            "cheaper": tables.text(_("Cheaper language")),
            "saving": money.column(_("Saving"), frame["saving"]),
            "share": tables.number(_("Saving, share"), form="percent"),
            "zh_en": money.column(_("Chinese, answer in English"), frame["zh_en"]),
            "en_zh": money.column(_("English, answer in Chinese"), frame["en_zh"]),
            "answer_zh": tables.number(_("Answer tokens, Chinese")),
            "answer_en": tables.number(_("Answer tokens, English")),
            "frame": tables.number(_("Chat frame, tokens")),
            **columns.price(),
            "method": tables.text(_("How it was counted"), width="large"),
        },
        alt_text=_("Tokens, premium and cost of each model in both languages, with price source"),
    )

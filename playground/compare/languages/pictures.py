"""The charts of the premium, of all texts and by kind of text, and of characters."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from bpe.analysis.metrics import Coverage
from playground.ui import charts
from playground.ui.charts import CHINESE, ENGLISH
from playground.ui.i18n import _

_NEUTRAL = "#e6e1d6"


def of_texts(frame: pd.DataFrame, order: list[str]) -> Any:
    """Draw the premium of each tokenizer as a dot on its 95% interval."""
    title = _("Chinese tokens for each English one")
    x: dict[str, Any] = {
        "title": title,
        "scale": alt.Scale(zero=False, padding=24),
        "axis": alt.Axis(format=".2f", tickCount=6),
    }
    base = charts.by_tokenizer(
        frame,
        order,
        alt.Tooltip("premium:Q", title=title, format=".3f"),
        alt.Tooltip("low:Q", title=_("95% from"), format=".3f"),
        alt.Tooltip("high:Q", title=_("95% to"), format=".3f"),
    )
    interval = base.mark_rule(strokeWidth=3, color=CHINESE, opacity=0.4).encode(
        x=alt.X("low:Q", **x), x2="high:Q"
    )
    premium = base.encode(x=alt.X("premium:Q", **x))
    points = premium.mark_circle(size=110, color=CHINESE, opacity=1)
    numbers = premium.mark_text(dy=-13).encode(text=alt.Text("premium:Q", format=".2f"))
    return (charts.line_at(1) + interval + points + numbers).properties(
        height=charts.height(order, 70, row=44)
    )


def of_domains(frame: pd.DataFrame, labels: Mapping[str, str], order: list[str]) -> Any:
    """Draw the premium of each kind of text under each tokenizer as a field of colour.

    The colour is that of the language that pays more.
    """
    data = frame.assign(label=frame["domain"].map(labels))
    present = [labels[code] for code in labels if code in set(frame["domain"])]
    furthest = max(abs(frame["premium"] - 1).max(), 0.25)
    axis = alt.Axis(labelAngle=-40, labelOverlap=False, orient="top")
    base = charts.by_tokenizer(
        data,
        order,
        alt.Tooltip("label:N", title=_("Texts")),
        alt.Tooltip("premium:Q", title=_("Chinese ÷ English"), format=".3f"),
        x=alt.X("label:N", sort=present, title=None, axis=axis),
    )
    fields = base.mark_rect().encode(
        color=alt.Color(
            "premium:Q",
            scale=alt.Scale(
                domain=[1 - furthest, 1, 1 + furthest],
                range=[ENGLISH, _NEUTRAL, CHINESE],
                clamp=True,
                interpolate="lab",
            ),
            legend=None,
        )
    )
    strong = f"abs(datum.premium - 1) > {furthest * 0.6}"
    text = base.mark_text(fontSize=11).encode(
        text=alt.Text("premium:Q", format=".2f"),
        color=alt.condition(strong, alt.value("#ffffff"), alt.value("#23262b")),
    )
    return (fields + text).properties(height=charts.height(order, 110, row=30))


_COVERAGE = (CHINESE, "#dd9d84", "#a3a3a3", "#6b6b6b")


def coverage(covered: Mapping[str, Coverage], order: list[str]) -> Any:
    names = (_("one token"), _("two tokens"), _("three tokens or more"), _("lost"))
    rows = []
    for name, figure in covered.items():
        shares = [figure.share(1), figure.share(2)]
        shares += [1 - sum(shares) - figure.share(0), figure.share(0)]
        rows += [
            (name, label, place, share)
            for place, (label, share) in enumerate(zip(names, shares, strict=True))
        ]
    data = pd.DataFrame(rows, columns=["tokenizer", "kind", "order", "share"])
    data = data[(data["share"] > 1e-9) | (data["order"] < 3)]
    shown = list(dict.fromkeys(data.sort_values("order")["kind"]))
    base = charts.by_tokenizer(
        data,
        order,
        alt.Tooltip("kind:N", title=_("One Chinese character is")),
        alt.Tooltip("share:Q", title=_("Share"), format=".1%"),
        x=alt.X(
            "share:Q",
            stack="zero",
            title=_("Share of the 3,755 common Chinese characters (GB 2312 level 1)"),
            axis=alt.Axis(format="%", tickCount=5),
            scale=alt.Scale(domain=[0, 1]),
        ),
        order=alt.Order("order:Q"),
    )
    bars = base.mark_bar(height={"band": 0.7}).encode(
        color=charts.colour("kind:N", shown, _COVERAGE[: len(shown)], columns=2)
    )
    return bars.properties(height=charts.height(order, 130))

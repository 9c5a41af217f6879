"""The charts of the premium (of all texts, by pair and kind of text) and of characters."""

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
    x: dict[str, Any] = {"title": title, "scale": alt.Scale(zero=False, padding=24)}
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


def of_pairs(frame: pd.DataFrame, each: pd.DataFrame, order: list[str]) -> Any:
    """Draw the box of the middle half of the pairs, from the line at 1, and the premium of each.

    ``frame`` has the quantiles of each tokenizer, ``each`` a row for every pair that is drawn.
    """
    title = _("Chinese tokens for each English one, pair by pair")
    # A few extreme pairs must not squeeze the rest: the axis ends at twice the widest whiskers.
    low, high = min(frame["low"].min(), 0.95), max(frame["high"].max(), 1.05)
    ends = [low, high]
    if len(each):
        ratio = each["ratio"]
        ends = [min(low, max(ratio.min(), low / 2)), max(high, min(ratio.max(), high * 2))]
        if not ratio.between(*ends).all():
            title = _("{title} (what lies beyond an end is drawn at it)").format(title=title)
    x: dict[str, Any] = {
        "title": title,
        "scale": alt.Scale(domain=ends, clamp=True, nice=True, zero=False),
    }
    base = charts.by_tokenizer(
        frame,
        order,
        alt.Tooltip("median:Q", title=_("Median"), format=".2f"),
        alt.Tooltip("first:Q", title=_("First quarter below"), format=".2f"),
        alt.Tooltip("third:Q", title=_("Last quarter above"), format=".2f"),
        alt.Tooltip("low:Q", title=_("5% below"), format=".2f"),
        alt.Tooltip("high:Q", title=_("5% above"), format=".2f"),
    )
    whiskers = base.mark_rule(color=CHINESE, opacity=0.6).encode(x=alt.X("low:Q", **x), x2="high:Q")
    box = base.mark_bar(height=16, color=CHINESE, opacity=0.3).encode(
        x=alt.X("first:Q", **x), x2="third:Q"
    )
    median = base.mark_tick(color=CHINESE, thickness=3, height=20, opacity=1).encode(
        x=alt.X("median:Q", **x)
    )
    layers = charts.line_at(1) + whiskers + box
    if len(each):
        layers = layers + _each_pair(each, order, x)
    return (layers + median).properties(
        height=charts.height(order, 70, row=44),
        # As many marks are drawn on a canvas otherwise, which cannot be saved as SVG.
        usermeta={"embedOptions": {"renderer": "svg"}},
    )


def _each_pair(each: pd.DataFrame, order: list[str], x: Mapping[str, Any]) -> Any:
    return charts.by_tokenizer(
        each,
        order,
        alt.Tooltip("pair:Q", title=_("Pair")),
        alt.Tooltip("ratio:Q", title=_("Premium"), format=".2f"),
        alt.Tooltip("zh:Q", title=_("Tokens, Chinese"), format=",d"),
        alt.Tooltip("en:Q", title=_("Tokens, English"), format=",d"),
        x=alt.X("ratio:Q", **x),
    ).mark_tick(color=CHINESE, thickness=1, height=9, yOffset=13, opacity=0.45)


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
        alt.Tooltip("premium:Q", title=_("Premium"), format=".3f"),
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

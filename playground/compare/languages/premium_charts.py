"""The charts of the premium: of all texts, pair by pair, by kind of text, and by script."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from playground.ui import charts
from playground.ui.charts import CHINESE, ENGLISH
from playground.ui.i18n import _

_NEUTRAL = "#e6e1d6"


Means = Mapping[str, tuple[float, float]]
"""The premium of all texts and of the mean pair under each tokenizer."""


def of_texts(found: Means, order: list[str]) -> Any:
    kinds = {"micro": _("all texts (micro)"), "macro": _("mean pair (macro)")}
    data = pd.DataFrame(
        [
            (name, kinds[kind], value)
            for name, means in found.items()
            for kind, value in zip(("micro", "macro"), means, strict=True)
        ],
        columns=["tokenizer", "kind", "premium"],
    ).assign(one=1.0)
    base = _base(data, order, alt.Tooltip("kind:N", title=_("Premium")))
    micro = base.transform_filter(alt.datum.kind == kinds["micro"])
    stems = micro.mark_rule(strokeWidth=2, color=CHINESE, opacity=0.45).encode(x2="one:Q")
    points = _points(base, "kind", list(kinds.values()), "diamond")
    return (charts.line_at(1) + stems + points + _numbers(micro)).properties(
        height=charts.height(order, 120)
    )


def of_scripts(simplified: Means, traditional: Means, order: list[str]) -> Any:
    names = [_("Simplified"), _("Traditional")]
    data = pd.DataFrame(
        [
            (name, script, found[name][0])
            for script, found in zip(names, (simplified, traditional), strict=True)
            for name in order
        ],
        columns=["tokenizer", "script", "premium"],
    )
    base = _base(data, order, alt.Tooltip("script:N", title=_("Script")))
    lines = base.mark_line(color=CHINESE, opacity=0.45, strokeWidth=2).encode(detail="tokenizer:N")
    points = _points(base, "script", names, "square")
    return (charts.line_at(1) + lines + points + _numbers(base)).properties(
        height=charts.height(order, 100, row=40)
    )


def _base(data: pd.DataFrame, order: Sequence[str], kind: alt.Tooltip) -> alt.Chart:
    """Return an empty chart of the column ``premium``, a row for each tokenizer."""
    title = _("Chinese tokens for each English one")
    number = alt.Tooltip("premium:Q", title=title, format=".3f")
    x = alt.X("premium:Q", title=title, scale=alt.Scale(zero=False, padding=24))
    return charts.by_tokenizer(data, order, kind, number, x=x)


def _points(base: alt.Chart, kind: str, names: Sequence[str], second: str) -> Any:
    """Return a full circle for the first of two kinds and a hollow shape for the second."""
    legend = alt.Legend(title=None, orient="top", columns=1)
    looks: dict[str, dict[str, Any]] = {
        channel: {
            "scale": alt.Scale(domain=list(names), range=values),
            "legend": legend,  # one for all three, so that its signs are those of the chart
        }
        for channel, values in (
            ("shape", ["circle", second]),
            ("fill", [CHINESE, "transparent"]),
            ("stroke", [CHINESE, CHINESE]),
        )
    }
    return base.mark_point(size=100, opacity=1).encode(
        shape=alt.Shape(f"{kind}:N", **looks["shape"]),
        fill=alt.Fill(f"{kind}:N", **looks["fill"]),
        stroke=alt.Stroke(f"{kind}:N", **looks["stroke"]),
    )


def _numbers(base: alt.Chart) -> Any:
    return base.mark_text(dy=-13).encode(text=alt.Text("premium:Q", format=".2f"))


def of_pairs(frame: pd.DataFrame, each: pd.DataFrame, order: list[str]) -> Any:
    """Draw the box of the middle half of the pairs, from the line at 1, and the premium of each.

    ``frame`` has the quantiles of each tokenizer, ``each`` a row for every pair that is drawn.
    """
    title = _("Chinese tokens for each English one, pair by pair")
    # A few extreme pairs must not squeeze the rest: the axis ends at the widest whiskers.
    ends = [min(frame["low"].min(), 0.95), max(frame["high"].max(), 1.05)]
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

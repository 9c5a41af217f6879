"""The charts of the premium (of all texts, by pair, kind of text and script) and of tokens."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from bpe.analysis.metrics import Coverage
from playground.compare.languages.measures import LanguageFigures, Languages
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
_LONGEST = 18
"""Tokens of so many bytes or characters, and of more, are one column."""


def frame(found: Languages, figure: str) -> pd.DataFrame:
    rows = [
        (name, language, getattr(figures, figure))
        for name, languages in found.items()
        for language, figures in languages.items()
    ]
    return pd.DataFrame(rows, columns=["tokenizer", "language", figure])


def whole_words(frame: pd.DataFrame, order: list[str]) -> Any:
    title = _("Share of Chinese words that are one token")
    base = charts.by_tokenizer(
        frame[frame["language"] == "zh"][["tokenizer", "strr"]],
        order,
        alt.Tooltip("strr:Q", title=title, format=".1%"),
        x=alt.X(
            "strr:Q",
            title=title,
            scale=alt.Scale(domain=[0, 1]),
            axis=alt.Axis(format="%", tickCount=5),
        ),
    )
    labels = base.mark_text(align="left", dx=4).encode(text=alt.Text("strr:Q", format=".0%"))
    bars = base.mark_bar(color=CHINESE, height={"band": 0.6})
    return (bars + labels).properties(height=charts.height(order, 60))


def coverage(found: Mapping[str, Coverage], order: list[str]) -> Any:
    names = _coverage_names()
    rows = []
    for name, figure in found.items():
        shares = [figure.share(1), figure.share(2)]
        shares += [1 - sum(shares) - figure.share(0), figure.share(0)]
        rows += [
            (name, label, at, share)
            for at, (label, share) in enumerate(zip(names, shares, strict=True))
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


def _coverage_names() -> tuple[str, ...]:
    return _("one token"), _("two tokens"), _("three tokens or more"), _("lost")


def length_frames(found: Languages, unit: str) -> dict[str, pd.DataFrame]:
    return {name: _length_frame(languages, unit) for name, languages in found.items()}


def ends(frames: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Return where the axes of :func:`lengths` end, so that all charts have the same."""
    return {
        "highest": max((float(frame["share"].max()) for frame in frames.values()), default=1.0),
        "longest": max((int(frame["length"].max()) for frame in frames.values()), default=1),
    }


def lengths(frame: pd.DataFrame, *, unit: str, highest: float, longest: int) -> Any:
    title = _("Bytes in a token") if unit == "bytes" else _("Whole characters in a token")
    return (
        alt.Chart(frame.assign(language=frame["language"].map(charts.languages())))
        .mark_bar()
        .encode(
            x=alt.X(
                "length:O",
                title=title,
                scale=alt.Scale(domain=list(range(unit == "bytes", longest + 1))),
                axis=alt.Axis(
                    labelAngle=0,
                    labelExpr=f"datum.value == {_LONGEST} ? '{_LONGEST}+' : datum.label",
                    labelOverlap=True,
                ),
            ),
            xOffset=alt.XOffset("language:N", sort=list(charts.languages().values())),
            y=alt.Y(
                "share:Q",
                title=_("Share of tokens"),
                axis=alt.Axis(format="%", tickCount=4),
                scale=alt.Scale(domain=[0, highest]),
            ),
            color=charts.language_colour(),
            tooltip=[
                alt.Tooltip("language:N", title=_("Language")),
                alt.Tooltip("length:Q", title=title),
                alt.Tooltip("share:Q", title=_("Share of tokens"), format=".1%"),
                alt.Tooltip("tokens:Q", title=_("Tokens"), format=",d"),
            ],
        )
        .properties(height=270)
    )


def _length_frame(languages: Mapping[str, LanguageFigures], unit: str) -> pd.DataFrame:
    rows = []
    for language, figures in languages.items():
        counts = figures.lengths if unit == "bytes" else figures.character_lengths
        folded: dict[int, int] = {}
        for length, count in counts.items():
            folded[min(length, _LONGEST)] = folded.get(min(length, _LONGEST), 0) + count
        total = sum(folded.values())
        rows += [(language, length, count, count / total) for length, count in folded.items()]
    return pd.DataFrame(rows, columns=["language", "length", "tokens", "share"])

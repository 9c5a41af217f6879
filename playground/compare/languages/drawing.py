"""The charts of Chinese against English; each answers one question."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from bpe.metrics import Coverage, Premium
from playground import charts
from playground.charts import CHINESE, ENGLISH
from playground.compare.languages.figures import LanguageFigures, spread_frame
from playground.texts import _

DRAWN_PAIRS = 400
"""Of more pairs than this only the quantiles are drawn, and not each one."""

_NEUTRAL = "#e6e1d6"
_COVERAGE = (CHINESE, "#dd9d84", "#a3a3a3", "#6b6b6b")
_LONGEST = 18
_ROW = 36


def premium(found: Mapping[str, Premium], order: list[str]) -> Any:
    """Draw the premium of each tokenizer, of all texts and of the mean pair, from the line at 1."""
    title = _("Chinese tokens for each English one")
    kinds = {"micro": _("all texts (micro)"), "macro": _("mean pair (macro)")}
    data = pd.DataFrame(
        [
            (name, kinds[kind], value)
            for name, figure in found.items()
            for kind, value in (("micro", figure.micro), ("macro", figure.macro))
        ],
        columns=["tokenizer", "kind", "premium"],
    ).assign(one=1.0)
    base = alt.Chart(data).encode(
        y=_tokenizers(order),
        tooltip=[
            alt.Tooltip("tokenizer:N", title=_("Tokenizer")),
            alt.Tooltip("kind:N", title=_("Premium")),
            alt.Tooltip("premium:Q", title=title, format=".3f"),
        ],
    )
    x = alt.X("premium:Q", title=title, scale=alt.Scale(zero=False, padding=24))
    micro = base.transform_filter(alt.datum.kind == kinds["micro"])
    stems = micro.mark_rule(strokeWidth=2, color=CHINESE, opacity=0.45).encode(x=x, x2="one:Q")
    points = base.mark_point(size=100, stroke=CHINESE, fill=CHINESE, opacity=1).encode(
        x=x,
        shape=alt.Shape(
            "kind:N",
            scale=alt.Scale(domain=list(kinds.values()), range=["circle", "diamond"]),
            legend=alt.Legend(title=None, orient="top", columns=1, symbolStrokeColor=CHINESE),
        ),
        fillOpacity=alt.condition(alt.datum.kind == kinds["micro"], alt.value(1), alt.value(0)),
    )
    text = micro.mark_text(dy=-13, color=CHINESE).encode(
        x=x, text=alt.Text("premium:Q", format=".2f")
    )
    return (charts.line_at(1) + stems + points + text).properties(
        height=_ROW * max(len(order), 2) + 120
    )


def spread(found: Mapping[str, Premium], order: list[str]) -> Any:
    """Draw the premium of every pair, and the box of the middle half, from the line at 1."""
    title = _("Chinese tokens for each English one, pair by pair")
    frame = spread_frame(found)
    # A few extreme pairs must not squeeze the rest: the axis ends at the widest whiskers.
    ends = [min(frame["low"].min(), 0.95), max(frame["high"].max(), 1.05)]
    x: dict[str, Any] = {
        "title": title,
        "scale": alt.Scale(domain=ends, clamp=True, nice=True, zero=False),
    }
    base = alt.Chart(frame).encode(
        y=_tokenizers(order),
        tooltip=[
            alt.Tooltip("tokenizer:N", title=_("Tokenizer")),
            alt.Tooltip("median:Q", title=_("Median"), format=".2f"),
            alt.Tooltip("first:Q", title=_("First quarter below"), format=".2f"),
            alt.Tooltip("third:Q", title=_("Last quarter above"), format=".2f"),
            alt.Tooltip("low:Q", title=_("5 % below"), format=".2f"),
            alt.Tooltip("high:Q", title=_("5 % above"), format=".2f"),
        ],
    )
    whiskers = base.mark_rule(color=CHINESE, opacity=0.6).encode(x=alt.X("low:Q", **x), x2="high:Q")
    box = base.mark_bar(height=16, color=CHINESE, opacity=0.3).encode(
        x=alt.X("first:Q", **x), x2="third:Q"
    )
    median = base.mark_tick(color=CHINESE, thickness=3, height=20, opacity=1).encode(
        x=alt.X("median:Q", **x)
    )
    layers = charts.line_at(1) + whiskers + box
    number = len(next(iter(found.values())).ratios)
    if number <= DRAWN_PAIRS:
        each = pd.DataFrame(
            [
                (name, at + 1, ratio, zh, en)
                for name, figure in found.items()
                for at, (ratio, (zh, en)) in enumerate(
                    zip(figure.ratios, figure.counts, strict=True)
                )
            ],
            columns=["tokenizer", "pair", "ratio", "zh", "en"],
        )
        dots = (
            alt.Chart(each)
            .mark_tick(color=CHINESE, thickness=1, height=9, yOffset=13, opacity=0.45)
            .encode(
                y=_tokenizers(order),
                x=alt.X("ratio:Q", **x),
                tooltip=[
                    alt.Tooltip("tokenizer:N", title=_("Tokenizer")),
                    alt.Tooltip("pair:Q", title=_("Pair")),
                    alt.Tooltip("ratio:Q", title=_("Premium"), format=".2f"),
                    alt.Tooltip("zh:Q", title=_("Tokens, Chinese"), format=",d"),
                    alt.Tooltip("en:Q", title=_("Tokens, English"), format=",d"),
                ],
            )
        )
        layers = layers + dots
    return (layers + median).properties(
        height=(_ROW + 8) * max(len(order), 2) + 70,
        # As many marks are drawn on a canvas otherwise, which cannot be saved as SVG.
        usermeta={"embedOptions": {"renderer": "svg"}},
    )


def by_language(
    found: Mapping[str, Mapping[str, LanguageFigures]],
    figure: str,
    *,
    title: str,
    order: list[str],
    number_format: str,
    axis_format: str = "~s",
) -> Any:
    """Draw one figure of both languages as a pair of bars for each tokenizer."""
    rows = [
        (name, language, getattr(figures, figure))
        for name, languages in found.items()
        for language, figures in languages.items()
    ]
    data = pd.DataFrame(rows, columns=["tokenizer", "language", figure])
    return charts.bars(
        data,
        value=figure,
        title=title,
        order=order,
        number_format=number_format,
        axis_format=axis_format,
    )


def per_hanzi(found: Mapping[str, Mapping[str, LanguageFigures]], order: list[str]) -> Any:
    """Draw tokens per 汉字, with the line at one token."""
    title = _("Tokens per 汉字")
    data = pd.DataFrame(
        [(name, languages["zh"].tokens_per_hanzi) for name, languages in found.items()],
        columns=["tokenizer", "value"],
    )
    base = alt.Chart(data).encode(
        y=_tokenizers(order),
        x=alt.X("value:Q", title=title, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=5)),
        tooltip=[
            alt.Tooltip("tokenizer:N", title=_("Tokenizer")),
            alt.Tooltip("value:Q", title=title, format=".3f"),
        ],
    )
    labels = base.mark_text(align="left", dx=4, color=CHINESE).encode(
        text=alt.Text("value:Q", format=".2f")
    )
    bars = base.mark_bar(color=CHINESE, height={"band": 0.6})
    return (bars + labels + charts.line_at(1)).properties(height=_ROW * max(len(order), 2) + 60)


def coverage(found: Mapping[str, Coverage], order: list[str]) -> Any:
    """Draw the shares of the common 汉字 that take one, two, three or more tokens, or get lost."""
    names = coverage_names()
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
    base = alt.Chart(data).encode(
        y=_tokenizers(order),
        x=alt.X(
            "share:Q",
            stack="zero",
            title=_("Share of the 3,755 common 汉字 (GB 2312 level 1)"),
            axis=alt.Axis(format="%", tickCount=5),
            scale=alt.Scale(domain=[0, 1]),
        ),
        order=alt.Order("order:Q"),
        tooltip=[
            alt.Tooltip("tokenizer:N", title=_("Tokenizer")),
            alt.Tooltip("kind:N", title=_("One 汉字 is")),
            alt.Tooltip("share:Q", title=_("Share"), format=".1%"),
        ],
    )
    bars = base.mark_bar(height={"band": 0.7}).encode(
        color=alt.Color(
            "kind:N",
            scale=alt.Scale(domain=shown, range=list(_COVERAGE[: len(shown)])),
            legend=alt.Legend(title=None, orient="top", columns=2),
        )
    )
    return bars.properties(height=_ROW * max(len(order), 2) + 130)


def coverage_names() -> tuple[str, ...]:
    """Return what a 汉字 can be, in the order of the stack."""
    return _("one token"), _("two tokens"), _("three tokens or more"), _("lost")


def lengths(
    found: Mapping[str, Mapping[str, LanguageFigures]], unit: str, names: Sequence[str]
) -> dict[str, Any]:
    """Draw for each tokenizer which share of its tokens has which length, on the same axes."""
    frames = {name: _length_frame(found[name], unit) for name in names}
    highest = max((float(frame["share"].max()) for frame in frames.values()), default=1.0)
    longest = max((int(frame["length"].max()) for frame in frames.values()), default=1)
    title = _("Bytes in a token") if unit == "bytes" else _("Whole characters in a token")
    drawn = {}
    for name, frame in frames.items():
        drawn[name] = (
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
    return drawn


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


def domains(frame: pd.DataFrame, labels: Mapping[str, str], order: list[str]) -> Any:
    """Draw the premium of each kind of text under each tokenizer as a field of colour.

    The colour is that of the language that pays more.
    """
    data = frame.assign(label=frame["domain"].map(labels))
    present = [labels[code] for code in labels if code in set(frame["domain"])]
    furthest = max(abs(frame["premium"] - 1).max(), 0.25)
    base = alt.Chart(data).encode(
        x=alt.X(
            "label:N",
            sort=present,
            title=None,
            axis=alt.Axis(labelAngle=-40, labelOverlap=False, orient="top"),
        ),
        y=_tokenizers(order),
        tooltip=[
            alt.Tooltip("tokenizer:N", title=_("Tokenizer")),
            alt.Tooltip("label:N", title=_("Texts")),
            alt.Tooltip("premium:Q", title=_("Premium"), format=".3f"),
        ],
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
    return (fields + text).properties(height=(_ROW - 6) * max(len(order), 2) + 110)


def scripts(
    simplified: Mapping[str, Premium], traditional: Mapping[str, Premium], order: list[str]
) -> Any:
    """Draw the premium of the same news in Simplified and in Traditional Chinese."""
    names = {"zh": _("Simplified"), "zh_hant": _("Traditional")}
    title = _("Chinese tokens for each English one")
    data = pd.DataFrame(
        [
            (name, names[script], found[name].micro)
            for script, found in (("zh", simplified), ("zh_hant", traditional))
            for name in order
        ],
        columns=["tokenizer", "script", "premium"],
    )
    base = alt.Chart(data).encode(y=_tokenizers(order))
    x = alt.X("premium:Q", title=title, scale=alt.Scale(zero=False, padding=24))
    rule = base.mark_line(color=CHINESE, opacity=0.45, strokeWidth=2).encode(
        x=x, detail="tokenizer:N"
    )
    points = base.mark_point(size=100, stroke=CHINESE, fill=CHINESE, opacity=1).encode(
        x=x,
        shape=alt.Shape(
            "script:N",
            scale=alt.Scale(domain=list(names.values()), range=["circle", "square"]),
            legend=alt.Legend(title=None, orient="top", columns=1, symbolStrokeColor=CHINESE),
        ),
        fillOpacity=alt.condition(alt.datum.script == names["zh"], alt.value(1), alt.value(0)),
        tooltip=[
            alt.Tooltip("tokenizer:N", title=_("Tokenizer")),
            alt.Tooltip("script:N", title=_("Script")),
            alt.Tooltip("premium:Q", title=title, format=".3f"),
        ],
    )
    text = base.mark_text(dy=-13, color=CHINESE).encode(
        x=x, text=alt.Text("premium:Q", format=".2f")
    )
    return (charts.line_at(1) + rule + points + text).properties(
        height=(_ROW + 4) * max(len(order), 2) + 100
    )


def _tokenizers(order: list[str]) -> alt.Y:
    return alt.Y(
        "tokenizer:N", sort=order, title=None, axis=alt.Axis(labelLimit=220, labelOverlap=False)
    )

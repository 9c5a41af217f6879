"""The charts of what tokens hold: bytes, parts of characters, 汉字, and how long they are."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from bpe.analysis.metrics import Coverage
from playground.compare.languages.measures import LanguageFigures, Languages
from playground.ui import charts
from playground.ui.charts import CHINESE
from playground.ui.i18n import _

_COVERAGE = (CHINESE, "#dd9d84", "#a3a3a3", "#6b6b6b")
_LONGEST = 18
"""Tokens of so many bytes or characters, and of more, are one column."""


def frame(found: Languages, figure: str) -> pd.DataFrame:
    """Return one figure of both languages, a row for each: the columns of :func:`charts.bars`."""
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
        color=alt.Color(
            "kind:N",
            scale=alt.Scale(domain=shown, range=list(_COVERAGE[: len(shown)])),
            legend=alt.Legend(title=None, orient="top", columns=2),
        )
    )
    return bars.properties(height=charts.height(order, 130))


def _coverage_names() -> tuple[str, ...]:
    return _("one token"), _("two tokens"), _("three tokens or more"), _("lost")


def length_frames(found: Languages, unit: str) -> dict[str, pd.DataFrame]:
    """Return for each tokenizer which share of its tokens has which length."""
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

"""Chinese against English on parallel texts: one question at a time, a chart and a sentence each.

Only the chosen question is measured and drawn.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from bpe.analysis.metrics import Coverage, Premium
from bpe.encoders.base import Encoder
from playground.compare import tokenizers
from playground.compare.languages import measures, parallel, table
from playground.compare.languages.measures import LEAST_PAIRS
from playground.compare.languages.parallel import ParallelTexts
from playground.ui import charts, fields
from playground.ui.charts import CHINESE
from playground.ui.i18n import _, plain, sentences_joined

Encoders = Mapping[str, Encoder]


def draw() -> None:
    encoders = tokenizers.choose()
    if tokenizers.are_chosen(encoders):
        show(encoders)


def show(encoders: Encoders) -> None:
    questions: dict[str, tuple[str, Callable[[Encoders, ParallelTexts], None]]] = {
        "premium": (_("Chinese ÷ English"), _premium),
        "hanzi": (_("Chinese characters"), _hanzi),
        "table": (_("All metrics"), table.show),
    }
    left, right = st.columns([1, 2])
    with left:
        source = parallel.choose_source()
    with right:
        question = fields.segments(
            _("Question"),
            {name: label for name, (label, _draw) in questions.items()},
            key="question",
        )
    texts = parallel.read(source)
    if texts:
        questions[question][1](encoders, texts)


def _answer(question: str, summary: str, draw: Callable[[], Any], alt_text: str) -> None:
    st.header(question)
    st.markdown(summary)
    charts.show(draw, alt_text=alt_text)


# The premium


def _premium(encoders: Encoders, texts: ParallelTexts) -> None:
    premiums = tokenizers.by_name(measures.premiums(encoders, texts))
    if not premiums:
        return
    _answer(
        _("How many tokens does Chinese take for each one of English?"),
        premium_in_words(premiums),
        partial(of_texts, measures.premium_frame(premiums)),
        _("Chinese tokens for each English one, with a line at 1.0"),
    )


def premium_in_words(premiums: Mapping[str, Premium]) -> str:
    cheaper = sum(figure.micro < 1 for figure in premiums.values())
    return _of_ends(
        {name: figure.micro for name, figure in premiums.items()},
        _("{name} needs {premium} tokens in Chinese for each one in English."),
        sentences_joined(
            _("{name} needs {premium}."),
            _("With {cheaper} of {all} tokenizers Chinese needs fewer tokens here."),
        ),
        lambda name: {
            "premium": _with_interval(premiums[name]), "cheaper": cheaper, "all": len(premiums),
        },
        highest_first=False,
    )  # fmt: skip


def _with_interval(figure: Premium) -> str:
    if len(figure.counts) < LEAST_PAIRS:
        return f"{figure.micro:.2f}"
    low, high = figure.interval
    return _("{premium} (95% interval {low} to {high})").format(
        premium=f"{figure.micro:.2f}", low=f"{low:.2f}", high=f"{high:.2f}"
    )


# Chinese characters


def _hanzi(encoders: Encoders, _texts: ParallelTexts) -> None:
    covered = tokenizers.by_name(measures.coverages(encoders))
    if covered:
        _answer(
            _("Which common Chinese characters are tokens of their own?"),
            _coverage_in_words(covered),
            partial(coverage, dict(sorted(covered.items(), key=lambda item: -item[1].share(1)))),
            _("Share of 3,755 common Chinese characters that are one, two or more tokens"),
        )
        st.caption(table.limits())


def _coverage_in_words(covered: Mapping[str, Coverage]) -> str:
    shares = {name: figure.share(1) for name, figure in covered.items()}
    return _of_ends(
        shares,
        _(
            "{name} has {count} of the {all} common Chinese characters as single tokens, "
            "{share:.1%}."
        ),
        _("{name} has {count}, {share:.1%}."),
        lambda name: {
            "count": f"{covered[name].counts.get(1, 0):,}",
            "all": f"{covered[name].characters:,}",
            "share": shares[name],
        },
    )


def _of_ends(
    values: Mapping[str, float],
    template: str,
    other: str,
    gaps: Callable[[str], Mapping[str, object]],
    *,
    highest_first: bool = True,
) -> str:
    """Return one sentence of the highest and another of the lowest, where these are two.

    ``gaps`` are filled by name. A value that is no number does not count; without any, the sentence
    is empty.
    """
    names = [name for name, value in values.items() if value == value]
    if not names:
        return ""
    ordered = sorted(names, key=values.__getitem__, reverse=highest_first)
    first, last = ordered[0], ordered[-1]
    text = template.format(name=plain(first), **gaps(first))
    if values[first] == values[last]:
        return text
    return sentences_joined(text, other.format(name=plain(last), **gaps(last)))


def of_texts(frame: pd.DataFrame) -> Any:
    """Draw the premium of each tokenizer as a dot on its 95% interval."""
    order, title = list(frame["tokenizer"]), _("Chinese tokens for each English one")
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


_COVERAGE = (CHINESE, "#dd9d84", "#a3a3a3", "#6b6b6b")


def coverage(covered: Mapping[str, Coverage]) -> Any:
    order, kinds = list(covered), (_("one token"), _("two tokens"), _("three tokens or more"))
    rows = []
    for name, figure in covered.items():
        one, two, lost = map(figure.share, (1, 2, 0))
        shares = (one, two, 1 - one - two - lost)
        rows += [(name, *part) for part in zip(kinds, range(3), shares, strict=True)]
        if lost > 1e-9:
            rows.append((name, _("lost"), 3, lost))
    data = pd.DataFrame(rows, columns=["tokenizer", "kind", "order", "share"])
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

"""Chinese against English on parallel texts: one question at a time, a chart and a sentence each.

Only the chosen question is measured and drawn.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from bpe.analysis.metrics import Premium
from bpe.encoders.base import Encoder
from playground.compare.languages import (
    measures,
    parallel,
    premium_charts,
    reproduce,
    summaries,
    table,
    token_charts,
)
from playground.compare.languages.measures import Languages
from playground.compare.languages.parallel import ParallelTexts
from playground.ui import charts, settings
from playground.ui.i18n import _, plain
from playground.ui.text_pair import domain_names

__all__ = ["show"]

Encoders = Mapping[str, Encoder]


def show(encoders: dict[str, Encoder]) -> None:
    """Draw the choice of texts and of a question, and its answer for these tokenizers."""
    questions: dict[str, tuple[str, Callable[[Encoders, ParallelTexts], None]]] = {
        "premium": (_("Premium"), _premium),
        "tokens": (_("What a token holds"), _tokens),
        "hanzi": (_("汉字"), _hanzi),
        "lengths": (_("Token lengths"), _lengths),
        "kinds": (_("Kinds of text"), _kinds),
        "table": (_("All metrics"), table.show),
    }
    left, right = st.columns([1, 2])
    with left:
        source = parallel.choose_source()
    with right:
        question = settings.segments(
            _("Question"),
            {name: label for name, (label, _draw) in questions.items()},
            key="question",
        )
    texts = parallel.read(source)
    if texts:
        questions[question][1](encoders, texts)


@dataclass(frozen=True)
class Answer:
    """A question, its answer in words, and the chart that shows it."""

    question: str
    summary: str
    chart: Any
    alt_text: str


def _draw(*answers: Answer) -> None:
    """Draw answers beside each other."""
    for column, answer in zip(st.columns(len(answers), gap="large"), answers, strict=True):
        with column:
            st.subheader(answer.question)
            st.markdown(answer.summary)
            charts.show(answer.chart, alt_text=answer.alt_text)


def _order(found: Mapping[str, Premium]) -> list[str]:
    return sorted(found, key=lambda name: found[name].micro)


def _premium(encoders: Encoders, texts: ParallelTexts) -> None:
    found = measures.premiums(encoders, texts)
    if not found:
        return
    order = _order(found)
    _draw(
        Answer(
            _("What does Chinese cost for each token of English?"),
            summaries.premium(found),
            premium_charts.of_texts(found, order),
            _("Chinese tokens for each English one, with a line at 1.0"),
        ),
        Answer(
            _("How many tokens does each language take?"),
            summaries.counts(found),
            charts.bars(
                measures.count_frame(found), value="tokens", title=_("Tokens"), order=order
            ),
            _("Token counts of each tokenizer in Chinese and English"),
        ),
    )
    reproduce.show(encoders, texts, found)
    if len(texts.pairs) > 1:
        _draw(
            Answer(
                _("Does it depend on the sentence?"),
                summaries.spread(found),
                premium_charts.of_pairs(found, order),
                _("The premium of every pair and its middle half, with a line at 1.0"),
            )
        )


def _tokens(encoders: Encoders, texts: ParallelTexts) -> None:
    found = measures.of_languages(encoders, texts)
    if not found:
        return
    _draw(
        Answer(
            _("How many bytes does a token hold?"),
            summaries.bytes_per_token(found),
            token_charts.by_language(
                found,
                "bytes_per_token",
                title=_("Bytes per token"),
                order=_by(found, "bytes_per_token", descending=True),
                number_format=".2f",
            ),
            _("Bytes per token of each tokenizer in Chinese and English"),
        ),
        Answer(
            _("How many tokens are parts of characters?"),
            summaries.partial(found),
            token_charts.by_language(
                found,
                "partial",
                title=_("Share of tokens that are not whole characters"),
                order=_by(found, "partial"),
                number_format=".1%",
                axis_format="%",
            ),
            _("Share of tokens that are not valid UTF-8 alone, in Chinese and English"),
        ),
    )


def _hanzi(encoders: Encoders, texts: ParallelTexts) -> None:
    found = measures.of_languages(encoders, texts)
    if not found:
        return
    answers = [
        Answer(
            _("How many tokens does a 汉字 take in these texts?"),
            summaries.per_hanzi(found),
            token_charts.per_hanzi(found, _by(found, "tokens_per_hanzi")),
            _("Tokens per 汉字 of each tokenizer, with a line at one"),
        )
    ]
    if covered := measures.coverages(encoders):
        order = sorted(covered, key=lambda name: -covered[name].share(1))
        answers.append(
            Answer(
                _("Which common 汉字 are tokens of their own?"),
                summaries.coverage(covered),
                token_charts.coverage(covered, order),
                _("Share of 3,755 common 汉字 that are one, two or more tokens"),
            )
        )
    _draw(*answers)


def _lengths(encoders: Encoders, texts: ParallelTexts) -> None:
    found = measures.of_languages(encoders, texts)
    if not found:
        return
    st.subheader(_("How long are the tokens?"))
    unit = settings.segments(
        _("Length in"),
        {"characters": _("characters"), "bytes": _("bytes")},
        key="length_unit",
        label_visibility="collapsed",
    )
    st.markdown(summaries.lengths(found, unit))
    if unit == "characters":
        st.caption(_("0 are the tokens that hold only a part of a character."))
    drawn = token_charts.lengths(found, unit, list(found))
    columns = st.columns(min(2, len(drawn)), gap="large")
    for at, (name, chart) in enumerate(drawn.items()):
        with columns[at % len(columns)]:
            st.markdown(f"**{plain(name)}**")
            charts.show(
                chart,
                alt_text=_("Share of tokens by length with {name}, in both languages").format(
                    name=name
                ),
            )


def _kinds(encoders: Encoders, texts: ParallelTexts) -> None:
    everything = parallel.sampled(parallel.ALL)
    found = measures.premiums(encoders, everything)
    if not found:
        return
    traditional = measures.premiums(encoders, parallel.sampled(parallel.TRADITIONAL))
    labels = domain_names()
    frame = measures.domain_frame(found, everything.domains)
    if texts.source not in parallel.sources_of_samples():
        own = measures.premiums(encoders, texts)
        frame = measures.with_domain(frame, parallel.PASTED, own)
        labels = {**labels, parallel.PASTED: _("My own texts")}
    st.subheader(_("Does it depend on the kind of text?"))
    st.markdown(summaries.domains(frame, labels))
    charts.show(
        premium_charts.of_domains(frame, labels, _order(found)),
        alt_text=_("The premium of each kind of text under each tokenizer"),
    )
    st.caption(
        _(
            "All samples, whatever is chosen above; red where Chinese needs more tokens, blue "
            "where English does."
        )
    )
    simplified = measures.premiums(encoders, parallel.sampled("news"))
    common = [name for name in _order(found) if name in simplified and name in traditional]
    if common:
        pair = (
            {name: simplified[name] for name in common},
            {name: traditional[name] for name in common},
        )
        _draw(
            Answer(
                _("Does Traditional Chinese cost more than Simplified?"),
                summaries.scripts(*pair),
                premium_charts.of_scripts(*pair, common),
                _("The premium of the same news in Simplified and Traditional Chinese"),
            )
        )


def _by(found: Languages, figure: str, *, descending: bool = False) -> list[str]:
    """Return the tokenizers in the order of a figure of their Chinese tokens."""

    def value(name: str) -> float:
        number = float(getattr(found[name]["zh"], figure))
        return -number if descending else number

    return sorted(found, key=value)

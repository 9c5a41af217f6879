"""Chinese against English on parallel texts: one question at a time, a chart and a sentence each.

Only the chosen question is measured and drawn.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from bpe.analysis.metrics import Premium
from bpe.encoders.base import Encoder
from playground.compare import tokenizers
from playground.compare.languages import (
    measures,
    parallel,
    pictures,
    summaries,
    table,
)
from playground.compare.languages.measures import Languages
from playground.compare.languages.parallel import ParallelTexts
from playground.text_pair import domain_names
from playground.ui import charts, fields, tables
from playground.ui.i18n import _, plain, sentences_joined

Encoders = Mapping[str, Encoder]


def draw() -> None:
    encoders = tokenizers.choose(wide=True)
    if tokenizers.are_chosen(encoders):
        show(encoders)


def show(encoders: Encoders) -> None:
    questions: dict[str, tuple[str, Callable[[Encoders, ParallelTexts], None]]] = {
        "premium": (_("Premium"), _premium),
        "tokens": (_("What a token holds"), _tokens),
        "hanzi": (_("Chinese characters"), _hanzi),
        "lengths": (_("Token lengths"), _lengths),
        "kinds": (_("Kinds of text"), _kinds),
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


@dataclass(frozen=True)
class Answer:
    """A question, its answer in words, and the chart that shows it."""

    question: str
    summary: str
    draw: Callable[[], Any]
    alt_text: str


def _draw(*answers: Answer) -> None:
    for column, answer in zip(st.columns(len(answers), gap="large"), answers, strict=True):
        with column:
            st.header(answer.question)
            st.markdown(answer.summary)
            charts.show(answer.draw, alt_text=answer.alt_text)


def _means(found: Mapping[str, Premium]) -> dict[str, tuple[float, float]]:
    return {name: (figure.micro, figure.macro) for name, figure in found.items()}


def _order(found: Mapping[str, Premium]) -> list[str]:
    return sorted(found, key=lambda name: found[name].micro)


def _premium(encoders: Encoders, texts: ParallelTexts) -> None:
    found = measures.premiums(encoders, texts)
    if not found:
        return
    order = _order(found)
    _draw(
        Answer(
            _("How many tokens does Chinese take for each one of English?"),
            summaries.premium(found),
            partial(pictures.of_texts, _means(found), order),
            _("Chinese tokens for each English one, with a line at 1.0"),
        ),
        Answer(
            _("How many tokens does each language take?"),
            summaries.counts(found),
            partial(
                charts.bars,
                measures.count_frame(found),
                value="tokens",
                title=_("Tokens"),
                order=order,
            ),
            _("Token counts of each tokenizer in Chinese and English"),
        ),
    )
    if texts.others:
        _other_languages(encoders, texts)
    if len(texts.pairs) > 1:
        _draw(
            Answer(
                _("Does it depend on the sentence?"),
                summaries.spread(found),
                partial(
                    pictures.of_pairs,
                    measures.spread_frame(found),
                    measures.pair_frame(found),
                    order,
                ),
                _("The premium of every pair and its middle half, with a line at 1.0"),
            )
        )


def _other_languages(encoders: Encoders, texts: ParallelTexts) -> None:
    st.header(_("What does each other language cost for each token of English?"))
    ratio = partial(tables.number, form="%.3f")
    tables.show_rows(
        measures.other_languages(encoders, texts),
        {
            "language": (tables.text(_("Language"), pinned=True), lambda row: row[0]),
            "tokenizer": (tables.text(_("Tokenizer")), lambda row: row[1]),
            "premium": (ratio(_("Tokens for each English one")), lambda row: row[2].micro),
            "low": (ratio(_("95% from")), lambda row: row[2].interval[0]),
            "high": (ratio(_("95% to")), lambda row: row[2].interval[1]),
            "pairs": (tables.number(_("Pairs")), lambda row: len(row[2].counts)),
        },
        alt_text=_("The premium of each other language over English under each tokenizer"),
    )
    st.caption(
        _(
            "The 95% interval is by the bootstrap over sentences: another choice of sentences of "
            "this kind would change the premium about so much."
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
            partial(
                charts.bars,
                pictures.frame(found, "bytes_per_token"),
                value="bytes_per_token",
                title=_("Bytes per token"),
                order=_by(found, "bytes_per_token", descending=True),
                number_format=".2f",
            ),
            _("Bytes per token of each tokenizer in Chinese and English"),
        ),
        Answer(
            _("How many tokens are parts of characters?"),
            summaries.partial(found),
            partial(
                charts.bars,
                pictures.frame(found, "partial"),
                value="partial",
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
            _("How many Chinese words stay whole?"),
            summaries.words(found),
            partial(
                pictures.whole_words,
                pictures.frame(found, "strr"),
                _by(found, "strr", descending=True),
            ),
            _("Share of the Chinese words of these texts that are one token, by tokenizer"),
        )
    ]
    if covered := measures.coverages(encoders):
        order = sorted(covered, key=lambda name: -covered[name].share(1))
        answers.append(
            Answer(
                _("Which common Chinese characters are tokens of their own?"),
                sentences_joined(summaries.per_hanzi(found), summaries.coverage(covered)),
                partial(pictures.coverage, covered, order),
                _("Share of 3,755 common Chinese characters that are one, two or more tokens"),
            )
        )
    _draw(*answers)
    st.caption(summaries.limits())


def _lengths(encoders: Encoders, texts: ParallelTexts) -> None:
    found = measures.of_languages(encoders, texts)
    if not found:
        return
    st.header(_("How long are the tokens?"))
    unit = fields.segments(
        _("Length in"),
        {"characters": _("Characters"), "bytes": _("Bytes")},
        key="length_unit",
        label_visibility="collapsed",
    )
    st.markdown(summaries.lengths(found, unit))
    if unit == "characters":
        st.caption(_("0 are the tokens that hold only a part of a character."))
    frames = pictures.length_frames(found, unit)
    draw = partial(pictures.lengths, unit=unit, **pictures.ends(frames))
    columns = st.columns(min(2, len(frames)), gap="large")
    for at, (name, frame) in enumerate(frames.items()):
        with columns[at % len(columns)]:
            st.markdown(f"**{plain(name)}**")
            charts.show(
                partial(draw, frame),
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
    st.header(_("Does it depend on the kind of text?"))
    st.markdown(summaries.domains(frame, labels))
    charts.show(
        partial(pictures.of_domains, frame, labels, _order(found)),
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
                partial(pictures.of_scripts, _means(pair[0]), _means(pair[1]), common),
                _("The premium of the same news in Simplified and Traditional Chinese"),
            )
        )


def _by(found: Languages, figure: str, *, descending: bool = False) -> list[str]:
    def value(name: str) -> float:
        number = float(getattr(found[name]["zh"], figure))
        return -number if descending else number

    return sorted(found, key=value)

"""The metrics of every tokenizer in one table."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from bpe.analysis import metrics
from bpe.analysis.metrics import Coverage, Fertility, Premium, chinese_segmenter
from bpe.encoders.base import Encoder
from playground import session
from playground.compare.languages import measures
from playground.compare.languages.parallel import ParallelTexts
from playground.token_view import words
from playground.ui import tables
from playground.ui.i18n import _, language, sentences_joined
from playground.ui.tables import Column


@dataclass(frozen=True)
class Row:
    """A tokenizer with everything that is measured of it."""

    name: str
    encoder: Encoder
    premium: Premium
    zh: Mapping[str, float]
    en: Mapping[str, float]
    coverage: Coverage


def show(encoders: Mapping[str, Encoder], texts: ParallelTexts) -> None:
    rows = sorted(_measure(encoders, texts), key=lambda row: row.premium.micro)
    if not rows:
        return
    columns = columns_of()
    frame = pd.DataFrame(
        {name: list(map(cell, rows)) for name, (_heading, cell) in columns.items()}
    )
    tables.show(
        frame,
        {name: heading for name, (heading, _cell) in columns.items()},
        alt_text=_(
            "Every metric of each tokenizer; formulas and sources are in the column headings"
        ),
        key=f"metrics_{language()}",
    )
    st.caption(
        sentences_joined(
            _(
                "Point at a heading for its formula and source. Where a tokenizer loses or changes "
                "text, its other figures flatter it."
            ),
            limits(),
        )
    )
    tables.download(_("Table as CSV"), lambda: tables.as_csv(frame), "metrics.csv")


def limits() -> str:
    return _(
        "None of these figures predicts how good a model will be: in English the tokenizer "
        "hardly matters for that, and in other languages compression says less about it than how "
        "steeply the frequencies of tokens fall (arXiv 2506.03101)."
    )


def columns_of() -> dict[str, Column]:
    """Return the columns with their definitions."""
    changes = _("What happens to a text before it is cut.")
    unknown = _("Whether some text has no tokens and becomes an unknown token.")
    is_lossless = _(metrics.definition(metrics.is_lossless))
    columns: dict[str, Column] = {
        "tokenizer": (tables.text(_("Tokenizer"), pinned=True), lambda row: row.name),
        "lossless": (tables.text(_("Lossless"), help=is_lossless), _lossless),
        "normalises": (
            tables.text(_("Normalises"), help=changes),
            lambda row: words.changes(row.encoder.normalises) if row.encoder.normalises else "–",
        ),
        "unk": (
            tables.text(_("Has UNK"), help=unknown),
            lambda row: _("yes") if row.encoder.lossy else _("no"),
        ),
    }
    for name, label, metric, form, cell in figures():
        meaning = _(metrics.definition(metric))
        if name == "strr_zh":
            meaning = sentences_joined(meaning, _segmenter())
        columns[name] = tables.number(label, help=meaning, form=form), cell
    columns["vocabulary"] = (
        tables.number(_("|V|"), help=_("The size of the vocabulary.")),
        lambda row: row.encoder.vocabulary_size,
    )
    return columns


def figures() -> Iterator[tuple[str, str, object, str, Callable[[Row], float | None]]]:
    """Yield the columns of metrics: name, label, metric, how it is written, and its cell."""
    ratio, share, whole = "%.3f", "percent", "localized"
    interval, per_hanzi = Premium.interval, metrics.tokens_per_hanzi
    yield from (
        ("strr_zh", _("STRR, Chinese"), Fertility.strr, share, lambda row: row.zh["whole_words"]),
        ("premium_micro", _("Premium, micro"), Premium.micro, ratio, lambda row: row.premium.micro),
        ("premium_low", _("Premium, 95% from"), interval, ratio,
         lambda row: row.premium.interval[0]),
        ("premium_high", _("Premium, 95% to"), interval, ratio,
         lambda row: row.premium.interval[1]),
        ("tokens_zh", _("Tokens, Chinese"), Premium.zh_tokens, whole,
         lambda row: row.premium.zh_tokens),
        ("tokens_en", _("Tokens, English"), Premium.en_tokens, whole,
         lambda row: row.premium.en_tokens),
        ("tokens_per_hanzi", _("Tokens per Chinese character"), per_hanzi, ratio,
         lambda row: row.zh["tokens_per_hanzi"]),
        ("hanzi_single", _("Common Chinese characters as one token"), metrics.hanzi_coverage, share,
         lambda row: row.coverage.share(1)),
        ("bytes_per_token_zh", _("Bytes per token, Chinese"), metrics.bytes_per_token, ratio,
         lambda row: row.zh["bytes_per_token"]),
        ("bytes_per_token_en", _("Bytes per token, English"), metrics.bytes_per_token, ratio,
         lambda row: row.en["bytes_per_token"]),
        ("partial_zh", _("Partial characters, Chinese"), metrics.partial_utf8_rate, share,
         lambda row: row.zh["partial"]),
        ("partial_en", _("Partial characters, English"), metrics.partial_utf8_rate, share,
         lambda row: row.en["partial"]),
        ("fertility_en", _("Fertility, English"), Fertility.value, ratio,
         lambda row: row.en["fertility"]),
        ("strr_en", _("STRR, English"), Fertility.strr, share, lambda row: row.en["whole_words"]),
    )  # fmt: skip


def _segmenter() -> str:
    return _(
        "Words are those of two characters or more in the dictionary of {segmenter}, "
        "which is of Simplified Chinese."
    ).format(segmenter=chinese_segmenter())


def _lossless(row: Row) -> str:
    if row.zh["lossless"] and row.en["lossless"]:
        return _("yes")
    return _("no, {share:.2%} lost").format(share=max(row.zh["unknown"], row.en["unknown"]))


def _measure(encoders: Mapping[str, Encoder], texts: ParallelTexts) -> Iterator[Row]:
    """Measure everything; tokenizers that cannot encode the texts are left out."""
    premiums = measures.premiums(encoders, texts)
    able = {code: encoder for code, encoder in encoders.items() if code in premiums}
    figures, coverages = measures.of_languages(able, texts), measures.coverages(able)
    for code, encoder in able.items():
        if code in figures and code in coverages:
            of = figures[code]
            name, covered = session.short(code), coverages[code]
            yield Row(name, encoder, premiums[code], of["zh"], of["en"], covered)

"""Every metric of every tokenizer in one table."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from bpe.analysis import metrics
from bpe.analysis.metrics import Coverage, Fertility, Premium, chinese_segmenter
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from playground import session
from playground.compare.languages import measures, parallel
from playground.compare.languages.measures import LanguageFigures
from playground.compare.languages.parallel import ParallelTexts
from playground.token_view import words
from playground.ui import fields, tables
from playground.ui.i18n import _, language, plain, sentences_joined
from playground.ui.tables import Column

DEFAULT_BASE = "o200k_base"
DEFAULT_WINDOW = 128_000


@dataclass(frozen=True)
class Row:
    """A tokenizer with everything that is measured of it."""

    name: str
    encoder: Encoder
    premium: Premium
    zh: LanguageFigures
    en: LanguageFigures
    coverage: Coverage
    costs: list[float]
    """Tokens of the same texts in three languages; empty where there are not three."""


def show(encoders: Mapping[str, Encoder], texts: ParallelTexts) -> None:
    names = {code: session.short(code) for code in encoders}
    left, right = st.columns(2)
    with left:
        base = fields.select(
            _("Base of NSL"),
            names,
            key="nsl_base",
            default=DEFAULT_BASE if DEFAULT_BASE in names else next(iter(names)),
        )
    with right:
        window = fields.whole(
            _("Context window, tokens"), "metrics_window", DEFAULT_WINDOW, least=1_000, step=1_000
        )
    rows = sorted(_measure(encoders, texts), key=lambda row: row.premium.micro)
    if not rows:
        return
    columns = columns_of(rows, names[base], window)
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


def columns_of(rows: list[Row], base: str, window: int) -> dict[str, Column]:
    """Return the columns with their definitions; ``base`` is the tokenizer NSL is held against."""
    reference = next((row.premium for row in rows if row.name == base), None)
    changes = _("What happens to a text before it is cut.")
    unknown = _("Whether some text has no tokens and becomes an unknown token.")
    is_lossless = _(metrics.definition(metrics.is_lossless))
    base_here = _("The base here is {name}.").format(name=plain(base))
    here = {
        "strr_zh": _segmenter(),
        "nsl_zh": base_here,
        "nsl_en": base_here,
        "gini": _("Here: the same news in Simplified Chinese, Traditional Chinese and English."),
    }
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
    for name, label, metric, form, cell in figures(reference, window):
        meaning = _(metrics.definition(metric))
        if name in here:
            meaning = sentences_joined(meaning, here[name])
        columns[name] = tables.number(label, help=meaning, form=form), cell
    if not any(row.costs for row in rows):
        del columns["gini"]
    columns["vocabulary"] = (
        tables.number(_("|V|"), help=_("The size of the vocabulary.")),
        lambda row: row.encoder.vocabulary_size,
    )
    return columns


def figures(
    reference: Premium | None, window: int
) -> Iterator[tuple[str, str, object, str, Callable[[Row], float | None]]]:
    """Yield the columns of metrics: name, label, metric, how it is written, and its cell."""
    ratio, share, whole, window_form = "%.3f", "percent", "localized", "%,.0f"
    interval, in_window, per_hanzi = (
        Premium.interval, metrics.effective_window, metrics.tokens_per_hanzi,
    )  # fmt: skip

    def fits(tokens: float) -> float:
        return metrics.effective_window(window, tokens)

    def nsl(tokens: int, of_base: Callable[[Premium], int]) -> float | None:
        return metrics.nsl(tokens, of_base(reference)) if reference else None

    yield from (
        ("strr_zh", _("STRR, Chinese"), Fertility.strr, share, lambda row: row.zh.fertility.strr),
        ("premium_micro", _("Premium, micro"), Premium.micro, ratio, lambda row: row.premium.micro),
        ("premium_macro", _("Premium, macro"), Premium.macro, ratio, lambda row: row.premium.macro),
        ("premium_low", _("Premium, 95% from"), interval, ratio,
         lambda row: row.premium.interval[0]),
        ("premium_high", _("Premium, 95% to"), interval, ratio,
         lambda row: row.premium.interval[1]),
        ("tokens_zh", _("Tokens, Chinese"), Premium.zh_tokens, whole,
         lambda row: row.premium.zh_tokens),
        ("tokens_en", _("Tokens, English"), Premium.en_tokens, whole,
         lambda row: row.premium.en_tokens),
        ("tokens_per_hanzi", _("Tokens per Chinese character"), per_hanzi, ratio,
         lambda row: row.zh.tokens_per_hanzi),
        ("hanzi_in_window", _("Window in Chinese characters"), in_window, window_form,
         lambda row: fits(row.zh.tokens_per_hanzi)),
        ("words_in_window", _("Window in English words"), in_window, window_form,
         lambda row: fits(row.en.fertility.value)),
        ("hanzi_single", _("Common Chinese characters as one token"), metrics.hanzi_coverage, share,
         lambda row: row.coverage.share(1)),
        ("bytes_per_token_zh", _("Bytes per token, Chinese"), metrics.bytes_per_token, ratio,
         lambda row: row.zh.bytes_per_token),
        ("bytes_per_token_en", _("Bytes per token, English"), metrics.bytes_per_token, ratio,
         lambda row: row.en.bytes_per_token),
        ("characters_per_token_zh", _("Characters per token, Chinese"),
         metrics.characters_per_token, ratio, lambda row: row.zh.characters_per_token),
        ("characters_per_token_en", _("Characters per token, English"),
         metrics.characters_per_token, ratio, lambda row: row.en.characters_per_token),
        ("partial_zh", _("Partial characters, Chinese"), metrics.partial_utf8_rate, share,
         lambda row: row.zh.partial),
        ("partial_en", _("Partial characters, English"), metrics.partial_utf8_rate, share,
         lambda row: row.en.partial),
        ("fertility_en", _("Fertility, English"), Fertility.value, ratio,
         lambda row: row.en.fertility.value),
        ("strr_en", _("STRR, English"), Fertility.strr, share, lambda row: row.en.fertility.strr),
        ("nsl_zh", _("NSL, Chinese"), metrics.nsl, ratio,
         lambda row: nsl(row.premium.zh_tokens, lambda base: base.zh_tokens)),
        ("nsl_en", _("NSL, English"), metrics.nsl, ratio,
         lambda row: nsl(row.premium.en_tokens, lambda base: base.en_tokens)),
        ("renyi_zh", _("Rényi efficiency, Chinese"), metrics.renyi_efficiency, ratio,
         lambda row: row.zh.renyi),
        ("renyi_en", _("Rényi efficiency, English"), metrics.renyi_efficiency, ratio,
         lambda row: row.en.renyi),
        ("gini", _("Gini of cost"), metrics.gini, ratio, _gini),
    )  # fmt: skip


def _segmenter() -> str:
    return _(
        "Words are those of two characters or more in the dictionary of {segmenter}, "
        "which is of Simplified Chinese."
    ).format(segmenter=chinese_segmenter())


def _lossless(row: Row) -> str:
    if row.zh.lossless and row.en.lossless:
        return _("yes")
    return _("no, {share:.2%} lost").format(share=max(row.zh.unknown, row.en.unknown))


def _gini(row: Row) -> float | None:
    try:
        return metrics.gini(row.costs)
    except BPEError:
        return None


def _measure(encoders: Mapping[str, Encoder], texts: ParallelTexts) -> Iterator[Row]:
    """Measure everything; tokenizers that cannot encode the texts are left out."""
    premiums = measures.premiums(encoders, texts)
    able = {code: encoder for code, encoder in encoders.items() if session.short(code) in premiums}
    figures, coverages = measures.of_languages(able, texts), measures.coverages(able)
    costs = _costs(able, texts)
    for code, encoder in able.items():
        name = session.short(code)
        if name in figures and name in coverages:
            yield Row(
                name, encoder, premiums[name], figures[name]["zh"], figures[name]["en"],
                coverages[name], costs.get(name, []),
            )  # fmt: skip


def _costs(encoders: Mapping[str, Encoder], texts: ParallelTexts) -> dict[str, list[float]]:
    if texts.source not in ("news", parallel.TRADITIONAL):
        return {}
    simplified, traditional = (
        measures.premiums(encoders, parallel.sampled(source))
        for source in ("news", parallel.TRADITIONAL)
    )
    return {
        name: [figure.zh_tokens, traditional[name].zh_tokens, figure.en_tokens]
        for name, figure in simplified.items()
    }

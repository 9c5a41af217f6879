"""Every metric of every tokenizer in one table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from bpe.analysis import metrics
from bpe.analysis.metrics import Coverage, Fertility, Premium
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from playground import session
from playground.compare.languages import measures, parallel, summaries
from playground.compare.languages.measures import LanguageFigures, Languages
from playground.compare.languages.parallel import ParallelTexts
from playground.token_view import words
from playground.ui import fields, tables
from playground.ui.i18n import _, language, plain, sentences_joined

DEFAULT_BASE = "o200k_base"
DEFAULT_WINDOW = 128_000


METRICS: dict[str, object] = {
    "lossless": metrics.is_lossless,
    "strr_zh": Fertility.strr,
    "premium_micro": Premium.micro,
    "premium_macro": Premium.macro,
    "premium_low": Premium.interval,
    "premium_high": Premium.interval,
    "tokens_zh": Premium.zh_tokens,
    "tokens_en": Premium.en_tokens,
    "tokens_per_hanzi": metrics.tokens_per_hanzi,
    "hanzi_in_window": metrics.effective_window,
    "words_in_window": metrics.effective_window,
    "hanzi_single": metrics.hanzi_coverage,
    "bytes_per_token_zh": metrics.bytes_per_token,
    "bytes_per_token_en": metrics.bytes_per_token,
    "characters_per_token_zh": metrics.characters_per_token,
    "characters_per_token_en": metrics.characters_per_token,
    "partial_zh": metrics.partial_utf8_rate,
    "partial_en": metrics.partial_utf8_rate,
    "fertility_en": Fertility.value,
    "strr_en": Fertility.strr,
    "nsl_zh": metrics.nsl,
    "nsl_en": metrics.nsl,
    "renyi_zh": metrics.renyi_efficiency,
    "renyi_en": metrics.renyi_efficiency,
    "gini": metrics.gini,
}
"""The metric of each column that has one."""


@dataclass(frozen=True)
class Measured:
    """All that the table is made of, by the name of the tokenizer."""

    premiums: Mapping[str, Premium]
    languages: Languages
    coverages: Mapping[str, Coverage]
    costs: Mapping[str, list[float]]
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
    measured = measure(encoders, texts)
    if not measured.premiums:
        return
    frame = rows(encoders, measured, base=names[base], window=window)
    tables.show(
        frame,
        _headings(names[base]),
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
            summaries.limits(),
        )
    )
    tables.download(_("Table as CSV"), lambda: tables.as_csv(frame), "metrics.csv")


def _headings(base: str) -> dict[str, Any]:
    """Return the heading of each column; ``base`` is the tokenizer that NSL is held against."""

    def column(name: str, label: str, form: str = "%.3f", *, here: str = "") -> dict[str, Any]:
        meaning = _(metrics.definition(METRICS[name]))
        if here:
            meaning = sentences_joined(meaning, here)
        return {name: tables.number(label, help=meaning, form=form)}

    base_here = _("The base here is {name}.").format(name=plain(base))

    return {
        "tokenizer": tables.text(_("Tokenizer"), pinned=True),
        "lossless": tables.text(_("Lossless"), help=_(metrics.definition(METRICS["lossless"]))),
        "normalises": tables.text(
            _("Normalises"), help=_("What happens to a text before it is cut.")
        ),
        "unk": tables.text(
            _("Has UNK"), help=_("Whether some text has no tokens and becomes an unknown token.")
        ),
        **column("strr_zh", _("STRR, Chinese"), "percent", here=summaries.segmenter()),
        **column("premium_micro", _("Premium, micro")),
        **column("premium_macro", _("Premium, macro")),
        **column("premium_low", _("Premium, 95% from")),
        **column("premium_high", _("Premium, 95% to")),
        **column("tokens_zh", _("Tokens, Chinese"), "localized"),
        **column("tokens_en", _("Tokens, English"), "localized"),
        **column("tokens_per_hanzi", _("Tokens per Chinese character")),
        **column("hanzi_in_window", _("Window in Chinese characters"), "%,.0f"),
        **column("words_in_window", _("Window in English words"), "%,.0f"),
        **column("hanzi_single", _("Common Chinese characters as one token"), "percent"),
        **column("bytes_per_token_zh", _("Bytes per token, Chinese")),
        **column("bytes_per_token_en", _("Bytes per token, English")),
        **column("characters_per_token_zh", _("Characters per token, Chinese")),
        **column("characters_per_token_en", _("Characters per token, English")),
        **column("partial_zh", _("Partial characters, Chinese"), "percent"),
        **column("partial_en", _("Partial characters, English"), "percent"),
        **column("fertility_en", _("Fertility, English")),
        **column("strr_en", _("STRR, English"), "percent"),
        **column("nsl_zh", _("NSL, Chinese"), here=base_here),
        **column("nsl_en", _("NSL, English"), here=base_here),
        **column("renyi_zh", _("Rényi efficiency, Chinese")),
        **column("renyi_en", _("Rényi efficiency, English")),
        "vocabulary": tables.number(
            _("|V|"), help=_("The size of the vocabulary."), form="localized"
        ),
        **column(
            "gini",
            _("Gini of cost"),
            here=_("Here: the same news in Simplified Chinese, Traditional Chinese and English."),
        ),
    }


def measure(encoders: Mapping[str, Encoder], texts: ParallelTexts) -> Measured:
    """Measure everything; tokenizers that cannot encode the texts are left out."""
    premiums = measures.premiums(encoders, texts)
    able = {code: encoder for code, encoder in encoders.items() if session.short(code) in premiums}
    return Measured(
        premiums, measures.of_languages(able, texts), measures.coverages(able), _costs(able, texts)
    )


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


def rows(
    encoders: Mapping[str, Encoder], measured: Measured, *, base: str, window: int
) -> pd.DataFrame:
    table: list[dict[str, Any]] = []
    by_name = {session.short(code): encoder for code, encoder in encoders.items()}
    for name, premium in measured.premiums.items():
        if name not in measured.languages or name not in measured.coverages:
            continue
        zh, en = (measured.languages[name][code] for code in ("zh", "en"))
        reference = measured.premiums.get(base)
        changes = by_name[name].normalises
        row: dict[str, Any] = {
            "tokenizer": name,
            "lossless": _kept(zh, en),
            "normalises": words.changes(changes) if changes else "–",
            "unk": _("yes") if by_name[name].lossy else _("no"),
            "strr_zh": zh.strr,
            "premium_micro": premium.micro,
            "premium_macro": premium.macro,
            "premium_low": premium.interval[0],
            "premium_high": premium.interval[1],
            "tokens_zh": premium.zh_tokens,
            "tokens_en": premium.en_tokens,
            "tokens_per_hanzi": zh.tokens_per_hanzi,
            "hanzi_in_window": metrics.effective_window(window, zh.tokens_per_hanzi),
            "words_in_window": metrics.effective_window(window, en.fertility.value),
            "hanzi_single": measured.coverages[name].share(1),
            "bytes_per_token_zh": zh.bytes_per_token,
            "bytes_per_token_en": en.bytes_per_token,
            "characters_per_token_zh": zh.characters_per_token,
            "characters_per_token_en": en.characters_per_token,
            "partial_zh": zh.partial,
            "partial_en": en.partial,
            "fertility_en": en.fertility.value,
            "strr_en": en.strr,
            "nsl_zh": reference and metrics.nsl(premium.zh_tokens, reference.zh_tokens),
            "nsl_en": reference and metrics.nsl(premium.en_tokens, reference.en_tokens),
            "renyi_zh": zh.renyi,
            "renyi_en": en.renyi,
            "vocabulary": by_name[name].vocabulary_size,
        }
        if name in measured.costs:
            row["gini"] = _gini(measured.costs[name])
        table.append(row)
    frame = pd.DataFrame(table)
    return frame.sort_values("premium_micro", ignore_index=True) if table else frame


def _kept(zh: LanguageFigures, en: LanguageFigures) -> str:
    if zh.lossless and en.lossless:
        return _("yes")
    lost = max(zh.unknown, en.unknown)
    return _("no, {share:.2%} lost").format(share=lost)


def _gini(costs: list[float]) -> float | None:
    try:
        return metrics.gini(costs)
    except BPEError:
        return None

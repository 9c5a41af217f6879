"""The metrics of every tokenizer in one table."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from bpe.analysis import metrics
from bpe.analysis.metrics import Fertility, Premium, chinese_segmenter
from bpe.encoders.base import Encoder
from playground import session
from playground.compare.languages import measures
from playground.compare.languages.parallel import ParallelTexts
from playground.token_view import words
from playground.ui import tables
from playground.ui.i18n import _, language, sentences_joined


def show(encoders: Mapping[str, Encoder], texts: ParallelTexts) -> None:
    rows = list(_measure(encoders, texts))
    if not rows:
        return
    columns = _headings()
    frame = pd.DataFrame(rows, columns=list(columns)).sort_values("premium_micro")
    tables.show(
        frame,
        columns,
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


def _headings() -> dict[str, Any]:
    """Return the headings of the columns, with their definitions."""
    changes = _("What happens to a text before it is cut.")
    unknown = _("Whether some text has no tokens and becomes an unknown token.")
    is_lossless = _(metrics.definition(metrics.is_lossless))
    headings = {
        "tokenizer": tables.text(_("Tokenizer"), pinned=True),
        "lossless": tables.text(_("Lossless"), help=is_lossless),
        "normalises": tables.text(_("Normalises"), help=changes),
        "unk": tables.text(_("Has UNK"), help=unknown),
    }
    for name, label, metric, form in figures():
        meaning = _(metrics.definition(metric))
        if name == "strr_zh":
            meaning = sentences_joined(meaning, _segmenter())
        headings[name] = tables.number(label, help=meaning, form=form)
    size = tables.number(_("|V|"), help=_("The size of the vocabulary."))
    return {**headings, "vocabulary": size}


def figures() -> Iterator[tuple[str, str, object, str]]:
    """Yield the columns of metrics: name, label, metric, and how it is written."""
    ratio, share, whole = "%.3f", "percent", "localized"
    interval, per_hanzi = Premium.interval, metrics.tokens_per_hanzi
    per_token, partial = metrics.bytes_per_token, metrics.partial_utf8_rate
    hanzi = metrics.hanzi_coverage
    yield from (
        ("strr_zh", _("STRR, Chinese"), Fertility.strr, share),
        ("premium_micro", _("Premium, micro"), Premium.micro, ratio),
        ("premium_low", _("Premium, 95% from"), interval, ratio),
        ("premium_high", _("Premium, 95% to"), interval, ratio),
        ("tokens_zh", _("Tokens, Chinese"), Premium.zh_tokens, whole),
        ("tokens_en", _("Tokens, English"), Premium.en_tokens, whole),
        ("tokens_per_hanzi_zh", _("Tokens per Chinese character"), per_hanzi, ratio),
        ("hanzi_single", _("Common Chinese characters as one token"), hanzi, share),
        ("bytes_per_token_zh", _("Bytes per token, Chinese"), per_token, ratio),
        ("bytes_per_token_en", _("Bytes per token, English"), per_token, ratio),
        ("partial_zh", _("Partial characters, Chinese"), partial, share),
        ("partial_en", _("Partial characters, English"), partial, share),
        ("fertility_en", _("Fertility, English"), Fertility.value, ratio),
        ("strr_en", _("STRR, English"), Fertility.strr, share),
    )


def _segmenter() -> str:
    return _(
        "Words are those of two characters or more in the dictionary of {segmenter}, "
        "which is of Simplified Chinese."
    ).format(segmenter=chinese_segmenter())


def _measure(encoders: Mapping[str, Encoder], texts: ParallelTexts) -> Iterator[dict[str, object]]:
    """Measure everything; tokenizers that cannot encode the texts are left out."""
    premiums = measures.premiums(encoders, texts)
    able = {code: encoder for code, encoder in encoders.items() if code in premiums}
    of_languages, coverages = measures.of_languages(able, texts), measures.coverages(able)
    for code, encoder in able.items():
        if code not in of_languages or code not in coverages:
            continue
        of, premium = of_languages[code], premiums[code]
        lost = max(each["unknown"] for each in of.values())
        low, high = premium.interval
        yield {
            "tokenizer": session.short(code),
            "lossless": _("yes")
            if all(each["lossless"] for each in of.values())
            else _("no, {share:.2%} lost").format(share=lost),
            "normalises": words.changes(encoder.normalises) if encoder.normalises else "–",
            "unk": _("yes") if encoder.lossy else _("no"),
            **{f"{name}_{side}": value for side in of for name, value in of[side].items()},
            "premium_micro": premium.micro,
            "premium_low": low,
            "premium_high": high,
            "tokens_zh": premium.zh_tokens,
            "tokens_en": premium.en_tokens,
            "hanzi_single": coverages[code].share(1),
            "vocabulary": encoder.vocabulary_size,
        }

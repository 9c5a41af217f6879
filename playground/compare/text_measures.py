"""One meaning in two languages, cut by every tokenizer and counted."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

import pandas as pd
import streamlit as st

from bpe.analysis import metrics
from bpe.analysis.metrics import Premium
from bpe.analysis.segmentation import Segmentation
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from playground import session
from playground.compare.languages import premium_in_words
from playground.ui import caches, tables
from playground.ui.i18n import _, error_text, plain

LONG = 100_000
"""Characters from which the page says what it is doing."""

Cuts = dict[str, dict[str, Segmentation]]
"""Language to the code of a tokenizer to the text as it cuts it."""


def cut(
    encoders: Mapping[str, Encoder],
    texts: Mapping[str, str],
    *,
    after: Mapping[str, str | None] = MappingProxyType({}),
) -> Cuts:
    """Return each text under each tokenizer; the first time, say what takes so long.

    ``after`` are the texts before an edit, of which only what changed is cut again. A tokenizer
    that cannot encode a text (an unseen character) is left out, and this is said.
    """
    cuts: Cuts = {language: {} for language, text in texts.items() if text}
    work = [(language, code) for language in cuts for code in encoders]
    new = sum(
        len(texts[language])
        for language, code in work
        if not caches.is_segmented(encoders[code], texts[language])
        and not caches.is_segmented(encoders[code], after.get(language) or "")
    )
    place = st.empty()
    bar = place.progress(0.0) if new > LONG else None
    for done, (language, code) in enumerate(work):
        if bar:
            bar.progress(
                done / len(work),
                text=_("Cutting {size} characters with {name}…").format(
                    size=f"{len(texts[language]):,}", name=plain(session.short(code))
                ),
            )
        try:
            cuts[language][code] = caches.segmentation(
                encoders[code], texts[language], after=after.get(language)
            )
        except BPEError as error:
            st.error(f"{plain(session.short(code))}: {error_text(error)}")
    place.empty()
    return cuts


def measure(cuts: Cuts) -> pd.DataFrame:
    """Return a row for each tokenizer and language ("zh", "en"): tokens and ratios."""
    rows = [
        {"tokenizer": session.short(code), "language": language, **_figures(segmentation)}
        for language, by_code in cuts.items()
        for code, segmentation in by_code.items()
    ]
    columns = ["tokenizer", "language", "tokens", "bytes_per_token", "tokens_per_hanzi", "partial"]
    return pd.DataFrame(rows, columns=columns)


def _figures(segmentation: Segmentation) -> dict[str, float]:
    text = [segmentation]
    return caches.cached(
        ("figures", segmentation.digest, segmentation.source_bytes),
        lambda: {
            "tokens": len(segmentation),
            "bytes_per_token": metrics.bytes_per_token(text),
            "tokens_per_hanzi": metrics.tokens_per_hanzi(text),
            "partial": metrics.partial_utf8_rate(text),
        },
        memory=1_000,
    )


def show_summary(cuts: Cuts) -> None:
    if by_code := premiums(cuts):
        st.markdown(premium_in_words({session.short(code): each for code, each in by_code.items()}))


def show_counts(measured: pd.DataFrame) -> None:
    both = measured["language"].nunique() > 1
    st.header(_("Tokens, Chinese against English") if both else _("Tokens"))
    table(measured, list(dict.fromkeys(measured.sort_values("tokens")["tokenizer"])))


def premiums(cuts: Cuts) -> dict[str, Premium]:
    """Return the premium under each tokenizer that has tokens of both texts, by its code."""
    zh, en = (
        {code: len(segmentation) for code, segmentation in cuts.get(language, {}).items()}
        for language in ("zh", "en")
    )
    return {
        code: metrics.premium([(zh[code], en[code])]) for code in zh if zh[code] and en.get(code)
    }


def table(measured: pd.DataFrame, order: list[str]) -> None:
    wide = measured.pivot(index="tokenizer", columns="language")
    ratio = partial(tables.number, form="%.2f")
    share = partial(
        tables.number,
        form="percent",
        help=_("Share of tokens that are not whole characters on their own."),
    )
    per_hanzi = ratio(_("Tokens per Chinese character"))
    if measured["language"].nunique() > 1:
        columns = {
            ("tokens", "zh"): tables.number(_("Tokens, Chinese")),
            ("tokens", "en"): tables.number(_("Tokens, English")),
            ("tokens_per_hanzi", "zh"): per_hanzi,
            ("bytes_per_token", "zh"): ratio(_("Bytes per token, Chinese")),
            ("bytes_per_token", "en"): ratio(_("Bytes per token, English")),
            ("partial", "zh"): share(_("Tokens with partial characters, Chinese")),
        }
    else:  # it may be in any language
        (language,) = measured["language"].unique()
        columns = {
            ("tokens", language): tables.number(_("Tokens")),
            **({("tokens_per_hanzi", "zh"): per_hanzi} if language == "zh" else {}),
            ("bytes_per_token", language): ratio(_("Bytes per token")),
            ("partial", language): share(_("Tokens with partial characters")),
        }
    tables.show_rows(
        order,
        {
            "tokenizer": (tables.text(_("Tokenizer")), str),
            **{"_".join(name): (heading, wide[name].get) for name, heading in columns.items()},
        },
        alt_text=_("Token counts and ratios of each tokenizer"),
    )

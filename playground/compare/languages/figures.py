"""Every figure of the chosen texts, measured once for each tokenizer and kept."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pandas as pd
import streamlit as st

from bpe.analysis import metrics
from bpe.analysis.metrics import Coverage, Fertility, Premium, Remembering
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from playground import session
from playground.compare.identity import identity
from playground.compare.languages.chosen import Chosen
from playground.ui.i18n import _, error_text, plain

QUIET_SECONDS = 0.4
"""Work that takes longer says what it does."""

Figure = TypeVar("Figure")


@dataclass(frozen=True)
class LanguageFigures:
    """What one tokenizer makes of the texts of one language."""

    tokens: int
    bytes_per_token: float
    characters_per_token: float
    partial: float
    tokens_per_hanzi: float
    renyi: float
    fertility: Fertility
    lossless: bool
    unknown: float
    lengths: Counter[int]
    """Tokens by length in bytes."""
    character_lengths: Counter[int]


Languages = Mapping[str, Mapping[str, LanguageFigures]]
"""What each tokenizer, by its name, makes of Chinese (``"zh"``) and of English (``"en"``)."""


def each(
    encoders: Mapping[str, Encoder], doing: str, measure: Callable[[Encoder], Figure]
) -> dict[str, Figure]:
    """Measure with every tokenizer; return the figures by the name that is shown.

    A tokenizer that cannot encode a text is left out, and this is said. Between two tokenizers a
    click is noticed.
    """
    found: dict[str, Figure] = {}
    place = st.empty()
    started = time.perf_counter()
    for number, (code, encoder) in enumerate(encoders.items()):
        name = session.short(code)
        if time.perf_counter() - started > QUIET_SECONDS:
            place.progress(number / len(encoders), text=doing.format(name=plain(name)))
        try:
            found[name] = measure(encoder)
        except BPEError as error:
            st.error(f"{plain(name)}: {error_text(error)}")
    place.empty()
    return found


def premiums(encoders: Mapping[str, Encoder], chosen: Chosen) -> dict[str, Premium]:
    """Return the premium of the chosen pairs under each tokenizer."""
    return each(
        encoders,
        _("Counting with {name}…"),
        lambda encoder: _premium(identity(encoder), chosen.digest, encoder, chosen.pairs),
    )


def of_languages(encoders: Mapping[str, Encoder], chosen: Chosen) -> Languages:
    """Return what each tokenizer makes of the chosen texts."""

    def measure(encoder: Encoder) -> dict[str, LanguageFigures]:
        name = identity(encoder)
        return {
            language: _language(name, chosen.digest, language, encoder, texts)
            for language, texts in (("zh", chosen.zh), ("en", chosen.en))
        }

    return each(encoders, _("Measuring {name}…"), measure)


def coverages(encoders: Mapping[str, Encoder]) -> dict[str, Coverage]:
    """Return how each tokenizer covers the common 汉字; it depends on no text."""
    return each(
        encoders,
        _("Encoding 3,755 汉字 with {name}…"),
        lambda encoder: _coverage(identity(encoder), encoder),
    )


def count_frame(found: Mapping[str, Premium]) -> pd.DataFrame:
    """Return ``tokenizer``, ``language`` and ``tokens``, a row for each language."""
    rows = [
        (name, language, tokens)
        for name, figure in found.items()
        for language, tokens in (("zh", figure.zh_tokens), ("en", figure.en_tokens))
    ]
    return pd.DataFrame(rows, columns=["tokenizer", "language", "tokens"])


def with_domain(frame: pd.DataFrame, domain: str, found: Mapping[str, Premium]) -> pd.DataFrame:
    """Return the frame of :func:`domain_frame` with another kind of text."""
    rows = [(name, domain, figure.micro) for name, figure in found.items()]
    return pd.concat([frame, pd.DataFrame(rows, columns=frame.columns)], ignore_index=True)


def domain_frame(found: Mapping[str, Premium], domains: Sequence[str]) -> pd.DataFrame:
    """Return ``tokenizer``, ``domain`` and the micro premium, from the counts of all samples."""
    rows = []
    for name, premium in found.items():
        counts = premium.counts
        for domain in dict.fromkeys(domains):
            at = [index for index, other in enumerate(domains) if other == domain]
            zh_tokens = sum(counts[index][0] for index in at)
            en_tokens = sum(counts[index][1] for index in at)
            rows.append((name, domain, zh_tokens / en_tokens))
    return pd.DataFrame(rows, columns=["tokenizer", "domain", "premium"])


def spread_frame(found: Mapping[str, Premium]) -> pd.DataFrame:
    """Return the quantiles of the premium over pairs, a row for each tokenizer."""
    rows = []
    for name, premium in found.items():
        low, first, median, third, high = np.quantile(premium.ratios, [0.05, 0.25, 0.5, 0.75, 0.95])
        below = sum(ratio < 1 for ratio in premium.ratios)
        rows.append((name, low, first, median, third, high, below, len(premium.ratios)))
    columns = ["tokenizer", "low", "first", "median", "third", "high", "below", "pairs"]
    return pd.DataFrame(rows, columns=columns)


@st.cache_data(max_entries=300, show_spinner=False)
def _premium(
    identity: str, digest: str, _encoder: Encoder, _pairs: Sequence[tuple[str, str]]
) -> Premium:
    return metrics.premium(_encoder, _pairs)


@st.cache_data(max_entries=300, show_spinner=False)
def _language(
    identity: str, digest: str, language: str, _encoder: Encoder, _texts: Sequence[str]
) -> LanguageFigures:
    encoder = Remembering(_encoder)
    return LanguageFigures(
        tokens=sum(metrics.count_tokens(encoder, text) for text in _texts),
        bytes_per_token=metrics.bytes_per_token(encoder, _texts),
        characters_per_token=metrics.characters_per_token(encoder, _texts),
        partial=metrics.partial_utf8_rate(encoder, _texts),
        tokens_per_hanzi=metrics.tokens_per_hanzi(encoder, _texts),
        renyi=metrics.renyi_efficiency(encoder, _texts),
        fertility=metrics.fertility(encoder, _texts),
        lossless=metrics.is_lossless(encoder, _texts),
        unknown=metrics.unknown_rate(encoder, _texts),
        lengths=metrics.token_lengths(encoder, _texts),
        character_lengths=metrics.token_lengths(encoder, _texts, unit="characters"),
    )


@st.cache_data(max_entries=100, show_spinner=False)
def _coverage(identity: str, _encoder: Encoder) -> Coverage:
    return metrics.hanzi_coverage(_encoder)

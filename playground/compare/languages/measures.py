"""Every figure of parallel texts, measured once for each tokenizer and cached in the session."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import pandas as pd

from bpe.analysis import metrics
from bpe.analysis.metrics import Coverage, Fertility, Premium
from bpe.analysis.segmentation import Segmentation, segment
from bpe.encoders.base import Encoder
from playground.compare import tokenizers
from playground.compare.languages.parallel import ParallelTexts
from playground.ui import caches
from playground.ui.i18n import _

Figure = TypeVar("Figure")


@dataclass(frozen=True)
class LanguageFigures:
    """Figures of one tokenizer on the texts of one language."""

    bytes_per_token: float
    partial: float
    tokens_per_hanzi: float
    fertility: Fertility
    """Of Chinese, of its dictionary's words: see :func:`metrics.chinese_words`."""
    lossless: bool
    unknown: float


LEAST_PAIRS = 10
"""With fewer, an interval over pairs says nothing."""
Languages = Mapping[str, Mapping[str, LanguageFigures]]
"""The figures of each tokenizer, by its name, on Chinese (``"zh"``) and English (``"en"``)."""


def premiums(encoders: Mapping[str, Encoder], texts: ParallelTexts) -> dict[str, Premium]:
    def measure(encoder: Encoder, on_step: Callable[[], None]) -> Premium:
        return caches.cached(
            ("premium", texts.digest),
            lambda: metrics.premium(_counts(encoder, texts, on_step)),
            memory=200 * len(texts.pairs),
            of=(encoder,),
        )

    return tokenizers.each(encoders, _("Counting with {name}…"), measure)


def _counts(
    encoder: Encoder, texts: ParallelTexts, on_step: Callable[[], None]
) -> Iterator[tuple[int, int]]:
    for pair in texts.pairs:
        yield encoder.count(pair[0]), encoder.count(pair[1])
        on_step()


def of_languages(encoders: Mapping[str, Encoder], texts: ParallelTexts) -> Languages:
    def measure(encoder: Encoder, on_step: Callable[[], None]) -> dict[str, LanguageFigures]:
        return {
            language: caches.cached(
                ("figures", texts.digest, language),
                partial(of_language, encoder, language, side, on_step),
                memory=20_000,
                of=(encoder,),
            )
            for language, side in (("zh", texts.zh), ("en", texts.en))
        }

    return tokenizers.each(encoders, _("Measuring {name}…"), measure)


def of_language(
    encoder: Encoder, language: str, texts: Sequence[str], on_step: Callable[[], None]
) -> LanguageFigures:
    """Return the figures of a tokenizer on the texts of one language; each is encoded once."""
    cuts = []
    for text in texts:
        cuts.append(segment(encoder, text))
        on_step()

    def measured(metric: Callable[[Sequence[Segmentation]], Figure]) -> Figure:
        on_step()
        return metric(cuts)

    return LanguageFigures(
        bytes_per_token=measured(metrics.bytes_per_token),
        partial=measured(metrics.partial_utf8_rate),
        tokens_per_hanzi=measured(metrics.tokens_per_hanzi),
        fertility=metrics.fertility(
            encoder, texts, segmenter=metrics.chinese_words if language == "zh" else None
        ),
        lossless=measured(metrics.is_lossless),
        unknown=measured(metrics.unknown_rate),
    )


def coverages(encoders: Mapping[str, Encoder]) -> dict[str, Coverage]:
    """Return how each tokenizer covers the common 汉字; it depends on no text."""

    def measure(encoder: Encoder, on_step: Callable[[], None]) -> Coverage:
        return caches.cached(
            ("coverage",), lambda: metrics.hanzi_coverage(encoder), memory=2_000, of=(encoder,)
        )

    return tokenizers.each(encoders, _("Encoding 3,755 Chinese characters with {name}…"), measure)


def premium_frame(premiums: Mapping[str, Premium]) -> pd.DataFrame:
    """Return the premium of all texts with its interval, where there are pairs enough for one."""
    rows = []
    for name, figure in premiums.items():
        is_sure = len(figure.counts) >= LEAST_PAIRS
        rows.append((name, figure.micro, *(figure.interval if is_sure else [figure.micro] * 2)))
    return pd.DataFrame(rows, columns=["tokenizer", "premium", "low", "high"])

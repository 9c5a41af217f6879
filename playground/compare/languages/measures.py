"""Every figure of parallel texts, measured once for each tokenizer and cached in the session."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import pandas as pd

from bpe.analysis import metrics
from bpe.analysis.metrics import Coverage, Premium
from bpe.analysis.segmentation import Segmentation, segment
from bpe.encoders.base import Encoder
from playground.compare import tokenizers
from playground.compare.languages.parallel import ParallelTexts
from playground.ui import caches
from playground.ui.i18n import _

LEAST_PAIRS = 10
"""With fewer, an interval over pairs says nothing."""
Languages = Mapping[str, Mapping[str, Mapping[str, float]]]
"""The figures of each tokenizer, by its code, on Chinese (``"zh"``) and English (``"en"``)."""


def figures(cuts: Sequence[Segmentation]) -> dict[str, float]:
    """Return what is measured of the tokens of texts in one language."""
    return {
        "tokens": sum(map(len, cuts)),
        "bytes_per_token": metrics.bytes_per_token(cuts),
        "tokens_per_hanzi": metrics.tokens_per_hanzi(cuts),
        "partial": metrics.partial_utf8_rate(cuts),
    }


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
    def measure(encoder: Encoder, on_step: Callable[[], None]) -> dict[str, dict[str, float]]:
        return {
            language: caches.cached(
                ("figures", texts.digest, language),
                partial(_of_language, encoder, language, side, on_step),
                memory=2_000,
                of=(encoder,),
            )
            for language, side in (("zh", texts.zh), ("en", texts.en))
        }

    return tokenizers.each(encoders, _("Measuring {name}…"), measure)


def _of_language(
    encoder: Encoder, language: str, texts: Sequence[str], on_step: Callable[[], None]
) -> dict[str, float]:
    cuts = []
    for text in texts:
        cuts.append(segment(encoder, text))
        on_step()
    segmenter = metrics.chinese_words if language == "zh" else None
    fertility = metrics.fertility(encoder, texts, segmenter=segmenter)
    return {
        **figures(cuts),
        "fertility": fertility.value,
        "strr": fertility.strr,
        "lossless": metrics.is_lossless(cuts),
        "unknown": metrics.unknown_rate(cuts),
    }


def coverages(encoders: Mapping[str, Encoder]) -> dict[str, Coverage]:
    """Return how each tokenizer covers the common 汉字; it depends on no text."""

    def measure(encoder: Encoder, on_step: Callable[[], None]) -> Coverage:
        return caches.cached(
            ("coverage",), lambda: metrics.hanzi_coverage(encoder), memory=2_000, of=(encoder,)
        )

    return tokenizers.each(encoders, _("Encoding 3,755 Chinese characters with {name}…"), measure)


def premium_frame(premiums: Mapping[str, Premium]) -> pd.DataFrame:
    """Return the premium of all texts, from the least, with its interval where pairs are enough."""
    rows = []
    for name, figure in premiums.items():
        is_sure = len(figure.counts) >= LEAST_PAIRS
        rows.append((name, figure.micro, *(figure.interval if is_sure else [figure.micro] * 2)))
    frame = pd.DataFrame(rows, columns=["tokenizer", "premium", "low", "high"])
    return frame.sort_values("premium")

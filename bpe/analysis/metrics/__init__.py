"""How well a tokenizer treats a text, and Chinese beside English.

What measures texts takes them as segmentations, or takes counts made from these, and encodes
nothing; only figures of single characters and words take an encoder. T(x) stands for the tokens of
a text x. A figure of a text that has nothing to divide by is ``nan``.

The first paragraph of a metric's docstring is its definition: the formula, where it comes from, and
what to beware of. Interfaces show just that (:func:`definition`). Figures of the vocabulary itself,
without a text, are in :mod:`bpe.analysis.vocabulary`.
"""

import inspect

from bpe.analysis.metrics.compression import (
    bytes_per_token,
    characters_per_token,
    effective_window,
    nsl,
    percentile,
    renyi_efficiency,
    token_lengths,
)
from bpe.analysis.metrics.fidelity import is_lossless, is_partial, partial_utf8_rate, unknown_rate
from bpe.analysis.metrics.hanzi import (
    GB2312_LEVEL_1,
    Coverage,
    count_hanzi,
    hanzi_coverage,
    has_hanzi,
    language,
    tokens_per_hanzi,
)
from bpe.analysis.metrics.premium import Premium, gini, premium
from bpe.analysis.metrics.words import (
    Fertility,
    chinese_segmenter,
    chinese_words,
    english_words,
    fertility,
)


def definition(metric: object) -> str:
    """Return the first paragraph of the docstring of a metric, on one line.

    >>> definition(Premium.zh_tokens)
    'Σ |T(zh)|, all tokens of the Chinese texts.'
    """
    paragraph, *_rest = (inspect.getdoc(metric) or "").split("\n\n")
    return " ".join(paragraph.split())

"""How well a tokenizer treats a text, and Chinese beside English.

Every function takes any :class:`bpe.encoders.base.Encoder`. T(x) stands for the tokens of a text
x. A figure of a text that has nothing to divide by is ``nan``. Each docstring has the formula and
where it comes from. Figures of the vocabulary itself, without a text, are in
:mod:`bpe.analysis.vocabulary`.
"""

from bpe.analysis.metrics.compression import (
    bytes_per_token,
    characters_per_token,
    count_tokens,
    effective_window,
    nsl,
)
from bpe.analysis.metrics.fidelity import is_lossless, is_partial, partial_utf8_rate, unknown_rate
from bpe.analysis.metrics.hanzi import (
    GB2312_LEVEL_1,
    Coverage,
    count_hanzi,
    hanzi_coverage,
    tokens_per_hanzi,
)
from bpe.analysis.metrics.premium import Premium, gini, premium
from bpe.analysis.metrics.remembering import Remembering
from bpe.analysis.metrics.spread import percentile, renyi_efficiency, token_lengths
from bpe.analysis.metrics.words import Fertility, english_words, fertility

__all__ = [
    "GB2312_LEVEL_1",
    "Coverage",
    "Fertility",
    "Premium",
    "Remembering",
    "bytes_per_token",
    "characters_per_token",
    "count_hanzi",
    "count_tokens",
    "effective_window",
    "english_words",
    "fertility",
    "gini",
    "hanzi_coverage",
    "is_lossless",
    "is_partial",
    "nsl",
    "partial_utf8_rate",
    "percentile",
    "premium",
    "renyi_efficiency",
    "token_lengths",
    "tokens_per_hanzi",
    "unknown_rate",
]

"""How many tokens a text has for a model, how sure that is, and how much of its window they take.

Exact where the model's vocabulary is known. Otherwise an estimate with a range and the way it was
made; a count is never silently that of another tokenizer. This is the only place where a text is
encoded for a model; everything else in this package takes numbers of tokens.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from typing import Literal

import regex

from bpe.analysis import metrics
from bpe.analysis.segmentation import segment
from bpe.encoders.base import Encoder
from bpe.encoders.model_tokenizers import Calibration, calibrations
from bpe.errors import BPEError, Sentence
from bpe.pricing import messages
from bpe.pricing.bill import Usage
from bpe.pricing.model_table import Model
from bpe.text.unicode import character_spans

PANEL = ("o200k_base", "deepseek_v3", "qwen3", "glm4", "gemma3", "kimi_k2", "llama3")
"""Current vocabularies of different vendors. Where a model's own is not certain, the smallest and
largest of their counts on the same text make the range. Where it is unknown, the estimates by all
calibrations belong to it too: they show how far a vendor can go from the others. It is a spread of
what vendors do, which the unknown tokenizer may still leave."""

_CHINESE = regex.compile(r"[\p{Han}\u3000-\u303f\uff00-\uffef]")

HANZI_PER_PAGE = 800
"""汉字 on a page: 20 lines of 40, an ordinary printed page. A convention."""
WORDS_PER_PAGE = 500
"""English words on a page: single-spaced A4 or Letter at 12 points. A convention, too."""

EncoderFor = Callable[[str], Encoder]
"""Gives the encoder of a name of the catalogue."""


@dataclass(frozen=True, slots=True)
class TokenCount:
    """A number of tokens between ``low`` and ``high``, and how it was counted.

    An exact count has ``low == tokens == high``.
    """

    tokens: int
    exactness: Literal["exact", "estimate"]
    low: int
    high: int
    method: Sentence

    @property
    def error_percent(self) -> Decimal:
        """The farther end of the range from the count, in percent of it, to a whole percent."""
        if not self.tokens:
            return Decimal(0)
        off = Decimal(max(self.high - self.tokens, self.tokens - self.low))
        return (100 * off / self.tokens).quantize(Decimal(1), ROUND_CEILING)


def count_tokens(model: Model, text: str, encoder_for: EncoderFor) -> TokenCount:
    """Return the tokens of plain text for a model; for what a chat adds see ``prompts.py``.

    Special tokens in the text count as the ordinary text they look like.
    """
    return _count(model, _Text(text, encoder_for))


def count_for_all(
    models: Iterable[Model], text: str, encoder_for: EncoderFor
) -> dict[str, TokenCount]:
    """Return the count for each model by id, encoding the text once for each vocabulary."""
    counted = _Text(text, encoder_for)
    return {model.id: _count(model, counted) for model in models}


@dataclass(frozen=True, slots=True)
class TokenRates:
    """Tokens for each 汉字, and for each English word with the space before it."""

    per_hanzi: Decimal
    per_word: Decimal


def measure_rates(encoder: Encoder, zh: Sequence[str], en: Sequence[str]) -> TokenRates:
    """Return the rates of an encoder on these texts, as the metrics define them."""
    return TokenRates(
        Decimal(metrics.tokens_per_hanzi(segment(encoder, text) for text in zh)),
        Decimal(metrics.fertility(encoder, en).value),
    )


def model_rates(model: Model, rates_for: Callable[[str], TokenRates]) -> TokenRates:
    """Return a model's rates, where ``rates_for`` gives those of an encoding by its name.

    They are those of the model's own encoding, or of the one that stands in for it, times its
    calibration if it has one.
    """
    rates = rates_for(counted_with(model))
    if model.calibration is None:
        return rates
    calibration = calibrations()[model.calibration]
    return TokenRates(
        rates.per_hanzi * calibration.zh.ratio, rates.per_word * calibration.other.ratio
    )


def counted_with(model: Model) -> str:
    """Return the encoding of a model, or the one that stands in for it."""
    encoding = model.tokenizer or model.stand_in
    assert encoding is not None  # every row of the table of tokenizers has one or the other
    return encoding


def estimate_tokens(calibration: Calibration, chinese: int, other: int) -> TokenCount:
    """Return the estimate from tokens of the calibration's encoding, Chinese ones apart.

    The count is each part times its ratio, rounded half up; the range adds each part's error.
    """
    parts = ((chinese, calibration.zh), (other, calibration.other))
    middle = sum((n * sample.ratio for n, sample in parts), Decimal(0))
    off = sum((n * sample.ratio * sample.error for n, sample in parts), Decimal(0))
    method = Sentence.of(
        messages.METHOD_RATIO,
        base_tokens=chinese + other,
        encoding=calibration.encoding,
        zh_ratio=_rounded(calibration.zh.ratio),
        other_ratio=_rounded(calibration.other.ratio),
        zh_error=_percent(calibration.zh.error),
        other_error=_percent(calibration.other.error),
        zh_characters=calibration.zh.characters,
        other_characters=calibration.other.characters,
    )
    return TokenCount(
        int(middle.quantize(Decimal(1), ROUND_HALF_UP)),
        "estimate",
        int((middle - off).quantize(Decimal(1), ROUND_FLOOR)),
        int((middle + off).quantize(Decimal(1), ROUND_CEILING)),
        method,
    )


@dataclass
class _Text:
    """A text with its token counts by encoding, each counted at most once."""

    text: str
    encoder_for: EncoderFor
    lengths: dict[str, int] = field(default_factory=dict)
    splits: dict[str, tuple[int, int]] = field(default_factory=dict)

    def length(self, encoding: str) -> int:
        if encoding not in self.lengths:
            self.lengths[encoding] = self.encoder_for(encoding).count(self.text)
        return self.lengths[encoding]

    def chinese_and_other(self, encoding: str) -> tuple[int, int]:
        if encoding not in self.splits:
            self.splits[encoding] = _chinese_and_other(self.encoder_for(encoding), self.text)
        return self.splits[encoding]


def _count(model: Model, text: _Text) -> TokenCount:
    if model.certainty == "exact" and model.tokenizer is not None:
        tokens = text.length(model.tokenizer)
        method = Sentence.of(messages.METHOD_EXACT, encoding=model.tokenizer)
        return TokenCount(tokens, "exact", tokens, tokens, method)
    if model.calibration is not None:
        return _calibrated(calibrations()[model.calibration], text)
    encoding = counted_with(model)
    tokens = text.length(encoding)
    counts = [tokens, *map(text.length, PANEL)]
    template = messages.METHOD_ASSUMED
    if model.tokenizer is None:
        counts += [_calibrated(other, text).tokens for other in calibrations().values()]
        template = messages.METHOD_STAND_IN
    method = Sentence.of(template, encoding=encoding, panel=len({encoding, *PANEL}))
    return TokenCount(tokens, "estimate", min(counts), max(counts), method)


def _calibrated(calibration: Calibration, text: _Text) -> TokenCount:
    return estimate_tokens(calibration, *text.chinese_and_other(calibration.encoding))


def _chinese_and_other(encoder: Encoder, text: str) -> tuple[int, int]:
    pieces = segment(encoder, text).pieces
    shown = b"".join(pieces).decode("utf-8", "replace")
    is_chinese = [_CHINESE.match(character) is not None for character in shown]
    chinese = sum(any(is_chinese[start:end]) for start, end in character_spans(pieces))
    return chinese, len(pieces) - chinese


def _rounded(ratio: Decimal) -> Decimal:
    return ratio.quantize(Decimal("0.01"), ROUND_HALF_UP)


def _percent(share: Decimal) -> int:
    return int(share * 100)


@dataclass(frozen=True, slots=True)
class Gauge:
    """A window and what fills it, in tokens; ``window`` is ``None`` if it is unknown.

    ``reserved`` stays free for the answer.
    """

    window: int | None
    used: int
    reserved: int
    most_input: int | None = None
    """What the text alone may have, where that is less than the window."""

    @property
    def share(self) -> Decimal | None:
        """The used share of the window; more than 1 where the text does not fit."""
        return None if self.window is None else Decimal(self.used) / self.window

    @property
    def most(self) -> int | None:
        """The longest text that fits."""
        if self.window is None:
            return None
        return min(self.window - self.reserved, self.most_input or self.window)

    @property
    def free(self) -> int | None:
        """Tokens still free beside the reserve, at least 0."""
        return None if self.most is None else max(0, self.most - self.used)

    @property
    def fits(self) -> bool | None:
        return None if self.most is None else self.used <= self.most


@dataclass(frozen=True, slots=True)
class Remaining:
    """What fits in the free tokens, rounded down: either 汉字 **or** English words, not both."""

    tokens: int
    hanzi: int
    words: int
    zh_pages: Decimal
    en_pages: Decimal


def gauge(model: Model, tokens: int, *, reserve: int = 0) -> Gauge:
    Usage(tokens, output_tokens=reserve)
    return Gauge(model.context_window, tokens, reserve, model.max_input)


def remaining(tokens: int, *, tokens_per_hanzi: Decimal, tokens_per_word: Decimal) -> Remaining:
    """Return what fits in ``tokens``, by rates **measured** with that model's tokenizer.

    Pages are given to a tenth.
    """
    for rate in (tokens_per_hanzi, tokens_per_word):
        if not rate > 0:
            raise BPEError("A rate must be more than zero, not {rate}.", rate=rate)
    hanzi = int(tokens / tokens_per_hanzi)
    words = int(tokens / tokens_per_word)
    pages = _pages(hanzi, HANZI_PER_PAGE), _pages(words, WORDS_PER_PAGE)
    return Remaining(tokens, hanzi, words, *pages)


def _pages(units: int, per_page: int) -> Decimal:
    return (Decimal(units) / per_page).quantize(Decimal("0.1"), ROUND_FLOOR)

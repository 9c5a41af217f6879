"""How many tokens a text has for a model, and how sure that is.

Exact where the model's vocabulary is known. Otherwise an estimate with a range and the way it was
made; a count is never silently that of another tokenizer. This is the only place where a text is
encoded for a model; everything else in this package takes numbers of tokens.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from functools import cache
from typing import Literal

import regex

from bpe.analysis.segmentation import segment
from bpe.encoders.base import Encoder
from bpe.encoders.models import Calibration, calibrations
from bpe.errors import Sentence
from bpe.pricing import messages
from bpe.pricing.model_table import Model
from bpe.text.unicode import character_spans

PANEL = ("o200k_base", "deepseek_v4", "qwen3_5", "glm5", "gemma3", "kimi_k3", "llama3")
"""Current vocabularies of different vendors. Where a model's own is not certain, the smallest and
largest of their counts on the same text make the range. Where it is unknown, the estimates by all
calibrations belong to it too: they show how far a vendor can go from the others. It is a spread of
what vendors do, which the unknown tokenizer may still leave."""

_CHINESE = regex.compile(r"[\p{Han}\u3000-\u303f\uff00-\uffef]")


EncoderFor = Callable[[str], Encoder]
"""Gives the encoder of a name of the catalogue."""


@dataclass(frozen=True, slots=True)
class Count:
    """A number of tokens between ``low`` and ``high``, and how it was counted.

    An exact count has ``low == tokens == high``; so has one that was typed, which has no method.
    """

    tokens: int
    low: int
    high: int
    method: Sentence | None = None

    @classmethod
    def exactly(cls, tokens: int, method: Sentence | None = None) -> "Count":
        return cls(tokens, tokens, tokens, method)

    @property
    def exactness(self) -> Literal["exact", "estimate"]:
        sure = self.method is None or self.method.template in _SURE
        return "exact" if sure and self.low == self.high else "estimate"

    @property
    def uncertainty(self) -> float:
        return (self.high - self.low) / (self.tokens or 1)

    @property
    def error_percent(self) -> Decimal:
        """The farther end of the range from the count, in percent of it, to a whole percent."""
        if not self.tokens:
            return Decimal(0)
        off = Decimal(max(self.high - self.tokens, self.tokens - self.low))
        return (100 * off / self.tokens).quantize(Decimal(1), ROUND_CEILING)

    def scaled(self, factor: Decimal) -> "Count":
        """Return the count of a text that is so many times as long, to the nearest token."""
        tokens, low, high = (
            int((end * factor).quantize(Decimal(1), ROUND_HALF_UP))
            for end in (self.tokens, self.low, self.high)
        )
        return Count(tokens, low, high, self.method)


_SURE = (messages.METHOD_EXACT, messages.METHOD_OF_MANY)


def count_tokens(model: Model, text: str, encoder_for: EncoderFor) -> Count:
    """Return the tokens of plain text for a model; for what a chat adds see ``requests.py``.

    Special tokens in the text count as the ordinary text they look like.
    """
    return _counter(text, encoder_for)(model)


def count_for_all(models: Iterable[Model], text: str, encoder_for: EncoderFor) -> dict[str, Count]:
    """Return the count for each model by id, encoding the text once for each vocabulary."""
    count = _counter(text, encoder_for)
    return {model.id: count(model) for model in models}


def counted_with(model: Model) -> str:
    """Return the encoding of a model, or the one that stands in for it."""
    encoding = model.tokenizer or model.stand_in
    assert encoding is not None  # every row of the table of tokenizers has one or the other
    return encoding


def estimate_tokens(calibration: Calibration, chinese: int, other: int) -> Count:
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
    return Count(
        int(middle.quantize(Decimal(1), ROUND_HALF_UP)),
        int((middle - off).quantize(Decimal(1), ROUND_FLOOR)),
        int((middle + off).quantize(Decimal(1), ROUND_CEILING)),
        method,
    )


def _counter(text: str, encoder_for: EncoderFor) -> Callable[[Model], Count]:
    """Return what counts a text for models, with each vocabulary at most once."""

    @cache
    def length(encoding: str) -> int:
        return encoder_for(encoding).count(text)

    @cache
    def split(encoding: str) -> tuple[int, int]:
        return _chinese_and_other(encoder_for(encoding), text)

    def calibrated(name: str) -> Count:
        calibration = calibrations()[name]
        return estimate_tokens(calibration, *split(calibration.encoding))

    def count(model: Model) -> Count:
        if model.certainty == "exact" and model.tokenizer is not None:
            method = Sentence.of(messages.METHOD_EXACT, encoding=model.tokenizer)
            return Count.exactly(length(model.tokenizer), method)
        if model.calibration is not None:
            return calibrated(model.calibration)
        encoding = counted_with(model)
        counts = [length(encoding), *map(length, PANEL)]
        template = messages.METHOD_ASSUMED
        if model.tokenizer is None:
            counts += [calibrated(name).tokens for name in calibrations()]
            template = messages.METHOD_STAND_IN
        method = Sentence.of(template, encoding=encoding, panel=len({encoding, *PANEL}))
        return Count(counts[0], min(counts), max(counts), method)

    return count


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

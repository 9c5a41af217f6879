"""Which tokenizer counts a model's text, how sure that is, and ratios for unknown ones.

One ordered table; the first line whose provider and pattern fit decides. Sources: the model map of
tiktoken 0.14 for OpenAI, the ``tokenizer.json`` of the open models, Google's local tokenizer for
Gemini. What no source says is ``assumed`` or, where even the family is unknown, an ``estimate``
with another vocabulary standing in. For Claude there are measured ratios between its counts and
those of a vocabulary at hand (``calibration.toml``). Counting itself is in ``count.py``.
"""

import tomllib
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, Decimal
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Literal

Certainty = Literal["exact", "assumed", "estimate"]
"""How sure it is that a tokenizer is the model's own: its ids checked, assumed, or unknown."""


Reason = Literal[
    "exact",
    "exact-nfc",
    "assumed-openai",
    "assumed-successor",
    "assumed-product",
    "assumed-gemini",
    "assumed-copy",
    "estimate-claude",
    "estimate-claude-newest",
    "estimate-unknown",
    "estimate-not-at-hand",
    "estimate-new-vocabulary",
]
"""Why the certainty is what it is; :data:`bpe.pricing.messages.REASONS` has the sentences."""


@dataclass(frozen=True, slots=True)
class ModelTokenizer:
    """What a model's text is counted with.

    ``tokenizer`` is the model's own encoding, or ``None`` if unknown; then ``stand_in`` names the
    encoding to start from and ``calibration`` the ratios to apply (``None``: none measured).
    """

    tokenizer: str | None
    certainty: Certainty
    reason: Reason
    stand_in: str | None = None
    calibration: str | None = None


def tokenizer_of(provider: str, ref: str) -> ModelTokenizer:
    """Return what a provider's model is counted with.

    >>> tokenizer_of("openai", "gpt-4o-mini").tokenizer
    'o200k_base'
    """
    for wanted, patterns, tokenizer in TABLE:
        if wanted == provider and any(fnmatchcase(ref.lower(), p) for p in patterns.split()):
            return tokenizer
    return _UNKNOWN


@dataclass(frozen=True, slots=True)
class Sample:
    """One text counted twice: ``base`` tokens in the named encoding, ``model`` tokens in the model.

    ``characters`` is its length in code points.
    """

    characters: int
    base: int
    model: int

    @property
    def ratio(self) -> Decimal:
        return Decimal(self.model) / self.base

    @property
    def error(self) -> Decimal:
        """The relative error to state, as a fraction: chance alone, generously rounded up.

        Taking both counts for Poisson numbers, the ratio has a relative standard error of
        √(1/base + 1/model). Two of these, rounded up to the next tenth, are stated. This covers
        the smallness of the sample. It does **not** cover a wrong reconstruction or texts of
        another kind, whose error is not known.

        >>> Sample(347, 282, 385).error  # 2 × √(1/282 + 1/385) = 0.157
        Decimal('0.2')
        """
        chance = 2 * (1 / Decimal(self.base) + 1 / Decimal(self.model)).sqrt()
        return chance.quantize(Decimal("0.1"), ROUND_CEILING)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Ratios for Chinese and for other text, to be applied to counts of ``encoding``.

    ``method`` says how the model's counts were had: ``"reconstruction"`` or ``"vendor"``.
    """

    name: str
    encoding: str
    method: str
    date: date
    zh: Sample
    other: Sample


@cache
def calibrations() -> dict[str, Calibration]:
    rows = tomllib.loads(files(__package__).joinpath("calibration.toml").read_text("utf-8"))
    return {
        row["name"]: Calibration(
            row["name"], row["encoding"], row["method"], row["date"],
            Sample(**row["zh"]), Sample(**row["other"]),
        )
        for row in rows.values()
    }  # fmt: skip


def _assumed(name: str, reason: Reason) -> ModelTokenizer:
    return ModelTokenizer(name, "assumed", reason)


def _stand_in(name: str, reason: Reason, calibration: str | None = None) -> ModelTokenizer:
    return ModelTokenizer(None, "estimate", reason, name, calibration)


def published(name: str) -> ModelTokenizer:
    """Return the tokenizer of a model whose name is that of a published vocabulary."""
    return ModelTokenizer(name, "exact", "exact")


_UNKNOWN = _stand_in("o200k_base", "estimate-unknown")
_NOT_AT_HAND: Reason = "estimate-not-at-hand"
_QWEN_EXACT = ModelTokenizer("qwen3", "exact", "exact-nfc")
_QWEN_PRODUCT = _assumed("qwen3", "assumed-product")
_QWEN_NEW = "qwen3.5-* qwen3.6-*"
_NEW_QWEN = _assumed("qwen3_5", "assumed-product")
_NEWER_QWEN = _assumed("qwen3_5", "assumed-successor")
_GLM_EXACT = "glm-4-32b-* glm-4.5 glm-4.5-air glm-4.5-airx glm-4.5-x glm-4.5v"
_GLM_PRODUCT = "glm-4-*"
_GLM_NEW = "glm-5 glm-5.1 glm-5.2 glm-4.7-flash"
_GLM_NEXT = "glm-5* glm-4.7-flash*"
_OLD_CLAUDE = (
    "claude-3* claude-haiku-4-* claude-sonnet-4-* "
    "claude-opus-4-0 claude-opus-4-1 claude-opus-4-5 claude-opus-4-6"
)

TABLE: tuple[tuple[str, str, ModelTokenizer], ...] = (
    ("openai", "gpt-4o* gpt-4.1* gpt-4.5* chatgpt-4o* gpt-5*", published("o200k_base")),
    ("openai", "o1* o3* o4-*", published("o200k_base")),
    ("openai", "gpt-4 gpt-4-* gpt-3.5 gpt-3.5-* davinci-002 babbage-002", published("cl100k_base")),
    ("openai", "text-embedding-3-* text-embedding-ada-002", published("cl100k_base")),
    ("openai", "text-davinci-001 davinci curie babbage ada", published("gpt2")),  # r50k_base
    ("openai", "text-davinci-*", _stand_in("cl100k_base", _NOT_AT_HAND)),  # p50k_base
    ("openai", "gpt-oss-*", published("o200k_harmony")),
    ("openai", "*", _assumed("o200k_base", "assumed-openai")),
    ("anthropic", _OLD_CLAUDE,
     _stand_in("o200k_base", "estimate-claude", "claude-3-to-4.6")),
    ("anthropic", "claude-v1 claude-2", _stand_in("o200k_base", _NOT_AT_HAND)),
    ("anthropic", "claude* *", _stand_in("o200k_base", "estimate-claude-newest", "claude-newest")),
    ("google", "gemini-2* gemini-3*", _assumed("gemma3", "assumed-gemini")),
    ("google", "gemma-3*", published("gemma3")),
    ("google", "gemma-4*", _assumed("gemma3", "assumed-copy")),
    ("google", "gemma-2* gemini-1.* gemini-flash-1.5*", _assumed("gemma2", "assumed-copy")),
    ("google", "gemini-pro*", _stand_in("gemma2", _NOT_AT_HAND)),
    ("google", "*", _stand_in("gemma3", "estimate-unknown")),
    ("deepseek", "deepseek-flash", _assumed("deepseek_v3", "assumed-successor")),
    ("deepseek", "deepseek-v4-*", published("deepseek_v4")),
    ("deepseek", "deepseek-chat deepseek-reasoner deepseek-v3*", published("deepseek_v3")),
    ("deepseek", "*", _assumed("deepseek_v3", "assumed-successor")),
    ("deepseek-cn", "deepseek-v4-*", published("deepseek_v4")),
    ("deepseek-cn", "*", _assumed("deepseek_v3", "assumed-successor")),
    ("moonshotai", "kimi-k2 kimi-k2-*", _assumed("kimi_k2", "assumed-copy")),
    ("moonshotai", "kimi-k2.*", _assumed("kimi_k2", "assumed-successor")),
    ("moonshotai", "kimi-k3", _stand_in("kimi_k2", _NOT_AT_HAND)),
    ("moonshotai", "*", _stand_in("kimi_k2", "estimate-unknown")),
    ("zai", _GLM_EXACT, published("glm4")),
    ("zhipuai", _GLM_EXACT, published("glm4")),
    ("zai", _GLM_PRODUCT, _assumed("glm4", "assumed-product")),
    ("zhipuai", _GLM_PRODUCT, _assumed("glm4", "assumed-product")),
    ("zai", _GLM_NEW, published("glm5")),
    ("zhipuai", _GLM_NEW, published("glm5")),
    ("zai", _GLM_NEXT, _assumed("glm5", "assumed-successor")),
    ("zhipuai", _GLM_NEXT, _assumed("glm5", "assumed-successor")),
    ("zai", "*", _stand_in("glm4", "estimate-new-vocabulary")),
    ("zhipuai", "*", _stand_in("glm4", "estimate-new-vocabulary")),
    ("mistral", "mistral-nemo", published("mistral_v3")),
    ("mistral", "mixtral-8x7b", published("mistral_v1")),
    ("mistral", "mistral-7b mistral-tiny", _assumed("mistral_v1", "assumed-product")),
    ("mistral", "ministral-* mistral-small-* mistral-large-2512 devstral-* magistral-* pixtral-12b",
     _assumed("mistral_v3", "assumed-successor")),
    ("mistral", "mistral-medium-3-5 mistral-large mixtral-8x22b-* pixtral-large",
     _stand_in("mistral_v3", _NOT_AT_HAND)),
    ("mistral", "*", _stand_in("mistral_v3", "estimate-unknown")),
    ("groq", "*llama-3*", published("llama3")),
    ("together", "*llama-3*", published("llama3")),
    ("groq", "*llama-4-*", _stand_in("llama3", _NOT_AT_HAND)),
    ("together", "*llama-4-*", _stand_in("llama3", _NOT_AT_HAND)),
    ("minimax", "minimax-01 minimax-m1 minimax-m2*", _stand_in("o200k_base", _NOT_AT_HAND)),
    ("x-ai", "grok-2*", _stand_in("o200k_base", _NOT_AT_HAND)),
    ("groq", "openai/gpt-oss-*", published("o200k_harmony")),
    ("alibaba", "qwen3-235b-* qwen3-32b qwen3-8b", _QWEN_EXACT),
    ("alibaba-cn", "qwen3-235b-* qwen3-32b qwen3-8b", _QWEN_EXACT),
    ("alibaba", _QWEN_NEW, _NEW_QWEN),
    ("alibaba-cn", _QWEN_NEW, _NEW_QWEN),
    ("alibaba", "qwen3.*", _NEWER_QWEN),
    ("alibaba-cn", "qwen3.*", _NEWER_QWEN),
    ("alibaba", "*", _QWEN_PRODUCT),
    ("alibaba-cn", "*", _QWEN_PRODUCT),
)  # fmt: skip

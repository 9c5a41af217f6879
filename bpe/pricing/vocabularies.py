"""Which tokenizer belongs to which model, and how sure that is.

One ordered table; the first line whose provider and pattern fit decides. Sources: the model map of
tiktoken 0.14 for OpenAI, the ``tokenizer.json`` of the open models, Google's local tokenizer for
Gemini. What no source says is ``assumed`` or, where even the family is unknown, an ``estimate``
with another vocabulary standing in.
"""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from bpe.pricing import words

Exactness = Literal["exact", "assumed", "estimate"]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a model's text is counted with.

    ``tokenizer`` is the model's own encoding, or ``None`` if unknown; then ``stand_in`` names the
    encoding to start from and ``calibration`` the ratios to apply (``None``: none measured).
    """

    tokenizer: str | None
    exactness: Exactness
    reason: str
    stand_in: str | None = None
    calibration: str | None = None


def vocabulary_of(provider: str, ref: str) -> Vocabulary:
    """Return what a provider's model is counted with.

    >>> vocabulary_of("openai", "gpt-4o-mini").tokenizer
    'o200k_base'
    """
    for wanted, patterns, vocabulary in _TABLE:
        if wanted == provider and any(fnmatchcase(ref.lower(), p) for p in patterns.split()):
            return vocabulary
    return _UNKNOWN


def _exact(name: str) -> Vocabulary:
    return Vocabulary(name, "exact", words.EXACT)


def _assumed(name: str, reason: str) -> Vocabulary:
    return Vocabulary(name, "assumed", reason)


def _stand_in(name: str, reason: str, calibration: str | None = None) -> Vocabulary:
    return Vocabulary(None, "estimate", reason, name, calibration)


_UNKNOWN = _stand_in("o200k_base", words.ESTIMATE_UNPUBLISHED)
_QWEN_EXACT = Vocabulary("qwen3", "exact", words.EXACT_NFC)
_QWEN_PRODUCT = _assumed("qwen3", words.ASSUMED_PRODUCT)
_NEW_QWEN = _stand_in("qwen3", words.ESTIMATE_NEW_VOCABULARY)
_GLM_EXACT = "glm-4-32b-* glm-4.5 glm-4.5-air glm-4.5-airx glm-4.5-x glm-4.5v"
_GLM_PRODUCT = "glm-4-*"
_OLD_CLAUDE = (
    "claude-3* claude-haiku-4-* claude-sonnet-4-* "
    "claude-opus-4-0 claude-opus-4-1 claude-opus-4-5 claude-opus-4-6"
)

_TABLE: tuple[tuple[str, str, Vocabulary], ...] = (
    ("openai", "gpt-4o* gpt-4.1* gpt-4.5* chatgpt-4o* gpt-5*", _exact("o200k_base")),
    ("openai", "o1* o3* o4-*", _exact("o200k_base")),
    ("openai", "gpt-4 gpt-4-* gpt-3.5-*", _exact("cl100k_base")),
    ("openai", "*", _assumed("o200k_base", words.ASSUMED_OPENAI)),
    ("anthropic", _OLD_CLAUDE, _stand_in("o200k_base", words.ESTIMATE_CLAUDE, "claude-3-to-4.6")),
    ("anthropic", "claude-v1 claude-2", _UNKNOWN),
    ("anthropic", "*", _stand_in("o200k_base", words.ESTIMATE_CLAUDE_NEWEST, "claude-newest")),
    ("google", "gemini-2* gemini-3*", _assumed("gemma3", words.ASSUMED_GEMINI)),
    ("google", "gemma-3* gemma-4*", _assumed("gemma3", words.ASSUMED_COPY)),
    ("google", "*", _stand_in("gemma3", words.ESTIMATE_UNPUBLISHED)),
    ("deepseek", "deepseek-flash", _assumed("deepseek_v3", words.ASSUMED_SUCCESSOR)),
    ("deepseek", "deepseek-chat deepseek-reasoner deepseek-v3* deepseek-v4-*",
     _exact("deepseek_v3")),
    ("deepseek", "*", _assumed("deepseek_v3", words.ASSUMED_SUCCESSOR)),
    ("moonshotai", "kimi-k2 kimi-k2-*", _assumed("kimi_k2", words.ASSUMED_COPY)),
    ("moonshotai", "kimi-k2.*", _assumed("kimi_k2", words.ASSUMED_SUCCESSOR)),
    ("moonshotai", "*", _stand_in("kimi_k2", words.ESTIMATE_UNPUBLISHED)),
    ("zai", _GLM_EXACT, _exact("glm4")),
    ("zhipuai", _GLM_EXACT, _exact("glm4")),
    ("zai", _GLM_PRODUCT, _assumed("glm4", words.ASSUMED_PRODUCT)),
    ("zhipuai", _GLM_PRODUCT, _assumed("glm4", words.ASSUMED_PRODUCT)),
    ("zai", "glm-4.6*", _assumed("glm4", words.ASSUMED_SUCCESSOR)),
    ("zai", "*", _stand_in("glm4", words.ESTIMATE_NEW_VOCABULARY)),
    ("zhipuai", "*", _stand_in("glm4", words.ESTIMATE_NEW_VOCABULARY)),
    ("mistral", "mistral-nemo", _exact("mistral_v3")),
    ("mistral", "mixtral-8x7b", _exact("mistral_v1")),
    ("mistral", "mistral-7b mistral-tiny", _assumed("mistral_v1", words.ASSUMED_PRODUCT)),
    ("mistral", "ministral-* mistral-small-* mistral-large-2512 devstral-* magistral-* pixtral-12b",
     _assumed("mistral_v3", words.ASSUMED_SUCCESSOR)),
    ("mistral", "*", _stand_in("mistral_v3", words.ESTIMATE_UNPUBLISHED)),
    ("groq", "*llama-3*", _exact("llama3")),
    ("together", "*llama-3*", _exact("llama3")),
    ("groq", "openai/gpt-oss-*", _assumed("o200k_base", words.ASSUMED_COPY)),
    ("alibaba", "qwen3-235b-* qwen3-32b qwen3-8b", _QWEN_EXACT),
    ("alibaba-cn", "qwen3-235b-* qwen3-32b qwen3-8b", _QWEN_EXACT),
    ("alibaba", "qwen3.*", _NEW_QWEN),
    ("alibaba-cn", "qwen3.*", _NEW_QWEN),
    ("alibaba", "*", _QWEN_PRODUCT),
    ("alibaba-cn", "*", _QWEN_PRODUCT),
)  # fmt: skip

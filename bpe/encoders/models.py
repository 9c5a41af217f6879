"""From the name of a model, however it is spelled, to its encoding: which it is, how sure that is.

The models are in ``model_tokenizers.toml``. What no source says is ``assumed`` or, where even the
family is unknown, an ``estimate`` with another vocabulary standing in. For Claude there are ratios
between its counts and those of a vocabulary at hand (``calibration.toml``). Counting itself is in
``bpe/pricing/count.py``.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, Decimal
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Literal

from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.text.unicode import text_only

Certainty = Literal["exact", "assumed", "estimate"]
"""How sure it is that a tokenizer is the model's own: its ids checked, assumed, or unknown."""

REASONS: dict[str, str] = {
    "exact": (
        "The vocabulary is published, and its ids were checked one by one against the reference."
    ),
    "exact-nfc": (
        "The vocabulary is published, and its ids were checked one by one against the reference; "
        "the tokenizer first brings the text into the normal form NFC."
    ),
    "assumed-openai": (
        "OpenAI has not said which vocabulary this model uses; we assume that of GPT-4o and GPT-5."
    ),
    "assumed-successor": (
        "We assume that this model kept the vocabulary of its predecessors; nobody has checked it."
    ),
    "assumed-product": (
        "The vendor sells this name without saying which model is behind it; "
        "we assume the vocabulary that its open models of the time share."
    ),
    "assumed-gemini": ("Google's own local tokenizer uses the Gemma 3 vocabulary for this model."),
    "assumed-copy": (
        "The vocabulary is published; our copy was checked for round trips, not id by id."
    ),
    "estimate-claude": (
        "Anthropic publishes no tokenizer. The count is that of another tokenizer times a ratio "
        "measured once, by a reconstruction, on one short text of each language."
    ),
    "estimate-claude-newest": (
        "Anthropic publishes no tokenizer. The count is that of another tokenizer times a ratio "
        "measured once, by a reconstruction, on one short text of each language; all models after "
        "4.6 are taken to count alike."
    ),
    "estimate-unknown": (
        "We know of no published tokenizer for this model; another vocabulary stands in for it."
    ),
    "estimate-not-at-hand": (
        "The tokenizer is published, but not at hand here; another vocabulary stands in for it."
    ),
    "estimate-new-vocabulary": (
        "This model has a newer vocabulary than the one at hand; its predecessor's stands in "
        "for it."
    ),
}
"""Why the certainty is what it is, in words, which are message ids of an interface."""


@dataclass(frozen=True, slots=True)
class ModelTokenizer:
    """The tokenizer that counts a model's text.

    ``tokenizer`` is the model's own encoding, or ``None`` if unknown; then ``stand_in`` names the
    encoding to start from and ``calibration`` the ratios to apply (``None``: none measured).
    """

    tokenizer: str | None
    certainty: Certainty
    reason: str
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
        √(1/base + 1/model). Two of these, rounded up to the next tenth, are stated. That does
        **not** cover a wrong reconstruction or texts of another kind.

        >>> Sample(347, 282, 385).error  # 2 × √(1/282 + 1/385) = 0.157
        Decimal('0.2')
        """
        chance = 2 * (1 / Decimal(self.base) + 1 / Decimal(self.model)).sqrt()
        return chance.quantize(Decimal("0.1"), ROUND_CEILING)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Ratios for Chinese and for other text, to be applied to counts of ``encoding``."""

    name: str
    encoding: str
    date: date
    zh: Sample
    other: Sample


@cache
def calibrations() -> dict[str, Calibration]:
    rows = tomllib.loads(files(__package__).joinpath("calibration.toml").read_text("utf-8"))
    return {
        row["name"]: Calibration(
            row["name"], row["encoding"], row["date"],
            Sample(**row["zh"]), Sample(**row["other"]),
        )
        for row in rows.values()
    }  # fmt: skip


def published(name: str, reason: str = "exact", calibration: str | None = None) -> ModelTokenizer:
    """Return what a vocabulary is to a model: its own, or for another reason one that stands in."""
    certainty: Certainty = reason.partition("-")[0]  # type: ignore[assignment]
    if certainty == "estimate":
        return ModelTokenizer(None, certainty, reason, name, calibration)
    return ModelTokenizer(name, certainty, reason)


_UNKNOWN = published("o200k_base", "estimate-unknown")
_FILE = files(__package__).joinpath("model_tokenizers.toml").read_text("utf-8")
TABLE: tuple[tuple[str, str, ModelTokenizer], ...] = tuple(
    (provider, patterns, published(*counted))
    for providers, patterns, *counted in tomllib.loads(_FILE)["rows"]
    for provider in providers.split()
)
"""The provider, names of its models, and their tokenizer; the first that fits decides."""


_SPELLINGS = {
    "qwen2-* qwen2.5-* qwen-2.5-*": "qwen3",
    "deepseek-coder-v3* deepseek-v3.*": "deepseek_v3",
    "meta-llama-3* llama-3.* llama3*": "llama3",
    "llama2*": "llama2",
    "mistral-7b-instruct-v0.3": "mistral_v2",
    "mistral-7b-*v0.[12]": "mistral_v1",
    "gpt2* distilgpt2": "gpt2",
}
"""Names of models that neither the price list nor the catalogue names in this way."""


_SELLERS = (
    "models|azure|azure_ai|vertex_ai|vertexai|vertex_ai_beta|bedrock|bedrock_converse|converse|"
    "openrouter|litellm|publishers|us|eu|apac|global|regional|us-gov|jp|au|ca"
)
_OWNERS = "anthropic|amazon|meta|mistral|cohere|deepseek|openai|qwen|google|moonshotai|zai|minimax"
_SPELLED: tuple[tuple[str, str], ...] = (
    (r"^ft:([^:]+).*", r"\1"),  # fine-tuned at OpenAI
    (rf"^(?:{_SELLERS})[/.]", ""),
    (r"^(?:publishers/)?[\w-]+/models/", ""),
    (rf"^(?:{_OWNERS})\.", ""),  # as Bedrock writes them
    (r"(?<=[\w.])(?:-v\d+)?:\d+$", ""),  # a version at Bedrock
    (r":(?:free|beta|thinking|extended|nitro|floor|latest|exacto)$", ""),
    (r"@(?:\d{8}|latest|default)$", ""),
    (r"-latest$", ""),
    (r"[-@](?:20\d\d-?[01]\d-?[0-3]\d)$", ""),
    (r"-(?:preview|exp)-\d\d-(?:\d\d|20\d\d)$", ""),
    (r"-[01]\d-[0-3]\d$", ""),
    (r"-(?:\d{4}|\d{6})$", ""),
    (r"^((?:anthropic/)?claude-.*\d)\.(\d)", r"\1-\2"),  # as OpenRouter writes them
)
"""Parts around names of models, the outermost first, and what is left without it."""


def spellings(name: str) -> list[str]:
    """Return the names that a model's name may stand for, the most literal first, in lower case.

    >>> spellings("bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0")[-1]
    'claude-sonnet-4-5'
    """
    literal = re.sub(r"[\s_]+", "-", name.strip().lower()).replace("vertex-ai", "vertex_ai")
    fireworks = re.sub(r"^(?:[\w-]+/)?accounts/([\w-]+)/models/", r"\1/", literal)
    names = [re.sub("^z-ai/", "zai/", fireworks)]
    changed = True
    while changed:
        changed = False
        for pattern, shorter in _SPELLED:
            stripped = re.sub(pattern, shorter, names[-1])
            if stripped and stripped != names[-1]:
                names.append(stripped)
                changed = True
    return list(dict.fromkeys(names))


def encoding_name_of(model: str) -> str | None:
    """Return the encoding of a model, checked or assumed; ``None`` where it is not known.

    >>> encoding_name_of("gpt-5"), encoding_name_of("Qwen/Qwen2.5-7B"), encoding_name_of("claude-3")
    ('o200k_base', 'qwen3', None)
    """
    tokenizer = known_tokenizer(model)
    return None if tokenizer is None else tokenizer.tokenizer


def known_tokenizer(model: str) -> ModelTokenizer | None:
    """Return what a model is counted with, and how sure that is; ``None`` of unknown names.

    ``model`` is its name at the vendor, on the Hub or in :func:`bpe.encodings`, with or without
    the owner in front, as hosts, dates and fine-tuning change it (:func:`spellings`); or an
    encoding's own name.
    """
    return next(filter(None, map(_tokenizer_of, spellings(model))), None)


def _tokenizer_of(name: str) -> ModelTokenizer | None:
    owner, _, ref = name.rpartition("/")
    ref = re.sub(":[a-z]+$", "", ref).replace("gpt-35", "gpt-3.5")
    if "-distill-" in ref:  # which have the vocabulary of the smaller model
        return None
    for entry in catalog.encodings():
        if ref == entry.name.replace("_", "-"):
            return published(entry.name)
    if any(provider == owner for provider, _, _ in TABLE):
        return tokenizer_of(owner, ref)
    for _, patterns, tokenizer in TABLE:
        if any(pattern != "*" and fnmatchcase(ref, pattern) for pattern in patterns.split()):
            return tokenizer
    for patterns, encoding in _SPELLINGS.items():
        if any(fnmatchcase(ref, pattern) for pattern in patterns.split()):
            return published(encoding)
    listed = {
        label.lower().replace(" ", "-"): entry.name
        for entry in catalog.encodings()
        for label in entry.models
    }
    fitting = [label for label in listed if ref == label or ref.startswith(f"{label}-")]
    return published(listed[max(fitting, key=len)]) if fitting else None


def nearest(name: str, names: Iterable[str] | None = None) -> list[str]:
    """Return names of the same family that are spelled nearly so: of a GPT no other than GPTs.

    ``names`` are by default those of encodings, and of models that have one.
    """
    from difflib import get_close_matches  # only here: it is for mistakes

    if names is None:
        entries = catalog.encodings()
        labels = (label.lower().replace(" ", "-") for entry in entries for label in entry.models)
        priced = (pattern.strip("*-.") for _, patterns, _ in TABLE for pattern in patterns.split())
        listed = dict.fromkeys((*(entry.name for entry in entries), *labels, *priced))
        names = [each for each in listed if "*" not in each and encoding_name_of(each)]
    families: dict[str, list[str]] = {}
    for each in names:
        families.setdefault(_family(each), []).append(each)
    wanted = spellings(name)[-1].rpartition("/")[2]
    family = get_close_matches(_family(wanted), families, n=1, cutoff=0.6)
    return get_close_matches(wanted, families[family[0]], n=3, cutoff=0.6) if family else []


def _family(name: str) -> str:
    """Return the letters that a name begins with: ``"gpt"`` of ``"openai/gpt-5"``."""
    letters = re.match(r"[a-z]+", name.lower().rpartition("/")[2])
    return letters[0] if letters else ""


def encoding_for_model(model: str) -> Encoder:
    """Return the encoder of a model, such as ``gpt-5``, ``Qwen/Qwen3-8B`` or ``ft:gpt-4o:mine``.

    A model whose tokenizer is not published, not at hand or not known raises :class:`BPEError`.
    Some are assumed to have the tokenizer of the model before them; ``bpe models`` says which.
    """
    if text_only(model) in catalog.registered_models:
        return catalog.encoding(catalog.registered_models[model])
    name = encoding_name_of(model)
    if name is not None:
        return catalog.encoding(name)
    raise BPEError(
        "No tokenizer is at hand for the model “{model}”. Names like it: {near}. Or choose an "
        "encoding: {names}.",
        model=model,
        near=", ".join(nearest(model)) or "–",
        names=", ".join(entry.name for entry in catalog.encodings()),
    )

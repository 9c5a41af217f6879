"""Which tokenizer counts a model's text, how sure that is, and ratios for unknown ones.

The models are in ``model_tokenizers.toml``. What no source says is ``assumed`` or, where even the
family is unknown, an ``estimate`` with another vocabulary standing in. For Claude there are ratios
between its counts and those of a vocabulary at hand (``calibration.toml``). Counting itself is in
``bpe/pricing/count.py``.
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
"""Why the certainty is what it is."""

REASONS: dict[Reason, str] = {
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
"""The reasons in words, which are message ids of an interface."""


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


def published(name: str) -> ModelTokenizer:
    """Return the tokenizer of a model whose name is that of a published vocabulary."""
    return _of(name, "exact")


def _of(name: str, reason: Reason, calibration: str | None = None) -> ModelTokenizer:
    certainty: Certainty = reason.partition("-")[0]  # type: ignore[assignment]
    if certainty == "estimate":
        return ModelTokenizer(None, certainty, reason, name, calibration)
    return ModelTokenizer(name, certainty, reason)


_UNKNOWN = _of("o200k_base", "estimate-unknown")
_FILE = files(__package__).joinpath("model_tokenizers.toml").read_text("utf-8")
TABLE: tuple[tuple[str, str, ModelTokenizer], ...] = tuple(
    (provider, patterns, _of(*counted))
    for providers, patterns, *counted in tomllib.loads(_FILE)["rows"]
    for provider in providers.split()
)
"""The provider, names of its models, and their tokenizer; the first that fits decides."""

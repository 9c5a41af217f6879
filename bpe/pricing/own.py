"""What ``prices.toml`` adds to the big price list: Qwen's models, limits, and a few rules.

Reading only; nothing here computes.
"""

import tomllib
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

from bpe.pricing import words
from bpe.pricing.listings import OWN
from bpe.pricing.rates import Prices, Rate, Rates, Rule
from bpe.pricing.records import Model, Published, Source
from bpe.pricing.sentence import Sentence
from bpe.pricing.vocabularies import vocabulary_of


@cache
def facts() -> dict[str, Any]:
    """Return the parsed ``prices.toml``."""
    return tomllib.loads(files(__package__).joinpath("prices.toml").read_text("utf-8"))


def own_models() -> list[Model]:
    """Return the models whose prices are ours alone."""
    qwen = facts()["qwen"]
    return [_own_model(row, qwen["source"], qwen["date"]) for row in qwen["model"]]


def completed(model: Model) -> Model:
    """Return the model with what is missing in it and known here."""
    weekends = facts()["weekends"]
    if model.id in weekends["models"]:
        model = replace(model, weekends_off_peak_from=weekends["off_peak_from"])
    published = _published().get(model.id)
    if published is not None:
        model = replace(model, published=published)
    limits = _limits().get(model.id)
    if limits is None:
        return model
    url = facts()["limits"]["source"].format(commit=limits["commit"], file=limits["file"])
    return replace(
        model,
        context_window=model.context_window or limits["context_window"],
        max_output=model.max_output or limits.get("max_output"),
        open_weights=limits.get("open_weights", model.open_weights),
        limits_source=Source(url, limits["date"]),
    )


def _own_model(row: dict[str, Any], source: str, day: date) -> Model:
    listing = OWN[row["provider"]]
    vocabulary = vocabulary_of(row["provider"], row["ref"])
    rates = Rates(
        input=_rate(row["input"]), cached_input=_rate(row.get("cached_input")),
        output=_rate(row["output"]),
    )  # fmt: skip
    notes: tuple[Sentence, ...] = ()
    if "thinking_output" in row:
        notes = (Sentence.of(words.THINKING_OUTPUT, price=Decimal(row["thinking_output"])),)
    return Model(
        id=f"{row['provider']}/{row['ref']}", ref=row["ref"], name=row["name"],
        vendor=listing.vendor, provider=listing.provider, country=listing.country,
        region=listing.region, prices=Prices((Rule(rates),)),
        tokenizer=vocabulary.tokenizer, exactness=vocabulary.exactness, reason=vocabulary.reason,
        stand_in=vocabulary.stand_in, calibration=vocabulary.calibration,
        price_date=day, sources=(source,), open_weights=row.get("open_weights"),
        context_window=row.get("context_window"), max_output=row.get("max_output"),
        limits_source=Source(source, day) if "context_window" in row else None, notes=notes,
    )  # fmt: skip


def _rate(price: str | None) -> Rate | None:
    return None if price is None else Rate(Decimal(price))


@cache
def _limits() -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in facts()["limits"]["model"]}


@cache
def _published() -> dict[str, Published]:
    section = facts()["published"]
    return {
        row["id"]: Published(
            section["currency"], Decimal(row["input"]), Decimal(row["cached_input"]),
            Decimal(row["output"]), Source(section["source"], section["date"]),
        )
        for row in section["model"]
    }  # fmt: skip

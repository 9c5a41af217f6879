"""Prices of one's own: a TOML file of models that join the price list, or stand in its place."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

from bpe.encoders import catalog
from bpe.encoders.model_names import known_tokenizer
from bpe.encoders.model_tokenizers import REASONS, ModelTokenizer, published
from bpe.errors import BPEError
from bpe.pricing import data, messages
from bpe.pricing.model_table import Model, Table
from bpe.pricing.prices import Currency, Prices, Rate, Rates, Rule, as_decimal

_MONEY = ("input", "cached_input", "output")
_KEYS = ("id", "date", *_MONEY, "currency", "tokenizer", "source", "context_window")


def table_with(path: str | Path) -> Table:
    """Return the bundled table with the models of a TOML file, which come first.

    Each ``[[model]]`` has an ``id`` such as ``acme/large``, a ``date`` and the prices of a million
    tokens: ``input``, ``output`` and, where it differs, ``cached_input``. ``currency`` is USD or
    CNY (default: USD), ``tokenizer`` an encoding (default: that of the model's name). A model of
    the list with the same id is replaced. What is missing, unknown or no price raises
    :class:`BPEError`.
    """
    path = Path(path)
    try:
        values = tomllib.loads(path.read_text("utf-8"), parse_float=Decimal)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BPEError(
            "“{name}” cannot be read as TOML: {reason}", name=path.name, reason=str(error)
        ) from error
    rows = values.get("model")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise BPEError("“{name}” has no models. Each begins with [[model]].", name=path.name)
    own: dict[str, Model] = {}
    for number, row in enumerate(rows, start=1):
        try:
            model = _model(row, path.name)
            if model.id in own:
                raise BPEError("It is in the file twice.")
        except BPEError as error:
            where = row.get("id", number)
            raise BPEError(
                "“{name}”, model {model}: {reason}", name=path.name, model=where, reason=error
            ) from error
        own[model.id] = model
    listed = data.table()
    others = (model for model in listed.all_models if model.id not in own)
    return replace(listed, all_models=(*own.values(), *others))


def _model(row: Mapping[str, Any], file: str) -> Model:
    if unknown := row.keys() - set(_KEYS):
        raise BPEError(
            "There is no key “{key}”. The keys are {keys}.", key=min(unknown), keys=", ".join(_KEYS)
        )
    name, window = row.get("id"), row.get("context_window", 1)
    if not isinstance(name, str) or not re.fullmatch(r"[^/\s]+/\S+", name):
        raise BPEError("A model needs an id such as acme/large.")
    if type(row.get("date")) is not date:
        raise BPEError("A price needs its day, such as date = 2026-11-01.")
    if (currency := row.get("currency", "USD")) not in get_args(Currency):
        raise BPEError("The currency is one of {names}.", names=", ".join(get_args(Currency)))
    if type(window) is not int or window < 1:
        raise BPEError("Write the context_window as a number of tokens: context_window = 128000.")
    if not all(isinstance(row.get(key, ""), str) for key in ("source", "tokenizer")):
        raise BPEError("The source and the tokenizer are texts in quotes.")
    rates: dict[str, Any] = {key: Rate(_price(row[key])) for key in _MONEY if key in row}
    if "input" not in rates:
        raise BPEError("A model needs the price of its input: input = 1.5.")
    known = _tokenizer(row, name)
    provider, _, ref = name.partition("/")
    source = row.get("source", file)
    return Model(
        id=name.lower(), ref=ref.lower(), name=ref, vendor=provider, provider=provider.lower(),
        country="", region="",
        prices=Prices((Rule(Rates(**rates)),), currency=currency, published_in=currency),
        tokenizer=known.tokenizer, certainty=known.certainty,
        reason=messages.OWN_LIST if "tokenizer" in row else REASONS[known.reason],
        stand_in=known.stand_in, calibration=known.calibration,
        price_date=row["date"], sources=(source,), dated="price",
        context_window=row.get("context_window"),
        limits_source=(source, row["date"]) if "context_window" in row else None,
    )  # fmt: skip


def _price(value: Any) -> Decimal:
    price = as_decimal(value)
    if price < 0:
        raise BPEError("“{value}” is not a price.", value=value)
    return price


def _tokenizer(row: Mapping[str, Any], name: str) -> ModelTokenizer:
    if "tokenizer" in row:
        return published(catalog.encoding(row["tokenizer"]).name)
    if (known := known_tokenizer(name)) is None:
        raise BPEError('No tokenizer is known for it. Name one: tokenizer = "o200k_base".')
    return known

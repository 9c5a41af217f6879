"""The table of models: the list of genai-prices, completed by our own ``prices.toml``.

A file of one's own (:func:`table_with`) adds models to it, or takes the place of some. The bundled
table is a constant of this version. A fetched one is another value of the same kind and replaces
nothing by itself: there is no background task and no shared state.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from bpe.encoders import catalog
from bpe.encoders.models import REASONS, ModelTokenizer, known_tokenizer, published, tokenizer_of
from bpe.errors import BPEError, Sentence
from bpe.pricing import genai_list, messages
from bpe.pricing.genai_list import Listing, fits
from bpe.pricing.model_table import Model, Table, Unpriced
from bpe.pricing.prices import Currency, ExchangeRate, Prices, Rate, Rule, as_decimal
from bpe.progress import while_waiting

if TYPE_CHECKING:
    from genai_prices.data_snapshot import DataSnapshot

Fetch = Callable[[], "DataSnapshot | None"]

OWN = {
    "alibaba": Listing("alibaba", "Alibaba", "CN", messages.INTERNATIONAL),
    "alibaba-cn": Listing(
        "alibaba-cn", "Alibaba", "CN", messages.MAINLAND, flagship="qwen*-max", small="qwen*-plus"
    ),
    "deepseek-cn": Listing("deepseek-cn", "DeepSeek", "CN", messages.MAINLAND),
}
"""Providers whose prices are ours (``prices.toml``), by name."""


@cache
def table() -> Table:
    """Return the table that comes with this version."""
    return _table_of(genai_list.bundled(), genai_list.BUNDLED_ON)


def models(*, deprecated: bool = False) -> tuple[Model, ...]:
    """Return the bundled models, by default without deprecated ones."""
    return table().models(deprecated=deprecated)


def model(name: str) -> Model:
    return table().model(name)


def newest(listed: Table | None = None) -> list[Model]:
    """Return the newest flagship and the newest small model of the great vendors, by version."""
    models = (listed or table()).models()
    chosen: list[Model] = []
    for listing in (*genai_list.LISTINGS, *OWN.values()):
        for kind in filter(None, (listing.flagship, listing.small)):
            of_kind = [m for m in models if m.provider == listing.provider and fits(m.ref, kind)]
            chosen += sorted(of_kind, key=lambda model: _version(model.ref))[-1:]
    return chosen


def _version(ref: str) -> tuple[int, ...]:
    """Return the numbers in a model's name: ``(6, 1)`` of ``gpt-6.1-sol``."""
    return tuple(int(number) for number in re.findall(r"\d+", ref))


def refresh(*, timeout: float = 10, fetch: Fetch | None = None, today: date | None = None) -> Table:
    """Return a table with the current list of genai-prices, dated ``today`` (default: now, UTC).

    Raises :class:`BPEError` after ``timeout`` seconds, or if the list cannot be fetched or read.
    """
    day = today or datetime.now(UTC).date()
    try:
        snapshot = while_waiting(fetch or genai_list.fetch, seconds=timeout)
        table = None if snapshot is None else _table_of(snapshot, day)
    except Exception as problem:
        raise BPEError(
            "New prices could not be fetched ({problem}). The prices of {date} stay in use.",
            problem=type(problem).__name__,
            date=genai_list.BUNDLED_ON,
        ) from problem
    if table is None or len(table.all_models) == len(_own_models()):
        raise BPEError(
            "The new price list has no model that we know. The prices of {date} stay in use.",
            date=genai_list.BUNDLED_ON,
        )
    return table


def example_rate() -> ExchangeRate:
    """Return the rate by which the price list itself converts: an example, not a quotation."""
    facts_on_it = facts()["currency"]
    rate = Decimal(facts_on_it["cny_per_usd"])
    return ExchangeRate(rate, facts_on_it["date"], facts_on_it["source"], messages.EXAMPLE_RATE)


@cache
def facts() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("prices.toml").read_text("utf-8"))


def _table_of(snapshot: DataSnapshot, day: date) -> Table:
    listed = genai_list.listed_models(snapshot, day)
    completed = tuple(_completed(model) for model in [*listed, *_own_models()])
    return Table(completed, day, _unpriced(), partial(genai_list.resolved, snapshot, day))


@cache
def _unpriced() -> tuple[Unpriced, ...]:
    return tuple(
        Unpriced(**{**row, "prefixes": tuple(row["prefixes"])}) for row in facts()["unpriced"]
    )


def _own_models() -> list[Model]:
    found = []
    for section in (facts()["qwen"], facts()["deepseek"]):
        for row in section["model"]:
            # of the shortest requests first, then of longer ones
            sources = (section["source"], *([section["long_source"]] if "long" in row else ()))
            sources = (row["source"],) if "source" in row else sources
            tokenizer = tokenizer_of(row["provider"], row["ref"])
            day = row.get("date", section["date"])
            found.append(_own_model(row, OWN[row["provider"]], tokenizer, sources, day))
    return found


def _completed(model: Model) -> Model:
    weekends = facts()["weekends"]
    if model.id in weekends["models"]:
        model = replace(model, weekends_off_peak_from=weekends["off_peak_from"])
    for promotion in facts()["promotions"]:
        if fits(model.id, promotion["models"]):
            model = replace(model, valid_until=promotion["until"])
    least = (row for row in facts()["least_cached"] if fits(model.id, row["models"]))
    if row := next(least, None):
        source = (row["source"], row["date"]) if "source" in row else None
        model = replace(model, least_cached=row["tokens"], least_source=source)
    model = replace(model, prices=_published(model))
    for remark in facts()["remarks"]["model"]:
        if remark["provider"] == model.provider and fits(model.ref, remark["models"]):
            model = _remarked(model, remark)
    families = (family for family in _unpriced() if family.lack == "prices in yuan")
    if any(fits(model.id, family.in_dollars) for family in families):
        note = Sentence.of(messages.YUAN_UNKNOWN, vendor=model.vendor)
        model = replace(model, notes=(*model.notes, note))
    rows = (row for row in facts()["limits"]["model"] if row["id"] == model.id)
    if (limits := next(rows, None)) is None:
        return model
    url = facts()["limits"]["source"].format(commit=limits["commit"], file=limits["file"])
    return replace(
        model,
        context_window=limits["context_window"],  # that of the source that is linked beside it
        max_input=limits.get("max_input"),
        max_output=limits.get("max_output"),
        open_weights=limits.get("open_weights", model.open_weights),
        limits_source=(url, limits["date"]),
    )


def _remarked(model: Model, remark: dict[str, Any]) -> Model:
    """Return the model with a remark applied, if its comment still has the words quoted."""
    if not any(remark["quote"] in comment for comment in model.comments):
        return model
    if "read" in remark:
        return replace(model, price_date=remark["read"], dated="price")
    if remark.get("inferred"):
        return replace(model, notes=(*model.notes, Sentence(messages.INFERRED)))
    return replace(model, prices=replace(model.prices, **_steps(remark)))


def _steps(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return up to where the lowest step of a price holds, where only that is known."""
    if "steps" not in row:
        return {}
    return {"unknown_above": row["steps"][0], "unknown_output": row.get("output_step")}


def _own_model(
    row: Mapping[str, Any],
    listing: Listing,
    tokenizer: ModelTokenizer,
    sources: tuple[str, ...],
    day: date,
) -> Model:
    currency = row.get("currency", "USD")
    notes: tuple[Sentence, ...] = ()
    if listing.region == messages.MAINLAND and currency == "USD":
        notes = (Sentence(messages.SAME_AS_INTERNATIONAL),)
    return Model(
        id=f"{listing.provider}/{row['ref']}", ref=row["ref"], name=row["name"],
        vendor=listing.vendor, provider=listing.provider, country=listing.country,
        region=listing.region,
        prices=Prices(
            _own_rules(row), currency=currency, published_in=currency, **_steps(row)
        ),
        tokenizer=tokenizer.tokenizer, certainty=tokenizer.certainty,
        reason=messages.OWN_LIST if "tokenizer" in row else REASONS[tokenizer.reason],
        stand_in=tokenizer.stand_in, calibration=tokenizer.calibration,
        price_date=day, sources=sources, dated="price" if "date" in row else "list",
        open_weights=row.get("open_weights"),
        context_window=row.get("context_window"), max_output=row.get("max_output"),
        limits_source=(sources[0], day) if "context_window" in row else None, notes=notes,
    )  # fmt: skip


def _own_rules(row: Mapping[str, Any]) -> tuple[Rule, ...]:
    peak = [
        replace(_own_rule(row["peak"]), daily=(begin, end))
        for begin, end in row.get("peak_hours_utc", ())
    ]
    return (_own_rule(row), *peak)


def _own_rule(row: Mapping[str, Any]) -> Rule:
    rates = {
        part: Rate(
            Decimal(row[part]),
            tuple((step["above"], Decimal(step[part])) for step in row.get("long", ())),
        )
        for part in ("input", "cached_input", "output", "thinking_output")
        if part in row
    }
    return Rule(rates, starts=row.get("starts"))


def _published(model: Model) -> Prices:
    """Return the prices of a model in the currency in which they are published.

    They replace the list's dollars as long as they give these when converted as the list does it.
    """
    section = facts()["published"]
    rules = tuple(_own_rule(row) for row in section["model"] if row["id"] == model.id)
    listed = [_in_list_dollars(rule, Decimal(1)) for rule in model.prices.standard]
    ours = [_in_list_dollars(rule, Decimal(section["cny_per_usd"])) for rule in rules]
    if not rules or ours != listed or model.prices.tiers:
        return model.prices
    return replace(
        model.prices, standard=rules, currency=section["currency"], published_in=section["currency"]
    )


def _in_list_dollars(rule: Rule, divisor: Decimal) -> Rule:
    """Return a rule with its prices divided and rounded to three decimals, as genai-prices does."""
    return rule.converted(lambda price: round(price / divisor, 3))


# A file of one's own.

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
            model = _model_of_ones_own(row, path.name)
            if model.id in own:
                raise BPEError("It is in the file twice.")
        except BPEError as error:
            where = row.get("id", number)
            raise BPEError(
                "“{name}”, model {model}: {reason}", name=path.name, model=where, reason=error
            ) from error
        own[model.id] = model
    listed = table()
    others = (model for model in listed.all_models if model.id not in own)
    return replace(listed, all_models=(*own.values(), *others))


def _model_of_ones_own(row: Mapping[str, Any], file: str) -> Model:
    if unknown := row.keys() - set(_KEYS):
        raise BPEError(
            "There is no key “{key}”. The keys are {keys}.", key=min(unknown), keys=", ".join(_KEYS)
        )
    name, window = row.get("id"), row.get("context_window", 1)
    if not isinstance(name, str) or not re.fullmatch(r"[^/\s]+/\S+", name):
        raise BPEError("A model needs an id such as acme/large.")
    if type(row.get("date")) is not date:
        raise BPEError("A price needs its day, such as date = 2026-11-01.")
    if row.get("currency", "USD") not in get_args(Currency):
        raise BPEError("The currency is one of {names}.", names=", ".join(get_args(Currency)))
    if type(window) is not int or window < 1:
        raise BPEError("Write the context_window as a number of tokens: context_window = 128000.")
    if not all(isinstance(row.get(key, ""), str) for key in ("source", "tokenizer")):
        raise BPEError("The source and the tokenizer are texts in quotes.")
    for price in (row[key] for key in _MONEY if key in row):
        if as_decimal(price) < 0:
            raise BPEError("“{value}” is not a price.", value=price)
    if "input" not in row:
        raise BPEError("A model needs the price of its input: input = 1.5.")
    tokenizer = published(catalog.encoding(row["tokenizer"]).name) if "tokenizer" in row else None
    if (tokenizer := tokenizer or known_tokenizer(name)) is None:
        raise BPEError('No tokenizer is known for it. Name one: tokenizer = "o200k_base".')
    provider, _, ref = name.partition("/")
    row = {**row, "ref": ref.lower(), "name": ref}
    listing = Listing(provider.lower(), provider, "", region="")
    return _own_model(row, listing, tokenizer, (row.get("source", file),), row["date"])

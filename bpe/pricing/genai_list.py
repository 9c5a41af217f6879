"""The price list of genai-prices: which of its rows are shown, and these as our values.

Of its thousands of rows these are the text models that a vendor sells itself, and a few hosts for
open models that their makers do not host. Nothing else knows the package, and it is imported when
first needed, as that takes a quarter of a second.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bpe.encoders.models import REASONS, known_tokenizer, tokenizer_of
from bpe.errors import from_extra
from bpe.pricing import messages
from bpe.pricing.model_table import Model
from bpe.pricing.prices import Prices, Rate, Rates, Rule

if TYPE_CHECKING:
    from genai_prices import types
    from genai_prices.data_snapshot import DataSnapshot

BUNDLED_ON = date(2026, 11, 9)
"""genai-prices names no date for its data; this is the last price change that its imports record
in version 0.2.3 (a later start of a price in it is one announced in advance)."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A row of ``listings.toml``: one provider of the price list, as shown here."""

    provider: str
    vendor: str
    country: str
    region: str = messages.GLOBAL
    open_weights: bool | None = None
    shown: str = "*"
    hidden: str = ""
    withdrawn: str = ""
    stale: str = ""
    flagship: str = ""
    small: str = ""

    def shows(self, ref: str) -> bool:
        """Return whether a model of this provider belongs in the table."""
        return fits(ref, self.shown) and not fits(ref, self.hidden)


_FILE = files(__package__).joinpath("listings.toml").read_text("utf-8")
LISTINGS = tuple(Listing(**row) for row in tomllib.loads(_FILE)["listings"])


def bundled() -> DataSnapshot:
    with from_extra("prices"):
        from genai_prices.data import providers
        from genai_prices.data_snapshot import DataSnapshot

    return DataSnapshot(providers=providers, from_auto_update=False)


@cache
def units() -> Mapping[str, Mapping[str, Any]]:
    """Return what is billed: the ``price_key`` of each unit, its ``dimensions``, and ``per`` what.

    A unit is part of another one whose dimensions are among its own.
    """
    with from_extra("prices"):
        from genai_prices.data_units import unit_data

    return unit_data


def fetch() -> DataSnapshot | None:
    """Return the list as it is on the network now; errors of the network are passed on."""
    from genai_prices import UpdatePrices

    return UpdatePrices().fetch()


_DISTILLED = re.compile(r"distill|-r1-.*-qwen")
"""Small models that are called after the great one that they learned from."""


def listed_models(snapshot: DataSnapshot, day: date) -> list[Model]:
    """Return the models of a price list that are shown here, priced as on ``day``."""
    providers = {provider.id: provider for provider in snapshot.providers}
    return [
        _model(info, provider, listing, day)
        for listing in LISTINGS
        if (provider := providers.get(listing.provider)) is not None
        for info in provider.models
        if listing.shows(info.id) and _has_text_prices(info)
    ]


def resolved(snapshot: DataSnapshot, day: date, name: str) -> Model | None:
    """Return the model that the clauses of a list mean by a name, whether it is shown or not.

    A name with its host in front is a model of that host.
    """
    for provider, info in _meant(snapshot, name.lower()):
        of = (each for each in snapshot.providers if any(info is one for one in each.models))
        provider = next(of, provider)
        listings = (listing for listing in LISTINGS if listing.provider == provider.id)
        if _has_text_prices(info):
            return _model(
                info, provider, next(listings, Listing(provider.id, provider.name, "")), day
            )
    return None


def _meant(snapshot: DataSnapshot, name: str) -> Iterator[tuple[types.Provider, types.ModelInfo]]:
    host, _, rest = name.partition("/")
    for provider in snapshot.providers:
        if provider.id == host:
            yield from ((provider, info) for info in provider.models if info.id.lower() == rest)
    owner, _, ref = name.rpartition("/")
    at_bedrock = ("aws", ref) if re.match(r"(\w+\.)?[a-z0-9]+\.[a-z]", ref) else (None, ref)
    for provider_id, wanted in (
        (host, rest), (None, name), (owner.rpartition("/")[2] or None, ref), at_bedrock,
        ("perplexity", name),
    ):  # fmt: skip
        with suppress(LookupError):
            provider, info = snapshot.find_provider_model(wanted, None, provider_id, None)
            if bool(_DISTILLED.search(wanted)) == bool(_DISTILLED.search(info.id)):
                yield provider, info


def _model(info: types.ModelInfo, provider: types.Provider, listing: Listing, day: date) -> Model:
    tokenizer = tokenizer_of(provider.id, info.id)
    if all(listing.provider != provider.id for listing in LISTINGS):
        tokenizer = known_tokenizer(info.id) or tokenizer
    comments = (info.price_comments, provider.price_comments)
    return Model(
        id=f"{provider.id}/{info.id}", ref=info.id, name=_name(info), vendor=listing.vendor,
        provider=provider.id, country=listing.country, region=listing.region,
        prices=Prices(_standard(info), _tiers(info)),
        tokenizer=tokenizer.tokenizer, certainty=tokenizer.certainty,
        reason=REASONS[tokenizer.reason],
        stand_in=tokenizer.stand_in, calibration=tokenizer.calibration,
        price_date=day, sources=tuple(provider.pricing_urls or ()),
        open_weights=info.id.startswith("gemma") if provider.id == "google"
        else listing.open_weights, context_window=info.context_window,
        ended=_ended(info, listing),
        comments=tuple(comment for comment in comments if comment),
    )  # fmt: skip


def _name(info: types.ModelInfo) -> str:
    """Return the name that people say; by the id, where the list has none that says more."""
    if info.name is not None and info.name != info.name.lower() and not re.match(r"o\d", info.id):
        return info.name
    family, _, rest = info.id.partition("-")
    if family == "gpt":
        version, *kinds = rest.split("-")
        return " ".join([f"GPT-{version}", *kinds])
    if family == "kimi":
        return " ".join(word.title() for word in info.id.split("-"))
    return info.id


def _ended(info: types.ModelInfo, listing: Listing) -> str | None:
    """Return why a model is shown only on request, by the list or as far as we know ourselves."""
    if info.deprecated:
        return messages.DEPRECATED
    if _embeds(info):
        return messages.EMBEDDING
    if fits(info.id, listing.stale):
        return messages.STALE_ROW
    return messages.WITHDRAWN if fits(info.id, listing.withdrawn) else None


def _embeds(info: types.ModelInfo) -> bool:
    return "embedding" in info.id


def _has_text_prices(info: types.ModelInfo) -> bool:
    return all(
        "input" in rule.rates and ("output" in rule.rates or _embeds(info))
        for rule in _standard(info)
    )


def _standard(info: types.ModelInfo) -> tuple[Rule, ...]:
    if not isinstance(info.prices, list):
        return (Rule(_rates(info.prices)),)
    return tuple(_rule(entry.prices, entry.constraint) for entry in info.prices)


def _tiers(info: types.ModelInfo) -> tuple[tuple[str, Rule], ...]:
    """Return the rules of batch jobs, service tiers and speeds, each by its name."""
    return tuple(
        (name, _rule(variant.prices, variant.constraint))
        for variant in info.price_variants or ()
        for key, name in variant.when.items()
        if key in ("processing", "service_tier", "speed") and len(variant.when) == 1
    )


def _rule(
    prices: types.ModelPrice,
    constraint: types.StartDateConstraint | types.TimeOfDateConstraint | None,
) -> Rule:
    from genai_prices.types import StartDateConstraint

    if constraint is None:
        return Rule(_rates(prices))
    if isinstance(constraint, StartDateConstraint):
        return Rule(_rates(prices), starts=constraint.start_date)
    return Rule(_rates(prices), daily=(_utc(constraint.start_time), _utc(constraint.end_time)))


_PARTS = {"input_mtok": "input", "cache_read_mtok": "cached_input",
          "cache_write_mtok": "cache_write", "output_mtok": "output"}  # fmt: skip


def _rates(prices: types.ModelPrice) -> Rates:
    parts = {facts["price_key"]: unit for unit, facts in units().items()} | _PARTS
    found = {parts[key]: price for key, price in vars(prices).items() if key in parts}
    return {part: _rate(price) for part, price in found.items() if price is not None}


def _rate(price: Decimal | types.TieredPrices) -> Rate:
    if isinstance(price, Decimal):
        return Rate(price)
    return Rate(price.base, tuple((tier.start, tier.price) for tier in price.tiers))


def _utc(moment: time) -> time:
    if moment.tzinfo is None:
        return moment
    return datetime.combine(date(1970, 1, 1), moment).astimezone(UTC).time()


def fits(ref: str, patterns: str) -> bool:
    """Return whether a model's id fits one of the patterns, which stand apart by spaces."""
    return any(fnmatchcase(ref.lower(), pattern) for pattern in patterns.split())

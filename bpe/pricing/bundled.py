"""The price list of genai-prices, turned into our values. The only file that knows that package.

It is imported when first needed: it takes a quarter of a second.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING

from bpe.pricing import words
from bpe.pricing.listings import LISTINGS, Listing
from bpe.pricing.rates import Prices, Rate, Rates, Rule, Step
from bpe.pricing.records import Model
from bpe.pricing.vocabularies import vocabulary_of

if TYPE_CHECKING:
    from genai_prices import types
    from genai_prices.data_snapshot import DataSnapshot

BUNDLED_ON = date(2026, 11, 9)
"""genai-prices names no date for its data; this is the last price change that its imports record
in version 0.2.3 (a later start of a price in it is one announced in advance)."""


def bundled() -> DataSnapshot:
    """Return the data that came with the package."""
    from genai_prices.data import providers
    from genai_prices.data_snapshot import DataSnapshot

    return DataSnapshot(providers=providers, from_auto_update=False)


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


def _model(info: types.ModelInfo, provider: types.Provider, listing: Listing, day: date) -> Model:
    vocabulary = vocabulary_of(provider.id, info.id)
    comments = (info.price_comments, provider.price_comments)
    return Model(
        id=f"{provider.id}/{info.id}", ref=info.id, name=_name(info), vendor=listing.vendor,
        provider=provider.id, country=listing.country, region=listing.region,
        prices=Prices(_standard(info), _batch(info)),
        tokenizer=vocabulary.tokenizer, exactness=vocabulary.exactness, reason=vocabulary.reason,
        stand_in=vocabulary.stand_in, calibration=vocabulary.calibration,
        price_date=day, sources=tuple(provider.pricing_urls or ()),
        open_weights=_open_weights(info, listing), context_window=info.context_window,
        ended=words.DEPRECATED if info.deprecated else listing.end_of(info.id),
        comments=tuple(comment for comment in comments if comment),
    )  # fmt: skip


def _name(info: types.ModelInfo) -> str:
    """Return a readable name: the id where the list has none or only a spelled-out id."""
    if info.name is None or info.name == info.name.lower() or re.match(r"o\d", info.id):
        return info.id
    return info.name


def _open_weights(info: types.ModelInfo, listing: Listing) -> bool | None:
    if listing.provider == "google":
        return info.id.startswith("gemma")
    return listing.open_weights


def _has_text_prices(info: types.ModelInfo) -> bool:
    return all(
        rule.rates.input is not None and rule.rates.output is not None for rule in _standard(info)
    )


def _standard(info: types.ModelInfo) -> tuple[Rule, ...]:
    if not isinstance(info.prices, list):
        return (Rule(_rates(info.prices)),)
    return tuple(_rule(entry.prices, entry.constraint) for entry in info.prices)


def _batch(info: types.ModelInfo) -> tuple[Rule, ...]:
    return tuple(
        _rule(variant.prices, variant.constraint)
        for variant in info.price_variants or ()
        if variant.when == {"processing": "batch"}
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


def _rates(prices: types.ModelPrice) -> Rates:
    return Rates(
        input=_rate(prices.input_mtok),
        cached_input=_rate(prices.cache_read_mtok),
        cache_write=_rate(prices.cache_write_mtok),
        output=_rate(prices.output_mtok),
    )


def _rate(price: Decimal | types.TieredPrices | None) -> Rate | None:
    if price is None or isinstance(price, Decimal):
        return None if price is None else Rate(price)
    return Rate(price.base, tuple(Step(tier.start, tier.price) for tier in price.tiers))


def _utc(moment: time) -> time:
    if moment.tzinfo is None:
        return moment
    return datetime.combine(date(1970, 1, 1), moment).astimezone(UTC).time()

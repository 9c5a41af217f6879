"""Finding models in the table: by words, vendor, region, weights, window and price."""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from decimal import Decimal

from bpe.pricing.records import Model


def find(
    models: Iterable[Model],
    text: str = "",
    *,
    vendors: Collection[str] = (),
    countries: Collection[str] = (),
    regions: Collection[str] = (),
    open_weights: bool | None = None,
    min_context: int | None = None,
    max_input_price: Decimal | None = None,
    when: datetime | None = None,
) -> list[Model]:
    """Return the models that fit every condition given, in the order given.

    ``text`` is words, all of which must occur in id, name or vendor. An unknown window or unknown
    weights fit no condition on them. ``max_input_price`` is in US dollars per million tokens of
    short, uncached input at that moment (default: now).
    """
    moment = when or datetime.now(UTC)
    wanted = text.lower().split()

    def fits(model: Model) -> bool:
        about = f"{model.id} {model.name} {model.vendor}".lower()
        return (
            all(word in about for word in wanted)
            and (not vendors or model.vendor in vendors)
            and (not countries or model.country in countries)
            and (not regions or model.region in regions)
            and (open_weights is None or model.open_weights is open_weights)
            and (min_context is None or (model.context_window or 0) >= min_context)
            and (max_input_price is None or _input_price(model, moment) <= max_input_price)
        )

    return [model for model in models if fits(model)]


def _input_price(model: Model, when: datetime) -> Decimal:
    rate = model.prices.at(when).input
    return Decimal(0) if rate is None else rate.base

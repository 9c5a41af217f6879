"""``python -m dependencies.prices``: write ``docs/prices.tsv``, what the installed price list says.

A newer ``genai-prices`` changes lines of it, which a person reads before the change is committed:
``make prices``. Prices are those per million tokens in the currency in which they are published, of
input, cached input, written cache and output; a rule follows the other with the day or the hours
(UTC) from which it holds. The day on which a price was read is there unless it is that of the list.
"""

from pathlib import Path

from bpe.encoders.models import REASONS
from bpe.pricing import Model, Rate, Rule, messages, models

PAGE = Path(__file__).parents[1] / "docs" / "prices.tsv"
_HEAD = (
    "model\tin\tread on\tprices\tbatch\twindow\tlongest input\tlongest answer\t"
    "cached from\tcount\tended\n"
)
_KEYS = {sentence: reason for reason, sentence in REASONS.items()}


def _price(rate: Rate | None) -> str:
    if rate is None:
        return "–"
    steps = (f"{price.normalize():f} above {above:,}" for above, price in rate.steps)
    return ", ".join([f"{rate.base.normalize():f}", *steps])


def _rule(rule: Rule) -> str:
    rates = rule.rates
    parts = map(rates.get, ("input", "cached_input", "cache_write", "output"))
    said = " / ".join(map(_price, parts))
    if "thinking_output" in rates:
        said += f" (thinking: {_price(rates['thinking_output'])})"
    if rule.starts:
        said += f" from {rule.starts}"
    return said + (f" {rule.daily[0]:%H:%M}–{rule.daily[1]:%H:%M}" if rule.daily else "")


def _ended(model: Model) -> str:
    if model.ended is None:
        return ""
    return "embedding" if model.ended == messages.EMBEDDING else "ended"


def _count(model: Model) -> str:
    """Which vocabulary counts its tokens and why, or stands in for its own, by which ratios."""
    vocabulary = model.tokenizer or f"≈ {model.stand_in}"
    return f"{vocabulary}, {model.calibration or _KEYS[model.reason]}"


def _cached_from(model: Model) -> str:
    """How many tokens a prefix that is cached has at least."""
    if model.least_cached is None:
        return "–"
    return f"{model.least_cached:,}{'' if model.least_source else ' (assumed)'}"


def _row(model: Model) -> str:
    batch = [rule for tier, rule in model.prices.tiers if tier == "batch"]
    rules = (" | ".join(map(_rule, each)) for each in (model.prices.standard, batch))
    limits = (model.context_window, model.max_input, model.max_output)
    cells = (
        *(model.id, model.prices.published_in),
        *(f"{model.price_date}" if model.dated == "price" else "", *rules),
        *(f"{limit:,}" if limit else "–" for limit in limits),
        *(_cached_from(model), _count(model), _ended(model)),
    )
    return "\t".join(cells) + "\n"


def page() -> str:
    """Return the table, a line for each model."""
    return _HEAD + "".join(map(_row, sorted(models(deprecated=True), key=lambda model: model.id)))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

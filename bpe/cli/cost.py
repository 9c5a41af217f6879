"""``bpe cost``: the price of a text, by :mod:`bpe.pricing`, as pages show it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import click

from bpe import pricing
from bpe.cli.input import Inputs, input_options
from bpe.cli.output import as_json, padded, print_json
from bpe.cli.tokenizers import model_option, prices_option
from bpe.encoders import catalog
from bpe.errors import BPEError
from bpe.pricing import BEIJING, BillPart, ByHand, Cost, Count, Currency, ExchangeRate, Terms, Usage

_DAYS = {"price": "price of", "since": "price since", "list": "price list of"}


@click.command()
@input_options
@model_option("A model of the price list; may be repeated.", "names", multiple=True)
@click.option("--input-tokens", type=int, help="This many input tokens instead of a text.")
@click.option("--output-tokens", default=0, help="How long the answer is.")
@click.option("--reasoning-tokens", default=0, help="What comes before it; billed as output.")
@click.option("--cached", "cached_tokens", default=0, help="Input tokens from the cache.")
@click.option("--written", "cache_write_tokens", default=0, help="Input tokens written to it.")
@click.option("--requests", default=1, help="The price of so many of them.")
@click.option("--batch", is_flag=True, help="Batch prices, where the model has them.")
@click.option("--at", "moment", help="A time such as 2026-11-09T09:00, in Beijing unless it says.")
@click.option("--free-weekends", is_flag=True, help="DeepSeek's weekends are off-peak.")
@click.option(
    "--currency", type=click.Choice(get_args(Currency)), default="USD", help="By default USD."
)
@click.option("--price", "prices", multiple=True, help="Yours in that currency, as input=1.5.")
@prices_option
@click.option("--rate", help="Yuan for a dollar, where prices are converted.")
@as_json
def cost(
    inputs: Inputs,
    names: Sequence[str],
    input_tokens: int | None,
    requests: int,
    batch: bool,
    moment: str | None,
    free_weekends: bool,
    prices: Sequence[str],
    price_list: Path | None,
    currency: Currency,
    rate: str | None,
    as_json: bool,
    **usage: Any,
) -> None:
    """Price a request with these texts and files, or standard input, on each model.

    Prices are those of the price list on its day; each amount comes with what limits it.

    \b
    bpe cost -m gpt-5 -m deepseek-v4-pro prompt.txt --output-tokens 800
    bpe cost -m alibaba-cn/qwen-max --currency CNY "你好"
    """
    if input_tokens is None:
        text = inputs.text()
    elif inputs.groups:
        raise click.UsageError("Give a text or --input-tokens, not both.")
    else:
        text = ""
    if requests < 0:
        raise BPEError("A number of requests cannot be negative: {count}.", count=requests)
    when = _moment(moment)
    today = datetime.now(BEIJING).date()
    exchange = pricing.own_rate(rate, today) if rate else pricing.example_rate()
    table = pricing.table_with(price_list) if price_list else pricing.table()
    chosen = list(map(table.model, names)) if names else pricing.newest(table)
    models = [model.in_currency(currency, exchange) for model in chosen]
    counts = pricing.count_for_all(models, text, catalog.encoding)
    rows = []
    for model in models:
        counted = counts[model.id] if input_tokens is None else None
        bill = pricing.cost(
            model,
            Usage(counted.tokens if counted else input_tokens or 0, **usage),
            terms=Terms(when, _overrides(prices), free_weekends),
            batch=batch,
        )
        rows.append(_row(bill, counted, requests, exchange))
    if as_json:
        read = inputs.facts() if input_tokens is None else None
        print_json({"requests": requests, "models": rows, "read": read})
    else:
        if input_tokens is None:
            inputs.say()
        _print(rows, requests)


def _row(bill: Cost, counted: Count | None, requests: int, rate: ExchangeRate) -> dict[str, Any]:
    """Return everything about one bill; money is text of all its digits, never a float."""
    model = bill.model
    prices = model.prices
    day, day_of = model.price_day(bill.when)

    def amount(money: Decimal) -> str:
        return f"{(money * requests).normalize():f}"

    return {
        "model": model.id,
        "input_tokens": bill.usage.input_tokens,
        "count": model.certainty if counted else "given",
        "low": counted.low if counted else bill.usage.input_tokens,
        "high": counted.high if counted else bill.usage.input_tokens,
        "method": str(counted.method) if counted else None,
        "currency": prices.currency,
        "published_in": prices.published_in,
        "exchange_rate": str(rate.cny_per_usd) if prices.currency != prices.published_in else None,
        "parts": {line.part: amount(line.amount) for line in bill.lines if line.tokens},
        "total": amount(bill.total),
        "long_input_above": bill.tier_above,
        "batch": bill.batch,
        "hours": bill.band,
        "overridden": bill.overridden,
        "context_window": model.context_window,
        "fits": bill.fits,
        "at_least": bill.at_least,
        "price_date": day.isoformat(),
        "valid_until": model.valid_until and model.valid_until.isoformat(),
        "price_date_of": day_of,
        "source": model.sources[0] if model.sources else None,
        "notes": [str(note) for note in bill.notes + model.notes + prices.conversion_note(rate)],
    }


def _print(rows: Sequence[dict[str, Any]], requests: int) -> None:
    indent, *names = padded(["", *(row["model"] for row in rows)])
    counts = padded(list(map(_counted, rows)))
    for row, name, count in zip(rows, names, counts, strict=True):
        money = pricing.money_text(Decimal(row["total"]), row["currency"])
        click.echo(f"{name}  {count}  {money}  {_DAYS[row['price_date_of']]} {row['price_date']}")
        for note in row["notes"]:
            click.echo(f"{indent}  {note}")
    if requests != 1:
        click.echo(f"for {requests:,} requests")


def _counted(row: dict[str, Any]) -> str:
    tokens = "token" if row["input_tokens"] == 1 else "tokens"
    sure = "" if row["count"] in ("exact", "given") else f" ({row['low']:,}–{row['high']:,})"
    return f"{row['input_tokens']:>10,} {tokens}, {row['count']}{sure}"


def _moment(text: str | None) -> datetime:
    if text is None:
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BPEError(
            "“{text}” is not a time. Write it like 2026-11-09T09:00.", text=text
        ) from None
    return moment.replace(tzinfo=BEIJING) if moment.tzinfo is None else moment


def _overrides(prices: Sequence[str]) -> ByHand:
    amounts: dict[BillPart, Decimal] = {}
    for price in prices:
        name, sign, number = price.partition("=")
        part = next((part for part in pricing.PARTS if part == name), None)
        if part is None or not sign:
            raise BPEError(
                "“{price}” is not a price. Write it like input=1.5; the parts are {parts}.",
                price=price,
                parts=", ".join(pricing.PARTS),
            )
        amounts[part] = pricing.as_decimal(number)
    return amounts

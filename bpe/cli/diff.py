"""``bpe diff``: what another tokenizer would change on texts of one's own."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from bpe import pricing
from bpe.analysis.switching import Switch
from bpe.cli.input import Inputs, corpus_options
from bpe.cli.output import as_json, print_json
from bpe.cli.tokenizers import complete, encoder_of, model_option, prices_option


class _Percent(click.ParamType[float]):
    name = "percent"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        try:
            return float(str(value).removesuffix("%"))
        except ValueError:
            self.fail(f"“{value}” is no percentage, such as 2%.", param, ctx)


@click.command()
@click.argument("old", shell_complete=complete)
@click.argument("new", shell_complete=complete)
@corpus_options
@click.option(
    "--fail-above", type=_Percent(), metavar="PERCENT", help="End with 1 if NEW has so much more."
)
@model_option(
    "Price the documents as its input; given twice, OLD by the first and NEW by the second.",
    "names",
    multiple=True,
)
@prices_option
@as_json
def diff(
    inputs: Inputs,
    old: str,
    new: str,
    fail_above: float | None,
    names: Sequence[str],
    price_list: Path | None,
    as_json: bool,
) -> None:
    """Compare the tokens of documents under two tokenizers: OLD and NEW.

    In all, for the document in the middle and for nine of ten, and the documents that change most.

    \b
    bpe diff cl100k_base o200k_base docs/
    bpe diff old.json new.json tickets.jsonl --column body --fail-above 2%
    bpe diff cl100k_base o200k_base -m gpt-4-turbo -m gpt-4o docs/
    """
    if len(names) > 2:
        raise click.UsageError("Name one --model for both, or one for OLD and one for NEW.")
    find = pricing.table_with(price_list).model if price_list else pricing.model
    models = [find(name) for name in names]
    encoders = [encoder_of(name) for name in (old, new)]
    rows: list[tuple[Any, ...]] = [
        (name, number, counts)
        for name, number, text in inputs.texts()
        if all(counts := [encoder.count(text) for encoder in encoders])
    ]
    switch = Switch([counts[0] for _, _, counts in rows], [counts[1] for _, _, counts in rows])
    total = switch.percent
    worst = [(switch.percents[place], *rows[place]) for place in switch.growing_most()]
    values: dict[str, Any] = {
        "documents": len(rows),
        "old": {"tokenizer": encoders[0].name, "tokens": sum(switch.before)},
        "new": {"tokenizer": encoders[1].name, "tokens": sum(switch.after)},
        "change_percent": total,
        "median_percent": switch.at(0.5),
        "ninth_tenth_percent": switch.at(0.9),
    }
    if models:
        money = zip((models[0], models[-1]), (switch.before, switch.after), strict=True)
        values["money"] = [_money(model, counts) for model, counts in money]
    columns = ("change_percent", "name", "document", "old", "new")
    if as_json:
        values["worst"] = [
            dict(zip(columns, (*row, *counts), strict=True)) for *row, counts in worst
        ]
        print_json({**values, "read": inputs.facts()})
    else:
        inputs.say()
        click.echo(
            f"{encoders[0].name} {sum(switch.before):,} → {encoders[1].name} "
            f"{sum(switch.after):,}: {total:+.2f} %"
        )
        for money in values.get("money", ()):
            amount = pricing.money_text(Decimal(money["total"]), money["currency"])
            click.echo(f"as input of {money['model']}: {amount}, price of {money['price_date']}")
            if money["ended"]:
                click.echo(money["ended"])
        if len(rows) > 1:
            click.echo(
                f"of {len(rows):,} documents: median {values['median_percent']:+.2f} %, "
                f"nine of ten up to {values['ninth_tenth_percent']:+.2f} %"
            )
        for change, name, number, counts in worst if len(rows) > 1 else ():
            click.echo(f"{change:+8.2f} %  {counts[0]:>10,} → {counts[1]:>10,}  {name}:{number}")
    if fail_above is not None and total > fail_above:
        click.echo(f"{total:+.2f} % is more than {fail_above:g} %.", err=True)
        raise click.exceptions.Exit(1)


def _money(model: pricing.Model, counts: Sequence[int]) -> dict[str, Any]:
    """Return what documents of so many tokens cost as the input of a request each."""
    moment = datetime.now(UTC)
    terms = pricing.Terms(moment)
    total = sum(
        (
            pricing.cost(model, pricing.Usage(tokens), terms).total * documents
            for tokens, documents in Counter(counts).items()
        ),
        Decimal(0),
    )
    return {
        "model": model.id,
        "total": f"{total.normalize():f}",
        "currency": model.prices.currency,
        "price_date": model.price_day(moment)[0].isoformat(),
        "ended": model.ended,
    }

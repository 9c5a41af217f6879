"""``bpe encodings`` and ``bpe models``: what there is to choose from."""

from pathlib import Path
from typing import Any

import click

from bpe.cli.input import Refused
from bpe.cli.output import as_json, print_columns, print_json
from bpe.cli.tokenizers import prices_option
from bpe.encoders import catalog

_LISTED = (
    *("name", "vendor", "models", "vocabulary_size", "exactness", "reference", "kind"),
    *("normalises", "pattern", "source", "proof", "date", "licence"),
)


@click.command()
@as_json
def encodings(as_json: bool) -> None:
    """List the tokenizers that come with this package, and whose they are.

    "exact" is identical, id for id, to the vendor's own engine; "round trip" means that decoding
    gives the text back.

    \b
    bpe encodings
    bpe encodings --json
    """
    entries = catalog.encodings()
    if as_json:
        listed = [{name: getattr(entry, name) for name in _LISTED} for entry in entries]
        print_json({"encodings": listed})
        return
    print_columns(
        [
            (
                entry.name,
                f"{entry.vocabulary_size:,}",
                entry.exactness,
                entry.vendor,
                ", ".join(entry.models),
            )
            for entry in entries
        ],
        right=[1],
    )


@click.command()
@click.argument("words", nargs=-1)
@click.option(
    "--all", "deprecated", is_flag=True, help="Also those no longer sold, and embeddings."
)
@prices_option
@as_json
def models(
    words: tuple[str, ...], deprecated: bool, price_list: Path | None, as_json: bool
) -> None:
    """List the models of the price list whose id, name or vendor has all of WORDS.

    Each with its context window and the encoding that its text is counted with, "≈" where that is
    assumed or an estimate.

    \b
    bpe models
    bpe models deepseek
    bpe models openai mini --json
    """
    from bpe import pricing  # only here: it takes the price list along

    table = pricing.table_with(price_list) if price_list else pricing.table()
    listed = table.models(deprecated=deprecated)
    fitting = pricing.find(listed, " ".join(words))
    if not fitting:
        if family := pricing.family_of(" ".join(words), table.unpriced):
            raise family.error(" ".join(words))
        raise Refused(f"No model fits “{' '.join(words)}”. `bpe models` lists them all.")
    if as_json:
        print_json({"models": list(map(_facts, fitting))})
        return
    rows = []
    for model in fitting:
        window = f"{model.context_window:,}" if model.context_window else "–"
        sign = "" if model.certainty == "exact" else "≈ "
        counted = f"{sign}{model.tokenizer or model.stand_in}"
        ended = f"{model.vendor} ({model.ended})" if model.ended else model.vendor
        rows.append((model.id, window, counted, ended))
    print_columns(rows, right=[1])


def _facts(model: Any) -> dict[str, Any]:
    return {
        "id": model.id,
        "name": model.name,
        "vendor": model.vendor,
        "encoding": model.tokenizer,
        "count": model.certainty,
        "context_window": model.context_window,
        "max_input": model.max_input,
        "ended": model.ended,
    }

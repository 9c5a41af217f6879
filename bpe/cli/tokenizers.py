"""Choosing a tokenizer by ``--tokenizer``, and what there is: ``bpe encodings`` and ``models``."""

from pathlib import Path
from typing import Any

import click

import bpe
from bpe.cli.input import FILE, Option, Refused
from bpe.cli.output import as_json, print_columns, print_json
from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.encoders.models import REASONS, known_tokenizer, nearest
from bpe.errors import BPEError


def names() -> list[str]:
    return [entry.name for entry in catalog.encodings()]


def tokenizer_option(
    help: str = "A tokenizer file, or the name of an encoding or a model.", **how: Any
) -> Option:
    """Give a command ``chosen``; unless ``how`` says otherwise, o200k_base by default."""
    return click.option(
        "--tokenizer",
        "-t",
        "chosen",
        help=help,
        **(how or {"default": "o200k_base", "show_default": True}),
    )


def model_option(help: str, name: str = "model", **how: Any) -> Option:
    return click.option("--model", "-m", name, help=help, **how)


prices_option = click.option(
    "--prices",
    "price_list",
    type=FILE,
    metavar="FILE",
    help="Models and prices of your own, in TOML; docs/models.md says how.",
)
pattern_option = click.option(
    "--pattern",
    metavar="NAME",
    help="The split pattern of a rank file (.tiktoken) that does not say its own.",
)


def certainty_of(chosen: str) -> str:
    """Return how sure it is that what :func:`encoder_of` returns is the tokenizer of a name."""
    tokenizer = None if Path(chosen).exists() else known_tokenizer(chosen)
    return "exact" if tokenizer is None else tokenizer.certainty


def encoder_of(chosen: str, pattern: str | None = None) -> Encoder:
    """Return the encoder of a name or a file; a name wins over a file so called."""
    if chosen in names():
        return catalog.encoding(chosen)
    if Path(chosen).exists():
        return bpe.load(chosen, pattern=pattern)
    try:
        return catalog.encoding(chosen)  # an older one of OpenAI
    except BPEError:
        pass
    if (tokenizer := known_tokenizer(chosen)) is not None:
        if tokenizer.tokenizer is None:
            raise Refused(
                f"No tokenizer of “{chosen}” is at hand: `bpe cost -m {chosen}` estimates its "
                f"tokens. {REASONS[tokenizer.reason]}"
            )
        if tokenizer.certainty != "exact":
            click.echo(f"{chosen} ≈ {tokenizer.tokenizer}: {REASONS[tokenizer.reason]}", err=True)
        return catalog.encoding(tokenizer.tokenizer)
    near = nearest(chosen)
    meant = f" Did you mean {', '.join(near)}?" if near else ""
    raise Refused(
        f"“{chosen}” is neither a file nor an encoding nor a model with a known tokenizer.{meant} "
        "`bpe encodings` lists the encodings."
    )


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
    rows = [
        (
            each.name,
            f"{each.vocabulary_size:,}",
            each.exactness,
            each.vendor,
            ", ".join(each.models),
        )
        for each in entries
    ]
    print_columns(rows, right=[1])


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
    fitting = table.models(" ".join(words), deprecated=deprecated)
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
    names = ("context_window", "max_input", "ended")
    return {
        **{name: getattr(model, name) for name in ("id", "name", "vendor")},
        "encoding": model.tokenizer,
        "count": model.certainty,
        **{name: getattr(model, name) for name in names},
    }

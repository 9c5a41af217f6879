"""The command line, ``python -m bpe train|encode|decode|count|inspect|cost``: the library, thinly.

With ``--json`` each command prints one JSON object for other programs. Bad input ends with exit
code 2 and one sentence on standard error.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

import bpe
from bpe.cli.cost import cost
from bpe.cli.input import as_json, encoder_of, text_of, tokenizer_option
from bpe.cli.inspect import inspect
from bpe.errors import BPEError
from bpe.text import corpus
from bpe.training.pretokenize import PATTERNS
from bpe.training.recipe import ALGORITHMS, TIE_BREAKS, Recipe

text_argument = click.argument("text", required=False)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """Train BPE tokenizers and count tokens."""


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--vocab-size", type=int, default=4000, show_default=True)
@click.option("--output", "-o", type=click.Path(path_type=Path), required=True)
@click.option("--algorithm", type=click.Choice(ALGORITHMS), default="byte-bpe", show_default=True)
@click.option("--pattern", type=click.Choice(list(PATTERNS)), default="gpt2", show_default=True)
@click.option("--special", "specials", multiple=True, help="A special token; may be repeated.")
@click.option(
    "--tie-break", type=click.Choice(TIE_BREAKS), default="lexicographic", show_default=True
)
@click.option("--min-frequency", type=int, default=1, show_default=True)
@click.option("--normalisation", default="none", show_default=True)
@click.option("--unknown", help="For characters: the token of unseen ones, such as <unk>.")
@click.option("--column", help="The column or field of csv, tsv and jsonl files.")
@click.option("--encoding", help="The character encoding of the files, if the guess is wrong.")
@click.option(
    "--format",
    "file_format",
    type=click.Choice(["bpe", "huggingface", "gpt2", "tiktoken"]),
    default="bpe",
    show_default=True,
)
@as_json
def train(
    files: Sequence[Path],
    vocab_size: int,
    output: Path,
    algorithm: Any,
    pattern: str,
    specials: Sequence[str],
    tie_break: Any,
    min_frequency: int,
    normalisation: str,
    unknown: str | None,
    column: str | None,
    encoding: str | None,
    file_format: Any,
    as_json: bool,
) -> None:
    """Train a tokenizer on FILES and save it."""
    recipe = Recipe(
        algorithm=algorithm,
        vocabulary_size=vocab_size,
        pattern=pattern,
        special_tokens=tuple(specials),
        tie_break=tie_break,
        min_frequency=min_frequency,
        normalisation=normalisation,
        unknown=unknown,
    )
    texts = [
        text
        for file in files
        for text in corpus.read(
            file.read_bytes(), file.name, encoding=encoding, column=column, max_bytes=sys.maxsize
        ).texts
    ]
    tokenizer = bpe.train(texts, recipe, name=output.stem)
    bpe.save(tokenizer, output, format=file_format)
    _print(
        {
            "output": str(output),
            "vocabulary_size": tokenizer.vocabulary_size,
            "merges": len(tokenizer.merges),
            "stop_reason": tokenizer.stop_reason,
            "recipe_digest": recipe.digest,
            "corpus_digest": tokenizer.corpus_digest,
        },
        as_json,
    )


@cli.command()
@text_argument
@tokenizer_option
@as_json
def encode(text: str | None, chosen: str, as_json: bool) -> None:
    """Print the token ids of TEXT, or of standard input."""
    encoder = encoder_of(chosen)
    ids = encoder.encode(text_of(text), disallowed_special=())
    if as_json:
        _print({"tokenizer": encoder.name, "ids": ids}, as_json)
    else:
        click.echo(" ".join(map(str, ids)))


@cli.command()
@click.argument("ids", nargs=-1, type=int)
@tokenizer_option
@as_json
def decode(ids: Sequence[int], chosen: str, as_json: bool) -> None:
    """Print the text of IDS, or of the ids on standard input."""
    encoder = encoder_of(chosen)
    if not ids:
        try:
            ids = [int(word) for word in text_of(None).replace(",", " ").split()]
        except ValueError:
            raise BPEError(
                "Token ids are whole numbers with spaces between them. Found something else on "
                "standard input."
            ) from None
    text = encoder.decode(ids)
    if as_json:
        _print({"tokenizer": encoder.name, "text": text}, as_json)
    else:
        click.echo(text)


@cli.command()
@text_argument
@click.option(
    "--tokenizer",
    "-t",
    "chosen",
    multiple=True,
    help="A tokenizer file or the name of an encoding; may be repeated. Default: all encodings.",
)
@as_json
def count(text: str | None, chosen: Sequence[str], as_json: bool) -> None:
    """Count the tokens of TEXT, or of standard input."""
    content = text_of(text)
    names = chosen or [entry.name for entry in bpe.encodings()]
    counts = {}
    for name in names:
        encoder = encoder_of(name)
        counts[encoder.name] = len(encoder.encode(content, disallowed_special=()))
    if as_json:
        size = len(content.encode("utf-8", "replace"))
        _print({"characters": len(content), "bytes": size, "tokens": counts}, as_json)
    else:
        width = max(map(len, counts))
        for name, tokens in counts.items():
            click.echo(f"{name:<{width}}  {tokens:>10,}")


cli.add_command(cost)
cli.add_command(inspect)


def _print(values: dict[str, Any], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(values, ensure_ascii=False))
    else:
        for name, value in values.items():
            click.echo(f"{name.replace('_', ' ')}: {value}")


def main() -> NoReturn:
    """Run the command line."""
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (BPEError, OSError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    sys.exit(0)


if __name__ == "__main__":
    main()

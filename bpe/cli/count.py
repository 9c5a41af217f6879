"""``bpe count``: the tokens of texts and files under one tokenizer or many."""

import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click

from bpe.cli.input import STANDARD_INPUT, Inputs, expect, input_options
from bpe.cli.output import as_json, progress_bar
from bpe.cli.tokenizers import complete, encoder_of, names, pattern_option, template_option
from bpe.documents.stream import File, OnRead
from bpe.encoders.base import Encoder


@click.command()
@input_options
@click.option(
    "--tokenizer",
    "-t",
    "chosen",
    multiple=True,
    shell_complete=complete,
    help="A tokenizer file, or the name of an encoding or a model; may be repeated. Default: all "
    "encodings; of several files, o200k_base.",
)
@pattern_option
@click.option(
    "--max",
    "most",
    type=click.IntRange(min=0),
    metavar="N",
    help="End with 1 if a file has more tokens than that.",
)
@click.option(
    "--messages",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A request in JSON, counted whole: messages, tools and what stands around them.",
)
@click.option("--model", "-m", help="The model that the messages are for.")
@template_option
@as_json
def count(
    inputs: Inputs,
    chosen: Sequence[str],
    pattern: str | None,
    most: int | None,
    messages: Path | None,
    model: str | None,
    template: Path | None,
    as_json: bool,
) -> None:
    """Count the tokens of texts and files, or of standard input.

    Of several files each has a line, and there is a total. Special tokens in a text are counted as
    ordinary text.

    \b
    bpe count "你好，世界"
    bpe count -t cl100k_base -t deepseek_v3 docs/*.md
    git diff | bpe count -t gpt-5
    bpe count -t gpt-5 --max 8000 prompts/*.md
    bpe count --messages chat.json -m qwen3-8b
    """
    if messages is not None:
        if model is None:
            raise click.UsageError("--messages needs a --model.")
        from bpe.cli.request import counted, show

        show(counted(messages, model, template), as_json)
        return
    wanted = chosen or (names() if len(inputs.files) == 1 else ["o200k_base"])
    encoders = _by_name({name: encoder_of(name, pattern) for name in wanted})
    if len(encoders) > 1:
        inputs.files = list(map(_repeatable, inputs.files))
    expect(inputs.files, len(encoders))
    with progress_bar("counting", inputs.files, times=len(encoders)) as on_read:
        rows = [_counted(inputs, file, encoders, on_read) for file in inputs.files]
    _print(rows, inputs, as_json)
    over = [row.name for row in rows if most is not None and max(row.tokens.values()) > most]
    if over:
        click.echo(f"More than {most:,} tokens: {', '.join(over)}", err=True)
        raise click.exceptions.Exit(1)


def _print(rows: Sequence["Row"], inputs: Inputs, as_json: bool) -> None:
    if as_json:
        _print_json(rows, inputs)
        return
    inputs.say()
    if len(rows) == 1:
        width = max(map(len, rows[0].tokens))
        for name, tokens in rows[0].tokens.items():
            click.echo(f"{name:<{width}}  {tokens:>10,}")
    else:
        _print_table(rows)


@dataclass
class Row:
    """What was counted of one source."""

    name: str
    characters: int
    bytes: int
    tokens: dict[str, int]


def _by_name(wanted: Mapping[str, Encoder]) -> dict[str, Encoder]:
    """Return each tokenizer once, by its name; where two share one, by the words that chose it."""
    different: dict[Encoder, str] = {}
    for words, encoder in wanted.items():
        different.setdefault(encoder, words)
    times = Counter(encoder.name for encoder in different)
    return {
        encoder.name if times[encoder.name] == 1 else words: encoder
        for encoder, words in different.items()
    }


def _repeatable(file: File) -> File:
    """Return a file that can be read several times: standard input is read into memory."""
    if file.name != STANDARD_INPUT:
        return file
    with file.open() as opened:
        data = opened.read()
    return replace(file, size=len(data), open=lambda: io.BytesIO(data))


def _counted(inputs: Inputs, file: File, encoders: Mapping[str, Encoder], on_read: OnRead) -> Row:
    row = Row("-" if file.name == STANDARD_INPUT else file.name, 0, 0, {})
    for number, (name, encoder) in enumerate(encoders.items()):
        row.characters = row.bytes = 0
        documents = inputs.documents(file, on_read, again=number > 0)
        row.tokens[name] = sum(
            encoder.count_iterable(_measured(document, row)) for document in documents
        )
    return row


def _measured(blocks: Iterable[str], row: Row) -> Iterator[str]:
    for block in blocks:
        row.characters += len(block)
        row.bytes += len(block) if block.isascii() else len(block.encode("utf-8", "replace"))
        yield block


def _total(rows: Sequence[Row]) -> Row:
    tokens = {name: sum(row.tokens[name] for row in rows) for name in rows[0].tokens}
    characters, size = sum(row.characters for row in rows), sum(row.bytes for row in rows)
    return Row("total", characters, size, tokens)


def _print_json(rows: Sequence[Row], inputs: Inputs) -> None:
    files = [asdict(row) for row in rows]
    total = asdict(_total(rows))
    sums = {key: value for key, value in total.items() if key != "name"}
    values = {**sums, "files": files, "total": total, "read": inputs.facts()}
    click.echo(json.dumps(values, ensure_ascii=False))


def _print_table(rows: Sequence[Row]) -> None:
    total = _total(rows)
    width = max(len(row.name) for row in [*rows, total])
    widths = [max(len(name), len(f"{tokens:,}")) for name, tokens in total.tokens.items()]
    heads = [name.rjust(size) for name, size in zip(total.tokens, widths, strict=True)]
    click.echo("  ".join(["file".ljust(width), *heads]))
    for row in [*rows, total]:
        cells = [
            f"{tokens:>{size},}" for tokens, size in zip(row.tokens.values(), widths, strict=True)
        ]
        click.echo("  ".join([row.name.ljust(width), *cells]))

"""``bpe count``: the tokens of texts and files under one tokenizer or many."""

import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import click

from bpe.cli.input import OnRead, Source, expect, input_options, sources
from bpe.cli.output import as_json, progress_bar
from bpe.cli.tokenizers import complete, encoder_of, names, pattern_option
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
@as_json
def count(
    arguments: Sequence[str],
    files: Sequence[str],
    texts: Sequence[str],
    charset: str,
    chosen: Sequence[str],
    pattern: str | None,
    as_json: bool,
) -> None:
    """Count the tokens of texts and files, or of standard input.

    Of several files each has a line, and there is a total. Special tokens in a text are counted as
    ordinary text.

    \b
    bpe count "你好，世界"
    bpe count -t cl100k_base -t deepseek_v3 docs/*.md
    git diff | bpe count -t gpt-5
    """
    found = sources(arguments, files, texts)
    wanted = chosen or (names() if len(found) == 1 else ["o200k_base"])
    encoders = _by_name({name: encoder_of(name, pattern) for name in wanted})
    if len(encoders) > 1:
        found = [_kept(source) for source in found]
    expect(found, len(encoders))
    with progress_bar("counting", found, times=len(encoders)) as on_read:
        rows = [_counted(source, encoders, charset, on_read) for source in found]
    if as_json:
        _print_json(rows)
    elif len(rows) == 1:
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


def _kept(source: Source) -> Source:
    """Return a source that can be read several times: standard input is kept in memory."""
    if source.name != "-":
        return source
    with source.open() as file:
        data = file.read()
    return replace(source, size=len(data), open=lambda: io.BytesIO(data))


def _counted(source: Source, encoders: Mapping[str, Encoder], charset: str, on_read: OnRead) -> Row:
    row = Row(source.name, 0, 0, {})
    for name, encoder in encoders.items():
        row.characters = row.bytes = 0
        blocks = _measured(source.blocks(charset, on_read), row)
        row.tokens[name] = encoder.count_iterable(blocks)
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


def _print_json(rows: Sequence[Row]) -> None:
    values = [
        {"name": row.name, "characters": row.characters, "bytes": row.bytes, "tokens": row.tokens}
        for row in [*rows, _total(rows)]
    ]
    for value in values if len(rows) == 1 else values[-1:]:
        del value["name"]
    printed = values[0] if len(rows) == 1 else {"files": values[:-1], "total": values[-1]}
    click.echo(json.dumps(printed, ensure_ascii=False))


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

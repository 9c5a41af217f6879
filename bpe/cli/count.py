"""``bpe count``: the tokens of texts and files under one tokenizer or many."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import tee, zip_longest
from pathlib import Path
from typing import Any, TypeAlias

import click

from bpe import compiled
from bpe.cli.input import FILE, STANDARD_INPUT, Inputs, input_options, listed_as
from bpe.cli.output import as_json, as_jsonl, print_columns, print_json, progress_bar
from bpe.cli.tokenizers import (
    certainty_of,
    encoder_of,
    model_option,
    names,
    pattern_option,
    tokenizer_option,
)
from bpe.documents.reader import File
from bpe.encoders.base import Encoder
from bpe.text.cuts import pieces

_AT_ONCE = 1 << 20
"""Characters of a text that several tokenizers count before they read more of it."""

Row: TypeAlias = dict[str, Any]
"""The name of a source, its characters and bytes, and its tokens by the tokenizers."""


@click.command()
@input_options
@tokenizer_option(
    "A tokenizer file, or the name of an encoding or a model; may be repeated. Default: all "
    "encodings; of several files and of --jsonl, o200k_base.",
    multiple=True,
)
@pattern_option
@click.option(
    "--max",
    "most",
    type=click.IntRange(min=0),
    metavar="N",
    help="End with 1 if a file has more tokens than that; with --jsonl, if a document has.",
)
@click.option("--messages", type=FILE, help="A request in JSON, counted whole, tools and frames.")
@click.option(
    "--tools", type=FILE, help="Tools in JSON, of an API or an MCP server, each by itself."
)
@click.option(
    "--after", type=FILE, help="A request before --messages: what a cache hit would save."
)
@model_option("The model that the messages or tools are for.")
@as_json
@as_jsonl
def count(
    inputs: Inputs,
    chosen: Sequence[str],
    pattern: str | None,
    most: int | None,
    messages: Path | None,
    tools: Path | None,
    after: Path | None,
    model: str | None,
    as_json: bool,
    as_jsonl: bool,
) -> None:
    """Count the tokens of texts and files, or of standard input.

    Of several files each has a line, and there is a total. Special tokens in a text are counted as
    ordinary text.

    \b
    bpe count "你好，世界"
    bpe count -t cl100k_base -t deepseek_v3 docs/*.md
    bpe count -t gpt-5 --jsonl --column body rows.csv
    bpe count --messages chat.json -m qwen3-8b
    bpe count --tools mcp.json -m gpt-4o
    """
    if as_jsonl and (as_json or messages is not None):
        raise click.UsageError("--jsonl goes with neither --json nor --messages.")
    if whole := messages or tools:
        option = "--messages" if messages else "--tools"
        if model is None or len(chosen) > 1 or (messages and tools):
            raise click.UsageError(f"{option} needs a --model, and one --tokenizer at the most.")
        if [file.name for file in inputs.files] != [STANDARD_INPUT]:
            raise click.UsageError(f"{option} FILE is counted whole: name no other text.")
        # only here: it takes the price list along
        from bpe.cli.request import counted, show, show_prefix, show_tools

        if after is not None:
            show_prefix(whole, after, model, as_json)
            return
        if tools is not None:
            show_tools(tools, model, as_json, *chosen)
            return

        request = counted(whole, model, *chosen)
        show(request, as_json)
        _end_with([str(whole)] if most is not None and request.total > most else [], most)
        return
    wanted = chosen or (names() if len(inputs.files) == 1 and not as_jsonl else ["o200k_base"])
    opened = {name: encoder_of(name, pattern) for name in wanted}
    encoders = _by_name(opened)
    compiled.ready_for(len(encoders) * sum(file.size or 0 for file in inputs.files))
    rows: list[Row] = []
    over: list[str] = []
    with progress_bar("counting", inputs.files) as on_read:
        for file in inputs.files:
            documents = inputs.documents(file, on_read)
            if not as_jsonl:
                rows.append(_counted(file, documents, encoders))
                continue
            for number, document in enumerate(documents, start=1):
                row = _counted(file, [document], encoders)
                print_json({"name": row["name"], "document": number, **row})
                if _is_over(row, most):
                    over.append(f"{row['name']}:{number}")
    over += [row["name"] for row in rows if _is_over(row, most)]
    if as_json:
        sure = {
            name: certainty_of(next(words for words in opened if opened[words] is encoder))
            for name, encoder in encoders.items()
        }
        total = _total(rows)
        sums = {key: value for key, value in total.items() if key != "name"}
        more = {"count": sure, "files": rows, "total": total, "read": inputs.facts()}
        print_json({**sums, **more})
    else:
        inputs.say()
        if rows:
            _print_table(rows)
    _end_with(over, most)


def _end_with(over: Sequence[str], most: int | None) -> None:
    """Fail where a text has more tokens than ``--max``."""
    if over:
        click.echo(f"More than {most:,} tokens: {', '.join(over)}", err=True)
        raise click.exceptions.Exit(1)


def _is_over(row: Row, most: int | None) -> bool:
    return most is not None and max(row["tokens"].values()) > most


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


def _counted(
    file: File, documents: Iterable[Iterable[str]], encoders: Mapping[str, Encoder]
) -> Row:
    """Return the counts of documents; several tokenizers take their blocks side by side."""
    tokens = dict.fromkeys(encoders, 0)
    row: Row = {"name": listed_as(file), "characters": 0, "bytes": 0, "tokens": tokens}
    for document in documents:
        if len(encoders) == 1:
            for name, encoder in encoders.items():
                tokens[name] += encoder.count_iterable(_measured(document, row))
            continue
        copies = tee(_measured(document, row), len(encoders))
        for counts in zip_longest(*map(_counts, encoders.values(), copies), fillvalue=0):
            for name, count in zip(encoders, counts, strict=True):
                tokens[name] += count
    return row


def _counts(encoder: Encoder, blocks: Iterable[str]) -> Iterator[int]:
    """Yield how many tokens parts of a document have; one is held in memory, not all."""
    for part, extra in pieces(blocks, encoder.next_cut, _AT_ONCE):
        yield encoder.count(part) - extra if part else 0


def _measured(blocks: Iterable[str], row: Row) -> Iterator[str]:
    for block in blocks:
        row["characters"] += len(block)
        row["bytes"] += len(block) if block.isascii() else len(block.encode("utf-8", "replace"))
        yield block


def _total(rows: Sequence[Row]) -> Row:
    tokens = {name: sum(row["tokens"][name] for row in rows) for name in rows[0]["tokens"]}
    sums = {key: sum(row[key] for row in rows) for key in ("characters", "bytes")}
    return {"name": "total", **sums, "tokens": tokens}


def _print_table(rows: Sequence[Row]) -> None:
    if len(rows) == 1:
        print_columns([(name, f"{tokens:>10,}") for name, tokens in rows[0]["tokens"].items()])
        return
    head = ["file", *rows[0]["tokens"]]
    cells = [
        [row["name"], *(f"{tokens:,}" for tokens in row["tokens"].values())]
        for row in [*rows, _total(rows)]
    ]
    print_columns([head, *cells], right=range(1, len(head)))

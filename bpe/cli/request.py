"""``bpe count --messages`` and ``bpe check-usage``: a whole request, and the bill for it."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from bpe import pricing
from bpe.cli.input import FILE, Refused
from bpe.cli.output import as_json, print_columns, print_json
from bpe.cli.tokenizers import encoder_of, model_option
from bpe.encoders import catalog
from bpe.errors import BPEError
from bpe.pricing import RequestCount
from bpe.reading import parse_json


def counted(file: Path, model: str, tokenizer: str | None = None) -> RequestCount:
    request = _json(file)
    messages, tools = pricing.read_request(request)
    return pricing.count_messages(
        messages,
        model=model,
        tools=tools,
        encoder=encoder_of(tokenizer) if tokenizer else None,
        uncounted=pricing.uncounted_in(request),
    )


def show(request: RequestCount, json_wanted: bool) -> None:
    if json_wanted:
        names = (
            *("text", "frame", "tools", "total", "at_least", "left_out", "tools_high"),
            *("text_is", "frame_is", "tools_is", "exactness", "source"),
        )
        parts = {name: getattr(request, name) for name in names}
        messages = [
            {"role": role, "text": text, "frame": frame} for role, text, frame in request.messages
        ]
        print_json({**parts, "messages": messages, "notes": list(map(str, request.notes))})
        return
    for number, (role, text, frame) in enumerate(request.messages, start=1):
        name = f"{number} {role}"
        click.echo(f"{name:<14}  text {text:>9,}  frame {frame:>7,}")
    sure = (request.text_is, request.frame_is, request.tools_is)
    for name, how in zip(("text", "frame", "tools"), sure, strict=True):
        click.echo(f"{name:<14}  {getattr(request, name):>14,}  {how or 'unknown'}")
    if request.at_least:
        click.echo(f"{'total':<14}  at least {request.total:,}")
    else:
        click.echo(f"{'total':<14}  {request.total:>14,}  {request.exactness}")
    for note in request.notes:
        click.echo(note)


def show_prefix(file: Path, before: Path, model: str, json_wanted: bool) -> None:
    """Print where a request parts from one before it, and what a cache hit would save."""
    priced = pricing.model(model)
    shared = pricing.shared_prefix(
        priced, pricing.read_request(_json(before)), pricing.read_request(_json(file))
    )
    if json_wanted:
        note = None if shared.note is None else str(shared.note)
        amount = {"saving": str(shared.saving), "currency": priced.prices.currency}
        print_json({**asdict(shared), **amount, "note": note})
        return
    click.echo(f"{shared.tokens:,} tokens of both requests are the same from the beginning on.")
    if shared.part:
        where = "the tools" if shared.part == "tools" else f"message {shared.part}"
        click.echo(f"They part in {where}:")
        click.echo(f"  before: {shared.before!r}")
        click.echo(f"  now:    {shared.after!r}")
    money = pricing.money_text(shared.saving, priced.prices.currency)
    click.echo(
        f"A cache hit on them saves {money}." if shared.saving else "No cache hit saves here."
    )
    if shared.note:
        click.echo(shared.note)


def show_tools(file: Path, model: str, json_wanted: bool, tokenizer: str | None = None) -> None:
    """Print what each tool adds to every request, the costliest first."""
    tools = pricing.tools_in(_json(file))
    if not tools:
        raise Refused(f"{file} has no tools: neither a list of them nor an object with “tools”.")
    encoder = encoder_of(tokenizer) if tokenizer else None
    rows = pricing.tool_tokens(tools, model=model, encoder=encoder)
    total = sum(tokens for _name, tokens in rows)
    if json_wanted:
        each = [{"name": name, "tokens": tokens} for name, tokens in rows]
        print_json({"model": model, "total": total, "tools": each})
        return
    print_columns([(name, f"{tokens:,}") for name, tokens in [*rows, ("total", total)]], right=[1])


@click.command("check-usage")
@click.argument("request", type=FILE)
@click.argument("usage", type=FILE)
@model_option("A model of the price list.", required=True)
@click.option("--answer", type=FILE, help="The text of the answer.")
@as_json
def check_usage(request: Path, usage: Path, model: str, answer: Path | None, as_json: bool) -> None:
    """Hold the usage object of an answer against our own count of REQUEST and answer.

    REQUEST and USAGE are JSON, as an API takes and sends them: OpenAI's, Anthropic's, Gemini's,
    DeepSeek's, Qwen's or GLM's.

    \b
    bpe check-usage chat.json answer.json -m deepseek-v4-pro --answer answer.txt
    """
    priced = pricing.model(model)
    counted_answer = None
    if answer is not None:
        counted_answer = pricing.count_tokens(priced, answer.read_text("utf-8"), catalog.encoding)
    billed = _json(usage)
    if not isinstance(billed, Mapping):
        raise Refused("The usage must be an object.")
    ours = counted(request, model)
    check = pricing.check_usage(priced, ours, billed, counted_answer)
    notes = list(map(str, ours.notes + check.notes))
    if as_json:
        rows = [
            {**asdict(row), "difference": row.difference, "causes": list(map(str, row.causes))}
            for row in check.rows
        ]
        found = {
            "rows": rows,
            "currency": priced.prices.currency,
            "theirs": str(check.theirs.total),
            "ours": str(check.ours.total),
            "at_least": check.theirs.at_least,
            "not_priced": check.theirs.unpriced,
            "unread": check.reported.unread,
        }
        print_json({**found, "notes": notes})
        return
    lines = [("", "billed", "counted", "difference", "")]
    for row in check.rows:
        sign = {"estimate": "≈ ", "at least": "≥ "}.get(row.sure or "", "")
        count = "–" if row.ours is None else f"{sign}{row.ours:,}"
        off = "–" if row.difference is None else f"{row.difference:+,}"
        why = " ".join(map(str, row.causes))
        lines.append((row.part, f"{row.theirs:,}", count, off, why))
    bills = (
        pricing.money_text(bill.total, priced.prices.currency)
        for bill in (check.theirs, check.ours)
    )
    least = "at least" if check.theirs.at_least else ""
    print_columns([*lines, ("money", *bills, "", least)], right=[1, 2, 3])
    for note in notes:
        click.echo(note)


def _json(file: Path) -> Any:
    try:
        return parse_json(file.read_bytes())
    except BPEError:
        raise
    except (ValueError, RecursionError) as error:
        raise Refused(f"{file} cannot be read as JSON: {error}") from error

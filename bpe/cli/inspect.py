"""``bpe inspect``: tokens taken apart, as in the browser, or the facts of a tokenizer."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import click

from bpe.analysis import merge_tree
from bpe.analysis.merge_tree import Node
from bpe.analysis.segmentation import Part, Segmentation, segment, segment_ids
from bpe.cli.input import Inputs, input_options
from bpe.cli.output import as_json, print_columns, print_json, print_values
from bpe.cli.tokenizers import encoder_of, pattern_option, tokenizer_option
from bpe.encoders.base import Encoder
from bpe.encoders.catalog import facts_of
from bpe.errors import BPEError
from bpe.text.readable import readable

_WIDEST = 32
"""Columns wider than that are not waited for: a token of 128 spaces would push all others away."""


@click.command()
@input_options
@tokenizer_option()
@pattern_option
@click.option("--id", "ids", multiple=True, type=int, help="A token id instead; may be repeated.")
@click.option("--weights", is_flag=True, help="Tokens a character by kind: an estimate.")
@as_json
def inspect(
    inputs: Inputs,
    chosen: str,
    pattern: str | None,
    ids: Sequence[int],
    weights: bool,
    as_json: bool,
) -> None:
    """Take the tokens of a text apart ("-" is standard input), one line for each.

    A line has the id, the bytes, the text with partial characters as ⟨hex⟩, which bytes of which
    characters these are, and the merge that made the token. Without a text and ids, the facts of
    the tokenizer are printed.

    \b
    bpe inspect "龘靐"
    bpe inspect -t tokenizer.json --id 300 --id 301
    bpe inspect -t cl100k_base
    bpe inspect -t cl100k_base --weights
    """
    if inputs.groups and ids:
        raise BPEError("Give a text or token ids, not both.")
    encoder = encoder_of(chosen, pattern)
    if weights:
        from bpe.analysis.weights import weights as fitted  # only here: NumPy starts threads

        print_values({"tokenizer": encoder.name, **asdict(fitted(encoder))}, as_json)
        return
    if not inputs.groups and not ids:
        print_values(tokenizer_facts(encoder), as_json)
        return
    if ids:
        specials = encoder.special_tokens.values()
        cut = segment_ids(ids, encoder.token_bytes, special_ids=specials, name=encoder.name)
    else:
        cut = segment(encoder, inputs.text())
    tokens = token_facts(encoder, cut)
    if as_json:
        values = {"tokenizer": encoder.name, "ids": list(cut.ids), "text": cut.text}
        changed = {"change": cut.change, "normal_form": cut.normal_form}
        read = None if ids else inputs.facts()
        print_json({**values, **changed, "tokens": tokens, "read": read})
        return
    if cut.change:
        why = {
            "normalised": f"it is changed first: {cut.normal_form}",
            "surrogates": "half of a surrogate pair has no bytes",
            "lossy": "some of it is lost",
        }
        said = f"The tokens spell another text than the one given ({why[cut.change]})."
        click.echo(said, err=True)
    if not ids:
        inputs.say()
    _print_tokens(tokens)


def tokenizer_facts(encoder: Encoder) -> dict[str, Any]:
    """Return what is known of a tokenizer as JSON has it; ``None`` is what is not known."""
    entry = facts_of(encoder)
    known = ("vendor", "models", "exactness", "reference")
    return {
        "tokenizer": encoder.name,
        "kind": encoder.kind,
        **{name: getattr(entry, name, None) for name in known},
        **{name: getattr(encoder, name) for name in ("vocabulary_size", "normalises", "lossy")},
        "special_tokens": dict(encoder.special_tokens),
    }


def token_facts(encoder: Encoder, cut: Segmentation) -> list[dict[str, Any]]:
    """Return what is known of each token of a text as JSON has it, bytes in hexadecimal."""
    made: dict[int, dict[str, Any] | None] = {}
    rows = []
    for token in cut.tokens():
        if token.id not in made:
            made[token.id] = _made(merge_tree.made(encoder, token.id))
        rows.append(
            {
                "index": token.index,
                "id": token.id,
                "bytes": token.bytes.hex(),
                "text": readable(token.bytes),
                "kind": token.kind,
                "characters": [_character(part) for part in token.parts],
                "occurrences": cut.counts[token.id],
                "made": made[token.id],
            }
        )
    return rows


def _character(part: Part) -> dict[str, Any]:
    return {
        **{name: getattr(part, name) for name in ("position", "character", "code_point", "size")},
        "first_byte": part.first,
        "last_byte": part.last,
        "tokens": [part.tokens.start, part.tokens.stop],
        "mark": None if part.whole else part.mark,
    }


def _made(made: Node | None) -> dict[str, Any] | None:
    if made is None:
        return None
    return {
        "rank": made.rank,
        "count": made.count,
        "parts": [
            {"id": part.id, "bytes": part.bytes.hex(), "text": readable(part.bytes)}
            for part in made.parts
        ],
    }


def _print_tokens(tokens: Sequence[Mapping[str, Any]]) -> None:
    rows = [
        (
            str(token["id"]),
            bytes.fromhex(token["bytes"]).hex(" ").upper(),
            token["text"],
            ", ".join(part["mark"] for part in token["characters"] if part["mark"]),
            _said("special token" if token["kind"] == "special" else token["made"]),
        )
        for token in tokens
    ]
    print_columns(rows, right=[0], widest=_WIDEST)


def _said(made: Mapping[str, Any] | str | None) -> str:
    if made is None or isinstance(made, str):
        return made or ""
    parts = " + ".join(
        part["text"] if part["id"] is None else f"{part['text']} ({part['id']})"
        for part in made["parts"]
    )
    if not parts:
        return "from the start"
    if made["rank"] is None:
        return f"no merge: {parts}"
    seen = "" if made["count"] is None else f", seen {made['count']:,} times"
    return f"merge {made['rank']:,}: {parts}{seen}"

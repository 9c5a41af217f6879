"""``bpe explain-merges``: where another program's merges part from ours, and why."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from bpe import files as formats
from bpe.algorithm.recipe import Recipe
from bpe.analysis.divergence import Divergence, Pair, Reason, explain
from bpe.cli.input import FILE, Inputs, corpus_options
from bpe.cli.output import as_json, print_values
from bpe.cli.recipes import InputTexts, merge_options
from bpe.text.readable import readable


@click.command()
@corpus_options
@click.option(
    "--theirs",
    required=True,
    type=FILE,
    help="The other program's merges.txt, tokenizer.json or .tiktoken file.",
)
@merge_options
@as_json
def explain_merges(inputs: Inputs, choices: dict[str, Any], theirs: Path, as_json: bool) -> None:
    """Find the first merge at which another program parts from us, and why.

    FILES are the text that it was trained on. What programs do otherwise is tried out: ties,
    patterns, special tokens, normalisation and documents.

    \b
    bpe explain-merges corpus.txt --theirs merges.txt
    bpe explain-merges corpus.txt --theirs tokenizer.json --pattern cl100k --json
    """
    merges = formats.merges_in(theirs.read_bytes(), theirs.name)
    texts, read = tuple(InputTexts(inputs)), inputs.facts()
    inputs.say(always=True)
    divergence = explain(texts, Recipe(merges=len(merges), **choices), merges)
    print_values(
        {**_facts(divergence), "read": read} if as_json else _described(divergence), as_json
    )


def _facts(divergence: Divergence) -> dict[str, Any]:
    return {
        "merges": divergence.merges,
        "same": divergence.place,
        "ours": _spelled(divergence.ours),
        "theirs": _spelled(divergence.theirs),
        "explained": divergence.explained,
        "reasons": list(map(asdict, divergence.reasons)),
        "also": list(map(asdict, divergence.also)),
    }


def _described(divergence: Divergence) -> dict[str, str]:
    rows = {"merges in common": f"{divergence.place:,} of {divergence.merges:,}"}
    for name, pair, count in (
        ("then here", divergence.ours, divergence.our_count),
        ("then there", divergence.theirs, divergence.their_count),
    ):
        if pair is not None and divergence.place < divergence.merges:
            seen = "" if count is None else f" (seen here {count:,} times)"
            rows[name] = f"{_spelled(pair)}{seen}"
    if divergence.place < divergence.merges:
        rows["reason"] = " ".join((_conclusion(divergence), *map(_sentence, divergence.reasons)))
    if divergence.also:
        rows["or"] = " ".join(map(_sentence, divergence.also))
    return rows


def _conclusion(divergence: Divergence) -> str:
    if not divergence.reasons:
        return "None of the usual reasons explains it. Is it the same text?"
    if divergence.explained == divergence.merges:
        return f"With this, all {divergence.merges:,} merges are the same:"
    same = f"{divergence.explained:,} of {divergence.merges:,} merges are the same"
    return f"With this, {same}; the rest stays unexplained:"


def _spelled(pair: Pair | None) -> str | None:
    return None if pair is None else " + ".join(map(readable, pair))


_SENTENCES = {
    ("tie-break", "lexicographic"): "Of equally frequent pairs it takes the greatest in bytes.",
    ("tie-break", "first-seen"): "Of equally frequent pairs it takes the one seen first.",
    ("tie-break", "huggingface"): (
        "Of equally frequent pairs it takes the one of smallest ids, and numbers bytes in "
        "the order of the byte alphabet, as Hugging Face does."
    ),
    ("tie-break", "*"): "Of equally frequent pairs it takes the one of smallest ids.",
    ("pattern", "*"): "It splits text by the pattern “{value}”.",
    ("normalisation", "none"): "It does not normalise the text.",
    ("normalisation", "*"): "It normalises the text first: {value}.",
    ("special-tokens", ""): "It has no special tokens: they are text like any other.",
    ("special-tokens", "*"): "It cuts out these special tokens: {value}",
    ("documents", "lines"): "It takes each line, with its line break, for a document.",
    ("documents", "stripped lines"): "It takes each line, without its line break, for a document.",
    ("documents", "space in front"): "It puts a space in front of each text (add_prefix_space).",
    ("documents", "*"): "It takes each text for one document.",
}
"""The sentence of a reason, by its kind and value; ``"*"`` is any other, which fills a gap."""


def _sentence(reason: Reason) -> str:
    template = _SENTENCES.get((reason.kind, reason.value)) or _SENTENCES[reason.kind, "*"]
    return template.format(value=reason.value)

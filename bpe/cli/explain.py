"""``bpe explain-merges``: where another program's merges part from ours, and why."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from bpe import files as formats
from bpe.algorithm.recipe import Recipe
from bpe.analysis.divergence import Divergence, Pair, explain
from bpe.analysis.reasons import conclusion, sentence
from bpe.cli.corpus import InputTexts, as_counted, words_of
from bpe.cli.input import Inputs, corpus_options
from bpe.cli.output import as_json, print_values
from bpe.cli.recipes import merge_options
from bpe.text.readable import readable


@click.command()
@corpus_options
@click.option(
    "--theirs",
    "--merges",  # as it was called before `train` had an option of that name for a number
    "theirs",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The other program's merges.txt, tokenizer.json or .tiktoken file.",
)
@click.option(
    "--vocab-size", type=int, help="What was asked of it; by default as many merges as it has."
)
@merge_options
@click.option(
    "--counts", metavar="FILE|URL", help="In place of files, the words that it was trained on."
)
@as_json
def explain_merges(
    inputs: Inputs,
    choices: dict[str, Any],
    theirs: Path,
    vocab_size: int | None,
    counts: str | None,
    as_json: bool,
) -> None:
    """Find the first merge at which another program parts from us, and why.

    FILES are the text that it was trained on. What programs do otherwise is tried out: ties,
    patterns, special tokens, normalisation, documents, overlaps such as "aaa", counts that wrap at
    2³¹, and sizes.

    \b
    bpe explain-merges corpus.txt --theirs merges.txt
    bpe explain-merges corpus.txt --theirs tokenizer.json --pattern cl100k --json
    """
    if counts is not None and inputs.groups:
        raise click.UsageError("Explain the merges either of files or of --counts.")
    merges = formats.merges_in(theirs.read_bytes(), theirs.name)
    pruned = None if counts is None else words_of(counts, None, None)
    recipe = Recipe(
        vocabulary_size=vocab_size,
        merges=len(merges) if vocab_size is None else None,
        **as_counted(counts, pruned, choices),
    )
    texts = tuple(InputTexts(inputs)) if pruned is None else pruned.words
    if pruned is None:
        inputs.say(always=True)
    found = explain(texts, recipe, merges)
    read = inputs.facts() if pruned is None else None
    facts = {**_facts(found), "read": read} if as_json else _said(found)
    print_values(facts, as_json)


def _facts(found: Divergence) -> dict[str, Any]:
    return {
        "merges": found.merges,
        "same": found.place,
        "ours": _spelled(found.ours),
        "theirs": _spelled(found.theirs),
        "explained": found.explained,
        "reasons": list(map(asdict, found.reasons)),
        "lengths": list(map(asdict, found.lengths)),
        "also": list(map(asdict, found.also)),
    }


def _said(found: Divergence) -> dict[str, str]:
    said = {"merges in common": f"{found.place:,} of {found.merges:,}"}
    for name, pair, count in (
        ("then here", found.ours, found.our_count),
        ("then there", found.theirs, found.their_count),
    ):
        if pair is not None and found.place < found.merges:
            seen = "" if count is None else f" (seen here {count:,} times)"
            said[name] = f"{_spelled(pair)}{seen}"
    if (concluded := conclusion(found)) is not None:
        reasons = map(sentence, found.reasons)
        said["reason"] = " ".join(map(str, (concluded, *reasons)))
    if found.reasons and found.also:
        said["or"] = " ".join(str(sentence(reason)) for reason in found.also)
    if found.lengths:
        said["length"] = " ".join(str(sentence(reason)) for reason in found.lengths)
    return said


def _spelled(pair: Pair | None) -> str | None:
    return None if pair is None else " + ".join(map(readable, pair))

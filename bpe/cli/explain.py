"""``bpe explain-merges``: where another program's merges part from ours, and why."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from bpe import files as formats
from bpe.algorithm.recipe import Recipe
from bpe.analysis.divergence import Divergence, Pair, explain
from bpe.analysis.reasons import conclusion, sentence
from bpe.cli.input import known_charset
from bpe.cli.output import as_json, print_values
from bpe.cli.recipes import recipe_options
from bpe.cli.streaming import Corpus
from bpe.text.readable import readable


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE|FOLDER|-]...")
@click.option(
    "--merges",
    "theirs",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The other program's merges.txt, tokenizer.json or .tiktoken file.",
)
@click.option(
    "--vocab-size", type=int, help="What was asked of it; by default as many merges as it has."
)
@recipe_options
@click.option("--column", help="The column or field of csv, tsv, jsonl and parquet files.")
@click.option("--charset", callback=known_charset, help="What the files are in, such as gb18030.")
@as_json
def explain_merges(
    files: Sequence[str],
    theirs: Path,
    vocab_size: int | None,
    pattern: str,
    specials: Sequence[str],
    tie_break: Any,
    min_frequency: int,
    normalisation: str,
    column: str | None,
    charset: str | None,
    as_json: bool,
) -> None:
    """Find the first merge at which another program parts from us, and why.

    FILES are the text that it was trained on. What programs do otherwise is tried out: ties,
    patterns, special tokens, normalisation, documents, overlaps such as "aaa", and sizes.

    \b
    bpe explain-merges corpus.txt --merges merges.txt
    bpe explain-merges corpus.txt --merges tokenizer.json --pattern cl100k --json
    """
    merges = formats.merges_in(theirs.read_bytes(), theirs.name)
    recipe = Recipe(
        vocabulary_size=vocab_size,
        merges=len(merges) if vocab_size is None else None,
        tie_break=tie_break,
        min_frequency=min_frequency,
        pattern=pattern,
        special_tokens=tuple(specials),
        normalisation=normalisation,
    )
    texts = tuple(Corpus(files or ["-"], None, (), charset=charset, column=column))
    found = explain(texts, recipe, merges)
    print_values(_facts(found) if as_json else _said(found), as_json)


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

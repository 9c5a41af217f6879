"""``bpe explain-merges``: where another program's merges part from ours, and why."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from bpe import files as formats
from bpe.algorithm.counts import WordCounts
from bpe.algorithm.recipe import Recipe
from bpe.analysis.divergence import Divergence, Pair, Reason, explain
from bpe.cli.input import FILE, Inputs, corpus_options
from bpe.cli.output import as_json, print_values
from bpe.cli.recipes import InputTexts, as_counted, merge_options, words_of
from bpe.text.readable import readable


@click.command()
@corpus_options
@click.option(
    "--theirs",
    "--merges",  # as it was called before `train` had an option of that name for a number
    "theirs",
    required=True,
    type=FILE,
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
    texts: tuple[str, ...] | WordCounts
    if counts is None:
        texts, read = tuple(InputTexts(inputs)), inputs.facts()
        inputs.say(always=True)
    else:
        (texts, _left_out), read = words_of(counts), None
        choices = as_counted(counts, texts, choices)
    limit = len(merges) if vocab_size is None else None
    recipe = Recipe(vocabulary_size=vocab_size, merges=limit, **choices)
    divergence = explain(texts, recipe, merges)
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
        "lengths": list(map(asdict, divergence.lengths)),
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
    if conclusion := _conclusion(divergence):
        rows["reason"] = " ".join((conclusion, *map(_sentence, divergence.reasons)))
    if divergence.reasons and divergence.also:
        rows["or"] = " ".join(map(_sentence, divergence.also))
    if divergence.lengths:
        rows["length"] = " ".join(map(_sentence, divergence.lengths))
    return rows


def _conclusion(divergence: Divergence) -> str:
    """Return what introduces the reasons; nothing where the lists are the same without any."""
    if all(reason.kind == "absent" for reason in divergence.reasons):
        none = "None of the usual reasons explains it. Is it the same text?"
        return "" if divergence.is_explained else none
    if divergence.is_explained:
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
    ("documents", "*"): "It takes each line, without its line break, for a document.",
    ("prefix-space", "*"): "It puts a space in front of each document (add_prefix_space).",
    ("overlaps", "counted-apart"): "It counts “aaa” as one pair (a, a), not as two.",
    ("overlaps", "merged-from-right"): "It merges from right to left, so that “aaa” is a + aa.",
    ("overlaps", "*"): "It merges pairs that overlap: “aaa” becomes aa + aa.",
    ("counts", "*"): "It counts each different word once, however often it occurs.",
    ("wrapped", "*"): "Its counts have 32 bits: from 2,147,483,648 on they are negative.",
    ("absent", "*"): (
        "It next joins {value}, which never stand side by side here: it read another text, "
        "or cut it otherwise."
    ),
    ("shifted", "*"): "Its first merge is lost, as where a line is taken for the header.",
    ("min-frequency", "*"): "Its minimum frequency may be {value}.",
    ("size", "*"): (
        "Its size leaves room for {value} merges: do both count the 256 bytes and the special "
        "tokens?"
    ),
}
"""The sentence of a reason, by its kind and value; ``"*"`` is any other, which fills a gap."""


def _sentence(reason: Reason) -> str:
    template = _SENTENCES.get((reason.kind, reason.value)) or _SENTENCES[reason.kind, "*"]
    return template.format(value=reason.value)

"""``bpe train``: a tokenizer from text files."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

import bpe
from bpe import files as formats
from bpe.algorithm.counts import WordCounts
from bpe.algorithm.recipe import Recipe
from bpe.cli.input import Inputs, corpus_options
from bpe.cli.output import as_json, print_values, progress_of, refuse_inputs, save
from bpe.cli.recipes import InputTexts, as_counted, bytes_of, recipe_options, words_of
from bpe.cli.tokenizers import encoder_of
from bpe.text.cuts import Cutter, between_pre_tokens
from bpe.training.algorithms import algorithm_of, named


@click.command()
@corpus_options
@click.option(
    "--start", help="An encoding, a model or a file of byte-level BPE to extend by more merges."
)
@click.option("--output", "-o", required=True, help="The file to write; “-” is standard output.")
@recipe_options
@click.option("--counts", metavar="FILE|URL", help="Train on words that `bpe count-words` wrote.")
@click.option(
    "--min-word-count", type=click.IntRange(1), help="Of --counts, leave out rarer words."
)
@click.option(
    "--memory",
    callback=bytes_of,
    metavar="SIZE",
    help="Of --counts, leave out the rarest words until this is enough, such as 4GB.",
)
@click.option(
    "--format",
    "file_format",
    type=click.Choice(["bpe", "huggingface", "gpt2", "tiktoken"]),
    help="What the file is written for; gpt2 makes a folder of two. Default: huggingface for "
    "a file tokenizer.json and where there is no other, else bpe.",
)
@as_json
def train(
    inputs: Inputs,
    choices: dict[str, Any],
    start: str | None,
    output: str,
    counts: str | None,
    min_word_count: int | None,
    memory: int | None,
    file_format: Any,
    as_json: bool,
) -> None:
    """Train a tokenizer on files or standard input, and save it.

    Any text file will do. Of csv, tsv, jsonl and parquet one column is read, of PDF and Word files
    the text. A folder is all text files in it; "-" is standard input.

    \b
    bpe train corpus.txt --vocab-size 8000 --output tokenizer.json
    bpe train notes/ "more/**/*.md" --vocab-size 32000 -o mine --format gpt2
    zcat corpus.gz | bpe train --special "<|end|>" -o tokenizer.json
    bpe train novels/ --start o200k_base --merges 5000 -o tokenizer.json
    bpe train chinese.txt english.txt --algorithm parity --share 0.5 -o tokenizer.json

    With --start all ids of that tokenizer stay, and new ones follow. Of --counts the rarest words
    may have to be left out, and how many is said: some merges may then be others.
    """
    if counts is None and (min_word_count or memory):
        raise click.UsageError("--min-word-count and --memory are for --counts.")
    if counts is not None and inputs.groups:
        raise click.UsageError("Train either on files or on --counts.")
    if choices["vocabulary_size"] is None and choices["merges"] is None:
        if start is not None:
            raise click.UsageError("With --start, say how many --merges to learn.")
        choices["vocabulary_size"] = 4000
    refuse_inputs(output, [*(file.name for file in inputs.files), start, counts])
    words, left_out = None, dict[str, int]()
    if counts is not None:
        words, left_out = words_of(counts, min_word_count, memory)
        choices = as_counted(counts, words, choices)
    recipe = Recipe(**choices)
    encoder = None if start is None else encoder_of(start)
    training, facts = _learned(inputs, recipe, encoder, words, as_json)
    training.name = "stdout" if output == "-" else Path(output).stem
    tokenizer = training.tokenizer()
    file_format = file_format or formats.format_for(tokenizer, Path(output))
    save(tokenizer, output, file_format)
    new_ids = tokenizer.training.new_ids if tokenizer.training else ()
    facts = {
        "output": output,
        "format": file_format,
        "vocabulary_size": tokenizer.vocabulary_size,
        **({} if start is None else {"start": start, "new_ids": [*new_ids[:1], *new_ids[-1:]]}),
        **facts,
        **left_out,
        "corpus_digest": training.corpus_digest,
        "recipe_digest": (tokenizer.training.recipe if tokenizer.training else recipe).digest,
    }
    if as_json:
        facts["read"] = inputs.facts() if counts is None else None
    elif counts is None:
        inputs.say(always=True)
    print_values(facts, as_json, err=output == "-")


def _learned(
    inputs: Inputs,
    recipe: Recipe,
    start: bpe.Encoder | None,
    words: WordCounts | None,
    as_json: bool,
) -> tuple[bpe.Training, dict[str, Any]]:
    texts = InputTexts(inputs, *_cuts(recipe, start))
    corpus: Any = texts if words is None else words
    if languages := tuple(inputs.groups) if named(recipe.algorithm).of_languages else ():
        corpus = {
            group: tuple(InputTexts(replace(inputs, files=files)))
            for group, files in inputs.groups.items()
        }
    with progress_of(read=texts.share) as on_progress:
        training = bpe.Training(corpus, recipe, start=start, on_progress=on_progress)
        made = len(list(training))
    reason = training.stop_reason
    facts: dict[str, Any] = {
        "merges": made,
        "stop_reason": reason if as_json else _stopped(reason, recipe.min_frequency),
    }
    if languages:
        numbers = {name: training.chosen_by.get(place, 0) for place, name in enumerate(languages)}
        facts["merges_chosen_by"] = numbers
    if training.sampled:
        facts["fitted_to"] = "sample" if as_json else "a sample of the words; they are too many"
    return training, facts


def _cuts(recipe: Recipe, start: bpe.Encoder | None) -> tuple[Cutter | None, Collection[str]]:
    """Return what finds places to cut a large text at, and the special tokens to leave whole."""
    if start is not None and start.pattern is not None:
        cutter = between_pre_tokens(start.pattern, start.normalises)
        return cutter, {*start.special_tokens, *start.added_tokens, *recipe.special_tokens}
    if not recipe.of_bytes:
        return None, ()
    return algorithm_of(recipe).cutter(), recipe.special_tokens


def _stopped(reason: str, min_frequency: int) -> str:
    if reason != "min-frequency":
        return reason
    return f"no pair occurs {min_frequency:,} times" if min_frequency > 1 else "no pair is left"

"""``bpe train``: a tokenizer from text files."""

import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

import bpe
from bpe.algorithm.recipe import ALGORITHMS, Recipe
from bpe.cli.counts import as_counted, bytes_of, left_out, words_of
from bpe.cli.input import known_charset
from bpe.cli.output import as_json, print_values
from bpe.cli.recipes import check_research, of_languages, recipe_options, research_options
from bpe.cli.streaming import Corpus
from bpe.cli.tokenizers import complete, encoder_of
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.extended import ExtendedTokenizer
from bpe.progress import OnProgress, Progress
from bpe.text.cuts import Cutter, between_pre_tokens
from bpe.training.algorithms import algorithm_of
from bpe.training.algorithms.base import Trained
from bpe.training.research import train_superwords


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE|FOLDER|-]...")
@click.option(
    "--vocab-size",
    type=int,
    help="How many tokens there will be: 256 bytes, special tokens, and merges; by default 4000.",
)
@click.option("--merges", type=int, help="How many merges are made at the most.")
@click.option(
    "--start",
    shell_complete=complete,
    help="An encoding, a model or a file of byte-level BPE to extend by more merges.",
)
@click.option(
    "--output", "-o", type=click.Path(path_type=Path), required=True, help="The file to write."
)
@click.option(
    "--algorithm",
    type=click.Choice(list(ALGORITHMS)),
    default="byte-bpe",
    show_default=True,
    help="BPE of bytes, or another algorithm.",
)
@recipe_options
@click.option("--unknown", help="For characters: the token of unseen ones, such as <unk>.")
@click.option(
    "--counts",
    metavar="FILE|URL",
    help="Train on the words that `bpe count-words` wrote, cut as that file says.",
)
@click.option(
    "--min-word-count",
    type=click.IntRange(min=1),
    help="Of --counts, leave out rarer words. Default: 1.",
)
@click.option(
    "--memory",
    callback=bytes_of,
    metavar="SIZE",
    help="Of --counts, leave out the rarest words until this is enough, such as 4GB.",
)
@research_options
@click.option("--column", help="The column or field of csv, tsv, jsonl and parquet files.")
@click.option(
    "--charset",
    "--encoding",
    "charset",
    callback=known_charset,
    help="What the files are in, such as gb18030, if the guess is wrong.",
)
@click.option(
    "--format",
    "file_format",
    type=click.Choice(["bpe", "huggingface", "gpt2", "tiktoken"]),
    default="bpe",
    show_default=True,
    help="What the file is written for; gpt2 makes a folder of two.",
)
@as_json
def train(
    files: Sequence[str],
    vocab_size: int | None,
    merges: int | None,
    start: str | None,
    output: Path,
    algorithm: Any,
    pattern: str,
    specials: Sequence[str],
    tie_break: Any,
    min_frequency: int,
    normalisation: str,
    unknown: str | None,
    counts: str | None,
    min_word_count: int | None,
    memory: int | None,
    whole_characters: bool,
    superwords: float | None,
    parity: float | None,
    column: str | None,
    charset: str | None,
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
    bpe train chinese.txt english.txt --parity 0.5 -o tokenizer.json

    With --start all ids of that tokenizer stay, and new ones follow. Of --counts the rarest words
    may have to be left out; how many of the merges that cannot have changed is said then.
    """
    if counts is None and (min_word_count or memory):
        raise click.UsageError("--min-word-count and --memory are for --counts.")
    if counts is not None and files:
        raise click.UsageError("Train either on files or on --counts.")
    if vocab_size is None and merges is None:
        if start is not None:
            raise click.UsageError("With --start, say how many --merges to learn.")
        vocab_size = 4000
    pruned = None if counts is None else words_of(counts, min_word_count, memory)
    recipe = Recipe(
        vocabulary_size=vocab_size,
        merges=merges,
        tie_break=tie_break,
        min_frequency=min_frequency,
        unknown=unknown,
        whole_characters=whole_characters,
        **as_counted(
            pruned,
            algorithm=algorithm,
            pattern=pattern,
            special_tokens=tuple(specials),
            normalisation=normalisation,
        ),
    )
    given = {"--start": start, "--counts": counts}
    check_research(recipe, superwords, parity, [name for name, value in given.items() if value])
    encoder = None if start is None else encoder_of(start)
    read = _Read()
    reading: dict[str, Any] = {"charset": charset, "column": column, "on_read": read.hear}
    cuts = (None, ()) if superwords is not None else _cuts(recipe, encoder)
    texts = Corpus(files or ["-"], *cuts, **reading)
    name = output.stem
    said: dict[str, Any] = {}
    with _progress(read, texts.size) as on_progress:
        tokenizer: Trained
        if parity is not None:
            tokenizer, chosen = of_languages(files, recipe, parity, name, **reading)
            made, corpus_digest = len(tokenizer.merges), tokenizer.corpus_digest
            each = ", ".join(f"{file} {number:,}" for file, number in chosen.items())
            said["merges_chosen_by"] = chosen if as_json else each
        elif superwords is not None:
            tokenizer = train_superwords(
                tuple(texts), recipe, subwords=superwords, on_progress=on_progress, name=name
            )
            made, corpus_digest = len(tokenizer.merges), tokenizer.corpus_digest
        else:
            training = bpe.Training(
                texts if pruned is None else pruned.words,
                recipe,
                start=encoder,
                name=name,
                on_progress=on_progress,
            )
            made = sum(1 for _ in training)
            tokenizer, corpus_digest = training.tokenizer(), training.corpus_digest
            said = {} if start is None else {"start": start, "new_ids": _ends(tokenizer)}
            said["stop_reason"] = (
                training.stop_reason if as_json else _stopped(training.stop_reason, min_frequency)
            )
            if pruned is not None:
                said |= left_out(pruned, recipe, made, start is not None)
    if not isinstance(tokenizer, bpe.Tokenizer | bpe.CharacterTokenizer):
        file_format = "huggingface"  # the only one for these
    bpe.save(tokenizer, output, format=file_format)
    print_values(
        {
            "output": str(output),
            "vocabulary_size": tokenizer.vocabulary_size,
            "merges": made,
            **said,
            "recipe_digest": recipe.digest,
            "corpus_digest": corpus_digest,
        },
        as_json,
    )


def _cuts(recipe: Recipe, start: bpe.Encoder | None) -> tuple[Cutter | None, Collection[str]]:
    """Return what finds places to cut a large text at, and the special tokens to leave whole."""
    if isinstance(start, BytePairEncoder) and start.pattern is not None:
        cutter = between_pre_tokens(start.pattern, start.normalises)
        return cutter, {*start.special_tokens, *start.added_tokens, *recipe.special_tokens}
    if not recipe.of_bytes:
        return None, ()
    return algorithm_of(recipe).cutter(), recipe.special_tokens


def _stopped(reason: str, min_frequency: int) -> str:
    """Say why the training ended; JSON has the name of the reason alone."""
    if reason != "min-frequency":
        return reason
    return f"no pair occurs {min_frequency:,} times" if min_frequency > 1 else "no pair is left"


def _ends(tokenizer: bpe.Encoder) -> list[int]:
    """Return the first and the last of the ids that are new, or nothing."""
    ids = tokenizer.new_ids if isinstance(tokenizer, ExtendedTokenizer) else ()
    return [ids[0], ids[-1]] if ids else []


class _Read:
    """How many bytes of the corpus are read."""

    done = 0

    def hear(self, size: int) -> None:
        """Add to them."""
        self.done += size


_BAR = 30


@contextmanager
def _progress(read: _Read, size: int | None) -> Iterator[OnProgress]:
    """Draw on standard error how far a training is, if that is a terminal.

    While words are counted that is how much of ``size`` bytes is read, where that is known.
    """
    if not sys.stderr.isatty():
        yield lambda progress: None
        return
    said = ""

    def say(progress: Progress) -> None:
        nonlocal said
        share = progress.share if progress.total else None
        if progress.phase == "counting":
            share = min(read.done / size, 1.0) if size else None
        line = progress.phase if share is None else f"{progress.phase:<9} {_bar(share)}"
        if line != said:
            click.echo(f"\r\033[K{line}", err=True, nl=False)
            said = line

    yield say
    click.echo("\r\033[K", err=True, nl=False)


def _bar(share: float) -> str:
    """Return a share as a bar.

    >>> _bar(0.5)
    '[###############---------------]  50%'
    """
    full = int(share * _BAR)
    return f"[{'#' * full}{'-' * (_BAR - full)}] {share:>4.0%}"

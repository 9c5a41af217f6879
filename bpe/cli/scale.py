"""``bpe count-words``, ``merge-counts`` and ``encode-files``: corpora in many files."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from multiprocessing import get_context
from typing import Any, TypeVar

import click

from bpe.algorithm.recipe import ALGORITHMS, Recipe
from bpe.cli.output import as_json, print_values
from bpe.cli.tokenizers import complete, encoder_of, pattern_option
from bpe.errors import from_extra
from bpe.progress import OnProgress, Progress
from bpe.text.pretokenize import PATTERNS

Command = TypeVar("Command", bound=Callable[..., Any])

_SOURCES = click.argument("sources", nargs=-1, required=True, metavar="FILE|FOLDER|GLOB|URL...")
_COLUMN = click.option(
    "--column",
    default="text",
    show_default=True,
    help="The field of JSON lines and Parquet that holds the text.",
)


def _cut_options(command: Command) -> Command:
    for decorate in (
        click.option(
            "--normalisation",
            default="none",
            show_default=True,
            help="What is done to text first: NFC, NFKC, lowercase, strip-punctuation, joined by "
            "+.",
        ),
        click.option("--special", "specials", multiple=True, help="A special token; repeatable."),
        click.option(
            "--pattern",
            type=click.Choice(list(PATTERNS)),
            default="gpt2",
            show_default=True,
            help="How text is split into pre-tokens.",
        ),
        click.option(
            "--algorithm",
            type=click.Choice(list(ALGORITHMS)),
            default="byte-bpe",
            show_default=True,
            help="What will be trained on the counts.",
        ),
    ):
        command = decorate(command)
    return command


def _executor_options(command: Command) -> Command:
    for decorate in (
        click.option("--scheduler", metavar="URL", help="Work on this cluster of Dask."),
        click.option(
            "--workers",
            type=click.IntRange(min=1),
            help="Work in so many processes. Default: in this one, on all cores.",
        ),
    ):
        command = decorate(command)
    return command


@contextmanager
def _executor(workers: int | None, scheduler: str | None) -> Iterator[Executor | None]:
    if workers and scheduler:
        raise click.UsageError("Give either --workers or --scheduler.")
    with ExitStack() as stack:
        if scheduler:
            with from_extra("cluster"):
                from distributed import Client
            try:
                connect: Any = Client  # has no types
                client = stack.enter_context(connect(scheduler, timeout=10))
            except (OSError, ValueError) as error:
                raise click.UsageError(f"No scheduler answers at “{scheduler}”.") from error
            yield stack.enter_context(client.get_executor())
        elif workers:
            pool = ProcessPoolExecutor(workers, get_context("spawn"))
            stack.callback(pool.shutdown, wait=False, cancel_futures=True)
            yield pool
        else:
            yield None


@contextmanager
def _progress(label: str) -> Iterator[OnProgress]:
    """Show on standard error how much is done, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda progress: None
        return
    with click.progressbar(length=1, label=label, file=sys.stderr) as bar:

        def show(progress: Progress) -> None:
            bar.length = max(progress.total or 1, 1)
            bar.update(progress.done - bar.pos)

        yield show


@click.command("count-words")
@_SOURCES
@click.option("--output", "-o", required=True, help="The file or URL to write.")
@click.option("--keep", metavar="FOLDER|URL", help="Keep the counts of each file here, to go on.")
@_COLUMN
@_cut_options
@_executor_options
@as_json
def count_words(
    sources: Sequence[str],
    output: str,
    keep: str | None,
    column: str,
    algorithm: Any,
    pattern: str,
    specials: Sequence[str],
    normalisation: str,
    workers: int | None,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Count the words of a corpus in many files, here or anywhere that fsspec reaches.

    Files are .txt, .jsonl (both also .gz or .zst) and .parquet, in UTF-8. With --keep a count that
    was stopped goes on where it was. Train on the result by `bpe train --counts`.

    \b
    bpe count-words corpus/ -o corpus.counts.parquet
    bpe count-words "s3://bucket/*.jsonl.gz" --keep s3://bucket/counts -o s3://bucket/all.parquet
    bpe count-words "/data/*.parquet" --workers 8 --pattern o200k -o all.counts.parquet
    """
    from bpe.scale import counting, shards

    recipe = _recipe(algorithm, pattern, specials, normalisation)
    found = shards.find(*sources, column=column)
    with _executor(workers, scheduler) as executor, _progress("counting") as on_progress:
        counted = counting.count_to_file(
            found, recipe, output, executor=executor, keep=keep, on_progress=on_progress
        )
    print_values({"output": output, "files": len(found), **asdict(counted)}, as_json)


def _recipe(algorithm: Any, pattern: str, specials: Sequence[str], normalisation: str) -> Recipe:
    return Recipe(
        algorithm=algorithm,
        pattern=pattern,
        special_tokens=tuple(specials),
        normalisation=normalisation,
        vocabulary_size=1 << 20 if ALGORITHMS[algorithm].needs_size else None,  # of no account
    )


@click.command("merge-counts")
@click.argument("files", nargs=-1, required=True, metavar="FILE|URL...")
@click.option("--output", "-o", required=True, help="The file or URL to write.")
@click.option(
    "--foreign",
    is_flag=True,
    help="Some files are of another program: take the options below for how they were cut.",
)
@_cut_options
@as_json
def merge_counts(
    files: Sequence[str],
    output: str,
    foreign: bool,
    algorithm: Any,
    pattern: str,
    specials: Sequence[str],
    normalisation: str,
    as_json: bool,
) -> None:
    """Add up files of counted words, holding a part of each in memory.

    Files that were counted in different ways are refused. Those of another program have the
    columns "word" (binary) and "count" (64-bit integers) in Parquet, and need --foreign.

    \b
    bpe merge-counts 2024.counts.parquet 2025.counts.parquet -o both.counts.parquet
    bpe merge-counts spark/*.parquet --foreign --pattern o200k -o all.counts.parquet
    """
    from bpe.scale import count_files

    recipe = _recipe(algorithm, pattern, specials, normalisation) if foreign else None
    counted = count_files.merge(files, output, recipe=recipe)
    print_values({"output": output, "files": len(files), **asdict(counted)}, as_json)


@click.command("encode-files")
@_SOURCES
@click.option(
    "--tokenizer",
    "-t",
    required=True,
    shell_complete=complete,
    help="A tokenizer file, or the name of an encoding or a model.",
)
@click.option("--output", "-o", required=True, help="The folder or URL to write to.")
@click.option(
    "--format",
    "file_format",
    type=click.Choice(["npy", "parquet"]),
    default="npy",
    show_default=True,
    help="Arrays of NumPy, or a row of ids for each document.",
)
@click.option(
    "--dtype",
    type=click.Choice(["uint16", "uint32", "int32", "int64"]),
    help="The type of an id. Default: uint16 where all fit, else uint32.",
)
@click.option("--end-of-document", metavar="TOKEN", help="A special token behind each document.")
@pattern_option
@_COLUMN
@_executor_options
@as_json
def encode_files(
    sources: Sequence[str],
    tokenizer: str,
    output: str,
    file_format: Any,
    dtype: str | None,
    end_of_document: str | None,
    pattern: str | None,
    column: str,
    workers: int | None,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Write the token ids of many files into a folder, for a training loop.

    Each file has its ids, where its documents begin, and an entry in index.json; what is whole
    already is not written again.

    \b
    bpe encode-files "shards/*.jsonl.zst" -t tokenizer.json -o tokens/
    bpe encode-files "s3://bucket/*.parquet" -t o200k_base -o s3://bucket/ids --workers 8
    """
    from bpe.scale import encoding, shards

    encoder = encoder_of(tokenizer, pattern)
    found = shards.find(*sources, column=column)
    with _executor(workers, scheduler) as executor, _progress("encoding") as on_progress:
        written = encoding.encode_files(
            found,
            encoder,
            output,
            executor=executor,
            dtype=dtype,
            format=file_format,
            end_of_document=end_of_document,
            on_progress=on_progress,
        )
    values = {
        "output": output,
        "index": f"{os.fspath(output).rstrip('/')}/index.json",
        "files": len(written),
        "documents": sum(file.documents for file in written),
        "tokens": sum(file.tokens for file in written),
        "bytes": sum(file.bytes for file in written),
    }
    print_values(values, as_json)

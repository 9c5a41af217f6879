"""``bpe count-words``, ``encode-files`` and ``warm``: corpora in many files, and machines."""

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import click

from bpe import compiled, sandbox
from bpe.algorithm.recipe import ALGORITHMS, Recipe
from bpe.cli.input import choice_options
from bpe.cli.output import as_json, print_values, progress_of
from bpe.cli.recipes import cut_options, options_of_cuts
from bpe.cli.tokenizers import encoder_of, pattern_option, tokenizer_option
from bpe.documents.tables import Choice
from bpe.errors import BPEError
from bpe.writing import require_beside

if TYPE_CHECKING:
    from bpe.scale.shards import Shard

_SOURCES = click.argument("sources", nargs=-1, required=True, metavar="FILE|FOLDER|GLOB|URL...")


_workers_option = click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="So many processes; without, this one on all cores.",
)


def _begin(parent: int) -> None:
    """Begin a worker process, which ends with its parent; Ctrl+C is the parent's to say."""
    sandbox.end_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _executor(workers: int | None) -> Iterator[Executor | None]:
    if not workers:
        yield None
        return
    pool = ProcessPoolExecutor(
        workers, get_context("spawn"), initializer=_begin, initargs=(os.getpid(),)
    )
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _columns(files: Sequence["Shard"]) -> dict[str, Any]:
    columns = list(dict.fromkeys(name for shard in files for name in shard.choice.columns))
    unread = list(dict.fromkeys(name for shard in files for name in shard.unread))
    return {"columns": columns, "unread": unread} if columns else {}


@click.command("count-words")
@_SOURCES
@click.option("--output", "-o", required=True, help="The file or URL to write.")
@click.option("--keep", metavar="FOLDER|URL", help="A cache of the counts of each file, to resume.")
@choice_options
@cut_options
@_workers_option
@as_json
def count_words(
    sources: Sequence[str],
    output: str,
    keep: str | None,
    choice: Choice,
    choices: dict[str, Any],
    workers: int | None,
    as_json: bool,
) -> None:
    """Count the words of a corpus in many files, here or anywhere that fsspec reaches.

    Files are those that `bpe train` reads; text, csv and jsonl also as .gz or .zst. Files of counts
    among them are added: they have the columns "word" (binary) and "count" (64-bit integers) in
    Parquet, and of another program's the options say how words were cut. With --keep a count that
    was stopped is resumed. Train on the result by `bpe train --counts`.

    \b
    bpe count-words corpus/ -o corpus.counts.parquet
    bpe count-words "s3://bucket/*.jsonl.gz" --keep s3://bucket/counts -o s3://bucket/all.parquet
    bpe count-words "/data/*.parquet" --workers 8 --pattern o200k -o all.counts.parquet
    bpe count-words 2024.counts.parquet 2025.counts.parquet -o both.counts.parquet
    """
    # only here: fsspec and Arrow take long
    from bpe.scale import count_files, counting, shards

    files = shards.find(*sources, choice=choice)
    size = 1 << 20 if ALGORITHMS[choices["algorithm"]].needs_size else None  # of no account
    recipe = Recipe(**choices, vocabulary_size=size)
    if all(map(shards.holds_counts, files)) and not options_of_cuts():
        counted = count_files.merge([shard.url for shard in files], output)
    else:
        with _executor(workers) as executor, progress_of("counting") as on_progress:
            counted = counting.count_to_file(
                files, recipe, output, executor=executor, keep=keep, on_progress=on_progress
            )
    values = {"output": output, "files": len(files), **_columns(files), **asdict(counted)}
    del values["total"]
    print_values(values, as_json)


@click.command("encode-files")
@_SOURCES
@tokenizer_option(required=True)
@click.option("--output", "-o", required=True, help="The folder or URL to write to.")
@click.option("--end-of-document", metavar="TOKEN", help="A special token behind each document.")
@pattern_option
@choice_options
@_workers_option
@as_json
def encode_files(
    sources: Sequence[str],
    chosen: str,
    output: str,
    end_of_document: str | None,
    pattern: str | None,
    choice: Choice,
    workers: int | None,
    as_json: bool,
) -> None:
    """Write the token ids of many files into a folder, for a training loop.

    Each file has its ids, where its documents begin, and an entry in index.json; what is whole
    already is not written again.

    \b
    bpe encode-files "shards/*.jsonl.zst" -t tokenizer.json -o tokens/
    bpe encode-files "s3://bucket/*.parquet" -t o200k_base -o s3://bucket/ids --workers 8
    """
    from bpe.scale import encoding, shards  # only here: fsspec and Arrow take long

    encoder = encoder_of(chosen, pattern)
    require_beside(output, sources)
    files = shards.find(*sources, choice=choice)
    with _executor(workers) as executor, progress_of("encoding") as on_progress:
        written = encoding.encode_files(
            files,
            encoder,
            output,
            executor=executor,
            end_of_document=end_of_document,
            on_progress=on_progress,
        )
    values = {
        "output": output,
        "index": f"{os.fspath(output).rstrip('/')}/index.json",
        "files": len(written),
        **_columns(files),
        "documents": sum(file.documents for file in written),
        "tokens": sum(file.tokens for file in written),
        "bytes": sum(file.bytes for file in written),
    }
    print_values(values, as_json)


_TEXT = "low lower " * 5_000
"""So much that an encoder has its tables made, and cached."""


@click.command()
@tokenizer_option(
    "A tokenizer file, or the name of an encoding or a model, whose tables are made as well; may "
    "be repeated.",
    multiple=True,
)
def warm(chosen: Sequence[str]) -> None:
    """Compile what makes encoding and training fast, once on a machine.

    Every other command has it done when there is much to do. In an image of a container do it
    while the image is built, by the user who runs it.

    \b
    bpe warm
    bpe warm -t o200k_base -t my-tokenizer.json
    """
    compiled.prefer_this_processor()
    compiled.warm(background=False)
    if not compiled.ready():
        raise BPEError(
            "The kernels cannot be compiled here, so plain Python does the work. Is Numba "
            "installed?"
        )
    compiled.spread()
    for name in chosen:
        encoder = encoder_of(name)
        encoder.decode(encoder.encode(_TEXT))
        encoder.token_bytes(0)
    click.echo("The kernels are ready, and cached for the next time.")
    if chosen:
        click.echo(f"So are the tables of {', '.join(chosen)}.")

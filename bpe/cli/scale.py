"""``bpe count-words``, ``merge-counts`` and ``encode-files``: corpora in many files."""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TYPE_CHECKING, Any

import click

from bpe import sandbox
from bpe.algorithm.recipe import ALGORITHMS, Recipe
from bpe.cli.input import column_option, limit_option, number_of, quiet_option, stacked
from bpe.cli.output import as_json, print_values, progress_of
from bpe.cli.recipes import cut_options
from bpe.cli.tokenizers import encoder_of, pattern_option, tokenizer_option
from bpe.errors import from_extra

if TYPE_CHECKING:
    from bpe.scale.shards import Shard

_SOURCES = click.argument("sources", nargs=-1, required=True, metavar="FILE|FOLDER|GLOB|URL...")
_CHARSET = click.option(
    "--charset", default="utf-8", show_default=True, help="What the files are in, such as gb18030."
)


_executor_options = stacked(
    click.option(
        "--workers",
        type=click.IntRange(min=1),
        help="Work in so many processes. Default: in this one, on all cores.",
    ),
    click.option("--scheduler", metavar="URL", help="Work on this cluster of Dask."),
)


def _begin(parent: int) -> None:
    """Begin a worker process, which ends with its parent; Ctrl+C is the parent's to say."""
    sandbox.end_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})


class _Worker(SpawnProcess):
    """A process that Ctrl+C does not reach while it imports, either.

    Nor does this command end between starting it and telling it what to do. A worker's errors come
    back as results: what else it would say is that this command is gone.
    """

    def start(self) -> None:
        if not hasattr(signal, "pthread_sigmask"):  # Windows
            super().start()
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        try:
            with _standard_error_nowhere():
                super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _standard_error_nowhere() -> Iterator[None]:
    """Let a process that is started meanwhile say nothing on standard error."""
    try:
        errors = os.dup(2)
    except OSError:  # it is closed already
        yield
        return
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(errors, 2)
        os.close(errors)


class _Workers(SpawnContext):
    Process = _Worker


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
            # What ends with this command need not be told of; the process that tells takes this.
            sys.warnoptions.append("ignore::UserWarning:multiprocessing.resource_tracker")
            pool = ProcessPoolExecutor(
                workers, _Workers(), initializer=_begin, initargs=(os.getpid(),)
            )
            stack.callback(pool.shutdown, wait=False, cancel_futures=True)
            yield pool
            pool.shutdown()  # here, as what ends the interpreter would not be stopped quietly
        else:
            yield None


def _columns(found: Sequence["Shard"]) -> dict[str, Any]:
    columns = dict.fromkeys(shard.column for shard in found if shard.column is not None)
    return {"columns": list(columns)} if columns else {}


def _say(found: Sequence["Shard"], documents: int, size: int, quiet: bool) -> None:
    if quiet:
        return
    columns = ", ".join(f"“{column}”" for column in _columns(found).get("columns", ()))
    of = f"; column {columns}" if columns else ""
    read = number_of(len(found), "file"), number_of(documents, "document"), number_of(size, "byte")
    click.echo(f"read {read[0]}: {read[1]}, {read[2]}{of}", err=True)


@click.command("count-words")
@_SOURCES
@click.option("--output", "-o", required=True, help="The file or URL to write.")
@click.option("--keep", metavar="FOLDER|URL", help="A cache of the counts of each file, to resume.")
@column_option
@_CHARSET
@limit_option
@quiet_option
@cut_options
@_executor_options
@as_json
def count_words(
    sources: Sequence[str],
    output: str,
    keep: str | None,
    column: str | None,
    charset: str,
    limit: int | None,
    quiet: bool,
    choices: dict[str, Any],
    workers: int | None,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Count the words of a corpus in many files, here or anywhere that fsspec reaches.

    Files are those that `bpe train` reads; text, csv and jsonl also as .gz or .zst. With --keep a
    count that was stopped is resumed. Train on the result by `bpe train --counts`.

    \b
    bpe count-words corpus/ -o corpus.counts.parquet
    bpe count-words "s3://bucket/*.jsonl.gz" --keep s3://bucket/counts -o s3://bucket/all.parquet
    bpe count-words "/data/*.parquet" --workers 8 --pattern o200k -o all.counts.parquet
    """
    from bpe.scale import counting, shards  # only here: fsspec and Arrow take long

    recipe = _recipe(choices)
    found = shards.find(*sources, column=column, charset=charset)
    if limit is not None:
        found = shards.first(found, limit)
    with _executor(workers, scheduler) as executor, progress_of("counting") as on_progress:
        counted = counting.count_to_file(
            found, recipe, output, executor=executor, keep=keep, on_progress=on_progress
        )
    _say(found, counted.documents, counted.bytes, quiet)
    values = {"output": output, "files": len(found), **_columns(found), **asdict(counted)}
    print_values(values, as_json)


def _recipe(choices: dict[str, Any]) -> Recipe:
    size = 1 << 20 if ALGORITHMS[choices["algorithm"]].needs_size else None  # of no account
    return Recipe(**choices, vocabulary_size=size)


def _as_today(option: str) -> str:
    """Return the name that an option has by now."""
    return {"foreign": "external"}.get(option, option)


@click.command("merge-counts", context_settings={"token_normalize_func": _as_today})
@click.argument("files", nargs=-1, required=True, metavar="FILE|URL...")
@click.option("--output", "-o", required=True, help="The file or URL to write.")
@click.option(
    "--external",
    is_flag=True,
    help="Some files are of another program: take the options below for how they were cut.",
)
@cut_options
@as_json
def merge_counts(
    files: Sequence[str],
    output: str,
    external: bool,
    choices: dict[str, Any],
    as_json: bool,
) -> None:
    """Add up files of counted words, holding a part of each in memory.

    Files that were counted in different ways are refused. Those of another program have the
    columns "word" (binary) and "count" (64-bit integers) in Parquet, and need --external.

    \b
    bpe merge-counts 2024.counts.parquet 2025.counts.parquet -o both.counts.parquet
    bpe merge-counts spark/*.parquet --external --pattern o200k -o all.counts.parquet
    """
    from bpe.scale import count_files  # only here: fsspec and Arrow take long

    recipe = _recipe(choices) if external else None
    counted = count_files.merge(files, output, recipe=recipe)
    print_values({"output": output, "files": len(files), **asdict(counted)}, as_json)


@click.command("encode-files")
@_SOURCES
@tokenizer_option(required=True)
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
@column_option
@_CHARSET
@limit_option
@quiet_option
@_executor_options
@as_json
def encode_files(
    sources: Sequence[str],
    chosen: str,
    output: str,
    file_format: Any,
    dtype: str | None,
    end_of_document: str | None,
    pattern: str | None,
    column: str | None,
    charset: str,
    limit: int | None,
    quiet: bool,
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
    from bpe.scale import encoding, shards  # only here: fsspec and Arrow take long

    encoder = encoder_of(chosen, pattern)
    found = shards.find(*sources, column=column, charset=charset)
    if limit is not None:
        found = shards.first(found, limit)
    with _executor(workers, scheduler) as executor, progress_of("encoding") as on_progress:
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
        **_columns(found),
        "documents": sum(file.documents for file in written),
        "tokens": sum(file.tokens for file in written),
        "bytes": sum(file.bytes for file in written),
    }
    _say(found, values["documents"], values["bytes"], quiet)
    print_values(values, as_json)

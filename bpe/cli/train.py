"""``bpe train``: a tokenizer from text files."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

import bpe
from bpe.cli.input import known_charset, of_standard_input, paths
from bpe.cli.output import as_json, print_values
from bpe.text import corpus
from bpe.training.pretokenize import PATTERNS
from bpe.training.progress import OnProgress, Progress
from bpe.training.recipe import ALGORITHMS, TIE_BREAKS, Recipe


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE|FOLDER|-]...")
@click.option(
    "--vocab-size",
    type=int,
    default=4000,
    show_default=True,
    help="How many tokens there will be: 256 bytes, special tokens, and merges.",
)
@click.option(
    "--output", "-o", type=click.Path(path_type=Path), required=True, help="The file to write."
)
@click.option(
    "--algorithm",
    type=click.Choice(ALGORITHMS),
    default="byte-bpe",
    show_default=True,
    help="BPE of bytes, or one of its relatives.",
)
@click.option(
    "--pattern",
    type=click.Choice(list(PATTERNS)),
    default="gpt2",
    show_default=True,
    help="How text is split into pre-tokens, which no merge reaches across.",
)
@click.option("--special", "specials", multiple=True, help="A special token; may be repeated.")
@click.option(
    "--tie-break",
    type=click.Choice(TIE_BREAKS),
    default="lexicographic",
    show_default=True,
    help="Which of several equally frequent pairs is merged first.",
)
@click.option(
    "--min-frequency",
    type=int,
    default=1,
    show_default=True,
    help="Stop when no pair occurs so often.",
)
@click.option(
    "--normalisation",
    default="none",
    show_default=True,
    help="What is done to text first: NFC, NFKC, lowercase, strip-punctuation, joined by +.",
)
@click.option("--unknown", help="For characters: the token of unseen ones, such as <unk>.")
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
    vocab_size: int,
    output: Path,
    algorithm: Any,
    pattern: str,
    specials: Sequence[str],
    tie_break: Any,
    min_frequency: int,
    normalisation: str,
    unknown: str | None,
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
    """
    recipe = Recipe(
        algorithm=algorithm,
        vocabulary_size=vocab_size,
        pattern=pattern,
        special_tokens=tuple(specials),
        tie_break=tie_break,
        min_frequency=min_frequency,
        normalisation=normalisation,
        unknown=unknown,
    )
    texts = [text for name in files or ["-"] for text in _texts(name, charset, column)]
    with _progress() as on_progress:
        training = bpe.Training(texts, recipe, name=output.stem, on_progress=on_progress)
        merges = sum(1 for _ in training)
    tokenizer = training.tokenizer()
    if algorithm not in ("byte-bpe", "character-bpe"):
        file_format = "huggingface"  # the only one for these
    bpe.save(tokenizer, output, format=file_format)
    print_values(
        {
            "output": str(output),
            "vocabulary_size": tokenizer.vocabulary_size,
            "merges": merges,
            "stop_reason": training.stop_reason,
            "recipe_digest": recipe.digest,
            "corpus_digest": training.corpus_digest,
        },
        as_json,
    )


def _texts(name: str, charset: str | None, column: str | None) -> Iterator[str]:
    """Yield the texts of a file, of all files of a folder or pattern, or of standard input."""
    if name == "-":
        with of_standard_input().open() as file:
            yield corpus.decode(file.read(), encoding=charset).text
        return
    for path in paths([name]):
        data = path.read_bytes()
        if path.suffix.lower() not in corpus.SUFFIXES:
            yield corpus.decode(data, encoding=charset).text
            continue
        document = corpus.read(
            data, path.name, encoding=charset, column=column, max_bytes=sys.maxsize
        )
        yield from document.texts


@contextmanager
def _progress() -> Iterator[OnProgress]:
    """Say on standard error what a training does, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda progress: None
        return
    said = ""

    def say(progress: Progress) -> None:
        nonlocal said
        share = f" {progress.share:.0%}" if progress.total else ""
        line = f"{progress.phase}{share}"
        if line != said:
            click.echo(f"\r\033[K{line}", err=True, nl=False)
            said = line

    yield say
    click.echo("\r\033[K", err=True, nl=False)

"""``python -m bpe train``: a tokenizer from text files."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import bpe
from bpe.cli.input import as_json, print_values
from bpe.text import corpus
from bpe.training.pretokenize import PATTERNS
from bpe.training.recipe import ALGORITHMS, TIE_BREAKS, Recipe


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--vocab-size", type=int, default=4000, show_default=True)
@click.option("--output", "-o", type=click.Path(path_type=Path), required=True)
@click.option("--algorithm", type=click.Choice(ALGORITHMS), default="byte-bpe", show_default=True)
@click.option("--pattern", type=click.Choice(list(PATTERNS)), default="gpt2", show_default=True)
@click.option("--special", "specials", multiple=True, help="A special token; may be repeated.")
@click.option(
    "--tie-break", type=click.Choice(TIE_BREAKS), default="lexicographic", show_default=True
)
@click.option("--min-frequency", type=int, default=1, show_default=True)
@click.option("--normalisation", default="none", show_default=True)
@click.option("--unknown", help="For characters: the token of unseen ones, such as <unk>.")
@click.option("--column", help="The column or field of csv, tsv and jsonl files.")
@click.option("--encoding", help="The character encoding of the files, if the guess is wrong.")
@click.option(
    "--format",
    "file_format",
    type=click.Choice(["bpe", "huggingface", "gpt2", "tiktoken"]),
    default="bpe",
    show_default=True,
)
@as_json
def train(
    files: Sequence[Path],
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
    encoding: str | None,
    file_format: Any,
    as_json: bool,
) -> None:
    """Train a tokenizer on FILES and save it."""
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
    texts = [
        text
        for file in files
        for text in corpus.read(
            file.read_bytes(), file.name, encoding=encoding, column=column, max_bytes=sys.maxsize
        ).texts
    ]
    training = bpe.Training(texts, recipe, name=output.stem)
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

"""``bpe convert`` and ``push``: a tokenizer in another format, or on the Hugging Face Hub."""

import os
from pathlib import Path
from typing import Any

import click

import bpe
from bpe import files
from bpe.cli.input import Refused, stacked
from bpe.cli.output import as_json, print_values, refuse_inputs, save
from bpe.cli.tokenizers import encoder_of, pattern_option
from bpe.files import hub
from bpe.files.huggingface import ROLES

_ROLES = [click.option(f"--{role}", metavar="TOKEN", help=f"The {role} token.") for role in ROLES]


@click.command()
@click.argument("source", metavar="IN")
@click.argument("output", metavar="OUT", type=click.Path(allow_dash=True))
@click.option(
    "--to",
    "file_format",
    type=click.Choice(files.FORMATS),
    help="What it is written for; gpt2 makes a folder of two. Default: as IN was, or Hugging Face.",
)
@pattern_option
@stacked(*_ROLES)
@as_json
def convert(
    source: str,
    output: str,
    file_format: Any,
    pattern: str | None,
    as_json: bool,
    **roles: str | None,
) -> None:
    """Write a tokenizer, an encoding or a model's for another library, which gives the same ids.

    IN is a file, a folder, or the name of an encoding or a model; “-” as OUT is standard output.
    What the other format cannot say is an error. The roles of special tokens are for Hugging Face.

    \b
    bpe convert o200k_base o200k/ --to huggingface --eos "<|endoftext|>" --pad "<|endoftext|>"
    bpe convert mine.json gpt2/ --to gpt2
    bpe convert tokenizer.model tokenizer.json
    """
    refuse_inputs(output, [source])
    encoder = encoder_of(source, pattern)
    chosen = file_format or files.format_for(encoder, Path(output))
    named = {role: token for role, token in roles.items() if token is not None}
    save(encoder, output, chosen, roles=named)
    facts = {
        "output": str(Path(output)),
        "format": chosen,
        "vocabulary_size": encoder.vocabulary_size,
    }
    print_values(facts, as_json, err=output == "-")


@click.command()
@click.argument("file", metavar="FILE")
@click.argument("repository", metavar="OWNER/NAME")
@click.option("--public", is_flag=True, help="Show the repository to everybody.")
@click.option("--update", is_flag=True, help="Change a repository that exists.")
@click.option("--dry-run", is_flag=True, help="Only say what would be sent; no token needed.")
@as_json
def push(
    file: str, repository: str, public: bool, update: bool, dry_run: bool, as_json: bool
) -> None:
    """Put a tokenizer on the Hugging Face Hub.

    With tokenizer.json go tokenizer_config.json and a README of the recipe and the digests. The
    repository is made, and private. Your access token is in the environment variable HF_TOKEN.

    \b
    bpe push tokenizer.json somebody/small-chinese
    HF_TOKEN=$(cat ~/.hub-token) bpe push tokenizer.json somebody/small-chinese --public
    """
    hub.check_repository(repository)
    if dry_run:
        tokenizer = bpe.load(file)
        sent = hub.files_of(tokenizer, repository)
        sizes = {name: len(content) for name, content in sent.items()}
        print_values({"repository": repository, "files": sizes}, as_json)
        return
    if not (token := os.environ.get("HF_TOKEN", "")):
        raise Refused("There is no token: set the environment variable HF_TOKEN.")
    address = hub.to_hub(bpe.load(file), repository, token=token, private=not public, update=update)
    print_values({"repository": address}, as_json)

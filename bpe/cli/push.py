"""``bpe push``: a tokenizer file into a repository of the Hugging Face Hub."""

import os
from pathlib import Path

import click

import bpe
from bpe.analysis import metrics
from bpe.cli.input import Refused
from bpe.cli.output import as_json, print_values
from bpe.files import push as pushing


@click.command()
@click.argument("file", metavar="FILE")
@click.argument("repository", metavar="OWNER/NAME")
@click.option(
    "--token-file", type=click.Path(path_type=Path), help="A file that holds your access token."
)
@click.option(
    "--token-env",
    default="HF_TOKEN",
    show_default=True,
    metavar="NAME",
    help="The environment variable that holds it.",
)
@click.option("--public", is_flag=True, help="Show the repository to everybody.")
@click.option("--update", is_flag=True, help="Change a repository that exists.")
@click.option(
    "--dry-run", is_flag=True, help="Only say which files would be sent; no token needed."
)
@as_json
def push(
    file: str,
    repository: str,
    token_file: Path | None,
    token_env: str,
    public: bool,
    update: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Put a tokenizer on the Hugging Face Hub.

    With tokenizer.json go tokenizer_config.json and a README of the recipe, the digests and
    measured figures. The repository is made, and private.

    \b
    bpe push tokenizer.json somebody/small-chinese
    bpe push tokenizer.json somebody/small-chinese --token-file ~/.hub-token --public
    """
    pushing.check_repository(repository)
    if dry_run:
        tokenizer = bpe.load(file)
        files = pushing.files_of(tokenizer, repository, None, metrics.as_markdown(tokenizer))
        sizes = {name: len(content) for name, content in files.items()}
        if as_json:
            print_values({"repository": repository, "files": sizes}, as_json)
        for name, size in () if as_json else sizes.items():
            click.echo(f"{size:>12,} bytes  {name}")
        return
    if token_file is not None:
        try:
            token = token_file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Refused(f"“{token_file}” cannot be read.") from error
    elif not (token := os.environ.get(token_env, "")):
        raise Refused(f"There is no token: set {token_env}, or give --token-file.")
    address = pushing.to_hub(
        bpe.load(file),
        repository,
        token=token,
        private=not public,
        update=update,
        measure=metrics.as_markdown,
    )
    print_values({"repository": address}, as_json)

"""The command line: the library, thinly, one file per command.

With ``--json`` each command prints one JSON object for other programs. Bad input ends with exit
code 2 and one sentence on standard error.
"""

import sys
from typing import NoReturn

import click

from bpe.cli.cost import cost
from bpe.cli.count import count
from bpe.cli.encode import decode, encode
from bpe.cli.inspect import inspect
from bpe.cli.train import train
from bpe.errors import BPEError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """Train BPE tokenizers and count tokens."""


for command in (train, encode, decode, count, inspect, cost):
    cli.add_command(command)


def main() -> NoReturn:
    """Run the command line."""
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (BPEError, OSError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    sys.exit(0)

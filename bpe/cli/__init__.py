"""The command line: the library, thinly, each command imported when it is used.

Bad input ends with exit code 2 and one sentence on standard error, Ctrl-C with 130.
"""

import os
import sys
from importlib import import_module
from typing import Any, NoReturn

import click

from bpe import __version__
from bpe.errors import BPEError

GROUPS = {
    "Text and tokens": {
        "encode": ("bpe.cli.encode", "Print the token ids of text."),
        "decode": ("bpe.cli.encode", "Print the text of token ids."),
        "count": ("bpe.cli.count", "Count the tokens of texts and files."),
        "inspect": ("bpe.cli.inspect", "Take the tokens of a text apart."),
        "split": ("bpe.cli.encode", "Cut texts into pieces of so many tokens."),
        "verify": ("bpe.cli.verify", "Compare ids with the tokenizers installed here."),
        "encodings": ("bpe.cli.tokenizers", "List the tokenizers that come with this package."),
    },
    "Tokenizers of your own": {
        "train": ("bpe.cli.train", "Train a tokenizer on text files."),
        "convert": ("bpe.cli.convert", "Write a tokenizer in another format."),
        "push": ("bpe.cli.convert", "Put a tokenizer on the Hugging Face Hub."),
        "explain-merges": ("bpe.cli.explain", "Say why another program learned other merges."),
    },
    "Money": {
        "cost": ("bpe.cli.cost", "Price a text on real models."),
        "models": ("bpe.cli.tokenizers", "List the models of the price list."),
        "check-usage": ("bpe.cli.request", "Hold a vendor's bill against a count of one's own."),
    },
    "Corpora and machines": {
        "count-words": ("bpe.cli.scale", "Count the words of a corpus in many files."),
        "encode-files": ("bpe.cli.scale", "Write the token ids of many files."),
        "warm": ("bpe.cli.scale", "Compile what makes this fast, once on a machine."),
    },
}
"""Each command with its module and one line of help, so that listing them imports none."""
COMMANDS = {name: home for group in GROUPS.values() for name, home in group.items()}

_BROKEN_PIPE = 141  # what a shell says of a program that wrote to one that has ended


class Commands(click.Group):
    """The commands of the table, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(
            import_module(COMMANDS[cmd_name][0]), cmd_name.replace("-", "_")
        )
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first argument names; suggest one if it is misspelled."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.exceptions.NoSuchCommand(args[0], possibilities=COMMANDS, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for title, group in GROUPS.items():
            with formatter.section(title):
                rows = [(name.ljust(width), line) for name, (_, line) in group.items()]
                formatter.write_dl(rows)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", "-V", message="bpe %(version)s")
def cli() -> None:
    """Train BPE tokenizers, encode with those of real models, and count what tokens cost.

    `bpe COMMAND --help` has examples of each command.
    """


def main() -> NoReturn:
    try:
        code = cli.main(prog_name="bpe", standalone_mode=False)
        sys.stdout.flush()
    except (click.exceptions.Abort, KeyboardInterrupt):
        _leave(130)
    except RuntimeError as error:
        if isinstance(error.__context__, KeyboardInterrupt):  # as a lock was being released
            _leave(130)
        raise
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _leave(_BROKEN_PIPE)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except BPEError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    except OSError as error:
        where = f"“{error.filename}”: " if error.filename else ""
        click.echo(f"Error: {where}{error.strerror or error}.", err=True)
        sys.exit(2)
    sys.exit(code or 0)


def _leave(code: int) -> Any:
    """End at once: threads that compile or encode in the background are not waited for."""
    sys.stderr.flush()
    os._exit(code)

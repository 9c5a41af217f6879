"""Write what each command's --help says at the end of docs/cli.md.

With --check nothing is written; the exit code is 1 if the page is old::

    python -m docs.cli_reference [--check]
"""

import sys
from pathlib import Path

import click

from bpe.cli import COMMANDS, cli

PAGE = Path(__file__).with_name("cli.md")
HEAD = "## Reference\n"


def reference() -> str:
    """Return the section as it has to be."""
    parts = [f"{HEAD}\nWhat `bpe COMMAND --help` says.\n"]
    bpe = click.Context(
        cli, info_name="bpe", terminal_width=100, help_option_names=["-h", "--help"]
    )
    for name in COMMANDS:
        command = cli.get_command(bpe, name)
        said = command.get_help(click.Context(command, info_name=name, parent=bpe))
        parts.append(f"### bpe {name}\n\n```text\n{said}\n```\n")
    return "\n".join(parts)


def renewed(page: str) -> str:
    return page.partition(HEAD)[0] + reference()


if __name__ == "__main__":
    page = PAGE.read_text("utf-8")
    new = renewed(page)
    if sys.argv[1:] != ["--check"]:
        PAGE.write_text(new, "utf-8")
    elif page != new:
        sys.exit("The reference in docs/cli.md is old. Write it anew: make format")

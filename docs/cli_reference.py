"""What each command's --help says, as a page of the site, and a check of what other pages say.

Without an option it prints the page. With --check the exit code is 1 where a page names a command
or an option that there is not, or where docs/cli.md leaves a command out::

    python -m docs.cli_reference [--check]
"""

import re
import sys
from pathlib import Path

import click

from bpe.cli import COMMANDS, cli

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "cli.md"
PAGES = [*sorted(ROOT.glob("README*.md")), *sorted((ROOT / "docs").glob("*.md"))]

_CALL = re.compile(r"(?<!from )\bbpe ([a-z][a-z-]*)((?: |\\\n)(?:[^`\n\\]|\\\n?)*)?")
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
_GENERAL = {"--help", "--version"}


def _commands() -> dict[str, click.Command]:
    context = _context()
    return {name: cli.get_command(context, name) for name in COMMANDS}  # type: ignore[misc]


def _context() -> click.Context:
    return click.Context(
        cli, info_name="bpe", terminal_width=100, help_option_names=["-h", "--help"]
    )


def reference() -> str:
    """Return the page: the help of all commands."""
    parts = ["# All commands and their options\n\nWhat `bpe COMMAND --help` says.\n"]
    for name, command in _commands().items():
        text = command.get_help(click.Context(command, info_name=name, parent=_context()))
        parts.append(f"## bpe {name}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


def mistakes() -> list[str]:
    """Return what pages say of commands that is not so."""
    options = {
        name: {flag for each in command.params for flag in (*each.opts, *each.secondary_opts)}
        for name, command in _commands().items()
    }
    every = set().union(*options.values(), _GENERAL)
    found = []
    for page in PAGES:
        code = "\n".join(re.findall(r"```.*?```|`[^`\n]+`", page.read_text("utf-8"), re.S))
        for name, rest in _CALL.findall(code):
            if name not in options:
                found.append(f"{page.name}: there is no command “bpe {name}”")
                continue
            own = _OPTION.findall(rest.split(" | ")[0].split(";")[0])
            unknown = set(own) - options[name] - _GENERAL
            found += [f"{page.name}: “bpe {name}” has no {option}" for option in sorted(unknown)]
    text = PAGE.read_text("utf-8")
    found += [f"{PAGE.name}: no command has {each}" for each in set(_OPTION.findall(text)) - every]
    return found + [f"{PAGE.name}: “{name}” is left out" for name in options if name not in text]


if __name__ == "__main__":
    if sys.argv[1:] != ["--check"]:
        print(reference())
    elif found := mistakes():
        sys.exit("\n".join(found))

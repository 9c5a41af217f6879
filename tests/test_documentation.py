"""Every example of the documentation runs and prints what is written there."""

import ast
import contextlib
import doctest
import io
import json
import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import bpe
from bpe import pricing
from bpe.cli import COMMANDS
from bpe.sandbox import places
from docs import cli_reference
from tests.cli.running import run
from tests.each import each
from tests.test_architecture import FLOORS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text("utf-8"), re.S | re.M)


@pytest.mark.parametrize(
    ("name", "least"), [("library.md", 20), ("pricing.md", 6), ("production.md", 2)]
)
def test_the_examples_of_the_library_run(name, least, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(places.queue, "limits", places.limits())  # an example sets others
    example = doctest.DocTestParser().get_doctest(
        "".join(blocks(DOCS / name, "python")), {}, name, None, None
    )
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(example, out=said.append)
    assert "".join(said) == ""
    assert runner.tries > least


def test_the_examples_of_the_command_line_run(tmp_path):
    command = tmp_path / "bin" / "bpe"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bpe "$@"\n')
    command.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    checker = doctest.OutputChecker()
    for block in blocks(DOCS / "cli.md", "console"):
        for line, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
            name, *arguments = shlex.split(line)
            if name == "bpe" and "|" not in arguments:
                ran = run(*arguments, code=None, cwd=tmp_path)
                printed = ran.output + ran.errors
            else:
                done = subprocess.run(
                    line, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True
                )
                printed = done.stdout + done.stderr
            if printed and not printed.endswith("\n"):
                printed += "\n"
            assert checker.check_output(expected, printed, doctest.ELLIPSIS), f"{line}\n{printed}"


@pytest.mark.parametrize("path", [*DOCS.glob("*.md"), ROOT / "README.md", ROOT / "CHANGELOG.md"])
def test_links_lead_to_files_that_are_there(path):
    for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text("utf-8")):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("base", FLOORS)
def test_the_page_of_the_architecture_names_each_floor_in_its_order(base):
    page = (DOCS / "architecture.md").read_text("utf-8")
    table = page.split(f"| `{base}/` |")[1].split("\n\n")[0]
    first_column = " ".join(line.split("|")[1] for line in table.splitlines()[1:])
    assert tuple(re.findall(r"`(\w+)`", first_column)) == FLOORS[base]


@each(sorted((ROOT / "examples").glob("*.py")))
def test_each_example_runs_and_says_something(path):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        runpy.run_path(str(path))
    assert said.getvalue().strip()


def test_the_files_that_the_guide_for_contributors_names_are_there():
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8") + (DOCS / "reading.md").read_text("utf-8")
    named = set(re.findall(r"`((?:bpe|pages|playground|tests|docs)/[^`{ ]+)`", guide))
    made_by_reader = {"bpe/training/algorithms/whole_words.py", "playground/ui/CODE.po"}
    assert len(named) > 20
    assert [path for path in named - made_by_reader if not (ROOT / path).exists()] == []


def test_the_examples_have_strict_types(tmp_path):
    examples = doctest.DocTestParser().get_examples("".join(blocks(DOCS / "library.md", "python")))
    written = {
        "library": "".join(example.source for example in examples),
        "readme": "".join(blocks(ROOT / "README.md", "python")),
        "whole_words": blocks(ROOT / "CONTRIBUTING.md", "python")[0],
        "pricing": "from bpe import pricing\n"
        + "".join(f"pricing.{name}\n" for name in pricing.__all__)
        + "usage = pricing.Usage(input_tokens=100_000, output_tokens=1_000)\n"
        "print(pricing.cost(pricing.model('openai/gpt-5'), usage).total)\n",
        # Only a tokenizer that goes on from another one has merges that are new.
        "extended": "import bpe\n\n"
        'print(bpe.train(["low"], bpe.Recipe(merges=1), start="gpt2").training)\n',
    }
    for name, source in written.items():
        (tmp_path / f"{name}_examples.py").write_text(source, "utf-8")
    ruff = [sys.executable, "-m", "ruff", "check", "--config", ROOT / "pyproject.toml"]
    assert not subprocess.run([*ruff, tmp_path / "whole_words_examples.py"], check=False).returncode
    scripts = [*tmp_path.glob("*.py"), *(ROOT / "examples").glob("*.py")]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *scripts],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_pages_name_the_commands_and_options_that_there_are(tmp_path, monkeypatch):
    assert cli_reference.mistakes() == []
    page = tmp_path / "cli.md"
    page.write_text("`bpe count --vocab-size 3 a.txt`, `bpe fly`, `--wings`")
    monkeypatch.setattr(cli_reference, "PAGE", page)
    monkeypatch.setattr(cli_reference, "PAGES", [page])
    found = "\n".join(cli_reference.mistakes())
    for expected in ("“bpe count” has no --vocab-size", "“bpe fly”", "has --wings", "“train” is"):
        assert expected in found


def test_the_site_has_the_help_of_every_command():
    page = cli_reference.reference()
    assert all(f"## bpe {name}\n" in page for name in COMMANDS)
    assert "--vocab-size" in page


def run_cell(source: str, names: dict[str, object]) -> tuple[str, object]:
    """Run a cell of a notebook; return what it prints, and the value of its last line."""
    *before, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        before, last = [*before, last], ast.parse("None").body[0]
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(ast.Module(before, []), "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return said.getvalue(), value


def test_the_notebook_says_what_it_shows():
    notebook = json.loads((ROOT / "examples" / "tokens.ipynb").read_text("utf-8"))
    names: dict[str, object] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            said, value = run_cell("".join(cell["source"]), names)
            shown = [
                "".join(out.get("text") or out["data"]["text/plain"]) for out in cell["outputs"]
            ]
            assert shown == [text for text in (said, value is not None and repr(value)) if text]


@each(["README.md", "README.zh-CN.md"])
def test_the_first_lines_count_the_encodings_of_today(name):
    facts = bpe.encodings()
    exact = sum(entry.exactness == "exact" for entry in facts)
    numbers = re.findall(
        r"\b(?<!,)\d+(?= production| of them| 个)", (ROOT / name).read_text("utf-8")
    )
    assert numbers == [str(len(facts)), str(exact)]

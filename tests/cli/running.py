"""Commands as a shell runs them: in this process, or in one of their own."""

import io
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bpe.cli import main

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ran:
    """How a command ended, and what it wrote."""

    code: int
    raw: bytes
    errors: str

    @property
    def output(self) -> str:
        return self.raw.decode("utf-8", "replace")


def run(
    *arguments: object, stdin: str | bytes = b"", code: int | None = 0, cwd: Path = ROOT
) -> Ran:
    """Run a command that ends with ``code`` in this process, which has imported everything."""
    source = io.TextIOWrapper(io.BytesIO(_bytes(stdin)), "utf-8")
    output, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, source:
        patch.chdir(cwd)
        streams = {"stdin": source, "stdout": output, "stderr": errors}
        for name, value in {"argv": ["bpe", *map(str, arguments)], **streams}.items():
            patch.setattr(sys, name, value)
        with pytest.raises(SystemExit) as ended:
            main()
    raw, said = (stream.detach().getvalue() for stream in (output, errors))
    return _as_expected(Ran(ended.value.code, raw, said.decode()), code)


def run_process(*arguments: object, stdin: str | bytes = b"", code: int | None = 0) -> Ran:
    """Run a command as another program does."""
    done = subprocess.run(
        [sys.executable, "-m", "bpe", *map(str, arguments)],
        input=_bytes(stdin),
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    return _as_expected(Ran(done.returncode, done.stdout, done.stderr.decode()), code)


def said(*arguments: object, stdin: str | bytes = b"") -> Any:
    """Return the JSON object that a command prints."""
    return json.loads(run(*arguments, "--json", stdin=stdin).output)


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _as_expected(ran: Ran, code: int | None) -> Ran:
    assert code in (None, ran.code), ran.errors
    return ran

"""Files that a visitor might bring to do harm: each ends with a value or one clear sentence.

They are read one after the other by a process that has no more memory than a small server, and the
answers are looked at here.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import polib
import pytest

ROOT = Path(__file__).parents[1]
MEMORY = 3 * 2**30
"""Bytes of address space, of which kernels and libraries reserve more than a third."""

LIMITED = f"""
import resource
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
from fuzz import hostile_files
hostile_files.main()
"""


@pytest.fixture(scope="module")
def answers() -> list[tuple]:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def test_every_file_is_read_or_refused_by_our_own_error(answers):
    assert len(answers) >= 150
    assert [answer for answer in answers if answer[3] not in ("value", "refused")] == []


def test_what_must_be_refused_is_and_what_is_harmless_is_not(answers):
    expected = {True: "refused", False: "value"}
    assert [answer for answer in answers if expected.get(answer[2], answer[3]) != answer[3]] == []


def test_each_refusal_is_one_clear_sentence_in_both_languages(answers):
    chinese = {entry.msgid: entry.msgstr for entry in polib.pofile(ROOT / "playground/ui/zh.po")}
    for name, _reader, _refused, ended, template, values in answers:
        if ended != "refused":
            continue
        assert chinese.get(template), f"{name}: {template}"
        for said in (template.format(**values), chinese[template].format(**values)):
            assert len(said.replace(name, "")) < 700, said
            assert not re.search(r"Traceback|File \"|site-packages|\.py\b|0x[0-9a-f]{8}", said), (
                said
            )


def test_names_are_told_apart(answers):
    assert len({(name, reader) for name, reader, *_ in answers}) == len(answers)

"""``bpe explain-merges``: the first merge that differs, and why, in words and as JSON."""

import json

import pytest

import bpe
from tests.cli.running import run

TEXT = "low low lower lowest slow"
SAME = "merges in common: 4 of 4\n"


@pytest.fixture
def explained(tmp_path):
    def explain(*arguments: str, fmt="gpt2", **recipe) -> str:
        (tmp_path / "words.txt").write_text(TEXT, encoding="utf-8")
        theirs = tmp_path / ("theirs" if fmt == "gpt2" else "tokenizer.json")
        bpe.save(bpe.train([TEXT], bpe.Recipe(merges=4, **recipe)), theirs, format=fmt)
        merges = theirs / "merges.txt" if fmt == "gpt2" else theirs
        return run("explain-merges", tmp_path / "words.txt", "--theirs", merges, *arguments).output

    return explain


def test_the_same_merges_need_no_reason(explained):
    assert explained() == explained(fmt="huggingface") == SAME
    for rule in ("first-seen", "huggingface"):
        assert explained("--tie-break", rule, tie_break=rule) == SAME


def test_the_first_that_differs_and_the_reason_are_said(explained):
    lines = explained(tie_break="first-seen").splitlines()
    assert lines[:3] == [
        "merges in common: 0 of 4",
        "then here: o + w (seen here 5 times)",
        "then there: l + o (seen here 5 times)",
    ]
    assert "Of equally frequent pairs it takes the one seen first." in lines[3]
    facts = json.loads(explained("--json", tie_break="first-seen"))
    assert [facts[name] for name in ("same", "merges", "ours", "theirs")] == [
        0, 4, "o + w", "l + o"
    ]  # fmt: skip
    assert facts["reasons"] == [{"kind": "tie-break", "value": "first-seen"}]


@pytest.mark.parametrize(
    ("name", "content", "code", "words"),
    [
        ("vocab.json", "{}", 2, "Error: "),
        ("merges.txt", "z q\n", 0, "then there: z + q (seen here 0 times)"),
    ],
)
def test_a_file_without_merges_and_a_pair_that_does_not_occur(tmp_path, name, content, code, words):
    (tmp_path / name).write_text(content, encoding="utf-8")
    ran = run("explain-merges", "-", "--theirs", tmp_path / name, stdin=TEXT, code=code)
    assert words in ran.output + ran.errors

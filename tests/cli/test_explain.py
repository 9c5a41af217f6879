"""``bpe explain-merges``: the first merge that differs, and why, in words and as JSON."""

import json

import pyarrow
import pytest
from pyarrow import parquet

import bpe
from tests.cli.running import run, said

TEXT = "low low lower lowest slow"


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
    assert explained() == "merges in common: 4 of 4\n"
    assert explained(fmt="huggingface") == "merges in common: 4 of 4\n"


def test_the_first_that_differs_and_the_reason_are_said(explained):
    said = explained(tie_break="first-seen").splitlines()
    assert said[:3] == [
        "merges in common: 0 of 4",
        "then here: o + w (seen here 5 times)",
        "then there: l + o (seen here 5 times)",
    ]
    assert "Of equally frequent pairs it takes the one seen first." in said[3]


def test_a_recipe_that_is_said_is_no_reason(explained):
    assert explained("--tie-break", "first-seen", tie_break="first-seen") == (
        "merges in common: 4 of 4\n"
    )


def test_another_size_is_a_reason_for_other_lengths(explained):
    said = explained("--vocab-size", "258")
    assert "length: Its size leaves room for +2 merges" in said


def test_json_has_the_reasons_by_their_names(explained):
    said = json.loads(explained("--json", tie_break="first-seen"))
    assert (said["same"], said["merges"], said["ours"], said["theirs"]) == (0, 4, "o + w", "l + o")
    assert said["reasons"] == [{"kind": "tie-break", "value": "first-seen"}]


def test_a_file_without_merges_is_refused(tmp_path):
    (tmp_path / "vocab.json").write_text("{}", encoding="utf-8")
    arguments = ("-", "--merges", tmp_path / "vocab.json")
    assert "Error: " in run("explain-merges", *arguments, stdin="low", code=2).errors


def test_the_merges_of_hugging_face(explained):
    assert explained("--tie-break", "huggingface", tie_break="huggingface") == (
        "merges in common: 4 of 4\n"
    )


def test_a_pair_that_does_not_occur_is_named(tmp_path):
    (tmp_path / "merges.txt").write_text("z q\n", encoding="utf-8")
    said = run("explain-merges", "-", "--merges", tmp_path / "merges.txt", stdin=TEXT).output
    assert "It next joins z + q, which never stand side by side here" in said


def test_the_counts_that_another_program_was_given(tmp_path):
    counts, merges = str(tmp_path / "words.parquet"), tmp_path / "merges.txt"
    numbers = {b"ab": 2**31 + 8, b" cd": 9, b"ef": 2**32 + 10}
    table = pyarrow.table({"word": list(numbers), "count": list(numbers.values())})
    parquet.write_table(table, counts)
    merges.write_text("e f\nc d\n\u0120 cd\n", encoding="utf-8")
    asked = ("explain-merges", "--counts", counts, "--pattern", "gpt2", "--merges", merges)
    found = said(*asked)
    assert (found["same"], found["ours"], found["explained"]) == (1, "a + b", 3)
    assert {"kind": "wrapped", "value": ""} in [*found["reasons"], *found["also"]]
    assert "either of files or of --counts" in run(*asked, __file__, code=2).errors

"""``bpe explain-merges``: the first merge that differs, and why, in words and as JSON."""

import json

import pytest
from click.testing import CliRunner

import bpe
from bpe.cli.explain import explain_merges

TEXT = "low low lower lowest slow"


@pytest.fixture
def explained(tmp_path):
    def explain(*arguments: str, fmt="gpt2", **recipe) -> str:
        (tmp_path / "words.txt").write_text(TEXT, encoding="utf-8")
        theirs = tmp_path / ("theirs" if fmt == "gpt2" else "tokenizer.json")
        bpe.save(bpe.train([TEXT], bpe.Recipe(merges=4, **recipe)), theirs, format=fmt)
        merges = theirs / "merges.txt" if fmt == "gpt2" else theirs
        result = CliRunner().invoke(
            explain_merges, [str(tmp_path / "words.txt"), "--merges", str(merges), *arguments]
        )
        assert result.exit_code == 0, result.output
        return result.stdout

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
    arguments = ["-", "--merges", str(tmp_path / "vocab.json")]
    result = CliRunner().invoke(explain_merges, arguments, input="low")
    assert result.exit_code == 2
    assert "Error: " in result.output

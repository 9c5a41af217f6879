"""Tokens taken apart in a terminal: what the inspector of the browser shows."""

import pytest

import bpe
from bpe.algorithm.recipe import Merge, Recipe
from bpe.encoders.trained import Tokenizer
from tests.cli.running import run, said


@pytest.fixture
def own(tmp_path) -> str:
    """A tokenizer that has merged E4 B8 (seen 7 times), and 中 with a space in front of it."""
    recipe = Recipe(vocabulary_size=259, special_tokens=("<|end|>",), pattern="none")
    merges = (Merge(0xE4, 0xB8, 257, 7), Merge(0x20, 257, 258, 3))
    path = tmp_path / "own.json"
    bpe.save(Tokenizer(merges=merges, recipe=recipe, name="own"), path)
    return str(path)


def test_a_line_says_id_bytes_text_parts_and_merge(own):
    ran = run("inspect", "-t", own, "中 中!")
    assert ran.errors == ""
    assert ran.output.splitlines() == [
        "257  E4 B8     ⟨E4 B8⟩   1–2/3 中  merge 1: ⟨E4⟩ (228) + ⟨B8⟩ (184), seen 7 times",
        "173  AD        ⟨AD⟩      3/3 中    from the start",
        "258  20 E4 B8  ·⟨E4 B8⟩  1–2/3 中  merge 2: · (32) + ⟨E4 B8⟩ (257), seen 3 times",
        "173  AD        ⟨AD⟩      3/3 中    from the start",
        " 33  21        !                   from the start",
    ]


def test_json_has_every_fact_of_the_inspector(own):
    tokens = said("inspect", "-t", own, "中a中")["tokens"]
    assert [token["id"] for token in tokens] == [257, 173, 97, 257, 173]
    (character,) = tokens[1].pop("characters")
    assert character == {
        "position": 0, "character": "中", "code_point": "U+4E2D", "first_byte": 3, "last_byte": 3,
        "size": 3, "tokens": [0, 2], "mark": "3/3 中",
    }  # fmt: skip
    assert tokens[1] == {
        "index": 1, "id": 173, "bytes": "ad", "text": "⟨AD⟩", "kind": "part", "occurrences": 2,
        "made": {"rank": None, "count": None, "parts": []},
    }  # fmt: skip
    parts = [
        {"id": 0xE4, "bytes": "e4", "text": "⟨E4⟩"},
        {"id": 0xB8, "bytes": "b8", "text": "⟨B8⟩"},
    ]
    assert tokens[0]["made"] == {"rank": 1, "count": 7, "parts": parts}


def test_ids_are_inspected_without_a_text(own):
    (token,) = said("inspect", "-t", own, "--id", 258)["tokens"]
    assert (token["bytes"], token["kind"]) == ("20e4b8", "mixed")
    whole = said("inspect", "-t", own, "--id", 257, "--id", 173)
    assert whole["text"] == "中"
    assert [token["characters"][0]["mark"] for token in whole["tokens"]] == ["1–2/3 中", "3/3 中"]
    assert "special token" in run("inspect", "-t", own, "--id", 256).output


def test_the_facts_of_a_tokenizer(own):
    facts = said("inspect", "-t", "qwen3")
    assert facts["vendor"] == "Alibaba"
    assert "Qwen3" in facts["models"]
    assert (facts["vocabulary_size"], facts["exactness"]) == (151_669, "exact")
    lines = run("inspect", "-t", "qwen3").output.splitlines()
    assert {"vocabulary size: 151,669", "normalises: NFC", "lossy: no"} <= {*lines}
    facts = said("inspect", "-t", own)
    assert (facts["kind"], facts["special_tokens"]) == ("byte-level BPE", {"<|end|>": 256})
    assert facts["vendor"] is facts["models"] is facts["exactness"] is None


def test_a_tokenizer_without_merges_says_nothing_of_how(tmp_path):
    bpe.save(
        bpe.train(["ab"], Recipe(algorithm="wordpiece", vocabulary_size=9)), tmp_path / "t.json"
    )
    tokens = said("inspect", "-t", tmp_path / "t.json", "ab")["tokens"]
    assert {token["made"] for token in tokens} == {None}
    assert said("inspect", "-t", tmp_path / "t.json")["lossy"] is True


def test_a_changed_text_is_said_to_be_changed():
    assert "leading space" in run("inspect", "-t", "llama2", "hi").errors
    assert said("inspect", "-t", "qwen3", "e\u0301")["normal_form"] == "NFC"
    assert said("inspect", "-t", "o200k_base", "hi")["change"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--id", "5", "text"], "a text or token ids, not both"),
        (["--id", "99999999"], "no token id 99999999"),
        (["--id", "five"], "not a valid integer"),
        (["--id", "-1"], "no token id -1"),
        (["--id", "99999999999999999999"], "no token id 99999999999999999999"),
        (["-t", "gpt-99", "x"], "neither a file nor an encoding"),
    ],
)
def test_bad_input_is_one_sentence_and_code_2(arguments, message):
    ran = run("inspect", *arguments, code=2)
    assert ran.output == ""
    assert message in ran.errors

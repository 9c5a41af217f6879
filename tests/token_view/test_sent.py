"""What the browser gets of tokens: text, sizes, bytes that are none, and neighbours."""

import json

import bpe
from bpe.algorithm.recipe import Recipe
from bpe.analysis.merge_tree import Node
from bpe.analysis.segmentation import segment
from bpe.encoders import catalog
from playground.token_view import sent_made, sent_tokens
from tests.analysis.cuts import cut

ZHONG = "中".encode()


def test_a_window_has_the_text_the_sizes_and_the_ids_of_its_tokens():
    found = sent_tokens(cut(b"a", ZHONG, b"a", special_ids={1}), range(3), "mine")
    assert found == {
        "name": "mine",
        "space": "",
        "total": 3,
        "first": 0,
        "lead": 0,
        "count": 3,
        "ids": [0, 1, 0],
        "sizes": [1, 3, 1],
        "text": "a中a",
        "invalid": {},
        "special": [1],
        "counts": None,
    }
    assert json.loads(json.dumps(found)) == found


def test_tokens_beside_the_window_come_along_to_complete_its_characters():
    found = sent_tokens(cut(b"a", ZHONG[:1], ZHONG[1:2], ZHONG[2:], b"b"), range(2, 3), "")
    assert (found["first"], found["lead"], found["count"]) == (2, 1, 1)
    assert (found["text"], found["sizes"]) == ("中", [1, 1, 1])


def test_a_part_of_the_text_says_how_often_its_ids_stand_in_all_of_it():
    found = sent_tokens(cut(b"a", b"b", b"a", b"a"), range(2), "")
    assert found["counts"] == {"0": 3, "1": 1}


def test_bytes_that_are_no_character_are_told_from_a_replacement_character_of_the_text():
    found = sent_tokens(cut("é".encode(), b"\xe4\xb8", "�".encode(), b"\xff"), range(4), "")
    assert found["text"] == "é���"
    assert found["invalid"] == {"1": [0xE4, 0xB8], "3": [0xFF]}


def test_the_parts_of_a_token_have_their_ids_and_bytes():
    token = Node(ZHONG, 300, rank=7, parts=(Node(ZHONG[:2], None), Node(ZHONG[2:], 173)), count=9)
    more = [("qwen3", "7 + 9")]
    assert sent_made(token, 300, 1, [Node(b"a", 299)], more=more) == {
        "of": 1,
        "id": 300,
        "rank": 7,
        "count": 9,
        "parts": [
            {"id": None, "sizes": [2], "text": "�", "invalid": {"0": [0xE4, 0xB8]}},
            {"id": 173, "sizes": [1], "text": "�", "invalid": {"0": [0xAD]}},
        ],
        "near": [{"id": 299, "sizes": [1], "text": "a", "invalid": {}}],
        "more": more,
    }


def test_a_window_says_what_the_tokenizer_writes_for_a_space():
    recipe = Recipe(algorithm="character-bpe", vocabulary_size=20)
    words = bpe.train(["low lower"], recipe)
    assert sent_tokens(segment(words, "low"), range(1), "")["space"] == "</w>"
    llama = catalog.encoding("llama2")
    assert sent_tokens(segment(llama, "low"), range(1), "")["space"] == "▁"

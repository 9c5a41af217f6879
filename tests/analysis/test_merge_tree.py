"""The tree of a token is the one that training, the vendor's algorithm, or the file made."""

import random

import pytest

import bpe
from bpe.algorithm.recipe import Merge, Recipe
from bpe.analysis.merge_tree import LONGEST, Node, token_tree, word_trees
from bpe.encoders import catalog
from bpe.encoders.merge_models import RankedOrigins, bytes_of
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.text.readable import readable


def written(node: Node) -> str:
    """Write a tree in one line: `hug2(h ug1(u g))`."""
    parts = f"({' '.join(map(written, node.parts))})" if node.parts else "…" if node.cut else ""
    return readable(node.bytes) + (str(node.rank) if node.rank else "") + parts


def of_merges(*merges: tuple[int, int], specials: tuple[str, ...] = ()) -> Tokenizer:
    recipe = Recipe(vocabulary_size=256 + len(specials) + len(merges), special_tokens=specials)
    first = recipe.first_merge_id
    return Tokenizer(
        tuple(Merge(*pair, first + rank, 1) for rank, pair in enumerate(merges)), recipe
    )


H, U, G, S = b"hugs"
HUGS = of_merges((U, G), (H, 256), (257, S), (257, 257))


@pytest.mark.parametrize(
    ("token_id", "tree"),
    [
        (H, "h"),
        (256, "ug1(u g)"),
        (258, "hugs3(hug2(h ug1(u g)) s)"),
        (259, "hughug4(hug2(h ug1(u g)) hug2(h ug1(u g)))"),
    ],
)
def test_a_trained_token_is_taken_apart_into_its_merges(token_id, tree):
    assert written(token_tree(HUGS, token_id)) == tree


def test_a_word_is_a_row_of_trees_and_a_special_token_is_made_of_nothing():
    first, second, third = word_trees(HUGS, "hugsug!")
    assert (first.leaves, first.height) == (4, 3)
    assert b" ".join(node.bytes for node in first.nodes()) == b"hugs hug h ug u g s"
    assert (written(second), written(third)) == ("ug1(u g)", "!")
    tokenizer = of_merges((U, G), specials=("<|end|>",))
    assert token_tree(tokenizer, 256) == Node(b"<|end|>", 256)
    e4, b8, ad = "中".encode()
    tree = token_tree(of_merges((e4, b8), (256, ad)), 257)
    assert written(tree) == "中2(⟨E4 B8⟩1(⟨E4⟩ ⟨B8⟩) ⟨AD⟩)"


def test_a_tokenizer_without_merges_says_so():
    encoder = bpe.train(["ab"], Recipe(algorithm="wordpiece", vocabulary_size=9), name="pieces")
    with pytest.raises(BPEError, match="pieces has no merges"):
        token_tree(encoder, encoder.encode("ab")[0])


def test_a_large_tree_is_cut_level_by_level():
    doubled = of_merges((H, H), (256, 256), (257, 257))
    assert written(token_tree(doubled, 258, leaves=4)) == (
        "hhhhhhhh3(hhhh2(hh1… hh1…) hhhh2(hh1… hh1…))"
    )
    assert written(token_tree(doubled, 258, leaves=3)).count("…") == 3
    assert token_tree(doubled, 258, leaves=1).cut


def test_a_token_too_long_for_a_tree_says_so():
    long = of_merges((H, H), *((256 + n, 256 + n) for n in range(10)))
    assert len(long.token_bytes(266)) > LONGEST
    with pytest.raises(BPEError, match="2,048 bytes is too long"):
        token_tree(long, 266)


def test_character_tokens_are_made_of_characters_and_the_end_of_a_word():
    recipe = Recipe(algorithm="character-bpe", vocabulary_size=None, merges=4)
    tokenizer = bpe.train(["low low low lower"], recipe)
    trees = {written(tree) for tree in word_trees(tokenizer, "low")}
    assert any("(l o)" in tree or "(o w)" in tree for tree in trees)
    assert all(tree.bytes.endswith(b" ") for tree in word_trees(tokenizer, "low")[-1:])


@pytest.mark.parametrize("name", ["o200k_base", "deepseek_v3", "llama3"])
def test_production_tokens_have_the_parts_that_are_recovered_from_their_ranks(name):
    encoder = catalog.encoding(name)
    size = 3000  # the lowest ids, of which all merges are recovered at once
    lowest = {data: at for data, at in encoder.ranks.items() if at < size}
    recovered = {
        new: (left, right) for left, right, new in RankedOrigins(lowest, bytes_of).merges()
    }
    assert len(recovered) > size / 2
    for token_id in random.Random(name).sample(sorted(recovered), 300):
        parts = token_tree(encoder, token_id).parts
        assert tuple(part.id for part in parts) == recovered[token_id]


def test_every_tree_of_a_production_vocabulary_spells_its_token():
    for entry in catalog.encodings():
        encoder = catalog.encoding(entry.name)
        for data, token_id in random.Random(1).sample(list(encoder.ranks.items()), 200):
            tree = token_tree(encoder, token_id, leaves=10_000)
            ends = [node.bytes for node in tree.nodes() if not node.parts]
            assert b"".join(ends) == data
            assert tree.id == token_id


def test_the_ranks_of_the_catalogue_are_those_of_tiktoken_bytes_first():
    encoder = catalog.encoding("cl100k_base")
    assert token_tree(encoder, encoder.encode("  ")[0]).rank == 1  # id 256, the first merge
    assert encoder.ranks[b"!"] == 0
    the = written(token_tree(encoder, encoder.encode(" the")[0]))
    assert the == "·the24(·th15(·t4(· t) h) e)"  # ids 259, 270 and 279


@pytest.mark.parametrize(
    ("token", "parts", "rank"),
    [  # from the list of merges in DeepSeek's tokenizer.json
        (259, (223, 86), 1),
        (1258, (668, 70), 1_000),
        (50259, (378, 7597), 50_001),
        (100259, (2715, 233), 100_001),
        (127999, (6647, 53146), 127_741),
    ],
)
def test_ranks_count_merges_and_no_special_tokens(token, parts, rank):
    tree = token_tree(catalog.encoding("deepseek_v3"), token)
    assert (tuple(part.id for part in tree.parts), tree.rank) == (parts, rank)

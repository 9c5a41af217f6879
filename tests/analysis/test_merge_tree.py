"""A token is made of what training, the vendor's algorithm, or the file made it of."""

import random

import pytest

import bpe
from bpe.algorithm.recipe import Merge, Recipe
from bpe.analysis.merge_tree import LONGEST, made
from bpe.encoders import catalog
from bpe.encoders.base import Encoder, Symbol
from bpe.encoders.merge_models import RankedOrigins, bytes_of
from bpe.encoders.trained import Tokenizer
from bpe.text.readable import readable


def written(encoder: Encoder, symbol: Symbol) -> str:
    """Write how a symbol is made in one line: `hug2(h ug1(u g))`."""
    if (origin := encoder.made_of(symbol)) is None:
        return readable(symbol.bytes)
    parts = " ".join(written(encoder, part) for part in origin.parts)
    return f"{readable(symbol.bytes)}{origin.rank or ''}({parts})"


def tree(encoder: Encoder, token_id: int) -> str:
    return written(encoder, encoder.symbol(token_id))


def ends(encoder: Encoder, symbol: Symbol) -> bytes:
    origin = encoder.made_of(symbol)
    return b"".join(ends(encoder, part) for part in origin.parts) if origin else symbol.bytes


def of_merges(*merges: tuple[int, int], specials: tuple[str, ...] = ()) -> Tokenizer:
    recipe = Recipe(vocabulary_size=256 + len(specials) + len(merges), special_tokens=specials)
    first = recipe.first_merge_id
    return Tokenizer(
        tuple(Merge(*pair, first + rank, 1) for rank, pair in enumerate(merges)), recipe
    )


H, U, G, S = b"hugs"
HUGS = of_merges((U, G), (H, 256), (257, S), (257, 257))


@pytest.mark.parametrize(
    ("token_id", "expected"),
    [
        (H, "h"),
        (256, "ug1(u g)"),
        (258, "hugs3(hug2(h ug1(u g)) s)"),
        (259, "hughug4(hug2(h ug1(u g)) hug2(h ug1(u g)))"),
    ],
)
def test_a_trained_token_is_taken_apart_into_its_merges(token_id, expected):
    assert tree(HUGS, token_id) == expected


def test_a_special_token_a_piece_and_a_very_long_token_are_made_of_nothing_known():
    tokenizer = of_merges((U, G), specials=("<|end|>",))
    assert made(tokenizer, 256) is None
    e4, b8, ad = "中".encode()
    assert tree(of_merges((e4, b8), (256, ad)), 257) == "中2(⟨E4 B8⟩1(⟨E4⟩ ⟨B8⟩) ⟨AD⟩)"
    encoder = bpe.train(["ab"], Recipe(algorithm="wordpiece", vocabulary_size=9), name="pieces")
    assert made(encoder, encoder.encode("ab")[0]) is None
    long = of_merges((H, H), *((256 + n, 256 + n) for n in range(10)))
    assert len(long.token_bytes(266)) > LONGEST
    assert made(long, 266) is None


def test_character_tokens_are_made_of_characters_and_the_end_of_a_word():
    recipe = Recipe(algorithm="character-bpe", vocabulary_size=None, merges=4)
    tokenizer = bpe.train(["low low low lower"], recipe)
    ids = tokenizer.encode_ordinary("low")
    assert any("(l o)" in tree(tokenizer, each) or "(o w)" in tree(tokenizer, each) for each in ids)
    assert tokenizer.symbol(ids[-1]).bytes.endswith(b" ")


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
        parts = made(encoder, token_id).parts
        assert tuple(part.id for part in parts) == recovered[token_id]


def test_every_tree_of_a_production_vocabulary_spells_its_token():
    for entry in catalog.encodings():
        encoder = catalog.encoding(entry.name)
        for data, token_id in random.Random(1).sample(list(encoder.ranks.items()), 50):
            assert ends(encoder, encoder.symbol(token_id)) == data


def test_the_ranks_of_the_catalogue_are_those_of_tiktoken_bytes_first():
    encoder = catalog.encoding("cl100k_base")
    assert made(encoder, encoder.encode("  ")[0]).rank == 1  # id 256, the first merge
    assert encoder.ranks[b"!"] == 0
    the = tree(encoder, encoder.encode(" the")[0])
    assert the == "·the24(·th15(·t4(· t) h) e)"  # ids 259, 270 and 279


@pytest.mark.parametrize(
    ("token", "parts", "rank"),
    [  # from the list of merges in DeepSeek's tokenizer.json
        (259, (223, 86), 1),
        (1258, (668, 70), 1_000),
        (100259, (2715, 233), 100_001),
        (127999, (6647, 53146), 127_741),
    ],
)
def test_ranks_count_merges_and_no_special_tokens(token, parts, rank):
    node = made(catalog.encoding("deepseek_v3"), token)
    assert (tuple(part.id for part in node.parts), node.rank) == (parts, rank)

"""A training as data: the events of the fast learner are the rounds of the definition."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.algorithm import character
from bpe.algorithm.recipe import TIE_BREAKS, Recipe
from bpe.teaching.rounds import Change, Event, rounds
from bpe.teaching.walk import recount, walk

WORDS = {"low": 1, "lower": 1, "lowest": 1}


def characters(**options) -> Recipe:
    return Recipe(algorithm="character-bpe", **options)


def test_the_first_event_of_low_lower_lowest():
    training = rounds(WORDS, characters(merges=1))
    assert training.spelling == ("l", "o", "w", "</w>", "e", "r", "s", "t", "ow")
    assert [word.text for word in training.words] == ["low", "lower", "lowest"]
    assert [(word.start, word.end) for word in training.words] == [(0, 4), (4, 10), (10, 17)]
    assert training.symbols == (0, 1, 2, 3, 0, 1, 2, 4, 5, 3, 0, 1, 2, 4, 6, 7, 3)
    assert training.counts[:4] == ((0, 1, 3), (1, 2, 3), (2, 3, 1), (2, 4, 2))
    assert training.events == (
        Event(
            left=1,
            right=2,
            new=8,
            count=3,
            ties=1,
            tied=((0, 1),),
            places=(1, 5, 11),
            partners=(2, 6, 12),
            changes=(
                Change(1, 2, 3, 0),
                Change(0, 1, 3, 0),
                Change(0, 8, 0, 3),
                Change(2, 3, 1, 0),
                Change(8, 3, 0, 1),
                Change(2, 4, 2, 0),
                Change(8, 4, 0, 2),
            ),
            added=(8,),
            removed=(1, 2),
            vocabulary_size=7,
            recounted=14,
            visited=9,
        ),
    )


def test_the_same_round_written_out():
    (written,) = walk(rounds(WORDS, characters(merges=1)), top=3)
    assert (written.left, written.right, written.new, written.count) == ("o", "w", "ow", 3)
    assert written.tied == (("l", "o"),)
    assert written.before[0] == ("l", "o", "w", "</w>")
    assert written.after == (
        ("l", "ow", "</w>"),
        ("l", "ow", "e", "r", "</w>"),
        ("l", "ow", "e", "s", "t", "</w>"),
    )
    assert written.counts_before == (("o", "w", 3), ("l", "o", 3), ("w", "e", 2))
    assert written.counts_after == (("l", "ow", 3), ("ow", "e", 2), ("t", "</w>", 1))
    assert (written.added, written.removed) == (("ow",), ("o", "w"))
    assert set(written.vocabulary) == {"l", "</w>", "e", "r", "s", "t", "ow"}


def test_bytes_keep_their_ids_and_are_shown_as_characters():
    training = rounds({"看看".encode(): 1}, Recipe(special_tokens=("<s>",)))
    made = [(event.new, training.spelling[event.new]) for event in training.events]
    assert made == [(257, "⟨E7 9C⟩"), (258, "看"), (259, "看看")]
    assert training.words[0].text == "看看"
    assert [event.vocabulary_size for event in training.events] == [258, 259, 260]


small_words = st.dictionaries(
    st.text("ab中", min_size=1, max_size=10), st.integers(1, 4), max_size=6
)


@given(
    words=small_words,
    tie_break=st.sampled_from(TIE_BREAKS),
    end=st.sampled_from(["</w>", ""]),
    prune=st.booleans(),
    unknown=st.sampled_from([None, "<unk>"]),
    specials=st.sampled_from([(), ("<s>",), ("a",)]),
)
def test_characters_walked_and_recounted_are_the_same_rounds(
    words, tie_break, end, prune, unknown, specials
):
    options = characters(
        tie_break=tie_break,
        end_of_word=end,
        prune=prune,
        unknown=unknown,
        special_tokens=specials,
        min_frequency=2,
    )
    assert list(walk(rounds(words, options))) == list(recount(words, options))


@given(
    words=small_words,
    tie_break=st.sampled_from(TIE_BREAKS),
    least=st.integers(1, 3),
    specials=st.sampled_from([(), ("<s>", "</s>")]),
)
def test_bytes_walked_and_recounted_are_the_same_rounds(words, tie_break, least, specials):
    words = {word.encode(): count for word, count in words.items()}
    options = Recipe(tie_break=tie_break, min_frequency=least, merges=20, special_tokens=specials)
    assert list(walk(rounds(words, options))) == list(recount(words, options))


@given(words=small_words, tie_break=st.sampled_from(TIE_BREAKS))
def test_going_back_ends_where_it_began(words, tie_break):
    training = rounds(words, characters(tie_break=tie_break))
    symbols = list(training.symbols)
    counts = {(left, right): count for left, right, count in training.counts}
    for event in training.events:
        for place, partner in zip(event.places, event.partners, strict=True):
            symbols[place], symbols[partner] = event.new, -1
        for left, right, before, after in event.changes:
            assert counts.get((left, right), 0) == before
            counts[left, right] = after
    for event in reversed(training.events):
        for place, partner in zip(event.places, event.partners, strict=True):
            symbols[place], symbols[partner] = event.left, event.right
        for left, right, before, _ in event.changes:
            counts[left, right] = before
    assert tuple(symbols) == training.symbols
    assert {pair: n for pair, n in counts.items() if n} == {
        (a, b): n for a, b, n in training.counts
    }


@given(words=small_words)
def test_the_events_are_the_merges_of_the_learner(words):
    options = characters(tie_break="first-seen")
    training = rounds(words, options)
    merges = [
        (training.spelling[event.left], training.spelling[event.right], event.count)
        for event in training.events
    ]
    assert merges == [merge[:3] for merge in character.learn(words, options)]


def test_each_learner_looks_at_so_many_neighbours():
    words = {"a" * 10 + "bc" + "d" * 10: 1}
    (first, second, *_) = rounds(words, characters(end_of_word="")).events
    # Nine pairs of d stand in the word of 22 letters; five merges have nine neighbours.
    assert (first.recounted, first.visited) == (21, 9 + 5 + 4)
    assert second.recounted == 21 - 5


def test_it_is_json():
    words = {"看路".encode(): 2}
    values = rounds(words, Recipe(merges=1)).as_json()
    assert json.loads(json.dumps(values))["events"][0]["places"] == [3]
    assert json.loads(json.dumps(values))["recipe"]["merges"] == 1


def test_nothing_to_merge_is_no_event():
    assert rounds({}, characters()).events == ()
    assert list(walk(rounds({"a": 1}, characters(end_of_word="")))) == []


@pytest.mark.parametrize("top", [0, 1, 99])
def test_a_round_lists_as_many_counts_as_asked_for(top):
    (written,) = walk(rounds(WORDS, characters(merges=1)), top=top)
    assert len(written.counts_before) == min(top, 9)

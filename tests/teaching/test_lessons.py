"""The worked examples of the notes: what each figure says is what the algorithm gives."""

from itertools import islice

import pytest

from bpe.algorithm import character
from bpe.algorithm.basic import count_pairs, merge_pair
from bpe.algorithm.encoding_steps import by_rank, in_list_order, ranks_of
from bpe.algorithm.recipe import Recipe
from bpe.errors import BPEError
from bpe.teaching.codes import Coder, encode_bytes
from bpe.teaching.lessons import LESSONS, lesson
from bpe.teaching.rounds import rounds
from bpe.teaching.tables import tables
from bpe.teaching.walk import walk
from bpe.text.pretokenize import split
from bpe.text.readable import readable
from bpe.text.special_tokens import split_specials
from bpe.training.train import train


def given(code: str) -> list[str]:
    return [figure.given for figure in lesson(code).figures]


def written_rounds(code: str, top: int = 99):
    return list(walk(rounds(lesson(code).word_counts(), lesson(code).recipe), top=top))


def pairs(rows, *names: str, times: int | None = None) -> str:
    """Write pairs with their counts as the figures do: the named ones, or the first so many."""
    spelled = [f"{left} {right} {count}" for left, right, count in rows]
    if not names:
        return ", ".join(spelled[:times])
    return ", ".join(row for name in names for row in spelled if row.startswith(name + " "))


def parts(pieces) -> str:
    return " | ".join(readable(piece.encode()) for piece in pieces)


def encoded(word: str, merges) -> str:
    steps = list(in_list_order([*word, "</w>"], merges))
    return " ".join(steps[-1].after if steps else [*word, "</w>"])


def test_six_lines():
    first, second, third, *_ = done = written_rounds("six-lines")
    sizes = [len(written.vocabulary) for written in done]
    initial = character.initial_vocabulary(
        lesson("six-lines").word_counts(), lesson("six-lines").recipe
    )
    own = [(written.left, written.right) for written in done]
    assert given("six-lines") == [
        str(len(initial)),
        pairs(first.counts_before, times=7),
        pairs(second.counts_before, times=6),
        pairs(third.counts_before, times=5),
        ", ".join(map(str, sizes[:3])),
        str(sizes[-1]),
        " ".join(character.apply_merges("lower", own)),
    ]
    assert third.removed == ("u",)
    assert encoded("lower", own) == "l o w er</w>"
    tokenizer = train([lesson("six-lines").text], lesson("six-lines").recipe)
    assert tokenizer.vocabulary_size == 25


def test_word_list():
    coder = Coder("words", lesson("word-list").word_list, unknown=None)
    assert given("word-list") == [str(coder.encode(lesson("word-list").text))]


def test_utf_8():
    assert given("utf-8") == [str(encode_bytes(lesson("utf-8").text))]


def test_hello_helo():
    text = lesson("hello-helo").text
    first, second = written_rounds("hello-helo")
    assert given("hello-helo") == [
        str(encode_bytes(text)),
        pairs(first.counts_before, "e l", "l o", "H e", "l l"),
        f"{first.left} {first.right} → {first.new_number}",
        pairs(second.counts_before, "e l", "e lo", "lo ·"),
        parts(split(text, "gpt2")),
    ]


def test_intj_tech():
    example = lesson("intj-tech")
    chunks = [part for part, _ in split_specials(example.text, example.recipe.special_tokens)]
    before, after = islice(tables(example.text, example.recipe), 2)
    positions = {row[:2]: row[2] for row in before.tables.positions}
    last = len(before.tables.places) - 1
    left, right, new, _ = after.merge
    assert given("intj-tech") == [
        parts(chunks),
        parts(split(chunks[0], "gpt2")),
        ", ".join(map(str, positions[ord("i"), ord("n")])),
        f"{before.spelling[left]} {before.spelling[right]} → {new}",
        f"{last} {before.spelling[before.tables.places[last].symbol]}",
    ]


def test_tech_ranks():
    ranks = {(left, right): rank for left, right, rank in lesson("tech-ranks").ranks}
    steps = list(by_rank(lesson("tech-ranks").text, ranks_of(ranks)))
    assert given("tech-ranks") == [
        ", ".join(" ".join(map(str, step.ranks)) for step in steps),
        ", ".join(" ".join(readable(symbol.encode()) for symbol in step.after) for step in steps),
    ]


def test_hug_by_the_table():
    example = lesson("hug-table")
    done = written_rounds("hug-table")
    assert given("hug-table") == [
        " ".join(character.initial_vocabulary(example.counts, example.recipe)),
        ", ".join(str(len(written.vocabulary)) for written in done),
        " ".join(done[0].vocabulary),
        ", ".join(written.new for written in done),
    ]


def test_hug_by_the_code():
    done = written_rounds("hug-code")
    assert given("hug-code") == [", ".join(written.new for written in done)]


@pytest.mark.parametrize("tie_break", ["lexicographic", "first-seen", "smallest-ids"])
def test_no_rule_gives_the_four_merges_that_the_table_prints(tie_break):
    example = lesson("hug-table")
    options = Recipe(
        algorithm="character-bpe", merges=4, tie_break=tie_break, end_of_word="", prune=False
    )
    made = [merge.new for merge in character.learn(example.counts, options)]
    assert ", ".join(made) != example.figures[3].printed


def test_low_lower_lowest():
    example = lesson("low-lower-lowest")
    done = written_rounds("low-lower-lowest")
    initial = character.initial_vocabulary(example.word_counts(), example.recipe)
    assert given("low-lower-lowest") == [
        ", ".join(" ".join(symbols) for symbols in done[0].before),
        " ".join(sorted(initial)),
        pairs(done[0].counts_before, "o w", "l o", "w e", "w </w>"),
        ", ".join(written.new for written in done[:2]),
    ]


def test_low_apples():
    example = lesson("low-apples")
    done = written_rounds("low-apples")
    learned = [(written.left, written.right) for written in done]
    assert given("low-apples") == [
        ", ".join(f"{written.new} {written.count}" for written in done),
        encoded("lower", learned),
        encoded("lower", example.merges),
        encoded("apple", learned),
    ]


def test_the_merges_that_the_note_prints_are_not_those_of_the_counts():
    symbols = [([*word, "</w>"], 1) for word in lesson("low-apples").counts]
    merged = [(merge_pair(word, ("o", "w"), "ow"), n) for word, n in symbols]
    counts = count_pairs(merged)
    assert (counts["l", "ow"], counts["ow", "e"]) == (3, 2)


def test_own_merges():
    example = lesson("own-merges")
    symbols = encoded(example.text, example.merges)
    assert given("own-merges") == [symbols, symbols.replace(" ", "").removesuffix("</w>")]


@pytest.mark.parametrize("entry", LESSONS, ids=lambda entry: entry.code)
def test_where_a_note_prints_something_else_the_figure_says_why(entry):
    assert entry.figures
    for figure in entry.figures:
        if figure.differs or figure.printed is None:
            assert figure.why


def test_the_figures_in_which_the_notes_err():
    differing = [
        (entry.code, figure.printed)
        for entry in LESSONS
        for figure in entry.figures
        if figure.differs
    ]
    assert differing == [
        ("hello-helo", "e l 1, e lo 1, lo · 2"),
        ("intj-tech", "96 ·"),
        ("hug-table", "ug h p n b"),
        ("hug-table", "ug, un, pug, pun"),
        ("hug-code", "ug, un, pug, pun"),
        ("low-lower-lowest", "o w 3, l o 1, w e 2, w </w> 1"),
        ("low-lower-lowest", "ow, owe"),
        ("low-apples", "ow 3, owe 2, low 3"),
        ("low-apples", "low e r </w>"),
        ("low-apples", "a p p l e </w>"),
        ("own-merges", "low e s t </w>"),
    ]


def test_an_unknown_example_is_an_error():
    with pytest.raises(BPEError, match="no example “x”"):
        lesson("x")

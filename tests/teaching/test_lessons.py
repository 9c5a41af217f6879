"""The worked examples of the notes: what each figure says is what the algorithm gives."""

from dataclasses import replace
from itertools import islice
from types import SimpleNamespace

import pytest

import bpe
from bpe.algorithm import basic, character
from bpe.algorithm.basic import count_pairs, merge_pair
from bpe.algorithm.encoding_steps import by_rank, in_list_order, ranks_of
from bpe.algorithm.recipe import Recipe
from bpe.analysis.merge_tree import readable_merge
from bpe.teaching.lessons import LESSONS, split_words
from bpe.teaching.tables import tables
from bpe.text.pretokenize import split
from bpe.text.readable import readable
from bpe.text.special_tokens import split_specials


def given(code: str) -> list[str]:
    return [figure.given for figure in LESSONS[code].figures]


def rounds_of(code: str) -> list[SimpleNamespace]:
    """Write out a training of characters by the definition: everything is counted again.

    The words and pairs of a round are those before its merge, the vocabulary is that after it.
    """
    counts, recipe = LESSONS[code].word_counts(), LESSONS[code].recipe
    words = [([*word, *filter(None, [recipe.end_of_word])], n) for word, n in counts.items()]
    vocabulary = dict.fromkeys(character.initial_vocabulary(counts, recipe))
    done = []
    for step in character.learn(counts, recipe):
        listed, spelled = _ranked(words, recipe.tie_break), [" ".join(word) for word, _ in words]
        assert listed[0] == (step.left, step.right, step.count)
        vocabulary = {s: None for s in [*vocabulary, step.new] if s not in step.removed}
        words = [(merge_pair(word, (step.left, step.right), step.new), n) for word, n in words]
        seen = {"words": spelled, "pairs": listed, "vocabulary": (*vocabulary,), "new": step.new}
        done.append(SimpleNamespace(**step._asdict(), **seen))
    return done


def _ranked(words, tie_break: str) -> list[tuple[str, str, int]]:
    """Return the pairs with their counts in the order in which they would be chosen."""
    rows = [(*pair, count) for pair, count in count_pairs(words).items()]
    if tie_break == "lexicographic":
        rows.sort(reverse=True)
    return sorted(rows, key=lambda row: -row[2])


def pairs(rows, *names: str, times: int | None = None) -> str:
    """Write pairs with their counts as the figures do: the named ones, or the first so many."""
    spelled = [
        f"{readable(left.encode())} {readable(right.encode())} {count}"
        for left, right, count in rows
    ]
    if not names:
        return ", ".join(spelled[:times])
    return ", ".join(row for name in names for row in spelled if row.startswith(name + " "))


def parts(pieces) -> str:
    return " | ".join(readable(piece.encode()) for piece in pieces)


def encoded(word: str, merges) -> str:
    steps = list(in_list_order([*word, "</w>"], merges))
    return " ".join(steps[-1].after if steps else [*word, "</w>"])


def test_six_lines():
    first, second, third, *_ = done = rounds_of("six-lines")
    sizes = [len(written.vocabulary) for written in done]
    example = LESSONS["six-lines"]
    initial = character.initial_vocabulary(example.word_counts(), example.recipe)
    own = [(written.left, written.right) for written in done]
    assert given("six-lines") == [
        str(len(initial)),
        pairs(first.pairs, times=7),
        pairs(second.pairs, times=6),
        pairs(third.pairs, times=5),
        ", ".join(map(str, sizes[:3])),
        str(sizes[-1]),
        " ".join(character.apply_merges("lower", own)),
    ]
    assert third.removed == ("u",)
    assert encoded("lower", own) == "l o w er</w>"
    assert bpe.train([example.text], example.recipe).vocabulary_size == 25


def test_word_list_and_utf_8():
    example = LESSONS["word-list"]
    words = split_words(example.text)
    assert given("word-list") == [str([example.word_list.index(word) for word in words])]
    assert given("utf-8") == [str(list(LESSONS["utf-8"].text.encode()))]


def test_hello_helo():
    text = LESSONS["hello-helo"].text
    vocabulary = [bytes([byte]) for byte in range(256)]
    (left, right, new, _), *_ = basic.train({text.encode(): 1}, vocabulary, 257)
    lo = chr(left) + chr(right)
    first, second = (_ranked([(row, 1)], "") for row in ([*text], merge_pair(text, (*lo,), lo)))
    assert given("hello-helo") == [
        str(list(text.encode())),
        pairs(first, "e l", "l o", "H e", "l l"),
        f"{lo[0]} {lo[1]} → {new}",
        pairs(second, "e l", "e lo", "lo ·"),
        parts(split(text, "gpt2")),
    ]


def test_intj_tech():
    example = LESSONS["intj-tech"]
    chunks = [part for part, _ in split_specials(example.text, example.recipe.special_tokens)]
    before, after = islice(tables(example.text, example.recipe), 2)
    positions = {row[:2]: row[2] for row in before.positions}
    last = len(before.places) - 1
    left, right, new, _ = after.merge
    assert given("intj-tech") == [
        parts(chunks),
        parts(split(chunks[0], "gpt2")),
        ", ".join(map(str, positions[ord("i"), ord("n")])),
        f"{before.spelling[left]} {before.spelling[right]} → {new}",
        f"{last} {before.spelling[before.places[last][0]]}",
    ]


def test_tech_ranks():
    ranks = {(left, right): rank for left, right, rank in LESSONS["tech-ranks"].ranks}
    steps = list(by_rank(LESSONS["tech-ranks"].text, ranks_of(ranks)))
    assert given("tech-ranks") == [
        ", ".join(" ".join(map(str, step.ranks)) for step in steps),
        ", ".join(" ".join(readable(symbol.encode()) for symbol in step.after) for step in steps),
    ]


def test_hug_by_the_table_and_by_the_code():
    example = LESSONS["hug-table"]
    done = rounds_of("hug-table")
    assert given("hug-table") == [
        " ".join(character.initial_vocabulary(example.counts, example.recipe)),
        ", ".join(str(len(written.vocabulary)) for written in done),
        " ".join(done[0].vocabulary),
        ", ".join(written.new for written in done),
    ]
    assert given("hug-code") == [", ".join(written.new for written in rounds_of("hug-code"))]


@pytest.mark.parametrize("tie_break", ["lexicographic", "first-seen", "smallest-ids"])
def test_no_rule_gives_the_four_merges_that_the_table_prints(tie_break):
    example = LESSONS["hug-table"]
    recipe = replace(TEXTBOOK, merges=4, tie_break=tie_break, end_of_word="")
    made = [merge.new for merge in character.learn(example.counts, recipe)]
    assert ", ".join(made) != example.figures[3].printed


def test_low_lower_lowest():
    example = LESSONS["low-lower-lowest"]
    done = rounds_of("low-lower-lowest")
    initial = character.initial_vocabulary(example.word_counts(), example.recipe)
    assert given("low-lower-lowest") == [
        ", ".join(done[0].words),
        " ".join(sorted(initial)),
        pairs(done[0].pairs, "o w", "l o", "w e", "w </w>"),
        ", ".join(written.new for written in done[:2]),
    ]


def test_low_apples():
    example = LESSONS["low-apples"]
    done = rounds_of("low-apples")
    learned = [(written.left, written.right) for written in done]
    assert given("low-apples") == [
        ", ".join(f"{written.new} {written.count}" for written in done),
        encoded("lower", learned),
        encoded("lower", example.merges),
        encoded("apple", learned),
    ]


def test_the_merges_that_the_note_prints_are_not_those_of_the_counts():
    symbols = [([*word, "</w>"], 1) for word in LESSONS["low-apples"].counts]
    merged = [(merge_pair(word, ("o", "w"), "ow"), n) for word, n in symbols]
    counts = count_pairs(merged)
    assert (counts["l", "ow"], counts["ow", "e"]) == (3, 2)


def test_own_merges():
    example = LESSONS["own-merges"]
    symbols = encoded(example.text, example.merges)
    assert given("own-merges") == [symbols, symbols.replace(" ", "").removesuffix("</w>")]


@pytest.mark.parametrize("entry", LESSONS.values(), ids=lambda entry: entry.code)
def test_where_a_note_prints_something_else_the_figure_says_why(entry):
    assert entry.figures
    for figure in entry.figures:
        if figure.differs or figure.printed is None:
            assert figure.why


# What well-known courses print of their examples; here are only their words and the counts.

HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
LOWEST = {"low": 5, "lower": 2, "widest": 3, "newest": 6}
TOKENIZERS = {
    "This": 3, " is": 2, " the": 1, " Hugging": 1, " Face": 1, " Course": 1, ".": 4, " chapter": 1,
    " about": 1, " tokenization": 1, " section": 1, " shows": 1, " several": 1, " tokenizer": 1,
    " algorithms": 1, "Hopefully": 1, ",": 1, " you": 1, " will": 1, " be": 1, " able": 1, " to": 1,
    " understand": 1, " how": 1, " they": 1, " are": 1, " trained": 1, " and": 1, " generate": 1,
    " tokens": 1,
}  # fmt: skip
ANIMALS = {
    "这只猫": 1, "🐈": 1, "很可爱": 1, "the": 2, " ": 8, "quick": 1, "brown": 1, "fox": 1,
    "jumps": 1, "over": 1, "lazy": 1,
}  # fmt: skip
TEXTBOOK = Recipe(algorithm="character-bpe", tie_break="first-seen", prune=False)
WORDPIECE = Recipe(algorithm="wordpiece", score="likelihood", tie_break="first-seen")
COURSES = {
    "Hugging Face, 6.5, the table": (
        HUGS, replace(TEXTBOOK, merges=3, end_of_word="", unknown="[UNK]"),
        "ug 20, un 16, hug 15",
    ),
    "Hugging Face, 6.5, the code": (
        TOKENIZERS, Recipe(merges=19, tie_break="first-seen"),
        "·t, is, er, ·a, ·to, en, Th, This, ou, se, ·tok, ·token, nd, ·is, ·th, ·the, in, ·ab, "
        "·tokeni",
    ),
    # Printed: hug, with the score 1/15, which is that of hugs; hug has 2/45.
    "Hugging Face, 6.6, the table": (HUGS, replace(WORDPIECE, merges=3), "##gs, hu, hugs"),
    "Hugging Face, 6.6, the code": (
        {word.strip(): count for word, count in TOKENIZERS.items()}, replace(WORDPIECE, merges=25),
        "ab, ##fu, Fa, Fac, ##ct, ##ful, ##full, ##fully, Th, ch, ##hm, cha, chap, chapt, ##thm, "
        "Hu, Hug, Hugg, sh, th, is, ##thms, ##za, ##zat, ##ut",
    ),
    "hello-agents, chapter 3": (
        dict.fromkeys(["hug", "pug", "pun", "bun"], 1), replace(TEXTBOOK, merges=4),
        "ug, ug</w>, un, un</w>",
    ),
    "diy-llm, chapter 2": (
        ANIMALS, replace(TEXTBOOK, merges=20),
        " </w>, th, the, the</w>, 这只, 这只猫, 这只猫</w>, 🐈</w>, 很可, 很可爱, 很可爱</w>, qu, "
        "qui, quic, quick, quick</w>, br, bro, brow, brown",
    ),
    "CS336, assignment 1": (
        LOWEST, Recipe(merges=12),
        "st, est, ow, low, west, ne, newest, wi, wid, widest, lowe, lower",
    ),
    "minbpe": (
        {"aaabdaaabac": 1}, Recipe(merges=3, pattern="none", tie_break="first-seen"),
        "aa, aaa, aaab",
    ),
}  # fmt: skip


@pytest.mark.parametrize("course", COURSES)
def test_the_merges_that_courses_print(course):
    counts, recipe, printed = COURSES[course]
    tokenizer = bpe.train(counts, recipe)
    merges = tokenizer.training.merges
    made = [readable_merge(tokenizer, merge)[2] for merge in merges]
    counted = [f"{new} {merge.count}" for new, merge in zip(made, merges, strict=True)]
    assert printed in (", ".join(made), ", ".join(counted))


def test_the_texts_that_courses_encode():
    def cut(course, *texts):
        counts, recipe, _printed = COURSES[course]
        tokenizer = bpe.train(counts, recipe)
        return [[readable(tokenizer.token_bytes(n)) for n in tokenizer.encode(text)]
                for text in texts]  # fmt: skip

    assert cut("Hugging Face, 6.5, the table", "bug", "mug", "thug", "unhug") == [
        ["b", "ug"], ["[UNK]", "ug"], ["[UNK]", "hug"], ["un", "hug"],
    ]  # fmt: skip
    assert cut("Hugging Face, 6.6, the code", "Hugging", "HOgging") == [
        ["Hugg", "i", "n", "g"], ["[UNK]"],
    ]  # fmt: skip
    assert cut("Hugging Face, 6.5, the code", "This is not a token.") == [
        ["This", "·is", "·", "n", "o", "t", "·a", "·token", "."]
    ]
    assert bpe.train(*COURSES["minbpe"][:2]).encode("aaabdaaabac") == [258, 100, 258, 97, 99]
    merges = [(b"t", b"h"), (b" ", b"c"), (b" ", b"a"), (b"th", b"e"), (b" a", b"t")]
    vocabulary = [b" ", b"a", b"c", b"e", b"h", b"t", *map(b"".join, merges)]
    ids = [
        vocabulary.index(symbol)
        for piece in ("the", " cat", " ate")
        for symbol in basic.encode(
            [bytes([byte]) for byte in piece.encode()], {pair: b"".join(pair) for pair in merges}
        )
    ]
    assert ids == [9, 7, 1, 5, 10, 3]  # CS336
    text = "It's so supercalifragilisticexpialidocious!👋👋"
    pieces = list(split(text, r"regex:\p{L}+|\p{N}+|[^\p{L}\p{N}\s]+|\s+"))
    assert len(text.encode()) / len(pieces) == 6.375  # diy-llm

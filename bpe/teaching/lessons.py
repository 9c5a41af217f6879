"""The worked examples of course notes: their texts, their recipes, and the figures they print.

Where a note prints what its own algorithm does not give, the figure says both, and why. Titles and
sentences are those of an interface, which has them in other languages too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bpe.algorithm import character
from bpe.algorithm.recipe import Recipe
from bpe.errors import BPEError, translatable
from bpe.text import pretokenize


@dataclass(frozen=True)
class Figure:
    """Something that a note prints, and what the algorithm gives."""

    what: str
    given: str
    """By the algorithm, on the text and the recipe of the lesson."""
    printed: str | None
    """By the note; ``None`` where it leaves it to the reader."""
    why: str = ""
    """Why they differ, where they do; or what to see where nothing is printed."""

    @property
    def differs(self) -> bool:
        """Whether the note prints something else."""
        return self.printed is not None and self.printed != self.given


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A worked example: what it starts from, and its figures. What it does not need is empty."""

    code: str
    title: str
    text: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Words with their numbers of occurrences, where the note gives no text."""
    recipe: Recipe | None = None
    word_list: tuple[str, ...] = ()
    """A vocabulary of whole words; the number of each is its place."""
    merges: tuple[tuple[str, str], ...] = ()
    """A list of merges to encode by, in its order."""
    ranks: tuple[tuple[str, str, int], ...] = ()
    """Pairs with the ranks that a large tokenizer has for them."""
    figures: tuple[Figure, ...] = ()

    def word_counts(self) -> Mapping[Any, int]:
        """Return the words that the recipe trains on: texts of characters, or bytes."""
        if self.recipe is None or self.counts:
            return self.counts
        if self.recipe.of_bytes:
            return pretokenize.count_words(
                [self.text],
                self.recipe.pattern,
                special_tokens=self.recipe.special_tokens,
                normalisation=self.recipe.normalisation,
            )
        return character.count_words([self.text], self.recipe)


_END = "<|endoftext|>"

LESSONS: tuple[Lesson, ...] = (
    Lesson(
        code="six-lines",
        title=translatable("Six lines of related words"),
        text="low lower lowest\n"
        "play played playing player\n"
        "happy happier happiest\n"
        "running runs runner\n"
        "international internationalization internationalize\n"
        "understanding misunderstand misunderstanding",
        recipe=Recipe(
            algorithm="character-bpe",
            tie_break="first-seen",
            vocabulary_size=25,
            min_frequency=2,
        ),
        figures=(
            Figure(translatable("Entries before the first merge"), "19", "19"),
            Figure(
                translatable("The most frequent pairs at first"),
                "e r 10, i n 7, u n 6, n a 6, n d 6, s t 5, r </w> 4",
                "e r 10, i n 7, u n 6, n a 6, n d 6, s t 5, r </w> 4",
            ),
            Figure(
                translatable("The most frequent pairs after the first merge"),
                "i n 7, u n 6, n a 6, n d 6, s t 5, er </w> 4",
                "i n 7, u n 6, n a 6, n d 6, s t 5, er </w> 4",
            ),
            Figure(
                translatable("The most frequent pairs after the second merge"),
                "u n 6, n a 6, n d 6, s t 5, er </w> 4",
                "u n 6, n a 6, n d 6, s t 5, er </w> 4",
            ),
            Figure(
                translatable("Entries after each of the first three merges"),
                "20, 21, 21",
                "20, 21, 21",
                translatable("With “un” the last “u” that stood on its own is gone: it leaves."),
            ),
            Figure(translatable("Entries at the end"), "25", "25"),
            Figure(
                translatable("“lower”, encoded by the tutorial's function"),
                "l o w er",
                None,
                translatable(
                    "The function puts no </w> behind the word, so no merge with </w> can apply. "
                    "With it the end would be “er</w>”."
                ),
            ),
        ),
    ),
    Lesson(
        code="word-list",
        title=translatable("A number for each word"),
        text="Hello helo, I'm",
        word_list=("Hello", " ", "helo", ",", "I'm"),
        figures=(
            Figure(translatable("The text as numbers"), "[0, 1, 2, 3, 1, 4]", "[0, 1, 2, 3, 1, 4]"),
        ),
    ),
    Lesson(
        code="utf-8",
        title=translatable("A number for each byte"),
        text="hello,你好",
        figures=(
            Figure(
                translatable("The text as numbers"),
                "[104, 101, 108, 108, 111, 44, 228, 189, 160, 229, 165, 189]",
                "[104, 101, 108, 108, 111, 44, 228, 189, 160, 229, 165, 189]",
            ),
        ),
    ),
    Lesson(
        code="hello-helo",
        title=translatable("One sentence, not pre-tokenized"),
        text="Hello helo, I'm",
        recipe=Recipe(pattern="none", merges=2),
        figures=(
            Figure(
                translatable("The text as numbers"),
                "[72, 101, 108, 108, 111, 32, 104, 101, 108, 111, 44, 32, 73, 39, 109]",
                "[72, 101, 108, 108, 111, 32, 104, 101, 108, 111, 44, 32, 73, 39, 109]",
            ),
            Figure(
                translatable("Some pairs at first"),
                "e l 2, l o 2, H e 1, l l 1",
                "e l 2, l o 2, H e 1, l l 1",
            ),
            Figure(translatable("The first merge"), "l o → 256", "l o → 256"),
            Figure(
                translatable("Some pairs after the first merge"),
                "e l 1, e lo 1, lo · 1",
                "e l 1, e lo 1, lo · 2",
                translatable(
                    "Behind the second “lo” stands a comma, so “lo” and a space meet only once."
                ),
            ),
            Figure(
                translatable("Its pre-tokens by GPT-2's pattern"),
                "Hello | ·helo | , | ·I | 'm",
                "Hello | ·helo | , | ·I | 'm",
            ),
        ),
    ),
    Lesson(
        code="intj-tech",
        title=translatable("A small corpus with special tokens"),
        text=f"intj intj intj intj intj tech tech{_END}\n\nHéllò hôw {_END}{_END} are ü?",
        recipe=Recipe(special_tokens=(_END,)),
        figures=(
            Figure(
                translatable("The text cut at special tokens"),
                f"intj·intj·intj·intj·intj·tech·tech | {_END} | ⏎⏎Héllò·hôw· | {_END} | {_END} | "
                "·are·ü?",
                f"intj·intj·intj·intj·intj·tech·tech | {_END} | ⏎⏎Héllò·hôw· | {_END} | {_END} | "
                "·are·ü?",
            ),
            Figure(
                translatable("The pre-tokens of the first part"),
                "intj | ·intj | ·intj | ·intj | ·intj | ·tech | ·tech",
                "intj | ·intj | ·intj | ·intj | ·intj | ·tech | ·tech",
            ),
            Figure(
                translatable("Where “i” stands before “n”"), "0, 5, 10, 15, 20", "0, 5, 10, 15, 20"
            ),
            Figure(translatable("The first merge"), "t j → 257", "t j → 257"),
            Figure(
                translatable("The last place of the text"),
                "95 ?",
                "96 ·",
                translatable(
                    "The table was made of a text with a space at its end, which the printed text "
                    "has not."
                ),
            ),
        ),
    ),
    Lesson(
        code="tech-ranks",
        title=translatable("One word, encoded by rank"),
        text=" tech",
        ranks=(
            (" ", "t", 0),
            ("c", "h", 98),
            (" t", "e", 287),
            ("t", "e", 465),
            ("e", "c", 505),
            ("e", "ch", 2614),
            (" te", "ch", 5739),
        ),
        figures=(
            Figure(
                translatable("The ranks of all neighbours at each step"),
                "0 465 505 98, 287 505 98, 287 2614, 5739",
                "0 465 505 98, 287 505 98, 287 2614, 5739",
            ),
            Figure(
                translatable("The symbols after each step"),
                "·t e c h, ·t e ch, ·te ch, ·tech",
                "·t e c h, ·t e ch, ·te ch, ·tech",
            ),
        ),
    ),
    Lesson(
        code="hug-table",
        title=translatable("hug, pug, pun, bun: the table"),
        counts={"hug": 1, "pug": 1, "pun": 1, "bun": 1},
        recipe=Recipe(
            algorithm="character-bpe",
            vocabulary_size=10,
            tie_break="first-seen",
            end_of_word="",
            prune=False,
        ),
        figures=(
            Figure(translatable("Entries before the first merge"), "h u g p n b", "h u g p n b"),
            Figure(
                translatable("Number of entries after each merge"), "7, 8, 9, 10", "7, 8, 9, 10"
            ),
            Figure(
                translatable("Entries after the first merge"),
                "h u g p n b ug",
                "ug h p n b",
                translatable(
                    "The table says seven and lists five: it leaves out u and g. But u still "
                    "stands in “pun” and “bun”; without g alone it would be six."
                ),
            ),
            Figure(
                translatable("The four merges"),
                "ug, un, hug, pug",
                "ug, un, pug, pun",
                translatable(
                    "After “un” every pair occurs once, so the rule for ties decides. “hug” is met "
                    "first; no rule here gives the order of the table."
                ),
            ),
        ),
    ),
    Lesson(
        code="hug-code",
        title=translatable("hug, pug, pun, bun: the code"),
        counts={"hug": 1, "pug": 1, "pun": 1, "bun": 1},
        recipe=Recipe(algorithm="character-bpe", merges=4, tie_break="first-seen", prune=False),
        figures=(
            Figure(
                translatable("The four merges"),
                "ug, ug</w>, un, un</w>",
                "ug, un, pug, pun",
                translatable(
                    "The code puts </w> behind each word. Then “ug” and “</w>” meet as often as "
                    "“u” and “n”, and earlier."
                ),
            ),
        ),
    ),
    Lesson(
        code="low-lower-lowest",
        title=translatable("low, lower, lowest"),
        text="Low, Lower, Lowest!",
        recipe=Recipe(
            algorithm="character-bpe",
            merges=3,
            normalisation="lowercase+strip-punctuation",
            prune=False,
        ),
        figures=(
            Figure(
                translatable("The words as symbols"),
                "l o w </w>, l o w e r </w>, l o w e s t </w>",
                "l o w </w>, l o w e r </w>, l o w e s t </w>",
            ),
            Figure(
                translatable("Entries before the first merge"),
                "</w> e l o r s t w",
                "</w> e l o r s t w",
            ),
            Figure(
                translatable("Some pairs at first"),
                "o w 3, l o 3, w e 2, w </w> 1",
                "o w 3, l o 1, w e 2, w </w> 1",
                translatable(
                    "All three words begin with “lo”, so it is as frequent as “ow”; “ow” wins only "
                    "by the rule for ties."
                ),
            ),
            Figure(
                translatable("The first two merges"),
                "ow, low",
                "ow, owe",
                translatable(
                    "“l” stands before “ow” three times, “e” behind it only twice, so “low” comes "
                    "first."
                ),
            ),
        ),
    ),
    Lesson(
        code="low-apples",
        title=translatable("low, lower, lowest, apple, apples"),
        counts={"low": 1, "lower": 1, "lowest": 1, "apple": 1, "apples": 1},
        recipe=Recipe(algorithm="character-bpe", merges=3, prune=False),
        merges=(("o", "w"), ("ow", "e"), ("l", "ow")),
        figures=(
            Figure(
                translatable("The merges and how often each pair occurs"),
                "ow 3, low 3, pp 2",
                "ow 3, owe 2, low 3",
                translatable(
                    "“low” is more frequent than “owe” and comes first. Then no “ow” is left that "
                    "an “e” could join."
                ),
            ),
            Figure(
                translatable("“lower”, encoded by the merges of this training"),
                "low e r </w>",
                "low e r </w>",
            ),
            Figure(
                translatable("“lower”, encoded by the three merges of the tutorial"),
                "l owe r </w>",
                "low e r </w>",
                translatable(
                    "In the tutorial's list “owe” comes before “low”, and takes the “ow” "
                    "away from “l”."
                ),
            ),
            Figure(
                translatable("“apple”, encoded by the merges of this training"),
                "a pp l e </w>",
                "a p p l e </w>",
                translatable("Two words have “pp”, so that it is worth the third merge."),
            ),
        ),
    ),
    Lesson(
        code="own-merges",
        title=translatable("A list of merges of one's own"),
        text="lowest",
        recipe=Recipe(algorithm="character-bpe", prune=False),
        merges=(("o", "w"), ("l", "ow"), ("e", "s"), ("es", "t")),
        figures=(
            Figure(
                translatable("“lowest”, encoded"),
                "low est </w>",
                "low e s t </w>",
                translatable("The list goes on: “es” and “est” can be merged too."),
            ),
            Figure(translatable("Decoded again"), "lowest", "lowest"),
        ),
    ),
)


def lesson(code: str) -> Lesson:
    """Return the lesson of that code; an unknown one raises :class:`BPEError`.

    >>> lesson("word-list").word_list
    ('Hello', ' ', 'helo', ',', "I'm")
    """
    lessons = {entry.code: entry for entry in LESSONS}
    if code not in lessons:
        raise BPEError(
            "There is no {what} “{name}”. Choose one of: {names}.",
            what=translatable("example"),
            name=code,
            names=", ".join(lessons),
        )
    return lessons[code]

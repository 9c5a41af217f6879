"""Puzzles that BPE itself checks: each function takes an answer and says what is true of it.

A wrong answer is no error. One that is too long, or has too many merges, raises :class:`BPEError`.
"""

import unicodedata
from collections.abc import Sequence
from functools import reduce
from itertools import zip_longest

import regex

from bpe.algorithm.basic import TieBreak, best_pair, count_pairs, merge_pair
from bpe.algorithm.recipe import Recipe
from bpe.analysis.metrics import count_hanzi
from bpe.encoders.base import Encoder
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.text.pretokenize import split
from bpe.text.readable import readable
from bpe.text.unicode import utf8
from bpe.training.train import Training

LONGEST = 2_000
"""Characters of the longest answer that is checked."""
BY_HAND = 200
"""Characters of the longest text for merges by hand."""
MERGES_BY_HAND = 10

_CYRILLIC = ("асеорхуѕіјԁһԛԝАВЕКМНОРСТХУЅЈԌԚԜ", "aceopxysijdhqwABEKMHOPCTXYSJGQW")
_GREEK = ("ονριυαγΑΒΕΖΗΚΜΝΟΡΤΥΧ", "ovpiuayABEZHKMNOPTYX")
_STROKES = ("I\u0406\u0399\u04c0\u04cf|", "llllll")
_LOOKS = {
    ord(letter): latin
    for letters, latins in (_CYRILLIC, _GREEK, _STROKES)
    for letter, latin in zip(letters, latins, strict=True)
}
"""Letters that are drawn as a Latin one is, after the confusables of Unicode's UTS #39; not all."""
_DRAWN_ALIKE = ("<compat>", "<noBreak>")
"""Kinds of compatibility characters that look as what they stand for: ⼀ and 一, ﬁ and fi."""

_Words = list[tuple[list[str], int]]
"""Symbols, and how often they stand so."""

_LATIN = regex.compile(r"\p{Latin}")


def one_token(corpus: str, word: str = "人工智能") -> tuple[list[str], int]:
    """Train on ``corpus``; return the tokens of ``word`` then, and how many merges were made.

    The shorter a corpus that makes it one, the better. The recipe is GPT-2's split, 64 merges at
    most, and pairs that occur twice.

    >>> one_token("人工智能，人工")[0]
    ['人工', '⟨E6⟩', '⟨99⟩', '⟨BA⟩', '⟨E8⟩', '⟨83⟩', '⟨BD⟩']
    >>> one_token("人工智能，人工智能")[0]
    ['人工智能']
    """
    _at_most(LONGEST, corpus)
    tokenizer = _trained(corpus, Recipe(merges=64, min_frequency=2))
    tokens = map(tokenizer.token_bytes, tokenizer.encode_ordinary(word))
    return list(map(readable, tokens)), len(tokenizer.merges)


def cheaper_in_chinese(encoder: Encoder, chinese: str, english: str) -> tuple[int, int, bool]:
    """Return the tokens of both texts, and whether most letters of each are of its own script.

    Whether both say the same, only a reader can tell.
    """
    _at_most(LONGEST, chinese)
    _at_most(LONGEST, english)
    zh, en = (len(encoder.encode(text, disallowed_special=())) for text in (chinese, english))
    is_chinese = count_hanzi(chinese) > len(_LATIN.findall(chinese))
    is_english = not count_hanzi(english) and _LATIN.search(english) is not None
    return zh, en, is_chinese and is_english


def ties_differ(
    text: str, rules: tuple[TieBreak, TieBreak] = ("lexicographic", "first-seen")
) -> tuple[int | None, list[list[str]]]:
    """Train on ``text`` by both rules for ties, 20 merges at most.

    Return the number of the first merge that differs, from 1, and what each rule made in order.

    >>> ties_differ("ab cd")
    (1, [['cd', 'ab', '·cd'], ['ab', '·c', '·cd']])
    """
    _at_most(LONGEST, text)
    learned = [_trained(text, Recipe(merges=20, tie_break=rule)) for rule in rules]
    pairs = zip_longest(*(trained.merges for trained in learned))
    number = next((n for n, (one, other) in enumerate(pairs, start=1) if one != other), None)
    return number, [
        [readable(trained.token_bytes(merge.new_id)) for merge in trained.merges]
        for trained in learned
    ]


def by_hand(text: str, merges: Sequence[tuple[str, str]]) -> tuple[float, float, list[int]]:
    """Make ``merges`` in ``text``, in their order, and let BPE make :data:`MERGES_BY_HAND`.

    Return the bytes per symbol of both, and how many symbols the text has after 0, 1, … merges of
    BPE. Symbols are characters at first; no merge crosses a border of GPT-2's split. BPE takes the
    most frequent pair each time, which is not always best in the end.

    >>> by_hand("hug pug hug", [("u", "g"), ("h", "ug")])[2][:3]
    [11, 8, 6]
    """
    _at_most(BY_HAND, text)
    if len(merges) > MERGES_BY_HAND:
        raise BPEError(
            "Make at most {most} merges, not {number}.", most=MERGES_BY_HAND, number=len(merges)
        )

    def merged(words: _Words, pair: tuple[str, str]) -> _Words:
        return [(merge_pair(symbols, pair, "".join(pair)), n) for symbols, n in words]

    def length(words: _Words) -> int:
        return sum(len(symbols) for symbols, _ in words)

    other: _Words = [(list(piece), 1) for piece in split(text, "gpt2")]
    own = reduce(merged, merges, other)
    lengths = [length(other)]
    while len(lengths) <= MERGES_BY_HAND and (counts := count_pairs(other)):
        other = merged(other, best_pair(counts, "lexicographic", str))
        lengths.append(length(other))
    size = len(utf8(text))
    return size / max(length(own), 1), size / max(lengths[-1], 1), lengths


def looks_alike(one: str, other: str) -> bool:
    """Say whether a reader takes two texts for the same, as letters or invisible signs differ.

    Capitals and full-width letters can be told from others by eye.

    >>> looks_alike("paypal", "раураl"), looks_alike("ＡＢＣ", "ABC")
    (True, False)
    """
    return _look(one) == _look(other)


def _look(text: str) -> str:
    drawn = []
    for character in unicodedata.normalize("NFC", text):
        if unicodedata.decomposition(character).startswith(_DRAWN_ALIKE):
            drawn.append(unicodedata.normalize("NFKC", character))
        elif unicodedata.category(character) != "Cf":
            drawn.append(character)
    return "".join(drawn).translate(_LOOKS)


def _at_most(limit: int, text: str) -> None:
    if len(text) > limit:
        raise BPEError(
            "The text has {size} characters; the limit is {limit}. Shorten it.",
            size=f"{len(text):,}",
            limit=f"{limit:,}",
        )


def _trained(text: str, recipe: Recipe) -> Tokenizer:
    made = Training([text], recipe, learner="incremental").finished()
    assert isinstance(made, Tokenizer)  # as the recipe is one of bytes
    return made

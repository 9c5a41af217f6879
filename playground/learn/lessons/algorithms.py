"""Other algorithms: WordPiece, SentencePiece and Unigram on the same words as BPE."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import streamlit as st

from bpe.algorithm.character import CharacterMerge
from bpe.algorithm.recipe import ALGORITHMS, Recipe
from bpe.algorithm.wordpiece import INSIDE, PieceMerge
from bpe.encoders.base import METASPACE, Encoder
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.tokenizer_json import TokenizerJsonEncoder
from bpe.training.algorithms import named
from bpe.training.train import Training
from playground.learn import asking, content
from playground.learn.asking import Answer, Verdict, not_yet, solved
from playground.learn.ladder import Frame, Row, frames, ladder, merges_done
from playground.learn.lesson import Lesson
from playground.ui import state
from playground.ui.i18n import _, plain
from playground.ui.state import Field

MERGES = 40
UNKNOWN = "<unk>"
SPACE = "·"
"""A sign for a space that a tokenizer leaves out."""

NAMES: dict[str, str] = {
    "character-bpe": "BPE </w>",
    "sentencepiece-bpe": "SentencePiece BPE",
    "wordpiece": "WordPiece",
    "unigram": "Unigram",
}
"""The algorithms as they are shown; SentencePiece falls back to bytes, the others to ``<unk>``."""

_BYTE = re.compile("<0x[0-9A-F]{2}>")

Step = CharacterMerge | PieceMerge


def recipe(algorithm: str, merges: int, alphabet: int = 0) -> Recipe:
    """Return what an algorithm is trained by; Unigram has as many entries as merges would make."""
    options: dict[str, Any] = {"algorithm": algorithm, "tie_break": "first-seen"}
    if not named(algorithm).makes_merges:
        # <unk>, the characters, and ▁ are there without a merge.
        return Recipe(**options, vocabulary_size=alphabet + 2 + merges, unknown=UNKNOWN)
    if "likelihood" in ALGORITHMS[algorithm].scores:
        options["score"] = "likelihood"  # as it is taught
    unknown = None if ALGORITHMS[algorithm].byte_fallback else UNKNOWN
    return Recipe(**options, merges=merges, unknown=unknown, prune=False)


def merges(words: Mapping[str, int], algorithm: str, number: int) -> list[Any]:
    """Return the first merges that an algorithm makes of counted words; Unigram makes none."""
    if not named(algorithm).makes_merges:
        return []
    return list(islice(Training(words, recipe(algorithm, number)), number))


def row(words: Mapping[str, int], algorithm: str, sentence: str) -> tuple[Frame, ...]:
    """Return how an algorithm cuts a sentence after 0, 1, … :data:`MERGES` merges.

    The notes of the frames name the pair merged last, and how often it stood in the words.
    """
    alphabet = len({sign for word in words for sign in word})
    steps = merges(words, algorithm, MERGES)
    shown = []
    for number in range(MERGES + 1):
        training = Training(words, recipe(algorithm, number, alphabet))
        for _step in training:
            pass
        pieces = list(cut(training.tokenizer(), sentence))
        note = said(steps[number - 1]) if 0 < number <= len(steps) else ""
        shown.append(
            Frame(
                number,
                [size for _shown, size in pieces],
                [shown for shown, _size in pieces],
                note=note,
                faded=[at for at, (shown, _size) in enumerate(pieces) if shown == SPACE],
                count=sum(shown != SPACE for shown, _size in pieces),
            )
        )
    return frames(shown)


def said(step: Step) -> str:
    """Return a merge with what it was chosen by.

    >>> said(PieceMerge("##g", "##s", 5, 20, 5))
    '##g + ##s (5×, 5 / (20 · 5) = 0.05)'
    """
    text = f"{step.left} + {step.right} ({step.count}×"
    if isinstance(step, PieceMerge):
        text += f", {step.count} / ({step.left_count} · {step.right_count}) = {step.score:.3g}"
    return text + ")"


def cut(tokenizer: Encoder, sentence: str) -> Iterator[tuple[str, int]]:
    """Yield the tokens of a sentence as the tokenizer writes them, with the bytes of the text.

    A tokenizer without ``▁`` leaves spaces out: they are yielded too, so that the sizes add up to
    the sentence, in which there is one between words.
    """
    if isinstance(tokenizer, CharacterTokenizer):
        for number, word in enumerate(sentence.split()):
            if number:
                yield SPACE, 1
            for symbol in tokenizer.encode_word(word):
                text = symbol.removesuffix(tokenizer.recipe.end_of_word)
                yield (symbol if symbol in tokenizer.ids else UNKNOWN), len(text.encode())
        return
    assert isinstance(tokenizer, TokenizerJsonEncoder)  # the lesson has no other kind
    place = 0
    for token_id, (start, end) in zip(*tokenizer.encode_with_offsets(sentence), strict=True):
        if start > place:
            yield SPACE, 1
        token, place = tokenizer.tokens[token_id], end
        yield token, 1 if _BYTE.fullmatch(token) else len(sentence[start:end].encode())


LONGEST = 600
_LONGEST_SENTENCE = 60
_UNKNOWN = "灯"
"""A character that the words do not have."""

_HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def draw() -> None:
    asking.bet("relatives.hugs", _answer)
    text, place = asking.text("relatives", most=LONGEST, lines=True, of=asking.learnable)
    sentence = st.text_input(
        _("A sentence to cut"), live=True,
        **Field("relatives_sentence", f"{asking.sentence()} {_UNKNOWN}", state.words()).text(),
    )  # fmt: skip
    sentence = " ".join((sentence or "")[:_LONGEST_SENTENCE].split())
    with place:
        counts = Counter(text.split())
        if counts and sentence:
            _picture(counts, sentence)
        elif counts:
            st.info(_("Type at least one word, and a sentence to cut."))
    asking.bet("relatives.third", _answer_third)
    asking.puzzle("relatives.first", _check)


def _picture(counts: Counter[str], sentence: str) -> None:
    rows = _rows(tuple(counts.items()), sentence)
    ladder(
        sentence,
        [Row(name, "tokens", frames=found) for name, found in rows.items()],
        key="algorithms picture",
        positions=merges_done(range(MERGES + 1)),
        step=MERGES // 2,
        cards=content.cards("relatives"),
        notes=_("Merged last:"),
    )  # fmt: skip


@st.cache_data(max_entries=16, show_spinner=False)
def _rows(counts: tuple[tuple[str, int], ...], sentence: str) -> dict[str, tuple[Frame, ...]]:
    return {name: row(dict(counts), algorithm, sentence) for algorithm, name in NAMES.items()}


def _answer() -> Answer:
    first = merges(_HUGS, "wordpiece", 1)[0]
    why = _(
        "`{left}` + `{right}`, only {times} times: an s never stands without a g before it, so "
        "the score is 5 / (20 · 5). u + g stands 20 times, but u is everywhere: 20 / (36 · 20)."
    ).format(left=first.left, right=first.right, times=first.count)
    return {(first.left + first.right).replace(INSIDE, "")}, why


def _answer_third() -> Answer:
    third = merges(_HUGS, "wordpiece", 3)[2]
    why = _(
        "{merge}. The course gives hu + g the same 1/15; but g stands 15 times then, so that it "
        "has 10 / (15 · 15), which is 2/45: the third merge makes `{made}`, not `hug`."
    ).format(merge=plain(said(third)), made=third.new)
    return {third.new}, why


def _check(answer: str) -> Verdict:
    counts = Counter(answer[:LONGEST].split())
    two = [merges(counts, algorithm, 1) for algorithm in ("sentencepiece-bpe", "wordpiece")]
    if not two[0] or not two[1]:
        return not_yet(_("There is no pair in this text."))
    first, other = two[0][0], two[1][0]
    values = {"one": plain(said(first)), "other": plain(said(other))}
    if METASPACE in first.left:
        return not_yet(_("BPE begins with a space: {one}. Not here, please."), **values)
    if (first.left, first.right) != tuple(part.removeprefix(INSIDE) for part in other[:2]):
        return solved(_("BPE begins with {one}, WordPiece with {other}."), **values)
    return not_yet(_("Both begin with {one}."), **values)


LESSON = Lesson("relatives", draw)

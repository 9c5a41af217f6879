"""Other algorithms: WordPiece, SentencePiece and Unigram on the same words as BPE."""

from collections import Counter

import streamlit as st

from bpe.algorithm.wordpiece import INSIDE
from bpe.encoders.base import METASPACE
from playground.learn import algorithms, asking
from playground.learn.asking import Answer, Verdict
from playground.learn.ladder import Frame, Row, ladder
from playground.learn.lesson import Lesson
from playground.merge_view import Card
from playground.ui import restorable
from playground.ui.i18n import _, plain

LONGEST = 600
_LONGEST_SENTENCE = 60
_UNKNOWN = "灯"
"""What the words do not have."""

_EXAMPLES = (
    "low lower lowest play played playing player happy happier happiest running runs runner "
    "international internationalization internationalize understanding misunderstand "
    "misunderstanding",
    "hug hug hug hug hug hug hug hug hug hug pug pug pug pug pug pun pun pun pun pun pun pun pun "
    "pun pun pun pun bun bun bun bun hugs hugs hugs hugs hugs",
    "看路 看天 看路灯 路灯 路人 行人 看人",
)
_HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def draw() -> None:
    st.markdown(
        _(
            "BERT's **WordPiece** merges too, but not the most frequent pair: it divides by "
            "how often the two parts occur at all, and takes the pair that belongs together. "
            "**SentencePiece** is a tool that writes the space as a character too, `▁` (not "
            "the underscore `_`), so that nothing is lost; it then cuts by BPE or by "
            "Unigram. **Unigram** makes no merges: it starts with many pieces, drops the "
            "useless ones, and cuts a text the likeliest way."
        )
    )
    text, place = asking.text(
        "relatives", _EXAMPLES, _("Words, separated by spaces"), most=LONGEST, lines=True,
        of=asking.learnable,
    )  # fmt: skip
    sentence = st.text_input(
        _("A sentence to cut"), live=True,
        **restorable.text("relatives_sentence", f"{asking.sentence()} {_UNKNOWN}"),
    )  # fmt: skip
    sentence = " ".join((sentence or "")[:_LONGEST_SENTENCE].split())
    with place:
        counts = Counter(text.split())
        if not counts or not sentence:
            st.info(_("Type at least one word, and a sentence to cut."))
        else:
            _picture(counts, sentence)
    _bet()
    _puzzle()


def _picture(counts: Counter[str], sentence: str) -> None:
    rows = _rows(tuple(counts.items()), sentence)
    ladder(
        sentence,
        [Row(name, "tokens", frames=found) for name, found in rows.items()],
        key="algorithms picture",
        positions=[_("merges: {step} / {last}").format(step=step, last=algorithms.MERGES)
                   for step in range(algorithms.MERGES + 1)],
        step=algorithms.MERGES // 2,
        cards=_cards(),
        notes=_("Merged last:"),
    )  # fmt: skip


def _cards() -> list[Card]:
    return [
        Card(
            _("One sentence, four ways. Click a piece to see what the others make of it. "
              "WordPiece marks the inside of a word by ##, SentencePiece the start by ▁, the "
              "textbook the end by </w>."),
            "rows",
        ),
        Card(
            _("The first merge: the two kinds of BPE take the most frequent pair. WordPiece takes "
              "the two symbols that hardly occur without each other, however rare they are."),
            "rows 0,1,2", 1,
        ),
        Card(
            _("Unigram has no merges. It starts from many pieces and keeps the useful ones: as "
              "many as the others have merges. Drag back, and long pieces fall apart again."),
            "rows 3", 12,
        ),
        Card(
            _("With spaces in its pieces a row can be read back as it was: that is what ▁ is for. "
              "The textbook and WordPiece leave the spaces out."),
            "rows 1,3", None,
        ),
        Card(
            _("Characters that the words do not have: the textbook writes <unk> for each, "
              "WordPiece gives up the whole word, Unigram all in a row. SentencePiece here falls "
              "back to bytes, as in Llama 2, and loses nothing."),
            "rows", None,
        ),
    ]  # fmt: skip


@st.cache_data(max_entries=16, show_spinner=False)
def _rows(counts: tuple[tuple[str, int], ...], sentence: str) -> dict[str, tuple[Frame, ...]]:
    return {
        name: algorithms.row(dict(counts), algorithm, sentence)
        for algorithm, name in algorithms.NAMES.items()
    }


def _bet() -> None:
    def answer() -> Answer:
        first = algorithms.merges(_HUGS, "wordpiece", 1)[0]
        why = _(
            "`{left}` + `{right}`, only {times} times: an s never stands without a g before it, so "
            "the score is 5 / (20 · 5). u + g stands 20 times, but u is everywhere: 20 / (36 · 20)."
        ).format(left=first.left, right=first.right, times=first.count)
        return Answer({(first.left + first.right).replace(INSIDE, "")}, why)

    asking.bet(
        "relatives.hugs",
        _("hug ×10, pug ×5, pun ×12, bun ×4, hugs ×5. BPE begins with u + g, 20 times. What does "
          "WordPiece begin with?"),
        {"ug": "u + g", "un": "u + n", "gs": "g + s"},
        answer,
    )  # fmt: skip


def _puzzle() -> None:
    def check(answer: str) -> Verdict:
        counts = Counter(answer[:LONGEST].split())
        two = [
            algorithms.merges(counts, algorithm, 1)
            for algorithm in ("sentencepiece-bpe", "wordpiece")
        ]
        if not two[0] or not two[1]:
            return Verdict(False, _("There is no pair in this text."))
        first, other = two[0][0], two[1][0]
        values = {"one": plain(algorithms.said(first)), "other": plain(algorithms.said(other))}
        unlike = (first.left, first.right) != tuple(part.removeprefix(INSIDE) for part in other[:2])
        if METASPACE in first.left:
            return Verdict(
                False, _("BPE begins with a space: {one}. Not here, please.").format(**values)
            )
        if unlike:
            return Verdict(
                True, _("BPE begins with {one}, WordPiece with {other}.").format(**values)
            )
        return Verdict(False, _("Both begin with {one}.").format(**values))

    asking.puzzle(
        "relatives.first",
        _(
            "Write words from which BPE and WordPiece learn different first merges, and BPE does "
            "not begin with ▁."
        ),
        _("Your words"),
        check,
    )


LESSON = Lesson("relatives", lambda: _("Algorithms beside BPE"), draw, minutes=5)

"""The relatives: WordPiece, SentencePiece and Unigram on the same words as BPE."""

from collections import Counter

import streamlit as st

from playground.learn import asking, relatives, texts
from playground.learn.asking import Verdict
from playground.learn.ladder import Row, ladder
from playground.learn.lesson import Lesson
from playground.learn.relatives import Pick, Trained
from playground.merge_view import Card
from playground.ui.i18n import _, plain

LONGEST = 600
_LONGEST_SENTENCE = 60
_SHOWN = 5

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
    """Draw the lesson."""
    st.markdown(
        _(
            "BERT's **WordPiece** merges too, but not the most frequent pair: it divides by how "
            "often the two parts occur at all, and takes the pair that belongs together. "
            "**SentencePiece** is BPE with the space written as a character, `▁` (not the "
            "underscore `_`), so that nothing is lost. **Unigram** makes no merges: it starts with "
            "many pieces, drops the useless ones, and cuts a text the likeliest way."
        )
    )
    text, place = texts.choose(
        "relatives", _EXAMPLES, _("Words, separated by spaces"), most=LONGEST, lines=True
    )
    left, right = st.columns(2)
    merges = left.slider(_("Merges"), 0, 60, 20, key="relatives_merges")
    sentence = right.text_input(
        _("A sentence to cut"), "lower playing misunderstand 看路灯", key="relatives_sentence",
        persist_state="session",
    )  # fmt: skip
    sentence = " ".join((sentence or "")[:_LONGEST_SENTENCE].split())
    with place:
        counts = Counter(text.split())
        if not counts or not sentence:
            st.info(_("Type at least one word, and a sentence to cut."))
        else:
            _picture(counts, int(merges), sentence)
    _bet()
    _puzzle()


def _picture(counts: Counter[str], merges: int, sentence: str) -> None:
    alphabet = len({sign for word in counts for sign in word})
    trained = {
        "BPE </w>": relatives.textbook(counts, merges, sentence),
        "SentencePiece BPE": relatives.sentencepiece(counts, merges, sentence),
        "WordPiece": relatives.wordpiece(counts, merges, sentence),
        "Unigram": relatives.unigram(counts, alphabet + 2 + merges, sentence),
    }
    cards = [
        Card(
            _("One sentence, four ways. Point at a piece to see what the others make of it. "
              "WordPiece marks the inside of a word by ##, SentencePiece the start by ▁, the "
              "textbook the end by </w>."),
            "rows",
        ),
        Card(
            _("A character that the words do not have is <unk>: each of the four knows characters, "
              "not bytes. WordPiece gives up the whole word for it."),
            "rows",
        ),
    ]  # fmt: skip
    rows = [_row(name, result) for name, result in trained.items()]
    ladder(sentence, rows, key="relatives picture", cards=cards)
    for name in ("SentencePiece BPE", "WordPiece"):
        picks = trained[name].picks[:_SHOWN]
        said = ", ".join(plain(_said(pick)) for pick in picks) or "–"
        st.markdown(f"- **{name}** {_('merges first: {picks}').format(picks=said)}")


def _said(pick: Pick) -> str:
    said = f"{pick.left} + {pick.right} ({pick.times}×"
    return said + (")" if pick.score is None else f", {pick.score:.3g})")


def _row(name: str, trained: Trained) -> Row:
    return Row(
        name,
        "tokens",
        [len(piece.text.encode()) for piece in trained.pieces],
        [piece.shown for piece in trained.pieces],
        faded=[at for at, piece in enumerate(trained.pieces) if piece.shown == "·"],
        count=sum(piece.shown != "·" for piece in trained.pieces),
    )


def _bet() -> None:
    bet = asking.bet(
        "relatives.hugs",
        _("hug ×10, pug ×5, pun ×12, bun ×4, hugs ×5. BPE begins with u + g, 20 times. With what "
          "does WordPiece begin?"),
        {"ug": "u + g", "un": "u + n", "gs": "g + s"},
    )  # fmt: skip
    if bet:
        first = relatives.wordpiece(_HUGS, 1, "hug").picks[0]
        st.markdown(
            _(
                "`{left}` + `{right}`, only {times} times: an s never stands without a g before "
                "it, so the score is 5 / (20 · 5). u + g stands 20 times, but u is everywhere: "
                "20 / (36 · 20)."
            ).format(left=first.left, right=first.right, times=first.times)
        )


def _puzzle() -> None:
    def check(answer: str) -> Verdict:
        counts = Counter(answer[:LONGEST].split())
        two = [
            train(counts, 1, "a").picks for train in (relatives.sentencepiece, relatives.wordpiece)
        ]
        if not two[0] or not two[1]:
            return Verdict(False, _("There is no pair in this text."))
        first, other = two[0][0], two[1][0]
        values = {"one": plain(_said(first)), "other": plain(_said(other))}
        unlike = (first.left, first.right) != tuple(
            part.removeprefix(relatives.INSIDE) for part in other[:2]
        )
        if relatives.SPACE in first.left:
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


LESSON = Lesson("relatives", lambda: _("The relatives of BPE"), draw)

"""Bytes, and why Chinese starts at three: UTF-8 under every character."""

import unicodedata

import streamlit as st

from bpe.analysis.metrics import count_hanzi
from bpe.teaching.puzzles import one_token
from playground.learn import asking, corpora
from playground.learn.asking import Answer, Verdict, quoted
from playground.learn.ladder import Row, ladder
from playground.learn.lesson import Lesson
from playground.merge_view import Card
from playground.ui.i18n import _

LONGEST = 60
_SHORTEST = 8
"""Characters of the shortest corpus that makes 人工智能 one token: twice the word, as every pair of
its symbols has to occur twice."""

_EXAMPLES = ("中国人看中国", "hello,你好", "一个人在看一本书", "ô é ü ñ", "龘 𰻝", "👨‍👩‍👧 😀")


def draw() -> None:
    st.markdown(
        _(
            "Byte-level BPE starts from **256 bytes**, because every text in every script is "
            "already written in them. UTF-8 gives an English letter one byte, an accented "
            "one two, most Chinese characters **three**, an emoji four. So before the first "
            "merge Chinese is about three times as long, and has to be merged back together."
        )
    )
    text, place = asking.text("bytes", _EXAMPLES, _("Your text"), most=LONGEST, of=_with_hanzi)
    with place:
        if text:
            _picture(text)
        else:
            st.info(_("Type a word or a sentence, or press an example."))
    _bet()
    _puzzle()
    _puzzle_of_one_token()


def _with_hanzi(sentence: str) -> str:
    return sentence if count_hanzi(sentence) else f"{sentence} 中国"


def _picture(text: str) -> None:
    ladder(
        text,
        [
            Row(_("bytes"), "bytes", [1] * len(text.encode())),
            Row(_("characters"), "characters", [len(sign.encode()) for sign in text]),
            Row("BPE", "bpe"),
        ],
        key="bytes picture",
        training=corpora.learned(),
        pieces=corpora.pieces_of(text),
        cards=_cards(next(filter(count_hanzi, text), "中")),
    )


def _cards(hanzi: str) -> list[Card]:
    spelled = hanzi.encode().hex(" ").upper()
    return [
        Card(
            _("Each character stands under its bytes. The first byte says how many follow: below "
              "80 none, from C2 one, from E0 two, from F0 three."),
            "rows 0,1", 0,
        ),
        Card(
            _("`{bytes}` is `{character}`. The first merges on Chinese join bytes that many "
              "Chinese characters share, as `E4 B8`. Such a token is no character yet, only the "
              "beginning of one.").format(bytes=spelled, character=hanzi),
            "rows 2", 60,
        ),
        Card(
            _("Frequent Chinese characters become whole: drag on and see `一`, `中`, `人` "
              "close up. Two merges pay for one Chinese character where a letter needs none."),
            "transport", 500,
        ),
        Card(
            _("Later the Chinese characters join into words. A token may end inside a "
                "character, but never has "
              "to: a merge knows bytes, not characters."),
            "transport", corpora.MERGES,
        ),
    ]  # fmt: skip


def _bet() -> None:
    def answer() -> Answer:
        tokens = [len(corpora.encoded(sign)) for sign in "一龘"]
        why = _(
            "Three, as for 一: bytes number characters, strokes do not count. But our sample "
            "corpus has 一 often and 龘 never, so after {merges} merges 一 is {common} token "
            "and 龘 still {rare}."
        ).format(merges=f"{corpora.MERGES:,}", common=tokens[0], rare=tokens[1])
        return Answer({"3"}, why)

    asking.bet(
        "bytes.rare",
        _("The Chinese character 龘 has 48 strokes, 一 has one. How many bytes does 龘 take?"),
        {"1": "1", "3": "3", "6": "6", "48": "48"},
        answer,
    )


def _puzzle() -> None:
    def check(answer: str) -> Verdict:
        signs = [sign for sign in answer if not sign.isspace()]
        if len(signs) != 2 or len(set(signs)) != 2:
            return Verdict(False, _("Two different Chinese characters, please."))
        first, second = signs
        if not all(unicodedata.name(sign, "").startswith("CJK UNIFIED") for sign in signs):
            return Verdict(False, _("Both should be Chinese characters."))
        spelled = [sign.encode().hex(" ").upper() for sign in signs]
        values = {"first": first, "second": second, "one": spelled[0], "other": spelled[1]}
        if first.encode()[:2] == second.encode()[:2]:
            return Verdict(
                True,
                _(
                    "{first} is {one}, {second} is {other}: the same first two bytes. One merge "
                    "serves both, and many more."
                ).format(**values),
            )
        return Verdict(False, _("{first} is {one}, {second} is {other}. Not yet.").format(**values))

    asking.puzzle(
        "bytes.pair",
        _(
            "Find two Chinese characters that share their first two bytes. The picture above "
            "helps you look."
        ),
        _("Two Chinese characters"),
        check,
    )


def _puzzle_of_one_token() -> None:
    def check(answer: str) -> Verdict:
        result = one_token(answer)
        values = {
            "word": "人工智能", "size": result.characters, "merges": result.merges,
            "tokens": quoted(" ".join(result.tokens), 80),
        }  # fmt: skip
        if not result.solved:
            said = _("After {merges} merges it is still: {tokens}.")
            return Verdict(False, said.format(**values))
        said = _("One token, from a corpus of {size} characters, with {merges} merges.")
        if result.characters > _SHORTEST:
            return Verdict(False, (said + _(" It can be shorter.")).format(**values))
        return Verdict(True, said.format(**values))

    asking.puzzle(
        "bytes.one-token",
        _(
            "Make 人工智能 **one token with the shortest corpus**: write a text from which "
            "byte-level BPE learns it, with 64 merges at most of pairs that occur twice."
        ),
        _("Your corpus"),
        check,
        hint=_("Count every time that the four characters have to occur."),
    )


LESSON = Lesson(
    "bytes", lambda: _("Bytes, and why Chinese starts at three"), draw, minutes=6, puzzles=2
)

"""Bytes, and why Chinese starts at three: UTF-8 under every character."""

import unicodedata

from bpe.analysis.metrics import count_hanzi
from bpe.teaching.puzzles import one_token
from playground.learn import asking, content, corpora
from playground.learn.asking import Answer, Verdict, not_yet, quoted, solved
from playground.learn.ladder import Row, characters, ladder, single_bytes
from playground.learn.lesson import Lesson
from playground.ui.i18n import _

LONGEST = 60
_SHORTEST = 8
"""Characters of the shortest corpus that makes 人工智能 one token: twice the word, as every pair of
its symbols has to occur twice."""


def draw() -> None:
    asking.bet("bytes.rare", _answer)
    text, place = asking.text("bytes", most=LONGEST, of=_with_hanzi)
    with place:
        if text:
            _picture(text)
    asking.puzzle("bytes.pair", _check_pair)
    asking.puzzle("bytes.one-token", _check_one_token)


def _with_hanzi(sentence: str) -> str:
    return sentence if count_hanzi(sentence) else f"{sentence} 中国"


def _picture(text: str) -> None:
    hanzi = next(filter(count_hanzi, text), "中")
    ladder(
        text,
        [
            single_bytes(text),
            characters(text),
            Row("BPE", "bpe"),
        ],
        key="bytes picture",
        training=corpora.learned(),
        pieces=corpora.pieces_of(text),
        cards=content.cards("bytes", bytes=hanzi.encode().hex(" ").upper(), character=hanzi),
    )


def _answer() -> Answer:
    tokens = [len(corpora.encoded(sign)) for sign in "一龘"]
    why = _(
        "Three, as for 一: bytes number characters, strokes do not count. But our sample "
        "corpus has 一 often and 龘 never, so after {merges} merges 一 is {common} token "
        "and 龘 still {rare}."
    ).format(merges=f"{corpora.MERGES:,}", common=tokens[0], rare=tokens[1])
    return {"3"}, why


def _check_pair(answer: str) -> Verdict:
    signs = [sign for sign in answer if not sign.isspace()]
    if len(signs) != 2 or len(set(signs)) != 2:
        return not_yet(_("Two different Chinese characters, please."))
    first, second = signs
    if not all(unicodedata.name(sign, "").startswith("CJK UNIFIED") for sign in signs):
        return not_yet(_("Both should be Chinese characters."))
    spelled = [sign.encode().hex(" ").upper() for sign in signs]
    values = {"first": first, "second": second, "one": spelled[0], "other": spelled[1]}
    if first.encode()[:2] != second.encode()[:2]:
        return not_yet(_("{first} is {one}, {second} is {other}. Not yet."), **values)
    verdict = _(
        "{first} is {one}, {second} is {other}: the same first two bytes. One merge "
        "serves both, and many more."
    )
    return solved(verdict, **values)


def _check_one_token(answer: str) -> Verdict:
    tokens, merges = one_token(answer)
    values = {"size": len(answer), "merges": merges, "tokens": quoted(" ".join(tokens), 80)}
    if len(tokens) > 1:
        verdict = _("After {merges} merges it is still: {tokens}.")
        return not_yet(verdict, **values)
    verdict = _("One token, from a corpus of {size} characters, with {merges} merges.")
    if len(answer) > _SHORTEST:
        return not_yet(verdict + _(" It can be shorter."), **values)
    return solved(verdict, **values)


LESSON = Lesson("bytes", draw)

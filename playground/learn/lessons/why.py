"""Why subwords: one text as characters, words, bytes and BPE, and what each vocabulary costs."""

import streamlit as st

from bpe.teaching.lessons import split_words
from playground.learn import asking, content, corpora
from playground.learn.asking import Answer, Verdict, not_yet, quoted, solved
from playground.learn.ladder import Frame, Row, characters, ladder, single_bytes
from playground.learn.lesson import Lesson
from playground.ui.i18n import _

LONGEST = 120


def draw() -> None:
    words = f"{len(corpora.word_list()):,}"
    told = asking.bet("why.bridge", _answer, words=words, text=asking.BRIDGE)
    text, place = asking.text("why", most=LONGEST)
    with place:
        if text:
            _picture(text, told)
    asking.puzzle("why.unknown", _check)


def _picture(text: str, told: bool) -> None:
    """Draw the rows; what the word list lacks is marked once it is ``told``."""
    listed = corpora.word_list()
    words = split_words(text)
    spaces = [at for at, word in enumerate(words) if word.isspace()]
    counted = len(words) - len(spaces)
    sizes = [len(word.encode()) for word in words]
    lost = [word for word in words if word not in listed and not word.isspace()]
    labels = ["<unk>" if told and word in lost else None for word in words]
    ladder(
        text,
        [
            characters(text),
            Row(_("words"), "words", [Frame(0, sizes, labels, faded=spaces, count=counted)]),
            single_bytes(text),
            Row("BPE", "bpe"),
        ],
        key="why picture",
        training=corpora.learned(),
        pieces=corpora.pieces_of(text),
        step=corpora.MERGES // 2,
        points=[
            (_("characters"), len(set(corpora.sample_text())), len(text)),
            (_("words"), len(listed), counted),
        ],
        cards=content.cards("why", when="told" if told else "asked"),
    )
    if told and lost:
        st.caption(
            _("Lost in the word coding, as the list has no such word: {words}").format(
                words=quoted(" ".join(lost), 120)
            )
        )


def _answer() -> Answer:
    tokens = len(corpora.encoded(asking.BRIDGE))
    why = _(
        "One `<unk>`: no space, so one word, and not one of ours. Nor does the list know "
        "that it could also be 南京市长 + 江大桥. BPE after {merges} merges writes it with "
        "{tokens} tokens, and can always be read back."
    ).format(merges=f"{corpora.MERGES:,}", tokens=tokens)
    return {"unknown"}, why


def _check(answer: str) -> Verdict:
    word = answer.strip()
    if not word.isascii() or not word.isalpha():
        return not_yet(_("One English word, letters only, please."))
    tokens = corpora.encoded(" " + word)
    shown = quoted(" | ".join(token.decode("utf-8", "replace").strip() for token in tokens), 60)
    if word in corpora.word_list():
        verdict = _("The word list knows {word}. Find one that it does not.")
        return not_yet(verdict, word=quoted(word))
    if len(tokens) > 2:
        verdict = _(
            "Unknown to the list, good. But BPE needs {tokens} tokens: {shown}. Try a "
            "word built of common parts."
        )
        return not_yet(verdict, tokens=len(tokens), shown=shown)
    verdict = _("Unknown to the word list, and for BPE just {shown}. That is why subwords.")
    return solved(verdict, shown=shown)


LESSON = Lesson("why", draw)

"""The notes' own examples: what they print, what the algorithm gives, and where the two part."""

from typing import cast

import streamlit as st

from bpe.algorithm.character import apply_merges
from bpe.algorithm.encoding_steps import ranks_of
from bpe.teaching.lessons import LESSONS, Figure, split_words
from bpe.teaching.lessons import Lesson as Example
from playground.editor import plain_text
from playground.encoding_view import encoding_view
from playground.learn import asking, content
from playground.learn.asking import Verdict, not_yet, solved
from playground.learn.ladder import Frame, Row, characters, ladder, single_bytes
from playground.learn.lesson import Lesson
from playground.learn.lessons.merge import END, draw_new_word, pairs
from playground.merge_view import Card, Events, merge_view, record
from playground.ui import fields
from playground.ui.i18n import _, plain

_MOST_MERGES = 2_000
SHOWN = (
    "six-lines", "word-list", "utf-8", "hello-helo", "intj-tech", "tech-ranks", "hug-table",
    "hug-code", "low-lower-lowest", "low-apples", "own-merges",
)  # fmt: skip


def draw() -> None:
    code = fields.select(
        _("Example"), {name: _(LESSONS[name].title) for name in SHOWN}, key="notes_example"
    )
    example = LESSONS[code]
    _picture(example)
    _figures(example)
    asking.puzzle("notes.order", _check)


def _cards(example: Example) -> list[Card]:
    places = content.of("notes")["places"].get(example.code, ())
    question = _("The tutorial prints, {what}: **{printed}**. Does the picture agree?")
    return [
        Card(question.format(what=_(figure.what), printed=figure.printed), *place)
        for figure, place in zip(example.figures, places, strict=False)
        if figure.printed is not None
    ]


def _picture(example: Example) -> None:
    events = _events(example.code)
    if events is not None:
        merge_view(events, key="notes picture", height=220, cards=_cards(example))
        if events.unit == "characters":
            with st.expander(
                _("Encode a new word with these merges"), icon=":material/spellcheck:"
            ):
                symbols = cast(tuple[str, ...], events.symbols)
                draw_new_word("notes new", "lower", pairs(events), symbols, events.end_of_word)
        return
    text = example.text
    if example.word_list:
        words = split_words(text)
        sizes = [len(word.encode()) for word in words]
        numbers = [str(example.word_list.index(word)) for word in words]
        rows = [
            Row(_("words"), "words", [Frame(0, sizes)]),
            Row(_("numbers"), "tokens", [Frame(0, sizes, numbers)]),
        ]
        ladder(text, rows, key="notes ladder")
    elif example.ranks:
        ranks = {(one.encode(), two.encode()): rank for one, two, rank in example.ranks}
        encoding_view(text, ranks_of(ranks), key="notes replay")
    elif example.merges:
        printed = "\n".join(map(" ".join, example.merges))
        typed = plain_text(
            _("Merges in their order, one a line"),
            key="notes own merges",
            default=printed,
            limit=_MOST_MERGES,
        )
        merges = asking.merges_of(typed)
        if merges is None:
            st.warning(asking.two_a_line())
        else:
            draw_new_word("notes own", text, merges, None, END)
    else:
        numbers = [str(number) for number in text.encode()]
        rows = [
            characters(text),
            single_bytes(text),
            Row(_("numbers"), "tokens", [Frame(0, [1] * len(numbers), numbers)]),
        ]
        ladder(text, rows, key="notes ladder")


@st.cache_resource(max_entries=16, show_spinner=False)
def _events(code: str) -> Events | None:
    example = LESSONS[code]
    encodes = bool(example.merges) and not example.counts
    if example.recipe is None or encodes:
        return None
    return record(example.word_counts(), example.recipe, most_merges=100)


def _figures(example: Example) -> None:
    printed = {
        str(number): figure
        for number, figure in enumerate(example.figures)
        if figure.printed is not None
    }
    lines = [
        f"{plain(_(figure.what))}{_(': ')}**{plain(figure.printed or '')}**"
        for figure in printed.values()
    ]
    st.markdown("\n".join([_("The tutorial prints:"), "", *(f"- {line}" for line in lines)]))
    options = {number: _(figure.what) for number, figure in printed.items()}
    wrong = {number for number, figure in printed.items() if figure.differs}
    is_out = asking.bet(
        f"notes.{example.code}",
        lambda: (wrong or {"none"}, ""),
        asked="notes.figures",
        options={**options, "none": _("none: all are right")},
    )
    if not is_out:
        return
    if not wrong:
        st.markdown(f":material/check: {_('Here all of them are right.')}")
    for figure in sorted(example.figures, key=lambda figure: figure.printed is None):
        if figure.printed is None or figure.differs:
            _shown_right(figure)


def _shown_right(figure: Figure) -> None:
    given = _("The algorithm gives: {given}").format(given=f"**{plain(figure.given)}**")
    st.markdown(f"{plain(_(figure.what))}{_(': ')}{given}  \n{plain(_(figure.why))}")


def _check(answer: str) -> Verdict:
    merges = asking.merges_of(answer.replace(",", "\n"))
    if not merges:
        return not_yet(asking.two_a_line())
    symbols = apply_merges([*"lower", "</w>"], merges)
    shown = plain(" ".join(symbols))
    if symbols == ["l", "owe", "r", "</w>"]:
        verdict = _("“lower” becomes {symbols}, as the tutorial's list makes it.")
        return solved(verdict, symbols=shown)
    return not_yet(_("“lower” becomes {symbols}."), symbols=shown)


LESSON = Lesson("notes", draw)

"""The notes' own examples: what they print, what the algorithm gives, and where the two part."""

import streamlit as st

from bpe.algorithm import lessons as worked
from bpe.algorithm.encoding_steps import in_list_order
from bpe.algorithm.lessons import Figure
from playground.learn import asking
from playground.learn.asking import Verdict
from playground.learn.lesson import Lesson
from playground.merge_view import Events, merge_view, record
from playground.ui import settings
from playground.ui.i18n import _, plain

_SHOWN = (
    "six-lines", "hello-helo", "intj-tech", "hug-table", "hug-code", "low-lower-lowest",
    "low-apples", "own-merges",
)  # fmt: skip


def draw() -> None:
    """Draw the lesson."""
    st.markdown(
        _(
            "Course notes print worked examples, and here each of them runs. Mostly the printed "
            "figures are what the algorithm gives. **Sometimes they are not**: a table is made by "
            "hand, and a hand slips. To find the place is the best exercise there is."
        )
    )
    code = settings.select(
        _("Example"),
        {name: _(worked.lesson(name).title) for name in _SHOWN},
        key="notes_example",
    )
    example = worked.lesson(code)
    events = _events(code)
    if events is not None:
        merge_view(events, key="notes picture", height=220)
    _figures(example)
    _puzzle()


@st.cache_resource(max_entries=16, show_spinner=False)
def _events(code: str) -> Events | None:
    example = worked.lesson(code)
    if example.recipe is None or (example.recipe.merges is None and not example.word_counts()):
        return None
    counts = example.word_counts()
    return record(counts, example.recipe, most_merges=100) if counts else None


def _figures(example: worked.Lesson) -> None:
    printed = {
        str(number): figure
        for number, figure in enumerate(example.figures)
        if figure.printed is not None
    }
    lines = [
        f"{plain(_(figure.what))}{_(': ')}**{plain(figure.printed or '')}**"
        for figure in printed.values()
    ]
    st.markdown("\n".join([_("The notes print:"), "", *(f"- {line}" for line in lines)]))
    bet = asking.bet(
        f"notes.{example.code}",
        _("Run the example above. Which printed figure is not what the algorithm gives?"),
        {
            **{number: _(figure.what) for number, figure in printed.items()},
            "none": _("none: all are right"),
        },
    )
    if bet is None:
        return
    wrong = [figure for figure in printed.values() if figure.differs]
    if not wrong:
        st.markdown(f":material/check: {_('Here all of them are right.')}")
    for figure in wrong:
        _shown_right(figure)
    for figure in example.figures:
        if figure.printed is None:
            _shown_right(figure)


def _shown_right(figure: Figure) -> None:
    given = _("The algorithm gives: {given}").format(given=f"**{plain(figure.given)}**")
    st.markdown(f"{plain(_(figure.what))}{_(': ')}{given}  \n{plain(_(figure.why))}")


def _puzzle() -> None:
    def check(answer: str) -> Verdict:
        pairs = [line.split() for line in answer.replace(",", "\n").splitlines() if line.strip()]
        if not pairs or any(len(pair) != 2 for pair in pairs):
            return Verdict(False, _("One merge a line, two symbols with a space between: o w"))
        symbols = apply(["l", "o", "w", "e", "r", "</w>"], [(one, two) for one, two in pairs])
        shown = plain(" ".join(symbols))
        if symbols == ["l", "owe", "r", "</w>"]:
            return Verdict(
                True,
                _("“lower” becomes {symbols}, as the note's list makes it.").format(symbols=shown),
            )
        return Verdict(False, _("“lower” becomes {symbols}.").format(symbols=shown))

    asking.puzzle(
        "notes.order",
        _(
            "The order of the list decides. Write a list of merges, one a line, that cuts “lower” "
            "into `l owe r </w>`."
        ),
        _("Your merges"),
        check,
        lines=True,
    )


def apply(symbols: list[str], merges: list[tuple[str, str]]) -> list[str]:
    """Run through a list of merges in its order."""
    for step in in_list_order(symbols, merges):
        symbols = list(step.after)
    return symbols


LESSON = Lesson("notes", lambda: _("The notes' own examples"), draw)

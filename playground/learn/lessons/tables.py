"""Inside the fast learner: the lecture's tables, before and after each merge."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from itertools import islice

import streamlit as st

from bpe.algorithm.incremental import learn_from
from bpe.algorithm.recipe import Recipe
from bpe.teaching.code import incremental_script, source
from bpe.teaching.tables import TableStep, tables
from bpe.text.unicode import scalar_text
from playground import browser, merge_view
from playground.learn import asking, content
from playground.learn.asking import Answer, Verdict, not_yet, solved
from playground.learn.lesson import Lesson
from playground.merge_view import Code
from playground.ui.i18n import _

LONGEST = 60
STEPS = 20


def draw() -> None:
    asked = content.of("tables")["examples"][0]
    before, after = _steps(asked)[:2]
    answer = partial(_answer, len(after.changes.symbols), len(before.places))
    asking.bet("tables.changed", answer, text=asked, places=len(before.places))
    text, place = asking.text("tables", most=LONGEST, of=asking.learnable)
    with place:
        steps = _steps(text)
        if len(steps) > 1:
            _picture(text, steps)
        elif text.strip():
            st.info(_("Type at least one word of two letters; then there is a pair to merge."))
    asking.puzzle("tables.stale", _check)


@st.cache_data(max_entries=32, show_spinner=False)
def _steps(text: str) -> list[TableStep]:
    return list(islice(tables(text, Recipe(merges=STEPS)), STEPS + 1))


def _answer(changed: int, places: int) -> Answer:
    why = _(
        "{changed}: five times `j` goes into `t`, two places each. The symbols of the "
        "other {rest} places stay as they are."
    ).format(changed=changed, rest=places - changed)
    return {str(changed)}, why


def _check(answer: str) -> Verdict:
    steps = _steps(scalar_text(answer[:LONGEST]))
    if len(steps) < 2:
        return not_yet(_("There is no pair in this text."))
    stale = sum(entry.stale for entry in steps[1].heap)
    if stale >= 4:
        return solved(_("Stale entries after the first merge: {stale}."), stale=stale)
    verdict = _("Stale entries after the first merge: {stale}. Four are wanted.")
    return not_yet(verdict, stale=stale)


_component = browser.component(
    "bpe_table_view", "learn/table_view/tables.js", "learn/table_view/tables.css"
)


def _picture(text: str, steps: Sequence[TableStep]) -> None:
    marks = {"heap": "pair = index.pop_best", "counts": "count = ", "places": "index.merge"}
    data = {
        "version": f"{hash((steps[0].places, len(steps)))}",
        "steps": [asdict(step) for step in steps],
        "cards": [asdict(card) for card in content.cards("tables")],
        "code": Code(source(learn_from), marks, incremental_script(text, STEPS)).wire(),
        "labels": {
            "transport": merge_view.labels()["transport"],
            "code": merge_view.code_labels(),
            "places": _("Places: number, symbol, previous, next"),
            "positions": _("pair_positions: where a pair has stood"),
            "counts": _("pair_counter: how often it stands"),
            "heap": _("heap: which pair is next"),
            "stale": _("(stale)"),
            "start": _("Before the first merge: every byte has its place."),
            "merged": _("Merged {left} and {right} to {new}, id {id}. Changed cells are marked."),
        },
    }
    _component(key="tables picture", data=data)


LESSON = Lesson("tables", draw)

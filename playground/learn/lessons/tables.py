"""Inside the fast learner: the lecture's tables, before and after each merge."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import islice

import streamlit as st

from bpe.algorithm.incremental import merges_of
from bpe.algorithm.recipe import Recipe
from bpe.teaching.code import incremental_script, source
from bpe.teaching.tables import TableStep, tables
from bpe.text.unicode import scalar_text
from playground import browser, merge_view
from playground.learn import asking
from playground.learn.asking import Answer, Verdict
from playground.learn.lesson import Lesson
from playground.merge_view import Card, Code
from playground.ui.i18n import _

LONGEST = 60
STEPS = 20

_EXAMPLES = ("intj intj intj intj intj tech tech", "Hello helo, I'm", "看路看天看路灯", "aaaa")


def draw() -> None:
    st.markdown(
        _(
            "To touch only what a merge changes, the learner does some bookkeeping: every byte has "
            "a numbered **place** with links to its neighbours; every pair has a list of the "
            "**positions** where it stood and a **counter**; and a **heap** keeps the most "
            "frequent pair on top. Entries that go out of date are not searched for. They "
            "are thrown away when they come up: this is called a *lazy update*."
        )
    )
    text, place = asking.text(
        "tables", _EXAMPLES, _("Your text"), most=LONGEST, of=asking.learnable
    )
    with place:
        steps = _steps(text)
        if len(steps) < 2:
            st.info(_("Type at least one word of two letters; then there is a pair to merge."))
        else:
            table_view(steps, key="tables picture", cards=_cards(), code=_code(text))
    _bet()
    _puzzle()


@st.cache_data(max_entries=32, show_spinner=False)
def _steps(text: str) -> list[TableStep]:
    return list(islice(tables(text, Recipe(merges=STEPS)), STEPS + 1))


def _code(text: str) -> Code:
    return Code(
        source(merges_of),
        {"heap": "pair = index.pop_best", "counts": "count = ", "places": "index.merge"},
        incremental_script(text, STEPS),
    )


def _cards() -> list[Card]:
    return [
        Card(
            _("Each byte of the text has a place. Links lead to the neighbours inside the same "
              "pre-token; at its ends they lead nowhere."),
            "places", 0,
        ),
        Card(
            _("The heap gives the most frequent pair. Its positions are looked up, and only there "
              "is anything done."),
            "heap", 0,
        ),
        Card(
            _("At each position the left place takes the new symbol, the right one dies (∅), and "
              "the links go round it."),
            "places", 1,
        ),
        Card(
            _("Counters around the merge go down and up. Positions only ever grow: an old entry "
              "is checked when it is used."),
            "counts", 1,
        ),
        Card(
            _("New counts are pushed onto the heap; old entries stay there, stale. When one comes "
              "to the top, it is compared with the counter and thrown away."),
            "heap", 2,
        ),
    ]  # fmt: skip


def _bet() -> None:
    text = _EXAMPLES[0]
    before, after = _steps(text)[:2]

    def answer() -> Answer:
        changed = len(after.changes.symbols)
        why = _(
            "{changed}: five times `j` goes into `t`, two places each. The symbols of the "
            "other {rest} places stay as they are."
        ).format(changed=changed, rest=len(before.tables.places) - changed)
        return Answer({str(changed)}, why)

    asking.bet(
        "tables.changed",
        _("“{text}” has {places} places. The first merge joins t and j. How many places get "
          "another symbol?").format(text=text, places=len(before.tables.places)),
        {"5": "5", "10": "10", "34": "34"},
        answer,
    )  # fmt: skip


def _puzzle() -> None:
    def check(answer: str) -> Verdict:
        steps = _steps(scalar_text(answer[:LONGEST]))
        if len(steps) < 2:
            return Verdict(False, _("There is no pair in this text."))
        stale = sum(entry.stale for entry in steps[1].tables.heap)
        if stale >= 4:
            return Verdict(
                True, _("Stale entries after the first merge: {stale}.").format(stale=stale)
            )
        return Verdict(
            False,
            _("Stale entries after the first merge: {stale}. Four are wanted.").format(stale=stale),
        )

    asking.puzzle(
        "tables.stale",
        _("Write a text whose heap holds at least four stale entries after the first merge."),
        _("Your text"),
        check,
        hint=_("An entry goes stale when a neighbour of its pair is merged away."),
    )


LESSON = Lesson("tables", lambda: _("Inside the fast learner"), draw, minutes=5, branch=True)


_component = browser.component(
    "bpe_table_view", "learn/table_view/tables.js", "learn/table_view/tables.css"
)


def table_view(
    steps: Sequence[TableStep], *, key: str, cards: Sequence[Card] = (), code: Code | None = None
) -> None:
    first = steps[0].tables
    data = {
        "version": f"{hash((first.places, len(steps)))}",
        "steps": [_wire(step) for step in steps],
        "cards": [asdict(card) for card in cards],
        "code": code and code.wire(),
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
    _component(key=key, data=data)


def _wire(step: TableStep) -> dict[str, object]:
    tables = step.tables
    return {
        "merge": step.merge,
        "spelling": step.spelling,
        "places": [(place.symbol, place.previous, place.next) for place in tables.places],
        "positions": tables.positions,
        "counts": tables.counts,
        "heap": tables.heap,
        "changes": asdict(step.changes),
    }

"""The tables of the incremental learner, before and after each merge, changed cells marked."""

from collections.abc import Sequence
from dataclasses import asdict

from bpe.teaching.tables import TableStep
from playground import browser, merge_view
from playground.merge_view import Card, Code
from playground.ui.i18n import _

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

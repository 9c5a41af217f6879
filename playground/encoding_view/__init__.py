"""The encoding of one pre-token as a picture: at each step the pair of lowest rank is merged."""

import base64
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from bpe.algorithm.encoding_steps import MergeStep, RankOf, by_rank, single_bytes
from playground import browser, merge_view
from playground.merge_view import Card, Code
from playground.ui.i18n import _

_component = browser.component("bpe_replay", "encoding_view/view.js", "encoding_view/view.css")


@dataclass(frozen=True)
class Other:
    """Another way to cut the same piece, and what there is to say of it."""

    name: str
    sizes: Sequence[int]
    note: str


def encoding_view(
    piece: str,
    rank_of: RankOf[bytes],
    *,
    key: str,
    others: Sequence[Other] = (),
    cards: Sequence[Card] = (),
    code: Code | None = None,
) -> None:
    """Draw how ``piece`` is encoded by the ranks, one merge a step, the other ways beneath it."""
    start = single_bytes(piece)
    steps = tuple(by_rank(start, rank_of))
    data = {
        "version": f"{hash((piece, steps))}",
        "bytes": base64.b64encode(piece.encode()).decode("ascii"),
        "steps": _wire(start, steps),
        "others": [asdict(other) for other in others],
        "cards": [asdict(card) for card in cards],
        "code": code and code.wire(),
        "labels": {
            "transport": merge_view.labels()["transport"],
            "code": merge_view.code_labels(),
            "lowest": _("Of all neighbours the lowest rank is {rank}: these two are merged next."),
            "done": _("No two neighbours have a rank: done, tokens: {count}."),
        },
    }
    _component(key=key, data=data)


def _wire(start: Sequence[bytes], steps: Sequence[MergeStep[bytes]]) -> list[dict[str, object]]:
    states: list[dict[str, object]] = [
        {
            "sizes": [len(symbol) for symbol in step.symbols],
            "ranks": step.ranks,
            "place": step.places[0],
            "rank": step.rank,
        }
        for step in steps
    ]
    last = steps[-1].after if steps else start
    ranks = [None] * (len(last) - 1)
    sizes = [len(symbol) for symbol in last]
    return [*states, {"sizes": sizes, "ranks": ranks, "place": None, "rank": None}]

"""The encoding of one pre-token as a picture: at each step the pair of lowest rank is merged."""

import base64
from collections.abc import Sequence
from dataclasses import asdict

from bpe.algorithm.encoding_steps import MergeStep, RankOf, by_rank, single_bytes
from playground import browser, merge_view
from playground.merge_view import Card, Code
from playground.ui.i18n import _

_component = browser.component("bpe_replay", "encoding_view/view.js", "encoding_view/view.css")


Other = tuple[str, Sequence[int], str]
"""Another way to cut the same piece: its name, the bytes of its tokens, what there is to say."""


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
        "others": others,
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
    states: list[tuple[object, ...]] = [
        ([len(symbol) for symbol in step.symbols], step.ranks, step.places[0], step.rank)
        for step in steps
    ]
    last = [len(symbol) for symbol in (steps[-1].after if steps else start)]
    states.append((last, [None] * (len(last) - 1), None, None))
    return [dict(zip(("sizes", "ranks", "place", "rank"), state, strict=True)) for state in states]

"""The token view: a text with its tokens in colour, and the inspector of one of them.

One component for every page: :func:`token_view` draws a text as it runs, :func:`aligned_view` the
same text under several tokenizers. Python cuts the window and translates the words; the browser
draws them, and works out which bytes of which characters a token holds (``row.js``), so that hover
and keyboard need no round trip.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from bpe.analysis.merge_tree import Node
from bpe.analysis.segmentation import Segmentation, TokenFacts, segment_ids
from bpe.errors import BPEError
from playground import browser
from playground.token_view import words
from playground.ui import caches
from playground.ui.state import component, shaped

PAGE_SIZE = 20_000
"""Tokens drawn at once: as many as a browser lays out in about a second."""
PAGE_BLOCKS = 240
"""Blocks of aligned tokens drawn at once: they grow with the page, and change with each key."""

NEAR = 2
"""Neighbours of a token in the vocabulary that are named, on each side."""

Maker = Callable[[int], Node | None]
"""Says what the token with an id was merged from, as :func:`bpe.analysis.merge_tree.made` does."""

Ask = Callable[[str, int, TokenFacts], None]
"""Takes a question of the reader: the code of an action, the number of the row, the token."""

More = Sequence[tuple[str, str]]
"""More facts of a token, each with its name."""

Tell = Callable[[int, bytes], More]
"""Says more of a token: asked the number of the row and the bytes of the token."""

_TOKEN = {"row": int, "index": int}
_SENT = {
    "state": {"of": str, "start": int, "pinned": _TOKEN},
    "act": {"of": str, "code": str, **_TOKEN},
}

BASE_ACTION = "base"
"""The question that a click on the name of a row asks."""

_component = browser.component("bpe_token_view", "token_view/view.js", "browser/tokens.css")


@dataclass(frozen=True)
class Row:
    """A text as one tokenizer cuts it, and what the view says of that tokenizer."""

    segmentation: Segmentation
    name: str = ""
    made: Maker | None = None
    """Asked about the id of the pinned token alone."""
    measure: str = ""
    """How long the text is, in words."""
    code: str = ""
    """Small, behind the name."""


def token_view(
    row: Row,
    *,
    key: str,
    page_size: int = PAGE_SIZE,
    height: int = 360,
    show_ids: bool | None = None,
    actions: Mapping[str, str] = MappingProxyType({}),
    on_ask: Ask | None = None,
    tell: Tell | None = None,
) -> TokenFacts | None:
    """Draw the tokens of a text and return the one that the reader has pinned.

    Beyond ``page_size`` tokens the reader turns pages. ``height`` (pixels) bounds the text, which
    then scrolls. ``show_ids`` opens the list of ids from the start; by default, for short texts.
    ``actions`` (code to label) are offered in the inspector; ``on_ask`` is called with the one that
    was chosen before the rerun. ``tell`` says more of the pinned token.
    """
    total = len(row.segmentation)
    start, _ = _state(component(key, _SENT), row.segmentation.digest, [row.segmentation])
    turns = _turns(start, total, page_size)
    data = {
        "blocks": None,
        "list": total <= 200 if show_ids is None else show_ids,
        "base": None,
        "controls": True,
        "actions": list(actions.items()),
        "height": height,
        **turns,
    }
    window = range(turns["start"], turns["later"] or total)
    pinned = _draw([row], [window], row.segmentation.digest, data, key, on_ask, tell)
    return pinned and pinned[1]


def aligned_view(
    rows: Sequence[Row],
    *,
    key: str,
    base: int | None = None,
    controls: bool = True,
    near: int = 0,
    actions: Mapping[str, str] = MappingProxyType({}),
    on_ask: Ask | None = None,
    tell: Tell | None = None,
) -> tuple[int, TokenFacts] | None:
    """Draw one text under several tokenizers, cut where all have a boundary.

    Blocks in which the tokenizers differ keep their colours, the others fade. Returns which row's
    token the reader has pinned, and that token. With a ``base``, the name of another row is clicked
    to make that one it: ``on_ask`` is called with :data:`BASE_ACTION`. Without ``controls`` there
    are no switches. Of a long text the page around the byte ``near`` is shown first. For
    ``actions`` and ``tell`` see :func:`token_view`. Tokenizers that spell different bytes raise
    :class:`BPEError`.
    """
    blocks = caches.aligned([row.segmentation for row in rows])
    digest = "-".join(row.segmentation.digest for row in rows)
    sent = component(key, _SENT)
    start, _ = _state(sent, digest, [row.segmentation for row in rows])
    if sent.get("state", {}).get("of") != digest:
        start = first_page(int(np.searchsorted(blocks.ends, near)), len(blocks), PAGE_BLOCKS)
    turns = _turns(start, len(blocks), PAGE_BLOCKS)
    shown = blocks[turns["start"] : turns["later"]]
    windows = [
        range(shown[0].tokens[row].start, shown[-1].tokens[row].stop) if shown else range(0)
        for row in range(len(rows))
    ]
    data = {
        "blocks": [[len(indices) for indices in block.tokens] for block in shown],
        "list": False,
        "base": base,
        "controls": controls,
        "actions": list(actions.items()),
        "height": 0,
        **turns,
    }
    return _draw(rows, windows, digest, data, key, on_ask, tell)


def _draw(
    rows: Sequence[Row],
    windows: Sequence[range],
    digest: str,
    data: dict[str, Any],
    key: str,
    on_ask: Ask | None,
    tell: Tell | None,
) -> tuple[int, TokenFacts] | None:
    """Mount the component and return the pinned token with the number of its row."""
    cuts = [row.segmentation for row in rows]  # callbacks outlive a run, and tokenizers may not
    _, pinned = _state(component(key, _SENT), digest, cuts)
    data |= {
        "of": digest,
        # What is drawn anew when it changes; labels and the inspector are updated in place.
        "version": f"{digest}/{windows}/{[row.name for row in rows]}",
        "rows": [
            sent_tokens(row.segmentation, window, row.name)
            | {"measure": row.measure, "code": row.code}
            for row, window in zip(rows, windows, strict=True)
        ],
        "pinned": pinned and {"row": pinned[0], "index": pinned[1]},
        "made": pinned and _made(rows[pinned[0]], *pinned, tell),
        "labels": words.labels(),
        "note": words.note(cuts[0]),
    }
    result = _component(
        key=key,
        data=data,
        on_state_change=lambda: None,
        on_act_change=lambda: _act(key, digest, cuts, on_ask),
    )
    _, pinned = _state(shaped(result, _SENT), digest, cuts)
    return pinned and (pinned[0], cuts[pinned[0]].token(pinned[1]))


def _act(key: str, digest: str, cuts: Sequence[Segmentation], on_ask: Ask | None) -> None:
    """Pass on what the reader asks of a token, unless the text has changed meanwhile."""
    act = component(key, _SENT).get("act", {})
    if on_ask is None or act.get("of") != digest:
        return
    if (place := _place(act, cuts)) is not None:
        row, index = place
        on_ask(act.get("code", ""), row, cuts[row].token(index))


def _made(row: Row, number: int, index: int, tell: Tell | None) -> dict[str, Any] | None:
    token_id = row.segmentation.ids[index]
    if row.made is None or (node := row.made(token_id)) is None:
        return None
    more = tell(number, node.bytes) if tell else ()
    return sent_made(node, token_id, number, _near(row.made, token_id), more=more)


def _near(made: Maker, token_id: int) -> Iterator[Node]:
    """Yield the neighbours of a token in the vocabulary; a gap in the ids is left out."""
    for near_id in range(max(token_id - NEAR, 0), token_id + NEAR + 1):
        with suppress(BPEError):
            if near_id != token_id and (node := made(near_id)) is not None:
                yield node


def _state(
    sent: Mapping[str, Any], digest: str, cuts: Sequence[Segmentation]
) -> tuple[int, tuple[int, int] | None]:
    """Return where the window starts and which token of which row is pinned.

    An answer about another text is void.
    """
    view = sent.get("state", {})
    if view.get("of") != digest:
        return 0, None
    return view.get("start", 0), _place(view.get("pinned", {}), cuts)


def _place(sent: Mapping[str, int], cuts: Sequence[Segmentation]) -> tuple[int, int] | None:
    """Return the row and the index of a token; ``None`` where there is none."""
    row, index = sent.get("row", -1), sent.get("index", -1)
    there = 0 <= row < len(cuts) and 0 <= index < len(cuts[row])
    return (row, index) if there else None


def first_page(block: int, total: int, size: int) -> int:
    """Return where the page with this ``block`` starts; the last one is full, too.

    >>> first_page(5, 1000, 240), first_page(300, 1000, 240), first_page(999, 1000, 240)
    (0, 240, 760)
    """
    return max(0, min(block // size * size, total - size))


def _turns(start: int, total: int, size: int) -> dict[str, Any]:
    """Say where the window that a browser asks for and its neighbours start."""
    start = max(0, min(start, total - 1))
    end = start + size
    return {
        "start": start,
        "earlier": max(0, start - size) if start > 0 else None,
        "later": end if end < total else None,
    }


# The tokens that the browser draws, as plain arrays for JSON.


def sent_tokens(segmentation: Segmentation, window: range, name: str) -> dict[str, Any]:
    """Return a window of tokens, with those that complete its outermost characters."""
    total = len(segmentation)
    begin, end = window.start, window.stop
    if window:
        if touched := segmentation.token(begin).parts:
            begin = min(begin, touched[0].tokens.start)
        if touched := segmentation.token(end - 1).parts:
            end = max(end, touched[-1].tokens.stop)
    starts = segmentation.starts
    ids = segmentation.ids[begin:end]
    counts = None
    if len(window) < total:
        counts = {str(token_id): segmentation.counts[token_id] for token_id in set(ids)}
    return {
        "name": name,
        "space": segmentation.space_sign,
        "total": total,
        "first": window.start,
        "lead": window.start - begin,
        "count": len(window),
        "ids": list(ids),
        "sizes": [starts[place + 1] - starts[place] for place in range(begin, end)],
        **_characters(segmentation.data[starts[begin] : starts[end]]),
        "special": [
            place for place, token_id in enumerate(ids) if token_id in segmentation.special_ids
        ],
        "counts": counts,
    }


def sent_made(
    token: Node, token_id: int, row: int, near: Iterable[Node] = (), *, more: More = ()
) -> dict[str, Any]:
    """Return how the token of a row was made, and the tokens ``near`` it."""
    return {
        "of": row,
        "id": token_id,
        "rank": token.rank,
        "count": token.count,
        "parts": [_node(part) for part in token.parts],
        "near": [_node(node) for node in near],
        "more": more,
    }


def _node(node: Node) -> dict[str, Any]:
    return {"id": node.id, "sizes": [len(node.bytes)], **_characters(node.bytes)}


def _characters(data: bytes) -> dict[str, Any]:
    """Return the text of bytes, and by its place in the text each U+FFFD that is no character."""
    text = data.decode("utf-8", "replace")
    invalid: dict[str, list[int]] = {}
    if "\ufffd" in text:
        place = 0
        for part in segment_ids([0], lambda _id: data).token(0).parts:
            if part.character is None:
                invalid[str(part.position)] = list(data[place : place + part.size])
            place += part.size
    return {"text": text, "invalid": invalid}

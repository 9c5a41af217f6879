"""The tokens that the browser draws, as plain arrays for JSON."""

from collections.abc import Iterable, Sequence
from typing import Any

from bpe.analysis.merge_tree import Node
from bpe.analysis.segmentation import Segmentation, segment_ids


def tokens(segmentation: Segmentation, window: range, name: str) -> dict[str, Any]:
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


More = Sequence[tuple[str, str]]
"""More facts of a token, each with its name."""
NOTHING: More = ()


def made(
    token: Node | None, token_id: int, row: int, near: Iterable[Node] = (), *, more: More = NOTHING
) -> dict[str, Any] | None:
    """Return how the token of a row was made, where that is known, and the tokens ``near`` it."""
    if token is None:
        return None
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

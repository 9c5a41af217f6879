"""The token view: a text with its tokens in colour, and the inspector of one of them.

One component for every page: :func:`token_view` draws a text as it runs, :func:`aligned_view` the
same text under several tokenizers. Python cuts the window and translates the words; the browser
draws them, and works out which bytes of which characters a token holds (``row.js``), so that hover
and keyboard need no round trip.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from bpe.analysis.merge_tree import Node
from bpe.analysis.segmentation import Segmentation, TokenFacts, segment_ids
from playground.token_view import changes
from playground.ui import caches, i18n

PAGE_SIZE = 20_000
"""Tokens drawn at once: as many as a browser lays out in about a second."""
PAGE_BLOCKS = 1_500
"""Blocks of aligned tokens drawn at once."""

Maker = Callable[[int], Node | None]
"""Says what the token with an id was merged from, as :func:`bpe.analysis.merge_tree.made` does."""

_HERE = Path(__file__).parent
_SCRIPTS = ("row.js", "glyphs.js", "inspector.js", "view.js")
_component = st.components.v2.component(
    "bpe_token_view",
    css=(_HERE / "view.css").read_text(encoding="utf-8"),
    js="\n".join((_HERE / name).read_text(encoding="utf-8") for name in _SCRIPTS),
)


def token_view(
    segmentation: Segmentation,
    *,
    key: str,
    translate: Callable[[str], str] = i18n._,
    made: Maker | None = None,
    differing: Collection[int] = (),
    page_size: int = PAGE_SIZE,
    height: int = 360,
    show_ids: bool | None = None,
) -> TokenFacts | None:
    """Draw the tokens of a text and return the one that the reader has pinned.

    ``made`` is asked about the pinned token's id alone; ``differing`` are indices to underline.
    Beyond ``page_size`` tokens the reader turns pages. ``height`` (pixels) bounds the text, which
    then scrolls. ``show_ids`` opens the list of ids from the start; by default, for short texts.
    """
    total = len(segmentation)
    start, _ = _state(st.session_state.get(key), segmentation.digest, [segmentation])
    start = max(0, min(start, total - 1))
    end = min(start + page_size, total)
    data = {
        "blocks": None,
        "differing": [index for index in differing if start <= index < end],
        "list": total <= 200 if show_ids is None else show_ids,
        **_turns(start, end, total, page_size),
    }
    pinned = _draw(
        [segmentation],
        [range(start, end)],
        [""],
        [made],
        segmentation.digest,
        data,
        key=key,
        height=height,
        translate=translate,
    )
    return pinned and pinned[1]


def aligned_view(
    segmentations: Sequence[Segmentation],
    *,
    key: str,
    translate: Callable[[str], str] = i18n._,
    names: Sequence[str] = (),
    made: Sequence[Maker | None] = (),
    page_blocks: int = PAGE_BLOCKS,
    height: int = 480,
) -> tuple[int, TokenFacts] | None:
    """Draw one text under several tokenizers, cut where all have a boundary.

    Blocks in which the tokenizers differ keep their colours, the others fade. Returns which
    tokenizer's token the reader has pinned, and that token. ``names`` (by default those of the
    encoders) and ``made`` have an entry for each tokenizer, or none. Tokenizers that spell
    different bytes raise :class:`BPEError`.
    """
    segmentations = tuple(segmentations)
    if not segmentations:
        return None
    blocks = caches.aligned(segmentations)
    digest = "-".join(segmentation.digest for segmentation in segmentations)
    start, _ = _state(st.session_state.get(key), digest, segmentations)
    start = max(0, min(start, len(blocks) - 1))
    end = min(start + page_blocks, len(blocks))
    shown = blocks[start:end]
    windows = [
        range(shown[0].tokens[row].start, shown[-1].tokens[row].stop) if shown else range(0)
        for row in range(len(segmentations))
    ]
    data = {
        "blocks": [[len(indices) for indices in block.tokens] for block in shown],
        "differing": [],
        "list": False,
        **_turns(start, end, len(blocks), page_blocks),
    }
    return _draw(
        segmentations,
        windows,
        names or [segmentation.name for segmentation in segmentations],
        made or [None] * len(segmentations),
        digest,
        data,
        key=key,
        height=height,
        translate=translate,
    )


def _draw(
    segmentations: Sequence[Segmentation],
    windows: Sequence[range],
    names: Sequence[str],
    made: Sequence[Maker | None],
    digest: str,
    data: dict[str, Any],
    *,
    key: str,
    height: int,
    translate: Callable[[str], str],
) -> tuple[int, TokenFacts] | None:
    """Mount the component and return the pinned token with the number of its tokenizer."""
    _, pinned = _state(st.session_state.get(key), digest, segmentations)
    data |= {
        "of": digest,
        # What is drawn anew when it changes; labels and the inspector are updated in place.
        "version": f"{digest}/{windows}/{names}/{data['differing']}",
        "rows": [
            _window(segmentation, window, name)
            for segmentation, window, name in zip(segmentations, windows, names, strict=True)
        ],
        "pinned": pinned and {"row": pinned[0], "index": pinned[1]},
        "made": pinned and _made(segmentations[pinned[0]], pinned, made[pinned[0]]),
        "labels": labels(translate),
        "note": _note(segmentations[0], translate),
        "height": height,
    }
    result = _component(key=key, data=data, on_state_change=lambda: None)
    _, pinned = _state(result, digest, segmentations)
    return pinned and (pinned[0], segmentations[pinned[0]].token(pinned[1]))


def labels(_: Callable[[str], str]) -> dict[str, Any]:
    """Return every word of the view in the page's language."""
    return {
        "tokens": _("Tokens of the text"),
        "none": _("No tokens"),
        "count": _("Tokens: {total}"),
        "window": _("Tokens {first}–{last} of {total}"),
        "earlier": _("Earlier tokens"),
        "later": _("Later tokens"),
        "glyphs": _("Signs for spaces"),
        "beside": _("Ids beside tokens"),
        "list": _("List of ids"),
        "hint": _("Click a token, or walk with the arrow keys, to see what it is made of."),
        "token": _("Token {number}"),
        "tokenOf": _("Token {number} of {total}"),
        "id": _("id {id}"),
        "idName": _("Id"),
        "kind": _("Kind"),
        "bytes": _("Bytes"),
        "characters": _("Characters"),
        "byteOf": _("byte {range} of {size} of {character}"),
        "bytesOf": _("bytes {range} of {size} of {character}"),
        "more": _("and {n} more"),
        "made": _("Made by"),
        "merge": _("merge {rank}:"),
        "seen": _("(pair seen {n} times)"),
        "base": _("no merge: a symbol from the start"),
        "stops": _("no merge; merges stop at"),
        "occurs": _("In this text"),
        "once": _("once"),
        "times": _("{n} times"),
        "previous": _("Previous"),
        "next": _("Next"),
        "close": _("Close"),
        "kinds": {
            "whole": _("one whole character"),
            "several": _("{n} whole characters"),
            "part": _("part of one character"),
            "mixed": _("several characters, not all of them whole"),
            "bytes": _("bytes that are no character"),
            "special": _("special token"),
            "empty": _("no bytes"),
        },
        "names": {" ": _("space"), "\n": _("line break"), "\t": _("tab")},
    }


def _note(segmentation: Segmentation, _: Callable[[str], str]) -> str | None:
    """Say where the text shown is not the text that was entered."""
    match segmentation.change:
        case "normalised":
            message = _("Shown as the tokenizer sees it. Before it cuts a text, it {changes}.")
            return message.format(changes=changes.in_words(segmentation.normal_form or "", _))
        case "surrogates":
            return _("Half of a surrogate pair has no bytes; U+FFFD stands in its place.")
        case "lossy":
            return _("These tokens spell a text other than the one entered; theirs is shown.")
    return None


def _state(
    state: Mapping[str, Any] | None, digest: str, segmentations: Sequence[Segmentation]
) -> tuple[int, tuple[int, int] | None]:
    """Return where the window starts and which token of which row is pinned.

    What was said of another text is void.
    """
    said = (state or {}).get("state") or {}
    if said.get("of") != digest:
        return 0, None
    pinned = said.get("pinned")
    if not pinned or not 0 <= pinned["index"] < len(segmentations[pinned["row"]]):
        return said.get("start", 0), None
    return said.get("start", 0), (pinned["row"], pinned["index"])


def _turns(start: int, end: int, total: int, size: int) -> dict[str, int | None]:
    """Say where this window and its neighbours start."""
    return {
        "start": start,
        "earlier": max(0, start - size) if start > 0 else None,
        "later": end if end < total else None,
    }


def _window(segmentation: Segmentation, window: range, name: str) -> dict[str, Any]:
    """Return tokens as arrays, with those that complete their outermost characters."""
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
        "total": total,
        "first": window.start,
        "lead": window.start - begin,
        "count": len(window),
        "ids": list(ids),
        "sizes": [starts[at + 1] - starts[at] for at in range(begin, end)],
        **_characters(segmentation.data[starts[begin] : starts[end]]),
        "special": [at for at, token_id in enumerate(ids) if token_id in segmentation.special_ids],
        "counts": counts,
    }


def _made(
    segmentation: Segmentation, pinned: tuple[int, int], made: Maker | None
) -> dict[str, Any] | None:
    """Ask how the pinned token was made."""
    row, index = pinned
    token_id = segmentation.ids[index]
    how = made(token_id) if made else None
    if how is None:
        return None
    return {
        "of": row,
        "id": token_id,
        "rank": how.rank,
        "count": how.count,
        "parts": list(map(_part, how.parts)),
    }


def _part(part: Node) -> dict[str, Any]:
    return {"id": part.id, "sizes": [len(part.bytes)], **_characters(part.bytes)}


def _characters(data: bytes) -> dict[str, Any]:
    """Return the text of bytes, and by its place in the text each U+FFFD that is no character."""
    text = data.decode("utf-8", "replace")
    invalid: dict[str, list[int]] = {}
    if "\ufffd" in text:
        at = 0
        for part in segment_ids([0], lambda _id: data).token(0).parts:
            if part.character is None:
                invalid[str(part.position)] = list(data[at : at + part.size])
            at += part.size
    return {"text": text, "invalid": invalid}

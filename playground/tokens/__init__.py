"""The token view: a text with its tokens in colour, and the lens on one of them.

One component for every page. Python cuts the window and translates the words; the browser
(``view.js``) works out characters and marks, so that hover and keyboard need no round trip.
"""

import base64
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from bpe.lens import Segmentation, TokenFacts
from playground import texts

PAGE_SIZE = 20_000
"""Tokens drawn at once: as many as a browser lays out in about a second."""

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "bpe_token_view",
    css=(_HERE / "view.css").read_text(encoding="utf-8"),
    js=(_HERE / "view.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True, slots=True)
class Made:
    """How a token came to be: the merge of two others, or there from the start.

    ``rank`` counts merges from 1 and is ``None`` for a base symbol; ``count`` is how often the
    pair stood in the training text when it was merged, where that is known.
    """

    rank: int | None
    left: tuple[int, bytes] = (0, b"")
    """Id and bytes."""
    right: tuple[int, bytes] = (0, b"")
    count: int | None = None


def token_view(
    segmentation: Segmentation,
    *,
    key: str,
    translate: Callable[[str], str] = texts._,
    made: Callable[[int], Made | None] | None = None,
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
    first, pinned = _state(st.session_state.get(key), segmentation)
    first = max(0, min(first, len(segmentation) - 1)) if len(segmentation) else 0
    data = _window(segmentation, first, page_size)
    data |= {
        "labels": labels(translate),
        "note": _note(segmentation, translate),
        "pinned": pinned,
        "made": _made(segmentation, pinned, made),
        "differing": [
            at - data["first"] + data["lead"]
            for at in differing
            if 0 <= at - data["first"] < data["count"]
        ],
        "height": height,
        "list": len(segmentation) <= 200 if show_ids is None else show_ids,
    }
    # What is drawn anew when it changes; labels and the lens are updated in place.
    data["version"] = f"{data['of']}/{first}/{page_size}/{hash(tuple(data['differing']))}"
    result = _component(key=key, data=data, on_state_change=lambda: None)
    _, pinned = _state(result, segmentation)
    return None if pinned is None else segmentation.token(pinned)


def labels(_: Callable[[str], str]) -> dict[str, Any]:
    """Return every word of the view in the page's language."""
    return {
        "tokens": _("Tokens of the text"),
        "none": _("No tokens"),
        "count": _("Tokens: {total}"),
        "window": _("Tokens {first}–{last} of {total}"),
        "earlier": _("Earlier tokens"),
        "later": _("Later tokens"),
        "signs": _("Signs for spaces"),
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
            message = _(
                "Shown as the tokenizer sees it: it first brings the text to the form {form}."
            )
            return message.format(form=segmentation.normal_form)
        case "surrogates":
            return _("Half of a surrogate pair has no bytes; U+FFFD stands in its place.")
        case "lossy":
            return _("These tokens spell a text other than the one entered; theirs is shown.")
    return None


def _state(state: Mapping[str, Any] | None, segmentation: Segmentation) -> tuple[int, int | None]:
    """Return the first token shown and the one pinned; what was said of another text is void."""
    said = (state or {}).get("state") or {}
    if said.get("of") != segmentation.digest:
        return 0, None
    pinned = said.get("pinned")
    if pinned is not None and not 0 <= pinned < len(segmentation):
        pinned = None
    return said.get("first", 0), pinned


def _window(segmentation: Segmentation, first: int, size: int) -> dict[str, Any]:
    """Return up to ``size`` tokens as arrays, with those that complete their outer characters."""
    total = len(segmentation)
    last = min(first + size, total)
    begin, end = first, last
    if first < last:
        if touched := segmentation.token(first).parts:
            begin = min(first, touched[0].tokens.start)
        if touched := segmentation.token(last - 1).parts:
            end = max(last, touched[-1].tokens.stop)
    starts = segmentation.starts
    ids = segmentation.ids[begin:end]
    counts = None
    if last - first < total:
        counts = {str(token_id): len(segmentation.positions[token_id]) for token_id in set(ids)}
    return {
        "of": segmentation.digest,
        "total": total,
        "page": size,
        "first": first,
        "lead": first - begin,
        "count": last - first,
        "ids": list(ids),
        "sizes": [starts[at + 1] - starts[at] for at in range(begin, end)],
        "bytes": _base64(segmentation.data[starts[begin] : starts[end]]),
        "special": [at for at, token_id in enumerate(ids) if token_id in segmentation.special_ids],
        "counts": counts,
    }


def _made(
    segmentation: Segmentation, pinned: int | None, made: Callable[[int], Made | None] | None
) -> dict[str, Any] | None:
    if pinned is None or made is None:
        return None
    how = made(segmentation.ids[pinned])
    if how is None:
        return None
    return {
        "index": pinned,
        "rank": how.rank,
        "count": how.count,
        "left": {"id": how.left[0], "bytes": _base64(how.left[1])},
        "right": {"id": how.right[0], "bytes": _base64(how.right[1])},
    }


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")

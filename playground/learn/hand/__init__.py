"""Merges made by hand: a text whose symbols one joins, against the merges that BPE would make."""

from collections.abc import Callable, Sequence

import streamlit as st

from bpe.algorithm.basic import merge_pair
from bpe.teaching.puzzles import MERGES_BY_HAND, by_hand
from bpe.text.pretokenize import split
from playground import browser, merge_view
from playground.ui.i18n import _

_component = browser.component("bpe_merges_by_hand", "learn/hand/hand.js", "learn/hand/hand.css")

Pairs = Sequence[tuple[str, str]]


def merges_by_hand(text: str, merges: Pairs, *, key: str, on_hand_in: Callable[[], None]) -> None:
    """Draw the text cut by ``merges``, and let the reader go on.

    What is handed in stands in the session state under ``key``, as :func:`handed_in` reads it, when
    ``on_hand_in`` is called. Nothing is sent before.
    """
    data = {
        "version": f"{hash((text, tuple(merges)))}",
        "pieces": [list(piece) for piece in split(text, "gpt2")],
        "bytes": len(text.encode()),
        "merges": merges,
        "machine": lengths(text),
        "most": MERGES_BY_HAND,
        "labels": {
            "transport": {**merge_view.labels()["transport"], "slider": _("Your merges")},
            "hint": _(
                "Click a symbol: it and its right neighbour are merged wherever the two stand."
            ),
            "pair": _("{left} {right}: {count} times"),
            "score": _("After {step} merges you have {mine} bytes a symbol, BPE {machine}."),
            "full": _("Ten merges are made. Hand them in, or go back and take another way."),
            "handIn": _("Hand in"),
            "mine": _("you"),
            "alt": _("Bytes a symbol after each merge, yours and those of BPE"),
        },
    }
    _component(key=key, data=data, on_merges_change=on_hand_in)


def handed_in(key: str) -> list[tuple[str, str]]:
    state = st.session_state.get(key) or {}
    return [(str(left), str(right)) for left, right in state.get("merges") or ()]


def lengths(text: str) -> list[int]:
    """Return how many symbols the text has after 0, 1, … merges of BPE.

    >>> lengths("hug pug hug")[:3]
    [11, 8, 6]
    """
    rows = [(list(piece), 1) for piece in split(text, "gpt2")]
    found = [sum(len(symbols) for symbols, _ in rows)]
    for left, right, _count in by_hand(text, []).machine_merges:
        rows = [(merge_pair(symbols, (left, right), left + right), n) for symbols, n in rows]
        found.append(sum(len(symbols) for symbols, _ in rows))
    return found

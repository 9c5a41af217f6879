"""A word that was not trained on, cut by the first so many merges of a training."""

from collections.abc import Collection, Sequence

import streamlit as st

from bpe.algorithm.basic import merge_pair
from bpe.text.unicode import scalar_text
from playground.learn.ladder import Frame, Row, frames, ladder
from playground.ui import fields, restorable
from playground.ui.i18n import _

LONGEST = 40
END = "</w>"
UNKNOWN = "<unk>"

Pairs = Sequence[tuple[str, str]]


def draw(key: str, default: str, merges: Pairs, known: Collection[str] | None, end: str) -> None:
    """Draw a field for a word, and the word after 0, 1, … all merges, made in their order.

    Characters that are not ``known`` become ``<unk>``; ``None`` knows all. ``end`` is put behind
    the word, unless the reader takes it away.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state.setdefault(f"{key} word", default)
        options = restorable.text(f"{key} word", default)
        typed = st.text_input(_("A new word"), live=True, **options) or ""
        marked = bool(end) and fields.stored_switch(_("</w> behind it"), f"{key} marked", True)
    word = scalar_text("".join(typed.split())[:LONGEST])
    if not word:
        st.info(_("Type at least one word, and a sentence to cut."))
        return
    start = [*word, *([end] if marked else [])]
    signs = Row(
        _("characters"), "characters", [len(sign.encode()) for sign in start], _labels(start)
    )
    cut = Row(_("symbols"), "tokens", frames=cuts(start, merges, known, end))
    ladder(
        "".join(start),
        [signs, cut],
        key=f"{key} picture",
        positions=[
            _("merges: {step} / {last}").format(step=step, last=len(merges))
            for step in range(len(merges) + 1)
        ],
        step=len(merges),
        notes=_("Decoded again, </w> taken away:"),
    )


def cuts(
    start: Sequence[str], merges: Pairs, known: Collection[str] | None, end: str
) -> tuple[Frame, ...]:
    symbols = list(start)
    found = []
    for step in range(len(merges) + 1):
        if step:
            left, right = merges[step - 1]
            symbols = merge_pair(symbols, (left, right), left + right)
        shown = [_shown(symbol, known) for symbol in symbols]
        decoded = "".join(shown)
        found.append(
            Frame(
                step,
                [len(symbol.encode()) for symbol in symbols],
                [text if text == UNKNOWN else label
                 for text, label in zip(shown, _labels(symbols), strict=True)],
                note=decoded.removesuffix(end) if end else decoded,
            )
        )  # fmt: skip
    return frames(found)


def _shown(symbol: str, known: Collection[str] | None) -> str:
    unknown = known is not None and len(symbol) == 1 and symbol not in known
    return UNKNOWN if unknown else symbol


def _labels(symbols: Sequence[str]) -> list[str | None]:
    """Return what is written in place of a symbol: ``</w>`` is no text."""
    return [symbol if symbol.endswith(END) else None for symbol in symbols]

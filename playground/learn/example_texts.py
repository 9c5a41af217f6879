"""The texts that a lesson starts from: the notes' examples as chips, and the reader's own."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpe.text.unicode import scalar_text
from playground.editor import editor
from playground.ui import restorable
from playground.ui.i18n import _


def choose(
    key: str, examples: Sequence[str], label: str, *, most: int, lines: bool = False
) -> tuple[str, DeltaGenerator]:
    """Draw the examples and a field; return what is in it, and the place between the two.

    The picture goes between, so that it comes first. The text has at most ``most`` characters: a
    longer one is cut, and the reader is told so.
    """
    field = f"text {key}"
    # Not as the widget's default, as the examples set it too.
    st.session_state.setdefault(field, examples[0])

    def put() -> None:
        chosen = st.session_state[f"chips {key}"]
        if chosen is not None:
            st.session_state[field] = examples[chosen]
            st.session_state[f"chips {key}"] = None

    st.pills(
        _("Examples"), range(len(examples)),
        format_func=lambda at: _short(examples[at]),
        key=f"chips {key}", on_change=put, label_visibility="collapsed", wrap=True,
    )  # fmt: skip
    between = st.container()
    if lines:
        typed = editor(label, None, key=field, default=examples[0], rows=3).text
    else:
        typed = st.text_input(label, live=True, **restorable.text(field, examples[0])) or ""
    if len(typed) > most:
        st.caption(
            _("This picture takes the first {most} of {all} characters.").format(
                most=f"{most:,}", all=f"{len(typed):,}"
            )
        )
    return scalar_text(typed[:most]), between


def _short(text: str) -> str:
    line = ("·" if text.startswith(" ") else "") + " ".join(text.split())
    return line if len(line) <= 28 else line[:27] + "…"

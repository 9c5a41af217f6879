"""Bets before a reveal, and puzzles that the algorithm itself checks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from bpe.errors import BPEError
from playground.editor import plain_text
from playground.learn.lesson import progress
from playground.ui import restorable
from playground.ui.i18n import _, error_text, plain

LONGEST_ANSWER = 2_000
"""Characters of an answer."""

_THOUGHT = 1.5
"""Seconds without a key after which an answer of several lines is checked."""


def bet(code: str, question: str, options: Mapping[str, str]) -> str | None:
    """Ask what will come out, before it is shown; return the code of the bet once it is placed.

    The first bet stands: later ones would know the answer.
    """
    placed = progress().bets.get(code)
    with st.container(border=True):
        st.markdown(f":material/casino: **{_('Bet first')}** · {question}")
        if placed is not None and placed in options:
            st.markdown(_("Your bet: {bet}").format(bet=f"**{options[placed]}**"))
            return placed
        chosen = st.pills(
            question, list(options), format_func=options.__getitem__, key=f"bet {code}",
            label_visibility="collapsed", wrap=True,
        )  # fmt: skip
        if chosen is None:
            st.caption(_("The answer appears once you have chosen."))
            return None
        progress().bets[code] = chosen
    return st.rerun()


@dataclass(frozen=True)
class Verdict:
    """What the algorithm says of an answer."""

    solved: bool
    text: str


def puzzle(
    code: str,
    question: str,
    label: str,
    check: Callable[[str], Verdict],
    *,
    start: str = "",
    lines: bool = False,
    hint: str | None = None,
) -> None:
    """Draw a puzzle and what the check says of the answer; an empty answer is not checked.

    ``check`` runs the learner or the encoder on what was typed; its :class:`BPEError` is shown.
    """
    with st.container(border=True):
        solved = code in progress().puzzles
        sign = ":green[:material/check_circle:]" if solved else ":material/extension:"
        st.markdown(f"{sign} **{_('Puzzle')}** · {question}")
        key = f"puzzle {code}"
        st.session_state.setdefault(key, progress().puzzles.get(code, start))
        if lines:
            answer = plain_text(label, key=key, default=start, limit=LONGEST_ANSWER, delay=_THOUGHT)
            if hint:
                st.caption(hint)
        else:
            given = st.text_input(
                label, max_chars=LONGEST_ANSWER, help=hint,
                **restorable.text(key, start, most=LONGEST_ANSWER),
            )  # fmt: skip
            answer = given or ""
        if not answer.strip():
            return
        try:
            verdict = check(answer)
        except BPEError as error:
            st.warning(error_text(error))
            return
        if verdict.solved:
            st.success(verdict.text)
            if not solved:
                progress().puzzles[code] = answer
                st.rerun()
        else:
            st.info(verdict.text)


def quoted(text: str, most: int = 40) -> str:
    """Return a typed text for Markdown, cut where it is long."""
    return plain(text if len(text) <= most else text[: most - 1] + "…")

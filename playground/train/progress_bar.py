"""The bar over a training: what it is doing, how far it has come, and what it has just learned."""

import math
import time
from collections.abc import Sequence
from html import escape

import streamlit as st

from bpe.progress import Progress
from playground.ui.i18n import _

REDRAW = 0.15
"""Seconds between two drawings, and so the time in which a click is noticed."""
NEWEST = 12
"""Tokens that are shown as they are learned."""
_BARS = 60
"""Points of the curve."""


class TrainingBar:
    """Draws what it is told, some times a second; a click ends the run of the page there.

    ``over_former`` says that what stands below is still the result of the training before.
    """

    def __init__(self, *, over_former: bool = False) -> None:
        self._text = _("Reading the corpus…")
        self._place = st.empty()
        # The style dims what is below by the key, of which a run of the page has one.
        with self._place.container(key="training" if over_former else None):
            self._bar = st.progress(0.0, text=self._text)
            self._film = st.empty()
            if over_former:
                st.caption(_("Below is still the former result."))
        self._drawn = 0.0
        self._began: float | None = None
        self._counts: list[int] = []

    def waiting(self, place: int) -> None:
        """Say which place in the queue this training has, from 1 for the next."""
        if self.is_due():
            self._text = _("Other corpora are trained first; place in the queue: {place}").format(
                place=place
            )
            self._draw(0.0)

    def progress(self, progress: Progress) -> None:
        """Draw the progress of a training; while it merges, only where a merge takes long.

        Otherwise :meth:`merged` draws, and has more to say.
        """
        if self.is_due(2 * REDRAW if progress.phase == "merging" else REDRAW):
            match progress.phase:
                case "compiling":
                    self._text = _("Compiling the learner, once for this server…")
                case "counting":
                    self._text = _("Counting words: {done} of {total} characters").format(
                        done=f"{progress.done:,}", total=f"{progress.total or progress.done:,}"
                    )
                case "joining":
                    self._text = _("Gathering the words…")
                case "indexing":
                    self._text = _("Looking up where each pair occurs…")
                case "fitting":
                    self._text = _("Fitting the pieces…")
            self._draw(progress.share)

    def merged(self, number: int, share: float, tokens: Sequence[str], count: int) -> None:
        """Draw the last merges, and the part of all merges that is made, from 0 to 1.

        ``tokens`` are what they made, the newest last; ``count`` is how often that one was seen.
        """
        if not self.is_due():
            return
        self._text = _("Merge {number}: `{token}`, seen {count} times").format(
            number=f"{number:,}", token=tokens[-1].replace("`", "ˋ"), count=f"{count:,}"
        )
        self._draw(share)
        self._counts.append(count)
        if self._began is None:
            self._began, self._first = self._drawn, number
        said = []
        if seconds := self._drawn - self._began:
            rate = f"{(number - self._first) / seconds:,.0f}"
            said.append(_("{rate} merges a second").format(rate=rate))
        if seconds and share:
            left = f"{seconds / share * (1 - share):.0f}"
            said.append(_("about {seconds} s left").format(seconds=left))
        self._film.html(_film(tokens, self._counts, " · ".join(said)))

    def measuring(self) -> None:
        """Say that the merges are made and the curve is being measured."""
        if self.is_due():
            self._text = _("Measuring the curve…")
            self._draw(1.0)

    def remove(self) -> None:
        self._place.empty()

    def is_due(self, seconds: float = REDRAW) -> bool:
        """Whether the last drawing is old enough for another."""
        return time.perf_counter() - self._drawn > seconds

    def _draw(self, share: float) -> None:
        self._drawn = time.perf_counter()
        self._bar.progress(share, text=self._text)


def _film(tokens: Sequence[str], counts: Sequence[int], said: str) -> str:
    """Return the newest tokens, the curve of their counts (logarithmic), and a line below."""
    shown = "".join(f"<span>{escape(token)}</span>" for token in reversed(tokens))
    heights = [math.log1p(count) for count in counts[:: len(counts) // _BARS + 1]]
    bars = "".join(f'<i style="height:{height / max(heights):.0%}"></i>' for height in heights)
    return (
        f'<div class="training-film"><p aria-hidden="true">{shown}</p>'
        f'<div aria-hidden="true">{bars}</div><small>{escape(said)}</small></div>'
    )

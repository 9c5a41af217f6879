"""The bar over a training: what it is doing, and how far it has come."""

import time

import streamlit as st

from bpe.progress import Progress
from playground.ui.i18n import _

REDRAW = 0.15
"""Seconds between two drawings, and so the time in which a click is noticed."""


class TrainingBar:
    """Draws what it is told, some times a second; a click ends the run of the page there."""

    def __init__(self) -> None:
        self._text = _("Reading the corpus…")
        self._bar = st.progress(0.0, text=self._text)
        self._drawn = 0.0

    def waiting(self, place: int) -> None:
        """Say which place in the queue this training has, from 1 for the next."""
        if self.is_due():
            self._text = _(
                "Other large corpora are trained first; place in the queue: {place}"
            ).format(place=place)
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

    def merged(self, number: int, share: float, token: str, count: int) -> None:
        """Draw the last merge, and the part of all merges that is made, from 0 to 1."""
        if self.is_due():
            self._text = _("Merge {number}: `{token}`, seen {count} times").format(
                number=f"{number:,}", token=token.replace("`", "ˋ"), count=f"{count:,}"
            )
            self._draw(share)

    def measuring(self) -> None:
        """Say that the merges are made and the curve is being measured."""
        if self.is_due():
            self._text = _("Measuring the curve…")
            self._draw(1.0)

    def remove(self) -> None:
        """Take the bar off the page."""
        self._bar.empty()

    def is_due(self, seconds: float = REDRAW) -> bool:
        """Whether the last drawing is old enough for another."""
        return time.perf_counter() - self._drawn > seconds

    def _draw(self, share: float) -> None:
        self._drawn = time.perf_counter()
        self._bar.progress(share, text=self._text)

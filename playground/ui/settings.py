"""The former name of :mod:`playground.ui.fields`, until Cost has followed."""

from playground.ui.fields import asked_for as asked
from playground.ui.fields import chosen, segments, select, several

__all__ = ["asked", "chosen", "segments", "select", "several"]

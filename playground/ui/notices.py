"""The former name of a part of :mod:`playground.ui.state`, until Cost has followed."""

from playground.ui.state import REMOVED, is_removed, say
from playground.ui.state import say_unknown as unknown

__all__ = ["REMOVED", "is_removed", "say", "unknown"]

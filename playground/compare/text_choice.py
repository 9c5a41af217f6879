"""Which texts are compared: a pair of our samples, a text of the reader's, or with its translation.

A sample of which one side is changed is the reader's own text, and stands alone: the other side
says something else. Only a sample pair, and two texts that the reader calls a translation of each
other, are held against each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from bpe.analysis import metrics
from playground import text_pair
from playground.editor import text_of
from playground.ui import charts, i18n
from playground.ui.i18n import _
from playground.ui.state import Field

OWN = text_pair.OWN
_OPENING = 5_000
"""Characters by which the language of a text is known."""


@dataclass(frozen=True)
class Texts:
    """The texts that are shown, each by its side: ``"zh"`` or ``"en"``, where our samples stand."""

    sides: tuple[str, ...]
    own: bool

    def label(self, side: str) -> str:
        if not self.own:
            return charts.languages()[side]
        return _("My text") if side == self.sides[0] else _("Its translation")

    @property
    def by_language(self) -> Mapping[str, str]:
        """The texts by language, the first alone where both are in the same."""
        found: dict[str, str] = {}
        for side in self.sides:
            text = text_of(key(side))
            found.setdefault(language(text) or side if self.own else side, text)
        return found

    @property
    def are_pair(self) -> bool:
        return len(self.sides) == 2 and len([t for t in self.by_language.values() if t]) == 2


def key(side: str) -> str:
    return f"compare_{side}"


def choose() -> Texts:
    domain = text_pair.choose_sample("compare", _("Text"), _("My text"))
    own_sides = _SIDES.restorable()
    if domain == OWN:
        return Texts(own_sides, own=True)
    return Texts(sample_sides(), own=False)


def sample_sides() -> tuple[str, str]:
    return ("en", "zh") if i18n.language() == i18n.ENGLISH else ("zh", "en")


def _sides(given: Sequence[str]) -> tuple[str, ...]:
    """Read which sides a link has: one, or both, the reader's text first."""
    sides = tuple(given)
    if not sides or set(sides) - {"zh", "en"} or len(set(sides)) < len(sides):
        raise ValueError("no sides")
    return sides


_SIDES: Field[tuple[str, ...]] = Field("compare_sides", ("zh",), _sides)


def edited(side: str) -> bool:
    """Take a side that was changed for the reader's own text; say whether it was none before."""
    if text_pair.SAMPLE.get() == OWN:
        return False
    text_pair.take_as_own("compare")
    _SIDES.set((side,))
    return True


def choose_translation(texts: Texts) -> None:
    if not texts.own:
        return
    first = texts.sides[0]
    other = "en" if first == "zh" else "zh"
    if len(texts.sides) == 1:
        st.button(
            _("Put its translation beside it"), icon=":material/translate:", type="tertiary",
            key="add_translation", on_click=_put, args=((first, other),),
            help=_("Then the page says how many tokens Chinese takes for each one in English."),
        )  # fmt: skip
    else:
        st.button(
            _("Take the translation away"), icon=":material/close:", type="tertiary",
            key="drop_translation", on_click=_put, args=((first,),),
        )  # fmt: skip


def _put(sides: tuple[str, ...]) -> None:
    if len(sides) == 2:
        Field(key(sides[1]), "").set("")
    _SIDES.set(sides)


def language(text: str) -> str | None:
    """Return ``"zh"`` or ``"en"`` by how a text begins; ``None`` of one without words."""
    return metrics.language(text[:_OPENING])

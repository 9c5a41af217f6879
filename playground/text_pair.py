"""Chinese and English texts of the same meaning: samples by domain, or the reader's own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from bpe.documents import samples
from playground import session
from playground.ui import charts, fields
from playground.ui.i18n import ENGLISH, _, language

Language = Literal["zh", "en"]
OWN = session.OWN_TEXT
MIXED = "mixed"
_CODE = 'print(f"{total:.2f} €")    # naïve café, 2031-04-18'
_MIXED: dict[Language, str] = {
    "zh": f"8:30，南京市长江大桥见 🌉，带上 12,345 个朋友！\n{_CODE}",
    "en": f"Meet me at 8:30 in Nanjing (南京市长江大桥) 🌉 and bring 12,345 friends!\n{_CODE}",
}
SENTENCES = 3
"""How many sample pairs make a text: enough to see, few enough to read."""


def domain_names() -> dict[str, str]:
    return {
        "news": _("News"),
        "dialogue": _("Dialogue"),
        "documentation": _("Documentation"),
        "law": _("Law"),
        "literary": _("Literature"),
        "code": _("Numbers and code"),
        "social": _("Social media"),
    }


def sample_texts(domain: str) -> dict[Language, str]:
    """Return a few samples of a domain as a text in each language, a line for each."""
    if domain == MIXED:
        return dict(_MIXED)
    chosen = samples.pairs(domain)[:SENTENCES]
    return {
        "zh": "\n".join(pair.zh for pair in chosen),
        "en": "\n".join(pair.en for pair in chosen),
    }


@dataclass(frozen=True)
class Texts:
    """The texts that are shown, each by its side."""

    sides: tuple[str, ...]
    own: bool

    def label(self, side: str) -> str:
        if not self.own:
            return charts.languages()[side]
        return _("My text") if side == self.sides[0] else _("Its translation")

    @property
    def by_language(self) -> Mapping[str, str]:
        """The texts by language, the first alone where both are in the same."""
        texts: dict[str, str] = {}
        for side in self.sides:
            text = session.side(side).get()
            texts.setdefault(session.language_of(text) or side if self.own else side, text)
        return texts

    @property
    def are_pair(self) -> bool:
        return len(self.sides) == 2 and len([t for t in self.by_language.values() if t]) == 2


def choose(label: str, *, mixed: bool = False) -> Texts:
    """Draw the choice of a sample or of the visitor's own text; return what is chosen.

    A sample that is chosen is put into both sides. ``mixed`` offers a line with some of everything,
    at first in English, on whose prose tokenizers hardly differ.
    """
    names = {**domain_names(), OWN: _("My text")}
    default = next(iter(names))
    if mixed:
        names = {MIXED: _("Some of everything"), **names}
        default = MIXED if language() == ENGLISH else default
    domain = fields.select(label, names, key=session.SAMPLE, default=default)
    if session.FILLED_WITH.get() != domain:
        session.FILLED_WITH.set(domain)
        if domain != OWN:
            for side, text in sample_texts(domain).items():
                session.side(side).set(text)
    if domain == OWN:
        return Texts(session.TEXT_SIDES.restorable(), own=True)
    return Texts(sample_sides(), own=False)


def sample_sides() -> tuple[Language, Language]:
    return ("en", "zh") if language() == ENGLISH else ("zh", "en")


def edited(side: str) -> bool:
    """Take a side that was changed for the visitor's own text; say whether it was none before."""
    if session.has_text():
        return False
    session.own_text((side,))
    return True


def choose_translation(texts: Texts, hint: str) -> None:
    """Draw the button that puts a translation beside the visitor's text, or takes it away."""
    if not texts.own:
        return
    first = texts.sides[0]
    other = "en" if first == "zh" else "zh"
    if len(texts.sides) == 1:
        st.button(
            _("Put its translation beside it"), icon=":material/translate:", type="tertiary",
            key="add_translation", on_click=_put, args=((first, other),), help=hint,
        )  # fmt: skip
    else:
        st.button(
            _("Take the translation away"), icon=":material/close:", type="tertiary",
            key="drop_translation", on_click=_put, args=((first,),),
        )  # fmt: skip


def _put(sides: tuple[str, ...]) -> None:
    if len(sides) == 2:
        session.side(sides[1]).set("")
    session.own_text(sides)

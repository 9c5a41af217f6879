"""The fields of numbers. Each is in the URL under its key; a number there that cannot be is left
out by Streamlit, and the field shows its default."""

from decimal import Decimal
from typing import Any

import streamlit as st

from playground.ui import restorable
from playground.ui.i18n import _

MOST = 100_000_000
"""More tokens than any window holds: beyond it, a number is a slip."""


def whole(
    label: str,
    key: str,
    value: int,
    *,
    least: int = 0,
    most: int = MOST,
    step: int = 100,
    hint: str | None = None,
    place: Any = st,
) -> int:
    """Draw a field for a whole number and return it; an emptied field counts as its default."""
    given = place.number_input(
        label,
        min_value=least,
        max_value=most,
        value=value,
        step=step,
        help=hint,
        **restorable.bound(key, value, restorable.whole(least, most)),
    )
    return value if given is None else int(given)


def whole_or_none(label: str, key: str, *, most: int, empty: str, place: Any = st) -> int | None:
    """Draw a field for a whole number and return it; ``empty`` is what no number means."""
    given = place.number_input(
        label,
        min_value=0,
        max_value=most,
        value=None,
        step=1,
        placeholder=empty,
        **restorable.bound(key, None, restorable.whole(0, most, optional=True)),
    )
    return None if given is None else int(given)


def amount(label: str, key: str, *, most: float, step: float, empty: str) -> float | None:
    """Draw a field for an amount from 0 on and return it; ``empty`` is what no amount means."""
    given = st.number_input(
        label,
        min_value=0.0,
        max_value=most,
        value=None,
        step=step,
        placeholder=empty,
        **restorable.bound(key, None, restorable.real(0.0, most, optional=True)),
    )
    return None if given is None else float(given)


def share(label: str, key: str, value: int = 0, *, hint: str | None = None) -> Decimal:
    percent = st.slider(
        label, 0, 100, value, format="%d%%", help=hint,
        **restorable.bound(key, value, restorable.whole(0, 100)),
    )  # fmt: skip
    return Decimal(percent) / 100


def switch(label: str, key: str, value: bool = False, *, hint: str | None = None) -> bool:
    return bool(st.toggle(label, value, help=hint, **restorable.bound(key, value, restorable.flag)))


def stored_switch(label: str, key: str, value: bool = False) -> bool:
    """Draw a switch that is not in the URL and return whether it is on."""
    return bool(st.toggle(label, value, **restorable.field(key, value, restorable.flag)))


def words(label: str, key: str, value: str = "", *, most: int = 1_000, **more: Any) -> str:
    """Draw a field for a few words and return them; ``more`` is for ``st.text_input``."""
    options = restorable.bound(key, value, restorable.words(most))
    return st.text_input(label, value, max_chars=most, **options, **more) or ""


def shows_spam(key: str) -> bool:
    """Say what many of the tokens are, and return whether the reader wants to see them."""
    st.markdown(
        _(
            "A vocabulary mirrors the pages that it was learned on. Of GPT's long Chinese "
            "tokens **more than a fifth** are advertising for gambling and pornography "
            "([arXiv 2508.17771](https://arxiv.org/abs/2508.17771)): spam repeats itself, and "
            "what repeats is merged. The longest ones of GPT-4o are of that kind."
        )
    )
    return stored_switch(_("Show them anyway"), key)

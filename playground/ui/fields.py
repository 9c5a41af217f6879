"""The fields of numbers. Each is in the URL under its key; a number there that cannot be is left
out by Streamlit, and the field shows its default."""

from decimal import Decimal

import streamlit as st

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
) -> int:
    """Draw a field for a whole number and return it; an emptied field counts as its default."""
    given = st.number_input(
        label,
        min_value=least,
        max_value=most,
        value=value,
        step=step,
        key=key,
        bind="query-params",
        help=hint,
    )
    return value if given is None else int(given)


def amount(label: str, key: str, *, most: float, step: float, empty: str) -> float | None:
    """Draw a field for an amount from 0 on and return it; ``empty`` is what no amount means."""
    given = st.number_input(
        label,
        min_value=0.0,
        max_value=most,
        value=None,
        step=step,
        key=key,
        bind="query-params",
        placeholder=empty,
    )
    return None if given is None else float(given)


def share(label: str, key: str, value: int = 0, *, hint: str | None = None) -> Decimal:
    """Draw a slider in percent and return the share, from 0 to 1."""
    percent = st.slider(
        label, 0, 100, value, format="%d %%", key=key, bind="query-params", help=hint
    )
    return Decimal(percent) / 100

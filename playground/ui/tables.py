"""Tables to read: how every one is drawn, and the kinds of column that most of them have."""

from typing import Any

import pandas as pd
import streamlit as st

_HEADING, _ROW = 38, 35
"""Pixels."""


def show(
    frame: pd.DataFrame,
    columns: dict[str, Any],
    *,
    alt_text: str,
    most_height: int | None = None,
    key: str | None = None,
) -> None:
    """Draw a table, a dash where a value is missing, with a text for those who cannot see it.

    ``columns`` has the headings by the names in ``frame``; those that are not in it are not drawn.
    Beyond ``most_height`` pixels (without it, ten rows) the table scrolls.
    """
    st.dataframe(
        frame,
        hide_index=True,
        lazy=False,
        placeholder="–",
        height="auto" if most_height is None else height(len(frame), most_height),
        column_config=columns,
        alt=alt_text,
        key=key,
    )


def height(rows: int, most: int) -> int:
    """Return the pixels of a table of so many rows, ``most`` at the most."""
    return min(most, _HEADING + _ROW * rows)


def text(label: str, **more: Any) -> Any:
    """Return the heading of a column of words."""
    return st.column_config.TextColumn(label, **more)


def number(label: str, *, form: str | None = "localized", **more: Any) -> Any:
    """Return the heading of a column of numbers, by default with the reader's separators."""
    return st.column_config.NumberColumn(label, format=form, **more)


def tick(label: str) -> Any:
    """Return the heading of a column of yes and no."""
    return st.column_config.CheckboxColumn(label)


def link(label: str, shown: str) -> Any:
    """Return the heading of a column of addresses, each shown as the same word."""
    return st.column_config.LinkColumn(label, display_text=shown)

"""Tables: how every one is drawn and saved, and the kinds of column that most of them have."""

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
    Beyond ``most_height`` pixels (without it, ten rows) the table scrolls. Shares are shown to a
    tenth of a percent, below one percent to a hundredth.
    """
    shares = [name for name, column in columns.items() if _is_share(column)]
    st.dataframe(
        frame.assign(**{name: _shown(frame[name]) for name in shares if name in frame}),
        hide_index=True,
        lazy=False,
        placeholder="–",
        height="auto" if most_height is None else height(len(frame), most_height),
        column_config=columns,
        alt=alt_text,
        key=key,
    )


def _shown(shares: pd.Series) -> pd.Series:
    """Round shares; those that are missing stay so."""
    shares = pd.to_numeric(shares)
    return shares.round(3).where(shares.abs() >= 0.01, shares.round(4))


def _is_share(column: Any) -> bool:
    return bool(column) and column["type_config"].get("format") == "percent"


def as_csv(frame: pd.DataFrame) -> bytes:
    """Return a table as a file whose encoding spreadsheets recognise."""
    texts = frame.rename(columns=no_formula).map(
        lambda cell: no_formula(cell) if isinstance(cell, str) else cell
    )
    return texts.to_csv(index=False).encode("utf-8-sig")


def no_formula(text: str) -> str:
    """Return a text for a cell that no spreadsheet takes for a formula, which it would run.

    >>> no_formula("=1+1"), no_formula("1+1")
    ("'=1+1", '1+1')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


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

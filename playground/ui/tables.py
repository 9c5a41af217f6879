"""Tables: how every one is drawn and saved, and the kinds of column that most of them have."""

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from decimal import Decimal
from math import ceil
from types import NoneType
from typing import Any

import pandas as pd
import streamlit as st

_HEADING, _ROW = 38, 35
"""Pixels."""

_LOOKED_AT = 1_000
"""Rows up to which all are looked at; longer tables are of one text, or listings."""

_LEAST, _MOST, _PINNED = 50, 420, 214
"""Pixels of a column; a pinned one that takes more of a phone would not be pinned there."""


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
    tenth of a percent, below one percent to a hundredth. Each column is as wide as what it holds:
    the browser measures it once only, and would cut the digits of larger numbers off.
    """
    shares = [name for name, column in columns.items() if _is_share(column)]
    st.dataframe(
        frame.assign(**{name: _shown(frame[name]) for name in shares if name in frame}),
        hide_index=True,
        lazy=False,
        placeholder="–",
        height="auto" if most_height is None else height(len(frame), most_height),
        column_config={
            name: column and _as_wide_as(column, frame[name]) if name in frame else column
            for name, column in columns.items()
        },
        alt=alt_text,
        key=key,
    )


Column = tuple[Any, Callable[[Any], Any]]
"""The heading of a column, a text alone where it has money, and what a row has there."""


def show_rows(
    rows: Sequence[Any],
    columns: Mapping[str, Column],
    *,
    alt_text: str,
    optional: Collection[str] = (),
    most_height: int | None = None,
    key: str | None = None,
    money: Callable[[str, list[Any]], tuple[Any, list[Any]]] | None = None,
) -> None:
    """Draw a table; the columns that are ``optional`` only where a row has something there.

    ``money`` returns the heading and the cells of a column of amounts.
    """
    headings, cells = {}, {}
    for name, (heading, cell) in columns.items():
        values = [cell(row) for row in rows]
        if name in optional and all(value is None for value in values):
            continue
        if money and isinstance(heading, str):
            heading, values = money(heading, values)
        headings[name], cells[name] = heading, _cells(heading, values)
    show(pd.DataFrame(cells), headings, alt_text=alt_text, most_height=most_height, key=key)


def _cells(heading: Any, values: list[Any]) -> Any:
    """Return what a frame takes; whole numbers stay whole where others are missing."""
    is_number = heading["type_config"]["type"] == "number"
    if is_number and None in values and {*map(type, values)} <= {int, NoneType}:
        return pd.array(values, "Int64")
    return [float(value) if isinstance(value, Decimal) else value for value in values]


def _shown(shares: pd.Series) -> pd.Series:
    """Round shares; those that are missing stay so."""
    shares = pd.to_numeric(shares)
    return shares.round(3).where(shares.abs() >= 0.01, shares.round(4))


def _as_wide_as(column: Any, values: pd.Series) -> Any:
    kind = column["type_config"]["type"]
    if column["width"] or kind not in ("text", "number") or len(values) > _LOOKED_AT:
        return column
    cells = [written(column, value) for value in _extremes(values, kind)]
    needed = max(map(_pixels, (column["label"] or "", *cells)))
    return {
        **column,
        "width": max(_LEAST, min(ceil(needed), _PINNED if column["pinned"] else _MOST)),
    }


def _extremes(values: pd.Series, kind: str) -> list[Any]:
    present = values.dropna()
    if kind == "text":
        return list(present.unique())
    numbers = pd.to_numeric(present, errors="coerce").dropna()
    return [numbers.min(), numbers.max()] if len(numbers) else []


def written(column: Any, value: Any) -> str:
    """Return a cell about as the browser writes it.

    >>> written(number("Tokens"), 1234567), written(number("Price", form="$%,.2f"), 1234.5)
    ('1,234,567', '$1,234.50')
    >>> written(number("Share", form="percent"), 0.4567), written(text("Model"), "GPT-5")
    ('45.67%', 'GPT-5')
    """
    form = column["type_config"].get("format")
    if column["type_config"]["type"] == "text":
        return str(value)
    if form == "percent":
        return f"{value:.2%}"
    if match := _FORM.fullmatch(form or ""):
        before, places, after = match.groups()
        return f"{before}{value:,.{places}f}{after}"
    return f"{value:,.3f}".rstrip("0").rstrip(".")


_FORM = re.compile(r"([^%]*)%,?\.(\d+)f(.*)")


def _pixels(text: str) -> float:
    return 22 + sum(map(_advance, text))


def _advance(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 14
    if character in _NARROW:
        return 4
    return 8 if character.isdigit() or character.isupper() else 6.7


_NARROW = frozenset(" .,:;·'’|!()/-iIjltfr")


def _is_share(column: Any) -> bool:
    return bool(column) and column["type_config"].get("format") == "percent"


def as_csv(frame: pd.DataFrame) -> bytes:
    """Return a table as a file whose encoding spreadsheets recognise."""
    texts = frame.rename(columns=no_formula).map(
        lambda cell: no_formula(cell) if isinstance(cell, str) else cell
    )
    return texts.to_csv(index=False).encode("utf-8-sig")


def download(
    label: str, content: Callable[[], bytes], name: str, *, key: str | None = None
) -> None:
    """Draw the button that saves a table as csv, which is made on the click."""
    st.download_button(
        label, content, name, "text/csv", key=key, on_click="ignore",
        icon=":material/download:",
    )  # fmt: skip


def no_formula(text: str) -> str:
    """Return a text for a cell that no spreadsheet takes for a formula, which it would run.

    >>> no_formula("=1+1"), no_formula("1+1"), no_formula("＝1+1")
    ("'=1+1", '1+1', "'＝1+1")
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


_FORMULA = tuple("=+-@＝＋－＠\t\r\n")
"""The wide ones are taken for the others where a spreadsheet speaks Chinese or Japanese."""


def height(rows: int, most: int) -> int:
    return min(most, _HEADING + _ROW * rows)


def text(label: str, **more: Any) -> Any:
    return st.column_config.TextColumn(label, **more)


def number(label: str, *, form: str | None = "localized", **more: Any) -> Any:
    return st.column_config.NumberColumn(label, format=form, **more)


def tick(label: str) -> Any:
    return st.column_config.CheckboxColumn(label)


def link(label: str, shown: str) -> Any:
    return st.column_config.LinkColumn(label, display_text=shown)

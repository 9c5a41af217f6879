"""Saving a chart: as PNG and SVG, just as the browser has drawn it, and its data as CSV.

Nothing is drawn again on the server, which would need a JavaScript engine there.
"""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from playground import browser
from playground.ui import tables
from playground.ui.i18n import _

_component = browser.component(
    "bpe_chart_files", "ui/chart_files/links.js", "ui/chart_files/links.css"
)


def links(csv: str, *, alt_text: str, key: str) -> None:
    _component(data={"chart": alt_text, "csv": csv, "labels": labels()}, key=key)


def labels() -> dict[str, str]:
    return {
        "menu": _("Save the chart"),
        "PNG": _("Save as PNG"),
        "SVG": _("Save as SVG"),
        "CSV": _("Save the data as CSV"),
    }


def as_csv(chart: Any) -> str:
    return tables.as_csv(data_of(chart)).decode()


def data_of(chart: Any) -> pd.DataFrame:
    """Return the data of a chart of Altair, its columns called what the reader sees.

    Of several tables it is the longest. Columns to which the chart gives no title only help to
    place things, and are left out unless there are no others.
    """
    frames = [part.data for part in parts(chart) if isinstance(part.data, pd.DataFrame)]
    if not frames:
        return pd.DataFrame()
    frame = max(frames, key=len)
    titles: dict[str, str] = {}
    for part in parts(chart):
        for field, title in _titles(part):
            titles.setdefault(field, title)
    columns: dict[str, str] = {}
    for column in frame.columns:
        if column in titles:
            columns.setdefault(titles[column], column)  # the number rather than how it is written
    return frame[list(columns.values())].set_axis(list(columns), axis=1) if columns else frame


def parts(chart: Any) -> Iterator[Any]:
    yield chart
    kinds = ("layer", "hconcat", "vconcat", "concat")
    inner = [each for kind in kinds for each in _given(chart, kind, [])]
    for each in [*inner, *filter(None, [_given(chart, "spec", None)])]:
        yield from parts(each)


def _titles(part: Any) -> Iterator[tuple[str, str]]:
    encoding = _given(part, "encoding", None)
    channels = encoding._kwds.items() if hasattr(encoding, "_kwds") else ()
    for _name, channel in sorted(channels, key=lambda item: item[0] != "tooltip"):
        for each in channel if isinstance(channel, list) else [channel]:
            field = str(_given(each, "shorthand", "")).rpartition(":")[0]
            title = _given(each, "title", None)
            if field and isinstance(title, str) and title:
                yield field, title


def _given(thing: Any, name: str, default: Any) -> Any:
    set_values = getattr(thing, "_kwds", {})
    value = set_values.get(name, default) if isinstance(set_values, dict) else default
    return default if type(value).__name__ == "UndefinedType" else value

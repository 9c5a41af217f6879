"""What the charts of Chinese against English have in common: a row for each tokenizer."""

from collections.abc import Sequence

import altair as alt

_ROW = 36


def tokenizers(order: Sequence[str]) -> alt.Y:
    """Return the axis of a column ``tokenizer``."""
    return alt.Y(
        "tokenizer:N",
        sort=list(order),
        title=None,
        axis=alt.Axis(labelLimit=220, labelOverlap=False),
    )


def height(order: Sequence[str], around: int, *, row: int = _ROW) -> int:
    """Return the height of a chart in pixels, ``around`` of them for legend and axis."""
    return row * max(len(order), 2) + around

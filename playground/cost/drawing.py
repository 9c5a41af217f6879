"""What the charts of the cost page have in common."""

import altair as alt

PARTS = ("#4f7f78", "#9cc0b4", "#c9b27c", "#8d6a9f")
"""Colours of the parts of a bill: input, cached, written to the cache, output."""

NAMES = alt.Axis(labelLimit=230, title=None)
"""The axis of models."""

AMOUNTS = alt.Axis(format=",~r", tickCount=5)
"""The axis of money, and of tokens."""

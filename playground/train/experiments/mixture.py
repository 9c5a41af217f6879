"""How much of the corpus is Chinese, and how large the vocabulary is: two heat-maps."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from bpe.analysis import experiments
from bpe.analysis.experiments import Cell, Lines
from bpe.documents import samples
from bpe.encoders import catalog
from playground.train.corpus import Corpus
from playground.train.job import Trained
from playground.ui import charts, progress, tables
from playground.ui.i18n import _

SHARES = tuple(tenth / 10 for tenth in range(11))
SIZES = (300, 500, 1_000, 2_000, 4_000, 8_000)
MOST_BYTES = 1_000_000
"""The text of one training: all eleven take some seconds."""

REFERENCES = ("o200k_base", "cl100k_base", "deepseek_v3", "qwen3")
MEASURED = samples.pairs()[3::4]
"""Parallel samples on which everything is measured; no line of them is trained on."""


def show(trained: Trained, corpus: Corpus) -> None:
    pairs = [(pair.zh, pair.en) for pair in MEASURED]
    rows = progress.resumed(
        "mixture",
        trained.identity,
        SHARES,
        lambda missing: experiments.shares_and_sizes(
            Lines.of(corpus.texts, without=[text for pair in pairs for text in pair]),
            trained.recipe,
            missing,
            SIZES,
            pairs,
            most_bytes=MOST_BYTES,
            on_progress=lambda _done: progress.checkpoint(),
        ),
        said=lambda share, _row: _("{share:.0%} Chinese: trained").format(share=share),
        stopped=_("Stopped: {done} of {all} shares are trained."),
    )
    cells = [cell for row in rows.values() for cell in row]
    if not cells:
        return
    st.caption(
        _(
            "For each share a corpus of the same size is made of lines of yours. Measured on {n} "
            "pairs of our samples, which are left out of the training."
        ).format(n=len(pairs))
    )
    references = _references(pairs)
    for title, alt_text, value in (
        (_("Premium: Chinese tokens for each English one"), _("Premium"), "premium"),
        (_("Bytes per token, both languages"), _("Bytes per token"), "bytes_per_token"),
    ):
        st.markdown(f"**{title}**")
        charts.show(
            partial(_heat_map, cells, references, value),
            alt_text=alt_text,
            key=f"heat-{alt_text}",
        )
    _table(cells)


@st.cache_data(show_spinner=False)
def _references(pairs: Sequence[tuple[str, str]]) -> dict[str, Cell]:
    zh, en = zip(*pairs, strict=True)
    found = {}
    for name in REFERENCES:
        encoder = catalog.encoding(name)
        zh_measured = experiments.measure(encoder, zh)
        en_measured = experiments.measure(encoder, en)
        size = encoder.vocabulary_size
        found[name] = Cell(0, size, size, zh_measured, en_measured)
    return found


def _heat_map(cells: Sequence[Cell], references: Mapping[str, Cell], value: str) -> Any:
    shares = sorted({cell.share for cell in cells}, reverse=True)
    order = [*(f"{share:.0%}" for share in shares), *references]
    sizes = [f"{size:,}" for size in SIZES]
    own = _("its own")
    rows = [
        (f"{cell.share:.0%}", f"{cell.size:,}", getattr(cell, value), cell.reached)
        for cell in _worth_a_column(cells)
    ]
    rows += [(name, own, getattr(cell, value), cell.reached) for name, cell in references.items()]
    base = alt.Chart(pd.DataFrame(rows, columns=["row", "size", "value", "reached"])).encode(
        x=alt.X(
            "size:N",
            sort=[*sizes, own],
            title=_("Vocabulary size"),
            axis=alt.Axis(labelAngle=0, orient="top"),
        ),
        y=alt.Y("row:N", sort=order, title=_("Share of Chinese"), axis=alt.Axis(labelLimit=90)),
        tooltip=[
            alt.Tooltip("row:N", title=_("Share of Chinese")),
            alt.Tooltip("reached:Q", title=_("Vocabulary"), format=",d"),
            alt.Tooltip("value:Q", format=".2f", title=" "),
        ],
    )
    most = max(row[2] for row in rows)
    squares = base.mark_rect().encode(
        color=alt.Color("value:Q", scale=alt.Scale(scheme="viridis"), legend=None)
    )
    numbers = base.mark_text(fontSize=11).encode(
        text=alt.Text("value:Q", format=".2f"),
        color=alt.condition(
            alt.datum.value > (most + min(row[2] for row in rows)) / 2,
            alt.value("#111"),
            alt.value("#fff"),
        ),
    )
    return (squares + numbers).properties(height=26 * len(order) + 60)


def _worth_a_column(cells: Sequence[Cell]) -> list[Cell]:
    """Leave out the sizes that no training came near: their columns would repeat the one before."""
    smaller = dict(zip(SIZES, (0, *SIZES), strict=False))
    reached = max(cell.reached for cell in cells)
    return [cell for cell in cells if reached > smaller[cell.size]]


def _table(cells: Sequence[Cell]) -> None:
    ratio = partial(tables.number, form="%.2f")
    with st.expander(_("As a table")):
        tables.show_rows(
            _worth_a_column(cells),
            {
                "share": (
                    tables.number(_("Chinese, %"), form="%.0f"),
                    lambda cell: cell.share * 100,
                ),
                "size": (tables.number(_("Vocabulary")), lambda cell: cell.reached),
                "zh": (tables.number(_("Tokens, Chinese")), lambda cell: cell.zh.tokens),
                "en": (tables.number(_("Tokens, English")), lambda cell: cell.en.tokens),
                "premium": (ratio(_("Premium")), lambda cell: cell.premium),
                "bytes": (ratio(_("Bytes per token")), lambda cell: cell.bytes_per_token),
            },
            alt_text=_("The cells of both heat-maps"),
            key="mixture_table",
        )

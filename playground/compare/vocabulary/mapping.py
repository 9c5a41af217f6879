"""The map from one vocabulary to another: shared tokens, composed ones, new ones; and its file."""

from collections import Counter
from functools import partial

import pandas as pd
import streamlit as st

from bpe.analysis.reach import transplant
from bpe.encoders.base import Encoder
from playground.ui import caches, charts, fields
from playground.ui.i18n import _, plain

_COLOURS = [charts.REFERENCE, *charts.LEARNERS, "#7a6aa8"]
_MOST = 4


def show(old: Encoder, new: Encoder, name: str, other_name: str) -> None:
    """Draw, once asked for, what the tokens of ``new`` are in ``old``."""
    if not fields.switch(
        _("Move a model from {first} to {second}").format(
            first=plain(name), second=plain(other_name)
        ),
        "transplant",
        hint=_("For each new token, the old ones whose embeddings its own can be made of."),
    ):
        return
    with st.spinner(_("Comparing the vocabularies…")):
        lengths, csv = caches.cached(
            ("transplant",),
            lambda: _map(old, new),
            memory=lambda found: len(found[1]),
            of=(old, new),
        )
    total = sum(lengths.values())
    st.markdown(
        _(
            "Of the {total} tokens of {second}, {first} has {shared} ({share:.0%}); {composed} can "
            "be composed of its tokens, {new} are new."
        ).format(
            total=f"{total:,}",
            second=plain(other_name),
            first=plain(name),
            shared=f"{lengths[1]:,}",
            share=lengths[1] / max(total, 1),
            composed=f"{total - lengths[1] - lengths[0]:,}",
            new=f"{lengths[0]:,}",
        )
    )
    labels = [_("shared"), *(_("of {n}").format(n=n) for n in range(2, _MOST)),
              _("of {n} or more").format(n=_MOST), _("new")]  # fmt: skip
    counts = [*(lengths[n] for n in range(1, _MOST)),
              sum(count for n, count in lengths.items() if n >= _MOST), lengths[0]]  # fmt: skip
    frame = pd.DataFrame(
        {"label": other_name, "part": labels, "order": range(len(labels)), "tokens": counts}
    )
    charts.show(
        partial(charts.stacked_bars, frame, _COLOURS, 210),
        alt_text=_("Tokens of a new vocabulary that the old one has, can compose, or lacks"),
    )
    st.download_button(
        _("Map as CSV"), csv, f"{name}-to-{other_name}.csv", "text/csv",
        icon=":material/download:", on_click="ignore", key="transplant_csv",
        help=_("New id, bytes in hexadecimal, old ids."),
    )  # fmt: skip


def _map(old: Encoder, new: Encoder) -> tuple[Counter[int], bytes]:
    lengths: Counter[int] = Counter()
    lines = ["new_id,bytes,old_ids"]
    for token in transplant(old, new):
        lengths[len(token.old)] += 1
        lines.append(f"{token.id},{token.bytes.hex()},{' '.join(map(str, token.old))}")
    return lengths, ("\n".join(lines) + "\n").encode()

"""All models with their prices: searched, filtered, and changed by hand."""

import pandas as pd
import streamlit as st

from bpe.pricing import PARTS, Model
from playground.cost import models
from playground.cost.desk import Desk
from playground.cost.prices import by_hand, cells, filters
from playground.ui import tables
from playground.ui.i18n import _, plain

REMARKS = 40
"""How many models' remarks are worth listing."""


def section(desk: Desk) -> None:
    """Draw the filters on the left and the table on the right."""
    left, right = st.columns([1, 3], gap="large")
    with left:
        chosen = models.chosen_ids()
        found = sorted(filters.choose(desk), key=lambda model: model.id not in chosen)
    with right:
        if not found:
            st.info(
                _("No model fits all of these conditions. Take one of them back."),
                icon=":material/filter_alt_off:",
            )
            return
        st.markdown(
            _(
                "Models: {models}. Prices in {currency} per million tokens; change one in the "
                "table to calculate with it everywhere on this page. Chosen models come first."
            ).format(models=len(found), currency=desk.money.name)
        )
        _table(desk, found)
        by_hand.show(desk)
        st.caption(
            _(
                "Each price has the day on which the list had it. A dash: not published; cached "
                "input without a price is billed as other input."
            )
        )
        _remarks(desk, found)


def _table(desk: Desk, found: list[Model]) -> None:
    frame = pd.DataFrame([cells.of(desk, model) for model in found])
    for name in ("changed", "published", "ended"):
        if not frame[name].any():
            frame = frame.drop(columns=name)
    key = by_hand.editor_key(desk, found)
    st.data_editor(
        frame,
        key=key,
        hide_index=True,
        num_rows="fixed",
        placeholder="–",
        height=tables.height(len(frame), 620),
        column_config=cells.headings(desk.money),
        disabled=[name for name in frame.columns if name not in PARTS],
        on_change=by_hand.take_over,
        args=(key, [model.id for model in found], desk.table, desk.money),
        alt=_("Prices, limits, sources and dates of the models"),
    )


def _remarks(desk: Desk, found: list[Model]) -> None:
    with st.expander(_("What the price list says about these models")):
        for model in found[:REMARKS]:
            for comment in model.comments:
                st.caption(f"**{plain(desk.names[model.id])}** {plain(comment)}")
        if len(found) > REMARKS:
            st.caption(_("Narrow the search to read the remarks on more models."))

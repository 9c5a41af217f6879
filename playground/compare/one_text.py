"""One text, or a text with its translation, under every tokenizer."""

from collections.abc import Mapping

import streamlit as st

from bpe.analysis.segmentation import segment_ids
from bpe.encoders.base import Encoder, space_sign
from bpe.errors import BPEError
from playground import session, text_pair
from playground.compare import (
    side_by_side,
    text_measures,
    tokenizers,
    trees,
)
from playground.token_view import token_view
from playground.ui import fields, frame, state
from playground.ui.i18n import _, error_text, plain
from playground.ui.state import Field


def draw() -> None:
    """Draw the choices, the text in colour with what it comes to, and the rest to be opened.

    On a phone the choices are in a drawer.
    """
    inputs = frame.settings_row()
    picture = st.container(key="compare_picture")
    rest = st.container(key="compare_rest", gap="xsmall")  # seen when what is above it is drawn
    with inputs:
        which, many = st.columns([1, 3], vertical_alignment="bottom")
        with which:
            shown = text_pair.choose(_("Text"), mixed=True)
        with many:
            encoders = tokenizers.choose(bringing=rest.container(), folded=True)
    base = tokenizers.base_of(encoders)
    with picture:
        if not tokenizers.are_chosen(encoders):
            return
        # A sample that is edited stands alone, and its editor stays in its place.
        both = shown.sides if len(shown.sides) == 2 else text_pair.sample_sides()
        above, between, below = (st.container() for _place in range(3))
        places = dict(zip(both, (above, below), strict=True))
        first, *others = shown.sides
        with places[first]:
            side_by_side.show(first, shown, encoders, base)
        with between:
            cuts = text_measures.cut(encoders, shown.by_language)
            measured = text_measures.measure(cuts)
            if shown.are_pair:
                text_measures.show_summary(cuts)
        for side in others:
            with places[side]:
                side_by_side.show(side, shown, encoders, base)
        text_pair.choose_translation(
            shown, _("Then the page says how many tokens Chinese takes for each one in English.")
        )
    with rest:
        if len(measured):
            place = frame.opened(
                _("All figures, and where they differ"), icon=":material/table:", key="all_figures"
            )
            if place is not None:
                with place:
                    text_measures.show_counts(measured)
                    side_by_side.show_differences(cuts, base)
        made = frame.opened(
            _("How tokens are made"), icon=":material/account_tree:", key="how_made"
        )
        if made is not None:
            with made:
                trees.show(encoders)
        _show_ids(encoders, base)


MOST_IDS = 5_000
"""Ids that are decoded at a time."""


def _show_ids(encoders: Mapping[str, Encoder], base: str) -> None:
    with st.expander(_("Ids to text"), icon=":material/undo:"):
        field, choice = st.columns([2, 1])
        with choice:
            code = fields.select(
                _("Tokenizer"),
                {code: session.short(code) for code in encoders},
                key="ids_of",
                default=base,
                in_url=False,
            )
        typed = field.text_input(
            _("Ids, with spaces or commas between them"),
            placeholder="[53901, 3922, 1917]",
            **Field("ids", "", state.words()).text(),
        )
        try:
            ids = numbers(typed or "")
            if not ids:
                return
            encoder = encoders[code]
            cut = segment_ids(
                ids[:MOST_IDS],
                encoder.token_bytes,
                special_ids=encoder.special_tokens.values(),
                name=encoder.name,
                space_sign=space_sign(encoder),
            )
            text = encoder.decode(ids[:MOST_IDS])
        except BPEError as error:
            st.error(error_text(error))
            return
        if len(ids) > MOST_IDS:
            st.caption(
                _("The first {most} of {all} ids are decoded.").format(
                    most=f"{MOST_IDS:,}", all=f"{len(ids):,}"
                )
            )
        token_view(cut, key="ids_view", show_ids=True)
        st.code(text, language=None, wrap_lines=True)
        if "\ufffd" in text:
            st.caption(
                _("� stands for bytes of {name} that are no whole character.").format(
                    name=plain(session.short(code))
                )
            )


def numbers(text: str) -> list[int]:
    """Return the ids in a text, which may be a list as JSON or Python writes it.

    >>> numbers("[57668, 53901]")
    [57668, 53901]
    """
    for sign in "[](),;\n\t":
        text = text.replace(sign, " ")
    ids = []
    for part in text.split():
        if not (part.isascii() and part.isdigit() and len(part) < 10):
            raise BPEError("“{part}” is no id: ids are whole numbers, from 0.", part=part[:40])
        ids.append(int(part))
    return ids

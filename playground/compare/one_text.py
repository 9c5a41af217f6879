"""One text, or a text with its translation, under every tokenizer."""

from collections.abc import Mapping
from math import floor, log10
from random import Random

import streamlit as st

from bpe.analysis.cuts import fewest_tokens, random_cut, ways_to_cut
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
from playground.token_view import aligned_view, token_view
from playground.ui import caches, fields, frame, state
from playground.ui.i18n import _, error_text, plain, sentences_joined
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
        _show_other_cuts(shown.by_language, encoders, base)
        _show_ids(encoders, base)


_MOST = 1_000
"""Characters that are cut otherwise: in plain Python."""
_DRAWN = 10


def _show_other_cuts(texts: Mapping[str, str], encoders: Mapping[str, Encoder], base: str) -> None:
    """Draw, once opened, the first text as ``base`` cuts it, and in the fewest tokens."""
    place = st.expander(
        _("Is the greedy cut the shortest?"), icon=":material/alt_route:", key="other_cuts_place",
        expanded="dropout" in st.query_params, on_change="rerun",
    )  # fmt: skip
    text = next(iter(texts.values()), "")[:_MOST]
    if place.open and text:
        with place:
            side_by_side.switch_finality()
            _draw_cuts(text, encoders[base], session.short(base))


def _draw_cuts(text: str, encoder: Encoder, name: str) -> None:
    try:
        few, ways = caches.cached(
            ("other cuts", text),
            lambda: (fewest_tokens(encoder, text), ways_to_cut(encoder, text)),
            memory=100 * len(text),
            of=(encoder,),
        )
    except BPEError as error:
        st.info(error_text(error))
        return
    greedy = encoder.encode_ordinary(text)
    st.markdown(
        sentences_joined(
            _("{name} merges its way to **{many}** tokens; its vocabulary would allow **{few}**.")
            .format(name=plain(name), many=f"{len(greedy):,}", few=f"{len(few):,}"),
            _("It could cut this text in {ways} ways.").format(ways=_number(ways)),
        )
    )  # fmt: skip
    rows = {_("by merges"): greedy, _("fewest"): few}
    dropout = fields.share(
        _("Merges left out at random"), "dropout",
        hint=_(
            "With more than 0, ten such cuts are drawn below. Models that are trained on random "
            "cuts (BPE-dropout, StochasTok) make fewer mistakes with spelling and typos."
        ),
    )  # fmt: skip
    if dropout:
        random = Random(0)
        for number in range(1, _DRAWN + 1):
            row = _("at random {n}").format(n=number)
            rows[row] = random_cut(encoder, text, float(dropout), random)
    aligned_view(
        [segment_ids(ids, encoder.token_bytes, name=name) for ids in rows.values()],
        key="other_cuts",
        names=list(rows),
    )


def _number(ways: int) -> str:
    """Return a number as it is, and a large one by its power of ten.

    >>> _number(1234), _number(123_456_789_012)
    ('1,234', '1.2 × 10¹¹')
    """
    if ways < 10**9:
        return f"{ways:,}"
    power = floor(log10(ways))
    digits = f"{power}".translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{ways // 10 ** (power - 1) / 10} × 10{digits}"


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
    found = []
    for part in text.split():
        if not (part.isascii() and part.isdigit() and len(part) < 10):
            raise BPEError("“{part}” is no id: ids are whole numbers, from 0.", part=part[:40])
        found.append(int(part))
    return found

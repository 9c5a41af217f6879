"""One text, or a text with its translation, under every tokenizer."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from math import inf
from operator import itemgetter, methodcaller
from typing import Any

import streamlit as st

from bpe.analysis import metrics
from bpe.analysis.metrics import Premium
from bpe.analysis.segmentation import Segmentation, segment_ids
from bpe.encoders.base import Encoder, space_sign
from bpe.errors import BPEError
from playground import session, text_pair
from playground.compare import side_by_side, tokenizers
from playground.compare.languages import measures, premium_in_words
from playground.compare.side_by_side import Cuts
from playground.token_view import Row, token_view
from playground.ui import caches, charts, fields, frame, state, tables
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
            encoders = tokenizers.choose(rest.container())
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
            cuts = side_by_side.cut(encoders, shown.by_language)
            if shown.are_pair and (by_code := premiums(cuts)):
                st.markdown(premium_in_words(tokenizers.by_name(by_code)))
        for side in others:
            with places[side]:
                side_by_side.show(side, shown, encoders, base)
        text_pair.choose_translation(
            shown, _("Then the page says how many tokens Chinese takes for each one in English.")
        )
    with rest:
        if any(cuts.values()):
            place = frame.opened(_("All figures"), icon=":material/table:", key="all_figures")
            if place is not None:
                with place:
                    _show_figures(cuts)
        _show_ids(encoders, base)


def premiums(cuts: Cuts) -> dict[str, Premium]:
    """Return the premium under each tokenizer that has tokens of both texts, by its code."""
    zh, en = (
        {code: len(segmentation) for code, segmentation in cuts.get(language, {}).items()}
        for language in ("zh", "en")
    )
    return {
        code: metrics.premium([(zh[code], en[code])]) for code in zh if zh[code] and en.get(code)
    }


def figures(cuts: Cuts) -> list[dict[str, Any]]:
    """Return a row of figures for each tokenizer, on each language, fewest tokens first."""
    rows: dict[str, dict[str, Any]] = {}
    for language, by_code in cuts.items():
        for code, segmentation in by_code.items():
            row = rows.setdefault(code, {"tokenizer": session.short(code), "least": inf})
            row |= {f"{name}_{language}": value for name, value in _figures(segmentation).items()}
            row["least"] = min(row["least"], len(segmentation))
    return sorted(rows.values(), key=itemgetter("least"))


def _figures(segmentation: Segmentation) -> dict[str, float]:
    return caches.cached(
        ("figures", segmentation.digest, segmentation.source_bytes),
        lambda: measures.figures([segmentation]),
        memory=1_000,
    )


def _show_figures(cuts: Cuts) -> None:
    ratio = partial(tables.number, form="%.2f")
    are_pair = len(cuts) > 1  # what stands alone may be in any language
    st.header(_("Tokens in Chinese and in English") if are_pair else _("Tokens"))
    parts = partial(
        tables.number,
        form="percent",
        help=_("Share of tokens that are not whole characters on their own."),
    )
    kinds: dict[str, tuple[str, Callable[..., Any]]] = {
        "tokens": (_("Tokens"), tables.number),
        "tokens_per_hanzi": (_("Tokens per Chinese character"), ratio),
        "bytes_per_token": (_("Bytes per token"), ratio),
        "partial": (_("Tokens with partial characters"), parts),
    }
    headings = {"tokenizer": tables.text(_("Tokenizer"))}
    for figure, (label, kind) in kinds.items():
        of_one = figure == "tokens_per_hanzi"
        for language in [each for each in cuts if each == "zh" or not of_one]:
            named = _("{figure}, {language}").format(
                figure=label, language=charts.languages()[language]
            )
            headings[f"{figure}_{language}"] = kind(named if are_pair and not of_one else label)

    tables.show_rows(
        figures(cuts),
        {name: (heading, methodcaller("get", name)) for name, heading in headings.items()},
        alt_text=_("Token counts and ratios of each tokenizer"),
    )


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
        token_view(Row(cut), key="ids_view", show_ids=True)
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
    ids = []
    for part in re.findall(r"[^\[\](),;\s]+", text):
        if not (part.isascii() and part.isdigit() and len(part) < 10):
            raise BPEError("“{part}” is no id: ids are whole numbers, from 0.", part=part[:40])
        ids.append(int(part))
    return ids

"""Other cuts of a text with the same vocabulary: the fewest tokens, and some at random."""

from collections.abc import Mapping
from math import floor, log10
from random import Random

import streamlit as st

from bpe.analysis.cuts import fewest_tokens, random_cut, ways_to_cut
from bpe.analysis.segmentation import segment_ids
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from playground import session
from playground.token_view import aligned_view
from playground.ui import caches, fields
from playground.ui.i18n import _, error_text, plain, sentences_joined

_MOST = 1_000
"""Characters that are cut otherwise: in plain Python."""
_DRAWN = 10


def show(texts: Mapping[str, str], encoders: Mapping[str, Encoder], base: str) -> None:
    """Draw, once opened, the first text as ``base`` cuts it, and in the fewest tokens."""
    place = st.expander(
        _("Greedy or fewest?"), icon=":material/alt_route:", key="other_cuts_place",
        expanded="dropout" in st.query_params, on_change="rerun",
    )  # fmt: skip
    text = next(iter(texts.values()), "")[:_MOST]
    if place.open and text:
        with place:
            _draw(text, encoders[base], session.short(base))


def _draw(text: str, encoder: Encoder, name: str) -> None:
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

"""A text cut into pieces that fit a number of tokens, to look at and to take away."""

import json
from collections.abc import Sequence

import streamlit as st

from bpe import pricing
from bpe.encoders.chunks import Chunk
from bpe.errors import BPEError
from bpe.pricing import Model
from playground.cost import counting
from playground.cost.context import PricingContext
from playground.ui import caches, fields, frame, tables
from playground.ui.i18n import _, error_text

_PIECE_BYTES = 200
"""About how much memory a piece takes beside its text."""
_BEGINNING = 200
"""Characters of a piece that the table has."""


def show(context: PricingContext, text: str, chosen: Sequence[Model]) -> None:
    """Draw, once opened, the pieces of a text."""
    place = frame.opened(
        _("Cut the text into pieces"), icon=":material/content_cut:", key="text_pieces"
    )
    if place is None:
        return
    with place:
        by_id = {model.id: model for model in chosen}
        one, two = st.columns(2)
        with one:
            names = {name: context.names[name] for name in by_id}
            model = by_id[fields.select(_("Counted for"), names, key="chunk_model")]
        most = fields.whole(
            _("Tokens in a piece, at most"), "chunk", 500, least=1, step=100, place=two
        )
        try:
            _draw(*cut(text, model, most), most)
        except BPEError as error:
            st.error(error_text(error))


def cut(text: str, model: Model, most: int) -> tuple[tuple[Chunk, ...], int, str]:
    """Return the pieces, the limit they were cut to, and the encoding that counted them.

    Where the model's own tokenizer is not certain, the limit is lowered by as much as the estimate
    may be too low.
    """
    counted = counting.count([model], text)[model.id]
    encoding = pricing.counted_with(model)

    def make() -> tuple[tuple[Chunk, ...], int, str]:
        with st.spinner(_("Cutting…"), show_time=True):
            limit = most
            if counted.exactness != "exact":
                base = counting.encoder_for(encoding).count(text)
                limit = max(1, most * base // max(counted.high, base, 1))
            return counting.encoder_for(encoding).chunks(text, limit), limit, encoding

    return caches.cached(
        ("pieces", text, encoding, most, counted.high),
        make,
        memory=lambda pieces: 4 * len(text) + _PIECE_BYTES * len(pieces[0]),
    )


def _draw(chunks: Sequence[Chunk], limit: int, encoding: str, most: int) -> None:
    st.markdown(
        _("{pieces} pieces on sentence borders; the longest has {longest} tokens.").format(
            pieces=f"{len(chunks):,}", longest=f"{max(chunk.tokens for chunk in chunks):,}"
        )
    )
    if limit != most:
        st.caption(
            _(
                "This model's tokenizer is not known for certain: pieces are of at most {limit} "
                "tokens of {encoding}, so that even the high end of the estimate stays within "
                "{most}."
            ).format(limit=f"{limit:,}", encoding=encoding, most=f"{most:,}")
        )
    tables.show_rows(
        list(enumerate(chunks, start=1)),
        {
            "number": (tables.number(_("Passage")), lambda row: row[0]),
            "tokens": (tables.number(_("Tokens")), lambda row: row[1].tokens),
            "characters": (tables.number(_("Characters")), lambda row: len(row[1].text)),
            "text": (tables.text(_("Begins"), width="large"), lambda row: row[1].text[:_BEGINNING]),
        },
        alt_text=_("The pieces with their lengths"),
        most_height=300,
    )
    st.download_button(
        _("Download as JSON lines"),
        data=lambda: as_json_lines(chunks),
        file_name="pieces.jsonl",
        mime="application/jsonl",
        on_click="ignore",
        icon=":material/download:",
    )


def as_json_lines(chunks: Sequence[Chunk]) -> bytes:
    lines = (
        json.dumps(
            {"number": number, "start": chunk.start, "tokens": chunk.tokens, "text": chunk.text},
            ensure_ascii=False,
        )
        for number, chunk in enumerate(chunks, start=1)
    )
    return "\n".join([*lines, ""]).encode()

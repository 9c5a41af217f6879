"""A text cut into pieces that fit a number of tokens, to look at and to take away."""

import io
import json
import zipfile
from collections.abc import Sequence

import streamlit as st

from bpe import pricing
from bpe.encoders.chunks import Chunk
from bpe.errors import BPEError
from bpe.pricing import Model
from playground.cost import counting
from playground.cost.context import PricingContext
from playground.ui import caches, fields, tables
from playground.ui.i18n import _, error_text

_PIECE_BYTES = 200
"""About how much memory a piece takes beside its text."""
_BEGINNING = 200
"""Characters of a piece that the table has."""


Cut = tuple[tuple[Chunk, ...], int, str]
"""The pieces, the limit they were cut to, and the encoding that counted them."""


def show(context: PricingContext, text: str, chosen: Sequence[Model]) -> None:
    st.header(_("Cut it into pieces"))
    by_id = {model.id: model for model in chosen}
    one, two = st.columns(2)
    with one:
        names = {name: context.names[name] for name in by_id}
        model = by_id[fields.select(_("Counted for"), names, key="chunk_model")]
    most = fields.whole(_("Tokens in a piece, at most"), "chunk", 500, least=1, step=100, place=two)
    try:
        chunks, limit, encoding = _cut(text, model, most)
    except BPEError as error:
        st.error(error_text(error))
        return
    longest = max(chunk.tokens for chunk in chunks)
    st.markdown(
        _("{pieces} pieces on sentence borders; the longest has {longest} tokens.").format(
            pieces=f"{len(chunks):,}", longest=f"{longest:,}"
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
    _table(chunks)
    _downloads(chunks)


def _cut(text: str, model: Model, most: int) -> Cut:
    """Cut a text, or return the cut of before.

    Where the model's own tokenizer is not certain, the limit is lowered by as much as the estimate
    may be too low.
    """
    counted = counting.count([model], text)[model.id]
    encoding = pricing.counted_with(model)

    def make() -> Cut:
        with st.spinner(_("Cutting…"), show_time=True):
            limit = most
            if counted.exactness != "exact":
                base = counting.encoder_for(encoding).count(text)
                limit = max(1, most * base // max(counted.high, base, 1))
            return counting.encoder_for(encoding).chunks(text, limit), limit, encoding

    return caches.cached(
        ("pieces", text, encoding, most, counted.high),
        make,
        memory=lambda cut: 4 * len(text) + _PIECE_BYTES * len(cut[0]),
    )


def _table(chunks: Sequence[Chunk]) -> None:
    tables.show_rows(
        range(len(chunks)),
        {
            "number": (tables.number(_("Passage")), lambda place: place + 1),
            "tokens": (tables.number(_("Tokens")), lambda place: chunks[place].tokens),
            "characters": (
                tables.number(_("Characters")),
                lambda place: len(chunks[place].text),
            ),
            "text": (
                tables.text(_("Begins"), width="large"),
                lambda place: chunks[place].text[:_BEGINNING],
            ),
        },
        alt_text=_("The pieces with their lengths"),
        most_height=300,
    )


def _downloads(chunks: Sequence[Chunk]) -> None:
    one, two = st.columns(2)
    one.download_button(
        _("Download as JSON lines"),
        data=lambda: as_json_lines(chunks),
        file_name="pieces.jsonl",
        mime="application/jsonl",
        on_click="ignore",
        icon=":material/download:",
        width="stretch",
    )
    two.download_button(
        _("Download as text files"),
        data=lambda: as_text_files(chunks),
        file_name="pieces.zip",
        mime="application/zip",
        on_click="ignore",
        icon=":material/folder_zip:",
        width="stretch",
    )


def as_json_lines(chunks: Sequence[Chunk]) -> bytes:
    lines = (
        json.dumps(
            {"number": place, "start": chunk.start, "tokens": chunk.tokens, "text": chunk.text},
            ensure_ascii=False,
        )
        for place, chunk in enumerate(chunks, start=1)
    )
    return "\n".join([*lines, ""]).encode()


def as_text_files(chunks: Sequence[Chunk]) -> bytes:
    width = len(str(len(chunks)))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, chunk in enumerate(chunks, start=1):
            archive.writestr(f"{place:0{width}}.txt", chunk.text.encode())
    return packed.getvalue()

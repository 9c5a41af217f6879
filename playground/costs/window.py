"""Whether a text fits each model's window, how much more would, and the text cut into pieces."""

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import pandas as pd
import streamlit as st

from bpe import pricing, samples
from bpe.errors import BPEError
from bpe.metrics import count_hanzi
from bpe.pricing import Chunk, Gauge, Model, Room, TokenCount
from playground import charts, settings, uploads
from playground.costs import counting, drawing, fields, models, notes
from playground.costs.desk import Desk
from playground.texts import _, error_text, plain, sentence

_TEXT = "window_text"
_CHUNKS = "chunks"


def section(desk: Desk) -> None:
    """Draw the text on the left, and its gauges and pieces on the right."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        text = _text()
        reserve = fields.whole(_("Kept free for the answer, tokens"), "reserve", 1000)
        chosen = models.choose(desk)
    with right:
        if not text:
            st.info(_("Type or upload a text on the left."), icon=":material/edit:")
            return
        if not chosen:
            st.info(_("Choose at least one model on the left."), icon=":material/checklist:")
            return
        names = models.names(desk.table.all_models)
        try:
            rows = _rows(desk, chosen, text, reserve)
        except BPEError as error:
            st.error(error_text(error))
            return
        _gauges(rows, names)
        notes.unknown_window(chosen, names)
        _table(rows, names)
        st.caption(
            _(
                "汉字 and words are measured with each model's tokenizer on our samples; a page is "
                "{hanzi} 汉字 or {words} English words. Either all Chinese or all English fits, "
                "not both."
            ).format(hanzi=pricing.HANZI_PER_PAGE, words=pricing.WORDS_PER_PAGE)
        )
        _pieces(text, chosen, names)


@dataclass(frozen=True)
class Row:
    """A model with the text's count, how it fills the window, and how much more would fit."""

    model: Model
    count: TokenCount
    gauge: Gauge
    room: Room | None


def _text() -> str:
    source = settings.segments(
        _("Text"), {"typed": _("a sample or my own"), "file": _("from a file")}, key="text_from"
    )
    if source == "file":
        return "\n".join(document.text for document in uploads.documents(key="window_files"))
    if _TEXT not in st.session_state:
        st.session_state[_TEXT] = samples.corpus("zh")
    typed = st.text_area(_("Text"), key=_TEXT, height=260, persist_state="session")
    return typed or ""


def _rows(desk: Desk, chosen: Sequence[Model], text: str, reserve: int) -> list[Row]:
    counted = counting.count(chosen, text)
    per_hanzi, per_word = _rates(chosen)
    rows = []
    for model in chosen:
        gauge = pricing.gauge(model, counted[model.id].tokens, reserve=reserve)
        room = None
        if gauge.free is not None:
            room = pricing.room(
                gauge.free,
                tokens_per_hanzi=per_hanzi[model.id],
                tokens_per_word=per_word[model.id],
            )
        rows.append(Row(model, counted[model.id], gauge, room))
    return rows


def _rates(chosen: Sequence[Model]) -> tuple[dict[str, Decimal], dict[str, Decimal]]:
    """Return tokens for each 汉字 and each English word, measured on our samples."""
    zh, en = samples.corpus("zh"), samples.corpus("en")
    hanzi, words = count_hanzi(zh), len(en.split())
    return (
        {name: Decimal(c.tokens) / hanzi for name, c in counting.count(chosen, zh).items()},
        {name: Decimal(c.tokens) / words for name, c in counting.count(chosen, en).items()},
    )


def _gauges(rows: Sequence[Row], names: Mapping[str, str]) -> None:
    known = [row for row in rows if row.gauge.share is not None]
    over = [names[row.model.id] for row in known if not row.gauge.fits]
    if not known:
        return
    if over:
        st.markdown(
            _("The text and the answer do **not** fit: {models}.").format(
                models=plain(", ".join(over))
            )
        )
    else:
        tightest = max(known, key=lambda row: row.gauge.share or 0)
        st.markdown(
            _(
                "It fits everywhere; the tightest is **{model}**, where it takes {percent} % of "
                "{window} tokens."
            ).format(
                model=plain(names[tightest.model.id]),
                percent=f"{float(100 * (tightest.gauge.share or 0)):.3g}",
                window=f"{tightest.gauge.window:,}",
            )
        )
    frame = pd.DataFrame(
        [
            {
                "model": names[row.model.id],
                "part": part,
                "place": place,
                "share": share,
                "shown": f"{100 * share:.3g} %",
            }
            for row in known
            for place, (part, share) in enumerate(
                {
                    _("the text"): float(row.gauge.share or 0),
                    _("kept free for the answer"): row.gauge.reserved / (row.gauge.window or 1),
                }.items()
            )
        ]
    )
    order = [
        names[row.model.id]
        for row in sorted(known, key=lambda row: row.gauge.share or 0, reverse=True)
    ]
    charts.show(
        drawing.gauges(frame, order),
        alt_text=_("How much of each model's context window the text fills"),
    )


def _table(rows: Sequence[Row], names: Mapping[str, str]) -> None:
    fits = {True: _("yes"), False: _("no"), None: _("unknown")}
    frame = pd.DataFrame(
        [
            {
                "model": names[row.model.id],
                "tokens": row.count.tokens,
                "count": counting.badge(row.count),
                "window": row.gauge.window,
                "share": None if row.gauge.share is None else float(row.gauge.share),
                "fits": fits[row.gauge.fits],
                "free": row.gauge.free,
                "hanzi": row.room.hanzi if row.room else None,
                "words": row.room.words if row.room else None,
                "zh_pages": float(row.room.zh_pages) if row.room else None,
                "en_pages": float(row.room.en_pages) if row.room else None,
                "limits": row.model.limits_source.url if row.model.limits_source else None,
                "method": sentence(row.count.method),
            }
            for row in rows
        ]
    )
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    st.dataframe(
        frame,
        hide_index=True,
        lazy=False,
        placeholder="–",
        column_config={
            "model": text(_("Model"), pinned=True),
            "tokens": number(_("Tokens"), format="localized"),
            "count": text(_("Count")),
            "window": number(_("Context window"), format="localized"),
            "share": number(_("Share of context window"), format="percent"),
            "fits": text(_("Fits the window")),
            "free": number(_("Tokens still free"), format="localized"),
            "hanzi": number(_("or 汉字"), format="localized"),
            "words": number(_("or English words"), format="localized"),
            "zh_pages": number(_("Chinese pages"), format="%,.1f"),
            "en_pages": number(_("English pages"), format="%,.1f"),
            "limits": st.column_config.LinkColumn(_("Source of limits"), display_text=_("source")),
            "method": text(_("How it was counted"), width="large"),
        },
        alt=_("Tokens, share of the window, and how much more fits, for each model"),
    )


def _pieces(text: str, chosen: Sequence[Model], names: Mapping[str, str]) -> None:
    """Draw the text cut into pieces that fit a number of tokens."""
    st.subheader(_("Cut it into pieces"))
    by_id = {model.id: model for model in chosen}
    one, two = st.columns(2)
    with one:
        model = by_id[
            settings.select(
                _("Counted for"), {name: names[name] for name in by_id}, key="chunk_model"
            )
        ]
    with two:
        most = fields.whole(_("Tokens in a piece, at most"), "chunk", 500, least=1, step=100)
    try:
        chunks, limit, encoding = _chunks(text, model, most)
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
    number = st.column_config.NumberColumn
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "number": place,
                    "tokens": chunk.tokens,
                    "characters": len(chunk.text),
                    "text": chunk.text[:200],
                }
                for place, chunk in enumerate(chunks, start=1)
            ]
        ),
        hide_index=True,
        lazy=False,
        placeholder="–",
        height=min(300, 38 + 35 * len(chunks)),
        column_config={
            "number": number(_("Piece"), format="localized"),
            "tokens": number(_("Tokens"), format="localized"),
            "characters": number(_("Characters"), format="localized"),
            "text": st.column_config.TextColumn(_("Begins"), width="large"),
        },
        alt=_("The pieces with their lengths"),
    )
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


def _chunks(text: str, model: Model, most: int) -> tuple[tuple[Chunk, ...], int, str]:
    """Return the pieces, the limit they were cut to, and the encoding that counted them.

    Where the model's own tokenizer is not certain, the limit is lowered by as much as the estimate
    may be too low.
    """
    counted = counting.count([model], text)[model.id]
    encoding = model.tokenizer or model.stand_in or "o200k_base"
    key = (text, encoding, most, counted.high)
    kept: tuple[object, tuple[tuple[Chunk, ...], int, str]] | None = st.session_state.get(_CHUNKS)
    if kept and kept[0] == key:
        return kept[1]
    with st.spinner(_("Cutting…"), show_time=True):
        limit = most
        if counted.exactness != "exact":
            base = len(pricing.count.token_ids(counting.encoder_for(encoding), text))
            limit = max(1, most * base // max(counted.high, base, 1))
        found = pricing.chunks(text, counting.encoder_for(encoding), limit)
    st.session_state[_CHUNKS] = (key, (found, limit, encoding))
    return found, limit, encoding


def as_json_lines(chunks: Sequence[Chunk]) -> bytes:
    """Return the pieces, an object with place, tokens and text on each line."""
    lines = (
        json.dumps(
            {"number": place, "start": chunk.start, "tokens": chunk.tokens, "text": chunk.text},
            ensure_ascii=False,
        )
        for place, chunk in enumerate(chunks, start=1)
    )
    return "\n".join([*lines, ""]).encode()


def as_text_files(chunks: Sequence[Chunk]) -> bytes:
    """Return the pieces as numbered text files in a zip."""
    width = len(str(len(chunks)))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, chunk in enumerate(chunks, start=1):
            archive.writestr(f"{place:0{width}}.txt", chunk.text.encode())
    return packed.getvalue()

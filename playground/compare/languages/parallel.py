"""Which parallel texts to compare on: samples by domain, or the reader's own pairs."""

import hashlib
from dataclasses import dataclass

import streamlit as st

from bpe.documents import parallel_texts, samples
from bpe.documents.parallel_texts import Pairs
from bpe.errors import BPEError
from bpe.text.digests import digest
from playground.editor import plain_text
from playground.text_pair import domain_names
from playground.ui import caches, fields, uploads
from playground.ui.i18n import _, error_text

ALL, TRADITIONAL = "all", "news_hant"
PASTED, TABLE = "paste", "table"

_EXAMPLES = 4


@dataclass(frozen=True)
class ParallelTexts:
    """Aligned texts, and what tells them from others."""

    pairs: Pairs
    digest: str

    @property
    def zh(self) -> tuple[str, ...]:
        return tuple(zh for zh, _en in self.pairs)

    @property
    def en(self) -> tuple[str, ...]:
        return tuple(en for _zh, en in self.pairs)


def choose_source() -> str:
    sources = {
        ALL: _("All samples"),
        **domain_names(),
        TRADITIONAL: _("News, in Traditional Chinese"),
        PASTED: _("My own: pasted, line by line"),
        TABLE: _("My own: a table or text files"),
    }
    return fields.select(_("Parallel texts"), sources, key="parallel")


def read(source: str) -> ParallelTexts | None:
    """Draw what a source asks for and return its texts; where they are not aligned, say why."""
    own = {PASTED: _pasted, TABLE: _table}
    try:
        pairs = own[source]() if source in own else _sampled(source)
    except BPEError as error:
        st.error(error_text(error))
        return None
    if not pairs:
        return None
    texts = ParallelTexts(pairs, digest(text for pair in pairs for text in pair))
    st.caption(
        _("{pairs} pairs; {zh} characters in Chinese, {en} in English").format(
            pairs=f"{len(pairs):,}",
            zh=f"{sum(map(len, texts.zh)):,}",
            en=f"{sum(map(len, texts.en)):,}",
        )
    )
    return texts


def _sampled(source: str) -> Pairs:
    if source == TRADITIONAL:
        return tuple((pair.zh_hant, pair.en) for pair in samples.pairs("news") if pair.zh_hant)
    return tuple((pair.zh, pair.en) for pair in samples.pairs(None if source == ALL else source))


def _pasted() -> Pairs:
    examples = samples.pairs("dialogue")[:_EXAMPLES]
    left, right = st.columns(2)
    with left:
        zh = plain_text(_("Chinese"), key="parallel_zh", default="\n".join(p.zh for p in examples))
    with right:
        en = plain_text(_("English"), key="parallel_en", default="\n".join(p.en for p in examples))
    st.caption(_("One sentence or paragraph a line; line n says the same in both."))
    return parallel_texts.from_texts(zh, en)


def _table() -> Pairs | None:
    """Draw the upload and the choice of a column for each language; return the pairs of the rows.

    A row with only one of the two raises BPEError.
    """
    file = uploads.one_file(
        _("A table"),
        (*parallel_texts.TABLES, *parallel_texts.LANGUAGE_FILES),
        key="parallel_table",
        most_bytes=parallel_texts.MAX_BYTES,
        help=_(
            "A column for each language (.csv, .tsv, .jsonl), or several text files, one for each "
            "language, as in FLORES: one by one or in a ZIP. Line n says the same in each."
        ),
    )
    if not file:
        st.info(
            _("Upload a table with a column for each language, or a file for each."),
            icon=":material/upload_file:",
        )
        return None
    data, name = file
    content = hashlib.sha256(data).digest()
    table = caches.latest("table of pairs", content, lambda: parallel_texts.read_table(data, name))
    labels = {"zh": _("Chinese column"), "en": _("English column")}
    zh, en = (
        place.selectbox(
            label,
            table.columns,
            index=table.columns.index(guessed),
            key=f"{language} column {name}-{len(data)}",
        )
        for place, (language, label), guessed in zip(
            st.columns(2), labels.items(), (table.zh, table.en), strict=True
        )
    )
    return table.pairs(zh, en)

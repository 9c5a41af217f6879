"""One vocabulary, searched and filtered."""

from collections.abc import Iterator, Mapping
from typing import cast

import streamlit as st

from bpe.analysis import vocabulary
from bpe.analysis.vocabulary import Indices, Kind, Mode, Script, Vocabulary
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from playground import session
from playground.compare.vocabulary import listing
from playground.ui import fields
from playground.ui.i18n import _, error_text, sentences_joined

_LONGEST = 10_000
_LONGEST_QUERY = 200
_SEARCH = "vocabulary_search"
_EXAMPLES = {"text": "中国", "id": "5, 100-120", "hex": "E4 B8 AD"}


def show(encoders: Mapping[str, Encoder]) -> None:
    filters, place = st.columns([1, 2], gap="large")
    with filters:
        code = fields.select(
            _("Vocabulary"), {code: session.short(code) for code in encoders}, key="vocabulary"
        )
        source = listing.read(code, encoders[code])
        hits = _search(encoders[code], source)
        selected = _filters(source)
    if hits is None:
        return
    with place:
        chosen = listing.in_order(source, listing.common(hits, selected))
        st.header(
            _("{found} of {all} tokens").format(found=f"{len(chosen):,}", all=f"{len(source):,}")
        )
        if len(source):
            st.markdown(sentences_joined(*_in_words(source, encoders[code].vocabulary_size)))
        listing.show(source, chosen, key="browse")
        if len(chosen) > listing.LISTED:
            st.caption(
                _("The first {listed} are listed; the file has all {found}.").format(
                    listed=f"{listing.LISTED:,}", found=f"{len(chosen):,}"
                )
            )
        listing.download(source, chosen, f"{session.short(code)}-tokens.csv", key="browse_csv")


def _search(encoder: Encoder, source: Vocabulary) -> Indices | None:
    mode = fields.segments(
        _("Search for"),
        {"text": _("Text"), "id": _("Id"), "hex": _("Bytes")},
        key="vocabulary_search_by",
    )
    query = fields.words(
        _("Search"),
        _SEARCH,
        most=_LONGEST_QUERY,
        type="search",
        placeholder=_EXAMPLES[mode],
        label_visibility="collapsed",
    )
    try:
        with st.spinner(_("Searching…")):
            return listing.search(encoder, source, query, cast(Mode, mode))
    except BPEError as error:
        st.error(error_text(error))
        return None


def _filters(source: Vocabulary) -> Indices:
    scripts = fields.several(
        _("Writing system"),
        {name: listing.scripts()[name] for name in vocabulary.SCRIPTS},
        key="vocabulary_scripts",
        placeholder=_("any"),
    )
    kinds = fields.several(
        _("Kind"),
        {name: listing.kinds()[name] for name in vocabulary.KINDS},
        key="vocabulary_kinds",
        placeholder=_("any"),
        help=_(
            "Special are the tokens that the vendor or the file lists as such, and those that are "
            "spelled like one and never come out of ordinary text."
        ),
    )
    unit = fields.segments(
        _("Length in"), {"characters": _("Characters"), "bytes": _("Bytes")}, key="vocabulary_unit"
    )
    left, right = st.columns(2)
    least = fields.whole(_("From"), "vocabulary_from", 0, most=_LONGEST, step=1, place=left)
    most = fields.whole_or_none(
        _("To"), "vocabulary_to", most=_LONGEST, empty=_("any"), place=right
    )
    return source.select(
        scripts=cast("list[Script]", scripts) or vocabulary.SCRIPTS,
        kinds=cast("list[Kind]", kinds) or vocabulary.KINDS,
        least=least,
        most=most,
        unit="bytes" if unit == "bytes" else "characters",
    )


def _in_words(source: Vocabulary, ids: int) -> Iterator[str]:
    han = int((source.scripts == vocabulary.SCRIPTS.index("han")).sum())
    partial = int((source.kinds == vocabulary.KINDS.index("partial")).sum())
    yield _(
        "Of the whole vocabulary, in {han} tokens every letter is a Chinese character "
        "({han_share:.1%}) and {partial} hold parts of characters ({partial_share:.1%})."
    ).format(
        han=f"{han:,}",
        han_share=han / len(source),
        partial=f"{partial:,}",
        partial_share=partial / len(source),
    )
    if ids > len(source):
        yield _("Of its {ids} ids, {unused} stand for no token.").format(
            ids=f"{ids:,}", unused=f"{ids - len(source):,}"
        )

"""The vocabulary browser: what tokenizers have in store, and what two of them share."""

from collections.abc import Iterable, Mapping
from typing import cast

import numpy as np
import pandas as pd
import streamlit as st

from bpe import vocabulary
from bpe.encoder import Encoder
from bpe.errors import BPEError
from bpe.vocabulary import Entry, Indices, Kind, Mode, Order, Overlap, Script, Vocabulary
from playground import charts, library, settings
from playground.compare import vocabulary_charts as drawing
from playground.compare.identity import identity
from playground.compare.languages import figures
from playground.texts import _, error_text, language, plain

LISTED = 1_000
"""How many tokens are listed; all of those found are in the file to download."""
LONGEST = 25

_EXAMPLES = {"text": "中国", "id": "5, 100-120", "hex": "E4 B8 AD", "regex": r"^\p{Han}{4}$"}

Encoders = Mapping[str, Encoder]


def show(encoders: dict[str, Encoder]) -> None:
    """Draw the browser of one vocabulary, the longest tokens of all, or the overlap of two."""
    if not encoders:
        st.info(_("Choose at least one tokenizer."), icon=":material/checklist:")
        return
    sections = {
        "browse": (_("Browse and search"), _browse),
        "longest": (_("Longest Chinese tokens"), _longest),
        "overlap": (_("Overlap of two"), _overlap),
    }
    section = settings.segments(
        _("Vocabulary"),
        {name: label for name, (label, _draw) in sections.items()},
        key="vocabulary_section",
        label_visibility="collapsed",
    )
    sections[section][1](encoders)


def _browse(encoders: Encoders) -> None:
    filters, found = st.columns([1, 2], gap="large")
    with filters:
        code = settings.select(_("Vocabulary"), _names(encoders), key="vocabulary")
        known = _read(code, encoders[code])
        mode = settings.segments(
            _("Search for"),
            {
                "text": _("text"),
                "id": _("id"),
                "hex": _("bytes"),
                "regex": _("pattern"),
            },
            key="vocabulary_search_by",
        )
        query = st.text_input(
            _("Search"),
            key="vocabulary_search",
            type="search",
            max_chars=vocabulary.LONGEST_PATTERN,
            placeholder=_EXAMPLES[mode],
            bind="query-params",
            label_visibility="collapsed",
        )
        try:
            with st.spinner(_("Searching…")):
                name = identity(encoders[code])
                hits = _found(name, query or "", cast(Mode, mode), known)
        except BPEError as error:
            st.error(error_text(error))
            hits = None
        selected = _filters(known)
    if hits is None:
        return
    with found:
        chosen = _sorted(known, _common(hits, selected))
        st.subheader(
            _("{found} of {all} tokens").format(found=f"{len(chosen):,}", all=f"{len(known):,}")
        )
        if len(known):
            st.markdown(_reading(known))
        _table(known.entries(chosen[:LISTED]), key="browse")
        if len(chosen) > LISTED:
            st.caption(
                _("The first {listed} are listed; the file has all {found}.").format(
                    listed=f"{LISTED:,}", found=f"{len(chosen):,}"
                )
            )
        _download(known, chosen, f"{library.short(code)}-tokens.csv", key="browse_csv")


def _common(some: Indices, others: Indices) -> Indices:
    return np.intersect1d(some, others, assume_unique=True)


def _filters(known: Vocabulary) -> Indices:
    scripts = settings.several(
        _("Writing system"),
        {name: script_names()[name] for name in vocabulary.SCRIPTS},
        key="vocabulary_scripts",
        default=["han"],
        placeholder=_("any"),
    )
    kinds = settings.several(
        _("Kind"),
        {name: kind_names()[name] for name in vocabulary.KINDS},
        key="vocabulary_kinds",
        placeholder=_("any"),
        help=_(
            "Special are the tokens that the vendor or the file lists as such, and those that are "
            "spelled like one and never come out of ordinary text."
        ),
    )
    unit = settings.segments(
        _("Length in"),
        {"characters": _("characters"), "bytes": _("bytes")},
        key="vocabulary_unit",
    )
    left, right = st.columns(2)
    least = left.number_input(
        _("From"),
        min_value=0,
        max_value=10_000,
        value=0,
        key="vocabulary_from",
        bind="query-params",
    )
    most = right.number_input(
        _("To"),
        min_value=0,
        max_value=10_000,
        value=None,
        key="vocabulary_to",
        placeholder=_("any"),
        bind="query-params",
    )
    return known.select(
        scripts=cast("list[Script]", scripts) or vocabulary.SCRIPTS,
        kinds=cast("list[Kind]", kinds) or vocabulary.KINDS,
        least=int(least or 0),
        most=None if most is None else int(most),
        unit="bytes" if unit == "bytes" else "characters",
    )


def _sorted(known: Vocabulary, chosen: Indices) -> Indices:
    orders = {
        "id": _("id, first ones first"),
        "-id": _("id, last ones first"),
        "-characters": _("most characters first"),
        "characters": _("fewest characters first"),
        "-bytes": _("most bytes first"),
        "bytes": _("fewest bytes first"),
        "text": _("text"),
    }
    order = settings.select(_("Order"), orders, key="vocabulary_order")
    return known.sort(
        chosen, cast(Order, order.removeprefix("-")), descending=order.startswith("-")
    )


def _reading(known: Vocabulary) -> str:
    """Say how much of the vocabulary is Chinese, and how much is no whole character."""
    han = int((known.scripts == vocabulary.SCRIPTS.index("han")).sum())
    partial = int((known.kinds == vocabulary.KINDS.index("partial")).sum())
    return _(
        "Of the whole vocabulary, {han} tokens are made of 汉字 ({han_share:.1%}) and {partial} "
        "hold parts of characters ({partial_share:.1%})."
    ).format(
        han=f"{han:,}",
        han_share=han / len(known),
        partial=f"{partial:,}",
        partial_share=partial / len(known),
    )


def _longest(encoders: Encoders) -> None:
    st.subheader(_("What is the longest Chinese in one token?"))
    columns = figures.each(
        encoders,
        _("Reading the vocabulary of {name}…"),
        lambda encoder: _longest_of(identity(encoder), encoder),
    )
    lengths = {name: tokens[0][1] for name, tokens in columns.items() if tokens}
    if not lengths:
        st.markdown(_("None of these vocabularies has a token of whole 汉字."))
        return
    st.markdown(
        _("{name} has the longest: {characters} characters in one token.").format(
            name=plain(max(lengths, key=lengths.__getitem__)), characters=max(lengths.values())
        )
    )
    frame = pd.DataFrame(
        {
            name: pd.Series([f"{text} ({characters})" for text, characters in tokens], dtype=str)
            for name, tokens in columns.items()
        }
    )
    st.dataframe(
        frame.fillna(""),
        hide_index=True,
        lazy=False,
        height=420,
        alt=_("The longest tokens of 汉字 in each vocabulary, with their number of characters"),
    )
    st.caption(
        _(
            "Characters in parentheses; a dot is a space. A vocabulary mirrors the pages that its "
            "tokenizer was trained on, advertising and slogans included."
        )
    )


def _overlap(encoders: Encoders) -> None:
    names = _names(encoders)
    if len(names) < 2:
        st.info(_("Choose at least two tokenizers."), icon=":material/checklist:")
        return
    left, right = st.columns(2)
    with left:
        first = settings.select(_("First vocabulary"), names, key="overlap_first")
    others = {code: name for code, name in names.items() if code != first}
    with right:
        second = settings.select(_("Second vocabulary"), others, key="overlap_second")
    one, other = _read(first, encoders[first]), _read(second, encoders[second])
    with st.spinner(_("Comparing the vocabularies…"), show_time=False):
        shared = _shared(identity(encoders[first]), identity(encoders[second]), one, other)
    name, other_name = names[first], names[second]
    parts = {
        "first": (_("only in {name}").format(name=name), one, shared.only_first),
        "both": (_("in both"), one, shared.both),
        "second": (_("only in {name}").format(name=other_name), other, shared.only_second),
    }
    st.subheader(_("How much do the two share?"))
    st.markdown(_overlap_reading(name, other_name, parts))
    frame = pd.DataFrame(
        [
            (script, label, position, _count(known, indices, script))
            for script in ("all", "han", "latin")
            for position, (label, known, indices) in enumerate(parts.values())
        ],
        columns=["script", "part", "order", "tokens"],
    ).assign(
        label=lambda data: data["script"].map(
            {"all": _("all tokens"), "han": script_names()["han"], "latin": script_names()["latin"]}
        )
    )
    alt_text = _("Tokens that only one of two vocabularies has, and that both have")
    charts.show(drawing.overlap(frame), alt_text=alt_text)
    charts.save_as_svg(alt_text, key="svg overlap")
    part = settings.segments(
        _("List"),
        {key: label for key, (label, _known, _indices) in parts.items()},
        key="overlap_part",
        default="both",
    )
    scripts = settings.several(
        _("Writing system"),
        {key: script_names()[key] for key in vocabulary.SCRIPTS},
        key="overlap_scripts",
        default=["han"],
        placeholder=_("any"),
    )
    _label, known, indices = parts[part]
    wanted = known.select(scripts=cast("list[Script]", scripts) or vocabulary.SCRIPTS)
    chosen = _sorted(known, _common(indices, wanted))
    _table(known.entries(chosen[:LISTED]), key="overlap")
    st.caption(
        _("{listed} of {found} tokens are listed; ids are those of {name}.").format(
            listed=f"{min(LISTED, len(chosen)):,}",
            found=f"{len(chosen):,}",
            name=plain(other_name if part == "second" else name),
        )
    )
    _download(known, chosen, f"{part}.csv", key="overlap_csv")


def _overlap_reading(
    name: str, other_name: str, parts: Mapping[str, tuple[str, Vocabulary, Indices]]
) -> str:
    only, both, other = (len(indices) for _label, _known, indices in parts.values())
    if not both:
        return _("The two have no token in common.")
    return _(
        "{both} tokens have the same bytes in both: {first_share:.0%} of {first} and "
        "{second_share:.0%} of {second}."
    ).format(
        both=f"{both:,}",
        first_share=both / (both + only),
        first=plain(name),
        second_share=both / (both + other),
        second=plain(other_name),
    )


def _count(known: Vocabulary, indices: Indices, script: str) -> int:
    if script == "all":
        return len(indices)
    at = vocabulary.SCRIPTS.index(cast(Script, script))
    return int((known.scripts[indices] == at).sum())


def _names(encoders: Encoders) -> dict[str, str]:
    return {code: library.short(code) for code in encoders}


def script_names() -> dict[str, str]:
    """Return the scripts in the reader's language."""
    return {
        "han": _("汉字"),
        "latin": _("Latin"),
        "kana": _("Kana"),
        "hangul": _("Hangul"),
        "cyrillic": _("Cyrillic"),
        "arabic": _("Arabic"),
        "other": _("another script"),
        "mixed": _("several scripts"),
        "digits": _("digits"),
        "signs": _("signs"),
        "space": _("white space"),
        "none": _("no whole character"),
    }


def kind_names() -> dict[str, str]:
    """Return the kinds of tokens in the reader's language."""
    return {
        "character": _("one character"),
        "several": _("several characters"),
        "partial": _("with parts of characters"),
        "special": _("special"),
        "empty": _("no bytes"),
    }


def _table(entries: Iterable[Entry], *, key: str) -> None:
    scripts, kinds = script_names(), kind_names()
    frame = _frame(entries)
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    st.dataframe(
        frame.assign(script=frame["script"].map(scripts), kind=frame["kind"].map(kinds)),
        hide_index=True,
        lazy=False,
        height=420,
        column_config={
            "id": number(_("Id"), format="%d", width="small"),
            "token": text(_("Token"), width="medium"),
            "characters": number(_("Whole characters")),
            "length": number(_("Length in bytes")),
            "script": text(_("Writing system")),
            "kind": text(_("Kind")),
            "bytes": text(_("Bytes"), width="medium"),
        },
        alt=_("The tokens found, with id, bytes, length, script and kind"),
        key=f"{key}_{language()}",
    )


def _frame(entries: Iterable[Entry]) -> pd.DataFrame:
    rows = [
        (
            entry.id,
            entry.text,
            entry.characters,
            len(entry.bytes),
            entry.script,
            entry.kind,
            entry.bytes.hex(" ").upper(),
        )
        for entry in entries
    ]
    columns = ["id", "token", "characters", "length", "script", "kind", "bytes"]
    return pd.DataFrame(rows, columns=columns)


def _download(known: Vocabulary, chosen: Indices, name: str, *, key: str) -> None:
    st.download_button(
        _("Tokens as CSV"),
        lambda: _frame(known.entries(chosen)).to_csv(index=False).encode("utf-8-sig"),
        name,
        "text/csv",
        icon=":material/download:",
        on_click="ignore",
        key=key,
    )


def _read(code: str, encoder: Encoder) -> Vocabulary:
    """Return the vocabulary of an encoder; that takes up to a second the first time."""
    with st.spinner(_("Reading the vocabulary of {name}…").format(name=plain(library.short(code)))):
        return _vocabulary(identity(encoder), encoder)


@st.cache_data(max_entries=100, show_spinner=False)
def _longest_of(identity: str, _encoder: Encoder) -> list[tuple[str, int]]:
    known = _vocabulary(identity, _encoder)
    return [
        (entry.text, entry.characters) for entry in known.entries(known.longest("han", LONGEST))
    ]


@st.cache_resource(max_entries=4, show_spinner=False)
def _vocabulary(identity: str, _encoder: Encoder) -> Vocabulary:
    return vocabulary.read(_encoder)


@st.cache_data(max_entries=40, show_spinner=False)
def _found(identity: str, query: str, mode: Mode, _known: Vocabulary) -> Indices:
    return _known.search(query, mode)


@st.cache_resource(max_entries=4, show_spinner=False)
def _shared(first: str, second: str, _first: Vocabulary, _second: Vocabulary) -> Overlap:
    return vocabulary.overlap(_first, _second)

"""Vocabularies: one searched and filtered, two against each other, unreached tokens, weights."""

from collections.abc import Iterator, Mapping
from typing import cast

import pandas as pd
import streamlit as st

from bpe.analysis import vocabulary
from bpe.analysis.reach import Unreached
from bpe.analysis.vocabulary import Indices, Kind, Mode, Overlap, Script, Vocabulary
from bpe.analysis.weights import KINDS, Weights, as_code, weights
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.text.readable import readable
from playground import session
from playground.compare import tokenizers
from playground.compare.vocabulary import listing
from playground.ui import fields, tables
from playground.ui.i18n import _, error_text, plain, sentences_joined

_LONGEST_QUERY = 200
_SEARCH = "vocabulary_search"
_EXAMPLES = {"text": "中国", "id": "5, 100-120", "hex": "E4 B8 AD"}


def draw() -> None:
    encoders = tokenizers.choose(wide=True)
    if tokenizers.are_chosen(encoders):
        show(encoders)


def show(encoders: Mapping[str, Encoder]) -> None:
    sections = {
        "browse": (_("Browse and search"), _browse),
        "overlap": (_("Overlap of two"), _overlap),
        "unreached": (_("Never produced"), _unreached),
        "estimate": (_("Estimate"), _estimate),
    }
    section = fields.segments(
        _("Vocabulary"),
        {name: label for name, (label, _draw) in sections.items()},
        key="vocabulary_section",
        label_visibility="collapsed",
    )
    sections[section][1](encoders)


def _browse(encoders: Mapping[str, Encoder]) -> None:
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
    return source.select(
        scripts=cast("list[Script]", scripts) or vocabulary.SCRIPTS,
        kinds=cast("list[Kind]", kinds) or vocabulary.KINDS,
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


def _overlap(encoders: Mapping[str, Encoder]) -> None:
    names = {code: session.short(code) for code in encoders}
    if len(names) < 2:
        st.info(_("Choose at least two tokenizers."), icon=":material/checklist:")
        return
    left, right = st.columns(2)
    with left:
        first = fields.select(_("First vocabulary"), names, key="overlap_first")
    others = {code: name for code, name in names.items() if code != first}
    with right:
        second = fields.select(_("Second vocabulary"), others, key="overlap_second")
    one, other = (listing.read(code, encoders[code]) for code in (first, second))
    with st.spinner(_("Comparing the vocabularies…"), show_time=False):
        shared = listing.shared(encoders[first], encoders[second], one, other)
    st.header(_("How much do the two share?"))
    st.markdown(_shared_in_words(names[first], names[second], shared))
    parts = {
        "first": (_("only in {name}").format(name=names[first]), one, shared.only_first),
        "both": (_("in both"), one, shared.both),
        "second": (_("only in {name}").format(name=names[second]), other, shared.only_second),
    }
    code = fields.segments(
        _("List"),
        {code: plain(label) for code, (label, _vocabulary, _tokens) in parts.items()},
        key="overlap_part",
        default="both",
    )
    _label, source, tokens = parts[code]
    _list_part(source, tokens, names[second if code == "second" else first])


def _list_part(source: Vocabulary, tokens: Indices, name: str) -> None:
    scripts = fields.several(
        _("Writing system"),
        {key: listing.scripts()[key] for key in vocabulary.SCRIPTS},
        key="overlap_scripts",
        placeholder=_("any"),
    )
    wanted = source.select(scripts=cast("list[Script]", scripts) or vocabulary.SCRIPTS)
    chosen = listing.in_order(source, listing.common(tokens, wanted))
    listing.show(source, chosen, key="overlap")
    st.caption(
        _("{listed} of {found} tokens are listed; ids are those of {name}.").format(
            listed=f"{min(listing.LISTED, len(chosen)):,}",
            found=f"{len(chosen):,}",
            name=plain(name),
        )
    )


def _shared_in_words(first: str, second: str, shared: Overlap) -> str:
    both = len(shared.both)
    if not both:
        return _("The two have no token in common.")
    return _(
        "{both} tokens have the same bytes in both: {first_share:.0%} of {first} and "
        "{second_share:.0%} of {second}."
    ).format(
        both=f"{both:,}",
        first_share=both / (both + len(shared.only_first)),
        first=plain(first),
        second_share=both / (both + len(shared.only_second)),
        second=plain(second),
    )


def _unreached(encoders: Mapping[str, Encoder]) -> None:
    labels = {code: session.short(code) for code in encoders}
    code = fields.select(_("Vocabulary"), labels, key="reach_vocabulary")
    name, encoder = labels[code], encoders[code]
    with st.spinner(_("Encoding every token of {name}…").format(name=plain(name))):
        tokens = listing.unreached(encoder)
    st.header(_("Which tokens does no text produce?"))
    st.markdown(_unreached_in_words(name, len(tokens), encoder.vocabulary_size))
    st.caption(
        _(
            "This is an upper bound: some may come out inside a longer text. Special tokens, and "
            "tokens with parts of characters, are not counted."
        )
    )
    if tokens:
        _list_unreached(encoder, tokens)


def _unreached_in_words(name: str, dead: int, size: int) -> str:
    if not dead:
        return _("Every token of {name} comes back when its own text is encoded.").format(
            name=plain(name)
        )
    return _(
        "**{dead} tokens of {name}** ({share:.1%}) do not come back when their own text is "
        "encoded: a model hardly ever sees them in training."
    ).format(dead=f"{dead:,}", name=plain(name), share=dead / size)


def _list_unreached(encoder: Encoder, tokens: tuple[Unreached, ...]) -> None:
    frame = pd.DataFrame(
        [
            (
                token.id,
                readable(token.bytes),
                " | ".join(readable(encoder.token_bytes(part)) for part in token.becomes),
                _whys()[token.why],
            )
            for token in tokens
        ],
        columns=["id", "token", "becomes", "why"],
    )
    tables.show(
        frame,
        {
            "id": tables.number(_("Id"), form="%d", width="small"),
            "token": tables.text(_("Token"), width="medium"),
            "becomes": tables.text(_("Its text becomes"), width="medium"),
            "why": tables.text(_("Why")),
        },
        alt_text=_("The tokens that no text produces, and what their text becomes"),
        most_height=420,
    )


def _whys() -> dict[str, str]:
    return {
        "pattern": _("the split pattern cuts its text"),
        "merges": _("no merges lead to it"),
        "changed": _("its text is changed before"),
        "twin": _("another token has the same bytes"),
    }


def _estimate(encoders: Mapping[str, Encoder]) -> None:
    st.header(_("About how many tokens, without the tokenizer?"))
    fitted = tokenizers.each(
        encoders,
        _("Fitting the weights of {name}…"),
        lambda encoder, _on_step: weights(encoder),
    )
    st.markdown(
        _(
            "Tokens for each character of a kind, fitted on our samples; beside them by how much "
            "they miss texts that they were not fitted on."
        )
    )
    _weights_table(fitted)
    one, two = st.columns(2)
    with one:
        name = fields.select(_("Tokenizer"), {each: each for each in fitted}, key="estimate_of")
    with two:
        language = fields.segments(
            _("Language of the function"),
            {"python": "Python", "javascript": "JavaScript", "go": "Go"},
            key="estimate_in",
        )
    st.code(as_code(fitted[name], language, name), language=language)


def _weights_table(fitted: Mapping[str, Weights]) -> None:
    labels = {
        "han": _("Chinese character"), "letter": _("letter"), "digit": _("digit"),
        "space": _("space"), "other": _("other character"),
    }  # fmt: skip
    kinds = {
        "chinese": _("misses Chinese by"), "english": _("English by"),
        "traditional": _("Traditional Chinese by"), "code": _("numbers and code by"),
        "table": _("tables by"),
    }  # fmt: skip
    weight = {
        kind: (tables.number(labels[kind], form="%.3f"), lambda row, kind=kind: row[1][kind])
        for kind in KINDS
    }
    missed = {
        kind: (tables.number(label, form="percent"), lambda row, kind=kind: row[1][kind])
        for kind, label in kinds.items()
    }
    rows = [
        (name, {**{kind: getattr(each, kind) for kind in KINDS}, **each.errors})
        for name, each in fitted.items()
    ]
    tables.show_rows(
        rows,
        {
            "name": (tables.text(_("Tokenizer"), pinned=True), lambda row: row[0]),
            **weight,
            **missed,
        },
        alt_text=_("The weights of each vocabulary, and by how much they miss held-out texts"),
    )

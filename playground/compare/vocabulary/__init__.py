"""Vocabularies: one searched and filtered, two against each other, unreached tokens, weights."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import cast

import pandas as pd
import streamlit as st

from bpe.analysis import vocabulary
from bpe.analysis.reach import Unreached
from bpe.analysis.vocabulary import Indices, Kind, Mode, Overlap, Script, Vocabulary
from bpe.analysis.weights import Weights, as_code, weights
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
    encoders = tokenizers.choose()
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
        chosen = listing.in_order(source, hits, selected)
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
        tables.download(
            _("Tokens as CSV"),
            lambda: tables.as_csv(listing.frame(source, chosen)),
            f"{session.short(code)}-tokens.csv",
            key="browse_csv",
        )


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
    scripts = _scripts("vocabulary_scripts")
    kinds = fields.several(
        _("Kind"),
        listing.kinds(),
        key="vocabulary_kinds",
        placeholder=_("any"),
        help=_(
            "Special are the tokens that the vendor or the file lists as such, and those that are "
            "spelled like one and never come out of ordinary text."
        ),
    )
    return source.select(scripts=scripts, kinds=cast("list[Kind]", kinds) or vocabulary.KINDS)


def _scripts(key: str) -> Sequence[Script]:
    scripts = fields.several(_("Writing system"), listing.scripts(), key=key, placeholder=_("any"))
    return cast("list[Script]", scripts) or vocabulary.SCRIPTS


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
    wanted = source.select(scripts=_scripts("overlap_scripts"))
    chosen = listing.in_order(source, tokens, wanted)
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
    whys = {
        "pattern": _("the split pattern cuts its text"),
        "merges": _("no merges lead to it"),
        "changed": _("its text is changed before"),
        "twin": _("another token has the same bytes"),
    }

    def becomes(token: Unreached) -> str:
        return " | ".join(readable(encoder.token_bytes(part)) for part in token.becomes)

    medium = partial(tables.text, width="medium")
    tables.show_rows(
        tokens,
        {
            "id": (tables.number(_("Id"), form="%d", width="small"), lambda token: token.id),
            "token": (medium(_("Token")), lambda token: readable(token.bytes)),
            "becomes": (medium(_("Its text becomes")), becomes),
            "why": (tables.text(_("Why")), lambda token: whys[token.why]),
        },
        alt_text=_("The tokens that no text produces, and what their text becomes"),
        most_height=420,
    )


def _estimate(encoders: Mapping[str, Encoder]) -> None:
    st.header(_("About how many tokens, without the tokenizer?"))
    doing = _("Fitting the weights of {name}…")
    by_code = tokenizers.each(encoders, doing, lambda encoder, _on_step: weights(encoder))
    fitted = tokenizers.by_name(by_code)
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
            {"python": "Python", "javascript": "JavaScript"},
            key="estimate_in",
        )
    st.code(as_code(fitted[name], language, name), language=language)


def _weights_table(fitted: Mapping[str, Weights]) -> None:
    weights = {
        "han": _("Chinese character"), "letter": _("letter"), "digit": _("digit"),
        "space": _("space"), "other": _("other character"),
    }  # fmt: skip
    missed = {
        "chinese": _("misses Chinese by"), "english": _("English by"),
        "traditional": _("Traditional Chinese by"), "code": _("numbers and code by"),
        "table": _("tables by"),
    }  # fmt: skip
    rows = [{"name": name, **vars(each), **each.errors} for name, each in fitted.items()]
    tables.show(
        pd.DataFrame(rows).drop(columns="errors"),
        {
            "name": tables.text(_("Tokenizer"), pinned=True),
            **{kind: tables.number(label, form="%.3f") for kind, label in weights.items()},
            **{kind: tables.number(label, form="percent") for kind, label in missed.items()},
        },
        alt_text=_("The weights of each vocabulary, and by how much they miss held-out texts"),
    )

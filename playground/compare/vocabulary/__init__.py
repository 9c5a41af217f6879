"""Vocabularies: searched, the longest tokens, two against each other, unreached ones, weights."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from typing import cast

import pandas as pd
import streamlit as st

from bpe.analysis import vocabulary
from bpe.analysis.reach import WHYS, Unreached
from bpe.analysis.vocabulary import Indices, Overlap, Script, Vocabulary
from bpe.analysis.weights import KINDS, Weights, as_code, weights
from bpe.encoders.base import Encoder
from bpe.text.readable import readable
from playground import session
from playground.compare import tokenizers
from playground.compare.vocabulary import browse, listing
from playground.ui import charts, fields, tables
from playground.ui.charts import REFERENCE
from playground.ui.i18n import _, plain

LONGEST = 25
_COLOURS = [*charts.LEARNERS, charts.REFERENCE]
FIRST, BOTH, SECOND = "#7a6aa8", REFERENCE, "#3f8f6b"
"""Not the colours of the two languages: these are tokenizers."""


def draw() -> None:
    encoders = tokenizers.choose(wide=True)
    if tokenizers.are_chosen(encoders):
        show(encoders)


def show(encoders: Mapping[str, Encoder]) -> None:
    sections = {
        "browse": (_("Browse and search"), browse.show),
        "longest": (_("Longest Chinese tokens"), _longest),
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


def _longest(encoders: Mapping[str, Encoder]) -> None:
    st.header(_("What is the longest Chinese in one token?"))
    columns = tokenizers.each(
        encoders,
        _("Reading the vocabulary of {name}…"),
        lambda encoder, _on_step: listing.longest(encoder, LONGEST),
    )
    lengths = {name: tokens[0][1] for name, tokens in columns.items() if tokens}
    if not lengths:
        st.markdown(_("None of these vocabularies has a token of whole Chinese characters."))
        return
    st.markdown(
        _("{name} has the longest: {characters} characters in one token.").format(
            name=plain(max(lengths, key=lengths.__getitem__)), characters=max(lengths.values())
        )
    )
    if not fields.shows_spam("vocabulary_longest"):
        return
    frame = pd.DataFrame(
        {
            name: pd.Series([f"{text} ({characters})" for text, characters in tokens], dtype=str)
            for name, tokens in columns.items()
        }
    )
    tables.show(
        frame.fillna(""),
        {},
        alt_text=_(
            "The longest tokens of Chinese characters in each vocabulary, with their number "
            "of characters"
        ),
        most_height=420,
    )
    st.caption(_("Characters in parentheses; a dot is a space."))


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
    _draw_parts(parts.values())
    code = fields.segments(
        _("List"),
        {code: plain(label) for code, (label, _vocabulary, _tokens) in parts.items()},
        key="overlap_part",
        default="both",
    )
    _label, source, tokens = parts[code]
    _list_part(source, tokens, names[second if code == "second" else first], code)


def _draw_parts(parts: Iterable[tuple[str, Vocabulary, Indices]]) -> None:
    """Draw how many tokens each part has, of some scripts alone, too; a part has a label."""
    scripts = listing.scripts()
    rows = []
    for place, (part, source, tokens) in enumerate(parts):
        rows.append((_("all tokens"), part, place, len(tokens)))
        for script in ("han", "latin"):
            number = vocabulary.SCRIPTS.index(script)
            of_script = int((source.scripts[tokens] == number).sum())
            rows.append((scripts[script], part, place, of_script))
    charts.show(
        partial(
            charts.stacked_bars,
            pd.DataFrame(rows, columns=["label", "part", "order", "tokens"]),
            [FIRST, BOTH, SECOND],
            290,
        ),
        alt_text=_("Tokens that only one of two vocabularies has, and that both have"),
    )


def _list_part(source: Vocabulary, tokens: Indices, name: str, code: str) -> None:
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
    listing.download(source, chosen, f"{code}.csv", key="overlap_csv")


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
    of_each = tokenizers.each(
        encoders,
        _("Encoding every token of {name}…"),
        lambda encoder, _on_step: listing.unreached(encoder),
    )
    tokens = of_each.get(name, ())
    st.header(_("Which tokens does no text produce?"))
    st.markdown(_unreached_in_words(name, len(tokens), encoder.vocabulary_size))
    _draw_reasons(of_each)
    _list_unreached(encoder, tokens, name)


def _unreached_in_words(name: str, dead: int, size: int) -> str:
    if not dead:
        return _("Every token of {name} comes back when its own text is encoded.").format(
            name=plain(name)
        )
    return _(
        "**{dead} tokens of {name}** ({share:.1%}) do not come back when their own text is "
        "encoded: a model hardly ever sees them in training."
    ).format(dead=f"{dead:,}", name=plain(name), share=dead / size)


def _draw_reasons(of_each: Mapping[str, tuple[Unreached, ...]]) -> None:
    rows = []
    for name, tokens in of_each.items():
        counts = Counter(token.why for token in tokens)
        rows += [(name, _whys()[why], place, counts[why]) for place, why in enumerate(WHYS)]
    frame = pd.DataFrame(rows, columns=["label", "part", "order", "tokens"])
    charts.show(
        partial(charts.stacked_bars, frame, _COLOURS, charts.height(list(of_each), 150)),
        alt_text=_("Tokens that no text produces, in each vocabulary, by the reason"),
    )
    st.caption(
        _(
            "This is an upper bound: some may come out inside a longer text. Special tokens, and "
            "tokens with parts of characters, are not counted."
        )
    )


def _list_unreached(encoder: Encoder, tokens: tuple[Unreached, ...], name: str) -> None:
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
    with st.expander(_("The tokens, and what their text becomes"), icon=":material/list:"):
        tables.show(
            frame.head(listing.LISTED),
            {
                "id": tables.number(_("Id"), form="%d", width="small"),
                "token": tables.text(_("Token"), width="medium"),
                "becomes": tables.text(_("Its text becomes"), width="medium"),
                "why": tables.text(_("Why")),
            },
            alt_text=_("The tokens that no text produces, and what their text becomes"),
            most_height=420,
        )
        tables.download(
            _("Tokens as CSV"),
            lambda: tables.as_csv(frame),
            f"{name}-unreached.csv",
            key="reach_csv",
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

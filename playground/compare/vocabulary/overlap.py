"""Two vocabularies: the tokens that both have, after both are mapped to bytes."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from typing import cast

import pandas as pd
import streamlit as st

from bpe.analysis import vocabulary
from bpe.analysis.reach import transplant
from bpe.analysis.vocabulary import Indices, Overlap, Script, Vocabulary
from bpe.encoders.base import Encoder
from playground import session
from playground.compare.vocabulary import listing
from playground.ui import caches, charts, fields, tables
from playground.ui.charts import REFERENCE
from playground.ui.i18n import _, plain

FIRST, BOTH, SECOND = "#7a6aa8", REFERENCE, "#3f8f6b"
"""Not the colours of the two languages: these are tokenizers."""


def show(encoders: Mapping[str, Encoder]) -> None:
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
    st.markdown(_in_words(names[first], names[second], shared))
    parts = {
        "first": (_("only in {name}").format(name=names[first]), one, shared.only_first),
        "both": (_("in both"), one, shared.both),
        "second": (_("only in {name}").format(name=names[second]), other, shared.only_second),
    }
    _picture(parts.values())
    code = fields.segments(
        _("List"),
        {code: plain(label) for code, (label, _vocabulary, _tokens) in parts.items()},
        key="overlap_part",
        default="both",
    )
    _label, known, tokens = parts[code]
    _list(known, tokens, names[second if code == "second" else first], code)
    _show_map(encoders[first], encoders[second], names[first], names[second])


def _picture(parts: Iterable[tuple[str, Vocabulary, Indices]]) -> None:
    """Draw how many tokens each part has, of some scripts alone, too; a part has a label."""
    scripts = listing.scripts()
    rows = []
    for place, (part, known, tokens) in enumerate(parts):
        rows.append((_("all tokens"), part, place, len(tokens)))
        for script in ("han", "latin"):
            number = vocabulary.SCRIPTS.index(script)
            of_script = int((known.scripts[tokens] == number).sum())
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


def _list(known: Vocabulary, tokens: Indices, name: str, code: str) -> None:
    scripts = fields.several(
        _("Writing system"),
        {key: listing.scripts()[key] for key in vocabulary.SCRIPTS},
        key="overlap_scripts",
        placeholder=_("any"),
    )
    wanted = known.select(scripts=cast("list[Script]", scripts) or vocabulary.SCRIPTS)
    chosen = listing.in_order(known, listing.common(tokens, wanted))
    listing.show(known, chosen, key="overlap")
    st.caption(
        _("{listed} of {found} tokens are listed; ids are those of {name}.").format(
            listed=f"{min(listing.LISTED, len(chosen)):,}",
            found=f"{len(chosen):,}",
            name=plain(name),
        )
    )
    listing.download(known, chosen, f"{code}.csv", key="overlap_csv")


def _in_words(first: str, second: str, shared: Overlap) -> str:
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


def _show_map(old: Encoder, new: Encoder, name: str, other_name: str) -> None:
    """Draw, once asked for, how the tokens of ``new`` are composed of those of ``old``."""
    if not fields.switch(
        _("Move a model from {first} to {second}").format(
            first=plain(name), second=plain(other_name)
        ),
        "transplant",
        hint=_("For each new token, the old ones whose embeddings its own can be made of."),
    ):
        return
    with st.spinner(_("Comparing the vocabularies…")):
        lengths, csv = caches.cached(
            ("transplant",),
            lambda: _map(old, new),
            memory=lambda made: len(made[1]),
            of=(old, new),
        )
    total = sum(lengths.values())
    st.markdown(
        _(
            "Of the {total} tokens of {second}, {first} has {shared} ({share:.0%}); {composed} can "
            "be composed of its tokens, {new} are new."
        ).format(
            total=f"{total:,}",
            second=plain(other_name),
            first=plain(name),
            shared=f"{lengths[1]:,}",
            share=lengths[1] / max(total, 1),
            composed=f"{total - lengths[1] - lengths[0]:,}",
            new=f"{lengths[0]:,}",
        )
    )
    tables.download(
        _("Map as CSV"),
        lambda: csv,
        f"{name}-to-{other_name}.csv",
        key="transplant_csv",
        help=_("New id, bytes in hexadecimal, old ids."),
    )


def _map(old: Encoder, new: Encoder) -> tuple[Counter[int], bytes]:
    lengths: Counter[int] = Counter()
    lines = ["new_id,bytes,old_ids"]
    for token in transplant(old, new):
        lengths[len(token.old)] += 1
        lines.append(f"{token.id},{token.bytes.hex()},{' '.join(map(str, token.old))}")
    return lengths, ("\n".join(lines) + "\n").encode()

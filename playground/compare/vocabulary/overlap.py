"""What two vocabularies share, after both are mapped to bytes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import cast

import pandas as pd
import streamlit as st

from bpe.analysis import vocabulary
from bpe.analysis.vocabulary import Indices, Script, Vocabulary
from bpe.encoders.base import Encoder
from playground import session
from playground.compare.vocabulary import listing, lookup, mapping
from playground.ui import charts, settings
from playground.ui.charts import REFERENCE
from playground.ui.i18n import _, plain

FIRST, BOTH, SECOND = "#7a6aa8", REFERENCE, "#3f8f6b"
"""Not the colours of the two languages: these are tokenizers."""


@dataclass(frozen=True)
class Part:
    """Some tokens of one vocabulary."""

    label: str
    name: str
    """Of the tokenizer whose ids these are."""
    known: Vocabulary
    tokens: Indices


Parts = Mapping[str, Part]


def show(encoders: Mapping[str, Encoder]) -> None:
    labels = {code: session.short(code) for code in encoders}
    if len(labels) < 2:
        st.info(_("Choose at least two tokenizers."), icon=":material/checklist:")
        return
    left, right = st.columns(2)
    with left:
        first = settings.select(_("First vocabulary"), labels, key="overlap_first")
    others = {code: name for code, name in labels.items() if code != first}
    with right:
        second = settings.select(_("Second vocabulary"), others, key="overlap_second")
    one, other = lookup.read(first, encoders[first]), lookup.read(second, encoders[second])
    with st.spinner(_("Comparing the vocabularies…"), show_time=False):
        shared = lookup.shared(encoders[first], encoders[second], one, other)
    name, other_name = labels[first], labels[second]
    parts = {
        "first": Part(_("only in {name}").format(name=name), name, one, shared.only_first),
        "both": Part(_("in both"), name, one, shared.both),
        "second": Part(
            _("only in {name}").format(name=other_name), other_name, other, shared.only_second
        ),
    }
    st.header(_("How much do the two share?"))
    st.markdown(_in_words(name, other_name, parts))
    _picture(parts)
    _list(parts)
    mapping.show(encoders[first], encoders[second], name, other_name)


def _picture(parts: Parts) -> None:
    labels = {
        "all": _("all tokens"),
        "han": listing.scripts()["han"],
        "latin": listing.scripts()["latin"],
    }
    frame = pd.DataFrame(
        [
            (label, part.label, position, _count(part, script))
            for script, label in labels.items()
            for position, part in enumerate(parts.values())
        ],
        columns=["label", "part", "order", "tokens"],
    )
    alt_text = _("Tokens that only one of two vocabularies has, and that both have")
    charts.show(partial(charts.stacked_bars, frame, [FIRST, BOTH, SECOND], 290), alt_text=alt_text)


def _list(parts: Parts) -> None:
    code = settings.segments(
        _("List"),
        {code: plain(part.label) for code, part in parts.items()},
        key="overlap_part",
        default="both",
    )
    scripts = settings.several(
        _("Writing system"),
        {key: listing.scripts()[key] for key in vocabulary.SCRIPTS},
        key="overlap_scripts",
        placeholder=_("any"),
    )
    part = parts[code]
    wanted = part.known.select(scripts=cast("list[Script]", scripts) or vocabulary.SCRIPTS)
    chosen = listing.in_order(part.known, listing.common(part.tokens, wanted))
    listing.show(part.known, chosen, key="overlap")
    st.caption(
        _("{listed} of {found} tokens are listed; ids are those of {name}.").format(
            listed=f"{min(listing.LISTED, len(chosen)):,}",
            found=f"{len(chosen):,}",
            name=plain(part.name),
        )
    )
    listing.download(part.known, chosen, f"{code}.csv", key="overlap_csv")


def _in_words(name: str, other_name: str, parts: Parts) -> str:
    only, both, other = (len(part.tokens) for part in parts.values())
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


def _count(part: Part, script: str) -> int:
    if script == "all":
        return len(part.tokens)
    at = vocabulary.SCRIPTS.index(cast(Script, script))
    return int((part.known.scripts[part.tokens] == at).sum())

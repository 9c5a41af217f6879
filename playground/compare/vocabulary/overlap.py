"""What two vocabularies share, after both are mapped to bytes."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import cast

import pandas as pd
import streamlit as st

from bpe.analysis import vocabulary
from bpe.analysis.reach import transplant
from bpe.analysis.vocabulary import Indices, Script, Vocabulary
from bpe.encoders.base import Encoder
from playground import session
from playground.compare.vocabulary import listing
from playground.ui import caches, charts, fields, tables
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
        first = fields.select(_("First vocabulary"), labels, key="overlap_first")
    others = {code: name for code, name in labels.items() if code != first}
    with right:
        second = fields.select(_("Second vocabulary"), others, key="overlap_second")
    one, other = listing.read(first, encoders[first]), listing.read(second, encoders[second])
    with st.spinner(_("Comparing the vocabularies…"), show_time=False):
        shared = listing.shared(encoders[first], encoders[second], one, other)
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
    _show_map(encoders[first], encoders[second], name, other_name)


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
    code = fields.segments(
        _("List"),
        {code: plain(part.label) for code, part in parts.items()},
        key="overlap_part",
        default="both",
    )
    scripts = fields.several(
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


_COLOURS = [charts.REFERENCE, *charts.LEARNERS, "#7a6aa8"]
_PARTS = 4


def _show_map(old: Encoder, new: Encoder, name: str, other_name: str) -> None:
    """Draw, once asked for, what the tokens of ``new`` are in ``old``."""
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
            memory=lambda found: len(found[1]),
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
    labels = [_("shared"), *(_("of {n}").format(n=n) for n in range(2, _PARTS)),
              _("of {n} or more").format(n=_PARTS), _("new")]  # fmt: skip
    counts = [*(lengths[n] for n in range(1, _PARTS)),
              sum(count for n, count in lengths.items() if n >= _PARTS), lengths[0]]  # fmt: skip
    frame = pd.DataFrame(
        {"label": other_name, "part": labels, "order": range(len(labels)), "tokens": counts}
    )
    charts.show(
        partial(charts.stacked_bars, frame, _COLOURS, 210),
        alt_text=_("Tokens of a new vocabulary that the old one has, can compose, or lacks"),
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

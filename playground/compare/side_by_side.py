"""A text under several tokenizers side by side, and in words where they cut it otherwise."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from bpe.analysis import merge_tree
from bpe.analysis.alignment import comparison
from bpe.analysis.segmentation import Segmentation, TokenFacts
from bpe.encoders.base import Encoder
from playground import session
from playground.compare import trees
from playground.compare.text import Cuts
from playground.token_view import aligned_view, token_view
from playground.ui import caches, charts, settings
from playground.ui.i18n import _, plain


def show(encoders: Mapping[str, Encoder], cuts: Cuts) -> None:
    """Draw each text under all tokenizers side by side, with what differs in words."""
    st.subheader(_("Side by side"))
    shown = {language: by_code for language, by_code in cuts.items() if by_code}
    codes = list(dict.fromkeys(code for by_code in shown.values() for code in by_code))
    base = codes[0] if codes else ""
    if len(codes) > 1:
        names = {code: session.short(code) for code in codes}
        with st.container(width=320):
            base = settings.select(_("Held against"), names, key="base")
    for language, by_code in shown.items():
        st.markdown(f"**{charts.languages()[language]}**")
        pinned = _views(encoders, by_code, language)
        if base in by_code:
            _differences(by_code, base)
        if pinned:
            code, token = pinned
            with st.container(border=True):
                trees.show_pinned(encoders[code], session.short(code), token)


def _views(
    encoders: Mapping[str, Encoder], by_code: Mapping[str, Segmentation], language: str
) -> tuple[str, TokenFacts] | None:
    """Draw those that spell the same bytes aligned, each other one by itself."""
    aligned = alike(by_code)
    pinned: tuple[str, TokenFacts] | None = None
    if len(aligned) > 1:
        found = aligned_view(
            [by_code[code] for code in aligned],
            key=f"aligned_{language}",
            names=[session.short(code) for code in aligned],
            made=[partial(merge_tree.made, encoders[code]) for code in aligned],
        )
        pinned = (aligned[found[0]], found[1]) if found else None
    else:
        aligned = []
    for code, segmentation in by_code.items():
        if code in aligned:
            continue
        name = plain(session.short(code))
        if aligned:
            st.caption(
                _(
                    "{name} spells other bytes (it changes the text first), so its boundaries "
                    "cannot stand under the others; it is shown by itself."
                ).format(name=name)
            )
        st.markdown(name)
        token = token_view(
            segmentation,
            key=f"view_{language}_{code}",
            made=partial(merge_tree.made, encoders[code]),
            show_ids=False,
        )
        if token and not pinned:
            pinned = (code, token)
    return pinned


def alike(by_code: Mapping[str, Segmentation]) -> list[str]:
    """Return the most tokenizers that spell the same bytes, of equally many the first."""
    of_bytes: dict[bytes, list[str]] = {}
    for code, segmentation in by_code.items():
        of_bytes.setdefault(segmentation.data, []).append(code)
    return max(of_bytes.values(), key=len, default=[])


def _differences(by_code: Mapping[str, Segmentation], base: str) -> None:
    """Say in words how every other tokenizer cuts the text otherwise than ``base``."""
    said = []
    for code, segmentation in by_code.items():
        if code == base:
            continue
        names = {"base": plain(session.short(base)), "name": plain(session.short(code))}
        if segmentation.data != by_code[base].data:
            said.append(
                _("{name} and {base} spell different bytes, so they are not compared.").format(
                    **names
                )
            )
            continue
        found = comparison(caches.aligned((by_code[base], segmentation)))
        if found.share == 1:
            said.append(_("{name} cuts exactly like {base}.").format(**names))
            continue
        does = [
            clause.format(n=f"{number:,}", base=names["base"])
            for clause, number in (
                (_("splits {n} of the tokens of {base}"), found.splits),
                (_("joins several into one ({n})"), found.joins),
                (_("cuts across in {n} more"), found.crossings),
            )
            if number
        ]
        said.append(
            _("{name} {does}; {share:.0%} of all boundaries are common.").format(
                name=names["name"], does=_(", ").join(does), share=found.share
            )
        )
    if said:
        st.markdown("\n".join(f"- {sentence}" for sentence in said))

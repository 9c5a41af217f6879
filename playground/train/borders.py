"""How uncertain the corpus is at each place of a sentence, beside the borders of its tokens."""

from collections.abc import Sequence
from html import escape
from statistics import fmean

import streamlit as st

from bpe.analysis.branching import LONGEST, Branching, Gap
from bpe.analysis.segmentation import Segmentation
from bpe.text.readable import readable
from playground.train.corpus import Corpus
from playground.ui import caches
from playground.ui.i18n import _, sentences_joined

MOST_DRAWN = 100
"""Characters of a text that are drawn."""

_TALLEST = 3.0
"""rem, the room of the highest bar."""
_STYLE = f"""<style>
.borders {{ display: flex; flex-wrap: wrap; font-size: 1.15rem; line-height: 1.7; }}
.borders span {{ position: relative; padding-top: {_TALLEST + 0.5}rem; white-space: pre; }}
.borders b {{ display: block; padding-inline: 0.2em; border-right: 1px solid #8884;
  font-weight: inherit; }}
.borders i {{ position: absolute; bottom: 1.95rem; right: -0.2rem; width: 0.4rem;
  border-bottom: 0 solid #8a8a8a; background: #8a8a8a77; }}
.borders .ends b {{ border-right: 2px solid #a05195; }}
.borders .ends i {{ background: #a0519577; border-color: #a05195; }}
.borders .inside b {{ text-decoration: underline dotted; }}
</style>"""


def show(corpus: Corpus, cut: Segmentation) -> None:
    """Draw the beginning of a text that was cut, a bar between any two of its characters."""
    if cut.change == "lossy":
        st.info(
            _(
                "This tokenizer leaves out parts of the text, such as its spaces, so its borders "
                "cannot stand beside what the corpus has there."
            )
        )
        return
    known = caches.cached(
        ("branching", corpus.digest), lambda: _count(corpus), memory=lambda made: made.memory
    )
    gaps = known.gaps(text := cut.text[:MOST_DRAWN])
    borders, at = set(cut.starts), cut.character_starts
    between, within = (
        [gap.bits for gap, byte in zip(gaps, at[1:], strict=False) if (byte in borders) is which]
        for which in (True, False)
    )
    if between and within:
        st.markdown(
            _(
                "Where two tokens meet, your corpus leaves **{between:.1f} bits** open on average; "
                "inside a token **{within:.1f}**."
            ).format(between=fmean(between), within=fmean(within))
        )
    st.html(_STYLE + _drawn(text, gaps, cut))
    said = [
        _(
            "A bar is how many bits the next character is worth after the {near} before it (solid) "
            "and the one before, seen from the {near} after it (faint). Purple is a border of "
            "tokens; a dotted character is cut by one. From some 30,000 characters of a language "
            "on, high bars are mostly ends of words (arXiv 2506.15889)."
        ).format(near=LONGEST)
    ]
    if len(cut.text) > MOST_DRAWN:
        said.append(_("Of the text, the first {size} characters.").format(size=MOST_DRAWN))
    if known.sampled:
        said.append(
            _("Counted in {size} characters: the beginning of each document.").format(
                size=f"{known.counted:,}"
            )
        )
    st.caption(sentences_joined(*said))


def _count(corpus: Corpus) -> Branching:
    with st.spinner(_("Counting which characters follow which…")):
        return Branching(corpus.texts)


def _drawn(text: str, gaps: Sequence[Gap], cut: Segmentation) -> str:
    unit = _TALLEST / (max((gap.bits for gap in gaps), default=0.0) or 1.0)
    borders, at = set(cut.starts), cut.character_starts
    drawn = []
    for place, character in enumerate(text):
        ends = at[place + 1] in borders
        inside = not borders.isdisjoint(range(at[place] + 1, at[place + 1]))
        bar = hint = ""
        for gap in gaps[place : place + 1]:
            hint = f"{gap.next:.1f} + {gap.previous:.1f} = {gap.bits:.1f} bit"
            height = f"height:{unit * gap.previous:.2f}rem"
            bar = f"<i style='{height};border-bottom-width:{unit * gap.next:.2f}rem'></i>"
        sign = escape(readable(character.encode("utf-8", "replace")))
        names = "ends " * ends + "inside" * inside
        drawn.append(f"<span class='{names}' title='{hint}'>{bar}<b>{sign}</b></span>")
    label = escape(_("Bars of uncertainty between the characters of the text"), quote=True)
    return f"<div class='borders' role='img' aria-label='{label}'>{''.join(drawn)}</div>"

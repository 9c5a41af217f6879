"""A quiet notice where a text has characters that one does not see, or takes for others."""

from collections import Counter
from collections.abc import Callable

import streamlit as st

from bpe.encoders.base import Encoder
from bpe.text.hidden import Hidden, hidden, without_hidden
from bpe.text.readable import readable
from playground.ui import caches
from playground.ui.i18n import _, names_joined, plain, sentences_joined

_LOOKED_AT = 2_000_000
"""Characters of a text that are looked at, in about half a second."""
_SHOWN = 20
_AROUND = 8


def notice(text: str, *, key: str, load: Callable[[], Encoder] | None = None) -> None:
    """Say how many there are and what they cost in tokens, and show them on a click.

    ``load`` returns the tokenizer that counts; it is called where there is something to count.
    """
    is_cut = len(text) > _LOOKED_AT
    text = text[:_LOOKED_AT]
    characters = caches.cached(
        ("hidden", text),
        lambda: hidden(text),
        memory=lambda characters: 200 * len(characters) + 4 * len(text),
    )
    if not characters:
        return
    kinds = Counter(each.kind for each in characters)
    names = _names()
    sentence = _("{number} characters look like nothing, or like others: {kinds}.").format(
        number=f"{len(characters):,}",
        kinds=names_joined(f"{names[kind]} ({n:,})" for kind, n in kinds.most_common()),
    )
    if load is not None:
        encoder = load()
        cleaned = _("{name} needs {tokens} tokens; cleaned up, {cleaned}.").format(
            name=plain(encoder.name),
            tokens=f"{encoder.count(text):,}",
            cleaned=f"{encoder.count(without_hidden(text)):,}",
        )
        sentence = sentences_joined(sentence, cleaned)
    if is_cut:
        first = _("Only the first {n} characters were looked at.").format(n=f"{_LOOKED_AT:,}")
        sentence = sentences_joined(sentence, first)
    with st.container(horizontal=True, vertical_alignment="center", key=f"unseen_{key}"):
        st.caption(sentence)
        with st.popover(_("Show them"), icon=":material/visibility:", type="tertiary"):
            st.markdown("\n".join(f"- {_in_place(text, each)}" for each in characters[:_SHOWN]))
            if len(characters) > _SHOWN:
                st.caption(_("and {n} more").format(n=f"{len(characters) - _SHOWN:,}"))


def _in_place(text: str, each: Hidden) -> str:
    before = readable(text[max(0, each.at - _AROUND) : each.at].encode("utf-8", "replace"))
    after = readable(text[each.at + 1 : each.at + 1 + _AROUND].encode("utf-8", "replace"))
    sign = f"U+{ord(each.character):04X}"
    return f"{plain(before)}**⟨{sign}⟩**{plain(after)} · {_names()[each.kind]}"


def _names() -> dict[str, str]:
    return {
        "zero width": _("zero width"),
        "tag": _("invisible tags"),
        "direction": _("controls of direction"),
        "variation": _("selectors of a glyph"),
        "width": _("full-width letters and digits"),
        "space": _("unusual spaces"),
        "twin": _("twins of other Chinese characters"),
        "look-alike": _("Cyrillic or Greek letters in Latin words"),
    }

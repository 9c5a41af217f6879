"""A text cut by a tokenizer that is not explored merge by merge: WordPiece, SentencePiece, Unigram.

Their smaller vocabularies are no beginnings of the larger ones, or encoding does not follow the
merges, so there is no slider: the tokens of one text, which the reader may change.
"""

from functools import partial

import streamlit as st

from bpe.analysis import merge_tree
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from playground.editor import editor
from playground.token_view import token_view
from playground.ui import caches
from playground.ui.i18n import _, error_text, language

MOST_TEXT = 10_000
"""Characters of a text."""


@st.fragment
def sentence(tokenizer: Encoder, opening: str, *, of: str) -> None:
    """Draw ``opening``, or what the reader types in its place, in tokens.

    ``of`` names the corpus, whose opening is shown anew when it changes.
    """
    typed = editor(
        _("Type a text to see it cut"),
        None,  # the view below has the colours, and the inspector
        key=f"sentence-{of}",
        default=" ".join(opening.split()),
        rows=3,
        limit=MOST_TEXT,
    )
    text = typed.text
    if not text:
        return
    try:
        cut = caches.segmentation(tokenizer, text, after=typed.before)
    except BPEError as error:
        st.error(error_text(error))
        return
    has_merges = bool(getattr(tokenizer, "merges", ()))
    size = len(text.encode("utf-8", "surrogatepass"))
    st.caption(
        _("Tokens: {total} · {value} bytes per token").format(
            total=f"{len(cut):,}", value=f"{size / max(len(cut), 1):.2f}"
        )
    )
    token_view(
        cut,
        key=f"sentence_tokens_{language()}",
        made=partial(merge_tree.made, tokenizer) if has_merges else None,
        show_ids=False,
        height=260,
    )

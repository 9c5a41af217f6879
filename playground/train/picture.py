"""The picture of a training: its explorer, its replay, or a text cut by the tokenizer."""

from functools import partial
from typing import cast

import streamlit as st

from bpe.analysis import merge_tree
from bpe.encoders.base import Encoder
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from playground.editor import editor
from playground.token_view import token_view
from playground.train import results
from playground.train.corpus import Corpus
from playground.train.current import Current
from playground.train.explorer import explorer
from playground.train.replay import replay
from playground.ui import caches, settings
from playground.ui.i18n import ENGLISH, _, error_text, language

MOST_TEXT = 10_000
"""Characters of a text that is cut."""


def show(current: Current) -> None:
    """Draw the picture that is chosen, or the only one that there is.

    There is no explorer of a tokenizer that another library runs, as its smaller vocabularies are
    no beginnings of the larger ones, and none of counted words.
    """
    trained, corpus = current.trained, current.corpus
    if why := results.nothing_learned(trained):
        st.info(why)
    if trained.usage is None:
        _sentence(trained.tokenizer, corpus.opening, of=trained.corpus_digest)
        return
    chosen = settings.segments(
        _("Picture"),
        {"explore": _("Explore the vocabulary size"), "replay": _("Watch the merges")},
        key="picture",
        label_visibility="collapsed",
    )
    if chosen == "explore":
        tokenizer = cast(Tokenizer | CharacterTokenizer, trained.tokenizer)  # as they have usage
        opening = corpus.opening
        if corpus.source and corpus.source.sample and language() == ENGLISH:
            opening = "\n".join(reversed(opening.split("\n")))
        explorer(tokenizer, trained.usage, opening, film=_film(corpus), key="explorer")
    else:
        replay(corpus, trained.recipe, of=len(trained.merges))


def _film(corpus: Corpus) -> str:
    """Return what the film of a corpus is called: each upload has its own, typed texts one."""
    if corpus.source is None:
        return corpus.digest
    return corpus.source.sample or "typed"


@st.fragment
def _sentence(tokenizer: Encoder, opening: str, *, of: str) -> None:
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

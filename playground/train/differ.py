"""Why do my merges differ? A list of merges made elsewhere, held against those of this corpus."""

from typing import Any

import streamlit as st

from bpe import files
from bpe.algorithm.recipe import Recipe
from bpe.analysis import reasons
from bpe.analysis.divergence import Divergence, Pair, Reason, explain
from bpe.errors import BPEError
from bpe.text.readable import readable
from playground.train.corpus import Corpus
from playground.ui import caches, frame, i18n
from playground.ui.i18n import _, error_text, plain, sentences_joined
from playground.ui.upload_field import file_uploader

MOST_CHARACTERS = 5_000_000
"""Of a corpus: some twenty trainings are tried on it."""

_FOUND_BYTES = 10_000
"""About how much memory the reasons take."""


def section(corpus: Corpus, recipe: Recipe) -> None:
    """Draw the section; nothing of it is worked out before it is opened."""
    place = frame.opened(
        _("Why do my merges differ?"),
        icon=":material/difference:",
        key="differ",
    )
    if place is None:
        return
    with place:
        st.markdown(
            _(
                "Another program learned other merges from the same text? Bring its list: the "
                "first merge that differs is found, and the reason by trying out what programs "
                "do otherwise."
            )
        )
        uploaded = file_uploader(
            _("Its merges.txt, tokenizer.json or .tiktoken file"),
            (".txt", ".json", ".tiktoken"),
            key="differ_file",
            most_bytes=files.MAX_BYTES,
        )
        if uploaded is None:
            return
        try:
            found = caches.cached(
                ("merges explained", uploaded.file_id, corpus.digest, recipe.digest),
                lambda: _explained(corpus, recipe, uploaded),
                memory=_FOUND_BYTES,
            )
        except BPEError as error:
            st.error(error_text(error))
            return
        _show(found)


def _explained(corpus: Corpus, recipe: Recipe, uploaded: Any) -> Divergence:
    if corpus.characters > MOST_CHARACTERS:
        raise BPEError(
            "This corpus has {size} million characters; merges are compared on up to {most} "
            "million. Choose a part of it, and train on that part elsewhere, too.",
            size=round(corpus.characters / 1e6, 1),
            most=MOST_CHARACTERS // 10**6,
        )
    theirs = files.merges_in(uploaded.getvalue(), uploaded.name)
    bar = st.progress(0.0, text=_("Trying out what may be done otherwise…"))
    found = explain(corpus.texts, recipe, theirs, on_progress=lambda share: bar.progress(share))
    bar.empty()
    return found


def _show(found: Divergence) -> None:
    if found.ours is not None and found.theirs is not None:
        st.markdown(
            _("The first **{count}** merges are the same. Then:").format(count=f"{found.place:,}")
        )
        here, there = st.columns(2)
        with here:
            _pair(_("Here"), found.ours, found.our_count)
        with there:
            _pair(_("There"), found.theirs, found.their_count)
        if found.our_count is not None and found.our_count == found.their_count:
            st.caption(_("Both pairs are equally frequent: a tie."))
    else:
        st.markdown(
            _("All **{count}** merges are the same, as far as both lists go.").format(
                count=f"{found.place:,}"
            )
        )
    if (concluded := reasons.conclusion(found)) is not None:
        listed = "".join(f"\n- {_said(reason)}" for reason in found.reasons)
        say = st.success if found.is_explained else st.warning
        say(i18n.sentence(concluded) + (f"\n{listed}" if listed else ""))
    if found.reasons and found.also:
        st.caption(
            sentences_joined(
                _("On this corpus that cannot be told apart from:"), *map(_said, found.also)
            )
        )
    if found.lengths:
        st.info(sentences_joined(_("The lists are not equally long."), *map(_said, found.lengths)))


def _pair(title: str, pair: Pair, count: int | None) -> None:
    shown = " + ".join(readable(part) for part in pair)
    st.metric(title, shown, width="stretch")
    if count is not None:
        st.caption(_("seen here {count} times").format(count=f"{count:,}"))


def _said(reason: Reason) -> str:
    return plain(i18n.sentence(reasons.sentence(reason)))

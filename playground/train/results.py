"""What a training gave: its numbers, two sentences cut by it, its merges, its files."""

import pandas as pd
import streamlit as st

from bpe import compiled
from bpe.analysis.metrics import count_hanzi
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.text.readable import readable
from playground import session
from playground.train import downloads, keeping
from playground.train.corpus import Corpus, size_text
from playground.train.job import Trained
from playground.ui import tables
from playground.ui.i18n import _, language


def summary(trained: Trained, corpus: Corpus, code: str) -> None:
    """Draw the headline numbers, why training stopped, the name, and the downloads."""
    tokenizer = trained.tokenizer
    with st.container(horizontal=True, gap="large"):
        st.metric(_("Vocabulary"), f"{tokenizer.vocabulary_size:,}", width="content")
        st.metric(_("Merges"), f"{len(tokenizer.merges):,}", width="content")
        st.metric(_("Corpus"), size_text(trained.corpus_bytes), width="content")
        st.metric(
            _("Training time"),
            _("{seconds:.2f} s").format(seconds=trained.seconds),
            width="content",
            help=_("By the {learner} learner.").format(learner=trained.learner),
        )
    if trained.learner != "compiled" and not compiled.available():
        st.caption(_("Numba cannot be imported here, so training is slower than it could be."))
    st.caption(_why_it_stopped(tokenizer))
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    with left:
        keeping.naming(code)
    with right:
        downloads.popover(trained, corpus, session.label(code))
    if isinstance(tokenizer, CharacterTokenizer):
        _about_characters(tokenizer)


def _why_it_stopped(tokenizer: Tokenizer | CharacterTokenizer) -> str:
    match tokenizer.stop_reason:
        case "vocabulary-size":
            return _("Training stopped at the vocabulary size asked for.")
        case "merges":
            return _("Training stopped at the number of merges asked for.")
        case "min-frequency":
            return _("Training stopped because no pair was left that occurs often enough.")
        case "alphabet":
            symbols = tokenizer.symbols if isinstance(tokenizer, CharacterTokenizer) else ()
            return _(
                "The alphabet alone has {entries} entries, which is more than the {size} asked "
                "for, so nothing was merged."
            ).format(entries=f"{len(symbols):,}", size=f"{tokenizer.recipe.vocabulary_size or 0:,}")


def _about_characters(tokenizer: CharacterTokenizer) -> None:
    """Say what surprises in a vocabulary of characters: what left it, and what is a word."""
    if removed := sum(len(merge.removed) for merge in tokenizer.merges):
        st.caption(
            _(
                "{merges} merges leave {entries} entries because a symbol that no longer occurs "
                "on its own leaves the vocabulary; {removed} did."
            ).format(
                merges=f"{len(tokenizer.merges):,}",
                entries=f"{tokenizer.vocabulary_size:,}",
                removed=f"{removed:,}",
            )
        )
    if any(map(count_hanzi, tokenizer.symbols)):
        st.caption(
            _(
                "Words are what spaces divide, so for this algorithm a Chinese line without "
                "spaces is one word."
            )
        )


def merges(trained: Trained) -> None:
    """Draw the table of merges, bytes that are no character in hexadecimal."""
    tables.show(
        merges_table(trained.tokenizer),
        {
            "number": tables.number(_("No."), width="small"),
            "left": tables.text(_("Left")),
            "right": tables.text(_("Right")),
            "new": tables.text(_("New token")),
            "count": tables.number(_("Times seen")),
            "id": tables.number(_("Id"), form="plain"),
        },
        alt_text=_("The merges in order, with their parts, counts and ids"),
        most_height=380,
        key=f"merges_{language()}",
    )


def merges_table(tokenizer: Tokenizer | CharacterTokenizer) -> pd.DataFrame:
    """Return the merges as a reader sees them: number, left, right, new token, count, id."""
    if isinstance(tokenizer, CharacterTokenizer):
        rows = [
            (number, merge.left, merge.right, merge.new, merge.count, tokenizer.ids.get(merge.new))
            for number, merge in enumerate(tokenizer.merges, start=1)
        ]
    else:
        rows = [
            (
                number,
                readable(tokenizer.token_bytes(merge.left)),
                readable(tokenizer.token_bytes(merge.right)),
                readable(tokenizer.token_bytes(merge.new_id)),
                merge.count,
                merge.new_id,
            )
            for number, merge in enumerate(tokenizer.merges, start=1)
        ]
    return pd.DataFrame(rows, columns=["number", "left", "right", "new", "count", "id"])

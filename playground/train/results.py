"""The result of a training: its numbers, how it ended, its merges, its files."""

from collections.abc import Iterator
from functools import partial

import pandas as pd
import streamlit as st

from bpe import compiled
from bpe.analysis.merge_tree import readable_merge
from bpe.analysis.metrics import has_hanzi
from bpe.training.algorithms import named
from playground.train import downloads
from playground.train.corpus import size_text
from playground.train.job import Trained
from playground.ui import frame, tables
from playground.ui.i18n import _, language


def headline(trained: Trained, code: str) -> None:
    """Draw the numbers of a training, and the way to take its tokenizer away."""
    tokenizer = trained.tokenizer
    st.metric(_("Vocabulary"), f"{tokenizer.vocabulary_size:,}", width="content")
    if _makes_merges(trained):
        st.metric(_("Merges"), f"{len(trained.record.merges):,}", width="content")
    st.metric(_("Corpus"), size_text(trained.corpus_bytes), width="content")
    with st.container(horizontal=True, horizontal_alignment="right"):
        downloads.popover(tokenizer, code)


def ended(trained: Trained) -> None:
    """Draw why the vocabulary is not what was asked for, where it is not."""
    if why := why_it_ended(trained):
        (st.caption if _learned(trained) else st.info)(why)


def why_it_ended(trained: Trained) -> str:
    """Say why nothing was learned, or not as much as was asked for; empty where it was."""
    size, wanted = trained.tokenizer.vocabulary_size, trained.record.recipe.vocabulary_size
    if trained.stop_reason == "alphabet":
        return _(
            "The alphabet alone has {entries} entries, which is more than the {size} asked for. "
            "Choose a larger size."
        ).format(entries=f"{size:,}", size=f"{wanted or 0:,}")
    if not _learned(trained):
        if trained.stop_reason == "min-frequency":
            return _("Nothing was merged: no pair occurs often enough.")
        return _("Nothing was merged: the limit leaves no room for a merge. Choose a larger one.")
    if size == wanted:
        return ""
    if not _makes_merges(trained):
        return _("The corpus gives no more pieces than these.")
    if trained.stop_reason == "merges":
        return _("Training stopped at the number of merges asked for.")
    return _("Training stopped because no pair was left that occurs often enough.")


def _makes_merges(trained: Trained) -> bool:
    return named(trained.record.recipe.algorithm).makes_merges


def _learned(trained: Trained) -> bool:
    """Whether there is more than the symbols of the start."""
    made = trained.record.merges or not _makes_merges(trained)
    return bool(made) and trained.stop_reason != "alphabet"


def about(trained: Trained) -> None:
    """Draw how long training took, and what surprises in its vocabulary."""
    if trained.learner == "compiled":  # any other time is that of a server that has just started
        st.caption(_("Training took {seconds:.2f} s.").format(seconds=trained.seconds))
    elif not compiled.available():
        st.caption(_("Numba cannot be imported here, so training is slower than it could be."))
    elif trained.learner == "incremental" and not compiled.cached("train"):
        st.caption(
            _(
                "The server has just started and is still compiling its fast learner, which takes "
                "up to a minute. Until then plain Python learns, about fifty times more slowly."
            )
        )
    if trained.sampled:
        st.caption(_("It was fitted to the frequent words and a sample of the others."))
    for note in about_characters(trained):
        st.caption(note)


def about_characters(trained: Trained) -> Iterator[str]:
    """Say what surprises in a vocabulary of characters: what left it, and what is a word."""
    if "prune" not in named(trained.record.recipe.algorithm).asks:
        return
    tokenizer, merges = trained.tokenizer, trained.record.merges
    if removed := sum(len(merge.removed) for merge in merges):
        yield _(
            "The vocabulary began with {start} entries and has {entries} after {merges} "
            "merges: a symbol that no longer occurs on its own leaves it; {removed} did."
        ).format(
            start=f"{merges[0].vocabulary_size - 1 + len(merges[0].removed):,}",
            entries=f"{tokenizer.vocabulary_size:,}",
            merges=f"{len(merges):,}",
            removed=f"{removed:,}",
        )
    if any(has_hanzi(data.decode()) for data in tokenizer.token_table if data):
        yield _(
            "Words are what spaces divide, so for this algorithm a Chinese line without "
            "spaces is one word."
        )


def vocabulary(trained: Trained) -> None:
    """Draw the merges in their order, or the pieces with their scores."""
    makes_merges = _makes_merges(trained)
    if makes_merges and not trained.record.merges:
        return
    if makes_merges:
        key, title = "merge", _("Merges, in the order in which they were learned")
        alt_text = _("The merges in order, with their parts, counts and ids")
        columns = {  # on a wide screen they grow, on a phone all of them fit
            "number": tables.number(_("No."), width=56),
            "left": tables.text(_("Left"), width=58),
            "right": tables.text(_("Right"), width=54),
            "new": tables.text(_("New token"), width=78),
            "count": tables.number(_("Seen")),
        }
    else:
        key, title = "piece", _("Pieces, the likeliest first")
        alt_text = _("The pieces with their scores and ids")
        columns = {
            "piece": tables.text(_("Piece")),
            "score": tables.number(_("Logarithm of its probability"), form="%.3f"),
        }
    columns["id"] = tables.number(_("Id"), form="plain")
    if place := frame.opened(title, icon=":material/list:", key=f"{key}_table"):
        with place:
            table = merges_table(trained) if makes_merges else pieces_table(trained)
            name = f"{key}s_{language()}"
            tables.show(table, columns, alt_text=alt_text, most_height=380, key=name)


def pieces_table(trained: Trained) -> pd.DataFrame:
    """Return the pieces of a Unigram tokenizer with their scores, without bytes and <unk>."""
    scores = enumerate(trained.record.scores)
    rows = [(piece, score, token_id) for token_id, (piece, score) in scores if -1000 < score < 0]
    return pd.DataFrame(rows, columns=["piece", "score", "id"])


def merges_table(trained: Trained) -> pd.DataFrame:
    """Return the merges as a reader sees them: number, left, right, new token, count, id."""
    readable = partial(readable_merge, trained.tokenizer)
    rows = [(number, *readable(merge)) for number, merge in enumerate(trained.record.merges, 1)]
    table = pd.DataFrame(rows, columns=["number", "left", "right", "new", "count", "id"])
    return table.astype({"id": "Int64"})  # pruned ones have none

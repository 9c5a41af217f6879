"""The result of a training: its numbers, two sentences cut by it, its merges, its files."""

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
from playground.ui.i18n import _, language, sentences_joined


def headline(trained: Trained, code: str) -> None:
    """Draw the numbers of a training, and the way to take its tokenizer away."""
    tokenizer = trained.tokenizer
    st.metric(_("Vocabulary"), f"{tokenizer.vocabulary_size:,}", width="content")
    if named(trained.recipe.algorithm).makes_merges:
        st.metric(_("Merges"), f"{len(trained.merges):,}", width="content")
    st.metric(_("Corpus"), size_text(trained.corpus_bytes), width="content")
    with st.container(horizontal=True, horizontal_alignment="right"):
        downloads.popover(tokenizer, code)


def stopped_early(trained: Trained) -> None:
    """Say beside the numbers why the vocabulary is smaller or larger than what was asked for."""
    wanted = trained.recipe.vocabulary_size
    if wanted and trained.tokenizer.vocabulary_size != wanted:
        st.caption(why_it_stopped(trained))


def about(trained: Trained) -> None:
    """Draw how long training took, and why it stopped."""
    if trained.learner != "compiled" and not compiled.available():
        st.caption(_("Numba cannot be imported here, so training is slower than it could be."))
    elif trained.learner == "incremental" and not compiled.cached("train"):
        st.caption(
            _(
                "The server has just started and is still compiling its fast learner, which takes "
                "up to a minute. Until then plain Python learns, about fifty times more slowly."
            )
        )
    sentences = [why_it_stopped(trained)]
    if trained.learner == "compiled":  # any other time is that of a server that has just started
        took = _("Training took {seconds:.2f} s.").format(seconds=trained.seconds)
        sentences.insert(0, took)
    st.caption(sentences_joined(*sentences))
    for note in about_characters(trained):
        st.caption(note)


def nothing_learned(trained: Trained) -> str | None:
    """Say why there is nothing but the symbols of the start, and what to do; else ``None``."""
    if not named(trained.recipe.algorithm).makes_merges:
        if trained.stop_reason != "alphabet":
            return None
        return _(
            "Every piece is a single character: these alone are more than the vocabulary size "
            "asked for. Choose a larger one."
        )
    if trained.merges:
        return None
    match trained.stop_reason:
        case "alphabet":
            return _(
                "Nothing was merged: the characters alone are more than the vocabulary size asked "
                "for. Choose a larger one."
            )
        case "min-frequency":
            return _("Nothing was merged: no pair occurs often enough.")
    return _("Nothing was merged: the limit leaves no room for a merge. Choose a larger one.")


def why_it_stopped(trained: Trained) -> str:
    if trained.stop_reason == "alphabet":
        return _(
            "The alphabet alone has {entries} entries, which is more than the {size} asked for."
        ).format(
            entries=f"{trained.tokenizer.vocabulary_size:,}",
            size=f"{trained.recipe.vocabulary_size or 0:,}",
        )
    if not named(trained.recipe.algorithm).makes_merges:
        if trained.stop_reason == "vocabulary-size":
            why = _("Pieces were dropped until the vocabulary had the size asked for.")
        else:
            why = _("The corpus gives no more pieces than these.")
        if not trained.sampled:
            return why
        sample = _("It was fitted to the frequent words and a sample of the others.")
        return sentences_joined(why, sample)
    match trained.stop_reason:
        case "vocabulary-size":
            return _("Training stopped at the vocabulary size asked for.")
        case "merges":
            return _("Training stopped at the number of merges asked for.")
        case "min-frequency":
            return _("Training stopped because no pair was left that occurs often enough.")


def about_characters(trained: Trained) -> list[str]:
    """Say what surprises in a vocabulary of characters: what left it, and what is a word."""
    if "prune" not in named(trained.recipe.algorithm).asks:
        return []
    tokenizer = trained.tokenizer
    notes = []
    if removed := sum(len(merge.removed) for merge in trained.merges):
        first = trained.merges[0]
        text = _(
            "The vocabulary began with {start} entries and has {entries} after {merges} "
            "merges: a symbol that no longer occurs on its own leaves it; {removed} did."
        ).format(
            start=f"{first.vocabulary_size - 1 + len(first.removed):,}",
            entries=f"{tokenizer.vocabulary_size:,}",
            merges=f"{len(trained.merges):,}",
            removed=f"{removed:,}",
        )
        notes.append(text)
    if any(has_hanzi(data.decode()) for data in tokenizer.token_table if data):
        text = _(
            "Words are what spaces divide, so for this algorithm a Chinese line without "
            "spaces is one word."
        )
        notes.append(text)
    return notes


def vocabulary(trained: Trained) -> None:
    if not named(trained.recipe.algorithm).makes_merges:
        _pieces(trained)
        return
    if not trained.merges:
        return
    columns = {  # on a wide screen they grow, on a phone all of them fit
        "number": tables.number(_("No."), width=56),
        "left": tables.text(_("Left"), width=58),
        "right": tables.text(_("Right"), width=54),
        "new": tables.text(_("New token"), width=78),
        "count": tables.number(_("Seen")),
        "id": tables.number(_("Id"), form="plain"),
    }
    place = frame.opened(
        _("Merges, in the order in which they were learned"),
        icon=":material/list:",
        key="merge_table",
    )
    if place is None:
        return
    with place:
        tables.show(
            merges_table(trained),
            columns,
            alt_text=_("The merges in order, with their parts, counts and ids"),
            most_height=380,
            key=f"merges_{language()}",
        )


def _pieces(trained: Trained) -> None:
    place = frame.opened(_("Pieces, the likeliest first"), icon=":material/list:", key="pieces")
    if place is None:
        return
    with place:
        tables.show(
            pieces_table(trained),
            {
                "piece": tables.text(_("Piece")),
                "score": tables.number(_("Logarithm of its probability"), form="%.3f"),
                "id": tables.number(_("Id"), form="plain"),
            },
            alt_text=_("The pieces with their scores and ids"),
            most_height=380,
            key=f"pieces_{language()}",
        )


def pieces_table(trained: Trained) -> pd.DataFrame:
    """Return the pieces of a Unigram tokenizer with their scores, without bytes and <unk>."""
    record = trained.tokenizer.training
    scores = enumerate(record.scores if record else ())
    rows = [(piece, score, token_id) for token_id, (piece, score) in scores if -1000 < score < 0]
    return pd.DataFrame(rows, columns=["piece", "score", "id"])


def merges_table(trained: Trained) -> pd.DataFrame:
    """Return the merges as a reader sees them: number, left, right, new token, count, id."""
    readable = partial(readable_merge, trained.tokenizer)
    rows = [(number, *readable(merge)) for number, merge in enumerate(trained.merges, start=1)]
    table = pd.DataFrame(rows, columns=["number", "left", "right", "new", "count", "id"])
    return table.astype({"id": "Int64"})  # pruned ones have none

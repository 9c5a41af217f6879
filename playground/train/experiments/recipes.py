"""Two recipes on one corpus: where they part, what both learn, and how each cuts a text."""

from dataclasses import replace

import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.analysis import experiments
from bpe.analysis.experiments import Differences, Joined
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.text.pretokenize import PATTERNS
from bpe.text.readable import readable
from playground.token_view import aligned_view
from playground.train import job
from playground.train.corpus import Corpus
from playground.train.job import Trained
from playground.train.recipe_form import tie_breaks
from playground.ui import caches, fields, state
from playground.ui.i18n import _, error_text, language, plain
from playground.ui.requests import fragment
from playground.ui.state import Field

SHOWN = 15
MOST_TEXT = 10_000


def show(trained: Trained, corpus: Corpus) -> None:
    changes = _changes(trained.recipe)
    chosen = fields.select(
        _("The same recipe, but"),
        {code: label for code, (label, _recipe) in changes.items()},
        key="changed",
    )
    label, recipe = changes[chosen]
    other = job.train(corpus, recipe)
    found = experiments.differences(trained.tokenizer, other.tokenizer)
    _say_where_they_part(found, label)
    _common(found, label)
    _cut(trained.tokenizer, other.tokenizer, corpus.opening, label)


def _changes(recipe: Recipe) -> dict[str, tuple[str, Recipe]]:
    found: dict[str, tuple[str, Recipe]] = {}
    for pattern in PATTERNS:
        label = _("split pattern: {name}").format(
            name=_("none: merges may cross everything") if pattern == "none" else pattern
        )
        found[f"pattern-{pattern}"] = (label, replace(recipe, pattern=pattern))
    for tie_break in recipe.tie_breaks:
        label = _("ties: {name}").format(name=tie_breaks()[tie_break])
        found[f"ties-{tie_break}"] = (label, replace(recipe, tie_break=tie_break))
    for least in (1, 2, 5, 20):
        label = _("a pair must occur {times} times").format(times=least)
        found[f"least-{least}"] = (label, replace(recipe, min_frequency=least))
    for name in ("none", "lowercase", "NFKC"):
        label = _("normalised: {name}").format(name=name)
        found[f"normalise-{name}"] = (label, replace(recipe, normalisation=name))
    same = recipe.digest
    return {code: change for code, change in found.items() if change[1].digest != same}


def _say_where_they_part(found: Differences, label: str) -> None:
    if found.first is None and found.second is None:
        st.success(_("Both make the same merges, all of them."), icon=":material/equal:")
        return
    st.markdown(
        _("The first {common} merges are the same. Then they part:").format(
            common=f"{found.common_merges:,}"
        )
    )
    for name, merge in ((_("this recipe"), found.first), (label, found.second)):
        st.markdown(_("- {name}: {merge}").format(name=plain(name), merge=_merge(merge)))


def _merge(merge: Joined | None) -> str:
    if merge is None:
        return _("no more merges")
    return _("{left} + {right}, seen {times} times").format(
        left=plain(readable(merge.left)),
        right=plain(readable(merge.right)),
        times=f"{merge.times:,}",
    )


def _common(found: Differences, label: str) -> None:
    st.caption(
        _("Of all tokens that either has learned, {share:.0%} are common: {n}.").format(
            share=found.share, n=f"{len(found.both):,}"
        )
    )
    for name, tokens in ((_("this recipe"), found.only_first), (label, found.only_second)):
        if tokens:
            st.caption(_("Only with {name} ({n}):").format(name=plain(name), n=f"{len(tokens):,}"))
            more = " …" if len(tokens) > SHOWN else ""
            st.text(" │ ".join(map(readable, tokens[:SHOWN])) + more)


@fragment
def _cut(first: Encoder, second: Encoder, opening: str, label: str) -> None:
    shown = " ".join(opening.split())
    text = st.text_input(
        _("The same text, cut by both"),
        shown,
        max_chars=MOST_TEXT,
        live=True,
        **Field(
            f"both-{first.training.corpus_digest if first.training else ''}",
            shown,
            state.words(MOST_TEXT),
        ).unbound(),
    )
    if not text:
        return
    try:
        rows = [caches.segmentation(encoder, text) for encoder in (first, second)]
        aligned_view(rows, key=f"two_recipes_{language()}", names=[_("this recipe"), label])
    except BPEError as error:  # one that changes the text spells other bytes
        st.info(error_text(error))

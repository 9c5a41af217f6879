"""Recipes of today's research: what a paper says of each, beside what it does on this corpus."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.algorithm.whole_characters import is_mixed
from bpe.analysis.experiments import Saved, hold_out, savings
from bpe.documents import samples
from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.extended import ExtendedTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.training.research import train_parity, train_superwords
from bpe.training.train import Training
from playground import session
from playground.train import downloads
from playground.train.corpus import Corpus
from playground.ui import caches, frame, restorable, settings
from playground.ui.i18n import _

MOST_CHARACTERS = 1_000_000

_TRIED_BYTES = 16 << 20
"""About how much memory two tokenizers take."""
_CODE = "own-research"


@dataclass(frozen=True)
class Tried:
    """A recipe of research beside the plain one: the same texts, the same number of merges."""

    plain: BytePairEncoder
    tried: Tokenizer | ExtendedTokenizer
    counted: tuple[Saved, ...]
    """Tokens of lines that neither was trained on, by the plain one and by the other."""


def section(corpus: Corpus, recipe: Recipe) -> None:
    """Draw the section; nothing of it is worked out before it is opened."""
    place = frame.opened(
        _("Recipes of today's research"),
        icon=":material/experiment:",
        key="research",
    )
    if place is None:
        return
    with place:
        chosen = settings.segments(_("What is done otherwise"), _names(), key="research_recipe")
        st.markdown(_claim(chosen))
        share = _share(chosen)
        if chosen != "parity" and corpus.characters > MOST_CHARACTERS:
            st.info(
                _("This is tried on up to {most} characters. Choose a smaller corpus.").format(
                    most=f"{MOST_CHARACTERS:,}"
                )
            )
            return
        _show(
            chosen,
            _tried(chosen, corpus, recipe, share),
            (corpus.opening, *corpus.texts[:10]),
        )


def _names() -> dict[str, str]:
    return {
        "whole": _("Whole-character tokens"),
        "superwords": _("Superwords"),
        "parity": _("Parity of languages"),
    }


def _claim(chosen: str) -> str:
    match chosen:
        case "whole":
            return _(
                "No token holds the end of one character and the beginning of the next. The paper "
                "(arXiv 2505.24689) says: such tokens are gone, and texts compress about as well."
            )
        case "superwords":
            return _(
                "After a share of the merges the split is lifted, and tokens may reach across "
                "words. The paper (arXiv 2503.13423) says: up to 33% fewer tokens than BPE at a "
                "vocabulary of 200,000."
            )
    return _(
        "Each merge is chosen by the language that has the most tokens by now. The paper (arXiv "
        "2508.04796) says: costs become nearly equal, and compression over all is hardly worse. "
        "This is tried on our own parallel texts, whatever corpus is chosen."
    )


def _share(chosen: str) -> int:
    if chosen == "superwords":
        label, least, default = _("Merges within words first"), 10, 80
    elif chosen == "parity":
        label, least, default = _("Merges for all languages together first"), 0, 0
    else:
        return 0
    key = f"research_{chosen}"
    options = restorable.bound(key, default, restorable.whole(least, 100))
    return st.slider(label, least, 100, default, 10, format="%d%%", **options)


def _tried(chosen: str, corpus: Corpus, recipe: Recipe, share: int) -> Tried:
    """Train both; return the last result where nothing has changed."""

    def make() -> Tried:
        with st.spinner(_("Training both…")):
            if chosen == "parity":
                return _parity(recipe, share)
            return _on(corpus, chosen, recipe, share)

    return caches.cached(
        ("research", chosen, chosen == "parity" or corpus.digest, recipe.digest, share),
        make,
        memory=_TRIED_BYTES,
    )


def _on(corpus: Corpus, chosen: str, recipe: Recipe, share: int) -> Tried:
    texts, held = hold_out(corpus.texts)
    plain = cast(BytePairEncoder, Training(texts, recipe).finished())
    tried: Tokenizer | ExtendedTokenizer
    if chosen == "superwords":
        tried = train_superwords(texts, recipe, subwords=share / 100)
    else:
        whole = Recipe(**{**recipe.as_json(), "whole_characters": True})
        tried = cast(Tokenizer, Training(texts, whole, name="whole characters").finished())
    return Tried(plain, tried, savings(plain, tried, held or texts)[0])


def _parity(recipe: Recipe, share: int) -> Tried:
    pairs = samples.pairs()
    learned = [pair for number, pair in enumerate(pairs, start=1) if number % 10]
    held = pairs[9::10]
    languages = {"zh": [pair.zh for pair in learned], "en": [pair.en for pair in learned]}
    plain, _chosen = train_parity(languages, recipe, global_share=1.0)
    tried, _chosen = train_parity(languages, recipe, global_share=share / 100)
    counted = (
        _counted("zh", plain, tried, [pair.zh for pair in held]),
        _counted("other", plain, tried, [pair.en for pair in held]),
    )
    return Tried(plain, tried, counted)


def _counted(kind: str, plain: Encoder, tried: Encoder, texts: Sequence[str]) -> Saved:
    before, after = (sum(map(encoder.count, texts)) for encoder in (plain, tried))
    return Saved("zh" if kind == "zh" else "other", sum(map(len, texts)), before, after)


def _show(chosen: str, made: Tried, texts: Sequence[str]) -> None:
    session.add(_CODE, made.tried)
    session.rename(_CODE, _names()[chosen])
    parity = chosen == "parity"
    names = {
        "zh": _("Chinese, held out") if parity else _("Chinese lines, held out"),
        "other": _("English, held out") if parity else _("Other lines, held out"),
    }
    rows: list[tuple[str, int, int]] = [
        (names[row.kind], row.before, row.after) for row in made.counted
    ]
    before, after = (sum(getattr(r, name) for r in made.counted) for name in ("before", "after"))
    name = _("New tokens that mix parts of characters")
    rows.append((name, _mixed(made.plain), _mixed(made.tried)))
    # Of text and not a data frame, which on a phone hides the columns that matter.
    table = [
        (_("Tokens"), _("Plain BPE"), _("This recipe"), _("Difference")),
        ("---", "---:", "---:", "---:"),
        *(
            (what, f"{old:,}", f"{new:,}", f"{new / old - 1:+.1%}" if old else "–")
            for what, old, new in rows
        ),
    ]
    st.markdown("\n".join(f"| {' | '.join(row)} |" for row in table))
    change = f"{after / max(before, 1) - 1:+.1%}"
    if parity:
        zh, en = made.counted
        text = _(
            "Measured here: Chinese over English, **{before:.2f}** with plain BPE and "
            "**{after:.2f}** with this recipe; tokens in all {change}."
        ).format(
            before=zh.before / max(en.before, 1), after=zh.after / max(en.after, 1), change=change
        )
    else:
        text = _(
            "Measured here, at the same vocabulary size: **{change}** tokens on the lines held out."
        ).format(change=change)
    st.markdown(text)
    downloads.of_tokenizer(made.tried, texts, "research")
    st.caption(_("On the other pages it can be chosen as one of your own tokenizers."))


def _mixed(encoder: BytePairEncoder) -> int:
    """Return how many tokens of merges hold the end of a character, or parts of two."""
    return sum(is_mixed(encoder.token_bytes(merge.new_id)) for merge in encoder.merges)

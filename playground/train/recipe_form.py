"""The form of a recipe. Every choice is kept in the URL."""

from typing import cast

import streamlit as st

from bpe.algorithm.basic import TieBreak
from bpe.errors import BPEError
from bpe.training.recipe import Algorithm, Recipe
from playground.ui import fields, settings
from playground.ui.i18n import _, error_text

DEFAULT_SIZE = 1500


def form() -> Recipe | None:
    """Draw the form and return what it says.

    What does not fit, which is a vocabulary too small for the rest, is said below its size, and
    then there is no recipe.
    """
    algorithm = cast(
        Algorithm,
        settings.select(
            _("Algorithm"),
            {
                "byte-bpe": _("Byte-level BPE (GPT-2 and later)"),
                "character-bpe": _("Character BPE with </w> (as first published)"),
            },
            key="algorithm",
        ),
    )
    of_bytes = algorithm == "byte-bpe"
    size = fields.whole(
        _("Vocabulary size"),
        "size",
        DEFAULT_SIZE,
        least=1,
        most=200_000,
        hint=_("Training stops when the vocabulary has this many entries."),
    )
    below_size = st.container()
    pattern = _pattern() if of_bytes else "gpt2"
    with st.expander(_("More settings")):
        tie_break = settings.select(
            _("Among equally frequent pairs, take"),
            {
                "lexicographic": _("the greatest in byte order"),
                "first-seen": _("the one seen first"),
                "smallest-ids": _("the one with the smallest ids"),
            },
            key="ties",
        )
        least = fields.whole(_("Least times a pair must occur"), "least", 2, least=1, step=1)
        specials = st.text_input(
            _("Special tokens, separated by spaces"),
            value="<|endoftext|>" if of_bytes else "",
            key="specials" if of_bytes else "character_specials",
            bind="query-params",
        )
        steps = settings.several(
            _("Normalise the text first"),
            {
                "NFC": "NFC",
                "NFKC": "NFKC",
                "lowercase": _("lower case"),
                "strip-punctuation": _("without punctuation"),
            },
            key="normalise",
        )
        prune, unknown = (True, False) if of_bytes else _of_characters()
    try:
        return Recipe(
            algorithm=algorithm,
            vocabulary_size=size,
            pattern=pattern,
            special_tokens=tuple(dict.fromkeys((specials or "").split())),
            tie_break=cast(TieBreak, tie_break),
            min_frequency=least,
            normalisation="+".join(steps) or "none",
            prune=prune,
            unknown="<unk>" if unknown else None,
        )
    except BPEError as error:
        below_size.error(error_text(error))
        return None


def _pattern() -> str:
    return settings.select(
        _("Split pattern"),
        {
            "gpt2": "GPT-2",
            "cl100k": "cl100k (GPT-4)",
            "o200k": "o200k (GPT-4o)",
            "whitespace": _("white space only"),
            "none": _("none: merges may cross everything"),
        },
        key="pattern",
        help=_("Text is first cut into pre-tokens by this rule; no merge crosses a cut."),
    )


def _of_characters() -> tuple[bool, bool]:
    """Draw what only character BPE has: whether it prunes, and whether it has an unknown token."""
    prune = st.toggle(
        _("Remove symbols that no longer occur on their own"),
        value=True,
        key="prune",
        bind="query-params",
    )
    unknown = st.toggle(
        _("Unseen characters become <unk>"), value=True, key="unk", bind="query-params"
    )
    return bool(prune), bool(unknown)

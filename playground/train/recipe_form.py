"""The form of a recipe. Every choice is kept in the URL and has its sentence below it."""

from typing import Any, cast

import streamlit as st

from bpe.algorithm.basic import TieBreak
from bpe.errors import BPEError
from bpe.text.readable import readable
from bpe.text.unicode import scalar_text
from bpe.training.pretokenize import split
from bpe.training.recipe import Algorithm, Recipe
from playground.train import presets
from playground.ui import fields, settings
from playground.ui.i18n import _, error_text

MOST = 200_000
PIECES = 12
MOST_PIECES = 120
"""How many pre-tokens of the corpus are shown, and characters at the most."""
CUT = " │ "
_PRESET = "preset"


def form(opening: str) -> Recipe | None:
    """Draw the form and return what it says; ``opening`` is how the corpus begins.

    What does not fit, which is a vocabulary too small for the rest, is said below its size, and
    then there is no recipe.
    """
    row = st.container()
    algorithm = settings.select(
        _("Algorithm"),
        {
            "byte-bpe": _("Byte-level BPE (GPT-2 and later)"),
            "character-bpe": _("Character BPE with </w> (as first published)"),
        },
        key="algorithm",
    )
    of_bytes = algorithm == "byte-bpe"
    st.caption(
        _("It begins with the 256 bytes: no text is ever unknown.")
        if of_bytes
        else _("It begins with the characters of your text, word by word.")
    )
    size, merges = _limits()
    below_size = st.container()
    st.caption(_("Training stops at whichever comes first."))
    values: dict[str, Any] = {"algorithm": algorithm}
    if of_bytes:
        values["pattern"] = _pattern(opening)
    with st.expander(_("More settings")):
        values |= _of_pairs() | _of_text(of_bytes)
        if not of_bytes:
            values |= _of_characters()
    specials = values["specials" if of_bytes else "character_specials"]
    try:
        recipe = Recipe(
            algorithm=cast(Algorithm, algorithm),
            vocabulary_size=size,
            merges=merges,
            pattern=values.get("pattern", "gpt2"),
            special_tokens=tuple(dict.fromkeys(specials.split())),
            tie_break=cast(TieBreak, values["ties"]),
            min_frequency=values["least"],
            normalisation="+".join(values["normalise"]) or "none",
            end_of_word=presets.END_OF_WORD if values.get("mark", True) else "",
            prune=values.get("prune", True),
            unknown=presets.UNKNOWN if values.get("unk") else None,
        )
    except BPEError as error:
        below_size.error(error_text(error))
        return None
    _presets(row, recipe)
    return recipe


def _presets(row: Any, recipe: Recipe) -> None:
    """Draw the presets where the form begins, the one that it says marked."""
    names = {
        "lecture": _("As in the lecture"),
        "gpt2": _("Like GPT-2"),
        "gpt4o": _("Like GPT-4o"),
        "textbook": _("Textbook, with </w>"),
    }
    st.session_state[_PRESET] = presets.matching(recipe)
    with row:
        st.pills(
            _("Recipe"),
            list(names),
            format_func=names.__getitem__,
            key=_PRESET,
            wrap=True,
            on_change=_take_preset,
        )


def _take_preset() -> None:
    if (name := st.session_state[_PRESET]) in presets.PRESETS:
        presets.apply(name)


def _limits() -> tuple[int, int | None]:
    left, right = st.columns(2)
    with left:
        size = fields.whole(_("Vocabulary size"), "size", presets.SIZE, least=1, most=MOST)
    with right:
        merges = st.number_input(
            _("Stop after merges"),
            min_value=0,
            max_value=MOST,
            value=None,
            step=1,
            key="merges",
            bind="query-params",
            placeholder=_("no limit"),
        )
    return size, None if merges is None else int(merges)


def _pattern(opening: str) -> str:
    pattern = settings.select(
        _("Split pattern"),
        {
            "gpt2": "GPT-2",
            "cl100k": "cl100k (GPT-4)",
            "o200k": "o200k (GPT-4o)",
            "llama3": "llama3 (Llama 3, GLM-4)",
            "qwen2": "qwen2 (Qwen2, Qwen3)",
            "deepseek_v3": "deepseek_v3 (DeepSeek V3)",
            "kimi_k2": "kimi_k2 (Kimi K2)",
            "mistral_v3": "mistral_v3 (Mistral Nemo)",
            "whitespace": _("white space only"),
            "none": _("none: merges may cross everything"),
        },
        key="pattern",
    )
    st.caption(_("Text is first cut into pre-tokens by this rule; no merge crosses a cut."))
    pieces = [readable(piece.encode()) for piece in split(scalar_text(opening), pattern)]
    if pieces:
        st.caption(_("So your text begins:"))
        st.text(CUT.join(pieces[:PIECES])[:MOST_PIECES] + (" …" if len(pieces) > PIECES else ""))
    return pattern


def _of_pairs() -> dict[str, Any]:
    ties = settings.select(
        _("Among equally frequent pairs, take"),
        {
            "lexicographic": _("the greatest in byte order"),
            "first-seen": _("the one seen first"),
            "smallest-ids": _("the one with the smallest ids"),
        },
        key="ties",
    )
    st.caption(
        _("The lecture takes the greatest, textbook code the first, Hugging Face the smallest ids.")
    )
    least = fields.whole(_("Least times a pair must occur"), "least", 2, least=1, step=1)
    st.caption(_("Rarer pairs are never merged: what occurs once teaches nothing."))
    return {"ties": ties, "least": least}


def _of_text(of_bytes: bool) -> dict[str, Any]:
    key = "specials" if of_bytes else "character_specials"
    specials = st.text_input(
        _("Special tokens, separated by spaces"),
        value="<|endoftext|>" if of_bytes else "",
        key=key,
        bind="query-params",
    )
    st.caption(_("The text is cut at them, and each keeps an id of its own."))
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
    st.caption(_("What is normalised away cannot be decoded again."))
    return {key: specials or "", "normalise": steps}


def _of_characters() -> dict[str, Any]:
    """Draw what only character BPE has: its mark, whether it prunes, and the unknown token."""
    mark = st.toggle(_("Mark the end of each word by </w>"), True, key="mark", bind="query-params")
    st.caption(_("So “low” at the end of a word and inside one are different tokens."))
    prune = st.toggle(
        _("Remove symbols that no longer occur on their own"),
        value=True,
        key="prune",
        bind="query-params",
    )
    st.caption(_("The vocabulary may then shrink while it is trained."))
    unknown = st.toggle(
        _("Unseen characters become <unk>"), value=True, key="unk", bind="query-params"
    )
    st.caption(_("Otherwise a text with an unseen character cannot be encoded."))
    return {"mark": bool(mark), "prune": bool(prune), "unk": bool(unknown)}

"""The form of a recipe. Every choice is in the URL and has its sentence below it."""

from typing import Any, cast

import streamlit as st

from bpe.algorithm.basic import TieBreak
from bpe.algorithm.recipe import ALGORITHMS, Recipe, Score
from bpe.errors import BPEError
from bpe.text import own_pattern
from bpe.text.readable import readable
from bpe.training.algorithms import algorithm_of, named
from playground import own_tokenizers
from playground.train import presets
from playground.ui import fields
from playground.ui.i18n import _, error_text

MOST = 200_000
PIECES = 12
MOST_PIECES = 120
"""How many pre-tokens of the corpus are shown, and characters at the most."""
CUT = " │ "
OWN = "own"
OWN_AT_FIRST = r"\p{Han}|[^\p{Han}\s]+|\s+"
"""Each 汉字 by itself, everything else between white space."""


def form(opening: str, settings: Any, numbers: Any, wrong: Any) -> tuple[Recipe | None, Any]:
    """Draw the form; return its recipe, and the place for what turns out wrong with it later.

    There is no recipe where the fields do not fit, which is said beside them. ``opening`` is a text
    of the corpus to look at. The size is drawn in the place of the ``numbers``; complaints about it
    in that of what is ``wrong``.
    """
    presets.restore()
    about = _algorithms()
    names = {
        name: about[name][0] if name in about else name
        for name, kind in ALGORITHMS.items()
        if kind.share is None  # the others need a corpus of more than texts, or twice the time
    }
    with settings:
        algorithm = fields.select(
            _("Algorithm"), names, key="algorithm", on_change=presets.follow_algorithm
        )
        if algorithm in about:
            st.caption(about[algorithm][1])
    asks = named(algorithm).asks
    values: dict[str, Any] = {"algorithm": algorithm, "merges": None}
    with numbers, st.container(width=150):
        first = presets.size_for(algorithm)
        values["size"] = fields.whole(_("Vocabulary size"), "size", first, least=1, most=MOST)
    with settings:
        if "merges" in asks:
            values["merges"] = fields.optional(
                _("Stop after merges"), "merges", most=MOST, step=1, empty=_("no limit")
            )
            st.caption(_("Training stops at whichever comes first."))
        else:
            st.caption(_("It may become larger where the characters of the corpus alone are more."))
        if "pattern" in asks:
            values["pattern"] = _pattern()
        else:
            st.caption(_("Text is first cut into words by the rule of this algorithm."))
        beginning = st.container()
        if "tie_break" in asks:
            values |= _of_pairs(ALGORITHMS[algorithm].unit == "bytes")
        values |= _of_text(algorithm)
        values |= _of_symbols(algorithm)
    if own_pattern.is_own(values.get("pattern", "")):
        wrong = st.container()
    recipe = None
    try:
        recipe = recipe_of(values)
        with beginning:
            _show(opening, recipe)
    except BPEError as error:
        wrong.error(error_text(error))
        recipe = None
    presets.remember()
    return recipe, wrong


def recipe_of(values: dict[str, Any]) -> Recipe:
    """Return the recipe of what the fields of an algorithm hold."""
    specials = values[presets.key_of_specials(ALGORITHMS[values["algorithm"]])]
    unknown = presets.UNKNOWN if values.get("unk") else None
    if values.get("fallback") is False:
        unknown = presets.UNKNOWN
    return Recipe(
        algorithm=values["algorithm"],
        vocabulary_size=values["size"],
        merges=values["merges"],
        pattern=values.get("pattern", "gpt2"),
        special_tokens=tuple(dict.fromkeys(specials.split())),
        tie_break=cast(TieBreak, values.get("ties", "lexicographic")),
        min_frequency=values.get("least", 1),
        normalisation="+".join(values["normalise"]) or "none",
        end_of_word=presets.END_OF_WORD if values.get("mark", True) else "",
        prune=values.get("prune", True),
        unknown=unknown,
        score=cast(Score, values.get("score", Recipe.score)),
    )


def _algorithms() -> dict[str, tuple[str, str]]:
    """Return the name of each algorithm and a sentence about it; others are called as in a file."""
    return {
        "byte-bpe": (
            _("Byte-level BPE (GPT-2 and later)"),
            _("It begins with the 256 bytes: no text is ever unknown."),
        ),
        "character-bpe": (
            _("Character BPE with </w> (as first published)"),
            _("It begins with the characters of your text, word by word."),
        ),
        "wordpiece": (
            "WordPiece (BERT)",
            _("Inside a word its pieces begin with ##. It encodes by the longest piece that fits."),
        ),
        "sentencepiece-bpe": (
            "SentencePiece BPE (Llama 2)",
            _("It begins with characters; a space is one of them, written ▁."),
        ),
        "unigram": (
            "Unigram (T5)",
            _(
                "It begins with many pieces and drops those that are missed least; a text is cut "
                "the most probable way."
            ),
        ),
    }


def _pattern() -> str:
    pattern = fields.select(
        _("Split pattern"),
        {
            "gpt2": "GPT-2",
            **own_tokenizers.PATTERNS,
            "whitespace": _("white space only"),
            "none": _("none: merges may cross everything"),
            OWN: _("a regular expression of my own"),
        },
        key="pattern",
    )
    if pattern == OWN:
        pattern = own_pattern.PREFIX + fields.words(
            _("Regular expression"), "expression", OWN_AT_FIRST, most=own_pattern.LONGEST, live=True
        )
    st.caption(_("Text is first cut into pre-tokens by this rule; no merge crosses a cut."))
    return pattern


def _show(opening: str, recipe: Recipe) -> None:
    """Draw the words that are counted, and the special tokens, which are cut out before.

    What a pattern leaves out the training says, with its place in the corpus.
    """
    algorithm, pieces = algorithm_of(recipe), list[str]()
    for part, special in algorithm.parts(opening):
        pieces += [part] if special else algorithm.split(part)
    if pieces:
        st.caption(_("The corpus begins like this:"))
        shown = CUT.join(readable(piece.encode()) for piece in pieces[:PIECES])
        st.text(shown[:MOST_PIECES] + (" …" if len(pieces) > PIECES else ""))


def _of_pairs(of_bytes: bool) -> dict[str, Any]:
    names = {
        "lexicographic": _("the greatest in byte order"),
        "first-seen": _("the one seen first"),
        "smallest-ids": _("the one with the smallest ids"),
    }
    if of_bytes:
        names["huggingface"] = _("the one that Hugging Face takes")
    ties = fields.select(_("Among equally frequent pairs, take"), names, key="ties")
    st.caption(
        _(
            "Textbook code takes the one seen first; the greatest in byte order does not depend on "
            "the order of the text. Hugging Face takes the smallest ids, with the bytes in an "
            "order of its own."
        )
    )
    least = fields.whole(_("Least times a pair must occur"), "least", 2, least=1, step=1)
    st.caption(_("Rarer pairs are never merged: what occurs once teaches nothing."))
    return {"ties": ties, "least": least}


def _of_text(algorithm: str) -> dict[str, Any]:
    key = presets.key_of_specials(ALGORITHMS[algorithm])
    specials = fields.words(
        _("Special tokens, separated by spaces"), key, "<|endoftext|>" if key == "specials" else ""
    )
    st.caption(_("The text is cut at them, and each keeps an id of its own."))
    steps = fields.several(
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
    return {key: specials, "normalise": steps}


def _of_symbols(algorithm: str) -> dict[str, Any]:
    asks, values = named(algorithm).asks, dict[str, Any]()
    if "score" in asks:  # the first is what links from before there was a choice mean
        values["score"] = fields.select(
            _("Of all pairs, merge"),
            {
                "likelihood": _("the one that its parts predict least, as textbooks teach"),
                "frequency": _("the most frequent one, as Hugging Face does"),
            },
            key="score",
        )
        st.caption(_("By frequency a text has far fewer tokens."))
    if "end_of_word" in asks:
        values["mark"] = fields.switch(_("Mark the end of each word by </w>"), "mark", True)
        st.caption(_("So “low” at the end of a word and inside one are different tokens."))
    if "prune" in asks:
        label = _("Remove symbols that no longer occur on their own")
        values["prune"] = fields.switch(label, "prune", True)
        st.caption(_("The vocabulary may then shrink while it is trained."))
    if "unknown" in asks and ALGORITHMS[algorithm].byte_fallback:
        label = _("Unseen characters become their bytes")
        values["fallback"] = fields.switch(label, "fallback", True)
        st.caption(_("All 256 bytes are then in the vocabulary; otherwise there is <unk>."))
    elif "unknown" in asks:
        values["unk"] = fields.switch(_("Unseen characters become <unk>"), "unk", True)
        st.caption(_("Otherwise a text with an unseen character cannot be encoded."))
    return values

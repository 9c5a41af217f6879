"""The form that says a recipe (widget keys with their values), and textbook examples.

The examples are corpora of a few words that course notes work through, each with its recipe.
"""

import json
from typing import Any

import streamlit as st

from bpe.algorithm.recipe import ALGORITHMS, Kind, Recipe
from bpe.teaching.lessons import LESSONS
from bpe.training.algorithms import named
from playground.ui import state, streamlit_private
from playground.ui.i18n import _
from playground.ui.state import Field

SIZE = 1_500
SIZE_OF_PIECES = 3_000
"""The first is too small for pieces: they begin with every character of our samples."""
END_OF_WORD = "</w>"
UNKNOWN = "<unk>"


def size_for(algorithm: str) -> int:
    """Return the size of a vocabulary at first, with which our samples teach an algorithm some."""
    return SIZE_OF_PIECES if ALGORITHMS[algorithm].unit == "pieces" else SIZE


def values_of(recipe: Recipe) -> dict[str, Any]:
    values: dict[str, Any] = {
        "algorithm": recipe.algorithm,
        "size": recipe.vocabulary_size or size_for(recipe.algorithm),
        "merges": recipe.merges,
        "ties": recipe.tie_break,
        "least": recipe.min_frequency,
        "normalise": [] if recipe.normalisation == "none" else recipe.normalisation.split("+"),
        key_of_specials(recipe.kind): " ".join(recipe.special_tokens),
    }
    falls_back = recipe.kind.byte_fallback
    asked = {
        "pattern": ("pattern", recipe.pattern),
        "end_of_word": ("mark", bool(recipe.end_of_word)),
        "prune": ("prune", recipe.prune),
        "score": ("score", recipe.score),
        "unknown": ("fallback" if falls_back else "unk", (recipe.unknown is None) == falls_back),
    }
    asks = named(recipe.algorithm).asks
    return values | dict(entry for field, entry in asked.items() if field in asks)


def key_of_specials(kind: Kind) -> str:
    """Return the field of special tokens: bytes have another one, which is filled at first."""
    return "specials" if kind.unit == "bytes" else "character_specials"


def follow_algorithm() -> None:
    """Set the size to that of the algorithm just chosen, unless it is the reader's own.

    For a callback of the choice.
    """
    algorithm, size = Field("algorithm", "").get(), Field("size", 0)
    if algorithm in ALGORITHMS and size.get() in (SIZE, SIZE_OF_PIECES):
        size.set(size_for(algorithm))


KEYS = (
    "size", "merges", "expression", "least", "specials", "character_specials",
    "mark", "prune", "unk", "fallback",
)  # fmt: skip
"""The fields whose values are in the URL alone: the rest is in settings."""

_FORM: Field[dict[str, Any]] = Field("recipe form", {})


def restore() -> None:
    """Give fields that were left for another page their values again, before they are drawn.

    The browser's Back may lead to a URL from before they were set. In that run Streamlit resets the
    fields that the URL does not name, whatever is set here, so that another run sets them.
    """
    unnamed = {key: value for key, value in _FORM.get().items() if key not in st.query_params}
    if streamlit_private.after_back() and not all(map(state.is_default, unnamed, unnamed.values())):
        st.rerun()
    state.fill({key: value for key, value in unnamed.items() if not Field(key, None).is_set})


def remember() -> None:
    """Keep the values of the fields that are drawn."""
    drawn = (field for field in (Field(key, None) for key in KEYS) if field.is_set)
    _FORM.stored().update({field.key: field.get() for field in drawn})


TEXT = "typed_corpus"
"""The key of the text box that an example fills."""

_CHOSEN: Field[str | None] = Field("example", None)

OWN = {
    "low-newest": (
        "low · lower · newest · widest",
        '{"low": 5, "lower": 2, "newest": 6, "widest": 3}',
        Recipe(algorithm="character-bpe", merges=10, tie_break="first-seen", prune=False),
    ),
    "nanjing": (
        "南京市长江大桥",
        "南京市长江大桥\n南京市\n长江\n长江大桥\n市长\n大桥",
        Recipe(min_frequency=2, special_tokens=("<|endoftext|>",)),
    ),
}
"""Label, text and recipe of each example beside those of :mod:`bpe.teaching.lessons`."""


def examples() -> dict[str, tuple[str, str, Recipe]]:
    lessons = {
        lesson.code: (
            _(lesson.title),
            lesson.text or json.dumps(dict(lesson.counts), ensure_ascii=False),
            lesson.recipe,
        )
        for lesson in LESSONS.values()
        if lesson.recipe and lesson.code != "own-merges"  # which encodes, and trains nothing
    }
    return {**lessons, **OWN}


def chips() -> None:
    """Draw the examples; a click fills the text box and the recipe."""
    corpora = examples()
    st.pills(
        _("Textbook example"),
        list(corpora),
        format_func=lambda code: corpora[code][0],
        key=_CHOSEN.key,
        label_visibility="collapsed",
        wrap=True,
        required=True,  # or a double click would take it back
        on_change=_take,
    )


def _take() -> None:
    if (code := _CHOSEN.get()) in (corpora := examples()):
        # Taken off again, also in the browser, which otherwise sends it with every later click.
        _CHOSEN.set(None)
        _label, text, recipe = corpora[code]
        state.fill({"corpus": "text", "picture": "replay", TEXT: text, **values_of(recipe)})

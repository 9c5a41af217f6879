"""Corpora of a few words that course notes work through, each with the recipe that they use."""

import json

import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.teaching.lessons import LESSONS
from playground.train import presets
from playground.ui.i18n import _
from playground.ui.state import Field, fill

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
"""Label, text and recipe, beside those of :mod:`bpe.teaching.lessons`."""


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
    known = examples()
    st.pills(
        _("Textbook example"),
        list(known),
        format_func=lambda code: known[code][0],
        key=_CHOSEN.key,
        label_visibility="collapsed",
        wrap=True,
        required=True,  # or a double click would take it back
        on_change=_take,
    )


def _take() -> None:
    if (code := _CHOSEN.get()) is None:
        return
    # Taken off again, also in the browser, which otherwise sends it with every later click.
    _CHOSEN.set(None)
    take(code)


def take(code: str) -> None:
    """Fill in an example; for a callback."""
    if code not in (known := examples()):
        return
    _label, text, recipe = known[code]
    fill({"corpus": "text", "picture": "replay", TEXT: text, **presets.values_of(recipe)})

"""Whether a text fits each model's window, how much more would, and the text cut into pieces."""

from dataclasses import dataclass

import streamlit as st

from bpe.documents import samples
from bpe.pricing import Model, Sentence
from playground.cost import layout, models
from playground.cost.context import PricingContext
from playground.cost.window import gauges, pieces
from playground.editor import plain_text
from playground.ui import fields, settings, uploads
from playground.ui.i18n import _

__all__ = ["Inputs", "choose", "show"]

_TEXT = "window_text"
_MOST = 1_000_000
"""Characters of a typed text that a session file restores."""


@dataclass(frozen=True)
class Inputs:
    """A text, the tokens reserved for an answer, and the models."""

    text: str
    reserve: int
    models: list[Model]


def choose(context: PricingContext) -> Inputs:
    return Inputs(
        _text(),
        fields.whole(_("Reserved for the answer, tokens"), "reserve", 1000),
        models.choose(context),
    )


def show(context: PricingContext, inputs: Inputs) -> None:
    """Draw how the text fills each window, how much more would fit, and the text in pieces."""
    if not inputs.text:
        st.info(_("Type or upload a text in the settings."), icon=":material/edit:")
        return
    if not inputs.models:
        models.ask_for_one()
        return
    rows = gauges.measure(inputs.models, inputs.text, reserve=inputs.reserve)
    gauges.show_chart(context, rows)
    layout.show_unknown_windows(context, inputs.models)
    gauges.show_table(context, rows)
    ended = ((model, Sentence(model.ended)) for model in inputs.models if model.ended)
    layout.show_notes(context, ended)
    pieces.show(context, inputs.text, inputs.models)


def _text() -> str:
    source = settings.segments(
        _("Text"), {"typed": _("a sample or my own"), "file": _("from a file")}, key="text_from"
    )
    if source == "file":
        return "\n".join(document.text for document in uploads.documents(key="window_files"))
    return plain_text(_("Text"), key=_TEXT, default=samples.corpus("zh"), rows=8, limit=_MOST)

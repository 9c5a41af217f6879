"""Compare: one text under many tokenizers, token by token; Chinese held against English."""

from collections.abc import Callable

from playground import navigation
from playground.compare import languages, one_text, vocabulary
from playground.ui import fields
from playground.ui.i18n import _

navigation.through_app()

views: dict[str, tuple[str, Callable[[], object]]] = {
    "text": (_("A text"), one_text.draw),
    "languages": (_("Chinese vs. English"), languages.draw),
    "vocabulary": (_("Vocabularies"), vocabulary.draw),
}

code = fields.segments(
    _("What to compare"),
    {code: label for code, (label, _draw) in views.items()},
    key="view",
    label_visibility="collapsed",
)
_label, draw = views[code]
draw()

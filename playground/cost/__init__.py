"""The questions of the cost page, each a folder with a ``section(desk)`` that draws its answer.

``desk.py`` has what they share: prices, currency, moment. ``models.py`` chooses models,
``counting.py`` and ``many_counts.py`` count, ``money.py`` shows money, ``columns.py`` and
``drawing.py`` have what several tables and charts need, ``notes.py`` says what is left to say.
"""

from collections.abc import Callable

from playground.cost import batch, conversation, languages, month, prices, window
from playground.cost.desk import Desk, say_what_is_special
from playground.cost.desk import choose as choose_prices
from playground.ui import settings
from playground.ui.i18n import _

__all__ = ["Desk", "choose_prices", "choose_section", "say_what_is_special"]


def choose_section() -> Callable[[Desk], None]:
    """Draw the row of questions and return what draws the chosen one."""
    drawn = {
        "languages": (_("Two languages"), languages.section),
        "models": (_("Models and prices"), prices.section),
        "month": (_("A month"), month.section),
        "conversation": (_("A conversation"), conversation.section),
        "window": (_("Does it fit?"), window.section),
        "batch": (_("Many prompts"), batch.section),
    }
    chosen = settings.segments(
        _("Question"),
        {code: label for code, (label, _section) in drawn.items()},
        key="section",
        label_visibility="collapsed",
    )
    return drawn[chosen][1]

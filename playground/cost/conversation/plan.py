"""The plan of a conversation, and what it costs on a model in three ways of remembering."""

from dataclasses import dataclass

import streamlit as st

from bpe import pricing
from bpe.pricing import Conversation, Model, Savings
from bpe.pricing.conversation import MOST_TURNS
from playground.cost.desk import Desk
from playground.ui import fields, settings
from playground.ui.i18n import _


@dataclass(frozen=True)
class Plan:
    """A conversation, the turns to keep of it, and the tokens of a summary of the others."""

    conversation: Conversation
    keep: int
    summary: int

    def on(self, desk: Desk, model: Model) -> Savings:
        """Return what it costs on a model, remembered whole, in part, and in summary."""
        return pricing.savings(
            model,
            self.conversation,
            keep_turns=self.keep,
            summary_tokens=self.summary,
            **desk.terms(model),
        )


def choose() -> Plan:
    """Draw the fields of a plan; one that cannot be raises BPEError."""
    one, two = st.columns(2)
    with one:
        system = fields.whole(_("System prompt, tokens"), "system", 1000)
        user = fields.whole(_("User's message, tokens"), "user", 200)
        output = fields.whole(_("Answer, tokens"), "reply", 500)
        keep = fields.whole(
            _("Turns to remember"),
            "keep",
            6,
            least=1,
            most=MOST_TURNS,
            step=1,
            hint=_("For the two ways of forgetting: the last turns only, or a running summary."),
        )
    with two:
        tools = fields.whole(_("Tools, tokens"), "tools", 500)
        growth = fields.whole(
            _("Growth per turn, tokens"), "growth", 0, least=-fields.MOST, step=10
        )
        turns = fields.whole(_("Turns"), "turns", 30, least=1, most=MOST_TURNS, step=1)
        summary = fields.whole(_("Summary, tokens"), "summary", 400)
    caching = settings.segments(
        _("Prompt caching"), {"on": _("on"), "off": _("off")}, key="caching"
    )
    conversation = Conversation(
        turns,
        system_tokens=system,
        tools_tokens=tools,
        user_tokens=user,
        growth=growth,
        output_tokens=output,
        caching=caching == "on",
    )
    return Plan(conversation, keep, summary)

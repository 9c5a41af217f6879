"""One request: messages counted whole, turn by turn in a conversation, or held against a window."""

from types import ModuleType
from typing import Any

from playground.cost.context import PricingContext
from playground.cost.requests import conversation, messages, window
from playground.ui import fields
from playground.ui.i18n import _

Inputs = tuple[ModuleType, Any]


def choose(context: PricingContext) -> Inputs:
    parts: dict[str, tuple[str, ModuleType]] = {
        "conversation": (_("A conversation"), conversation),
        "messages": (_("Messages and tools"), messages),
        "window": (_("Does it fit?"), window),
    }
    labels = {code: label for code, (label, _part) in parts.items()}
    part = parts[fields.segments(_("What is asked"), labels, key="request_of")][1]
    return part, part.choose(context)


def show(context: PricingContext, inputs: Inputs) -> None:
    part, chosen = inputs
    part.show(context, chosen)

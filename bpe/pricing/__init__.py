"""The cost of text on real models.

``__all__`` is what docs/pricing.md describes; the other names are those that the app and the
command line use, and a type checker knows them from here in this project alone. A model's prices
come from ``data.py``; a text is counted in ``count.py``, and everything after that takes numbers of
tokens. ``messages.py`` has every sentence that a user may see.
"""

from bpe.encoders.models import Calibration, calibrations
from bpe.errors import Sentence
from bpe.pricing.api_shapes import read_request, read_usage, uncounted_in
from bpe.pricing.bill import PARTS, BillPart, ByHand, Cost, Terms, Usage, cost
from bpe.pricing.count import Count, count_for_all, count_tokens, counted_with
from bpe.pricing.data import example_rate, model, models, newest, refresh, table, table_with
from bpe.pricing.many_requests import (
    Conversation,
    Simulation,
    Traffic,
    TrafficCost,
    simulate,
    traffic_cost,
)
from bpe.pricing.message_parts import tools_in
from bpe.pricing.messages import all_messages
from bpe.pricing.model_table import Model, Table, Unpriced, family_of
from bpe.pricing.prices import (
    BEIJING,
    SIGNS,
    Currency,
    ExchangeRate,
    Prices,
    Rate,
    Rates,
    Rule,
    as_decimal,
    money_text,
    own_rate,
)
from bpe.pricing.requests import RequestCount, count_messages, frame_of, shared_prefix, tool_tokens
from bpe.pricing.usage_check import check_usage

__all__ = [
    "Cost",
    "Count",
    "Model",
    "RequestCount",
    "Terms",
    "Usage",
    "check_usage",
    "cost",
    "count_messages",
    "model",
    "models",
    "read_request",
    "read_usage",
    "shared_prefix",
    "table_with",
    "tool_tokens",
    "uncounted_in",
]

"""The cost of text on real models.

``__all__`` is what docs/pricing.md describes; the other names are those that the app and the
command line use. A model's prices come from ``data.py``; a text is counted in ``count.py``, and
everything after that takes numbers of tokens. ``messages.py`` has every sentence that a user may
see.
"""

from bpe.encoders.models import Calibration as Calibration
from bpe.encoders.models import calibrations as calibrations
from bpe.errors import Sentence as Sentence
from bpe.pricing.api_shapes import read_request, read_usage, uncounted_in
from bpe.pricing.bill import LABELS as LABELS
from bpe.pricing.bill import PARTS as PARTS
from bpe.pricing.bill import BillPart as BillPart
from bpe.pricing.bill import ByHand as ByHand
from bpe.pricing.bill import Cost, Terms, Usage, cost
from bpe.pricing.count import Count
from bpe.pricing.count import count_for_all as count_for_all
from bpe.pricing.count import count_tokens as count_tokens
from bpe.pricing.count import counted_with as counted_with
from bpe.pricing.data import example_rate as example_rate
from bpe.pricing.data import model, models, table_with
from bpe.pricing.data import newest as newest
from bpe.pricing.data import refresh as refresh
from bpe.pricing.data import table as table
from bpe.pricing.many_requests import Conversation as Conversation
from bpe.pricing.many_requests import Simulation as Simulation
from bpe.pricing.many_requests import Traffic as Traffic
from bpe.pricing.many_requests import TrafficCost as TrafficCost
from bpe.pricing.many_requests import simulate as simulate
from bpe.pricing.many_requests import traffic_cost as traffic_cost
from bpe.pricing.message_parts import tools_in as tools_in
from bpe.pricing.messages import all_messages as all_messages
from bpe.pricing.model_table import Model
from bpe.pricing.model_table import Table as Table
from bpe.pricing.model_table import Unpriced as Unpriced
from bpe.pricing.model_table import family_of as family_of
from bpe.pricing.model_table import find as find
from bpe.pricing.model_table import is_stale as is_stale
from bpe.pricing.prices import BEIJING as BEIJING
from bpe.pricing.prices import SIGNS as SIGNS
from bpe.pricing.prices import Currency as Currency
from bpe.pricing.prices import ExchangeRate as ExchangeRate
from bpe.pricing.prices import Prices as Prices
from bpe.pricing.prices import Rate as Rate
from bpe.pricing.prices import Rates as Rates
from bpe.pricing.prices import Rule as Rule
from bpe.pricing.prices import as_decimal as as_decimal
from bpe.pricing.prices import money_text as money_text
from bpe.pricing.prices import own_rate as own_rate
from bpe.pricing.requests import RequestCount, count_messages, shared_prefix, tool_tokens
from bpe.pricing.requests import frame_of as frame_of
from bpe.pricing.requests import frame_tokens as frame_tokens
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

"""What text costs on real models, and whether it fits.

The names that pages and the command line use. Each idea has its own file; ``words.py`` has every
sentence that a user may see.
"""

from bpe.pricing.batch import Summary, row_costs, summarise
from bpe.pricing.calibration import Calibration, Sample, calibrations
from bpe.pricing.call import LABELS, PARTS, Cost, Line, Overrides, Part, Usage, cost
from bpe.pricing.chat import ChatOverhead, chat_overhead
from bpe.pricing.chunking import Chunk, chunks
from bpe.pricing.clock import BEIJING, Band, band_at, has_hours, is_free_weekend, peak_hours
from bpe.pricing.conversation import (
    Conversation,
    Memory,
    Savings,
    Simulation,
    Turn,
    savings,
    simulate,
)
from bpe.pricing.count import TokenCount, count_for_all, count_tokens, estimate_tokens
from bpe.pricing.currency import Currency, ExchangeRate, example_rate, money_text, own_rate
from bpe.pricing.languages import Languages, Texts, compare_languages
from bpe.pricing.network import refresh
from bpe.pricing.price_table import Table, model, models, table
from bpe.pricing.rates import Prices, Rate, Rates, Rule, Step
from bpe.pricing.records import Model, Published, Source, age_in_days, is_stale
from bpe.pricing.search import find
from bpe.pricing.sentence import Sentence
from bpe.pricing.traffic import Breakdown, Comparison, Month, Scenario, as_decimal, month
from bpe.pricing.vendor_count import count_at_vendor, has_counting_service, recalibrate
from bpe.pricing.window import HANZI_PER_PAGE, WORDS_PER_PAGE, Gauge, Room, gauge, room
from bpe.pricing.words import all_words

__all__ = [
    "BEIJING",
    "HANZI_PER_PAGE",
    "LABELS",
    "PARTS",
    "WORDS_PER_PAGE",
    "Band",
    "Breakdown",
    "Calibration",
    "ChatOverhead",
    "Chunk",
    "Comparison",
    "Conversation",
    "Cost",
    "Currency",
    "ExchangeRate",
    "Gauge",
    "Languages",
    "Line",
    "Memory",
    "Model",
    "Month",
    "Overrides",
    "Part",
    "Prices",
    "Published",
    "Rate",
    "Rates",
    "Room",
    "Rule",
    "Sample",
    "Savings",
    "Scenario",
    "Sentence",
    "Simulation",
    "Source",
    "Step",
    "Summary",
    "Table",
    "Texts",
    "TokenCount",
    "Turn",
    "Usage",
    "age_in_days",
    "all_words",
    "as_decimal",
    "band_at",
    "calibrations",
    "chat_overhead",
    "chunks",
    "compare_languages",
    "cost",
    "count_at_vendor",
    "count_for_all",
    "count_tokens",
    "estimate_tokens",
    "example_rate",
    "find",
    "gauge",
    "has_counting_service",
    "has_hours",
    "is_free_weekend",
    "is_stale",
    "model",
    "models",
    "money_text",
    "month",
    "own_rate",
    "peak_hours",
    "recalibrate",
    "refresh",
    "room",
    "row_costs",
    "savings",
    "simulate",
    "summarise",
    "table",
]

"""What text costs on real models, and whether it fits.

The names that pages and the command line use. Each idea has its own file; ``words.py`` has every
sentence that a user may see.
"""

from bpe.pricing.calibration import Calibration, calibrations
from bpe.pricing.call import PARTS, Cost, Line, Overrides, Part, Usage, cost
from bpe.pricing.chat import ChatOverhead, chat_overhead
from bpe.pricing.clock import BEIJING, Band, band_at, has_hours, is_free_weekend, peak_hours
from bpe.pricing.count import TokenCount, count_for_all, count_tokens, estimate_tokens
from bpe.pricing.price_table import Table, model, models, table
from bpe.pricing.rates import Prices, Rate, Rates, Rule, Step
from bpe.pricing.records import Model, Published, Source, age_in_days, is_stale
from bpe.pricing.sentence import Sentence
from bpe.pricing.words import all_words

__all__ = [
    "BEIJING",
    "PARTS",
    "Band",
    "Calibration",
    "ChatOverhead",
    "Cost",
    "Line",
    "Model",
    "Overrides",
    "Part",
    "Prices",
    "Published",
    "Rate",
    "Rates",
    "Rule",
    "Sentence",
    "Source",
    "Step",
    "Table",
    "TokenCount",
    "Usage",
    "age_in_days",
    "all_words",
    "band_at",
    "calibrations",
    "chat_overhead",
    "cost",
    "count_for_all",
    "count_tokens",
    "estimate_tokens",
    "has_hours",
    "is_free_weekend",
    "is_stale",
    "model",
    "models",
    "peak_hours",
    "table",
]

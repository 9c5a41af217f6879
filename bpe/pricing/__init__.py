"""What text costs on real models, and whether it fits.

The names that pages and the command line use. A model's prices come from ``data.py``; a text is
counted in ``count.py``, and everything after that takes token counts. ``messages.py`` has every
sentence that a user may see.
"""

from bpe.encoders.model_tokenizers import Calibration, Sample, calibrations
from bpe.pricing.bill import LABELS, PARTS, BillPart, Cost, Line, Overrides, Terms, Usage, cost
from bpe.pricing.conversation import (
    MOST_TURNS,
    Conversation,
    Memory,
    Savings,
    Simulation,
    Turn,
    savings,
    simulate,
)
from bpe.pricing.count import (
    TokenCount,
    TokenRates,
    count_for_all,
    count_tokens,
    counted_with,
    estimate_tokens,
    measure_rates,
    model_rates,
)
from bpe.pricing.data import example_rate, model, models, refresh, table
from bpe.pricing.messages import REASONS, Sentence, all_messages
from bpe.pricing.model_table import (
    Model,
    Source,
    Table,
    Unpriced,
    family_of,
    find,
    is_stale,
)
from bpe.pricing.money import (
    SIGNS,
    Currency,
    ExchangeRate,
    Number,
    as_decimal,
    money_text,
    own_rate,
)
from bpe.pricing.own_list import table_with
from bpe.pricing.prices import BEIJING, Prices, Rate, Rates, Rule, Step, UnknownSteps
from bpe.pricing.prompts import (
    LANGUAGES,
    Language,
    LanguageCosts,
    Summary,
    Texts,
    compare_languages,
    row_costs,
    summarise,
)
from bpe.pricing.requests import Frame, RequestCount, count_messages, frame_of, frame_tokens
from bpe.pricing.templates import template_in
from bpe.pricing.traffic import Month, MonthComparison, Scenario, compare_months, month
from bpe.pricing.usage_check import UsageCheck, check_usage, read_usage
from bpe.pricing.vendor_count import count_at_vendor, has_counting_service, recalibrate
from bpe.pricing.window import (
    HANZI_PER_PAGE,
    WORDS_PER_PAGE,
    Gauge,
    Remaining,
    gauge,
    remaining,
)

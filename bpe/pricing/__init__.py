"""What text costs on real models, and whether it fits.

The names that pages and the command line use. A model's prices come from ``data.py``; a text is
counted in ``count.py``, and everything after that takes token counts. ``messages.py`` has every
sentence that a user may see.
"""

from bpe.encoders.model_tokenizers import REASONS, Calibration, calibrations
from bpe.errors import Sentence
from bpe.pricing.api_shapes import read_request, read_usage
from bpe.pricing.bill import LABELS, PARTS, BillPart, Cost, Overrides, Terms, Usage, cost
from bpe.pricing.conversation import (
    MOST_TURNS,
    Conversation,
    Memory,
    Savings,
    Simulation,
    savings,
    simulate,
)
from bpe.pricing.count import (
    HANZI_PER_PAGE,
    WORDS_PER_PAGE,
    Gauge,
    Remaining,
    TokenCount,
    TokenRates,
    count_for_all,
    count_tokens,
    counted_with,
    estimate_tokens,
    gauge,
    measure_rates,
    model_rates,
    remaining,
)
from bpe.pricing.data import example_rate, model, models, refresh, table
from bpe.pricing.message_parts import tools_in
from bpe.pricing.messages import all_messages
from bpe.pricing.model_table import (
    Model,
    Table,
    Unpriced,
    family_of,
    find,
    is_stale,
)
from bpe.pricing.own_list import table_with
from bpe.pricing.prices import (
    BEIJING,
    SIGNS,
    Currency,
    ExchangeRate,
    Prices,
    Rate,
    Rates,
    Rule,
    UnknownSteps,
    as_decimal,
    money_text,
    own_rate,
)
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
from bpe.pricing.requests import (
    RequestCount,
    count_messages,
    frame_of,
    frame_tokens,
    tool_tokens,
)
from bpe.pricing.templates import ChatTemplate, template_in
from bpe.pricing.traffic import Month, MonthComparison, Scenario, compare_months, month
from bpe.pricing.usage_check import check_usage

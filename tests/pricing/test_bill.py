"""What a call costs: worked out by hand, and the same as in genai-prices."""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import product

import genai_prices
import numpy as np
import pytest
from genai_prices.data_snapshot import get_snapshot
from hypothesis import given
from hypothesis import strategies as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import BEIJING, Terms, Usage, cost
from tests.each import each

WHEN = datetime(2026, 11, 10, 12, tzinfo=UTC)
OTHERS = (m for m in pricing.models(deprecated=True) if not m.provider.startswith("alibaba"))
LISTED = [m for m in OTHERS if m.prices.currency == "USD"]
USAGES = [
    Usage(0),
    Usage(1000, output_tokens=500),
    Usage(1000, 400, 0, 500),
    Usage(1000, 400, 300, 500),
    Usage(100_000, 0, 0, 1),
    Usage(100_001, 50_000, 0, 1),
    Usage(200_000, 1, 1, 4000),
    Usage(200_001, 1, 1, 4000),
    Usage(272_001, 272_001, 0, 128_000),
    Usage(600_000, 0, 600_000, 1),
]
MOMENTS = [
    WHEN,
    datetime(2026, 10, 13, 23, 59, tzinfo=UTC),  # before batch prices are recorded
    datetime(2026, 3, 1, 8, tzinfo=UTC),
    datetime(2026, 11, 9, 0, 59, tzinfo=UTC),  # 08:59 in Beijing
    datetime(2026, 11, 9, 1, 0, tzinfo=UTC),
    datetime(2026, 11, 14, 1, 0, tzinfo=UTC),  # Saturday
    datetime(2027, 2, 1, 12, tzinfo=UTC),  # after announced rises
    datetime(2026, 11, 10, 5),  # naive
]


def billed(name, usage, *, batch=False, **terms):
    usage = replace(usage, reported=True)  # below the least prefix, too
    return cost(pricing.model(name), usage, Terms(**{"when": WHEN} | terms), batch=batch)


PROVIDERS = {provider.id: provider for provider in get_snapshot().providers}
CONTEXTS = {False: None, True: {"processing": "batch"}}


def their_usage(usage):
    return genai_prices.Usage(
        input_tokens=usage.input_tokens,
        cache_read_tokens=usage.cached_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        output_tokens=usage.output_tokens,
    )


def row_of(model):
    """Their row of the model, whether or not a request could name it."""
    (row,) = (row for row in PROVIDERS[model.provider].models if row.id == model.ref)
    return row


# The row of Medium 3 and 3.1 is one that no API name reaches in 0.2.3.
REACHABLE = [m for m in LISTED if not m.ended and m.ref != "mistral-medium-3-1"]


@each(REACHABLE, name=lambda model: model.id)
def test_a_request_for_the_model_costs_the_same_there(model):
    usage = Usage(250_000, 100_000, 50_000, 2_000)
    other = genai_prices.calc_price(
        their_usage(usage), model.ref, provider_id=model.provider, genai_request_timestamp=WHEN
    )
    assert other.model.id == model.ref
    assert cost(model, usage, terms=Terms(WHEN)).total == other.total_price


def hours_before_their_day(model, when):
    """Whether the list gives prices of hours to a day before the prices that these belong to."""
    return model.prices.has_hours and when.date() < date(2026, 8, 17)


def test_hours_begin_with_the_price_that_they_belong_to():
    model, usage = pricing.model("deepseek-v4-pro"), Usage(1_000_000)
    for when in (datetime(2026, 8, 16, 20), datetime(2026, 8, 16, 2), datetime(2025, 1, 1, 2)):
        bill = cost(model, usage, terms=Terms(when.replace(tzinfo=UTC)))
        assert bill.total == Decimal("0.435")
    assert cost(model, usage, terms=Terms(datetime(1, 1, 1, tzinfo=pricing.BEIJING))).total


@each(LISTED, name=lambda model: model.id)
def test_the_money_is_that_of_genai_prices(model):
    row = row_of(model)
    moments = MOMENTS if isinstance(row.prices, list) else MOMENTS[:1]  # the prices of all days
    usages = [replace(one, reported=True) for one in USAGES]
    for usage, when, batch in product(usages, moments, (False, True)):
        if not hours_before_their_day(model, when):
            mine = cost(model, usage, terms=Terms(when), batch=batch)
            other = row.calc_price(
                their_usage(usage),
                PROVIDERS[model.provider],
                genai_request_timestamp=when,
                price_context=CONTEXTS[batch],
            )
            assert mine.total == other.total_price
            assert mine.total - mine.line("output").amount == other.input_price
            assert mine.line("output").amount == other.output_price


@given(
    model=st.sampled_from(pricing.models()),
    tokens=st.tuples(*[st.integers(0, 2_000_000)] * 3),
    output=st.integers(0, 500_000),
)
def test_the_lines_add_up_and_share_out_the_tokens(model, tokens, output):
    usage = Usage(sum(tokens), tokens[0], tokens[1], output)
    bill = cost(model, usage, terms=Terms(WHEN))
    assert bill.total == sum(line.amount for line in bill.lines)
    assert sum(line.tokens for line in bill.lines) == usage.input_tokens + output
    assert all(line.amount == line.unit_price * line.tokens / 1_000_000 for line in bill.lines)


SEVEN = pricing.own_rate(7, datetime(2026, 11, 21).date())


@pytest.mark.parametrize(
    ("name", "yuan", "dollars"),
    [
        # a million tokens in and out: 2.40 + 9.60, and so on; dollars at 7 yuan
        ("alibaba-cn/qwen-max", "12", "1.714"),
        ("alibaba-cn/qwen-plus", "52.8", "7.543"),
        ("alibaba-cn/qwen3-max", "35", "5"),
        ("zhipuai/GLM-4.7", "10", "1.429"),
        ("openai/gpt-5", "78.75", "11.25"),
    ],
)
def test_a_published_price_is_never_converted_and_back(name, yuan, dollars):
    usage = Usage(1_000_000, output_tokens=1_000_000)
    model = pricing.model(name)
    for currency, amount in (("CNY", yuan), ("USD", dollars)):
        bill = cost(model.in_currency(currency, SEVEN), usage, Terms(WHEN))
        assert round(bill.total, 3) == Decimal(amount)
    there = model.prices.published_in
    assert model.in_currency(there, SEVEN) == model


def test_all_prices_of_a_model_are_converted():
    # gpt-5.4: 2.5 and 15, above 272,000 tokens 5 and 22.5; in batch the half of both
    model = pricing.model("gpt-5.4").in_currency("CNY", SEVEN)
    assert cost(model, Usage(272_001), Terms(WHEN)).total == Decimal(272_001 * 5 * 7) / 1_000_000
    assert cost(model, Usage(1000), terms=Terms(WHEN), batch=True).total == Decimal("0.00875")
    (note,) = model.prices.conversion_note(SEVEN)
    assert str(note) == "Published in USD; converted at 7 yuan for a dollar (2026-11-21)."
    eight = pricing.own_rate(8, WHEN.date())
    plus = pricing.model("alibaba-cn/qwen-plus").in_currency("USD", eight)
    (thinking,) = cost(plus, Usage(1), terms=Terms(WHEN)).notes
    assert "In thinking mode, all output costs $1.00" in str(thinking)
    (thinking,) = cost(plus, Usage(256_001), terms=Terms(WHEN)).notes
    assert "In thinking mode, all output costs $8.00" in str(thinking)


BATCH = {"batch": True}
ONE_EACH = dict.fromkeys(pricing.PARTS, Decimal(1))


@pytest.mark.parametrize(
    ("name", "usage", "terms", "millionths"),
    [
        # Batch: 700 × 0.5 + 200 × 0.05 + 100 × 0.625 + 1000 × 2.5, half of each price
        ("claude-haiku-4-5", Usage(1000, 200, 100, 1000), BATCH, "2922.5"),
        # Reasoning is billed as output: 1000 × 1.25 + (100 + 900) × 10
        ("gpt-5", Usage(1000, output_tokens=100, reasoning_tokens=900), {}, "11250"),
        # Past the edge of a tier of 272,000: 272,001 × 5 + 1000 × 22.5
        ("gpt-5.4", Usage(272_001, output_tokens=1000), {}, "1382505"),
        # Input by hand at 2: 600 × 2 + 400 × 0.125 + 100 × 10
        ("gpt-5", Usage(1000, 400, 0, 100), {"overrides": {"input": Decimal(2)}}, "2250"),
        # A zero price is a price.
        ("gpt-5", Usage(1000), {"overrides": {"input": Decimal(0)}}, "0"),
        # Prices by hand have no tiers, and replace those of batch.
        ("gpt-5.4", Usage(300_000, 0, 0, 7), BATCH | {"overrides": ONE_EACH}, "300007"),
        # A long request to Qwen in mainland China pays the higher step for all of it:
        # 100,000 × 0.2 + 10,000 × 2 yuan
        ("alibaba-cn/qwen3.5-flash", Usage(100_000, output_tokens=10_000), {}, "40000"),
        # 300,000 × 1.2 + 10,000 × 12
        ("alibaba-cn/qwen3.5-flash", Usage(300_000, output_tokens=10_000), {}, "480000"),
        # Thinking has a price of each step, for all output: 200,000 × 2.4 + 1000 × 24
        ("alibaba-cn/qwen-plus", Usage(200_000, 0, 0, 100, 900), {}, "504000"),
        # without it 1000 × 0.4 + 100 × 1.2
        ("alibaba/qwen-plus", Usage(1000, 0, 0, 100), {}, "520"),
        # but a price by hand holds for it too: 1000 × 0.4 + 1000 × 1
        ("alibaba/qwen-plus", Usage(1000, 0, 0, 100, 900),
         {"overrides": {"output": Decimal(1)}}, "1400"),
    ],
)  # fmt: skip
def test_the_amount_is_that_worked_out_by_hand(name, usage, terms, millionths):
    bill = billed(name, usage, **terms)
    assert bill.total == Decimal(millionths) / 1_000_000
    assert bill.batch == terms.get("batch", False)
    assert bill.overridden == ("overrides" in terms)


MONDAY, SATURDAY = 9, 14  # November 2026
MANY = Usage(600_000, output_tokens=300_000)
WEEKEND = "DeepSeek bills weekends"


@pytest.mark.parametrize(
    ("day", "hour", "minute", "band", "total"),
    [
        # deepseek-flash: 0.6 × 0.15 + 0.3 × 0.6 = 0.27 off-peak, the double at peak
        (MONDAY, 8, 59, "off-peak", "0.27"), (MONDAY, 9, 0, "peak", "0.54"),
        (MONDAY, 11, 59, "peak", "0.54"), (MONDAY, 12, 0, "off-peak", "0.27"),
        (MONDAY, 14, 0, "peak", "0.54"), (MONDAY, 18, 0, "off-peak", "0.27"),
        (SATURDAY, 9, 0, "peak", "0.54"),  # the list knows hours only: an upper bound
    ],
)  # fmt: skip
def test_deepseek_costs_double_in_the_working_hours_of_beijing(day, hour, minute, band, total):
    when = datetime(2026, 11, day, hour, minute, tzinfo=BEIJING)
    bill = billed("deepseek-flash", MANY, when=when)
    assert (bill.band, bill.total) == (band, Decimal(total))
    hours = "(09:00–12:00 / 14:00–18:00 in Beijing)"
    said = {
        "peak": f"This is the price of peak hours {hours}; off-peak it is 50% lower.",
        "off-peak": f"This is the off-peak price; in peak hours {hours} it is 100% higher.",
    }
    assert str(bill.notes[0]) == said[band]
    upper_bound = any(str(note).startswith(WEEKEND) for note in bill.notes)
    assert upper_bound == (day == SATURDAY and band == "peak")


@pytest.mark.parametrize(("day", "total"), [(MONDAY, "0.54"), (SATURDAY, "0.27"), (15, "0.27")])
def test_the_rule_for_weekends_can_be_applied(day, total):
    when = datetime(2026, 11, day, 9, tzinfo=BEIJING)
    bill = billed("deepseek-flash", MANY, when=when, free_weekends=True)
    assert bill.total == Decimal(total)
    assert not any(str(note).startswith(WEEKEND) for note in bill.notes)
    assert str(bill.notes[0]).startswith("This is the off-peak") == (day != MONDAY)


def test_the_weekend_is_beijings_not_the_readers():
    # Friday 22:00 in New York is Saturday 11:00 in Beijing; Sunday 18:00 UTC is Monday 02:00.
    saturday = datetime.fromisoformat("2026-11-13T22:00:00-05:00")
    for name in ("deepseek-flash", "deepseek-cn/deepseek-flash"):
        assert pricing.model(name).is_free_weekend(saturday)
        assert not pricing.model(name).is_free_weekend(datetime(2026, 11, 15, 18, tzinfo=UTC))
    assert not pricing.model("gpt-5").is_free_weekend(saturday)


@pytest.mark.parametrize(
    ("name", "usage", "terms", "note"),
    [
        ("grok-3", Usage(1000), BATCH, "No batch price is known"),
        # off-peak 0.15 for input, and no price for writing
        ("deepseek-flash", Usage(200, 0, 100), {}, "This is the off-peak price"),
        ("alibaba/qwen-plus", Usage(1000, 0, 0, 100, 900), {},
         "Priced as in thinking mode, where all output costs $4.00 per million tokens."),
        ("zhipuai/GLM-5", Usage(100_000),
         {"overrides": {"input": Decimal(4), "output": Decimal(18)}}, "At least one price was"),
    ],
)  # fmt: skip
def test_it_is_said(name, usage, terms, note):
    bill = billed(name, usage, **terms)
    assert str(bill.notes[-1]).startswith(note)
    if usage.cache_write_tokens:
        assert (bill.total, bill.line("cache_write").as_input) == (Decimal("0.00003"), True)
        assert str(bill.notes[0]).startswith("Writing to the cache")


def test_a_price_entered_by_hand_is_marked():
    bill = billed("gpt-5", Usage(1000, 400, 0, 100), overrides={"input": Decimal(2)})
    assert [line.overridden for line in bill.lines] == [True, False, True, False]
    assert "by hand" in str(bill.notes[0])
    assert billed("gpt-5.4", Usage(300_000), overrides=ONE_EACH).tier_above is None


LOW = "Only the lowest step of this price is known, up to "


@pytest.mark.parametrize(
    ("name", "usage", "said"),
    [
        ("zhipuai/GLM-5", Usage(32_000),
         f"{LOW}32,000 tokens of input; longer requests cost more."),
        ("zhipuai/GLM-5", Usage(32_001),
         f"{LOW}32,000 tokens of input: this amount is too low."),
        ("zhipuai/GLM-4.7", Usage(1000, output_tokens=199),
         f"{LOW}32,000 tokens of input and below 200 of output; longer requests cost more."),
        ("zhipuai/GLM-4.7", Usage(1000, output_tokens=200),
         f"{LOW}32,000 tokens of input and below 200 of output: this amount is too low."),
        ("zhipuai/GLM-4.7", Usage(100_000),
         f"{LOW}32,000 tokens of input and below 200 of output: this amount is too low."),
        ("alibaba/qwen3-coder-plus", Usage(900_000),
         f"{LOW}32,000 tokens of input: this amount is too low."),
    ],
)  # fmt: skip
def test_a_list_with_one_step_of_a_price_says_what_that_means_for_the_amount(name, usage, said):
    assert str(billed(name, usage).notes[0]) == said


REFUSED = (
    "300,000 tokens of input are more than the context window of 200,000: such a request is "
    "refused, so this amount is never billed."
)
CUT_OFF = (
    "Input and answer together need 200,001 tokens, more than the context window of 200,000: such "
    "a request is refused, or its answer cut off."
)
TOO_LONG = "The model writes at most 64,000 tokens at once; this answer is longer."


@pytest.mark.parametrize(
    ("usage", "fits", "said"),
    [
        # claude-sonnet-4-5 has a window of 200,000 and writes 64,000 at most
        (Usage(190_000, output_tokens=10_000), True, []),
        (Usage(190_000, output_tokens=10_001), False, [CUT_OFF]),
        (Usage(190_000, output_tokens=5_000, reasoning_tokens=5_001), False, [CUT_OFF]),
        (Usage(300_000, output_tokens=1), False, [REFUSED]),
        (Usage(1, output_tokens=60_000, reasoning_tokens=4_001), True, [TOO_LONG]),
    ],
)
def test_a_request_that_does_not_fit_is_said_to_be_refused(usage, fits, said):
    bill = billed("claude-sonnet-4-5", usage)
    assert bill.fits is fits
    assert [str(note) for note in bill.notes] == said
    unknown = billed("zai/GLM-4.5-AirX", Usage(10_000_000))
    assert (unknown.fits, unknown.notes) == (None, ())  # of a window that is not known


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"input_tokens": -1}, "cannot be negative: -1"),
        ({"input_tokens": 10, "cached_tokens": 6, "cache_write_tokens": 5}, "more than the whole"),
        ({"input_tokens": 1.5}, "whole number, not 1.5"),
        ({"input_tokens": np.float64(1)}, "whole number"),
        ({"input_tokens": True}, "whole number, not True"),
        ({"input_tokens": 10**13}, "must be a mistake"),
        ({"input_tokens": 1, "reasoning_tokens": -5}, "cannot be negative: -5"),
    ],
)
def test_impossible_usage_is_refused(values, message):
    with pytest.raises(BPEError, match=message):
        Usage(**values)
    assert Usage(np.int64(5), output_tokens=np.uint8(2)) == Usage(5, output_tokens=2)


def test_an_impossible_price_is_refused():
    for price in (Decimal(-1), Decimal("NaN"), Decimal("Infinity")):
        with pytest.raises(BPEError, match="zero or more"):
            Terms(overrides={"output": price})
    with pytest.raises(TypeError, match="No part of a bill: inptu"):
        Terms(overrides={"inptu": Decimal(1)})


def test_a_write_below_the_least_prefix_is_not_priced():
    model = pricing.model("anthropic/claude-opus-5-5")  # 4, writes 5; at least 512 tokens
    assert model.least_source[0].startswith("https://")
    short, long = (cost(model, Usage(n, cache_write_tokens=n)) for n in (511, 512))
    assert (short.total, long.total) == (Decimal(511 * 4) / 10**6, Decimal(512 * 5) / 10**6)
    assert "fewer than 512 tokens" in str(short.notes[0])
    reported = Usage(100, cache_write_tokens=100, reported=True)
    assert cost(model, reported).total == Decimal(500) / 10**6  # what the vendor says was written


@pytest.mark.parametrize(
    ("name", "least", "assumed"),
    [("openai/gpt-5", 1024, True), ("anthropic/claude-haiku-4-5", 4096, False)],
)
def test_a_least_prefix_without_a_source_is_said_to_be_assumed(name, least, assumed):
    model = pricing.model(name)
    assert (model.least_cached, model.least_source is None) == (least, assumed)
    notes = str(cost(model, Usage(10, cache_write_tokens=10)).notes)
    assert ("that is assumed" in notes, "This vendor caches no" in notes) == (assumed, not assumed)


@pytest.mark.parametrize(
    ("day", "note", "ended"),
    [(21, "promised until 2026-11-21.", False), (22, "what holds now is not known", True)],
)
def test_a_promotional_price_past_its_end_is_not_called_current(day, note, ended):
    when = datetime(2026, 11, day, 12, tzinfo=UTC)
    bill = cost(pricing.model("gpt-5.6-sol"), Usage(1000), Terms(when))
    assert note in str(bill.notes[0])
    assert bill.at_least is ended


def test_the_newest_flagship_and_small_model_of_each_vendor_come_first():
    ids = [model.id for model in pricing.newest()]
    assert ids[:4] == [
        "openai/gpt-6.1-sol", "openai/gpt-6-luna", "anthropic/claude-opus-5-5",
        "anthropic/claude-haiku-5-5",
    ]  # fmt: skip
    assert {"zai/GLM-5.3", "alibaba-cn/qwen3.7-max", "deepseek/deepseek-v4-pro"} <= {*ids}

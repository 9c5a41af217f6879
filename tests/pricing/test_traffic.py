"""A month of traffic, worked out by hand."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import MonthComparison, Overrides, Scenario, Texts, compare_months, month

DAY = date(2026, 11, 10)
SHARES = st.decimals(0, 1, places=2)


def test_a_month_is_days_times_requests_times_the_call():
    # gpt-5: 1.25, cached 0.125, output 10. A request: 1500 × 1.25 + 500 × 0.125 + 300 × 10
    # = 1875 + 62.5 + 3000 = 4937.5 per million = 0.0049375; × 1000 × 30 = 148.125
    plan = Scenario(1000, 2000, 300, cached_share=Decimal("0.25"))
    result = month(pricing.model("gpt-5"), plan, on=DAY)
    assert result.per_request.total == Decimal("0.0049375")
    assert result.per_day.total == Decimal("4.9375")
    assert result.per_month.total == Decimal("148.125")
    # 1875, 62.5 and 3000 millionths, × 30 000
    assert result.per_month.input == Decimal("56.25")
    assert result.per_month.cached_input == Decimal("1.875")
    assert result.per_month.output == Decimal("90")
    assert result.all_off_peak is None
    assert result.off_peak_saving is None


def test_cached_tokens_are_part_of_the_input():
    assert Scenario(1, 2000, 300, cached_share=1).usage().cached_tokens == 2000
    assert Scenario(1, 2000, 300, cached_share=1).usage().input_tokens == 2000


@pytest.mark.parametrize(
    ("name", "plan", "overrides", "total"),
    [
        # 40 % in batch, at half the price: 0.6 × (1000 × 1 + 200 × 5) + 0.4 × 1000 millionths
        ("claude-haiku-4-5", Scenario(10, 1000, 200, batch_share=Decimal("0.4"), days=1), None,
         "0.016"),
        # Reasoning is output of every request: 2000 × 1.25 + (300 + 700) × 10 millionths, × 30 000
        ("gpt-5", Scenario(1000, 2000, 300, reasoning_tokens=700), None, "375"),
        ("gpt-5", Scenario(0, 2000, 300), None, "0"),
        # a price by hand
        ("gpt-5", Scenario(1, 1_000_000, 0, days=1), Overrides(input=Decimal(7)), "7"),
    ],
)  # fmt: skip
def test_a_month_costs_what_is_worked_out_by_hand(name, plan, overrides, total):
    result = month(pricing.model(name), plan, on=DAY, overrides=overrides)
    assert result.per_month.total == Decimal(total)
    assert any("by hand" in str(note) for note in result.notes) == (overrides is not None)


def test_the_clock_of_deepseek_is_worth_money():
    # deepseek-flash, 1000 + 1000 tokens: 0.3 + 1.2 = 1.5 thousandths at peak, 0.75 off-peak.
    # 40 % at peak: 0.4 × 1.5 + 0.6 × 0.75 = 1.05; × 1000 × 30 = 31.5 US dollars;
    # all off-peak 0.75 × 30 = 22.5, which saves 9
    plan = Scenario(1000, 1000, 1000, peak_share=Decimal("0.4"))
    result = month(pricing.model("deepseek-flash"), plan, on=DAY)
    assert result.per_month.total == Decimal("31.5")
    assert result.all_off_peak.total == Decimal("22.5")
    assert result.off_peak_saving == Decimal(9)
    (note,) = result.notes
    assert str(note) == (
        "40% of these requests are priced at peak hours (09:00–12:00 / 14:00–18:00 in Beijing)."
    )


@pytest.mark.parametrize(("tokens", "fits"), [(199_700, True), (199_701, False), (300_000, False)])
def test_requests_that_are_longer_than_the_window_are_said_to_be_refused(tokens, fits):
    result = month(pricing.model("claude-sonnet-4-5"), Scenario(1, tokens, 300), on=DAY)
    assert result.fits is fits
    assert any("refused" in str(note) for note in result.notes) is not fits


def test_a_plan_is_held_against_another():
    # gpt-5 without a cache: 2000 × 1.25 + 300 × 10 = 5500 millionths, × 30 000 = 165;
    # with a quarter cached 148.125 (above): saves 16.875
    model = pricing.model("gpt-5")
    before = month(model, Scenario(1000, 2000, 300), on=DAY)
    after = month(model, Scenario(1000, 2000, 300, cached_share="0.25"), on=DAY)
    compared = MonthComparison(before, after)
    assert compared.saving == Decimal("16.875")
    assert compared.saving_share == Decimal("16.875") / 165
    assert MonthComparison(after, before).saving == Decimal("-16.875")


def test_no_requests_save_no_share():
    nothing = month(pricing.model("gpt-5"), Scenario(0, 2000, 300), on=DAY)
    assert MonthComparison(nothing, nothing).saving_share is None


def test_a_share_from_a_slider_is_read_by_its_digits():
    assert Scenario(1, 100, 0, cached_share=0.1).cached_share == Decimal("0.1")


@given(cached=SHARES, batch=SHARES, peak=SHARES, model=st.sampled_from(pricing.models()))
def test_the_parts_add_up_and_no_share_costs_more(cached, batch, peak, model):
    highest = month(model, Scenario(10, 3000, 400), on=DAY)
    result = month(
        model,
        Scenario(10, 3000, 400, cached_share=cached, batch_share=batch, peak_share=peak),
        on=DAY,
    )
    parts = result.per_month
    assert parts.total == parts.input + parts.cached_input + parts.cache_write + parts.output
    assert result.per_month.total <= highest.per_month.total
    assert result.off_peak_saving is None or result.off_peak_saving >= 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"requests_per_day": -1}, "from 0 to"),
        ({"requests_per_day": "many"}, "“many” is not a number"),
        ({"requests_per_day": float("inf")}, "“inf” is not a number"),
        ({"input_tokens": -5}, "cannot be negative"),
        ({"output_tokens": 10**15}, "must be a mistake"),
        ({"cached_share": Decimal("1.01")}, "0 to 1"),
        ({"peak_share": -0.1}, "0 to 1"),
        ({"cached_share": "0.6", "written_share": "0.6"}, "cannot exceed the whole"),
        ({"days": 0}, "from 1 to 366 days"),
        ({"days": 400}, "from 1 to 366 days"),
    ],
)
def test_impossible_plans_are_refused(change, message):
    with pytest.raises(BPEError, match=message):
        Scenario(**({"requests_per_day": 1, "input_tokens": 1, "output_tokens": 1} | change))


def test_a_month_in_either_language_is_that_of_its_tokens():
    scenario = Scenario(Decimal(10), 0, 0, peak_share=Decimal("0.5"), days=3)
    model = pricing.model("deepseek/deepseek-v4-pro")
    both = compare_months(model, Texts(900, 80), Texts(1_000, 100), scenario, on=DAY)
    for asked, replied, tokens in (
        ("zh", "zh", (900, 80)),
        ("en", "en", (1_000, 100)),
        ("zh", "en", (900, 100)),
    ):
        of_texts = replace(scenario, input_tokens=tokens[0], output_tokens=tokens[1])
        alone = month(model, of_texts, on=DAY)
        assert both.cost(asked, replied) == alone.per_month.total
    assert both.notes == alone.notes
    assert both.requests == 30
    assert both.cheaper == "zh"

"""Traffic, worked out by hand."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import Traffic, Usage, traffic_cost

DAY = date(2026, 11, 10)
SHARES = st.decimals(0, 1, places=2)
A_MONTH = 30_000
"""Requests."""


def test_a_month_is_its_requests_times_the_call():
    # gpt-5: 1.25, cached 0.125, output 10. A request: 1500 × 1.25 + 500 × 0.125 + 300 × 10
    # = 1875 + 62.5 + 3000 millionths; × 30 000 = 56.25 + 1.875 + 90
    traffic = Traffic(A_MONTH, cached_share=Decimal("0.25"))
    result = traffic_cost(pricing.model("gpt-5"), Usage(2000, output_tokens=300), traffic, on=DAY)
    assert result.total == Decimal("148.125")
    assert (result.parts["input"], result.parts["cached_input"], result.parts["output"]) == (
        Decimal("56.25"), Decimal("1.875"), 90,
    )  # fmt: skip
    assert result.all_off_peak is None


@pytest.mark.parametrize(
    ("name", "usage", "traffic", "overrides", "total"),
    [
        # 40 % in batch, at half the price: 0.6 × (1000 × 1 + 200 × 5) + 0.4 × 1000 millionths
        ("claude-haiku-4-5", Usage(1000, output_tokens=200),
         Traffic(10, batch_share=Decimal("0.4")), None, "0.016"),
        # Reasoning is output of every request: 2000 × 1.25 + (300 + 700) × 10 millionths
        ("gpt-5", Usage(2000, output_tokens=300, reasoning_tokens=700), Traffic(A_MONTH), None,
         "375"),
        ("gpt-5", Usage(2000, output_tokens=300), Traffic(0), None, "0"),
        # a price by hand
        ("gpt-5", Usage(1_000_000), Traffic(1), {"input": Decimal(7)}, "7"),
        # one token past the edge of 272,000, for all tokens
        ("openai/gpt-5.6-sol", Usage(272_001, output_tokens=1_000), Traffic(1), None, "2.206008"),
    ],
)  # fmt: skip
def test_traffic_costs_what_is_worked_out_by_hand(name, usage, traffic, overrides, total):
    result = traffic_cost(pricing.model(name), usage, traffic, on=DAY, overrides=overrides)
    assert result.total == Decimal(total)
    assert any("by hand" in str(note) for note in result.notes) == (overrides is not None)


def test_the_clock_of_deepseek_is_worth_money():
    # deepseek-flash, 1000 + 1000 tokens: 0.3 + 1.2 = 1.5 thousandths at peak, 0.75 off-peak.
    # 40 % at peak: 0.4 × 1.5 + 0.6 × 0.75 = 1.05; × 30 000 = 31.5 US dollars; off-peak 22.5
    usage, traffic = Usage(1000, output_tokens=1000), Traffic(A_MONTH, peak_share="0.4")
    result = traffic_cost(pricing.model("deepseek-flash"), usage, traffic, on=DAY)
    assert (result.total, result.all_off_peak) == (Decimal("31.5"), Decimal("22.5"))
    (note,) = result.notes
    assert str(note) == (
        "40% of these requests are priced at peak hours (09:00–12:00 / 14:00–18:00 in Beijing)."
    )


@pytest.mark.parametrize(("tokens", "fits"), [(199_700, True), (199_701, False), (300_000, False)])
def test_requests_that_are_longer_than_the_window_are_said_to_be_refused(tokens, fits):
    usage = Usage(tokens, output_tokens=300)
    result = traffic_cost(pricing.model("claude-sonnet-4-5"), usage, Traffic(1), on=DAY)
    assert result.fits is fits
    assert any("refused" in str(note) for note in result.notes) is not fits


def test_a_share_from_a_slider_is_read_by_its_digits():
    assert Traffic(1, cached_share=0.1).cached_share == Decimal("0.1")


@given(cached=SHARES, batch=SHARES, peak=SHARES, model=st.sampled_from(pricing.models()))
def test_no_share_costs_more(cached, batch, peak, model):
    usage = Usage(3000, output_tokens=400)
    highest = traffic_cost(model, usage, Traffic(10), on=DAY)
    shares = Traffic(10, cached_share=cached, batch_share=batch, peak_share=peak)
    result = traffic_cost(model, usage, shares, on=DAY)
    assert result.total <= highest.total
    assert result.all_off_peak is None or result.all_off_peak <= result.total


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"requests": -1}, "from 0 to"),
        ({"requests": "many"}, "“many” is not a number"),
        ({"requests": float("inf")}, "“inf” is not a number"),
        ({"cached_share": Decimal("1.01")}, "0 to 1"),
        ({"peak_share": -0.1}, "0 to 1"),
        ({"cached_share": "0.6", "written_share": "0.6"}, "cannot exceed the whole"),
    ],
)
def test_impossible_traffic_is_refused(change, message):
    with pytest.raises(BPEError, match=message):
        Traffic(**({"requests": 1} | change))

"""A month of requests, and the hours in which they come, worked out by hand."""

from decimal import Decimal

import pytest

from bpe import pricing
from playground.cost.month import hours, plan
from tests.cost.test_comparing import CONTEXT

GPT5 = "openai/gpt-5"  # 1.25, cached 0.125, output 10 US dollars per million; batch half of it
SOL = "openai/gpt-5.6-sol"  # 4 and 20; above 272,000 tokens of input 8 and 30
PRO = "deepseek/deepseek-v4-pro"  # 0.66 and 1.98, the double from 9 to 12 and 14 to 18 in Beijing


@pytest.mark.parametrize(
    ("model", "tokens", "cached", "batch", "money"),
    [
        # one token past the edge of 272,000, for all tokens
        (SOL, (272_001, 1_000), 0, 0, "2.206008"),
        # 1000 × 1.25 + 1000 × 0.125 + 300 × 10 = 4375 millionths: the cached are part of the input
        (GPT5, (2_000, 300), Decimal("0.5"), 0, "0.004375"),
        (GPT5, (2_000, 300), 0, 1, "0.00275"),
        # 9 to 18, with 7 of 9 hours at peak
        (PRO, (900_000, 0), 0, 0, "1.056"),
    ],
)
def test_a_month_of_one_request(model, tokens, cached, batch, money):
    traffic = plan.Traffic(1, Decimal(cached), Decimal(0), Decimal(batch), days=1)
    one = plan.TrafficPlan("A", traffic, tokens, reasoning=0)
    costs = plan.price(CONTEXT, one, [pricing.model(model)], (9, 18))
    assert round(costs.months[model].per_month.total, 12) == Decimal(money)


@pytest.mark.parametrize(
    ("busy", "free_weekends", "share"),
    [
        ((9, 12), False, Decimal(1)),
        ((9, 18), False, Decimal(7) / 9),
        ((9, 12), True, Decimal(5) / 7),  # five days of seven
        ((0, 9), False, Decimal(0)),
        ((12, 12), False, Decimal(0)),
    ],
)
def test_the_share_of_requests_in_peak_hours(busy, free_weekends, share):
    assert hours.peak_share(pricing.model(PRO), busy, free_weekends) == share
    assert hours.peak_share(pricing.model(GPT5), busy, free_weekends) == 0

"""Many requests, worked out by hand: steady traffic, and conversations turn by turn."""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import Conversation, Terms, Traffic, Usage, simulate, traffic_cost

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


@pytest.mark.parametrize(
    ("name", "usage", "traffic", "total"),
    [
        # 40 % in batch, at half the price: 0.6 × (1000 × 1 + 200 × 5) + 0.4 × 1000 millionths
        ("claude-haiku-4-5", Usage(1000, output_tokens=200),
         Traffic(10, batch_share=Decimal("0.4")), "0.016"),
        # Reasoning is output of every request: 2000 × 1.25 + (300 + 700) × 10 millionths
        ("gpt-5", Usage(2000, output_tokens=300, reasoning_tokens=700), Traffic(A_MONTH), "375"),
        ("gpt-5", Usage(2000, output_tokens=300), Traffic(0), "0"),
        # one token past the edge of 272,000, for all tokens
        ("openai/gpt-5.6-sol", Usage(272_001, output_tokens=1_000), Traffic(1), "2.206008"),
    ],
)  # fmt: skip
def test_traffic_costs_what_is_worked_out_by_hand(name, usage, traffic, total):
    result = traffic_cost(pricing.model(name), usage, traffic, on=DAY)
    assert result.total == Decimal(total)


def test_the_clock_of_deepseek_is_worth_money():
    # deepseek-flash, 1000 + 1000 tokens: 0.3 + 1.2 = 1.5 thousandths at peak, 0.75 off-peak.
    # 40 % at peak: 0.4 × 1.5 + 0.6 × 0.75 = 1.05; × 30 000 = 31.5 US dollars
    usage, traffic = Usage(1000, output_tokens=1000), Traffic(A_MONTH, peak_share=Decimal("0.4"))
    result = traffic_cost(pricing.model("deepseek-flash"), usage, traffic, on=DAY)
    assert result.total == Decimal("31.5")
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


@given(cached=SHARES, batch=SHARES, peak=SHARES, model=st.sampled_from(pricing.models()))
def test_no_share_costs_more(cached, batch, peak, model):
    usage = Usage(3000, output_tokens=400)
    highest = traffic_cost(model, usage, Traffic(10), on=DAY)
    shares = Traffic(10, cached_share=cached, batch_share=batch, peak_share=peak)
    assert traffic_cost(model, usage, shares, on=DAY).total <= highest.total


def test_more_cached_and_written_than_the_input_is_refused():
    with pytest.raises(BPEError, match="cannot exceed the whole"):
        Traffic(1, cached_share=Decimal("0.6"), written_share=Decimal("0.6"))


WHEN = datetime(2026, 11, 10, 12, tzinfo=UTC)
GPT5 = replace(pricing.model("gpt-5"), least_cached=None)  # 1.25, cached 0.125, output 10
HAIKU = replace(pricing.model("claude-haiku-4-5"), least_cached=None)
PLAN = Conversation(3, system_tokens=100, tools_tokens=50, user_tokens=20, output_tokens=30)


CACHING = replace(PLAN, caching=True)


@pytest.mark.parametrize(
    ("model", "plan", "sent", "cached", "costs"),
    [
        # Every turn sends the history again: messages of 20, answers of 30; prefix 150.
        # Turn 1: 150 + 20; turn 2: 150 + 50 + 20; turn 3: 150 + 100 + 20;
        # 170 × 1.25 + 30 × 10, and so on
        (GPT5, PLAN, [170, 220, 270], [0, 0, 0], ["512.5", "575", "637.5"]),
        # With a cache only what is new is paid in full. Turn 2: 50 × 1.25 + 170 × 0.125 + 300;
        # turn 3: 50 × 1.25 + 220 × 0.125 + 300
        (GPT5, CACHING, [170, 220, 270], [0, 170, 220], ["512.5", "383.75", "390"]),
        # Writing to the cache costs extra: input 1, cached 0.1, write 1.25, output 5.
        # 170 × 1.25 + 30 × 5; 170 × 0.1 + 50 × 1.25 + 150
        (HAIKU, replace(CACHING, turns=2), [170, 220], [0, 170], ["362.5", "229.5"]),
    ],
)
def test_every_turn_costs_what_is_worked_out_by_hand(model, plan, sent, cached, costs):
    turns = simulate(model, plan, Terms(WHEN)).turns
    assert [turn.usage.input_tokens for turn in turns] == sent
    assert [turn.usage.cached_tokens for turn in turns] == cached
    assert [turn.total * 1_000_000 for turn in turns] == [Decimal(cost) for cost in costs]


def test_what_is_shorter_than_the_least_prefix_is_not_cached():
    # of 170, 220 and 270 tokens the first is too short to be written, and so to be read
    for least, cached, written in ((171, [0, 0, 220], [0, 220, 50]), (271, [0] * 3, [0] * 3)):
        turns = simulate(replace(HAIKU, least_cached=least), CACHING, terms=Terms(WHEN)).turns
        assert [turn.usage.cached_tokens for turn in turns] == cached
        assert [turn.usage.cache_write_tokens for turn in turns] == written


@pytest.mark.parametrize(("name", "assumed"), [("gpt-5", True), ("claude-haiku-4-5", False)])
def test_that_a_least_prefix_is_assumed_is_noted(name, assumed):
    notes = str(simulate(pricing.model(name), CACHING, terms=Terms(WHEN)).notes)
    assert ("that is assumed" in notes) == assumed


def test_a_model_without_cached_prices_is_not_helped_by_a_cache():
    assert simulate(GPT5, PLAN, terms=Terms(WHEN)).notes == ()
    (note,) = simulate(GPT5, CACHING, terms=Terms(WHEN)).notes
    assert "as if all that the previous turn sent" in str(note)
    model = pricing.model("gpt-5-pro")
    cached = simulate(model, CACHING, terms=Terms(WHEN))
    assert cached.total == simulate(model, PLAN, terms=Terms(WHEN)).total
    assert "No price for cached input" in str(cached.notes[0])


@pytest.mark.parametrize(
    ("window", "fits"),
    [
        (199, [False, False, False]),
        (200, [True, False, False]),  # turn 1 needs 170 + 30: just fits; turn 2 needs 250
        (250, [True, True, False]),
        (300, [True, True, True]),  # turn 3 needs 270 + 30
        (None, [None, None, None]),  # an unknown window is not said to fit
    ],
)
def test_it_overflows_when_input_and_answer_exceed_the_window(window, fits):
    result = simulate(replace(GPT5, context_window=window), PLAN, terms=Terms(WHEN))
    assert [turn.fits for turn in result.turns] == fits
    assert result.overflow_turn == (fits.index(False) + 1 if False in fits else None)
    assert result.total == Decimal("0.001725")


def test_reasoning_is_paid_in_every_turn_and_never_sent_again():
    # 1725 as above, and 70 more tokens of output each time: 3 × 70 × 10 = 2100 millionths
    result = simulate(GPT5, replace(PLAN, reasoning_tokens=70), terms=Terms(WHEN))
    assert [turn.usage.input_tokens for turn in result.turns] == [170, 220, 270]
    assert result.total == Decimal("0.003825")

"""Conversations turn by turn, worked out by hand."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import Conversation, Memory, Overrides, Terms, savings, simulate

WHEN = datetime(2026, 11, 10, 12, tzinfo=UTC)
GPT5 = pricing.model("gpt-5")  # 1.25, cached 0.125, output 10 US dollars per million
PLAN = Conversation(3, system_tokens=100, tools_tokens=50, user_tokens=20, growth=5,
                    output_tokens=30)  # fmt: skip


def test_every_turn_sends_the_history_again():
    # messages of 20, 25, 30; answers of 30; prefix 150
    # turn 1: 150 + 20 = 170; turn 2: 150 + 50 + 25 = 225; turn 3: 150 + 50 + 55 + 30 = 285
    result = simulate(GPT5, PLAN, terms=Terms(WHEN))
    assert [turn.input_tokens for turn in result.turns] == [170, 225, 285]
    # 170 × 1.25 + 300 = 512.5; 225 × 1.25 + 300 = 581.25; 285 × 1.25 + 300 = 656.25 millionths
    assert [turn.cost * 1_000_000 for turn in result.turns] == [
        Decimal("512.5"), Decimal("581.25"), Decimal("656.25"),
    ]  # fmt: skip
    assert result.total == Decimal("0.00175")
    assert result.overflow_turn is None
    assert result.notes == ()


def test_with_a_cache_only_what_is_new_is_paid_in_full():
    # cached: 0, 170, 225. Turn 2: 55 × 1.25 + 170 × 0.125 + 300 = 68.75 + 21.25 + 300 = 390;
    # turn 3: 60 × 1.25 + 225 × 0.125 + 300 = 75 + 28.125 + 300 = 403.125
    result = simulate(GPT5, replace(PLAN, caching=True), terms=Terms(WHEN))
    assert [turn.cached_tokens for turn in result.turns] == [0, 170, 225]
    assert [turn.cost * 1_000_000 for turn in result.turns] == [
        Decimal("512.5"), Decimal("390"), Decimal("403.125"),
    ]  # fmt: skip
    assert "as if all that the previous turn sent" in str(result.notes[0])


def test_where_writing_to_the_cache_costs_extra_it_is_paid():
    # claude-haiku-4-5: input 1, cached 0.1, write 1.25, output 5
    # turn 1: 170 × 1.25 + 30 × 5 = 212.5 + 150 = 362.5
    # turn 2: 170 × 0.1 + 55 × 1.25 + 150 = 17 + 68.75 + 150 = 235.75
    result = simulate(
        pricing.model("claude-haiku-4-5"), replace(PLAN, caching=True, turns=2), terms=Terms(WHEN)
    )
    assert [turn.cache_write_tokens for turn in result.turns] == [170, 55]
    assert [turn.cost * 1_000_000 for turn in result.turns] == [Decimal("362.5"), Decimal("235.75")]


def test_a_model_without_cached_prices_is_not_helped_by_a_cache():
    model = pricing.model("gpt-5-pro")
    cached = simulate(model, replace(PLAN, caching=True), terms=Terms(WHEN))
    assert cached.total == simulate(model, PLAN, terms=Terms(WHEN)).total
    assert "No price for cached input" in str(cached.notes[0])


@pytest.mark.parametrize(
    ("window", "turn"),
    [
        (200, 1 + 1),  # turn 1 needs 170 + 30 = 200: just fits; turn 2 needs 255
        (199, 1),
        (254, 2),
        (255, 3),
        (314, 3),
        (315, None),  # turn 3 needs 285 + 30 = 315
        (None, None),
    ],
)
def test_it_overflows_when_input_and_answer_exceed_the_window(window, turn):
    result = simulate(replace(GPT5, context_window=window), PLAN, terms=Terms(WHEN))
    assert result.overflow_turn == turn


def test_an_unknown_window_is_not_said_to_fit():
    result = simulate(replace(GPT5, context_window=None), PLAN, terms=Terms(WHEN))
    assert {turn.fits for turn in result.turns} == {None}


def test_the_cost_that_can_be_had_stops_before_the_overflow():
    result = simulate(replace(GPT5, context_window=255), PLAN, terms=Terms(WHEN))
    assert result.total_that_fits == Decimal("0.00109375")  # 512.5 + 581.25 millionths
    assert result.total == Decimal("0.00175")


def test_cutting_to_the_last_turn_keeps_requests_short():
    # kept: the turn before only. Turn 3: 150 + (25 + 30) + 30 = 235 instead of 285
    result = simulate(GPT5, PLAN, Memory("last turns", 1), terms=Terms(WHEN))
    assert [turn.input_tokens for turn in result.turns] == [170, 225, 235]


def test_forgetting_all_turns_sends_only_the_new_message():
    result = simulate(GPT5, PLAN, Memory("last turns", 0), terms=Terms(WHEN))
    assert [turn.input_tokens for turn in result.turns] == [170, 175, 180]


def test_cutting_loses_the_cache_behind_the_prefix():
    plan = replace(PLAN, caching=True, turns=4)
    result = simulate(GPT5, plan, Memory("last turns", 1), terms=Terms(WHEN))
    # turn 2 still continues turn 1; from turn 3 on only prefix 150 stands where it stood
    assert [turn.cached_tokens for turn in result.turns] == [0, 170, 150, 150]


def test_a_summary_costs_a_request_and_shortens_the_next():
    # after turns 1 and 2 (50 + 55 = 105 tokens) one request: 105 × 1.25 + 40 × 10 = 531.25
    # turn 3 then sends 150 + 40 + 30 = 220: 220 × 1.25 + 300 = 575; together 1106.25
    result = simulate(GPT5, PLAN, Memory("summary", 2, 40), terms=Terms(WHEN))
    assert [turn.input_tokens for turn in result.turns] == [170, 225, 220]
    assert result.turns[2].summary_cost * 1_000_000 == Decimal("531.25")
    assert result.turns[2].cost * 1_000_000 == Decimal("1106.25")


def test_what_remembering_less_saves():
    # everything 1750; last turn 512.5 + 581.25 + (235 × 1.25 + 300 = 593.75) = 1687.5: saves 62.5
    # summary 512.5 + 581.25 + 1106.25 = 2200: costs 450 more
    result = savings(GPT5, PLAN, keep_turns=1, summary_tokens=40, terms=Terms(WHEN))
    assert result.last_turns_save * 1_000_000 == Decimal("62.5")
    two = savings(GPT5, PLAN, keep_turns=2, summary_tokens=40, terms=Terms(WHEN))
    assert two.summary_saves * 1_000_000 == Decimal("-450")
    assert two.last_turns_save == 0


def test_an_answer_longer_than_the_model_can_write_is_noted():
    result = simulate(
        pricing.model("gpt-4o"), replace(PLAN, output_tokens=20_000), terms=Terms(WHEN)
    )
    assert str(result.notes[0]) == (
        "The model writes at most 16,384 tokens at once; this answer is longer."
    )


def test_reasoning_is_paid_in_every_turn_and_never_sent_again():
    # 1750 as above, and 70 more tokens of output each time: 3 × 70 × 10 = 2100 millionths
    thinking = replace(PLAN, reasoning_tokens=70)
    result = simulate(GPT5, thinking, terms=Terms(WHEN))
    assert [turn.input_tokens for turn in result.turns] == [170, 225, 285]
    assert result.total == Decimal("0.00385")
    narrow = simulate(replace(GPT5, context_window=385), thinking, terms=Terms(WHEN))
    assert narrow.overflow_turn is None  # turn 3 needs 285 + 30 + 70 = 385
    assert (
        simulate(replace(GPT5, context_window=384), thinking, terms=Terms(WHEN)).overflow_turn == 3
    )


def test_prices_by_hand_hold_for_every_turn():
    by_hand = Overrides(*[Decimal(0)] * 4)
    assert simulate(GPT5, PLAN, terms=Terms(WHEN, overrides=by_hand)).total == 0


PLANS = st.builds(
    Conversation,
    turns=st.integers(1, 12),
    system_tokens=st.integers(0, 500),
    tools_tokens=st.integers(0, 500),
    user_tokens=st.integers(0, 500),
    growth=st.integers(0, 50),
    output_tokens=st.integers(0, 500),
    caching=st.booleans(),
)
MEMORIES = st.one_of(
    st.just(Memory()),
    st.builds(Memory, st.just("last turns"), st.integers(0, 12)),
    st.builds(Memory, st.just("summary"), st.integers(1, 12), st.integers(0, 200)),
)


@given(plan=PLANS, memory=MEMORIES, model=st.sampled_from(pricing.models()))
def test_every_conversation_can_be_billed(plan, memory, model):
    result = simulate(model, plan, memory, terms=Terms(WHEN))
    assert len(result.turns) == plan.turns
    assert result.total == sum(turn.cost for turn in result.turns)
    assert all(turn.cached_tokens + turn.cache_write_tokens <= turn.input_tokens
               for turn in result.turns)  # fmt: skip
    assert result.total_that_fits <= result.total


@given(plan=PLANS, keep=st.integers(0, 12))
def test_keeping_fewer_turns_never_sends_more(plan, keep):
    everything = simulate(GPT5, plan, terms=Terms(WHEN))
    cut = simulate(GPT5, plan, Memory("last turns", keep), terms=Terms(WHEN))
    pairs = zip(cut.turns, everything.turns, strict=True)
    assert all(short.input_tokens <= full.input_tokens for short, full in pairs)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"turns": 0}, "from 1 to 10000 turns"),
        ({"turns": 10_001}, "from 1 to 10000 turns"),
        ({"system_tokens": -1}, "cannot be negative"),
        ({"growth": -11, "turns": 3}, "fewer than 0 tokens by turn 3"),
    ],
)
def test_impossible_conversations_are_refused(change, message):
    with pytest.raises(BPEError, match=message):
        replace(PLAN, **change)


@pytest.mark.parametrize("memory", [("last turns", -1, 0), ("summary", 0, 5), ("summary", 1, -5)])
def test_impossible_memories_are_refused(memory):
    with pytest.raises(BPEError):
        Memory(*memory)


def test_a_free_weekend_reaches_every_simulation():
    # deepseek-v4-pro at 09:00 on a Saturday: peak by the list (0.66 off-peak, the double at peak)
    pro = pricing.model("deepseek/deepseek-v4-pro")
    saturday = datetime(2026, 11, 14, 9, tzinfo=pricing.BEIJING)
    plan = Conversation(1, user_tokens=1_000_000)
    listed = simulate(pro, plan, terms=Terms(saturday))
    free = simulate(pro, plan, terms=Terms(saturday, free_weekends=True))
    assert (listed.total, free.total) == (Decimal("1.32"), Decimal("0.66"))
    texts = pricing.Texts(1_000_000)
    both = [
        pricing.compare_languages(
            pro, texts, texts, requests=1, terms=pricing.Terms(saturday, free_weekends=rule)
        ).cost("zh")
        for rule in (False, True)
    ]
    assert both == [Decimal("1.32"), Decimal("0.66")]
    rows = pricing.row_costs(pro, [1_000_000], terms=pricing.Terms(saturday, free_weekends=True))
    assert rows == [Decimal("0.66")]

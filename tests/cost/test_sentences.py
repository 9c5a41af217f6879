"""What the sections of Cost say of two languages and of a month, worked out by hand."""

from dataclasses import replace
from decimal import Decimal
from itertools import product

import pytest

from bpe import pricing
from bpe.encoders import catalog
from bpe.errors import BPEError
from bpe.pricing import Conversation
from playground.compare.languages import measures, parallel
from playground.cost import conversation, counting, layout, month, window
from playground.cost import languages as both
from playground.cost.context import Money
from playground.cost.languages.comparing import compare, compared
from playground.cost.month import hours, plan
from playground.cost.window import pieces
from playground.ui import i18n
from tests.cost.test_comparing import CONTEXT, GPT4, INPUTS, between, exactly

GPT5, GPT4O, SONNET = (
    pricing.model(name) for name in ("openai/gpt-5", "openai/gpt-4o", "anthropic/claude-sonnet-5-5")
)
PRO = pricing.model("deepseek/deepseek-v4-pro")  # 0.66 and 1.98 off-peak, the double at peak
SHORT = pricing.model("anthropic/claude-sonnet-4-5")  # window 200,000
VOLUME = "for 1,000 requests"


def rows_of(*rows, answers=(0, 0)):
    """Each row is a model and the lengths of its prompts in Chinese and in English."""
    return [
        compared(
            CONTEXT, model, {"zh": {model.id: zh}, "en": {model.id: en}},
            {code: {model.id: exactly(n)} for code, n in zip(("zh", "en"), answers, strict=True)},
            INPUTS,
        )
        for model, zh, en in rows
    ]  # fmt: skip


def plainly(said: str) -> str:
    return said.replace("\\", "")


def test_the_first_sentence_says_how_many_times_as_much_the_dearest_model_costs():
    rows = rows_of((GPT4, exactly(2), exactly(1)), (GPT4O, exactly(1), exactly(1)), answers=(10, 5))
    # gpt-4o: a thousand times 2.5 + 10 × 10 millionths, and in English 2.5 + 5 × 10
    assert plainly(both._reading(CONTEXT, rows, VOLUME)) == (
        "**gpt-4 costs 6 times as much as gpt-4o** for this in Chinese: $0.66 against $0.103 "
        "for 1,000 requests. In Chinese it costs more than in English on gpt-4 (100%), "
        "gpt-4o (95%)."
    )


def test_the_languages_are_compared_in_chinese(monkeypatch):
    monkeypatch.setattr(i18n, "language", lambda: "zh")
    rows = rows_of((GPT4, exactly(2), exactly(1)))
    assert both._reading(CONTEXT, rows, VOLUME) == "用中文比用英文贵的：gpt-4（100%）。"
    assert counting.badge(counting.count([GPT4], "你好")[GPT4.id]) == "精确"
    assert layout.price_day(CONTEXT, GPT4) == "2026-11-09（整份价目表）"


def test_both_languages_are_held_against_each_other_where_that_is_sure():
    def said(*rows):
        return plainly(both._languages(CONTEXT, rows_of(*rows)))

    # gpt-4: 2 × 30 against 1 × 30 thousandths; GPT-5: one token in both languages
    sonnet = SONNET, between(8, 10, 12), exactly(9)
    assert said((GPT4, exactly(2), exactly(1)), (GPT5, exactly(1), exactly(1)), sonnet) == (
        "In Chinese it costs more than in English on gpt-4 (100%)."
    )
    assert said((GPT4, exactly(5), exactly(4)), (GPT5, exactly(2), exactly(4))) == (
        "In Chinese it costs less than in English on GPT-5 (50%), and more on gpt-4 (25%)."
    )
    assert said(sonnet) == "Neither language is surely cheaper here."
    (note,) = both._more_notes(CONTEXT, INPUTS, rows_of(sonnet))
    assert "as the ranges of estimates overlap: Claude Sonnet 5.5." in plainly(note)


def test_a_request_longer_than_the_window_is_refused_in_both_languages():
    rows = rows_of(
        (GPT4, exactly(2), exactly(1)), (GPT5, exactly(1), exactly(1)), answers=(9000, 10)
    )
    assert {row.model.name: row.costs.fits for row in rows} == {"gpt-4": False, "GPT-5": True}
    said = plainly(both._reading(CONTEXT, rows, VOLUME))
    assert "Refused, as a request is longer than the model takes: gpt-4." in said
    assert said.startswith("In Chinese it costs more than in English on GPT-5 (")
    notes = plainly("".join(layout.note_lines(CONTEXT, ((GPT4, n) for n in rows[0].costs.notes))))
    assert "Input and answer together need 9,002 tokens" in notes


def test_what_a_chat_adds_is_counted_apart_where_its_rule_is_known():
    inputs = replace(
        INPUTS, prompts={"zh": 1, "en": 1}, answers={"zh": 0, "en": 0}, models=[GPT4O, GPT5],
        messages=2,
    )  # fmt: skip
    known, unknown = compare(CONTEXT, inputs)
    assert (known.frame, unknown.frame) == (11, None)  # 2 × 3 + 2 + 3
    assert known.costs.cost("zh") == Decimal("0.03")  # 12 × 2.50 thousandths
    assert unknown.costs.cost("zh") == Decimal("0.00125")
    said = plainly("".join(both._chat_notes(CONTEXT, [GPT4O, GPT5])))
    assert "OpenAI's cookbook" in said
    assert "What roles and messages add was not measured" in said


# A month


def a_month(
    name="A", parts=(2000, 300), *, cached=0, context=CONTEXT, models=(GPT5,), busy=(9, 18),
    reasoning=0,
):  # fmt: skip
    traffic = plan.Traffic(1000, Decimal(cached), Decimal(0), Decimal(0), days=30)
    return plan.price(context, plan.TrafficPlan(name, traffic, parts, reasoning), models, busy)


def test_a_month_is_broken_down_and_converted():
    rate = pricing.own_rate(7, CONTEXT.now.date())
    model = GPT5.in_currency("CNY", rate)
    context = replace(CONTEXT, money=Money("CNY"), rate=rate)
    (month,) = a_month(cached="0.5", context=context, models=[model]).months.values()
    assert month.per_month.total == Decimal("131.25") * 7
    assert month.per_day.total == Decimal("4.375") * 7
    assert month.per_month.part("input") == Decimal("37.5") * 7
    assert month.per_month.part("cached_input") == Decimal("3.75") * 7
    assert month.per_month.part("output") == 90 * 7


def test_lengths_may_come_from_texts_and_reasoning_is_billed_as_output():
    costs = a_month(parts=("你好", "hello"), models=[GPT4])
    (month,) = costs.months.values()
    assert (month.scenario.input_tokens, month.scenario.output_tokens) == (2, 1)
    assert costs.badges == {GPT4.id: "exact"}
    assert month.per_month.total == Decimal("3.6")  # (2 × 30 + 60) millionths × 30,000
    (month,) = a_month(reasoning=1000).months.values()
    assert month.per_month.total == 465  # (2000 × 1.25 + 1300 × 10) millionths × 30,000


@pytest.mark.parametrize(("budget", "within"), [(None, ""), (150, "0 of 1"), (165, "1 of 1")])
def test_the_sentence_on_a_month_says_what_stays_within_the_budget(budget, within):
    said = plainly(month._reading(CONTEXT, a_month(), budget))
    first = "Plan A: 30,000 requests a month cost $165.00 on **GPT-5**."
    assert said == first + f"\n\n{within} models stay within the budget." * bool(within)


def test_requests_longer_than_the_window_are_refused_and_not_called_the_cheapest():
    costs = a_month(parts=(250_000, 300), models=[SHORT, GPT5])
    said = plainly(month._reading(CONTEXT, costs, 10**9))
    assert "Refused, as a request is longer than the model takes: Claude Sonnet 4.5." in said
    assert "cost $9,465.00 on **GPT-5**" in said  # 250,000 × 1.25 + 300 × 10, × 30,000
    assert "1 of 2 models stay within the budget." in said
    assert {each.model.name: each.fits for each in costs.months.values()} == {
        "Claude Sonnet 4.5": False,
        "GPT-5": True,
    }


def test_another_plan_is_held_against_it_on_the_models_that_refuse_neither():
    def said(first, second):
        return plainly(month._comparison(CONTEXT, first, second))

    # half of its input is cached
    assert said(a_month(), a_month("B", cached="0.5")) == (
        "Plan B saves $33.75 a month on **GPT-5** (20%)."
    )
    models = [SHORT, GPT5]
    first, second = a_month(parts=(250_000, 300), models=models), a_month("B", models=models)
    assert said(first, second).endswith("a month on **GPT-5** (98%).")
    assert said(a_month(parts=(250_000, 300), models=[SHORT]), second) == ""
    notes = plainly("".join(layout.note_lines(CONTEXT, month._notes(CONTEXT, [first], (9, 18)))))
    assert "250,000 tokens of input are more than the context window of 200,000" in notes


@pytest.mark.parametrize(
    ("busy", "free_weekends", "share", "money", "is_bound"),
    [
        # 2.64 thousandths off-peak, 5.28 at peak: 1000 requests on 30 days save 79.20
        ((9, 12), False, "100%", "$79.20", True),
        ((9, 12), True, "71%", "$56.57", False),  # five days of seven
        ((0, 9), False, "0%", "$0.00", False),
    ],
)
def test_the_clock_says_what_off_peak_hours_would_save(busy, free_weekends, share, money, is_bound):
    context = replace(CONTEXT, free_weekends=free_weekends)
    costs = a_month(parts=(1000, 1000), context=context, models=[PRO], busy=busy)
    said = plainly(hours._reading(context, costs.months[PRO.id], busy))
    assert f"{share} of these requests come in peak hours" in said
    assert f"a month would cost {money} less." in said
    notes = layout.note_lines(context, month._notes(context, [costs], busy))
    assert ("this is an upper bound" in "".join(notes)) is is_bound


def test_a_month_in_both_languages_costs_what_as_many_requests_do():
    inputs = replace(
        INPUTS, prompts={"zh": 20, "en": 10}, answers={"zh": 9, "en": 5}, models=[GPT5],
        requests=300,
    )  # fmt: skip
    traffic = plan.Traffic(10, Decimal(0), Decimal(0), Decimal(0), days=30)
    of_a_month = replace(inputs, month=lambda model: traffic.scenario((0, 0), 0, Decimal(0)))
    (once,), (monthly,) = compare(CONTEXT, inputs), compare(CONTEXT, of_a_month)
    for asked, answered in product(("zh", "en"), repeat=2):
        assert monthly.costs.cost(asked, answered) == once.costs.cost(asked, answered)


# A conversation


def test_a_conversation_is_refused_in_the_turn_in_which_it_overflows():
    # turn n sends 1000 + 200 + (n − 1) × 700 and needs 500 more: 8,000 in turn 10, 8,700 in turn 11
    sent = Conversation(12, system_tokens=1000, user_tokens=200, output_tokens=500, caching=True)
    found = conversation.Inputs(GPT4, [], sent, keep=2, summary=400).on(CONTEXT, GPT4)
    turns = found.everything.turns
    assert [turn.input_tokens for turn in turns[9:11]] == [7500, 8200]
    assert [turn.fits for turn in turns] == [True] * 10 + [False] * 2
    said = plainly(conversation._reading(CONTEXT, found.everything))
    assert "From turn 11 on, requests are refused" in said
    # turns 1 to 10 send 12,000 + 45 × 700 = 43,500 and answer 5,000: 1.305 + 0.30
    assert "cost $1.61" in said  # 1.605
    # the last two turns and the message: 1200, 1900, then 2600 each; answers 500
    costs = [turn.cost for turn in found.last_turns.turns]
    assert costs == [Decimal("0.066"), Decimal("0.087"), *[Decimal("0.108")] * 10]


# The window


def test_the_gauge_counts_what_is_left_the_fullest_window_first():
    models = [pricing.model(name) for name in ("zai/GLM-4.5", "openai/gpt-4", "openai/gpt-5")]
    rows = window._measure(models, "你好", reserve=1000)
    assert [row.model.name for row in rows] == ["gpt-4", "GLM-4.5", "GPT-5"]
    gauge, remaining = rows[0].gauge, rows[0].remaining
    assert (rows[0].count.tokens, gauge.window, gauge.free) == (2, 8192, 7190)
    assert 0 < remaining.hanzi < 7190
    # rounded down to whole characters; 800 to a page
    assert float(remaining.zh_pages) == pytest.approx(remaining.hanzi / 800, abs=0.1)
    (unknown,) = window._measure([pricing.model("zai/GLM-4.5-AirX")], "你好", reserve=0)
    assert (unknown.gauge.free, unknown.share, unknown.remaining) == (None, None, None)


def test_what_still_fits_is_measured_on_our_samples_as_compare_does():
    (row,) = window._measure([GPT4O], "你好", reserve=0)
    encoders = {"o200k_base": catalog.encoding("o200k_base")}
    compared = measures.of_languages(encoders, parallel.sampled(parallel.ALL))["o200k_base"]
    assert row.gauge.free == 127_999
    assert row.remaining.hanzi == int(127_999 / compared["zh"].tokens_per_hanzi)
    assert row.remaining.words == int(127_999 / compared["en"].fertility.value)


def test_a_text_is_cut_into_pieces_or_said_to_be_too_long_for_one():
    assert [each.text for each in pieces._cut("你好", GPT4, 1).chunks] == ["你", "好"]
    with pytest.raises(BPEError, match="alone has"):
        pieces._cut("𠮷", GPT4, 1)

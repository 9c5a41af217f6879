"""The sentences of Cost on two languages, a month and a chat, worked out by hand."""

from dataclasses import replace
from decimal import Decimal

import pytest

from bpe import pricing
from bpe.pricing import Conversation, Traffic
from playground.cost import chat, counting, layout
from playground.cost import languages as both
from playground.cost.languages.comparing import compared
from playground.cost.languages.inputs import peak_share
from playground.cost.price_settings import Money
from playground.ui import i18n
from tests.cost.test_comparing import CONTEXT, GPT4, INPUTS, between, exactly

GPT5, GPT4O, SONNET = (
    pricing.model(name) for name in ("openai/gpt-5", "openai/gpt-4o", "anthropic/claude-sonnet-5-5")
)
PRO = pricing.model("deepseek/deepseek-v4-pro")  # 0.66 and 1.98 off-peak, the double at peak


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


def plainly(text: str) -> str:
    return text.replace("\\", "")


def test_the_first_sentence_says_how_many_times_as_much_the_dearest_model_costs():
    rows = rows_of((GPT4, exactly(2), exactly(1)), (GPT4O, exactly(1), exactly(1)), answers=(10, 5))
    # GPT-4o: a thousand times 2.5 + 10 × 10 millionths, and in English 2.5 + 5 × 10
    assert plainly(both._reading(CONTEXT, rows, INPUTS)) == (
        "**GPT-4 costs about 6 times as much as GPT-4o** for this in Chinese: $0.66 against $0.103 "
        "for 1,000 requests. In Chinese it costs more than in English on GPT-4 (100%), "
        "GPT-4o (95%). Each request fits the window of every model."
    )


def test_the_languages_are_compared_in_chinese(monkeypatch):
    monkeypatch.setattr(i18n, "language", lambda: "zh")
    rows = rows_of((GPT4, exactly(2), exactly(1)))
    assert (
        both._reading(CONTEXT, rows, INPUTS)
        == "用中文比用英文贵的：GPT-4（100%）。每次请求都放得进所有模型的窗口。"
    )
    assert counting.badge(counting.count([GPT4], "你好")[GPT4.id]) == "精确"
    assert layout.price_day(CONTEXT, GPT4) == "2026-11-09（整份价目表）"


def test_both_languages_are_held_against_each_other_where_that_is_sure():
    def in_words(*rows):
        return plainly(" ".join(both._languages(CONTEXT, rows_of(*rows))))

    # GPT-4: 2 × 30 against 1 × 30 thousandths; GPT-5: one token in both languages
    sonnet = SONNET, between(8, 10, 12), exactly(9)
    assert in_words((GPT4, exactly(2), exactly(1)), (GPT5, exactly(1), exactly(1)), sonnet) == (
        "In Chinese it costs more than in English on GPT-4 (100%)."
    )
    assert in_words((GPT4, exactly(5), exactly(4)), (GPT5, exactly(2), exactly(4))) == (
        "In Chinese it costs less than in English on GPT-5 (50%). In Chinese it costs more than in "
        "English on GPT-4 (25%)."
    )
    assert in_words(sonnet) == "Neither language is surely cheaper here."
    (note,) = both._unsure_notes(CONTEXT, rows_of(sonnet))
    assert "as the ranges of estimates overlap: Claude Sonnet 5.5." in plainly(note)


def test_a_request_longer_than_the_window_is_refused_in_both_languages():
    rows = rows_of(
        (GPT4, exactly(2), exactly(1)), (GPT5, exactly(1), exactly(1)), answers=(9000, 10)
    )
    assert {row.model.name: row.fits for row in rows} == {"GPT-4": False, "GPT-5": True}
    text = plainly(both._reading(CONTEXT, rows, INPUTS))
    assert "Refused, as a request is longer than the model takes: GPT-4." in text
    assert text.startswith("In Chinese it costs more than in English on GPT-5 (")
    notes = plainly("".join(layout.note_lines(CONTEXT, ((GPT4, n) for n in rows[0].notes))))
    assert "Input and answer together need 9,002 tokens" in notes


def test_it_is_said_what_a_chat_adds_and_where_that_is_not_known():
    text = plainly("".join(layout.frame_notes(CONTEXT, [GPT4O, GPT5])))
    assert "OpenAI's cookbook" in text
    assert "What roles and messages add was not measured" in text


# A month


def a_month(model, parts=(1000, 1000), *, context=CONTEXT, busy=(9, 18), times=30_000):
    inputs = replace(
        INPUTS, models=[model], requests=times, busy=busy,
        traffic=lambda each: Traffic(times, peak_share=peak_share(each, busy, context.terms)),
    )  # fmt: skip
    prompts, answers = ({"zh": {model.id: exactly(n)}} for n in parts)
    return compared(context, model, prompts, answers, inputs), inputs


def test_a_month_is_converted():
    rate = pricing.own_rate(7, CONTEXT.now.date())
    model = GPT5.in_currency("CNY", rate)
    context = replace(CONTEXT, money=Money("CNY"), rate=rate)
    row, inputs = a_month(model, (2000, 300), context=context)
    assert row.cost("zh") == 165 * 7  # (2000 × 1.25 + 300 × 10) millionths × 30,000
    text = plainly(both._reading(context, [row], inputs))
    assert text == (
        "It costs ¥1,155.00 for a month of 30,000 requests on **GPT-5**. Each request fits the "
        "window of every model."
    )


@pytest.mark.parametrize(
    ("busy", "free_weekends", "is_bound"),
    [((9, 12), False, True), ((9, 12), True, False), ((0, 9), False, False)],
)
def test_a_month_is_an_upper_bound_where_weekends_may_be_off_peak(busy, free_weekends, is_bound):
    context = replace(CONTEXT, free_weekends=free_weekends)
    row, inputs = a_month(PRO, context=context, busy=busy)
    ((_model, notes),) = both._notes(context, inputs, [row])
    assert ("this is an upper bound" in str(notes)) is is_bound


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
    terms = replace(CONTEXT, free_weekends=free_weekends).terms
    assert peak_share(PRO, busy, terms) == share
    assert peak_share(GPT5, busy, terms) == 0


# A chat


def chat_of(begins, *models, context=CONTEXT, **plan):
    text, tokens = (begins, 0) if isinstance(begins, str) else (None, begins)
    plan = Conversation(**{"turns": 1, "system_tokens": tokens, **plan})
    return chat.measure(context, (text, plan, list(models)))


def test_a_chat_is_refused_in_the_turn_in_which_it_overflows():
    # turn n sends 1000 + 200 + (n − 1) × 700 and needs 500 more: 8,000 in turn 10, 8,700 in turn 11
    plan = {"turns": 12, "user_tokens": 200, "output_tokens": 500, "caching": True}
    rows = chat_of(1000, GPT4, GPT5, **plan)
    assert (rows[0].refused_from, rows[0].fits, rows[0].free) == (11, False, 0)
    # GPT-5: of 60,600 sent the first 1,200 and then 700 each at 1.25, 51,700 cached at 0.125
    assert rows[1].total == Decimal("0.011125") + Decimal("0.0064625") + Decimal("0.06")
    text = plainly(chat.reading(CONTEXT, rows))
    assert text == (
        "Requests are **refused**, as they are longer than the model takes: GPT-4 (from turn 11 "
        "on). Their amounts are those of a window that is large enough. It costs $0.0776 for 12 "
        "turns on **GPT-5**."
    )


def test_the_cheapest_model_comes_after_the_window():
    plan = {"turns": 4, "user_tokens": 100, "output_tokens": 0}
    text = plainly(chat.reading(CONTEXT, chat_of(0, GPT4O, GPT5, **plan)))
    # sent: 100 + 200 + 300 + 400; 2.5 and 1.25 a million
    assert "the tightest is that of **GPT-4o**, where the longest request" in text
    assert (
        "It costs $0.00125 for 4 turns on **GPT-5**, the cheapest of 2 models, and $0.0025" in text
    )


def test_the_fullest_window_is_first_and_has_room_for_more():
    rows = chat_of("你好", pricing.model("zai/GLM-4.5"), GPT4, GPT5, output_tokens=1000)
    assert [row.model.name for row in rows] == ["GPT-4", "GLM-4.5", "GPT-5"]
    assert (rows[0].begins.tokens, rows[0].free, rows[0].share) == (2, 7190, 1002 / 8192)
    (unknown,) = chat_of("你好", pricing.model("zai/GLM-4.5-AirX"))
    assert (unknown.free, unknown.share, unknown.fits) == (None, None, None)
    # 400,000 with the answer, 272,000 of input
    assert [chat.longest_input(GPT5, answer) for answer in (0, 200_000)] == [272_000, 200_000]


@pytest.mark.parametrize(
    ("count", "free", "fits"),
    [
        (exactly(112_000), 0, True),  # and 16,000 of an answer: the window has 128,000
        (exactly(112_001), 0, False),
        (between(111_000, 112_000, 112_001), 0, None),
        (between(111_000, 111_900, 112_000), 100, True),
    ],
)
def test_text_and_answer_fit_wherever_in_its_range_the_count_is(monkeypatch, count, free, fits):
    monkeypatch.setattr(counting, "count", lambda models, text: {GPT4O.id: count})
    (row,) = chat_of("text", GPT4O, output_tokens=16_000)
    assert (row.free, row.fits) == (free, fits)

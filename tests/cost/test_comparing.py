"""Two languages held against each other, with prices and counts worked out by hand."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from bpe import pricing
from bpe.documents import samples
from bpe.errors import Sentence
from bpe.pricing import Count
from playground.cost import counting
from playground.cost.languages import by_model_and_language, costs_by_language
from playground.cost.languages.comparing import badge, compared, length
from playground.cost.languages.inputs import Inputs
from playground.cost.price_settings import Money, PricingContext
from playground.ui import tables

GPT4 = pricing.model("openai/gpt-4")  # 30 and 60 US dollars per million; window 8,192
MOMENT = datetime(2026, 11, 21, 4, tzinfo=UTC)
CONTEXT = PricingContext(
    table=pricing.data.table(),
    money=Money("USD"),
    rate=pricing.own_rate(7, MOMENT.date()),
    when=MOMENT,
    free_weekends=False,
    now=MOMENT,
)
METHOD = Sentence.of("by hand")
INPUTS = Inputs({"zh": "", "en": ""}, {}, [GPT4], requests=1_000)


exactly = Count.exactly


def between(low: int, tokens: int, high: int) -> Count:
    return Count(tokens, low, high, METHOD)


def of_gpt4(zh: Count, en: Count, answer_zh: int = 0, answer_en: int = 0):
    prompts = {"zh": {GPT4.id: zh}, "en": {GPT4.id: en}}
    answers = {"zh": {GPT4.id: exactly(answer_zh)}, "en": {GPT4.id: exactly(answer_en)}}
    return compared(CONTEXT, GPT4, prompts, answers, INPUTS)


def test_prompts_and_answers_are_priced_in_each_language():
    row = of_gpt4(exactly(2), exactly(1), answer_zh=10, answer_en=5)
    # a thousand requests: prompts 2 × 30 and 1 × 30 thousandths, answers 10 × 60 and 5 × 60
    assert row.cost("zh") == Decimal("0.66")
    assert row.cost("en") == Decimal("0.33")
    assert (row.premium, row.change, row.cheaper) == (2, 1, "en")


@pytest.mark.parametrize(
    ("zh", "en", "cheaper", "unsure"),
    [
        (exactly(2), exactly(1), "en", False),
        (exactly(2), exactly(2), None, False),
        (exactly(1_001), exactly(1_000), None, False),  # a trifle
        (between(8, 10, 12), exactly(5), "en", False),
        (between(8, 10, 12), exactly(9), "en", True),
        (between(8, 10, 12), between(11, 13, 15), "zh", True),
        (between(8, 10, 12), between(13, 14, 15), "zh", False),
    ],
)
def test_one_language_is_cheaper_only_where_the_ranges_do_not_meet(zh, en, cheaper, unsure):
    row = of_gpt4(zh, en)
    assert (row.cheaper, row.is_unsure) == (cheaper, unsure)


def test_one_text_is_priced_alone():
    prompts, answers = ({"en": {GPT4.id: exactly(n)}} for n in (10, 5))
    row = compared(CONTEXT, GPT4, prompts, answers, INPUTS)
    assert (row.cost("en"), row.premium, row.cheaper) == (Decimal("0.6"), None, None)
    assert of_gpt4(exactly(2), exactly(0)).premium is None
    row = of_gpt4(between(9, 10, 11), between(8, 10, 12))
    assert row.worse_count is row.prompts["en"]  # the less certain one


@pytest.mark.parametrize("name", ["openai/gpt-4", "deepseek/deepseek-v4-pro"])
def test_an_answer_by_length_is_the_same_content_in_each_language(name):
    model = pricing.model(name)
    zh = length([model], (1_000, "hanzi"), "zh")[model.id]
    en = length([model], (1_000, "hanzi"), "en")[model.id]
    text = "\n".join(pair.zh for pair in samples.pairs())
    hanzi = sum("\u4e00" <= letter <= "\u9fff" for letter in text)
    whole = {code: counting.count([model], each)[model.id].tokens for code, each in
             (("zh", text), ("en", "\n".join(pair.en for pair in samples.pairs())))}  # fmt: skip
    assert zh.tokens == pytest.approx(whole["zh"] * 1_000 / hanzi, rel=0.01)
    assert zh.tokens / en.tokens == pytest.approx(whole["zh"] / whole["en"], rel=0.01)
    assert badge(zh) == "by length"


def test_an_estimates_bar_and_its_line_say_the_amount_and_between_what_it_is():
    data = by_model_and_language(CONTEXT, [of_gpt4(between(8, 10, 12), exactly(5))])
    chart = costs_by_language(data, title="US dollars").to_dict()
    (rows,) = [rows for rows in chart["datasets"].values() if len(rows) == 1]
    assert (rows[0]["money"], rows[0]["range"]) == ("$0.300", "$0.24 – $0.36")
    shown = [{each["field"] for each in part["encoding"]["tooltip"]} for part in chart["layer"]]
    assert [part["mark"]["type"] for part in chart["layer"]] == ["bar", "rule", "text"]
    assert all(fields >= {"model", "language", "money", "range"} for fields in shown)


@pytest.mark.parametrize("amount", ["50.775", "1.6925", "0.1005", "1.005"])
def test_half_a_cent_is_rounded_alike_in_a_sentence_a_chart_and_a_table(amount):
    money, amount = Money("USD"), Decimal(amount)
    column, cells = money.column("Cost", [amount, Decimal("0.5"), None])
    assert cells[2] is None
    shown = [tables.written(column, value) for value in cells[:2]]
    assert shown == money.texts([amount, Decimal("0.5")])
    if amount > 1:
        assert money.texts([amount, Decimal(3)])[0] == money.text(amount)

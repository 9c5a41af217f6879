"""Two languages held against each other, with prices and counts worked out by hand."""

from array import array
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from bpe import pricing
from bpe.errors import Sentence
from bpe.pricing import TokenCount
from playground.cost import counting
from playground.cost.context import Money, PricingContext
from playground.cost.counting import CountColumn
from playground.cost.languages.comparing import Length, compared, mean_lengths, mean_of
from playground.cost.languages.inputs import Inputs, PairFile
from playground.cost.languages.results import by_model_and_language, costs_by_language
from playground.ui import tables

GPT4 = pricing.model("openai/gpt-4")  # 30 and 60 US dollars per million; window 8,192
MOMENT = datetime(2026, 11, 21, 4, tzinfo=UTC)
CONTEXT = PricingContext(
    table=pricing.data.table(),
    overrides={},
    money=Money("USD"),
    rate=pricing.own_rate(7, MOMENT.date()),
    when=MOMENT,
    free_weekends=False,
    now=MOMENT,
)
METHOD = Sentence.of("by hand")
INPUTS = Inputs({}, {}, [GPT4], reasoning=0, requests=1_000, messages=0)


def exactly(tokens: int) -> Length:
    return Length(tokens, tokens, tokens, tokens)


def between(low: int, tokens: int, high: int) -> Length:
    return Length(tokens, low, high, tokens)


def of_gpt4(zh: Length, en: Length, answer_zh: int = 0, answer_en: int = 0):
    prompts = {"zh": {GPT4.id: zh}, "en": {GPT4.id: en}}
    answers = {"zh": {GPT4.id: exactly(answer_zh)}, "en": {GPT4.id: exactly(answer_en)}}
    return compared(CONTEXT, GPT4, prompts, answers, INPUTS)


def test_prompts_and_answers_are_priced_in_each_language_and_crosswise():
    found = of_gpt4(exactly(2), exactly(1), answer_zh=10, answer_en=5)
    # a thousand requests: prompts 2 × 30 and 1 × 30 thousandths, answers 10 × 60 and 5 × 60
    assert found.costs.cost("zh") == Decimal("0.66")
    assert found.costs.cost("en") == Decimal("0.33")
    assert found.costs.cost("zh", "en") == Decimal("0.36")
    assert found.costs.cost("en", "zh") == Decimal("0.63")
    assert found.premium == 2


@pytest.mark.parametrize(
    ("zh", "en", "surely", "unsure"),
    [
        (exactly(2), exactly(1), True, False),
        (exactly(2), exactly(2), False, False),
        (between(8, 10, 12), exactly(5), True, False),
        (between(8, 10, 12), exactly(9), False, True),
        (between(8, 10, 12), between(11, 13, 15), False, True),
        (between(8, 10, 12), between(13, 14, 15), True, False),
    ],
)
def test_one_language_is_cheaper_only_where_the_ranges_do_not_meet(zh, en, surely, unsure):
    found = of_gpt4(zh, en)
    assert (found.surely_differs, found.is_unsure) == (surely, unsure)


def test_an_estimates_bar_and_its_line_say_the_amount_and_between_what_it_is():
    data = by_model_and_language(CONTEXT, [of_gpt4(between(8, 10, 12), exactly(5))])
    chart = costs_by_language(data, title="US dollars").to_dict()
    (rows,) = [rows for rows in chart["datasets"].values() if len(rows) == 1]
    assert (rows[0]["money"], rows[0]["range"]) == ("$0.300", "$0.24 – $0.36")
    shown = [{each["field"] for each in part["encoding"]["tooltip"]} for part in chart["layer"]]
    assert [part["mark"]["type"] for part in chart["layer"]] == ["bar", "rule", "text"]
    assert all(fields >= {"model", "language", "money", "range"} for fields in shown)


def test_without_english_tokens_there_is_no_premium():
    assert of_gpt4(exactly(2), exactly(0)).premium is None


def test_the_less_certain_prompt_is_named():
    found = of_gpt4(between(9, 10, 11), between(8, 10, 12))
    assert found.worse_count is found.prompts["en"]


@pytest.mark.parametrize(
    ("tokens", "mean", "total"), [([10, 20], 15, 30), ([1, 2], 2, 3), ([1, 1, 2], 1, 4), ([], 0, 0)]
)
def test_a_mean_is_rounded_to_the_nearest_token(tokens, mean, total):
    counts = CountColumn(*(array("q", tokens) for _end in range(3)))
    assert (mean_of(counts).tokens, mean_of(counts).total) == (mean, total)


def test_a_sum_is_exact_only_if_every_text_is():
    counts = CountColumn()
    counts.add(TokenCount(10, "exact", 10, 10, METHOD))
    assert counts.exactness == "exact"
    counts.add(TokenCount(90, "estimate", 80, 95, METHOD))
    assert (counts.exactness, counts.error_percent) == ("estimate", 10)  # 10 of 100 below


def test_of_a_file_counted_in_part_whole_pairs_are_averaged(monkeypatch):
    counts = CountColumn(*(array("q", [10, 4, 20, 6, 90]) for _end in range(3)))
    monkeypatch.setattr(counting, "count_many", lambda models, texts, name: {GPT4.id: counts})
    pairs = PairFile("pairs.csv", (("a", "A"), ("b", "B"), ("c", "C")))
    found = mean_lengths([GPT4], pairs)
    assert (found["zh"][GPT4.id].tokens, found["en"][GPT4.id].tokens) == (15, 5)
    assert (found["zh"][GPT4.id].total, found["en"][GPT4.id].total) == (30, 10)


@pytest.mark.parametrize("amount", [Decimal("50.775"), Decimal("50.785"), Decimal("1.005")])
def test_half_a_cent_is_rounded_alike_in_a_sentence_and_a_row(amount):
    assert Money("USD").texts([amount, Decimal(3)])[0] == Money("USD").text(amount)


@pytest.mark.parametrize("amount", [Decimal("50.775"), Decimal("1.6925"), Decimal("0.1005")])
def test_half_a_cent_is_rounded_alike_in_a_chart_and_a_table(amount):
    money = Money("USD")
    column, cells = money.column("Cost", [amount, Decimal("0.5"), None])
    assert cells[2] is None
    shown = [tables.written(column, value) for value in cells[:2]]
    assert shown == money.texts([amount, Decimal("0.5")])

"""Prompts in two languages, many prompts, and the frame of a chat, worked out by hand."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import Terms, Texts, compare_languages, row_costs, summarise

WHEN = datetime(2026, 11, 10, 12, tzinfo=UTC)


def test_the_same_meaning_is_priced_in_either_language():
    # gpt-5: prompts of 60 and 40 tokens, answers of 150 and 100, 1000 requests:
    # zh: 60 × 1.25 + 150 × 10 = 1575 thousandths = 1.575; en: 40 × 1.25 + 100 × 10 = 1.05
    # zh prompt, en answer: 75 + 1000 = 1.075; en prompt, zh answer: 50 + 1500 = 1.55
    result = compare_languages(
        pricing.model("gpt-5"), zh=Texts(60, 150), en=Texts(40, 100), terms=Terms(WHEN)
    )
    assert (result.cost("zh"), result.cost("en")) == (Decimal("1.575"), Decimal("1.05"))
    assert result.cost("zh", "en") == Decimal("1.075")
    assert result.cost("en", "zh") == Decimal("1.55")
    assert (result.cheaper, result.saving) == ("en", Decimal("0.525"))
    assert result.saving_share == Decimal("0.525") / Decimal("1.575")


def test_requests_in_two_languages_say_what_a_single_one_says():
    # gpt-4 has a window of 8,192: 8,000 + 300 is too much, in Chinese only
    model = pricing.model("gpt-4")
    result = compare_languages(model, zh=Texts(8_000, 300), en=Texts(7_000, 300), terms=Terms(WHEN))
    assert result.fits is False
    assert [str(note)[:40] for note in result.notes] == ["Input and answer together need 8,300 tok"]
    assert compare_languages(model, Texts(7_000), Texts(7_000), terms=Terms(WHEN)).fits
    noon = datetime(2026, 11, 10, 4, tzinfo=UTC)
    (note,) = compare_languages(
        pricing.model("deepseek-flash"), Texts(1), Texts(1), terms=Terms(noon)
    ).notes
    assert str(note).startswith("This is the off-peak price")


def test_reasoning_comes_before_every_answer():
    # gpt-5: 60 × 1.25 + (150 + 50) × 10 = 2075 thousandths for a thousand requests
    result = compare_languages(
        pricing.model("gpt-5"),
        Texts(60, 150),
        Texts(40, 100),
        reasoning_tokens=50,
        terms=Terms(WHEN),
    )
    assert result.cost("zh") == Decimal("2.075")
    rows = row_costs(
        pricing.model("gpt-5"), [60], output_tokens=150, reasoning_tokens=50, terms=Terms(WHEN)
    )
    assert rows == [Decimal("0.002075")]


def test_equal_languages_have_no_cheaper_one():
    result = compare_languages(pricing.model("gpt-5"), zh=Texts(0), en=Texts(0), terms=Terms(WHEN))
    assert result.cheaper is None
    assert result.saving_share == 0
    with pytest.raises(BPEError, match="negative"):
        compare_languages(pricing.model("gpt-5"), Texts(1), Texts(1), requests=-1)


def test_a_column_of_counts_is_summed_up():
    # sorted 1 … 20: the 10th is the median by nearest rank, the 19th the 95th percentile
    counts = [*range(20, 0, -1)]
    summary = summarise(counts, limit=17)
    assert (summary.rows, summary.total, summary.mean) == (20, 210, Decimal("10.5"))
    assert (summary.p50, summary.p95, summary.longest) == (10, 19, 20)
    assert summary.over == (0, 1, 2)  # 20, 19, 18


def test_an_empty_column_is_all_zero():
    summary = summarise([])
    assert (summary.rows, summary.total, summary.mean, summary.p95) == (0, 0, 0, 0)


def test_negative_counts_are_refused():
    with pytest.raises(BPEError, match="negative"):
        summarise([1, -1])


def test_rows_are_priced_one_by_one():
    # gpt-5: 1000 × 1.25 + 100 × 10 = 2250 millionths; 2000 × 1.25 + 1000 = 3500
    costs = row_costs(pricing.model("gpt-5"), [1000, 2000], output_tokens=100, terms=Terms(WHEN))
    assert costs == [Decimal("0.00225"), Decimal("0.0035")]

"""Exchange rates, and money as text."""

from datetime import date
from decimal import Decimal

import pytest

from bpe.errors import BPEError
from bpe.pricing import example_rate, money_text, own_rate


def test_the_example_rate_has_a_source_and_says_that_it_is_an_example():
    rate = example_rate()
    assert rate.cny_per_usd == Decimal("7.25")
    assert rate.source.startswith("https://")
    assert rate.note.startswith("An example, not a quotation")


def test_a_rate_of_ones_own_is_dated_and_marked():
    rate = own_rate("7.1", date(2026, 11, 20))
    assert (rate.cny_per_usd, rate.date, rate.source) == (Decimal("7.1"), date(2026, 11, 20), None)
    assert rate.note == "Entered by hand."


@pytest.mark.parametrize("rate", [0, -7, 1000, "seven", float("nan")])
def test_an_impossible_rate_is_refused(rate):
    with pytest.raises(BPEError):
        own_rate(rate, date(2026, 11, 20))


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        ("0", "$0.00"),
        ("148.125", "$148.13"),
        ("1", "$1.00"),
        ("0.9995", "$1.00"),
        ("0.0058", "$0.0058"),
        ("0.00000123456", "$0.00000123"),
        ("1234567", "$1,234,567.00"),
        ("-16.875", "-$16.88"),
    ],
)
def test_money_is_rounded_only_when_shown(amount, text):
    assert money_text(Decimal(amount)) == text

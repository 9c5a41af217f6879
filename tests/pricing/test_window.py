"""The window's gauge, and what remains of it."""

from dataclasses import replace
from decimal import Decimal

import pytest

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import gauge, remaining


def test_the_gauge_shows_what_is_used_and_what_is_free():
    filled = gauge(pricing.model("gpt-4o"), 32_000, reserve=16_000)  # window 128 000
    assert filled.share == Decimal("0.25")
    assert filled.free == 80_000
    assert filled.fits


@pytest.mark.parametrize(("tokens", "fits", "free"), [(112_000, True, 0), (112_001, False, 0)])
def test_the_answer_needs_room_too(tokens, fits, free):
    filled = gauge(pricing.model("gpt-4o"), tokens, reserve=16_000)
    assert (filled.fits, filled.free) == (fits, free)


def test_input_may_be_limited_more_than_the_window():
    model = pricing.model("openai/gpt-5")  # 400,000 with the answer, 272,000 of input
    assert gauge(model, 272_000).fits
    assert not gauge(model, 272_001).fits
    assert (gauge(model, 0).free, gauge(model, 0, reserve=200_000).free) == (272_000, 200_000)
    (note,) = pricing.cost(model, pricing.Usage(300_000)).notes
    assert str(note).startswith("300,000 tokens of input are more than the 272,000 that this model")
    assert pricing.cost(model, pricing.Usage(300_000)).fits is False


def test_an_unknown_window_gives_no_number():
    unknown = gauge(replace(pricing.model("gpt-4o"), context_window=None), 5)
    assert (unknown.share, unknown.free, unknown.fits) == (None, None, None)


def test_what_remains_is_told_in_characters_words_and_pages():
    # 80 000 / 0.8 = 100 000 汉字 = 125 pages of 800; 80 000 / 1.25 = 64 000 words = 128 of 500
    left = remaining(80_000, tokens_per_hanzi=Decimal("0.8"), tokens_per_word=Decimal("1.25"))
    assert (left.hanzi, left.words) == (100_000, 64_000)
    assert (left.zh_pages, left.en_pages) == (Decimal("125.0"), Decimal("128.0"))


def test_what_remains_is_rounded_down():
    left = remaining(1000, tokens_per_hanzi=Decimal("0.7"), tokens_per_word=Decimal("1.3"))
    assert (left.hanzi, left.words) == (1428, 769)  # 1428.57…, 769.23…
    assert (left.zh_pages, left.en_pages) == (Decimal("1.7"), Decimal("1.5"))


def test_a_rate_of_zero_is_refused():
    with pytest.raises(BPEError, match="more than zero"):
        remaining(1, tokens_per_hanzi=Decimal(0), tokens_per_word=Decimal(1))

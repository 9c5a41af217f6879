"""A row of the table of prices, and prices published in another currency."""

from dataclasses import replace

import pytest

from bpe import pricing
from playground.cost import layout
from playground.cost.price_settings import Money
from playground.cost.prices import _columns
from tests.cost.test_comparing import CONTEXT


def row_of(context, model) -> dict[str, object]:
    columns = _columns(context, [model])
    return {name: cell(model) for name, (_heading, cell) in columns.items()}


@pytest.mark.parametrize(
    ("model", "cells"),
    [
        (
            "openai/gpt-5.6-sol",
            {"input": 4, "cached_input": 0.4, "cache_write": 5, "output": 20, "batch_input": 2,
             "batch_output": 10, "long": "> 272,000: $8.00 / $30.00", "window": 1_050_000,
             "most": 128_000, "date": "2026-08-21 (in force since) · until 2026-11-21"},
        ),
        (
            "alibaba-cn/qwen3-max",
            {"date": "2026-05-01 (this price) · older than 30 days"},
        ),
        ("alibaba-cn/qwen3.6-plus", {"date": "2026-07-02 (the list) · older than 30 days"}),
        ("deepseek/deepseek-v4-pro", {"hours": "09:00–12:00 / 14:00–18:00"}),
        (
            "zhipuai/GLM-5.3",
            {"model": "GLM-5.3 · mainland China", "input": 8, "cached_input": 2, "output": 28,
             "published": "CNY"},
        ),
    ],
)  # fmt: skip
def test_a_row_has_prices_limits_dates_and_old_marks(model, cells):
    row = row_of(CONTEXT, pricing.model(model))
    assert {name: row[name] for name in cells} == cells


def test_prices_published_in_yuan_say_how_they_were_converted():
    rate = pricing.own_rate(7, CONTEXT.now.date())
    context = replace(CONTEXT, rate=rate)
    model = pricing.model("alibaba-cn/qwen3-max").in_currency("USD", rate)
    assert row_of(context, model)["long"] == "> 32,000: $0.571 / $2.29; > 128,000: $1.00 / $4.00"
    notes = "".join(map(str, layout.model_notes(context, model)))
    assert "Published in CNY; converted at 7 yuan" in notes
    assert layout.model_notes(replace(context, money=Money("CNY")), model) == model.notes

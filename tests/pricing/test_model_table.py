"""Finding a model by its name or by conditions, and telling an old price."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import find

WHEN = datetime(2026, 11, 10, 12, tzinfo=UTC)


def test_a_model_is_found_by_id_or_by_the_name_that_one_provider_uses():
    assert pricing.model("openai/gpt-5").id == "openai/gpt-5"
    assert pricing.model(" GPT-5 ").id == "openai/gpt-5"
    assert pricing.model("alibaba-cn/qwen-max").region == "mainland China"


def test_an_ambiguous_name_lists_its_providers():
    with pytest.raises(BPEError, match=r"Say which: zai/GLM-5, zhipuai/GLM-5\."):
        pricing.model("GLM-5")


def test_an_unknown_name_lists_the_nearest():
    with pytest.raises(BPEError, match="Did you mean: openai/gpt-5,"):
        pricing.model("gpt5")
    with pytest.raises(BPEError, match=r"There is no model “zzzz” in the price list\.$"):
        pricing.model("zzzz")


@pytest.mark.parametrize(
    ("today", "stale"),
    [
        (date(2026, 11, 9), False),
        (date(2026, 12, 9), False),  # 30 days of November
        (date(2026, 12, 10), True),
        (date(2026, 1, 1), False),
    ],
)
def test_a_price_is_stale_after_thirty_days(today, stale):
    assert pricing.is_stale(pricing.model("gpt-5"), today) is stale


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({"text": "claude OPUS 4-8"}, ["anthropic/claude-opus-4-8"]),
        ({"vendors": ["DeepSeek"], "regions": ["outside mainland China"]},
         ["deepseek/deepseek-flash", "deepseek/deepseek-v4-pro"]),
        ({"vendors": ["DeepSeek"], "regions": ["mainland China"]},
         ["deepseek-cn/deepseek-flash", "deepseek-cn/deepseek-v4-pro"]),
        ({"text": "qwen-max", "regions": ["mainland China"]}, ["alibaba-cn/qwen-max"]),
        ({"text": "qwen3-", "open_weights": True, "regions": ["outside mainland China"]},
         ["alibaba/qwen3-235b-a22b", "alibaba/qwen3-32b", "alibaba/qwen3-8b"]),
        ({"min_context": 10_000_000}, ["alibaba-cn/qwen-long"]),
        ({"vendors": ["Mistral"], "max_input_price": Decimal(".1")}, ["mistral/ministral-3b-2512"]),
        ({"text": "no such model"}, []),
    ],
)  # fmt: skip
def test_models_are_found_by_any_condition(conditions, expected):
    found = find(pricing.models(), when=WHEN, **conditions)
    assert [model.id for model in found] == expected

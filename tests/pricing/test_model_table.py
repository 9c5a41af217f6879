"""Finding a model by its name or by conditions, and telling an old price."""

from datetime import date

import genai_prices
import pytest

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import Table, Unpriced, genai_list
from tests.each import each


def test_an_ambiguous_name_lists_its_providers():
    with pytest.raises(BPEError, match=r"Say which: zai/GLM-5, zhipuai/GLM-5\."):
        pricing.model("GLM-5")


# What an API answers with, and how hosts and fine-tuning change it; and the id of its price.
NAMES = {
    " GPT-5 ": "openai/gpt-5",
    "deepseek-v4-pro": "deepseek/deepseek-v4-pro",
    "alibaba-cn/qwen-max": "alibaba-cn/qwen-max",
    "gpt-5-2025-08-07": "openai/gpt-5",
    "gpt-35-turbo": "openai/gpt-3.5-turbo",
    "claude-sonnet-4-5-20250929": "anthropic/claude-sonnet-4-5",
    "anthropic/claude-sonnet-4.5": "anthropic/claude-sonnet-4-5",
    "claude-3-5-haiku-20241022": "anthropic/claude-3-5-haiku-latest",
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0":
        "aws/regional.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "mistral-large-latest": "mistral/mistral-large",
    "gemini-2.5-flash-preview-09-2025": "google/gemini-2.5-flash",
    "models/gemini-2.5-pro": "google/gemini-2.5-pro",
    "vertex_ai/gemini-2.5-pro": "google/gemini-2.5-pro",
    "ft:gpt-4o-mini:acme::abc": "openai/gpt-4o-mini",
    "azure/gpt-4.1-2025-04-14": "openai/gpt-4.1",
    "openrouter/openai/gpt-4o": "openrouter/openai/gpt-4o",
    "deepseek-ai/DeepSeek-V3.2": "deepseek/deepseek-v3.2",
    "openai/gpt-oss-120b": "openai/gpt-oss-120b",
    "together_ai/meta-llama/Meta-Llama-3.1-70B-Instruct-Turbo":
        "together/meta-llama/Meta-Llama-3.1-70B-Instruct-Turbo",
    "fireworks_ai/accounts/fireworks/models/deepseek-r1-0528": "fireworks/deepseek-r1-0528",
    "perplexity/sonar": "perplexity/sonar",  # each request costs something, too
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_apis_and_hosts_use_has_its_price(name):
    model = pricing.model(name)
    assert model.id == NAMES[name]
    try:
        usage = genai_prices.Usage(input_tokens=10**6, output_tokens=10**6)
        theirs = genai_prices.calc_price(usage, name).total_price
    except LookupError:
        return
    assert pricing.cost(model, pricing.Usage(10**6, output_tokens=10**6)).total == theirs


def test_a_host_of_the_list_has_its_own_price_and_no_other():
    """Also of a model that its maker sells, or that is called after a greater one."""
    for provider in genai_list.bundled().providers:
        for info in provider.models:
            name = f"{provider.id}/{info.id}"
            if genai_list._has_text_prices(info) and not info.id.startswith("ft:"):
                assert pricing.model(name).id == name


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("deepseek/deepseek-r1:free", "costs nothing"),
        ("z-ai/glm-4.5-air", None),
        ("modelhub/GLM-4.5-Air", "Say which"),
        ("deepseek-r1-distill-llama-70b", "no model"),
    ],
)
def test_a_name_of_another_price_is_not_taken_for_it(name, reason):
    if reason is None:
        assert pricing.model(name).id == "zai/GLM-4.5-Air"
        return
    with pytest.raises(BPEError, match=reason):
        pricing.model(name)
    assert pricing.count_messages([{"role": "user", "content": "hi"}], model="qwen3-8b:free")


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("gpt5", "openai/gpt-5,"),
        ("gtp-5", "openai/gpt-5,"),
        ("claude-banana", "anthropic/claude-"),
        ("qwen3-max", "alibaba/qwen3-max, alibaba-cn/qwen3-max"),  # at different prices
        ("Qwen/Qwen3-8B", "alibaba/qwen3-8b, alibaba-cn/qwen3-8b"),
    ],
)
def test_an_unknown_name_lists_the_nearest_of_its_family(name, nearest):
    with pytest.raises(BPEError, match=f"(Did you mean|Say which): {nearest}") as raised:
        pricing.model(name)
    ids = raised.value.values["ids"].split(", ")
    family = ids[0].partition("/")[2][:3]
    assert all(each.partition("/")[2].startswith(family) for each in ids)


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
    assert pricing.model("gpt-5").is_stale(today) is stale


@pytest.mark.parametrize(
    ("words", "expected"),
    [("claude OPUS 4-8", ["anthropic/claude-opus-4-8"]), ("no such model", [])],
)
def test_models_are_found_by_words(words, expected):
    assert [model.id for model in pricing.table().models(words)] == expected


# Models without a dated price are named as unknown, each with a place for prices by hand.


FAMILIES = pricing.table().unpriced
UNPRICED = {
    "ByteDance": "doubao-seed-1.6, 豆包, volcengine/Doubao-1.5-pro-32k",
    "Tencent": "hunyuan-turbos",
    "Baidu": "ERNIE 4.5 Turbo",
    "MiniMax": "minimax-cn/MiniMax-M2.7",
    "Moonshot": "moonshotai-cn/kimi-k2.6",
    "Alibaba": "qwen3-14b, alibaba-cn/qwen3-30b-a3b, qwen3-next-80b-a3b-instruct, Qwen3 VL plus",
    "Zhipu": "zhipuai/GLM-4.6",
}


@each(UNPRICED.items())
def test_a_model_without_a_price_is_named_with_its_vendor(row):
    vendor, names = row
    for name in names.split(", "):
        with pytest.raises(BPEError, match="No dated source of the price") as raised:
            pricing.model(name)
        values = raised.value.values
        assert (values["name"], values["vendor"]) == (name, vendor)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_model_that_is_named_beside_a_family_is_of_the_kind_that_is_said(family):
    model = pricing.model(family.model)
    if family.lack == "prices":
        assert model.tokenizer == "qwen3"
    if family.lack == "prices in yuan":
        assert (model.vendor, model.prices.published_in) == (family.vendor, "USD")


def test_no_model_of_the_list_is_hidden_by_a_family():
    for model in pricing.models(deprecated=True):
        assert pricing.model(model.id) is model


def test_a_newer_list_that_has_the_model_is_believed():
    family = Unpriced("GPT", "OpenAI", ("gpt-",), "prices", "openai/gpt-5")
    listed = Table((pricing.model("openai/gpt-5"),), pricing.table().date, (family,))
    assert listed.model("gpt-5").id == "openai/gpt-5"
    with pytest.raises(BPEError, match="No dated source"):
        listed.model("gpt-99")


@pytest.mark.parametrize("name", ["zzzz", "qwen3-1"])
def test_a_name_of_no_family_has_no_nearest(name):
    with pytest.raises(BPEError, match=rf"There is no model “{name}” in the price list\."):
        pricing.model(name)
    assert pricing.family_of("", FAMILIES) is None
    assert pricing.table().in_currency("CNY", pricing.example_rate()).unpriced == FAMILIES

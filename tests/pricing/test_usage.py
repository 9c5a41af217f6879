"""Usage objects of every vendor: their money is that of genai-prices, and no field is dropped."""

from decimal import Decimal

import genai_prices
import pytest
from genai_prices.types import ArrayMatch

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import genai_list, read_usage

SEARCHED = {"input_tokens": 10, "output_tokens": 5,
            "server_tool_use": {"web_search_requests": 3, "web_fetch_requests": 2}}  # fmt: skip

# What is read: input, cached, written, answer, reasoning; then other units, and what is not read.
DIALECTS = {
    "OpenAI": (
        {"prompt_tokens": 95, "completion_tokens": 20, "total_tokens": 115, "prompt_tokens_details":
         {"cached_tokens": 64, "audio_tokens": 0}, "completion_tokens_details":
         {"reasoning_tokens": 12, "rejected_prediction_tokens": 3}},
        (95, 64, 0, 8, 12)),
    "OpenAI, images and sound": (
        {"prompt_tokens": 100, "completion_tokens": 10, "prompt_tokens_details":
         {"audio_tokens": 30, "image_tokens": 50}},
        (100, 0, 0, 10, 0), {"input_audio_tokens": 30, "input_image_tokens": 50}),
    "Anthropic": (
        {"input_tokens": 5, "cache_read_input_tokens": 80, "cache_creation_input_tokens": 10,
         "output_tokens": 20},
        (95, 80, 10, 20, 0)),
    "Anthropic, an hour": (
        {"input_tokens": 88, "output_tokens": 41, "cache_creation_input_tokens": 200,
         "cache_read_input_tokens": 1000, "service_tier": "standard", "cache_creation":
         {"ephemeral_5m_input_tokens": 50, "ephemeral_1h_input_tokens": 150}},
        (1288, 1000, 200, 41, 0), {"cache_write_5m_tokens": 50, "cache_write_1h_tokens": 150}),
    "Anthropic, searches": (
        SEARCHED,
        (10, 0, 0, 5, 0), {"web_searches": 3}, ("server_tool_use.web_fetch_requests",)),
    "Gemini": (
        {"usageMetadata": {"promptTokenCount": 95, "cachedContentTokenCount": 64,
         "candidatesTokenCount": 8, "thoughtsTokenCount": 12, "totalTokenCount": 115,
         "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 5}, {"modality": "AUDIO",
         "tokenCount": 90}]}},
        (95, 64, 0, 8, 12), {"input_text_tokens": 5, "input_audio_tokens": 90}),
    "Gemini in Python": (
        {"prompt_token_count": 100, "candidates_token_count": 7, "thoughts_token_count": 3,
         "total_token_count": 110, "tool_use_prompt_token_count": None},
        (100, 0, 0, 7, 3)),
    "xAI": (
        {"prompt_tokens": 32, "completion_tokens": 9, "total_tokens": 135,
         "completion_tokens_details": {"reasoning_tokens": 94}, "num_sources_used": 2},
        (32, 0, 0, 9, 94), {}, ("num_sources_used",)),
    "DeepSeek": (
        {"prompt_tokens": 95, "completion_tokens": 20, "prompt_cache_hit_tokens": 64,
         "prompt_cache_miss_tokens": 31},
        (95, 64, 0, 20, 0)),
    "Kimi": (
        {"prompt_tokens": 1900, "completion_tokens": 21, "total_tokens": 1921,
         "cached_tokens": 1800},
        (1900, 1800, 0, 21, 0)),
    "DashScope": (
        {"prompt_tokens": 300, "completion_tokens": 20, "total_tokens": 320,
         "prompt_tokens_details": {"cached_tokens": 0, "cache_creation_input_tokens": 200,
         "cache_type": "ephemeral"}},
        (300, 0, 200, 20, 0), {}, ("prompt_tokens_details.cache_type",)),
    "Bedrock": (
        {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15, "cacheReadInputTokens": 90},
        (100, 90, 0, 5, 0)),
    "Cohere": (
        {"billed_units": {"input_tokens": 5, "output_tokens": 3}, "tokens": {"input_tokens": 71,
         "output_tokens": 3}},
        (5, 0, 0, 3, 0), {}, ("tokens.input_tokens", "tokens.output_tokens")),
    "OpenRouter": (
        {"prompt_tokens": 24, "completion_tokens": 8, "total_tokens": 32, "cost": 0.01,
         "prompt_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 6}},
        (24, 4, 6, 8, 0), {}, ("cost",)),
    "Perplexity": (
        {"prompt_tokens": 24, "completion_tokens": 8, "total_tokens": 32, "citation_tokens": 100,
         "num_search_queries": 7, "reasoning_tokens": 50},
        (24, 0, 0, 108, 50), {"output_citation_tokens": 100, "web_searches": 7}),
    "LiteLLM": (
        {"prompt_tokens": 130, "completion_tokens": 20, "total_tokens": 150,
         "cache_creation_input_tokens": 20, "cache_read_input_tokens": 100, "prompt_tokens_details":
         {"cached_tokens": 100, "cache_creation_tokens": 20, "cache_creation_token_details":
         {"ephemeral_1h_input_tokens": 20}}},
        (130, 100, 20, 20, 0), {"cache_write_1h_tokens": 20}),
    "LiteLLM, older": (
        {"prompt_tokens": 130, "completion_tokens": 20, "total_tokens": 150,
         "cache_creation_input_tokens": 20, "cache_read_input_tokens": 100},
        (130, 100, 20, 20, 0)),
    "LangChain": (
        {"usage_metadata": {"input_tokens": 350, "output_tokens": 240, "total_tokens": 590,
         "input_token_details": {"audio": 10, "cache_creation": 200, "cache_read": 100},
         "output_token_details": {"reasoning": 200}}},
        (350, 100, 200, 40, 200), {"input_audio_tokens": 10}),
    "Pydantic AI": (
        {"input_tokens": 100, "cache_write_tokens": 10, "cache_read_tokens": 20,
         "output_tokens": 30, "input_audio_tokens": 0, "details": {}},
        (100, 20, 10, 30, 0)),
    "Vercel": (
        {"promptTokens": 100, "completionTokens": 30, "totalTokens": 130},
        (100, 0, 0, 30, 0)),
    "Ollama": (
        {"prompt_eval_count": 26, "eval_count": 298, "context": [1, 2, 3], "done": True},
        (26, 0, 0, 298, 0), {}, ("context", "done")),
    "vLLM": (
        {"prompt_tokens": 10, "total_tokens": 15, "completion_tokens": 5,
         "prompt_tokens_details": None, "kv_transfer_params": None},
        (10, 0, 0, 5, 0)),
    "Mistral": (
        {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15, "num_cached_tokens": 4,
         "prompt_token_details": {"cached_tokens": 4}, "prompt_audio_seconds": 12},
        (10, 4, 0, 5, 0), {}, ("prompt_audio_seconds",)),
    "Gemini live": (
        {"promptTokenCount": 100, "responseTokenCount": 20, "totalTokenCount": 120,
         "responseTokensDetails": [{"modality": "AUDIO", "tokenCount": 20}]},
        (100, 0, 0, 20, 0), {"output_audio_tokens": 20}),
    "Anthropic's stream": (
        {"type": "message_start", "message": {"usage": {"input_tokens": 25, "output_tokens": 1}}},
        (25, 0, 0, 1, 0)),
    "Groq's stream": (
        {"choices": [], "x_groq": {"usage": {"prompt_tokens": 10, "completion_tokens": 5,
         "total_tokens": 15}}},
        (10, 0, 0, 5, 0)),
    "Kimi's stream": (
        {"choices": [{"usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15,
         "cached_tokens": 4}}]},
        (10, 4, 0, 5, 0)),
    "Bedrock's stream": (
        {"amazon-bedrock-invocationMetrics": {"inputTokenCount": 10, "outputTokenCount": 20}},
        (10, 0, 0, 20, 0)),
    "Cohere, an answer": (
        {"meta": {"billed_units": {"input_tokens": 17, "output_tokens": 12}, "tokens":
         {"input_tokens": 83}, "cached_tokens": 48}},
        (17, 0, 0, 12, 0), {}, ("tokens.input_tokens", "cached_tokens")),
}  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_is_read_to_what_is_billed(dialect):
    usage, parts, *rest = DIALECTS[dialect]
    more, unread = [*rest, *({}, ())[len(rest) :]]
    found = read_usage(usage)
    assert (
        found.input, found.cached_tokens, found.cache_write_tokens, found.output_tokens,
        found.reasoning_tokens,
    ) == parts  # fmt: skip
    assert found.more == more
    assert found.unread == unread


@pytest.mark.parametrize(
    ("usage", "reason"),
    [
        ({}, "not a usage object"),
        ([], "not a usage object"),
        ({"choices": [], "usage": None}, "not a usage object"),  # but for the end of a stream
        ({"prompt_tokens": "9"}, "not a usage object"),
        ({"prompt_tokens": 1, "prompt_cache_hit_tokens": 2}, "part is more than the whole"),
        ({"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 50}, "total is not the sum"),
        ({"prompt_tokens": -9, "completion_tokens": 3}, "usage object"),
    ],
)
def test_what_contradicts_itself_is_refused(usage, reason):
    with pytest.raises(BPEError, match=reason):
        read_usage(usage)


@pytest.mark.parametrize(
    ("model", "usage", "money"),
    [  # of adopters' reports, by genai-prices or the vendor's own bill
        ("gpt-5.6-sol", {"input_tokens": 5000, "output_tokens": 100, "input_tokens_details":
                         {"cached_tokens": 1000, "cache_write_tokens": 3000}}, "0.0214"),
        ("kimi-k2.5", DIALECTS["Kimi"][0], "0.000303"),
        ("gemini-2.5-flash", {"promptTokenCount": 10**6, "candidatesTokenCount": 0,
         "promptTokensDetails": [{"modality": "AUDIO", "tokenCount": 10**6}]}, "1"),
        ("claude-sonnet-4-5", {"input_tokens": 10, "cache_creation_input_tokens": 1000,
         "output_tokens": 5, "cache_creation": {"ephemeral_1h_input_tokens": 1000}}, "0.006105"),
        ("claude-sonnet-4-5", {"input_tokens": 10**6, "output_tokens": 0,
                               "service_tier": "batch"}, "3"),
        ("claude-sonnet-4-5", SEARCHED, "0.030105"),
        ("gpt-5", {"model": "gpt-5", "service_tier": "priority",
                   "usage": {"prompt_tokens": 10**6, "completion_tokens": 0}}, "2.5"),
    ],
)  # fmt: skip
def test_every_unit_has_its_price(model, usage, money):
    found = pricing.model(model)
    bill = pricing.cost(found, read_usage(usage, found.provider))
    assert bill.total == Decimal(money)
    assert bill.at_least is model.endswith("sol")  # a promotional price that has ended


@pytest.mark.parametrize(
    ("usage", "unpriced"),
    [
        (DIALECTS["OpenAI, images and sound"][0], ("input_audio_tokens",)),
        ({**SEARCHED, "service_tier": "priority"}, ("web_searches",)),
    ],
)
def test_what_has_no_price_is_named_and_the_total_at_least(usage, unpriced):
    bill = pricing.cost(pricing.model("zai/GLM-4.5"), read_usage(usage))
    assert (bill.unpriced, bill.at_least) == (unpriced, True)
    assert "Not priced" in " ".join(map(str, bill.notes))


def _object_for(extractor):
    """Return an object that has a number wherever an extractor looks for one."""
    usage = {}
    for number, mapping in enumerate(extractor.mappings, start=1):
        path = (mapping.path,) if isinstance(mapping.path, str) else mapping.path
        place = usage
        for step, following in zip(path, [*path[1:], None], strict=True):
            if isinstance(step, ArrayMatch):
                item = {step.field: step.match.equals}
                known = [each for each in place if each[step.field] == step.match.equals]
                place.extend([] if known else [item])
                place = known[0] if known else item
            elif following is None:
                whole = 100_000 * mapping.dest.startswith(("input_tokens", "output_tokens"))
                place.setdefault(step, number + (whole or 1_000) * (len(path) == 1))
            else:
                place = place.setdefault(step, [] if isinstance(following, ArrayMatch) else {})
    root = [extractor.root] if isinstance(extractor.root, str) else extractor.root
    for name in reversed(root):
        usage = {name: usage}
    return usage


FLAVORS = {
    f"{provider.id} {extractor.api_flavor}": (provider, extractor, model)
    for provider in genai_list.bundled().providers
    for model in [next((m for m in pricing.models() if m.provider == provider.id), None)]
    if model and model.prices.currency == "USD" and not model.prices.has_hours
    for extractor in provider.extractors or ()
    if not extractor.api_flavor.startswith(("realtime", "live", "ocr", "images"))
}


@pytest.mark.parametrize("flavor", FLAVORS)
def test_the_money_is_that_of_the_extractor_of_genai_prices(flavor):
    provider, extractor, model = FLAVORS[flavor]
    data = _object_for(extractor)
    found = read_usage(data, provider.id)
    _name, usage = provider.extract_usage(data, api_flavor=extractor.api_flavor)
    try:
        theirs = genai_prices.calc_price(usage, model.ref, provider_id=provider.id)
    except ValueError:  # where sound in the cache is not told apart it gives no price at all
        return
    assert pricing.cost(model, found).total == theirs.total_price
    assert found.unread == ()

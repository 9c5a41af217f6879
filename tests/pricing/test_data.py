"""The table of models: what is in it, where it is from, and a newer list."""

import copy
import csv
import re
import threading
from datetime import UTC, date, datetime
from decimal import Decimal
from io import StringIO

import pytest

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import calibrations, data, genai_list, refresh
from bpe.pricing.count import PANEL
from tests.each import each

ENCODINGS = {
    "cl100k_base", "o200k_base", "o200k_harmony", "llama3", "llama2", "deepseek_v3", "deepseek_v4",
    "qwen3", "qwen3_5", "glm4", "glm5", "gemma2",
    "mistral_v1", "mistral_v2", "mistral_v3", "gemma3", "kimi_k2", "kimi_k3", "p50k_base",
}  # fmt: skip

QWEN_LIST = """\
alibaba,qwen-plus,0.4,1.2,1000000,32768
alibaba,qwen3-max,1.2,6,262144,65536
alibaba,qwen3.7-max,2.5,7.5,1000000,65536
alibaba-cn,qwen-max,2.4,9.6,131072,8192
alibaba-cn,qwen-long,0.5,2,10000000,8192
alibaba-cn,qwen-plus,0.8,2,1000000,32768
alibaba-cn,qwen3-235b-a22b,2,8,131072,16384
alibaba-cn,qwen3-32b,2,8,131072,16384
alibaba-cn,qwen3.6-max-preview,9,54,245800,65536
"""

ALL = pricing.models(deprecated=True)
WHEN = datetime(2026, 11, 10, 12, tzinfo=UTC)
by_model = each(ALL, name=lambda model: model.id)


def test_the_main_vendors_are_there():
    vendors = {model.vendor for model in pricing.models()}
    assert vendors == {
        "OpenAI", "Anthropic", "Google", "DeepSeek", "Moonshot", "Zhipu", "Mistral", "MiniMax",
        "xAI", "Meta", "Alibaba",
    }  # fmt: skip
    assert len({model.id for model in ALL}) == len(ALL)
    hidden = {model.id for model in ALL} - {model.id for model in pricing.models()}
    assert {"openai/o1-preview", "deepseek/deepseek-chat"} <= hidden  # ended, and out of date
    assert set(PANEL) <= ENCODINGS


@pytest.mark.parametrize("name", ["text-embedding-3-small", "text-embedding-3-large"])
def test_embeddings_are_priced_by_name_and_stand_in_no_list(name):
    model = pricing.model(name)
    assert (model.tokenizer, model.prices.standard[0].rates.output) == ("cl100k_base", None)
    assert model not in pricing.models()
    bill = pricing.cost(model, pricing.Usage(1_000_000))
    assert str(bill.total) == {"text-embedding-3-small": "0.02"}.get(name, "0.13")
    assert pricing.messages.EMBEDDING in map(str, bill.notes)


@by_model
def test_every_model_has_prices_with_source_and_date(model):
    assert model.prices.standard
    for rule in model.prices.standard:
        assert rule.rates.input is not None
        assert (rule.rates.output is None) == (model.ended == pricing.messages.EMBEDDING)
    assert model.sources
    assert all(url.startswith("https://") for url in model.sources)
    lists = {date(2026, 11, 9), date(2026, 7, 2)}
    assert model.price_date in lists or (model.dated == "price" and model.price_date < max(lists))


@by_model
def test_every_limit_is_positive_and_ours_have_a_source(model):
    assert model.context_window is None or model.context_window >= 4_000
    assert model.max_output is None or model.max_output >= 1_000
    if model.max_output is not None:
        assert model.limits_source is not None
        assert model.limits_source[0].startswith("https://")


@by_model
def test_every_model_can_be_counted_and_says_how(model):
    if model.certainty == "estimate":
        assert model.tokenizer is None
        assert model.stand_in in ENCODINGS
    else:
        assert model.tokenizer in ENCODINGS
    assert model.reason in pricing.all_messages()
    assert model.calibration is None or model.calibration in calibrations()


@pytest.mark.parametrize("row", list(csv.reader(StringIO(QWEN_LIST))), ids="/".join)
def test_qwen_has_the_list_prices_of_both_regions(row):
    provider, ref, price_in, price_out, window, most = row
    model = pricing.model(f"{provider}/{ref}")
    (rule,) = model.prices.standard
    assert rule.rates.input.base == Decimal(price_in)
    assert rule.rates.output.base == Decimal(price_out)
    assert (model.context_window, model.max_output) == (int(window), int(most))
    assert model.price_date == date(2026, 7, 2)
    assert model.prices.currency == ("CNY" if provider == "alibaba-cn" else "USD")


@pytest.mark.parametrize(
    ("ref", "tokens", "price_in", "price_out"),
    [
        ("qwen3-max", 32_000, "2.5", "10"),
        ("qwen3-max", 32_001, "4", "16"),
        ("qwen3-max", 128_001, "7", "28"),
        ("qwen3.5-plus", 128_000, "0.8", "4.8"),
        ("qwen3.5-plus", 128_001, "2", "12"),
        ("qwen3.5-plus", 256_001, "4", "24"),
    ],
)
def test_long_requests_have_the_steps_of_the_mainland_list(ref, tokens, price_in, price_out):
    model = pricing.model(f"alibaba-cn/{ref}")
    rates = model.prices.at(WHEN)
    assert rates.input.at(tokens)[0] == Decimal(price_in)
    assert rates.output.at(tokens)[0] == Decimal(price_out)
    assert model.prices.unknown_above is None
    assert (model.price_date, model.dated) == (date(2026, 5, 1), "price")


@pytest.mark.parametrize(
    ("ref", "hour", "price_in", "cached", "price_out"),
    [  # Tuesday, 2026-11-10, in Beijing
        ("deepseek-flash", 8, "1", "0.02", "4"),
        ("deepseek-flash", 9, "2", "0.04", "8"),
        ("deepseek-flash", 12, "1", "0.02", "4"),
        ("deepseek-v4-pro", 17, "9", "0.3", "27"),
        ("deepseek-v4-pro", 18, "4.5", "0.15", "13.5"),
    ],
)
def test_deepseek_charges_in_yuan_by_the_hour(ref, hour, price_in, cached, price_out):
    model = pricing.model(f"deepseek-cn/{ref}")
    rates = model.prices.at(datetime(2026, 11, 10, hour, tzinfo=pricing.BEIJING))
    assert (rates.input.base, rates.cached_input.base, rates.output.base) == tuple(
        map(Decimal, (price_in, cached, price_out))
    )
    assert (model.prices.published_in, model.region) == ("CNY", "mainland China")
    assert model.is_free_weekend(datetime(2026, 11, 14, 10, tzinfo=pricing.BEIJING))


def test_mainland_prices_without_known_yuan_say_so():
    dollars = {
        model.id for model in ALL
        if model.region == "mainland China" and model.prices.published_in == "USD"
    }  # fmt: skip
    assert dollars == {
        "alibaba-cn/qwen3.6-flash", "alibaba-cn/qwen3.6-plus", "alibaba-cn/qwen3.7-max",
        "alibaba-cn/qwen3.7-plus",
    }  # fmt: skip
    assert all("expect another price" in str(pricing.model(name).notes[0]) for name in dollars)


@pytest.mark.parametrize(
    ("name", "day", "kind"),
    [
        ("openai/gpt-5", date(2026, 11, 9), "list"),
        ("alibaba/qwen-max", date(2026, 7, 2), "list"),
        ("zhipuai/GLM-4.7", date(2026, 6, 1), "price"),  # "May/June 2026", by its comment
        ("zhipuai/GLM-5.3", date(2026, 11, 9), "list"),  # newer than that comment
        ("zhipuai/GLM-5.3-Flash", date(2026, 9, 10), "since"),
        ("minimax/MiniMax-M2.7", date(2026, 5, 1), "price"),
        ("minimax/minimax-m3", date(2026, 10, 15), "price"),
        ("moonshotai/kimi-k3", date(2026, 10, 15), "price"),
        ("deepseek/deepseek-v4-pro", date(2026, 8, 17), "since"),
        ("mistral/mistral-large-4", date(2026, 10, 29), "since"),
    ],
)
def test_the_day_of_a_price_is_its_own_where_the_list_has_one(name, day, kind):
    assert pricing.model(name).price_day(WHEN) == (day, kind)


def test_every_remark_is_about_a_model_whose_comment_says_so():
    for remark in data.facts()["remarks"]["model"]:
        about = [
            model for model in ALL
            if model.provider == remark["provider"] and genai_list.fits(model.ref, remark["models"])
        ]  # fmt: skip
        assert about
        for model in about:
            assert any(remark["quote"] in comment for comment in model.comments), model.id


def test_a_remark_holds_as_long_as_the_comment_says_so():
    newer = copy.deepcopy(genai_list.bundled())
    (provider,) = (each for each in newer.providers if each.id == "zhipuai")
    provider.price_comments = "Prices of all steps."
    model = refresh(fetch=lambda: newer, today=date(2026, 11, 20)).model("zhipuai/GLM-4.7")
    assert model.prices.unknown_above is None
    assert model.price_day(WHEN) == (date(2026, 11, 20), "list")


def test_what_is_said_of_a_price():
    inferred, _yuan = pricing.model("minimax/MiniMax-M2").notes
    assert str(inferred).startswith("The price list has inferred this price")
    assert len(pricing.model("minimax/MiniMax-M2.7").notes) == 1
    for name in ("deepseek/deepseek-v4-pro", "zai/GLM-5"):  # their lists in yuan are known
        assert pricing.model(name).notes == ()


@pytest.mark.parametrize(
    ("name", "vendor"),
    [("kimi-k2.6", "Moonshot"), ("MiniMax-M2.7", "MiniMax"), ("zai/GLM-4.6", "Zhipu")],
)
def test_a_model_whose_list_in_yuan_is_not_known_says_so_under_its_ordinary_name(name, vendor):
    assert str(pricing.model(name).notes[-1]) == (
        f"These are prices in dollars; in mainland China {vendor} bills yuan, by a list of which "
        "no dated source is at hand."
    )
    assert pricing.model(name).region == "outside mainland China"


@pytest.mark.parametrize(
    ("name", "encoding", "certainty"),
    [
        ("gpt-4o", "o200k_base", "exact"),
        ("gpt-5", "o200k_base", "exact"),
        ("gpt-6-sol", "o200k_base", "assumed"),
        ("gpt-4-turbo", "cl100k_base", "exact"),
        ("deepseek-v4-pro", "deepseek_v4", "exact"),
        ("deepseek-chat", "deepseek_v3", "exact"),
        ("zai/GLM-4.5", "glm4", "exact"),
        ("zai/GLM-5", "glm5", "exact"),
        ("zai/GLM-4.7", None, "estimate"),
        ("zai/GLM-4.7-FlashX", "glm5", "assumed"),
        ("alibaba/qwen3-32b", "qwen3", "exact"),
        ("alibaba/qwen3.5-plus", "qwen3_5", "assumed"),
        ("gemini-2.5-pro", "gemma3", "assumed"),
        ("kimi-k2-0905-preview", "kimi_k2", "assumed"),
        ("claude-opus-4-6", None, "estimate"),
        ("grok-4.7", None, "estimate"),
        ("llama-3.3-70b-versatile", "llama3", "exact"),
    ],
)
def test_each_model_has_the_tokenizer_that_is_known(name, encoding, certainty):
    model = pricing.model(name)
    assert (model.tokenizer, model.certainty) == (encoding, certainty)
    if name.startswith("claude"):
        assert model.calibration == "claude-3-to-4.6"
        assert pricing.model("claude-opus-4-7").calibration == "claude-newest"
        assert pricing.model("claude-2").calibration is None  # older than what was reconstructed


PUBLISHED = "The tokenizer is published, but not at hand here; another vocabulary stands in for it."
UNKNOWN = "We know of no published tokenizer for this model; another vocabulary stands in for it."


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("groq/meta-llama/llama-4-maverick-17b-128e-instruct", PUBLISHED),
        ("together/meta-llama/Llama-4-Scout-17B-16E-Instruct", PUBLISHED),
        ("mistral/mistral-medium-3-5", PUBLISHED),
        ("google/gemini-pro", PUBLISHED),
        ("minimax/MiniMax-M2.7", PUBLISHED),
        ("minimax/minimax-m3", PUBLISHED),
        ("x-ai/grok-4.7", UNKNOWN),
        ("meta/muse-spark-1.3", UNKNOWN),
    ],
)
def test_a_tokenizer_that_is_published_is_not_said_to_be_unknown(name, reason):
    assert pricing.model(name).reason == reason


def test_no_model_with_open_weights_is_said_to_have_no_tokenizer():
    assert not [model.id for model in ALL if model.open_weights and model.reason == UNKNOWN]


def test_every_window_with_a_source_is_that_of_the_source():
    sourced = {row["id"]: row["context_window"] for row in data.facts()["limits"]["model"]}
    assert {model.id: model.context_window for model in ALL if model.id in sourced} == sourced
    assert pricing.model("google/gemini-2.5-pro").max_output == 65_536
    assert pricing.model("alibaba-cn/qwen3.7-max").context_window is None


def test_facts_of_our_own_name_models_that_exist():
    ids = {model.id for model in ALL}
    facts = data.facts()
    assert {row["id"] for row in facts["limits"]["model"]} <= ids
    assert {row["id"] for row in facts["published"]["model"]} <= ids
    assert set(facts["weekends"]["models"]) <= ids


def test_a_price_published_in_yuan_is_kept_as_published():
    prices = pricing.model("zhipuai/GLM-5.3").prices
    rates = prices.at(WHEN)
    assert prices.published_in == "CNY"
    assert (rates.input.base, rates.cached_input.base, rates.output.base) == (8, 2, 28)
    flash = pricing.model("zhipuai/GLM-5.3-Flash").prices
    assert flash.at(WHEN).output.base == Decimal("2.8")
    assert flash.at(datetime(2026, 9, 9, tzinfo=UTC)).output.base == Decimal("1.4")


def test_the_yuan_of_zhipu_give_the_dollars_of_the_list():
    listed = genai_list.listed_models(genai_list.bundled(), genai_list.BUNDLED_ON)
    dollars = {model.id: model for model in listed if model.provider == "zhipuai"}
    assert len(dollars) == 14
    for name, model in dollars.items():
        yuan = pricing.model(name).prices
        assert yuan.published_in == "CNY", name
        converted = yuan.converted("USD", pricing.example_rate())
        for ours, theirs in zip(converted.standard, model.prices.standard, strict=True):
            for part in ("input", "cached_input", "output"):
                mine, other = getattr(ours.rates, part), getattr(theirs.rates, part)
                assert (mine and round(mine.base, 3)) == (other and other.base), (name, part)


def test_new_dollars_of_a_newer_list_are_not_replaced_by_old_yuan():
    newer = copy.deepcopy(genai_list.bundled())
    (provider,) = (each for each in newer.providers if each.id == "zhipuai")
    (row,) = (info for info in provider.models if info.id == "GLM-5")
    row.prices.input_mtok = Decimal("0.5")
    prices = refresh(fetch=lambda: newer).model("zhipuai/GLM-5").prices
    assert prices.published_in == "USD"
    assert prices.at(WHEN).input.base == Decimal("0.5")


def test_every_pattern_of_the_curation_still_fits_a_row():
    providers = {provider.id: provider for provider in genai_list.bundled().providers}
    for listing in genai_list.LISTINGS:
        refs = [info.id for info in providers[listing.provider].models]
        assert any(listing.shows(ref) for ref in refs), listing


def test_the_bundled_date_is_the_last_change_that_is_not_announced_ahead():
    text = re.findall(r"date\(\d+, \d+, \d+\)", repr(genai_list.bundled().providers))
    days = {date(*map(int, re.findall(r"\d+", found))) for found in text}
    assert max(day for day in days if day < date(2026, 11, 30)) == genai_list.BUNDLED_ON


def test_a_fresh_list_is_a_new_table_with_its_own_date():
    table = refresh(fetch=genai_list.bundled, today=date(2026, 11, 20))
    assert table.model("gpt-5").price_date == date(2026, 11, 20)
    assert table.model("alibaba/qwen-max").price_date == date(2026, 7, 2)  # ours is no fresher
    assert pricing.model("gpt-5").price_date == date(2026, 11, 9)


def broken_network():
    raise OSError("secrets in a message that must not be shown")


@pytest.mark.parametrize(
    ("fetch", "error"),
    [
        (broken_network, r"New prices could not be fetched \(OSError\)\."),
        (lambda: threading.Event().wait(1), r"No new prices within 0\.05 seconds"),
        (lambda: None, "no model that we know"),
    ],
)
def test_without_a_new_list_the_prices_stay_in_use(fetch, error):
    with pytest.raises(BPEError, match=error) as caught:
        refresh(fetch=fetch, timeout=0.05 if "0" in error else 10)
    assert "secrets" not in str(caught.value)

"""The table of models: what is in it, where it is from, and a newer list."""

import copy
import re
import threading
from datetime import UTC, date, datetime
from decimal import Decimal

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

ALL = pricing.models(deprecated=True)
WHEN = datetime(2026, 11, 10, 12, tzinfo=UTC)


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
    assert (model.tokenizer, "output" in model.prices.standard[0].rates) == ("cl100k_base", False)
    assert model not in pricing.models()
    bill = pricing.cost(model, pricing.Usage(1_000_000))
    assert str(bill.total) == {"text-embedding-3-small": "0.02"}.get(name, "0.13")
    assert pricing.messages.EMBEDDING in map(str, bill.notes)


@each(ALL, name=lambda model: model.id)
def test_every_model_has_dated_prices_limits_with_a_source_and_a_tokenizer(model):
    assert model.prices.standard
    for rule in model.prices.standard:
        assert "input" in rule.rates
        assert ("output" not in rule.rates) == (model.ended == pricing.messages.EMBEDDING)
    assert model.sources
    assert all(url.startswith("https://") for url in model.sources)
    lists = {date(2026, 11, 9), date(2026, 7, 2)}
    assert model.price_date in lists or (model.dated == "price" and model.price_date < max(lists))
    assert model.context_window is None or model.context_window >= 4_000
    if model.max_output is not None:
        assert model.max_output >= 1_000
        assert model.limits_source[0].startswith("https://")
    is_known = model.certainty != "estimate"
    assert (model.tokenizer if is_known else model.stand_in) in ENCODINGS
    assert is_known or model.tokenizer is None
    assert model.reason in pricing.all_messages()
    assert model.calibration is None or model.calibration in calibrations()
    if model.reason.startswith("We know of no published"):
        assert not model.open_weights


def test_mainland_prices_without_known_yuan_say_so():
    mainland = [model for model in ALL if model.region == "mainland China"]
    dollars = [model for model in mainland if model.prices.published_in == "USD"]
    assert len(dollars) == 4
    assert all("expect another price" in str(model.notes[0]) for model in dollars)


@pytest.mark.parametrize(
    ("name", "day", "kind"),
    [
        ("openai/gpt-5", date(2026, 11, 9), "list"),
        ("alibaba/qwen-max", date(2026, 7, 2), "list"),
        ("zhipuai/GLM-4.7", date(2026, 6, 1), "price"),  # "May/June 2026", by its comment
        ("zhipuai/GLM-5.3-Flash", date(2026, 9, 10), "since"),  # newer than that comment
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


def test_every_window_with_a_source_is_that_of_the_source():
    sourced = {row["id"]: row["context_window"] for row in data.facts()["limits"]["model"]}
    assert {model.id: model.context_window for model in ALL if model.id in sourced} == sourced
    facts, ids = data.facts(), {model.id for model in ALL}
    assert {
        *(row["id"] for row in facts["published"]["model"]),
        *facts["weekends"]["models"],
    } <= ids
    assert pricing.model("google/gemini-2.5-pro").max_output == 65_536
    assert pricing.model("alibaba-cn/qwen3.7-max").context_window is None


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
                mine, other = ours.rates.get(part), theirs.rates.get(part)
                assert (mine and round(mine.base, 3)) == (other and other.base), (name, part)


def test_new_dollars_of_a_newer_list_are_not_replaced_by_old_yuan():
    newer = copy.deepcopy(genai_list.bundled())
    (provider,) = (each for each in newer.providers if each.id == "zhipuai")
    (row,) = (info for info in provider.models if info.id == "GLM-5")
    row.prices.input_mtok = Decimal("0.5")
    prices = refresh(fetch=lambda: newer).model("zhipuai/GLM-5").prices
    assert prices.published_in == "USD"
    assert prices.at(WHEN)["input"].base == Decimal("0.5")


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
        (lambda: threading.Event().wait(1), r"could not be fetched \(TimeoutError\)"),
        (lambda: None, "no model that we know"),
    ],
)
def test_without_a_new_list_the_prices_stay_in_use(fetch, error):
    with pytest.raises(BPEError, match=error) as caught:
        refresh(fetch=fetch, timeout=0.05 if "Timeout" in error else 10)
    assert "secrets" not in str(caught.value)

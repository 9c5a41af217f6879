"""Batches, currencies, two languages, search, refreshing, and the sentences shown."""

import ast
import subprocess
import sys
import time
from dataclasses import FrozenInstanceError
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

import bpe.pricing
from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import (
    Texts,
    compare_languages,
    example_rate,
    find,
    genai_list,
    messages,
    money_text,
    own_rate,
    refresh,
    row_costs,
    summarise,
)

WHEN = datetime(2026, 11, 10, 12, tzinfo=UTC)


# Batches


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
    costs = row_costs(pricing.model("gpt-5"), [1000, 2000], output_tokens=100, when=WHEN)
    assert costs == [Decimal("0.00225"), Decimal("0.0035")]


# Currencies


def test_the_example_rate_has_a_source_and_says_that_it_is_an_example():
    rate = example_rate()
    assert rate.cny_per_usd == Decimal("7.25")
    assert rate.source.startswith("https://")
    assert rate.note.startswith("An example, not a quotation")
    assert rate.convert(Decimal("0.0058"), "CNY") == Decimal("0.04205")
    assert rate.convert(Decimal("0.0058"), "USD") == Decimal("0.0058")


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


# Two languages


def test_the_same_meaning_is_priced_in_either_language():
    # gpt-5: prompts of 60 and 40 tokens, answers of 150 and 100, 1000 requests:
    # zh: 60 × 1.25 + 150 × 10 = 1575 thousandths = 1.575; en: 40 × 1.25 + 100 × 10 = 1.05
    # zh prompt, en answer: 75 + 1000 = 1.075; en prompt, zh answer: 50 + 1500 = 1.55
    result = compare_languages(
        pricing.model("gpt-5"), zh=Texts(60, 150), en=Texts(40, 100), when=WHEN
    )
    assert (result.cost("zh"), result.cost("en")) == (Decimal("1.575"), Decimal("1.05"))
    assert result.cost("zh", "en") == Decimal("1.075")
    assert result.cost("en", "zh") == Decimal("1.55")
    assert (result.cheaper, result.saving) == ("en", Decimal("0.525"))
    assert result.saving_share == Decimal("0.525") / Decimal("1.575")


def test_equal_languages_have_no_cheaper_one():
    result = compare_languages(pricing.model("gpt-5"), zh=Texts(0), en=Texts(0), when=WHEN)
    assert result.cheaper is None
    assert result.saving_share == 0
    with pytest.raises(BPEError, match="negative"):
        compare_languages(pricing.model("gpt-5"), Texts(1), Texts(1), requests=-1)


# Search


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({"text": "claude OPUS 4-8"}, ["anthropic/claude-opus-4-8"]),
        ({"vendors": ["DeepSeek"]}, ["deepseek/deepseek-flash", "deepseek/deepseek-v4-pro"]),
        ({"text": "qwen-max", "regions": ["mainland China"]}, ["alibaba-cn/qwen-max"]),
        ({"text": "qwen3-", "open_weights": True, "regions": ["outside mainland China"]},
         ["alibaba/qwen3-235b-a22b", "alibaba/qwen3-32b", "alibaba/qwen3-8b"]),
        ({"min_context": 10_000_000}, ["alibaba-cn/qwen-long"]),
        ({"countries": ["FR"], "max_input_price": Decimal("0.1")}, ["mistral/ministral-3b-2512"]),
        ({"text": "no such model"}, []),
    ],
)  # fmt: skip
def test_models_are_found_by_any_condition(conditions, expected):
    found = find(pricing.models(), when=WHEN, **conditions)
    assert [model.id for model in found] == expected


# Refreshing


def test_a_fresh_list_is_a_new_table_with_its_own_date():
    table = refresh(fetch=genai_list.bundled, today=date(2026, 11, 20))
    assert table.model("gpt-5").price_date == date(2026, 11, 20)
    assert table.model("alibaba/qwen-max").price_date == date(2026, 7, 2)  # ours is no fresher
    assert pricing.model("gpt-5").price_date == date(2026, 11, 9)


def no_network():
    raise OSError("secrets in a message that nobody should see")


def test_an_unreachable_network_leaves_the_prices_in_use():
    with pytest.raises(BPEError, match=r"New prices could not be had \(OSError\)\.") as caught:
        refresh(fetch=no_network)
    assert "secrets" not in str(caught.value)


def test_a_slow_network_is_given_up_in_time():
    began = time.monotonic()
    with pytest.raises(BPEError, match=r"No new prices within 0\.05 seconds"):
        refresh(fetch=lambda: time.sleep(0.4), timeout=0.05)
    assert time.monotonic() - began < 0.3


def test_an_empty_list_is_no_list():
    with pytest.raises(BPEError, match="no model that we know"):
        refresh(fetch=lambda: None)


# Sentences and the package


def test_all_messages_are_ids_with_named_gaps_only():
    found = pricing.all_messages()
    assert len(set(found)) == len(found) > 30
    assert all(isinstance(message, str) and message and "{}" not in message for message in found)


def test_every_note_is_one_of_the_messages():
    sentences = [note for model in pricing.models(deprecated=True) for note in model.notes]
    assert {sentence.template for sentence in sentences} <= set(pricing.all_messages())
    ends = {model.ended for model in pricing.models(deprecated=True)} - {None}
    regions = {model.region for model in pricing.models()}
    assert ends | regions <= set(pricing.all_messages())


def test_every_error_has_a_literal_template_whose_gaps_are_filled():
    for path in Path(bpe.pricing.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "BPEError":
                (template,) = node.args
                assert isinstance(template, ast.Constant), path
                values = {keyword.arg: 1 for keyword in node.keywords}
                assert template.value.format(**values)
                assert all("{" + name + "}" in template.value for name in values)


def test_messages_used_in_code_exist():
    for path in Path(bpe.pricing.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "messages":
                assert hasattr(messages, node.attr)


def test_the_values_are_frozen():
    with pytest.raises(FrozenInstanceError):
        pricing.model("gpt-5").name = "mine"


def test_importing_prices_loads_neither_streamlit_nor_the_price_list():
    code = (
        "import sys, bpe.pricing; "
        "print([m for m in ('streamlit', 'genai_prices', 'httpx2') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_the_exported_names_are_those_listed():
    assert sorted(pricing.__all__) == sorted(set(pricing.__all__))
    assert all(hasattr(pricing, name) for name in pricing.__all__)

"""Prices of one's own: they are taken, replace those of the list, and faults are said."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from bpe import pricing
from bpe.errors import BPEError

ROW = {"id": '"acme/large"', "date": "2026-11-01", "input": "1.5", "tokenizer": '"qwen3"'}


def written(path: Path, **changed: str | None) -> Path:
    row = {**ROW, **changed}
    lines = [f"{key} = {value}" for key, value in row.items() if value is not None]
    path.write_text("\n".join(["[[model]]", *lines]), encoding="utf-8")
    return path


def test_a_model_of_ones_own_is_found_counted_and_priced(tmp_path):
    file = written(tmp_path / "own.toml", output='"6"', currency='"CNY"', context_window="128_000")
    table = pricing.table_with(file)
    model = table.model("acme/large")
    assert (model.tokenizer, model.certainty, model.context_window) == ("qwen3", "exact", 128_000)
    assert (model.price_date, model.sources) == (date(2026, 11, 1), ("own.toml",))
    assert model.prices.currency == "CNY"
    bill = pricing.cost(model, pricing.Usage(2_000_000, output_tokens=500_000))
    assert bill.total == Decimal("6")
    assert len(table.all_models) == len(pricing.table().all_models) + 1


def test_output_without_a_price_is_said(tmp_path):
    model = pricing.table_with(str(written(tmp_path / "own.toml"))).model("acme/large")
    said = [
        "No price for output" in str(pricing.cost(model, usage).notes)
        for usage in (pricing.Usage(5), pricing.Usage(5, output_tokens=1))
    ]
    assert said == [False, True]


def test_a_model_of_the_list_is_replaced_and_counted_by_its_name(tmp_path):
    file = written(tmp_path / "own.toml", id='"openai/gpt-5"', tokenizer=None, input="0.1")
    table = pricing.table_with(file)
    assert table.model("gpt-5").prices.standard[0].rates["input"].base == Decimal("0.1")
    assert table.model("gpt-5").tokenizer == "o200k_base"
    assert len(table.all_models) == len(pricing.table().all_models)


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"date": None}, "model acme/large: A price needs its day"),
        ({"date": '"yesterday"'}, "A price needs its day"),
        ({"input": None}, "needs the price of its input"),
        ({"input": '"cheap"'}, "“cheap” is not a number"),
        ({"input": "-1"}, "“-1” is not a price"),
        ({"input": "nan"}, "is not a number"),
        ({"inptu": "1"}, "There is no key “inptu”"),
        ({"id": '"acme"'}, "needs an id such as acme/large"),
        ({"currency": '"EUR"'}, "The currency is one of USD, CNY"),
        ({"tokenizer": None}, "No tokenizer is known for it"),
        ({"tokenizer": '"o300k"'}, "There is no encoding “o300k”"),
        ({"context_window": "0"}, "as a number of tokens"),
        ({"tokenizer": "7"}, "are texts in quotes"),
        ({"id": "[[["}, "cannot be read as TOML"),
    ],
)
def test_what_is_wrong_in_the_file_is_said(tmp_path, changed, error):
    with pytest.raises(BPEError) as raised:
        pricing.table_with(written(tmp_path / "own.toml", **changed))
    assert error in str(raised.value)
    assert "own.toml" in str(raised.value)


def test_a_file_with_a_model_twice_or_without_any_is_refused(tmp_path):
    file = written(tmp_path / "own.toml")
    twice = 2 * (file.read_text("utf-8") + "\n")
    for text, error in ((twice, "acme/large: It is in the file twice"), ("a = 1", "has no models")):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(BPEError, match=error):
            pricing.table_with(file)

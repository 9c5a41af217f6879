"""Prices in a terminal: the same numbers as on the page."""

import pytest

from tests.cli.running import run, run_process, said


def prices(*arguments):
    return said("cost", *arguments)["models"]


def printed(*arguments, code=0):
    ran = run("cost", *arguments, code=code)
    return ran.output + ran.errors


def test_a_text_is_counted_and_priced_with_each_models_own_vocabulary():
    # 你好 is 1 token of o200k_base (gpt-5: 1.25) and 2 of cl100k_base (gpt-4: 30)
    five, four = prices("-m", "gpt-5", "-m", "gpt-4", "--requests", "1000", "你好")
    assert (five["input_tokens"], five["count"], five["total"]) == (1, "exact", "0.00125")
    assert (four["input_tokens"], four["count"], four["total"]) == (2, "exact", "0.06")


@pytest.mark.parametrize(
    ("arguments", "total"),
    [
        # gpt-5: 1.25, cached 0.125, output 10; batch 0.625 and 5
        (["--cached", "1000"], "0.004375"),  # 1000 × 1.25 + 1000 × 0.125 + 300 × 10
        (["--batch"], "0.00275"),
        (["--price", "input=2"], "0.007"),
        (["--currency", "CNY", "--rate", "7"], "0.0385"),  # 0.0055 × 7
    ],
)
def test_every_option_changes_the_money(arguments, total):
    (row,) = prices(
        "-m", "gpt-5", "--input-tokens", "2000", "--output-tokens", "300", *arguments
    )  # fmt: skip
    assert row["total"] == total


def test_yuan_are_shown_as_published_and_dollars_converted_from_them():
    # qwen-max in mainland China: 2.40 + 9.60 yuan for a million tokens in and out
    tokens = ["--input-tokens", "1000000", "--output-tokens", "1000000"]
    (row,) = prices("-m", "alibaba-cn/qwen-max", *tokens, "--currency", "CNY")
    assert (row["total"], row["published_in"], row["exchange_rate"]) == ("12", "CNY", None)
    (row,) = prices("-m", "alibaba-cn/qwen-max", *tokens, "--rate", "6")
    assert (row["total"], row["currency"], row["exchange_rate"]) == ("2", "USD", "6")
    assert "Published in CNY; converted at 7.25 yuan for a dollar (2026-06-01)." in printed(
        "-m", "alibaba-cn/qwen-max", *tokens
    )


@pytest.mark.parametrize(
    ("arguments", "total"),
    [
        (["--at", "2026-11-09T08:59"], "0.66"),  # a Monday in Beijing
        (["--at", "2026-11-09T09:00"], "1.32"),
        (["--at", "2026-11-14T09:00"], "1.32"),  # a Saturday, by the price list
        (["--at", "2026-11-14T09:00", "--free-weekends"], "0.66"),
    ],
)
def test_the_hour_is_that_of_beijing(arguments, total):
    (row,) = prices("-m", "deepseek-v4-pro", "--input-tokens", "1000000", *arguments)
    assert row["total"] == total


@pytest.mark.parametrize(
    ("model", "day", "kind", "said"),
    [
        ("gpt-5", "2026-11-09", "list", "price list of 2026-11-09"),
        ("zhipuai/GLM-4.7", "2026-06-01", "price", "price of 2026-06-01"),
        ("deepseek-v4-pro", "2026-08-17", "since", "price since 2026-08-17"),
    ],
)
def test_the_day_of_a_price_says_what_it_is_the_day_of(model, day, kind, said):
    arguments = ["-m", model, "--input-tokens", "1", "--at", "2026-11-21T12:00"]
    (row,) = prices(*arguments)
    assert (row["price_date"], row["price_date_of"]) == (day, kind)
    assert said in printed(*arguments)


def test_a_price_of_which_one_step_is_known_says_so():
    said = printed("-m", "zhipuai/GLM-4.7", "--input-tokens", "100000")
    assert "Only the lowest step of this price is known, up to 32,000 tokens of input" in said
    assert "this amount is too low" in said


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        (
            "2026-11-09T09:00",
            "This is the price of peak hours (09:00–12:00 / 14:00–18:00 in Beijing)",
        ),
        ("2026-11-09T12:00", "This is the off-peak price; in peak hours"),
    ],
)
def test_the_hours_of_a_price_are_named(moment, said):
    assert said in printed("-m", "deepseek-v4-pro", "--input-tokens", "1000", "--at", moment)


def test_a_request_longer_than_the_window_is_said_to_be_refused():
    arguments = ["-m", "claude-sonnet-4-5", "--input-tokens", "300000"]
    assert prices(*arguments)[0]["fits"] is False
    said = printed(*arguments)
    assert "300,000 tokens of input are more than the context window of 200,000" in said


def test_reasoning_is_billed_as_output():
    (row,) = prices("-m", "gpt-5", "--input-tokens", "0", "--reasoning-tokens", "1000")
    assert row["total"] == "0.01"


def test_own_prices_are_taken_where_an_unpriced_model_sends_its_reader():
    (row,) = prices(
        "-m", "alibaba-cn/qwen3-32b", "--currency", "CNY", "--input-tokens", "1000000",
        "--output-tokens", "1000000", "--price", "input=0.8", "--price", "output=2",
    )  # fmt: skip
    assert (row["total"], row["overridden"]) == ("2.8", True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-m", "gpt-99"], "There is no model “gpt-99”"),
        (
            ["-m", "doubao-seed-1.6"],
            "No dated source of the price of “doubao-seed-1.6” (ByteDance) is at hand, nor its "
            "vocabulary. For a rough amount, enter your own prices at another model, such as "
            "alibaba-cn/qwen-plus",
        ),
        (
            ["-m", "qwen3-14b"],
            "No dated source of the price of “qwen3-14b” (Alibaba) is at hand. "
            "alibaba-cn/qwen3-32b has the same vocabulary: enter your own prices there, in the "
            "table of prices or, on the command line, by --price input=… --price output=….",
        ),
        (["--at", "noon"], "“noon” is not a time"),
        (["--price", "output"], "“output” is not a price"),
        (["--price", "output=cheap"], "“cheap” is not a number"),
        (["--input-tokens", "-1"], "cannot be negative"),
        (["--requests", "-1"], "cannot be negative"),
    ],
)
def test_bad_input_ends_with_a_sentence(arguments, said):
    text = () if arguments[0] == "--input-tokens" else ("x",)
    refused = printed(*arguments, *text, code=2)
    assert said in refused
    assert "Traceback" not in refused


def test_a_text_beside_a_number_of_tokens_is_not_ignored():
    refused = printed("-m", "gpt-5", "--input-tokens", "5", "hello", code=2)
    assert "Give a text or --input-tokens, not both." in refused


def test_files_are_priced(tmp_path):
    path = tmp_path / "prompt.txt"
    path.write_text("你好" * 3, "utf-8")
    (row,) = prices("-m", "gpt-4", path)
    assert row["input_tokens"] == 6


def test_an_estimate_is_never_shown_as_exact():
    said = printed("-m", "claude-sonnet-5-5", "你好，世界")
    assert "estimate (" in said
    assert "price list of 2026-11-09" in said


def test_amounts_stand_under_each_other():
    said = printed("-m", "gpt-5", "-m", "claude-sonnet-5-5", "hi")
    one, other = (line for line in said.splitlines() if "$" in line)
    assert "1 token, exact" in one
    assert one.index("$") == other.index("$")


def test_a_text_may_come_from_standard_input():
    assert "2 tokens, exact" in run_process("cost", "-m", "gpt-4", stdin="你好").output


def test_a_price_that_is_out_of_date_says_so():
    note = "This row of the price list is known to be out of date"
    (row,) = prices("-m", "deepseek/deepseek-chat", "--input-tokens", "1")
    assert any(each.startswith(note) for each in row["notes"])
    asked = ("models", "deepseek-chat", "--all")
    assert note in run(*asked).output
    assert any((model["ended"] or "").startswith(note) for model in said(*asked)["models"])

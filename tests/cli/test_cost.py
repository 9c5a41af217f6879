"""Prices in a terminal: numbers of the library, which are tested there, and how they are said."""

import pytest

from tests.cli.running import run, run_process, said


def prices(*arguments):
    return said("cost", *arguments)["models"]


def printed(*arguments, code=0):
    ran = run("cost", *arguments, code=code)
    return ran.output + ran.errors


def test_a_text_is_counted_and_priced_with_each_models_own_vocabulary(tmp_path):
    # 你好 is 1 token of o200k_base (gpt-5: 1.25) and 2 of cl100k_base (gpt-4: 30)
    five, four = prices("-m", "gpt-5", "-m", "gpt-4", "--requests", "1000", "你好")
    assert (five["input_tokens"], five["count"], five["total"]) == (1, "exact", "0.00125")
    assert (four["input_tokens"], four["count"], four["total"]) == (2, "exact", "0.06")
    (tmp_path / "prompt.txt").write_text("你好" * 3, "utf-8")
    assert prices("-m", "gpt-4", tmp_path / "prompt.txt")[0]["input_tokens"] == 6
    assert "2 tokens, exact" in run_process("cost", "-m", "gpt-4", stdin="你好").output


CALL = "-m gpt-5 --input-tokens 2000 --output-tokens 300"
QWEN = "--input-tokens 1000000 --output-tokens 1000000 -m alibaba-cn/qwen"
DEEPSEEK = "-m deepseek-v4-pro --input-tokens 1000000 --at"


@pytest.mark.parametrize(
    ("arguments", "total"),
    [
        # gpt-5: 1.25, cached 0.125, output 10; batch 0.625 and 5
        (f"{CALL} --cached 1000", "0.004375"),  # 1000 × 1.25 + 1000 × 0.125 + 300 × 10
        (f"{CALL} --batch", "0.00275"),
        (f"{CALL} --price input=2", "0.007"),
        (f"{CALL} --currency CNY --rate 7", "0.0385"),  # 0.0055 × 7
        ("-m gpt-5 --input-tokens 0 --reasoning-tokens 1000", "0.01"),
        # qwen-max in mainland China: 2.40 + 9.60 yuan for a million tokens in and out
        (f"{QWEN}-max --currency CNY", "12"),
        (f"{QWEN}-max --rate 6", "2"),
        (f"{DEEPSEEK} 2026-11-09T08:59", "0.66"),  # a Monday in Beijing
        (f"{DEEPSEEK} 2026-11-09T09:00", "1.32"),
        (f"{DEEPSEEK} 2026-11-14T09:00", "1.32"),  # a Saturday, by the price list
        (f"{DEEPSEEK} 2026-11-14T09:00 --free-weekends", "0.66"),
    ],
)
def test_every_option_changes_the_money(arguments, total):
    (row,) = prices(*arguments.split())
    assert row["total"] == total
    assert row["overridden"] == ("--price" in arguments)
    assert (row["exchange_rate"] is None) == ("--rate" not in arguments)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("-m gpt-5 --input-tokens 1", "price list of 2026-11-09"),
        ("-m zhipuai/GLM-4.7 --input-tokens 1", "price of 2026-06-01"),
        ("-m deepseek-v4-pro --input-tokens 1", "price since 2026-08-17"),
        (f"{QWEN}-max", "Published in CNY; converted at 7.25 yuan for a dollar (2026-06-01)."),
        ("-m zhipuai/GLM-4.7 --input-tokens 100000", "this amount is too low"),
        ("-m claude-sonnet-5-5 你好，世界", "estimate ("),
        ("-m deepseek/deepseek-chat --input-tokens 1", "is known to be out of date"),
    ],
)
def test_notes_and_the_day_of_a_price_are_printed(arguments, sentence):
    assert sentence in printed(*arguments.split())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("-m gpt-99 x", "There is no model “gpt-99”"),
        ("-m doubao-seed-1.6 x", "the price and the vocabulary of “doubao-seed-1.6” (ByteDance)"),
        ("-m qwen3-14b x", "in the price list is alibaba-cn/qwen3-32b."),
        ("--at noon x", "“noon” is not a time"),
        ("--price output x", "“output” is not a price"),
        ("--price output=cheap x", "“cheap” is not a number"),
        ("--input-tokens -1", "cannot be negative"),
        ("--requests -1 x", "cannot be negative"),
        ("-m gpt-5 --input-tokens 5 hello", "Give a text or --input-tokens, not both."),
    ],
)
def test_bad_input_ends_with_a_sentence(arguments, sentence):
    refused = printed(*arguments.split(), code=2)
    assert sentence in refused
    assert "Traceback" not in refused


def test_amounts_stand_under_each_other():
    lines = printed("-m", "gpt-5", "-m", "claude-sonnet-5-5", "hi").splitlines()
    one, other = (line for line in lines if "$" in line)
    assert "1 token, exact" in one
    assert one.index("$") == other.index("$")


def test_a_model_that_is_out_of_date_is_listed_with_the_reason():
    asked, note = ("models", "deepseek-chat", "--all"), "is known to be out of date"
    assert note in run(*asked).output
    assert any(note in (model["ended"] or "") for model in said(*asked)["models"])

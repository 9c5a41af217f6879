"""The cost page: hand-computed money reaches the reader, and nothing breaks it."""

import json
import re
import urllib.error
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pandas as pd
import pytest
import streamlit as st

import bpe
from bpe import pricing
from bpe.pricing import Rate, Rates, Rule, Table, vendor_count
from playground.cost.context import TypedPrice
from playground.session import Entry

GPT5 = "openai/gpt-5"  # 1.25, cached 0.125, output 10 US dollars per million; batch half of it
GPT4 = "openai/gpt-4"  # 30 and 60; window 8,192; cl100k_base
PRO = "deepseek/deepseek-v4-pro"  # 0.66 and 1.98, the double from 9 to 12 and 14 to 18 in Beijing
NO_WINDOW = "zai/GLM-4.5-AirX"
KEY = "sk-secret-0123456789"


@pytest.fixture(autouse=True)
def one_morning(monkeypatch):
    """Prices change and grow old with the calendar: hold it at a Saturday noon in Beijing."""
    noon = datetime(2026, 11, 21, 4, tzinfo=UTC)
    monkeypatch.setattr("playground.cost.context.now", lambda: noon)


@pytest.fixture
def open_cost(open_page):
    """Open a section of the cost page in English, unless the query says otherwise."""

    def open_section(section: str, **query):
        app = open_page("cost", **{"section": section, "lang": "en", **query})
        assert not app.exception
        return app

    return open_section


def table(app, column: str) -> pd.DataFrame:
    """Return the first table of the page with that column, by model where it has models."""
    frame = next(frame.value for frame in app.dataframe if column in frame.value)
    return frame.set_index("model") if "model" in frame else frame


def said(app) -> str:
    """Return all running text of the page, without Markdown's escapes."""
    texts = [*app.markdown, *app.caption, *app.info, *app.warning, *app.success, *app.error]
    return "\n".join(element.value for element in texts).replace("\\", "")


# Two languages


def test_the_same_meaning_is_counted_and_priced_in_both_languages(open_cost):
    app = open_cost(
        "languages", lang="zh", sample="own", models=[GPT4], answers="tokens",
        answer_zh="10", answer_en="5",
    )  # fmt: skip
    app.session_state["cost_zh"] = "你好"  # 2 tokens of cl100k_base
    app.session_state["cost_en"] = "hello"  # 1 token
    app.run()
    row = table(app, "saving").iloc[0]
    assert (row["zh"], row["en"], row["premium"]) == (2, 1, 2.0)
    # a thousand requests: prompts 2 × 30 and 1 × 30 thousandths, answers 10 × 60 and 5 × 60
    assert row[["zh_zh", "en_en", "zh_en", "en_zh"]].tolist() == [0.66, 0.33, 0.36, 0.63]
    assert (row["saving"], row["share"]) == (0.33, 0.5)
    assert row["count"] == "精确"
    assert row["date"] == "2026-11-09（整份价目表）"
    assert row["source"].startswith("https://")
    assert "用中文比用英文贵的：gpt-4（100%）。" in said(app)
    assert "hello" not in str(dict(app.query_params))
    assert "你好" not in str(dict(app.query_params))
    app.session_state["cost_zh"] = app.session_state["cost_en"] = ""
    app.button_group(key="lang").set_value("en").run()
    assert "Give the same text in both languages" in said(app)
    app.multiselect(key="models").set_value([]).run()
    for section in ("languages", "month", "window", "batch"):
        app.button_group(key="section").set_value(section).run()
        assert "Choose at least one model" in said(app), section


def test_a_text_of_ones_own_has_neither_the_translation_nor_the_answer_of_a_sample(open_cost):
    app = open_cost("languages", models=[GPT4])
    saves = re.compile("In Chinese it costs")
    assert saves.search(said(app))
    assert app.session_state["answer_text_zh"]
    sample = table(app, "saving").iloc[0]
    assert sample["answer_zh"] > 100
    app.session_state["cost_zh"] = "你好"
    app.run()
    assert not saves.search(said(app))
    assert "The text in English is still the sample's" in app.info[0].value
    assert app.session_state["answers"] == "tokens"

    app.session_state["cost_en"] = "hello"
    app.run()
    assert not app.info
    own = table(app, "saving").iloc[0]
    assert (own["zh"], own["en"], own["answer_zh"], own["answer_en"]) == (2, 1, 300, 300)
    assert "Answers of 300 tokens in Chinese and 300 in English" in said(app)
    assert own["saving"] == 0.03  # a thousand prompts, one token more in each

    # A sample has its answers again.
    app.selectbox(key="sample").set_value("law").run()
    app.selectbox(key="sample").set_value("news").run()
    assert app.session_state["answers"] == "text"
    assert table(app, "saving").iloc[0]["answer_zh"] == sample["answer_zh"]

    # The reader types an answer, and keeps it.
    app.session_state["cost_zh"], app.session_state["cost_en"] = "你好", "hello"
    app.run()
    app.session_state["answers"] = "text"
    app.run()
    assert app.session_state["answer_text_zh"] == ""
    app.session_state["answer_text_zh"] = "你好"
    app.session_state["cost_zh"] = "你好你好"
    app.run()
    assert table(app, "saving").iloc[0]["answer_zh"] == 2
    app.selectbox(key="sample").set_value("law").run()
    app.selectbox(key="sample").set_value("news").run()
    assert table(app, "saving").iloc[0]["answer_zh"] == sample["answer_zh"]


def test_reasoning_is_a_field_of_every_plan_and_billed_as_output(open_cost):
    app = open_cost("languages", models=[GPT5], answers="tokens", answer_zh="10", answer_en="5",
                    sample="own", reasoning="1000")  # fmt: skip
    app.session_state["cost_zh"] = "你好"
    app.session_state["cost_en"] = "hello"
    app.run()
    # 1 × 1.25 + (10 + 1000) × 10 = 10101.25 millionths, × 1000
    assert table(app, "saving").iloc[0]["zh_zh"] == pytest.approx(10.10125)
    assert "None are counted here" not in said(app)
    app = open_cost("month", models=[GPT5], a_requests="1", a_days="1", a_reasoning="1000")
    assert months(app).iloc[0]["month"] == pytest.approx(0.0155)  # 2500 + 1300 × 10 millionths
    app = open_cost("conversation", model=GPT5, models=[""], turns="1", reasoning="1000")
    # 1000 + 500 + 200 in: 1700 × 1.25 + 1500 × 10 = 17,125 millionths
    assert app.metric[0].value == "$0.0171"
    app = open_cost("batch", models=[GPT5], row_output="0", reasoning="1000", rows_from="file")
    app.file_uploader(key="batch_files").upload("p.jsonl", '{"prompt": "你好"}'.encode()).run()
    assert table(app, "p95").iloc[0]["total"] == pytest.approx(0.01000125)


def test_wherever_deepseek_is_priced_the_hours_are_named(open_cost):
    app = open_cost("month", models=[PRO], model=PRO, moment="2026-11-09T10:00")
    assert "78% of these requests are priced at peak hours" in said(app)
    assert "None are counted here" in said(app)  # of tokens of reasoning
    for section in ("conversation", "batch", "languages"):
        app.button_group(key="section").set_value(section).run()
        assert "This is the price of peak hours" in said(app), section
    assert "(09:00–12:00 / 14:00–18:00 in Beijing)" in said(app)


def test_pairs_from_a_file_are_averaged_and_one_without_two_languages_says_what_is_missing(
    open_cost,
):
    app = open_cost(
        "languages", prompts="pairs", models=[GPT4], answers="tokens", answer_zh="0", answer_en="0"
    )
    field = app.file_uploader(key="pair_file")
    rows = "zh,en\n你好,hello\n你好你好你好,hello hello hello\n"
    field.upload("pairs.csv", rows.encode(), "text/csv").run()
    row = table(app, "saving").iloc[0]
    assert (row["zh"], row["en"]) == (4, 2)  # (2 + 6) / 2 and (1 + 3) / 2
    assert row["premium"] == 2.0
    assert row["zh_zh"] == 0.12
    app.file_uploader(key="pair_file").set_value([("one.csv", b"text\nhello\n", "text/csv")]).run()
    assert "needs two columns" in app.error[0].value
    app.file_uploader(key="pair_file").set_value([("x.csv", b"zh,en\na,\n,c\n", "text/csv")]).run()
    assert "Row 2 of “x.csv” has one of the two texts" in app.error[0].value


# A month


def months(app) -> pd.DataFrame:
    return table(app, "month")


def test_a_month_of_the_same_requests_in_both_languages_is_on_one_page(open_cost):
    app = open_cost("month", models=[GPT5, PRO], sample="dialogue", both_requests="10")
    row = table(app, "zh_zh").loc["GPT-5"]
    once = table(open_cost("languages", models=[GPT5], sample="dialogue", requests="300"), "zh_zh")
    assert row["zh_zh"] == pytest.approx(once.loc["GPT-5", "zh_zh"])
    assert row["en_en"] == pytest.approx(once.loc["GPT-5", "en_en"])
    assert "for a month of 300 requests" in said(app)
    assert "78% of these requests are priced at peak hours" in said(app)
    app.number_input(key="both_days").set_value(1).run()
    assert table(app, "zh_zh").loc["GPT-5", "zh_zh"] == pytest.approx(row["zh_zh"] / 30)


def test_a_link_of_a_plan_opens_it_and_another_is_held_against_it(open_cost):
    app = open_cost("month", models=[GPT5], a_requests="7")  # does not say that it is of a plan
    assert app.number_input(key="a_requests").value == 7
    app.button_group(key="month_of").set_value("languages").run()
    assert app.query_params["month_of"] == "languages"
    assert "for a month of 30,000 requests" in said(app)
    app = open_cost("month", models=[GPT5], against="true", budget="150")
    rows = months(app).reset_index().set_index("plan")
    assert rows.loc["B", "saving"] == pytest.approx(33.75)  # half of its input is cached
    assert "Plan B saves $33.75 a month on **GPT-5** (20%)." in said(app)
    assert "0 of 1 models stay within the budget" in said(app)
    app.session_state["a_input"] = 250_000  # which is longer than the window of the other model
    app.session_state["models"] = ["anthropic/claude-sonnet-4-5", GPT5]
    app.run()
    assert "250,000 tokens of input are more than the context window of 200,000" in said(app)
    assert "on **Claude" not in said(app)
    app.session_state["a_source"] = "text"
    app.run()
    assert "still the sample's" not in said(app)
    app.session_state["a_prompt"] = "你好"
    app.run()
    assert "The answer is still the sample's" in said(app)
    app.session_state["a_answer"] = "hello"
    app.run()
    plan_a = months(app).query("plan == 'A'")
    assert plan_a[["asked", "answered"]].loc["GPT-5"].tolist() == [1, 1]


def test_the_clock_says_what_off_peak_hours_would_save(open_cost):
    app = open_cost("month", models=[PRO], a_input="1000", a_output="1000", hours=["9", "12"])
    # 2.64 thousandths off-peak, 5.28 at peak: 1000 requests on 30 days save 79.20
    assert months(app).iloc[0]["off_peak"] == pytest.approx(79.2)
    assert "100% of these requests come in peak hours" in said(app)
    assert "$79.20" in said(app)
    assert "this is an upper bound" in said(app)
    app.toggle(key="weekends").set_value(True).run()
    assert "71% of these requests" in said(app)  # five days of seven
    assert "this is an upper bound" not in said(app)


# A conversation, and the hour


def test_the_peak_begins_at_nine_in_beijing(open_cost):
    app = open_cost(
        "conversation", model=PRO, models=[""], turns="1", system="0", tools="0",
        user="1000000", reply="0", moment="2026-11-14T09:00",
    )  # fmt: skip
    assert app.metric[0].value == "$1.32"
    assert "this is an upper bound" in said(app)  # it is a Saturday
    app.toggle(key="weekends").set_value(True).run()
    assert app.metric[0].value == "$0.66"
    assert "this is an upper bound" not in said(app)


def test_a_conversation_overflows_in_its_turn_and_an_impossible_one_keeps_the_page(open_cost):
    # turn n sends 1000 + 200 + (n − 1) × 700 and needs 500 more: 8,000 in turn 10, 8,700 in turn 11
    app = open_cost("conversation", model=GPT4, models=[""], tools="0", turns="12", keep="2")
    turns = table(app, "turn").set_index("turn")
    assert turns.loc[10, "input"] == 7500
    assert turns.loc[11, "input"] == 8200
    assert turns["fits"].tolist() == ["yes"] * 10 + ["no"] * 2
    assert "From turn 11 on, requests are refused" in said(app)
    assert "Refused from turn 11 on." in said(app)
    # turns 1 to 10 send 12,000 + 45 × 700 = 43,500 and answer 5,000: 1.305 + 0.30
    assert "cost $1.61" in said(app)  # 1.605
    # the last two turns and the message: 1200, 1900, then 2600 each; answers 500
    assert turns["last"].tolist()[:3] == pytest.approx([0.066, 0.087, 0.108])
    assert turns.loc[12, "last"] == pytest.approx(0.108)
    app.text_area(key="request_json").set_value("[" * 100_000).run()
    assert app.error
    assert app.text_area(key="request_usage")
    app = open_cost("conversation", growth="-50", turns="30", models=[""])
    assert "fewer than 0 tokens" in app.error[0].value
    assert app.number_input(key="growth").value == -50


def test_a_request_and_its_answer_are_counted_by_a_tokenizer_of_ones_own(open_cost):
    app = open_cost("conversation", model="minimax/minimax-m3")
    app.session_state["own tokenizers"] = {"own-1": Entry(bpe.encoding("cl100k_base"))}
    app.session_state["request_json"] = '[{"role": "user", "content": "你好"}]'
    app.session_state["request_usage"] = '{"prompt_tokens": 178, "completion_tokens": 2}'
    app.session_state["request_answer"] = "你好"  # 1 token of what stands in, 2 of cl100k_base
    app.run()
    assert table(app, "ours")["ours"].tolist() == [177, 1]
    assert table(app, "ours")["sure"].tolist() == ["estimated", "estimated"]
    app.selectbox(key="request_tokenizer").set_value("own-1").run()
    assert table(app, "ours")["ours"].tolist() == [178, 2]
    assert table(app, "ours")["sure"].tolist() == ["exact", "exact"]


# The window


def test_a_price_that_is_out_of_date_says_so_in_every_section(open_cost):
    old = "deepseek/deepseek-chat"
    app = open_cost("languages", models=[old], model=old)
    for section in ("languages", "month", "conversation", "window", "batch"):
        app.button_group(key="section").set_value(section).run()
        assert "This row of the price list is known to be out of date" in said(app), section
        assert "in peak hours" not in said(app)  # the hours of the row are out of date, too


def test_the_window_in_hanzi_is_that_of_compare(open_cost, open_page):
    # Compare has a window of 128,000 tokens, which is that of GPT-4o
    app = open_page(
        "compare", view="languages", question="table", lang="en", tokenizers=["o200k_base"]
    )
    compared = table(app, "hanzi_in_window").iloc[0]
    app = open_cost("window", models=["openai/gpt-4o"], reserve="0", chunk="1")
    app.session_state["window_text"] = "你好"
    app.run()
    here = table(app, "free").iloc[0]
    assert here["free"] == 127_999
    assert here["share"] == 0.0  # of 1 / 128,000
    assert here["hanzi"] == int(compared["hanzi_in_window"] * 127_999 / 128_000)
    assert here["words"] == int(compared["words_in_window"] * 127_999 / 128_000)
    app.multiselect(key="models").set_value([GPT4]).run()
    pieces = table(app, "number")
    assert pieces["text"].tolist() == ["你", "好"]
    assert "2 pieces" in said(app)
    app.session_state["window_text"] = "𠮷"
    app.run()
    assert "alone has" in app.error[0].value


def test_a_missing_window_is_said_to_be_missing(open_cost):
    app = open_cost("window", models=[NO_WINDOW], model=NO_WINDOW, chart="window")
    assert "The context window is not known for: GLM-4.5-AirX." in said(app)
    assert pd.isna(table(app, "free").iloc[0]["free"])
    app.button_group(key="section").set_value("conversation").run()
    assert "context window is not known" in said(app)
    assert table(app, "overflow").iloc[0]["overflow"] == "unknown"
    app.button_group(key="section").set_value("languages").run()
    assert "The context window is not known" in said(app)


# Many prompts


def test_a_file_of_prompts_is_summed_up_and_a_change_of_model_is_priced(open_cost):
    app = open_cost("batch", rows_from="file", models=[GPT4], row_output="0", limit="1",
                    batch_switch_requests="3000")  # fmt: skip
    assert "Upload a csv or jsonl file" in said(app)
    rows = '{"prompt": "你好"}\n{"prompt": "hello"}\n{"prompt": "你好你好"}\n'
    app.file_uploader(key="batch_files").upload("p.jsonl", rows.encode()).run()
    row = table(app, "p95").iloc[0]
    assert (row["tokens"], row["p50"], row["p95"], row["longest"]) == (7, 2, 4, 4)
    assert (row["limit"], row["over"]) == (1, 2)
    assert row["total"] == pytest.approx(0.00021)  # 7 × 30 millionths
    each = table(app, "number")
    assert each["tokens"].tolist() == [2, 1, 4]
    assert each["over"].tolist() == [True, False, True]
    assert "longer than the limit for 1 of 1 models" in said(app)
    assert len(app.get("download_button")) == 1

    app.multiselect(key="models").set_value([GPT4, GPT5]).run()  # 7 and 4 tokens
    assert not [each for each in app.dataframe if "before" in each.value]  # closed at first
    app.session_state["batch_switch"] = True
    app.run()
    sums, most = (each.value for each in app.dataframe if "before" in each.value)
    assert sums[["before", "after"]].iloc[0].tolist() == [7, 4]
    assert sums["writing"].tolist() == ["All", "Chinese characters", "Latin letters"]
    assert sums["paid"].iloc[0] == pytest.approx(0.21)  # 7 × 30 millionths × 1,000
    assert sums["pays"].iloc[0] == pytest.approx(0.005)
    assert most["text"].tolist()[0] == "hello"
    assert "**gpt-4** takes 7 tokens (exact), **GPT-5** 4 (exact): -42.9%." in said(app)
    assert "cost $0.21 and then $0.005: $0.205 less." in said(app)


def test_prompts_longer_than_the_window_are_refused(open_cost):
    app = open_cost("batch", rows_from="file", models=[GPT4, GPT5], row_output="8191")
    rows = '{"prompt": "你好"}\n{"prompt": "hello"}\n'  # 2 and 1 tokens; 8,192 fit GPT-4
    app.file_uploader(key="batch_files").upload("p.jsonl", rows.encode()).run()
    assert "1 of 2 models refuse some of these prompts" in said(app)
    assert "prompts cost $0.164 on **GPT-5**." in said(app)
    assert table(app, "p95")["over"].to_dict() == {"GPT-5": 0, "gpt-4": 1}


# Models and prices


def editor(app) -> pd.DataFrame:
    return app.data_editor[0].value.set_index("model")


def test_filters_narrow_the_table_and_say_when_nothing_is_left(open_cost):
    app = open_cost("models", vendors=["DeepSeek"], price="0.1")
    assert "No model fits" in said(app)
    app = open_cost("models", weights="open", context="1m", search="deepseek")
    assert set(editor(app)["vendor"]) == {"DeepSeek"}
    sold = len(editor(open_cost("models")))
    every = editor(open_cost("models", old="true"))
    assert len(every) > sold
    assert every.loc["text-embedding-3-small", "vendor"] == "OpenAI"


def test_a_changed_price_is_marked_and_holds_in_every_section_and_currency(open_cost):
    app = open_cost("month", models=[GPT5], month_of="plan")
    app.session_state["changed prices"] = {GPT5: {"input": TypedPrice(Decimal(5), "USD")}}
    app.run()
    row = months(app).iloc[0]
    assert row["month"] == pytest.approx(390)  # (2000 × 5 + 300 × 10) millionths × 30,000
    assert row["changed"]
    assert "At least one price was changed by hand" in said(app)
    app.button_group(key="section").set_value("models").run()
    assert editor(app).loc["GPT-5", "changed"] == "✎ input, not cached"
    assert "$5.00 instead of $1.25" in said(app)
    app.button(key="forget_prices").click().run()
    assert editor(app).loc["GPT-5", "input"] == 1.25
    assert "changed by hand" not in said(app)

    # One that is typed in yuan stays what was typed.
    app = open_cost("month", models=[GPT5], currency="CNY", a_output="0")
    assert "Dollars are converted at 7.25 yuan" in said(app)
    app.session_state["changed prices"] = {GPT5: {"input": TypedPrice(Decimal("0.1"), "CNY")}}
    app.run()
    assert months(app).iloc[0]["month"] == 6  # 2000 × 0.1 millionths × 30,000
    assert "¥6.00" in said(app)
    app.button_group(key="currency").set_value("USD").run()
    assert months(app).iloc[0]["month"] == pytest.approx(6 / 7.25)


# The network


def test_fetched_prices_are_announced_and_used_and_a_failure_leaves_the_old_ones(
    open_cost, monkeypatch
):
    def unreachable():
        raise OSError("no route to host")

    monkeypatch.setattr("bpe.pricing.genai_list.fetch", unreachable)
    app = open_cost("month", models=[GPT5], month_of="plan")
    app.button(key="refresh").click().run()
    assert not app.exception
    assert "could not be fetched" in said(app)
    assert months(app).iloc[0]["month"] == pytest.approx(165)

    old = pricing.table()
    higher = pricing.Prices((Rule(Rates(input=Rate(Decimal(2)), output=Rate(Decimal(10)))),))
    fresh = [
        replace(model, prices=higher) if model.id == GPT5 else model for model in old.all_models
    ]
    day = date(2026, 11, 20)
    monkeypatch.setattr(pricing, "refresh", lambda: Table(tuple(fresh), day))
    app.button(key="refresh").click().run()
    assert "Now the prices of 2026-11-20. Changed models: 1; new ones: 0." in said(app)
    assert months(app).iloc[0]["month"] == pytest.approx(210)  # (4000 + 3000) millionths × 30,000


def ask_the_vendor(app, button: str):
    app.text_input(key="vendor_key").set_value(KEY).run()
    app.button(key=button).click().run()
    assert not app.exception
    assert KEY not in said(app)
    assert KEY not in str(dict(app.query_params))


def test_a_vendor_counts_for_a_reader_with_a_key_and_calibrates_the_estimate(
    open_cost, monkeypatch
):
    def unreachable(request):
        raise urllib.error.URLError(f"cannot send {request.headers}")

    app = open_cost("languages", models=["anthropic/claude-sonnet-5-5"])
    assert table(app, "saving").iloc[0]["count"].startswith("estimate ±")
    assert "Neither language is surely cheaper here." in said(app)
    monkeypatch.setattr(vendor_count, "_post", unreachable)
    for button in ("vendor_count", "vendor_calibrate"):
        ask_the_vendor(app, button)
        assert "could not be reached" in said(app)

    # A run that comes in between does not lose what was asked.
    runs = [st.rerun]
    monkeypatch.setattr(
        vendor_count, "_post", lambda request: runs.pop()() if runs else b'{"input_tokens": 321}'
    )
    ask_the_vendor(app, "vendor_count")
    assert runs == []
    assert table(app, "vendor")["vendor"].tolist() == [321, 321]

    # The service counts bytes, and 7 for the frame: a text of n bytes is n tokens.
    def bytes_of(request):
        text = json.loads(request.data)["messages"][0]["content"]
        return json.dumps({"input_tokens": len(text.encode()) + 7}).encode()

    monkeypatch.setattr(vendor_count, "_post", bytes_of)
    english = app.session_state["cost_en"]
    ask_the_vendor(app, "vendor_calibrate")
    assert "your own measurement" in said(app)
    assert table(app, "saving").iloc[0]["en"] == pytest.approx(len(english.encode()), rel=0.02)


# What a URL may say


def test_unknown_models_and_absurd_values_in_the_url_are_named_or_fall_back(open_cost):
    app = open_cost(
        "month", models=["gpt-99", "hunyuan-turbos", "gpt-5"], a_input="-5", a_requests="1e99",
        a_cached="900", hours="noon", rate="-7", currency="EUR", moment="tomorrow", budget="-1",
    )  # fmt: skip
    assert not app.error
    assert months(app).iloc[0]["month"] == pytest.approx(165)
    assert "There is no model “gpt-99”" in said(app)
    assert app.multiselect(key="models").value == [GPT5]
    app.number_input(key="a_requests").set_value(5).run()
    assert "There is no model “gpt-99”" in said(app)
    app.button_group(key="lang").set_value("zh").run()
    assert "手头没有“hunyuan-turbos”（Tencent）注明日期的价格来源" in said(app)
    app.button_group(key="lang").set_value("en").run()
    app.multiselect(key="models").set_value([GPT4]).run()
    assert "There is no model" not in said(app)


def test_a_search_for_a_model_without_a_price_says_what_to_do(open_cost):
    listed = "ByteDance Doubao / Seed, Tencent Hunyuan, Baidu ERNIE"
    app = open_cost("models", search="doubao-seed-1.6")
    assert "the price of “doubao-seed-1.6” (ByteDance) is at hand, nor its vocabulary" in said(app)
    assert "No model fits all of these conditions" not in said(app)
    app.text_input(key="search").set_value("qwen").run()
    assert "No dated source of the price" not in said(app)
    assert listed in said(app)

"""The cost page: hand-computed money reaches the reader, and nothing breaks it."""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pandas as pd
import pytest

import bpe
from bpe import pricing
from bpe.pricing import Rate, Rule, Table
from playground.session import Entry
from tests.pages.reading import said

GPT5 = "openai/gpt-5"  # 1.25, cached 0.125, output 10 US dollars per million; batch half of it
GPT4 = "openai/gpt-4"  # 30 and 60; window 8,192; cl100k_base
PRO = "deepseek/deepseek-v4-pro"  # 0.66 and 1.98, the double from 9 to 12 and 14 to 18 in Beijing
OLD = "deepseek/deepseek-chat"
NO_WINDOW = "openai/gpt-chat-latest"


@pytest.fixture(autouse=True)
def one_morning(monkeypatch):
    """Prices change and grow old with the calendar: hold it at a Saturday noon in Beijing."""
    noon = datetime(2026, 11, 21, 4, tzinfo=UTC)
    monkeypatch.setattr("playground.cost.price_settings.now", lambda: noon)


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


def go_to(app, section: str):
    app.button_group(key="section").set_value(section).run()


def put(app, **values):
    """Put values into fields of the page, in one run."""
    for key, value in values.items():
        app.session_state[key] = value
    app.run()


def of_hours_beside_the_chart(app) -> str:
    """Return what is said of peak hours in the open, not in the closed list of notes."""
    (line,) = [
        each.value
        for each in app.caption
        if "peak hours" in each.value and not each.value.startswith("- ")
    ]
    return line.replace("\\", "")


def test_every_section_says_what_is_special_of_a_model_and_asks_for_one(open_cost):
    """A price that is out of date has hours that are, too; peak hours are named beside others."""
    app = open_cost(
        "languages", models=[PRO, OLD, NO_WINDOW], sample="dialogue", requests="300",
        moment="2026-11-09T10:00",
    )  # fmt: skip
    for section in ("languages", "conversation", "batch"):
        go_to(app, section)
        assert "This row of the price list is known to be out of date" in said(app)
        of_hours = of_hours_beside_the_chart(app)
        assert "(09:00–12:00 / 14:00–18:00 in Beijing)" in of_hours
        assert pricing.model(PRO).name in of_hours
        assert pricing.model(OLD).name not in of_hours
    go_to(app, "languages")
    once = table(app, "zh_zh").loc["GPT Chat Latest"]
    put(app, every="month", both_requests=300, both_days=1)
    row = table(app, "zh_zh").loc["GPT Chat Latest"]
    assert row[["zh_zh", "en_en"]].tolist() == once[["zh_zh", "en_en"]].tolist()
    assert "for a month of 300 requests" in said(app)
    assert "78% of these requests are priced at peak hours" in of_hours_beside_the_chart(app)
    assert "None are counted here" in said(app)  # of tokens of reasoning
    app.multiselect(key="models").set_value([]).run()
    for section in ("conversation", "batch", "languages"):
        go_to(app, section)
        assert "Choose at least one model" in said(app), section


def test_a_chat_begins_with_the_visitors_text_and_fits_or_overflows(open_cost):
    app = open_cost("conversation", models=[GPT4, NO_WINDOW], turns="12", moment="2026-11-14T09:00")
    assert "The context window is not known for: GPT Chat Latest." in said(app)
    put(app, text_from="tokens", begins=1000)
    assert app.number_input(key="turns").max == 1_000  # more would hold the page for seconds
    rows = table(app, "fits")
    assert rows["fits"].to_dict() == {
        "GPT-4": "refused from turn 11 on", "GPT Chat Latest": "unknown"
    }  # fmt: skip
    assert rows.loc["GPT-4", "tokens"] == 1000
    assert "longer than the model takes: GPT-4 (from turn 11 on)" in said(app)
    assert len(app.get("vega_lite_chart")) == 1

    put(app, models=[PRO], turns=1, begins=0, user=1_000_000, reply=0, reasoning=1_000_000)
    assert table(app, "fits")["total"].tolist() == [5.28]  # 0.66 + 1.98, double at nine in Beijing
    assert "off-peak it is 50% lower" in of_hours_beside_the_chart(app)
    assert "this is an upper bound" in said(app)  # it is a Saturday
    app.toggle(key="weekends").set_value(True).run()
    assert table(app, "fits")["total"].tolist() == [2.64]
    assert "this is an upper bound" not in said(app)

    put(app, models=[GPT4], text_from="typed", user=0, reasoning=0, sample="own",
        compare_sides=("zh",), compare_zh="看路")  # fmt: skip
    row = table(app, "fits").iloc[0]
    assert (row["tokens"], row["free"], row["fits"]) == (2, 8190, "yes")


def test_a_text_of_ones_own_is_priced_alone_and_then_beside_its_translation(open_cost):
    app = open_cost("languages", models=[GPT4, PRO])
    assert "In Chinese it costs" in said(app)
    sample = table(app, "saving").loc["GPT-4"]
    assert sample["answer_zh"] > 100
    put(app, sample="own", compare_sides=("zh",), compare_zh="你好", compare_en="")
    assert "In Chinese it costs" not in said(app)
    assert "the cheapest of 2 models" in said(app)
    assert app.button_group(key="answers").value == "length"
    assert not {"premium", "saving", "share", "cheaper"} & {*table(app, "answer_zh")}

    # An answer of so many characters or words is the same content in both languages.
    app.button(key="add_translation").click().run()
    put(app, compare_en="hello", answer_unit="words", answer_length_words=1000)
    rows = table(app, "saving")
    assert rows.loc["GPT-4", ["zh", "en"]].tolist() == [2, 1]
    assert rows.loc["GPT-4", "answer_zh"] > 1.3 * rows.loc["GPT-4", "answer_en"]
    of_pro = next(name for name in rows.index if name.startswith("DeepSeek V4 Pro"))
    assert rows.loc[of_pro, "answer_zh"] < rows.loc["GPT-4", "answer_zh"]
    assert "(0%)" not in said(app)

    # Tokens only if one asks for them; what differs by less than half a percent is equal.
    put(app, answers="tokens")
    own = table(app, "saving").loc["GPT-4"]
    assert (own["answer_zh"], own["answer_en"]) == (300, 300)
    # a thousand requests: prompts 2 × 30 and 1 × 30 thousandths, answers 300 × 60
    assert own[["zh_zh", "en_en"]].tolist() == [18.06, 18.03]
    assert own["cheaper"] == "equal"
    assert own["source"].startswith("https://")
    assert "both languages cost the same" in said(app)


@pytest.mark.parametrize(
    ("query", "values", "text"),
    [
        ({"section": "month", "both_requests": "20", "both_days": "3"},
         {"section": "languages", "every": "month"}, "for a month of 60 requests"),
        ({"section": "month", "month_of": "plan", "a_requests": "7", "a_days": "1"},
         {"every": "month", "both_requests": 7}, "for a month of 7 requests"),
        ({"section": "window", "reserve": "5"},
         {"section": "conversation", "turns": 1, "user": 0, "reply": 5}, "fits all 2 windows"),
        ({"section": "conversation", "request_of": "window"},
         {"request_of": "conversation", "turns": 1}, "fits all 2 windows"),
        ({"section": "languages", "answers": "tokens", "answer_zh": "7"},
         {"answers": "tokens", "answer_tokens": 7}, "for 1,000 requests"),
        ({"section": "batch", "row_output": "7"},
         {"row_answers": "tokens", "row_tokens": 7}, "for 326 prompts"),
        ({"section": "conversation", "request_of": "messages", "model": GPT4},
         {"request_of": "messages", "request_model": GPT4}, "for GPT-4."),
        ({"section": "conversation", "model": PRO, "system": "8000"},
         {"text_from": "tokens", "begins": 8000, "models": [PRO, GPT5, GPT4]}, "GPT-4 (from turn"),
    ],
)  # fmt: skip
def test_links_of_earlier_versions_open_what_they_mean(open_page, query, values, text):
    app = open_page("cost", lang="en", models=[GPT5, GPT4], **query)
    assert not app.exception
    assert {key: app.session_state[key] for key in values} == values
    assert text in said(app)
    assert not [each for each in app.warning if "“models”" not in each.value]  # messages have none


def test_a_request_and_its_answer_are_counted_by_a_tokenizer_of_ones_own(open_cost):
    app = open_cost("conversation", request_of="messages", request_model="minimax/minimax-m3")
    assert table(app, "sure")["sure"].tolist()[0] == "estimated"
    put(
        app,
        request_json='[{"role": "user", "content": "你好"}]',
        request_usage='{"prompt_tokens": 178, "completion_tokens": 2}',
        request_answer="你好",
        request_tokenizer="own-1",
        **{"own tokenizers": {"own-1": Entry(bpe.encoding("cl100k_base"))}},
    )
    assert table(app, "ours")["ours"].tolist() == [178, 2]
    assert table(app, "ours")["sure"].tolist() == ["exact", "exact"]
    assert table(app, "why")["why"].tolist() == ["The same number.", "The same number."]
    assert "By the vendor's numbers this costs" in said(app)
    put(app, request_usage='{"prompt_tokens": 178, "completion_tokens": 2, "cost": 5}')
    assert "nothing was taken from: cost." in said(app)
    put(app, request_before='[{"role": "user", "content": "你好，世界"}]')
    assert "They part in message 1: “，世界” before, “” now" in said(app)
    tools = '{"tools": [{"name": "a"}, {"name": "longer name of b"}]}'
    put(app, request_json=tools)
    assert table(app, "tool")["tool"].tolist() == ["longer name of b", "a"]
    put(app, request_json="[" * 100_000)
    assert "cannot be read as JSON" in app.error[0].value
    assert app.text_area(key="request_usage")


def test_a_file_of_prompts_is_summed_up_for_each_model(open_cost):
    app = open_cost("batch", rows_from="file", models=[GPT4], row_answers="tokens",
                    row_tokens="0")  # fmt: skip
    assert "Upload a csv or jsonl file" in said(app)
    rows = '{"prompt": "你好"}\n{"prompt": "hello"}\n{"prompt": "你好你好"}\n'
    app.file_uploader(key="batch_files").upload("p.jsonl", rows.encode()).run()
    row = table(app, "p95").iloc[0]
    assert (row["tokens"], row["p50"], row["p95"], row["longest"]) == (7, 2, 4, 4)
    assert (row["limit"], row["over"]) == (8192, 0)
    assert row["total"] == pytest.approx(0.00021)  # 7 × 30 millionths
    each = table(app, "number")
    assert each["tokens"].tolist() == [2, 1, 4]
    assert each["over"].tolist() == [False] * 3
    assert len(app.get("download_button")) == 1
    # Answers that leave one of 8,192 tokens: two prompts are longer, and refused.
    put(app, models=[GPT4, GPT5], row_tokens=7191, reasoning=1000)
    assert "1 of 2 models refuse some of these prompts" in said(app)
    assert "costs $0.246 for 3 prompts on **GPT-5**." in said(
        app
    )  # 4 × 1.25 + 3 × 8191 × 10 millionths
    assert table(app, "p95")["over"].to_dict() == {"GPT-5": 0, "GPT-4": 2}
    put(app, rows_model=GPT4)
    assert table(app, "number")["over"].tolist() == [True, False, True]

    # An answer of so many characters is the same content, and more tokens for GPT-4.
    put(app, row_answers="length", row_answer_unit="hanzi", row_answer_length_hanzi=1000)
    answers = table(app, "p95")["answer"]
    assert answers["GPT-4"] > 1.2 * answers["GPT-5"]


def test_filters_narrow_the_table_and_a_search_without_a_price_says_what_to_do(open_cost):
    app = open_cost("models", search="doubao-seed-1.6", old="true",
                    vendors=["DeepSeek"], price="0.1")  # fmt: skip
    unpriced = "the price and the vocabulary of “doubao-seed-1.6” (ByteDance) is at hand"
    assert unpriced in said(app)
    assert "No model fits all of these conditions" not in said(app)
    app.text_input(key="search").set_value("").run()
    assert "No model fits" in said(app)
    put(app, price=None, vendors=[], search="deepseek")
    assert set(table(app, "weights")["vendor"]) == {"DeepSeek"}
    assert "No dated source of the price" not in said(app)
    assert "ByteDance Doubao / Seed, Tencent Hunyuan, Baidu ERNIE" in said(app)
    put(app, search="")
    every = table(app, "weights")
    assert every.loc["text-embedding-3-small", "vendor"] == "OpenAI"
    app.toggle(key="old").set_value(False).run()
    assert len(every) > len(table(app, "weights"))


def higher_prices() -> Table:
    """Return a newer list, in which a million tokens of input to GPT-5 cost 2 US dollars."""
    higher = pricing.Prices((Rule({"input": Rate(Decimal(2)), "output": Rate(Decimal(10))}),))
    return Table((replace(pricing.model(GPT5), prices=higher),), date(2026, 11, 20))


def test_prices_that_were_fetched_hold_in_every_section(open_cost, monkeypatch):
    def unreachable():
        raise OSError("no route to host")

    monkeypatch.setattr("bpe.pricing.genai_list.fetch", unreachable)
    app = open_cost("languages", models=[GPT5], answers="tokens", answer_tokens="0")
    put(app, sample="own", compare_sides=("en",), compare_en="hello", compare_zh="")
    app.button(key="refresh").click().run()
    assert "could not be fetched" in said(app)
    assert table(app, "cost").iloc[0]["cost"] == 0.00125
    monkeypatch.setattr(pricing, "refresh", higher_prices)
    app.button(key="refresh").click().run()
    assert "Now the prices of 2026-11-20." in said(app)
    assert table(app, "cost").iloc[0]["cost"] == 0.002

    go_to(app, "models")
    assert table(app, "weights").loc["GPT-5", "input"] == 2


def test_unknown_models_and_absurd_values_in_the_url_are_named_or_fall_back(open_cost):
    app = open_cost(
        "languages", models=["gpt-99", "hunyuan-turbos", "gpt-5"], requests="1e99", every="never",
        both_cached="900", hours="noon", rate="-7", currency="EUR", moment="tomorrow", price="-1",
    )  # fmt: skip
    assert not app.error
    assert table(app, "saving").index.tolist() == ["GPT-5"]
    assert "There is no model “gpt-99”" in said(app)
    assert app.multiselect(key="models").value == [GPT5]
    put(app, requests=5, lang="zh")
    assert "价目表中没有模型“gpt-99”" in said(app)
    assert "手头没有“hunyuan-turbos”（Tencent）注明日期的价格和词表来源" in said(app)
    app.button_group(key="lang").set_value("en")
    app.multiselect(key="models").set_value([GPT4]).run()
    assert "There is no model" not in said(app)

"""Whole requests: the figures of the vendors' published templates, and bills held against them."""

import base64
import io
import json
from contextlib import suppress
from decimal import Decimal
from random import Random

import pytest
from PIL import Image

import bpe
from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import count_messages, read_request
from bpe.pricing.images import image_tokens
from tests.cli.running import run, said

HELLO = [{"role": "user", "content": "你好"}]
PARAMETERS = {"type": "object", "properties": {
    "city": {"type": "string", "description": "City"}}, "required": ["city"]}  # fmt: skip
WEATHER = {"type": "function", "function": {
    "name": "get_weather", "description": "Get the current weather", "parameters": PARAMETERS,
}}  # fmt: skip
WITH_WHITE_SPACE = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "\n\nx"},
    {"role": "assistant", "content": " hi\n"},
    {"role": "user", "content": "It's 3.14!"},
]


# Rendered by Jinja from the vendor's chat_template and counted by its tokenizer.json.
@pytest.mark.parametrize(
    ("model", "greeting", "with_white_space"),  # each without and with a tool
    [
        ("alibaba/qwen3-8b", [9, 152], [37, 175]),
        ("alibaba/qwen3.5-plus", [11, 273], [38, 296]),
        ("zai/GLM-4.5V", [7, 168], [27, 188]),
        ("zai/GLM-5", [6, 163], [22, 179]),
        ("deepseek/deepseek-v4-pro", [5, 279], [22, 295]),
        ("deepseek/deepseek-v3.2", [5, 304], [22, 320]),
        ("moonshotai/kimi-k2", [26, 77], [32, 83]),
    ],
)
def test_a_request_costs_what_the_published_template_makes_of_it(model, greeting, with_white_space):
    for asked, expected in ((HELLO, greeting), (WITH_WHITE_SPACE, with_white_space)):
        counts = [count_messages(asked, model=model, tools=tools) for tools in (None, [WEATHER])]
        assert [count.total for count in counts] == expected
    alone = count_messages(HELLO, model=model)
    assert (alone.text, alone.tools) == (1, 0)
    # Which open model stands behind a product is assumed, and so is its frame.
    assumed = ("alibaba/qwen3.5-plus", "moonshotai/kimi-k2")
    assert alone.frame_is == ("estimate" if model in assumed else "exact")


@pytest.mark.parametrize("name", ["qwen3-8b", "Qwen/Qwen3-8B", "alibaba-cn/qwen3-8b"])
def test_tokens_need_no_provider_where_all_count_alike(name):
    assert count_messages(HELLO, model=name).total == 9


def test_minimax_sends_a_system_prompt_of_its_own():
    # 177 and 408 by its own vocabulary, which has the tool in 57 tokens; it is not at hand.
    assert count_messages(HELLO, model="minimax/minimax-m3").total == 177
    tool = json.dumps(WEATHER["function"])
    counted = count_messages(HELLO, model="minimax/minimax-m3", tools=[WEATHER])
    own = bpe.encoding("o200k_base").count(f"<tool>{tool}</tool>\n")
    assert counted.total - own + 57 == 408
    assert counted.exactness == "estimate"


def test_the_rule_of_openai_has_three_tokens_a_message_its_role_and_the_reply():
    # one message “hi” is 8 tokens at OpenAI: 3 frame + 1 role + 1 text + 3 reply
    found = count_messages([{"role": "user", "content": "hi"}], model="gpt-4o")
    assert (found.total, found.frame, found.exactness) == (8, 7, "exact")
    named = [{"role": "user", "content": "hi", "name": "Ann"}, *HELLO]
    assert count_messages(named, model="gpt-4").frame == 4 + 1 + 1 + 4 + 3


def test_tools_are_as_sure_as_their_rule_and_their_vocabulary():
    asked = {"tools": [WEATHER], "messages": HELLO}
    sure = {
        model: (found.frame_is, found.tools_is, found.exactness, found.at_least)
        for model in ("zai/GLM-5", "gpt-4o", "gpt-5", "minimax/minimax-m3", "claude-opus-5")
        for found in [count_messages(**asked, model=model)]
    }
    assert sure == {
        "zai/GLM-5": ("exact", "exact", "exact", False),
        "gpt-4o": ("exact", "exact", "exact", False),
        "gpt-5": (None, "estimate", "estimate", True),  # no count of the API is public
        "minimax/minimax-m3": ("exact", "estimate", "estimate", False),  # by another vocabulary
        "claude-opus-5": (None, "estimate", "estimate", True),
    }
    found = count_messages(**asked, model="gpt-5")
    assert (found.frame, found.tools < found.tools_high) == (0, True)
    assert "not measured for this model" in str(found.notes)
    assert "at most" in str(found.notes)


# What OpenAI's API counted, as published by hmarr/openai-chat-tokens for gpt-3.5-turbo.


def _string(**more):
    return {"type": "string", **more}


def _function(name, description=None, required=None, **properties):
    parameters = {"type": "object", "properties": properties}
    parameters |= {"required": required} if required else {}
    described = {"description": description} if description else {}
    return [{"name": name, **described, "parameters": parameters}]


INGREDIENT = {
    "type": "object",
    "required": ["name", "unit", "amount"],
    "properties": {
        "name": _string(),
        "unit": _string(enum=["grams", "ml", "cups", "pieces", "teaspoons"]),
        "amount": {"type": "number"},
    },
}
RECIPE = _function(
    "get_recipe",
    required=["ingredients", "instructions", "time_to_cook"],
    ingredients={"type": "array", "items": INGREDIENT},
    instructions={
        "type": "array",
        "items": _string(),
        "description": "Steps to prepare the recipe (no numbering)",
    },
    time_to_cook={"type": "number", "description": "Total time to prepare the recipe in minutes"},
)
NUMBER = {"type": "number", "description": "A number"}
NESTED = {
    "type": "object",
    "properties": {"bar": _string(enum=["a", "b", "c"]), "baz": {"type": "boolean"}},
}
CALL = {"name": "do_stuff", "arguments": '{"foo": "bar", "baz": 1.5}'}
OTHER_CALL = {**CALL, "arguments": '{"foo":"bar", "baz":\n\n 1.5}'}
USER, WORLD, THERE = ("user", "hello"), ("user", "hello world"), ("user", "Hi there")
PUBLIC_COUNTS = [
    ([USER], None, 8),
    ([WORLD], None, 9),
    ([("system", "hello:")], None, 9),
    ([("system", "# Important: you're the best robot"), ("user", "hello robot"),
      ("assistant", "hello world")], None, 27),
    ([USER], _function("foo"), 31),
    ([USER], _function("foo", "Do a foo"), 36),
    ([USER], _function("bing_bong", "Do a bing bong", foo=_string()), 49),
    ([USER], _function("bing_bong", "Do a bing bong", foo=_string(), bar=NUMBER), 57),
    ([USER], _function("bing_bong", "Do a bing bong", foo=NESTED), 68),
    ([USER], RECIPE, 106),
    ([WORLD, ("function", "{}", "do_stuff")], None, 15),
    ([WORLD, ("function", '{"foo": "bar", "baz": 1.5}', "do_stuff")], None, 28),
    ([("function", '{"a": { "b" : { "c": false}}}', "dance_the_tango")], None, 24),
    ([("assistant", "", None, CALL)], None, 26),
    ([("assistant", "", None, OTHER_CALL)], None, 25),
    ([("system", "Hello"), THERE], _function("do_stuff"), 35),
    ([("system", "Hello:"), THERE], _function("do_stuff"), 35),
    ([("system", "Hello:"), ("system", "Hello"), THERE], _function("do_stuff"), 40),
]  # fmt: skip


@pytest.mark.parametrize(("messages", "tools", "tokens"), PUBLIC_COUNTS)
def test_functions_have_the_tokens_that_the_api_of_openai_counted(messages, tools, tokens):
    names = ("role", "content", "name", "function_call")
    asked = [dict(zip(names, message, strict=False)) for message in messages]
    found = count_messages(asked, model="gpt-3.5-turbo", tools=tools)
    assert (found.total, found.exactness) == (tokens, "exact")


def test_the_example_of_the_cookbook_has_its_tokens_on_each_model():
    place = _string(description="The city and state, e.g. San Francisco, CA")
    unit = _string(description="The unit of temperature to return", enum=["celsius", "fahrenheit"])
    about = "Get the current weather in a given location"
    tools = _function("get_current_weather", about, ["location"], location=place, unit=unit)
    system = "You are a helpful assistant that can answer to questions about the weather."
    asked = [
        {"role": "system", "content": system},
        {"role": "user", "content": "What's the weather like in San Francisco?"},
    ]
    models = ("gpt-3.5-turbo", "gpt-4", "gpt-4o", "gpt-4o-mini")
    counts = [count_messages(asked, model=model, tools=tools).total for model in models]
    assert counts == [105, 105, 101, 101]


def _png(width, height):
    head = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
    head += width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes(20)
    return base64.b64encode(head).decode()


def _image(width, height, **more):
    url = f"data:image/png;base64,{_png(width, height)}"
    return {"type": "image_url", "image_url": {"url": url, **more}}


def _source(width, height):
    source = {"type": "base64", "media_type": "image/png", "data": _png(width, height)}
    return {"type": "image", "source": source}


def _inline(width, height):
    return {"inlineData": {"mimeType": "image/png", "data": _png(width, height)}}


@pytest.mark.parametrize(
    ("model", "image", "tokens"),
    [  # the examples of the vendors' own pages; * what somebody was billed
        ("gpt-4o", _image(1024, 1024), 765),
        ("gpt-4o", _image(2048, 4096), 1105),
        ("gpt-4o", _image(4096, 8192, detail="low"), 85),
        ("openai/gpt-4.1", _image(2049, 513), 1445),  # *
        ("openai/gpt-4.1", _image(2050, 513), 765),  # *
        ("openai/gpt-4.1-mini", _image(1024, 1024), 1659),
        ("openai/o4-mini", _image(1800, 2400, detail="high"), 2498),  # 1,452 squares
        ("openai/gpt-5.4", _image(1024, 1024, detail="high"), 1229),
        ("openai/gpt-5.4", _image(2048, 2048, detail="high"), 3000),
        ("openai/gpt-6-astra", _image(4096, 512, detail="high"), 2458),
        ("openai/gpt-5.6-luna", _image(640, 480, detail="low"), 231),
        ("claude-haiku-4-5", _source(200, 200), 64),
        ("claude-haiku-4-5", _source(1000, 1000), 1296),
        ("claude-haiku-4-5", _source(1920, 1080), 1560),
        ("claude-haiku-4-5", _source(2000, 1500), 1564),
        ("claude-haiku-4-5", _source(1075, 1520), 33 * 47),  # 924 × 1,307
        ("claude-haiku-4-5", _source(3024, 4032), 1564),
        ("claude-sonnet-5-5", _source(3024, 4032), 4740),
        ("claude-opus-5", _source(1075, 1520), 2145),
        ("claude-opus-5", _source(2000, 1500), 3888),
        ("claude-opus-5", _source(3840, 2160), 4784),
        ("gemini-2.5-pro", _inline(300, 384), 258),
        ("gemini-2.5-pro", _inline(960, 540), 1548),
    ],
)
def test_images_have_the_tokens_of_the_vendors_formula(model, image, tokens):
    text = {"type": "text", "text": "hi"}
    with_image = count_messages([{"role": "user", "content": [text, image]}], model=model)
    without = count_messages([{"role": "user", "content": [text]}], model=model)
    assert with_image.text - without.text == tokens
    assert "formula" in str(with_image.notes)
    assert with_image.text_is == with_image.exactness == "estimate"


@pytest.mark.parametrize(
    ("model", "image", "doubt"),
    [
        ("gemini-2.5-pro", _inline(960, 540), {"rough"}),
        ("openai/gpt-5-mini", _image(1800, 2400), {"images is assumed"}),
        ("claude-opus-5", _source(960, 540), set()),
    ],
)
def test_a_formula_that_is_rough_or_assumed_is_said_to_be_so(model, image, doubt):
    notes = str(count_messages([{"role": "user", "content": [image]}], model=model).notes)
    assert {words for words in ("rough", "images is assumed") if words in notes} == doubt


@pytest.mark.parametrize("kind", ["PNG", "GIF", "JPEG", "WEBP"])
def test_the_size_of_an_image_is_that_of_its_head(kind):
    drawn = io.BytesIO()
    Image.new("RGB", (300, 200)).save(drawn, kind)
    data = base64.b64encode(drawn.getvalue()).decode()
    part = {"type": "image", "source": {"data": data}}
    assert image_tokens(pricing.model("claude-sonnet-4-5"), part) == 88


@pytest.mark.parametrize(
    ("model", "part", "name"),
    [
        ("gpt-4o", {"type": "input_image", "image_url": "https://example.org/a.png"}, "image"),
        ("qwen3-8b", _image(10, 10), "image"),  # no formula is known
        ("openai/gpt-6-sol", _image(10, 10), "image"),  # nor of this one, for want of a page
        ("openai/gpt-5.6-sol", _image(6000, 6000), "image"),  # 35,344 squares: refused
        ("openai/gpt-5-nano", _image(10, 10, detail="low"), "image"),
        ("gpt-4o", {"type": "input_audio", "input_audio": {"data": ""}}, "input_audio"),
        ("gpt-4o", {"type": "file", "file": {"file_id": "x"}}, "file"),
    ],
)
def test_what_is_not_counted_is_named_and_the_total_at_least(model, part, name):
    content = [{"type": "text", "text": "hi"}, part]
    found = count_messages([{"role": "user", "content": content}], model=model)
    assert found.at_least
    assert name in found.left_out
    assert name in str(found.notes)


WORDS = "antidisestablishmentarianism " * 40
MANY = bpe.encoding("o200k_base").count(WORDS)
BLOCK = [{"type": "text", "text": WORDS}]


def _asked(*content, role="user", **more):
    return {"messages": [{"role": "user", "content": "x"},
                         {"role": role, "content": list(content), **more}]}  # fmt: skip


@pytest.mark.parametrize(
    ("request_", "times", "names"),
    [  # how often the words are in it and counted, and what is named as not counted
        (_asked(role="assistant", tool_calls=[{"id": "c", "type": "function", "function":
                {"name": "f", "arguments": WORDS}}]), 1, {"frames"}),
        (_asked(*BLOCK, role="tool", tool_call_id="c"), 1, {"frames"}),
        (_asked(role="assistant", function_call={"name": "f", "arguments": WORDS}), 1, set()),
        (_asked(*BLOCK, role="function", name="f"), 1, set()),
        ({"input": [{"type": "function_call", "call_id": "c", "name": "f", "arguments": WORDS},
                    {"type": "function_call_output", "call_id": "c", "output": WORDS}]}, 2,
         {"frames"}),
        (_asked({"type": "tool_use", "id": "c", "name": "f", "input": {"q": WORDS}},
                role="assistant"), 1, {"frames"}),
        ({"contents": [
            {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"q": WORDS}}}]},
            {"parts": [{"functionResponse": {"name": "f", "response": {"result": WORDS}}}]}]}, 2,
         {"frames"}),
        (_asked(role="assistant", tool_calls=[{"type": "custom", "custom":
                {"name": "f", "input": WORDS}}]), 1, {"frames"}),
        (_asked(role="assistant", refusal=WORDS), 1, {"frames"}),
        (_asked(role="assistant", audio={"id": "a"}), 0, {"audio"}),
        (_asked(role="assistant", thinking=WORDS), 1, {"frames"}),
        (_asked(role="assistant", reasoning=WORDS, reasoning_details=BLOCK), 1,
         {"reasoning_details"}),
        (_asked(role="assistant", tool_plan=WORDS), 1, {"frames"}),
        (_asked({"type": "thinking", "thinking": BLOCK}, role="assistant"), 1, set()),
        (_asked(images=[_png(1024, 1024)]), 0, {"frames"}),
        (_asked(*BLOCK, images=1, tool_calls=5), 1, {"images", "tool_calls"}),
        (_asked({"type": "document", "source": {"type": "text", "data": WORDS}}), 1, {"frames"}),
        (_asked({"type": "document", "source": {"type": "content", "content": BLOCK}}), 1,
         {"frames"}),
        (_asked({"type": "document", "source": {"type": "base64", "data": "x"}}), 0, {"document"}),
        (_asked({"type": "search_result", "title": "t", "content": BLOCK}), 1, {"frames"}),
        (_asked({"type": "mcp_tool_use", "name": "f", "input": {"q": WORDS}},
                {"type": "mcp_tool_result", "content": BLOCK}), 2, {"frames"}),
        (_asked({"type": "tool_result", "content": BLOCK}, {"type": "tool_result",
                "content": [*BLOCK, _source(1024, 1024)]}), 2, {"frames"}),
        (_asked({"toolUse": {"name": "f", "input": {"q": WORDS}}},
                {"reasoningContent": {"reasoningText": {"text": WORDS}}},
                {"toolResult": {"content": [{"text": WORDS}, {"json": {"a": WORDS}}]}},
                {"cachePoint": {"type": "default"}}, {"document": {"name": "d"}}), 4,
         {"document"}),
        ({"input": [{"type": "reasoning", "summary": BLOCK}, {"type": "item_reference"},
                    {"type": "function_call_output", "output": BLOCK}]}, 1,
         {"reasoning", "item_reference"}),
        ({"input": [{"type": "web_search_call", "action": {"query": WORDS}}]}, 1, {"frames"}),
        ({"contents": [{"parts": [
            {"inlineData": {"mimeType": "application/pdf", "data": "x"}},
            {"executableCode": {"code": WORDS}}, {"codeExecutionResult": {"output": WORDS}}]}]},
         2, {"application/pdf"}),
        ({"contents": {"parts": [{"text": WORDS}]}}, 1, set()),
        ({"contents": ["x", WORDS]}, 1, set()),
        ({"input": "x", "previous_response_id": "r", "tools": [{"type": "web_search"}]}, 0,
         {"previous_response_id", "web_search"}),
        ({**_asked(*BLOCK), "documents": [{"text": "x"}], "temperature": 0, "stop": ["x"]}, 1,
         {"documents"}),
        ({**_asked(*BLOCK), "response_format": {"type": "json_schema", "json_schema": {}}}, 1,
         {"response_format"}),
        ({**_asked(*BLOCK), "response_format": {"type": "json_object"}}, 1, set()),
        ({**_asked(*BLOCK), "tools": [{"type": "bash_20250124", "name": "bash"}]}, 1, {"bash"}),
        ({"contents": "x", "generationConfig": {"responseSchema": {"type": "OBJECT"}},
          "tools": [{"googleSearch": {}}]}, 0, {"responseSchema", "googleSearch"}),
        ({**_asked(*BLOCK), "toolConfig": {"tools": [{"toolSpec": {
            "name": "f", "description": WORDS, "inputSchema": {"json": {}}}}]}}, 2, set()),
    ],
)  # fmt: skip
def test_a_request_of_any_api_is_counted_whole_or_what_is_not_is_named(request_, times, names):
    messages, tools = read_request(request_)
    more = pricing.uncounted_in(request_)
    found = count_messages(messages, model="gpt-4o", tools=tools, uncounted=more)
    images = 765 * (_png(1024, 1024) in json.dumps(request_))
    assert times * MANY <= found.total - images < (times + 0.4) * MANY + 60
    assert names <= {*found.left_out}
    assert found.at_least is bool(found.left_out)
    assert bool(names) is found.at_least


NAMES = [
    "usage", "message", "choices", "meta", "prompt_tokens", "total_tokens", "cached_tokens",
    "messages", "prompt_tokens_details", "contents", "input", "tools", "system", "role", "content",
    "parts", "type", "text", "tool_calls", "name", "function", "arguments", "source", "image_url",
    "images", "toolResult", "document", "functionCall",
]  # fmt: skip
VALUES = [0, 1, -1, 1.5, None, True, "x", "", 10**20, float("nan"), "tool_use", "image", "user"]


def _any_object(random, depth=0):
    if depth > 4 or random.random() < 0.45:
        return random.choice(VALUES)
    values = [_any_object(random, depth + 1) for _ in range(random.randint(0, 4))]
    return values if random.random() < 0.4 else {random.choice(NAMES): each for each in values}


def test_no_object_is_anything_but_read_or_refused():
    random = Random(42)
    for _ in range(1_000):
        for read in (read_request, pricing.tools_in, pricing.read_usage):
            data = _any_object(random)
            with suppress(BPEError):
                found = read(data)
                if read is read_request:
                    count_messages(found[0], model="qwen3-8b", tools=found[1],
                                   uncounted=pricing.uncounted_in(data))  # fmt: skip


MCP = {"tools": [
    {"name": "add", "description": "Add two numbers", "inputSchema": PARAMETERS},
    {"name": "forecast", "title": "x", "description": "The weather of a week, day by day",
     "inputSchema": PARAMETERS},
]}  # fmt: skip


def test_tools_of_an_mcp_server_are_listed_costliest_first(tmp_path):
    rows = pricing.tool_tokens(MCP, model="gpt-4o")
    assert [name for name, _tokens in rows] == ["forecast", "add"]
    together = count_messages(HELLO, model="gpt-4o", tools=MCP).tools
    assert 0 < together - sum(tokens for _name, tokens in rows) < 25  # what stands around them
    file = tmp_path / "tools.json"
    for data in (MCP, {"jsonrpc": "2.0", "id": 1, "result": MCP}, MCP["tools"]):
        file.write_text(json.dumps(data))
        found = said("count", "--tools", file, "-m", "gpt-4o")
        assert [(each["name"], each["tokens"]) for each in found["tools"]] == rows
    assert run("count", "--tools", file, "-m", "gpt-4o").output.startswith("forecast")
    run("count", "--tools", file, code=2)


@pytest.mark.parametrize(
    ("model", "parts", "total", "sure"),
    [
        ("gpt-4o", {"name": None}, 8, True),  # as the models of a client write it
        ("qwen3-8b", {"name": "Bob"}, 9, False),  # its template writes no names
        ("qwen3-8b", {"role": "developer"}, 9, False),  # nor such messages
    ],
)
def test_parts_that_a_template_does_not_write_are_not_counted(model, parts, total, sure):
    first = {"role": "user", "content": "hi", **parts}
    found = count_messages([first], model=model)
    assert found.total == total
    assert (found.frame_is == "exact") is sure


def test_a_frame_in_another_vocabulary_is_no_longer_exact():
    for name, sure in (("gpt2", "estimate"), ("qwen3", "exact"), ("qwen3_5", "exact")):
        found = count_messages(HELLO, model="qwen3-8b", encoder=bpe.encoding(name))
        assert (found.text_is, found.frame_is) == ("exact", sure)
    thought = [*HELLO, {"role": "assistant", "content": "<think>x</think>y"}, *HELLO]
    assert count_messages(thought, model="qwen3-8b").frame_is == "estimate"


OPENAI = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}]


@pytest.mark.parametrize(
    "asked",
    [
        OPENAI,
        {"messages": OPENAI},
        {"messages": OPENAI[1:], "system": "Be brief."},
        {"messages": OPENAI[1:], "system": [{"type": "text", "text": "Be brief."}]},
        {"input": "hi", "instructions": "Be brief."},
        {"input": [{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}],
         "instructions": "Be brief."},
        {"contents": [{"role": "user", "parts": [{"text": "hi"}]}],
         "systemInstruction": {"parts": [{"text": "Be brief."}]}},
        {"contents": "hi", "system_instruction": "Be brief."},
    ],
)  # fmt: skip
def test_a_request_is_read_in_the_form_of_every_api(asked):
    messages, tools = read_request(asked)
    assert (messages, tools) == (OPENAI, None)
    assert count_messages(messages, model="gpt-4o").text == 4


@pytest.mark.parametrize(
    "messages",
    [None, 0, "x", {}, [], ["hi"], [5], [[]], [{}], [{"role": "user"}], [{"content": "x"}]],
)
def test_what_is_no_request_is_refused(messages):
    with pytest.raises(BPEError, match="must have from 1|must be an object with|must be lists"):
        count_messages(messages, model="gpt-4o")
    if not isinstance(messages, list):
        with pytest.raises(BPEError, match="must be"):
            read_request(messages)


DEEPSEEK_USAGE = {"prompt_tokens": 95, "completion_tokens": 20, "prompt_cache_hit_tokens": 64}


@pytest.mark.parametrize(
    ("model", "tools", "usage", "causes"),
    [
        ("zai/GLM-5", [WEATHER], {"prompt_tokens": 6, "completion_tokens": 20},
         {-157: "as the tools have", 18: "more than one can read"}),
        ("zai/GLM-5", None,
         {"input_tokens": 1, "cache_read_input_tokens": 4, "output_tokens": 3},
         {-1: "sends another frame", None: "Part of the input above", 1: "The end of the answer"}),
        ("google/gemini-3.8-flash", None,
         {"promptTokenCount": 40, "candidatesTokenCount": 2, "thoughtsTokenCount": 30},
         {39: "What roles and messages add", None: "cannot be counted by anybody else"}),
    ],
)  # fmt: skip
def test_each_line_of_a_bill_has_its_difference_and_a_cause(model, tools, usage, causes):
    request = count_messages(HELLO, model=model, tools=tools)
    answer = pricing.count_tokens(pricing.model(model), "你好吗", bpe.encoding)
    rows = pricing.check_usage(pricing.model(model), request, usage, answer).rows
    found = {row.difference: str(row.causes) for row in rows}
    assert [cause for off, cause in causes.items() if cause not in found[off]] == []


def test_a_count_says_whether_it_is_exact_and_a_price_whether_it_is_out_of_date():
    model = pricing.model("deepseek-chat")
    request = count_messages(HELLO, model=model)
    check = pricing.check_usage(model, request, DEEPSEEK_USAGE)
    assert [row.sure for row in check.rows] == ["at least", None, None]  # of an unknown frame
    assert [row.ours for row in check.rows[1:]] == [None, None]  # only the vendor knows
    assert "out of date" in str(check.notes)
    assert "peak hours" not in str(check.notes)  # those of the row are out of date, too


def _written(file, value):
    file.write_text(json.dumps(value), "utf-8")
    return file


def test_a_request_is_counted_whole_and_by_a_tokenizer_of_ones_own(tmp_path):
    chat = _written(tmp_path / "chat.json", {"messages": HELLO, "tools": [WEATHER]})
    asked = ("count", "--messages", chat, "-m", "zai/GLM-5")
    assert "163  exact" in run(*asked).output
    found = said(*asked)
    assert (found["total"], found["tools"], found["exactness"]) == (163, 157, "exact")
    asked = (*asked[:-1], "minimax/minimax-m3", "-t")
    found = said(*asked, "cl100k_base")
    assert (found["text"], found["text_is"], found["tools_is"]) == (2, "exact", "exact")
    assert found["total"] == found["text"] + found["frame"] + found["tools"]
    run(*asked, "gpt2", "-t", "qwen3", code=2)
    for most, code in (("1", 1), ("1000", 0)):
        done = run(*asked, "cl100k_base", "--max", most, code=code)
        assert ("More than 1 tokens" in done.errors) == (code == 1)


@pytest.mark.parametrize(
    ("model", "usage", "words"),
    [
        ("zai/GLM-5", {"usage": {"prompt_tokens": 6, "completion_tokens": 3}},
         ["The same number."]),
        ("deepseek-chat", DEEPSEEK_USAGE, ["≥ 1", "out of date"]),  # of no frame, an old price
    ],
)  # fmt: skip
def test_the_command_checks_a_bill(tmp_path, model, usage, words):
    files = [_written(tmp_path / "chat.json", HELLO), _written(tmp_path / "usage.json", usage)]
    printed = run("check-usage", *files, "-m", model).output
    assert all(each in printed for each in words)
    first = said("check-usage", *files, "-m", model)["rows"][0]
    exact = model == "zai/GLM-5"
    assert (first["difference"] == 0, first["sure"] == "exact") == (exact, exact)


@pytest.mark.parametrize("model", ["openai/gpt-4o", "minimax/minimax-m3"])
@pytest.mark.parametrize("tools", [5, "x", {"a": 1}, [5], [None], ["x"]])
def test_tools_of_another_shape_are_refused(model, tools):
    with pytest.raises(BPEError, match="tool"):
        count_messages(HELLO, model=model, tools=tools)


@pytest.mark.parametrize("asked", ["[" * 100_000, "5", "{"])
def test_a_file_of_another_shape_is_refused_in_words(tmp_path, asked):
    file = tmp_path / "chat.json"
    file.write_text(asked)
    assert run("count", "--messages", file, "-m", "gpt-4o", code=2).errors.startswith("Error: ")


# Where two requests part, and the ids of a chat.

GPT = pricing.model("gpt-4o")  # 2.5, cached 1.25; at least 1,024 tokens
SYSTEM = {"role": "system", "content": "word " * 2_000}


def asked_for(text, tools=None):
    return [SYSTEM, {"role": "user", "content": text}], tools


@pytest.mark.parametrize(
    ("first", "second", "part", "saves"),
    [
        (asked_for("Hello, you"), asked_for("Hello, me"), "2", True),
        (asked_for("a"), asked_for("a"), "", True),
        (asked_for("a", [{"name": "f"}]), asked_for("a", [{"name": "g"}]), "tools", False),
        (([{"role": "user", "content": "a"}], None), ([{"role": "user", "content": "a b"}], None),
         "1", False),  # too short to be cached
    ],
)  # fmt: skip
def test_two_requests_part_in_the_first_thing_that_differs(first, second, part, saves):
    shared = pricing.shared_prefix(GPT, first, second)
    assert (shared.part, shared.saving > 0) == (part, saves)
    if part == "2":
        assert (shared.before, shared.after) == (" you", " me")
        assert shared.saving == Decimal("1.25") * shared.tokens / 10**6


def test_the_command_says_where(tmp_path):
    files = []
    for name, text in (("before.json", "Hello, you"), ("now.json", "Hello, me")):
        files.append(tmp_path / name)
        files[-1].write_text(json.dumps(asked_for(text)[0]))
    command = ("count", "--messages", files[1], "--after", files[0], "-m", "gpt-4o")
    assert "They part in message 2" in run(*command).output
    assert said(*command)["after"] == " me"
    for model, assumed in (("gpt-4o", True), ("gpt-5.6-sol", False)):
        command = (*command[:-1], model)
        assert ("is assumed" in run(*command).output) is assumed
        assert (said(*command)["note"] is not None) is assumed
    found = pricing.shared_prefix(pricing.model("gpt-5.6-sol"), (HELLO, None), (OPENAI, None))
    assert (found.saving, "caches no prefix" in str(found.note)) == (0, True)

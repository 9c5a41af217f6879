"""Where two requests part."""

import json
from decimal import Decimal

import pytest

import bpe
from bpe import pricing
from tests.cli.running import run, said

GPT = pricing.model("gpt-4o")  # 2.5, cached 1.25; at least 1,024 tokens
SYSTEM = {"role": "system", "content": "word " * 2_000}


def asked(text, tools=None):
    return [SYSTEM, {"role": "user", "content": text}], tools


def test_what_two_requests_share_could_come_from_the_cache():
    found = pricing.shared_prefix(GPT, asked("Hello, you"), asked("Hello, me"))
    assert (found.part, found.before, found.after) == ("2", " you", " me")
    assert found.tokens > 2_000
    assert found.saving == Decimal("1.25") * found.tokens / 10**6


@pytest.mark.parametrize(
    ("first", "second", "part", "saves"),
    [
        (asked("a"), asked("a"), "", True),
        (asked("a", [{"name": "f"}]), asked("a", [{"name": "g"}]), "tools", False),
        (([{"role": "user", "content": "a"}], None), ([{"role": "user", "content": "a b"}], None),
         "1", False),  # too short to be cached
    ],
)  # fmt: skip
def test_it_parts_in_the_first_thing_that_differs(first, second, part, saves):
    found = pricing.shared_prefix(GPT, first, second)
    assert (found.part, found.saving > 0) == (part, saves)


def test_the_command_says_where(tmp_path):
    files = []
    for name, text in (("before.json", "Hello, you"), ("now.json", "Hello, me")):
        files.append(tmp_path / name)
        files[-1].write_text(json.dumps(asked(text)[0]))
    command = ("count", "--messages", files[1], "--after", files[0], "-m", "gpt-4o")
    assert "They part in message 2" in run(*command).output
    assert said(*command)["after"] == " me"
    for model, assumed in (("gpt-4o", True), ("gpt-5.6-sol", False)):
        command = (*command[:-1], model)
        assert ("is assumed" in run(*command).output) is assumed
        assert (said(*command)["note"] is not None) is assumed


@pytest.mark.parametrize("model", ["qwen3-8b", "zai/GLM-5", "deepseek-v4-pro"])
def test_a_chat_becomes_the_ids_that_are_counted(model):
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "你好"}]
    ids = pricing.apply_chat_template(messages, model=model)
    assert len(ids) == pricing.count_messages(messages, model=model).total
    template = "<{{ messages[1].content }}>"
    encoder = bpe.encoding("o200k_base")
    assert pricing.apply_chat_template(messages, model="gpt-5", template=template) == (
        encoder.encode("<你好>")
    )


@pytest.mark.parametrize("model", ["gpt-4o", "claude-opus-5-5", "gpt-5"])
def test_without_a_template_as_text_there_are_no_ids(model):
    with pytest.raises(bpe.BPEError, match="at hand"):
        pricing.apply_chat_template([{"role": "user", "content": "x"}], model=model)

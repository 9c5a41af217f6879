"""Counting at the vendor: what is sent, what is read, and that no key leaks."""

import io
import json
import traceback
import urllib.error
import urllib.request
from datetime import date
from email.message import Message

import pytest

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import (
    count_at_vendor,
    count_for_all,
    estimate_tokens,
    has_counting_service,
    recalibrate,
)
from tests.pricing.plain_encoders import CharacterEncoder

CLAUDE, GEMINI = pricing.model("claude-opus-5"), pricing.model("gemini-2.5-pro")
KEY = "not-a-real-key-0123"
DAY = date(2026, 11, 21)
TEXT = "一段不该进日志的话"


@pytest.fixture
def service(monkeypatch):
    """Give a service that remembers the request and gives the ``answer`` it has by then."""

    class Service:
        answer = b"{}"
        request = None

        def __call__(self, request, timeout):
            self.request = request
            if isinstance(self.answer, Exception):
                raise self.answer
            return io.BytesIO(self.answer)

    found = Service()
    monkeypatch.setattr(urllib.request, "urlopen", found)
    return found


def test_anthropic_is_asked_for_one_message(service):
    service.answer = b'{"input_tokens": 14}'
    count = count_at_vendor(CLAUDE, TEXT, f" {KEY}\n")
    assert count.tokens == 14
    assert str(count.method).startswith("counted by the vendor's own service")
    assert service.request.get_method() == "POST"
    assert service.request.full_url == "https://api.anthropic.com/v1/messages/count_tokens"
    assert service.request.get_header("X-api-key") == KEY
    assert json.loads(service.request.data) == {
        "model": "claude-opus-5", "messages": [{"role": "user", "content": TEXT}],
    }  # fmt: skip


def test_google_is_asked_with_the_key_in_a_header_not_in_the_address(service):
    service.answer = b'{"totalTokens": 9, "other": 1}'
    assert count_at_vendor(GEMINI, TEXT, KEY).tokens == 9
    assert service.request.full_url.endswith("/models/gemini-2.5-pro:countTokens")
    assert KEY not in service.request.full_url
    assert service.request.get_header("X-goog-api-key") == KEY


def test_openai_is_asked_for_the_input_of_a_response(service):
    service.answer = b'{"object": "response.input_tokens", "input_tokens": 11}'
    assert count_at_vendor(pricing.model("gpt-6-sol"), TEXT, KEY).tokens == 11
    assert service.request.full_url == "https://api.openai.com/v1/responses/input_tokens"
    assert service.request.get_header("Authorization") == f"Bearer {KEY}"
    assert json.loads(service.request.data) == {"model": "gpt-6-sol", "input": TEXT}


def refusal(status):
    # what urllib raises carries the request's address and the vendor's words
    return urllib.error.HTTPError(f"https://host/?{KEY}", status, KEY, Message(), io.BytesIO(b""))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (refusal(401), r"Anthropic refused to count \(HTTP 401\)"),
        (refusal(429), r"HTTP 429"),
        (urllib.error.URLError(KEY), "could not be reached"),
        (TimeoutError(KEY), "could not be reached"),
        (b"<html>", "gave no number"),
        (b"[]", "gave no number"),
        (b"{}", "gave no number"),
        (b'{"input_tokens": -1}', "gave no number"),
        (b'{"input_tokens": true}', "gave no number"),
        (b"\xff", "gave no number"),
    ],
)
def test_every_failure_is_a_clear_error_without_key_or_text(service, answer, message):
    service.answer = answer
    with pytest.raises(BPEError, match=message) as caught:
        count_at_vendor(CLAUDE, TEXT, KEY)
    shown = "".join(traceback.format_exception(caught.value))
    assert KEY not in shown
    assert TEXT not in shown


def test_a_request_does_not_show_its_key(service):
    service.answer = b'{"input_tokens": 1}'
    count_at_vendor(CLAUDE, TEXT, KEY)
    assert KEY not in repr(service.request)
    assert TEXT not in repr(service.request)


@pytest.mark.parametrize(
    "key", ["", "short", "with space inside", "钥匙钥匙钥匙钥匙", "a" * 600, "x\r\nHost: y"]
)
def test_what_is_no_key_is_refused_before_it_is_sent(service, key):
    with pytest.raises(BPEError, match="does not look like an API key"):
        count_at_vendor(CLAUDE, TEXT, key)
    assert service.request is None


def test_a_vendor_without_the_service_says_so():
    assert has_counting_service(CLAUDE)
    assert not has_counting_service(pricing.model("grok-4.7"))
    with pytest.raises(BPEError, match="xAI offers no counting service"):
        count_at_vendor(pricing.model("grok-4.7"), TEXT, KEY)


def test_ratios_are_measured_anew_without_the_frame_of_the_message():
    def count(text):  # a frame of 7, two tokens a Chinese character, one a letter
        return 7 + sum(2 if character > "\u2000" else 1 for character in text)

    calibration = recalibrate(
        "mine",
        count,
        CharacterEncoder(),
        zh_text="一二三四",
        other_text="abc",
        on=date(2026, 11, 21),
    )
    assert (calibration.zh.ratio, calibration.other.ratio) == (2, 1)
    assert calibration.method == "vendor"
    assert estimate_tokens(calibration, 10, 10).tokens == 30


def test_ratios_of_ones_own_replace_those_at_hand():
    calibration = recalibrate(
        "mine", lambda text: 3 * len(text), CharacterEncoder(), zh_text="一二", other_text="ab",
        on=DAY,
    )  # fmt: skip
    # every text is 3 for each character, and the frame, 3 × 1 - 1 = 2, comes off: 6 - 2 = 4
    own = {CLAUDE.calibration: calibration}
    exact = pricing.model("gpt-4o")
    counts = count_for_all([CLAUDE, exact], "abcd", CharacterEncoder, own=own)
    assert [counts[model.id].tokens for model in (CLAUDE, exact)] == [8, 4]


def test_nothing_cannot_be_calibrated_with():
    with pytest.raises(BPEError, match="at least one token"):
        recalibrate(
            "mine", len, CharacterEncoder(), zh_text="", other_text="a", on=date(2026, 1, 1)
        )

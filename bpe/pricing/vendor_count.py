"""Counting by the vendor's own service, with the reader's key.

OpenAI, Anthropic and Google count the tokens of a request for who has a key. The key goes into one
request header and nowhere else: it is not stored, not logged, in no address and in no error.

A service counts a whole request, so its number includes the frame of one message; Anthropic says of
its own that it may differ a little from the bill. To calibrate our estimates by such counts, see
:func:`recalibrate`. Sources: the vendors' references of ``POST /v1/responses/input_tokens``,
``POST /v1/messages/count_tokens`` and ``models.countTokens``.
"""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import date
from http.client import HTTPException
from typing import Any
from urllib.parse import quote

from bpe.encoders.base import Encoder
from bpe.encoders.model_tokenizers import Calibration, Sample
from bpe.errors import BPEError, Sentence
from bpe.pricing import messages
from bpe.pricing.count import TokenCount
from bpe.pricing.model_table import Model

TIMEOUT_SECONDS = 15.0
_ANSWERS = {"openai": "input_tokens", "anthropic": "input_tokens", "google": "totalTokens"}
"""Where the answer of a provider's service holds the number."""


def has_counting_service(model: Model) -> bool:
    return model.provider in _ANSWERS


def count_at_vendor(model: Model, text: str, key: str) -> TokenCount:
    """Return the vendor's count of a request with this text as its only message.

    Raises :class:`BPEError` if the vendor has no such service, refuses, or cannot be reached.
    """
    if not has_counting_service(model):
        raise BPEError("{vendor} offers no counting service that we know.", vendor=model.vendor)
    tokens = _ask(_request(model, text, key), model)
    return TokenCount(tokens, "estimate", tokens, tokens, Sentence(messages.METHOD_REMOTE))


def recalibrate(
    name: str,
    count: Callable[[str], int],
    encoder: Encoder,
    *,
    zh_text: str,
    other_text: str,
    on: date,
) -> Calibration:
    """Return ratios measured on a Chinese and another text, by the vendor's count of each.

    The frame of the message is taken off: it is what a request with the text ``a`` counts beyond 1.
    """
    frame = count("a") - 1
    zh, other = (
        Sample(len(text), encoder.count(text), count(text) - frame)
        for text in (zh_text, other_text)
    )
    if min(zh.base, zh.model, other.base, other.model) < 1:
        raise BPEError("Both texts must have at least one token to calibrate with.")
    return Calibration(name, encoder.name, "vendor", on, zh, other)


def _request(model: Model, text: str, key: str) -> urllib.request.Request:
    key = _checked(key)
    body: dict[str, Any] = {"model": model.ref}
    if model.provider == "openai":
        url = "https://api.openai.com/v1/responses/input_tokens"
        headers = {"authorization": f"Bearer {key}"}
        body["input"] = text
    elif model.provider == "anthropic":
        url = "https://api.anthropic.com/v1/messages/count_tokens"
        headers = {"x-api-key": key, "anthropic-version": "2023-06-01"}
        body["messages"] = [{"role": "user", "content": text}]
    else:
        ref = quote(model.ref, safe="")
        url = f"https://generativelanguage.googleapis.com/v1beta/models/{ref}:countTokens"
        headers = {"x-goog-api-key": key}
        body = {"contents": [{"parts": [{"text": text}]}]}
    headers["content-type"] = "application/json"
    return urllib.request.Request(url, json.dumps(body).encode("ascii"), headers)


def _checked(key: str) -> str:
    """Return a key that can be sent in a header; anything else was pasted by mistake."""
    key = key.strip()
    if not re.fullmatch(r"[!-~]{8,512}", key):
        raise BPEError("This does not look like an API key. Paste the key alone, without spaces.")
    return key


def _ask(request: urllib.request.Request, model: Model) -> int:
    # No error below is chained to its cause: the cause could carry the request with the key.
    try:
        reply = _post(request)
    except urllib.error.HTTPError as refusal:
        status = refusal.code
        refusal.close()
        raise BPEError(
            "{vendor} refused to count (HTTP {status}). Check the key and that it may use {model}.",
            vendor=model.vendor,
            status=status,
            model=model.ref,
        ) from None
    except (OSError, HTTPException):
        raise BPEError(
            "{vendor}'s counting service could not be reached. The local estimate stays in use.",
            vendor=model.vendor,
        ) from None
    try:
        tokens = json.loads(reply)[_ANSWERS[model.provider]]
    except (ValueError, LookupError, TypeError):
        tokens = None
    if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
        raise BPEError("{vendor}'s counting service gave no number.", vendor=model.vendor)
    return tokens


def _post(request: urllib.request.Request) -> bytes:
    with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as reply:
        content: bytes = reply.read(1_000_000)
        return content

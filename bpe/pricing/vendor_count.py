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
from dataclasses import dataclass, field
from datetime import date
from http.client import HTTPException
from urllib.parse import quote

from bpe.encoders.base import Encoder
from bpe.encoders.model_tokenizers import Calibration, Sample
from bpe.errors import BPEError
from bpe.pricing import messages
from bpe.pricing.count import TokenCount
from bpe.pricing.messages import Sentence
from bpe.pricing.model_table import Model

TIMEOUT_SECONDS = 15.0

Send = Callable[["Request"], bytes]


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTPS POST. Its headers hold the key, so they stay out of its ``repr``."""

    url: str
    headers: dict[str, str] = field(repr=False)
    body: bytes = field(repr=False)


def has_counting_service(model: Model) -> bool:
    return model.provider in _SERVICES


def count_at_vendor(model: Model, text: str, key: str, *, send: Send | None = None) -> TokenCount:
    """Return the vendor's count of a request with this text as its only message.

    Raises :class:`BPEError` if the vendor has no such service, refuses, or cannot be reached.
    """
    if not has_counting_service(model):
        raise BPEError("{vendor} offers no counting service that we know.", vendor=model.vendor)
    request_for, answer = _SERVICES[model.provider]
    tokens = _ask(request_for(model, text, key), answer, model, send)
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


def _openai_request(model: Model, text: str, key: str) -> Request:
    headers = {"authorization": f"Bearer {_header(key)}"}
    body = {"model": model.ref, "input": text}
    return _request("https://api.openai.com/v1/responses/input_tokens", headers, body)


def _anthropic_request(model: Model, text: str, key: str) -> Request:
    body = {"model": model.ref, "messages": [{"role": "user", "content": text}]}
    headers = {"x-api-key": _header(key), "anthropic-version": "2023-06-01"}
    return _request("https://api.anthropic.com/v1/messages/count_tokens", headers, body)


def _google_request(model: Model, text: str, key: str) -> Request:
    ref = quote(model.ref, safe="")
    url = f"https://generativelanguage.googleapis.com/v1beta/models/{ref}:countTokens"
    body = {"contents": [{"parts": [{"text": text}]}]}
    return _request(url, {"x-goog-api-key": _header(key)}, body)


_SERVICES: dict[str, tuple[Callable[[Model, str, str], Request], str]] = {
    "openai": (_openai_request, "input_tokens"),
    "anthropic": (_anthropic_request, "input_tokens"),
    "google": (_google_request, "totalTokens"),
}
"""For each provider: the request, and where its answer holds the number."""


def _request(url: str, headers: dict[str, str], body: object) -> Request:
    return Request(
        url, headers | {"content-type": "application/json"}, json.dumps(body).encode("ascii")
    )


def _header(key: str) -> str:
    """Return a key that can be sent in a header; anything else was pasted by mistake."""
    key = key.strip()
    if not re.fullmatch(r"[!-~]{8,512}", key):
        raise BPEError("This does not look like an API key. Paste the key alone, without spaces.")
    return key


def _ask(request: Request, answer: str, model: Model, send: Send | None) -> int:
    # No error below is chained to its cause: the cause could carry the request with the key.
    try:
        reply = (send or _post)(request)
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
        tokens = json.loads(reply)[answer]
    except (ValueError, LookupError, TypeError):
        tokens = None
    if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
        raise BPEError("{vendor}'s counting service gave no number.", vendor=model.vendor)
    return tokens


def _post(request: Request) -> bytes:
    outgoing = urllib.request.Request(
        request.url, data=request.body, headers=request.headers, method="POST"
    )
    with urllib.request.urlopen(outgoing, timeout=TIMEOUT_SECONDS) as reply:
        content: bytes = reply.read(1_000_000)
        return content

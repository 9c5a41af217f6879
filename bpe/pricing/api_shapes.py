"""What the APIs of vendors take and send: requests and usage objects, whichever form they have."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bpe.errors import BPEError


def read_request(request: Any) -> tuple[list[Any], Any]:
    """Return the messages of a request, and its tools, whichever API it is written for.

    That is OpenAI's (both of them), Anthropic's or Gemini's; a list is one of messages.
    """
    if isinstance(request, list):
        return request, None
    shapes = {"messages": "system", "input": "instructions", "contents": "systemInstruction"}
    found = isinstance(request, dict) and next((name for name in shapes if name in request), None)
    if not found:
        raise BPEError(
            "A request must be an object with “messages”, “input” or “contents”, or a list of "
            "messages."
        )
    said = request[found]
    if isinstance(said, str):
        said = [{"role": "user", "content": said}]
    if not isinstance(said, list):
        raise BPEError("The messages and the tools of a request must be lists.")
    system = request.get(shapes[found], request.get("system_instruction"))
    if system is not None:
        system = system if isinstance(system, dict) else {"content": system}
        said = [{**system, "role": "system"}, *said]
    return [_as_openai(message) for message in said], request.get("tools")


def _as_openai(message: Any) -> Any:
    """Return a message with its parts as ``content``, which is one text where all are texts."""
    if not isinstance(message, dict):
        return message
    content = message.get("content", message.get("parts"))
    if isinstance(content, list) and all(
        isinstance(part, dict) and isinstance(part.get("text"), str) for part in content
    ):
        content = "".join(part["text"] for part in content)
    rest = {name: value for name, value in message.items() if name != "parts"}
    return {**rest, "content": content}


Shape = Literal["OpenAI", "Anthropic", "Gemini", "DeepSeek"]
"""Whose form a usage object has; Qwen and GLM send OpenAI's, or its newer one."""


@dataclass(frozen=True, slots=True)
class Reported:
    """What a usage object says: ``input`` and ``output`` are all that is billed as such."""

    shape: Shape
    input: int
    output: int
    cached: int = 0
    written: int = 0
    reasoning: int = 0

    def __post_init__(self) -> None:
        if self.cached + self.written > self.input or self.reasoning > self.output:
            raise BPEError("The usage object contradicts itself: a part is more than the whole.")

    @property
    def visible(self) -> int:
        """The output that one can read."""
        return self.output - self.reasoning


def read_usage(usage: Mapping[str, Any]) -> Reported:
    """Return what a usage object says, whichever vendor's form it has.

    >>> read_usage({"input_tokens": 5, "cache_read_input_tokens": 90, "output_tokens": 7}).input
    95
    """
    usage = _inner(usage)
    if "promptTokenCount" in usage:
        thoughts = _number(usage, "thoughtsTokenCount")
        return Reported(
            "Gemini",
            _number(usage, "promptTokenCount") + _number(usage, "toolUsePromptTokenCount"),
            _number(usage, "candidatesTokenCount") + thoughts,
            cached=_number(usage, "cachedContentTokenCount"),
            reasoning=thoughts,
        )
    if "cache_read_input_tokens" in usage or "cache_creation_input_tokens" in usage:
        cached, written = (
            _number(usage, f"cache_{kind}_input_tokens") for kind in ("read", "creation")
        )
        total = _number(usage, "input_tokens") + cached + written
        return Reported("Anthropic", total, _number(usage, "output_tokens"), cached, written)
    asked, answered = ("prompt", "completion") if "prompt_tokens" in usage else ("input", "output")
    if f"{asked}_tokens" not in usage:
        raise BPEError(
            "This is not a usage object that we know: it must have “prompt_tokens”, "
            "“input_tokens” or “promptTokenCount”."
        )
    cached = _number(_part(usage, f"{asked}_tokens_details"), "cached_tokens")
    shape: Shape = "DeepSeek" if "prompt_cache_hit_tokens" in usage else "OpenAI"
    return Reported(
        shape,
        _number(usage, f"{asked}_tokens"),
        _number(usage, f"{answered}_tokens"),
        cached=cached or _number(usage, "prompt_cache_hit_tokens"),
        reasoning=_number(_part(usage, f"{answered}_tokens_details"), "reasoning_tokens"),
    )


def _inner(usage: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the usage object within a whole answer of an API."""
    for name in ("usage", "usageMetadata"):
        if isinstance(usage.get(name), Mapping):
            inner: Mapping[str, Any] = usage[name]
            return inner
    return usage


def _part(usage: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = usage.get(name)
    return found if isinstance(found, Mapping) else {}


def _number(usage: Mapping[str, Any], name: str) -> int:
    found = usage.get(name) or 0
    if isinstance(found, bool) or not isinstance(found, int) or found < 0:
        raise BPEError("“{name}” of a usage object must be a whole number.", name=name)
    return found

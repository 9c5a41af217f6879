"""The objects that vendors' APIs take and send: requests and usage, whichever form they have."""

import re
from collections.abc import Iterator, Mapping
from functools import cache, reduce
from typing import TYPE_CHECKING, Any

from bpe.errors import BPEError, whole_number
from bpe.pricing import genai_list
from bpe.pricing.bill import Usage
from bpe.pricing.message_parts import tools_of

if TYPE_CHECKING:
    from genai_prices.types import UsageExtractor


def read_request(request: Any) -> tuple[list[Any], Any]:
    """Return the messages of a request, and its tools, whichever API it is written for.

    That is OpenAI's (both of them), Anthropic's or Gemini's; a list is one of messages. Tools come
    in OpenAI's form.
    """
    if isinstance(request, list):
        return request, None
    shapes = {"messages": "system", "input": "instructions", "contents": "systemInstruction"}
    shape = isinstance(request, dict) and next((name for name in shapes if name in request), None)
    if not shape:
        raise BPEError(
            "A request must be an object with “messages”, “input” or “contents”, or a list of "
            "messages."
        )
    messages = request[shape]
    if isinstance(messages, str):
        messages = [{"role": "user", "content": messages}]
    if shape == "contents":  # of Gemini, whose libraries take a text or a content alone, too
        messages = messages if isinstance(messages, list) else [messages]
        messages = [_as_content(each) for each in messages]
    if not isinstance(messages, list):
        raise BPEError("The messages and the tools of a request must be lists.")
    system = request.get(shapes[shape], request.get("system_instruction"))
    if system is not None:
        system = system if isinstance(system, dict) else {"content": system}
        messages = [{**system, "role": "system"}, *messages]
    configured = request.get("toolConfig")  # Bedrock's
    configured = configured.get("tools") if isinstance(configured, dict) else None
    return [_as_openai(message) for message in messages], tools_of(
        request.get("tools", request.get("functions", configured))
    )


_SETTINGS = {
    "messages", "input", "contents", "system", "instructions", "systemInstruction", "tools",
    "system_instruction", "functions", "tool_choice", "toolChoice", "function_call", "metadata",
    "stream_options", "streamOptions", "stop", "stop_sequences", "stopSequences", "logit_bias",
    "modalities", "audio", "reasoning", "thinking", "safetySettings", "safety_settings",
    "inferenceConfig", "prediction", "provider", "models", "include", "options", "usage",
    "service_tier", "extra_headers", "extra_query", "plugins", "transforms", "betas", "labels",
    "web_search_options", "context_management", "guardrailConfig", "performanceConfig",
}  # fmt: skip
_ELSEWHERE = ("previous_response_id", "conversation", "cachedContent", "cached_content",
              "container", "prompt")  # fmt: skip


def uncounted_in(request: Any) -> tuple[str, ...]:
    """Return the fields of a request, beside messages and tools, that a model reads as tokens.

    Such as the schema of an answer, documents, or an answer that the server has.

    >>> uncounted_in({"messages": [], "temperature": 0, "documents": [{"text": "x"}]})
    ('documents',)
    """
    if not isinstance(request, dict):
        return ()
    names = []
    for name, value in request.items():
        config = value if isinstance(value, dict) else {}
        if name in ("generationConfig", "generation_config", "config"):
            names += [each for each in config if re.search("schema", each, re.IGNORECASE)]
        elif name in ("response_format", "text", "output_config", "toolConfig"):
            names += [name] if re.search("'(json_schema|schema)'", repr(config)) else []
        elif name in _ELSEWHERE or (isinstance(value, dict | list) and name not in _SETTINGS):
            names += [name] if value else []
    return tuple(names)


def _as_content(content: Any) -> Any:
    """Return a content of Gemini's with its role, which may be left out."""
    if isinstance(content, str):
        return {"role": "user", "parts": [{"text": content}]}
    return {"role": "user", **content} if isinstance(content, dict) else content


def _as_openai(message: Any) -> Any:
    """Return a message with its parts as ``content``, which is one text where all are texts."""
    if not isinstance(message, dict):
        return message
    content = message.get("content", message.get("parts"))
    if isinstance(content, list) and all(
        isinstance(part, dict) and isinstance(part.get("text"), str) for part in content
    ):
        content = "".join(part["text"] for part in content)
    if content is None:  # an item that has a call, or what came of it
        return message
    return {**{name: each for name, each in message.items() if name != "parts"}, "content": content}


# Usage objects. An object does not say whose it is: every extractor of genai-prices is tried, and
# the one that agrees with the total and leaves the fewest fields unread is taken.

_Path = tuple[Any, ...]
_CALLED = {
    **dict.fromkeys(("cached_tokens", "num_cached_tokens", "prompt_cache_hit_tokens", "cache_read",
                     "cache_read_tokens", "cache_read_input_tokens"), "cache_read_tokens"),
    **dict.fromkeys(("cache_write_tokens", "cache_creation", "cache_creation_tokens",
                     "cache_creation_input_tokens"), "cache_write_tokens"),
    "ephemeral_5m_input_tokens": "cache_write_5m_tokens",
    "ephemeral_1h_input_tokens": "cache_write_1h_tokens",
    "accepted_prediction_tokens": "", "rejected_prediction_tokens": "",
    "web_search_requests": "web_searches",
}  # fmt: skip
"""Fields that genai-prices reads of some vendors only, and their units; "" is output."""
_KIND = re.compile("(text|audio|image|video|reasoning|thinking)(_tokens)?")
_DETAILS = re.compile("(prompt|input|completion|output)_tokens?_details")
_WITHIN = re.compile(f"{_DETAILS.pattern}|cache_creation(_token_details)?|server_tool_use")
"""In what such fields may stand."""
_TOTALS = ("total_tokens", "totalTokenCount", "totalTokens")
_TIERS = ("service_tier", "serviceTier", "speed")
_AROUND = ("message", "response", "usage_metadata", "x_groq", "choices",
           "amazon-bedrock-invocationMetrics")  # fmt: skip
"""In what an answer, or an event of a stream, may have its usage."""
_ALSO_CALLED = {
    "prompt_eval_count": "prompt_tokens", "eval_count": "completion_tokens",  # Ollama
    "promptTokens": "prompt_tokens", "completionTokens": "completion_tokens",  # Vercel's SDK
    "inputTokenCount": "inputTokens", "outputTokenCount": "outputTokens",  # Bedrock's stream
    "responseTokenCount": "candidatesTokenCount",  # Gemini's live API
    "responseTokensDetails": "candidatesTokensDetails",
}  # fmt: skip


def read_usage(usage: Mapping[str, Any], provider: str = "") -> Usage:
    """Return what a usage object says, whichever vendor's form it has, or the answer around it.

    ``provider`` is preferred where two forms fit alike. Fields with a value that nothing was taken
    from are named in :attr:`Usage.unread`.

    >>> read_usage({"input_tokens": 5, "cache_read_input_tokens": 90, "output_tokens": 7}).input
    95
    """
    for data in _objects(usage):
        readings = [
            reading
            for spelled in (data, _in_camel_case(data))
            for extractor, owner in _extractors()
            if (spelled is data or owner == "google")
            and (reading := _reading(spelled, extractor, owner == provider)) is not None
        ]
        if readings:
            return _as_usage(*min(readings, key=lambda reading: reading[0])[1:])
    raise BPEError(
        "This is not a usage object that we know: it must have “prompt_tokens”, “input_tokens” or "
        "“promptTokenCount”."
    )


def _objects(usage: Any) -> Iterator[Mapping[str, Any]]:
    """Yield where a usage object may stand in an answer, the likeliest first."""
    whole = usage if isinstance(usage, Mapping) else {}
    for place in (whole.get("meta"), whole, *map(whole.get, _AROUND)):
        inner = place[-1] if isinstance(place, list) and place else place
        if isinstance(inner, Mapping):
            yield {_ALSO_CALLED.get(name) or name: value for name, value in inner.items()}


def _reading(
    data: Mapping[str, Any], extractor: "UsageExtractor", own: bool
) -> tuple[tuple[Any, ...], dict[str, int], Mapping[str, Any], list[str]] | None:
    """Return how well an extractor fits an object, what it reads there, and what it does not."""
    root: list[Any] = [extractor.root] if isinstance(extractor.root, str) else [*extractor.root]
    missing = next((place for place, name in enumerate(root) if name in data), len(root))
    wrapped = data
    for name in reversed(root[:missing]):
        wrapped = {name: wrapped}
    inner: Any = wrapped
    for name in root:
        inner = inner.get(name) if isinstance(inner, Mapping) else None
    if not isinstance(inner, Mapping):
        return None
    try:
        _model, units_read = extractor.extract(wrapped)
    except ValueError:
        return None
    amounts = {unit: n for unit, n in vars(units_read).items() if n is not None}
    read = {_path_of(mapping.path) for mapping in extractor.mappings}
    values = dict(_leaves(inner))
    own_fields = len(read & values.keys())
    for path, value in values.items():
        if value and path not in read and (unit := _unit_of(path)) is not None:
            before, now = amounts.get(unit, 0), _number(value, path)
            if unit and not before and now:
                amounts[unit] = now
            if not unit or not before or before == now:
                read.add(path)
    if root[-1] == "billed_units":  # beside the tokens that were counted
        above: Any = reduce(lambda value, name: value[name], root[:-1], wrapped)
        values |= _leaves({name: each for name, each in above.items() if name != root[-1]})
    plain = amounts.get("input_tokens", 0) - amounts.get("cache_read_tokens", 0)
    unread = [
        ".".join(map(str, path)) for path, value in values.items()
        if value and path not in read and path[0] not in (*_TOTALS, *_TIERS)
        and not (path[-1] == "prompt_cache_miss_tokens" and value == plain)
    ]  # fmt: skip
    fit = (
        missing == len(root) or "billed_units" not in root,
        _contradicts(inner, amounts),
        len(unread),
        not own,
        -own_fields,
    )
    tiers = {name: data[name] for name in _TIERS if name in data}
    return fit, amounts, {**tiers, **inner}, unread


def _unit_of(path: _Path) -> str | None:
    *within, name = map(str, path)
    if not all(map(_WITHIN.fullmatch, within)):
        return None
    details = _DETAILS.fullmatch(within[0]) if len(within) == 1 else None
    if details is None or (kind := _KIND.fullmatch(name)) is None:
        return _CALLED.get(name)
    direction = "input" if details[1] in ("prompt", "input") else "output"
    unit = f"{direction}_{kind[1]}_tokens".replace("thinking", "reasoning")
    return unit if unit in genai_list.units() else None


def _contradicts(usage: Mapping[str, Any], amounts: Mapping[str, int]) -> bool:
    """Whether a total is neither all tokens nor those outside of the cache."""
    total = next((usage[name] for name in _TOTALS if usage.get(name)), None)
    whole = amounts.get("input_tokens", 0) + amounts.get("output_tokens", 0)
    cached = amounts.get("cache_read_tokens", 0) + amounts.get("cache_write_tokens", 0)
    apart = amounts.get("output_citation_tokens") and amounts.get("output_reasoning_tokens", 0)
    citations = amounts.get("output_citation_tokens", 0) + (apart or 0)
    return total is not None and total not in (whole, whole - cached, whole - citations)


def _as_usage(amounts: dict[str, int], usage: Mapping[str, Any], unread: list[str]) -> Usage:
    if _contradicts(usage, amounts):
        raise BPEError(
            "The usage object contradicts itself: its total is not the sum of {parts}.",
            parts=", ".join(f"{unit} ({amount:,})" for unit, amount in amounts.items()),
        )
    amounts = {unit: _number(amount, (unit,)) for unit, amount in amounts.items()}
    whole, cached, written, output, reasoning = (
        amounts.pop(unit, 0)
        for unit in ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens",
                     "output_reasoning_tokens")
    )  # fmt: skip
    lives = sum(amounts.get(f"cache_write_{life}_tokens", 0) for life in ("5m", "1h"))
    if cached + max(written, lives) > whole or reasoning > output:
        raise BPEError("The usage object contradicts itself: a part is more than the whole.")
    tiers = (str(usage[name]) for name in _TIERS if usage.get(name) not in (None, "standard"))
    return Usage(
        whole, cached, max(written, lives), output - reasoning, reasoning,
        {unit: amount for unit, amount in amounts.items() if amount},
        next(tiers, "").lower(), tuple(unread), reported=True,
    )  # fmt: skip


@cache
def _extractors() -> tuple[tuple["UsageExtractor", str], ...]:
    """Return the extractors of all providers, those of the usual ones first."""
    first = ("openai", "anthropic", "google", "deepseek", "x-ai")
    providers = sorted(genai_list.bundled().providers, key=lambda each: each.id not in first)
    return tuple(
        (each, provider.id) for provider in providers for each in provider.extractors or ()
    )


def _path_of(path: Any) -> _Path:
    steps = (path,) if isinstance(path, str) else path
    return tuple(
        step if isinstance(step, str) else f"{step.field}={step.match.equals}" for step in steps
    )


def _leaves(value: Any, path: _Path = ()) -> Iterator[tuple[_Path, Any]]:
    """Yield each value in an object with its path; items of a list by what they are of."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _leaves(inner, (*path, name))
    elif isinstance(value, list) and any(isinstance(item, Mapping | list) for item in value):
        for number, item in enumerate(value):
            of = next((f"{key}={item[key]}" for key in ("modality", "ttl")
                       if isinstance(item, Mapping) and key in item), number)  # fmt: skip
            for inner_path, inner in _leaves(item, (*path, of)):
                if inner_path[-1] not in ("modality", "ttl"):
                    yield inner_path, inner
    else:
        yield path, value


def _in_camel_case(value: Any) -> Any:
    """Return an object with the names of Google's Python as its API has them."""
    if isinstance(value, Mapping):
        return {
            re.sub(r"_([a-z])", lambda match: match[1].upper(), str(name)): _in_camel_case(inner)
            for name, inner in value.items()
        }
    return [_in_camel_case(item) for item in value] if isinstance(value, list) else value


def _number(value: Any, path: _Path) -> int:
    if (number := whole_number(value)) is None or number < 0:
        raise BPEError("“{name}” of a usage object must be a whole number.", name=path[-1])
    return number

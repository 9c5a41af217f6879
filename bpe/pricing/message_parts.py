"""The parts of messages, and tools, in the form of every vendor's API.

OpenAI's (chat, with its older functions, and Responses), Anthropic's and Gemini's; tools also as an
MCP server lists them.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from bpe.errors import BPEError

Kind = Literal["text", "call", "result", "image", "unread"]
_TEXTS = ("text", "thinking", "refusal", "reasoning_content", "reasoning", "reasoningContent",
          "reasoningText", "tool_plan")  # fmt: skip
_IMAGES = ("image", "image_url", "input_image", "inlineData", "inline_data", "fileData",
           "file_data")  # fmt: skip
_CALL = re.compile(r"(?:^|_)(?:call|tool_use)$|functionCall$|toolUse$|executableCode$")
_RESULT = re.compile(r"(?:^|_)(?:output|result)$|[a-z]R(?:esult|esponse)$|^function_response$")
_ARGUMENTS = ("arguments", "input", "args")
_RESULTS = ("content", "output", "response", "stdout", "stderr")
_SPOKEN = ("role", "type", "name", "tool_name", "id", "status", "call_id", "tool_call_id",
           "tool_use_id", "toolUseId", "cache_control", "cachePoint", "index", "annotations",
           "signature", "thought_signature", "thoughtSignature", "content", "parts", "tool_calls",
           "function_call", "images", "server_name", "server_label", "phase")  # fmt: skip
"""Fields that are known not to have text that is counted apart, or is read."""


def parts_of(message: Mapping[str, Any]) -> Iterator[tuple[Kind, Any]]:
    """Yield the parts of a message: texts, calls of tools and their results, and images.

    Of a call the text is its name and its arguments. ``"unread"`` are parts of other kinds and
    fields that nothing is counted of, by name.
    """
    if "role" not in message and "type" in message:  # an item that is no message
        yield from _part(message)
        return
    for content in (message.get("content"), message.get("parts")):
        yield from _content(content)
    if message.get("function_call"):
        yield "call", _call(message["function_call"])
    for name in ("tool_calls", "images"):  # the latter are Ollama's
        items = message.get(name) or ()
        if not isinstance(items, list | tuple):
            yield "unread", name
            continue
        for item in items:
            yield ("call", _call(item)) if name == "tool_calls" else ("image", {"image": item})
    for name, value in message.items():
        if name in _TEXTS and isinstance(value, str):
            yield "text", value
        elif name not in _SPOKEN and value and isinstance(value, str | Sequence | Mapping):
            yield "unread", name


def _content(content: Any) -> Iterator[tuple[Kind, Any]]:
    if isinstance(content, str):
        yield "text", content
    elif isinstance(content, Mapping):
        yield from _part(content)
    elif isinstance(content, Sequence):
        for part in content:
            yield from _part(part)


def _part(part: Any) -> Iterator[tuple[Kind, Any]]:
    if isinstance(part, str):
        yield "text", part
        return
    if not isinstance(part, Mapping):
        yield "unread", type(part).__name__
        return
    kind = str(part.get("type") or next(
        (name for name in part if _CALL.search(name) or _RESULT.search(name)), ""
    ) or next((name for name in part if name not in _SPOKEN), ""))  # fmt: skip
    inner: Mapping[str, Any] = part[kind] if isinstance(part.get(kind), Mapping) else part
    if kind in _IMAGES:
        media = str(inner.get("mimeType", inner.get("mime_type", "image")))
        yield ("image", part) if media.startswith("image") else ("unread", media)
    elif _CALL.search(kind):
        yield "call", _call(inner)
    elif _RESULT.search(kind) or kind == "document":
        if kind == "document":
            source = inner["source"] if isinstance(inner.get("source"), Mapping) else {}
            inner = {"content": source.get("data" if source.get("type") == "text" else "content")}
            if not isinstance(inner["content"], str | list):
                yield "unread", kind
                return
        for content in [inner[name] for name in _RESULTS if name in inner] or [""]:
            yield from _result(content)
    elif name := next((name for name in _TEXTS if part.get(name)), None):
        yield from _content(part[name])
    elif kind and not any(name in part for name in _TEXTS):
        yield "unread", kind


def _result(content: Any) -> Iterator[tuple[Kind, Any]]:
    for each in content if isinstance(content, list) else [content]:
        if isinstance(each, Mapping) and (each.keys() & {"type", "text", *_IMAGES}):
            for kind, part in _part(each):
                yield "result" if kind == "text" else kind, part
        else:
            yield "result", each if isinstance(each, str) else as_json(each)


def _call(call: Any) -> str:
    """Return the name and the arguments of a call, which some APIs have within ``function``."""
    if not isinstance(call, Mapping):
        return as_json(call)
    inner = call.get("function", call.get("custom", call))
    if not isinstance(inner, Mapping):
        return as_json(call)
    rest = {name: value for name, value in inner.items() if name not in _SPOKEN}
    arguments = next((inner[name] for name in _ARGUMENTS if name in inner), rest)
    text = arguments if isinstance(arguments, str) else as_json(arguments) if arguments else ""
    return f"{inner.get('name', '')}{text}"


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def tools_of(tools: Any) -> list[dict[str, Any]] | None:
    """Return tools as OpenAI's chat API takes them, whichever API or MCP server they are for."""
    if isinstance(tools, Mapping) and "tools" in tools:
        tools = tools["tools"]
    if tools is None:
        return None
    if not isinstance(tools, list | tuple):
        raise BPEError("The messages and the tools of a request must be lists.")
    if not all(isinstance(tool, Mapping) for tool in tools):
        raise BPEError("Each tool of a request must be an object.")
    return [each for tool in tools for each in _as_functions(tool)]


def tools_in(data: Any) -> list[dict[str, Any]]:
    """Return the tools in a request, in what an MCP server lists, or in a list of tools."""
    for name in ("result", "params"):  # around an MCP server's answer
        data = data[name] if isinstance(data, dict) and isinstance(data.get(name), dict) else data
    if isinstance(data, dict):
        data = data.get("tools", data.get("functions", data if "name" in data else None))
    if isinstance(data, dict):
        data = [data]
    messages = isinstance(data, list) and any(isinstance(t, dict) and "role" in t for t in data)
    return [] if messages else tools_of(data) or []


def _as_functions(tool: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    several = tool.get("functionDeclarations", tool.get("function_declarations"))
    if isinstance(several, list):  # Gemini's
        for each in several:
            yield from _as_functions(each) if isinstance(each, Mapping) else ()
        tool = {name: tool[name] for name in tool if not name.startswith("function")}
        if not tool:
            return
    if isinstance(tool.get("toolSpec"), Mapping):  # Bedrock's
        tool = tool["toolSpec"]
    schema = next((name for name in ("inputSchema", "input_schema") if name in tool), "parameters")
    is_known = tool.get("type", "function") == "function" or schema == "input_schema"
    if isinstance(tool.get("function"), Mapping) or "name" not in tool or not is_known:
        yield dict(tool)
        return
    function = {name: tool[name] for name in ("name", "description") if name in tool}
    if schema in tool:
        as_json_of = isinstance(tool[schema], Mapping) and tool[schema].keys() == {"json"}
        function["parameters"] = tool[schema]["json"] if as_json_of else tool[schema]
    yield {"type": "function", "function": function}


def is_function(tool: Mapping[str, Any]) -> bool:
    """Return whether a tool is spelled out, and no tool of the vendor's that is only named."""
    return isinstance(tool.get("function"), Mapping)


# OpenAI shows functions to its models as a namespace of TypeScript, as one of its engineers wrote
# in its forum; the spaces were found by many people from the counts that the API gives.

_PLAIN = {"integer": "number", "number": "number", "boolean": "boolean", "null": "null",
          "string": "string"}  # fmt: skip
_UNDERSTOOD = {"type", "description", "properties", "required", "items", "enum", "title", "$schema",
               "additionalProperties", "strict"}  # fmt: skip


def as_namespace(tools: Sequence[Mapping[str, Any]]) -> str:
    """Return tools as OpenAI's models read them.

    >>> print(as_namespace([{"function": {"name": "now", "description": "The time"}}]))
    namespace functions {
    <BLANKLINE>
    // The time
    type now = () => any;
    <BLANKLINE>
    } // namespace functions
    """
    lines = ["namespace functions {", ""]
    for tool in tools:
        function = tool.get("function", tool)
        if function.get("description"):
            lines.append(f"// {function['description']}")
        parameters = function.get("parameters") or {}
        if parameters.get("properties"):
            fields = _fields(parameters, 0)
            lines += [f"type {function.get('name')} = (_: {{", fields, "}) => any;", ""]
        else:
            lines += [f"type {function.get('name')} = () => any;", ""]
    return "\n".join([*lines, "} // namespace functions"])


def is_understood(schema: Any) -> bool:
    """Return whether a schema has nothing but what the counts of the API were compared for."""
    if isinstance(schema, Mapping):
        if "properties" in schema and isinstance(schema["properties"], Mapping):
            within = [*schema["properties"].values(), schema.get("items")]
        else:
            within = [schema.get("items")]
        of_one_type = isinstance(schema.get("type", ""), str)
        return of_one_type and schema.keys() <= _UNDERSTOOD and all(map(is_understood, within))
    return schema is None


def _fields(schema: Mapping[str, Any], indent: int) -> str:
    lines: list[str] = []
    required = schema.get("required") or ()
    for name, field in (schema.get("properties") or {}).items():
        field = field if isinstance(field, Mapping) else {}
        if field.get("description"):
            lines.append(f"// {field['description']}")
        optional = "" if name in required else "?"
        lines.append(f"{name}{optional}: {_type(field, indent)},")
    return "\n".join(" " * indent + line for line in lines)


def _type(field: Any, indent: int) -> str:
    if not isinstance(field, Mapping):
        return "any"
    kind = field.get("type")
    if isinstance(values := field.get("enum"), list):
        return " | ".join(f'"{v}"' if isinstance(v, str) else as_json(v) for v in values)
    if kind == "object":
        return f"{{\n{_fields(field, indent + 2)}\n}}"
    if kind == "array":
        return f"{_type(field['items'], indent) if field.get('items') else 'any'}[]"
    if isinstance(kind, list):
        return " | ".join(_PLAIN.get(str(each), "any") for each in kind)
    return _PLAIN.get(str(kind), "any")

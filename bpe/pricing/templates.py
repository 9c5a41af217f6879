"""A ``chat_template``, rendered by Jinja's sandbox in a process with limits of time and memory."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bpe import sandbox
from bpe.errors import BPEError

LONGEST = 200_000
"""Characters of a template."""
MOST_WRITTEN = 2_000_000
"""Characters that a template writes."""
SECONDS = 5.0
"""Of the processor."""
MEMORY = 256 * 2**20

_refusals = sandbox.Refusals()


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """A template, and what its file calls the special tokens that it may write: ``bos_token``."""

    text: str
    special_tokens: Mapping[str, str] = field(default_factory=dict)


def template_in(file: bytes) -> ChatTemplate:
    """Return the template of a ``tokenizer_config.json``, or of a ``chat_template.jinja``."""
    try:
        text = file.decode("utf-8-sig")
        is_config = re.match(r'\s*\{\s*["}]', text)
        config = json.loads(text) if is_config else {"chat_template": text}
    except (ValueError, RecursionError):
        config = {}
    template = config.get("chat_template")
    if isinstance(template, list):  # several, by name
        named = [each for each in template if isinstance(each, dict)]
        named.sort(key=lambda each: each.get("name") != "default")
        template = named[0].get("template") if named else None
    if not isinstance(template, str) or not template.strip() or len(template) > LONGEST:
        raise BPEError("This file has no “chat_template”: choose a tokenizer_config.json.")
    special = {name: _content(value) for name, value in config.items() if name.endswith("_token")}
    return ChatTemplate(
        template, {name: text for name, text in special.items() if text is not None}
    )


def _content(token: Any) -> str | None:
    """Return the text of a special token, which some files write as an object."""
    text = token.get("content") if isinstance(token, dict) else token
    return text if isinstance(text, str) else None


def rendered(
    template: ChatTemplate,
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]] | None = None,
) -> tuple[str, Sequence[str]]:
    """Return the text that a template makes of a request, up to the start of the answer.

    And the special tokens that it left out, as its file does not give them. A template that fails,
    or needs more than its limits, raises :class:`BPEError`; asked for again, it does so at once.
    """
    request = {
        "template": template.text, "messages": list(messages), "tools": tools,
        "special": dict(template.special_tokens),
    }  # fmt: skip
    data = json.dumps(request).encode()
    try:
        with _refusals.of(hash(data)):
            answer = json.loads(
                sandbox.run(f"{__name__}:render", data, seconds=SECONDS, memory=MEMORY)
            )
    except (sandbox.TooLongError, sandbox.TooLargeError) as error:
        raise BPEError(
            "The chat template needs more than {seconds:g} seconds or more memory than it may have "
            "for this request. Use a shorter request, or another template.",
            seconds=SECONDS,
        ) from error
    return answer["text"], answer["unknown"]


def render(data: bytes) -> bytes:
    """Do the work of :func:`rendered`, on a request in JSON."""
    try:
        from jinja2 import TemplateError
        from jinja2.meta import find_undeclared_variables
        from jinja2.sandbox import ImmutableSandboxedEnvironment
    except ImportError as error:
        raise BPEError("Chat templates need the package jinja2, which is not installed.") from error
    request = json.loads(data)
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )

    def refuse(reason: object) -> None:
        raise TemplateError(str(reason))

    environment.filters["tojson"] = _tojson
    now = datetime.now().astimezone()
    environment.globals |= {"raise_exception": refuse, "strftime_now": now.strftime}
    try:
        names = find_undeclared_variables(environment.parse(request["template"]))
        unknown = {name for name in names if name.endswith("_token")} - request["special"].keys()
        parts = environment.from_string(request["template"]).generate(
            messages=request["messages"], tools=request["tools"], add_generation_prompt=True,
            **dict.fromkeys(unknown, ""), **request["special"],
        )  # fmt: skip
        text = ""
        for part in parts:
            if len(text) + len(part) > MOST_WRITTEN:
                raise BPEError(
                    "The chat template writes more than {most} characters for this request. Use a "
                    "shorter request, or another template.",
                    most=f"{MOST_WRITTEN:,}",
                )
            text += part
    except (MemoryError, BPEError):
        raise
    except Exception as error:  # a template can raise anything
        reason = str(error) or type(error).__name__
        raise BPEError(
            "The chat template cannot show this request: “{reason}”", reason=reason
        ) from error
    answer = {"text": text, "unknown": sorted(unknown)}
    return json.dumps(answer, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _tojson(value: Any, ensure_ascii: bool = False, **options: Any) -> str:
    """Write JSON as Hugging Face's templates expect it: as it is, without escapes for HTML."""
    return json.dumps(value, ensure_ascii=ensure_ascii, **options)

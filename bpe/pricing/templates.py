"""A ``chat_template``, rendered by Jinja's sandbox in a process with limits of time and memory."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bpe import sandbox
from bpe.errors import BPEError

LONGEST = 200_000
"""Characters of a template."""
SECONDS = 5.0
MEMORY = 256 * 2**20


def template_in(file: bytes) -> str:
    """Return the template of a ``tokenizer_config.json``, or of a ``chat_template.jinja``."""
    try:
        text = file.decode("utf-8-sig")
        found = json.loads(text).get("chat_template") if text.lstrip().startswith('{"') else text
    except (ValueError, AttributeError):
        found = None
    if isinstance(found, list):  # several, by name
        found = next((each.get("template") for each in found if isinstance(each, dict)), None)
    if not isinstance(found, str) or not found.strip() or len(found) > LONGEST:
        raise BPEError("This file has no “chat_template”: choose a tokenizer_config.json.")
    return found


def rendered(
    template: str,
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]] | None = None,
) -> str:
    """Return the text that a template makes of a request, up to the start of the answer."""
    asked = json.dumps({"template": template, "messages": list(messages), "tools": tools})
    answer = sandbox.run(f"{__name__}:render", asked.encode(), seconds=SECONDS, memory=MEMORY)
    return answer.decode()


def render(data: bytes) -> bytes:
    """Do the work of :func:`rendered`, on a request in JSON."""
    try:
        from jinja2 import TemplateError
        from jinja2.sandbox import ImmutableSandboxedEnvironment
    except ImportError as error:
        raise BPEError("Chat templates need the package jinja2, which is not installed.") from error
    asked = json.loads(data)
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )

    def refuse(reason: object) -> None:
        raise TemplateError(str(reason))

    environment.filters["tojson"] = _tojson
    environment.globals |= {"raise_exception": refuse, "strftime_now": lambda form: ""}
    try:
        text = environment.from_string(asked["template"]).render(
            messages=asked["messages"], tools=asked["tools"], add_generation_prompt=True,
            bos_token="", eos_token="",
        )  # fmt: skip
    except Exception as error:  # a template can raise anything
        raise BPEError(
            "The chat template cannot show this request: “{reason}”", reason=str(error)
        ) from error
    return text.encode("utf-8", "replace")


def _tojson(value: Any, ensure_ascii: bool = False, **options: Any) -> str:
    """Write JSON as Hugging Face's templates expect it: as it is, without escapes for HTML."""
    return json.dumps(value, ensure_ascii=ensure_ascii, **options)

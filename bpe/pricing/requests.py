"""Whole requests: their texts, the frames around them, their tools, and where two of them part.

The frames are those of ``frames.toml``, by the template that a vendor publishes; its server may add
to that.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from itertools import takewhile
from typing import Any, Literal

from bpe.encoders.base import Encoder
from bpe.encoders.catalog import encoding
from bpe.errors import BPEError, Sentence
from bpe.pricing import messages as sentences
from bpe.pricing.bill import Terms, Usage, cost, least_note
from bpe.pricing.count import count_tokens, counted_with
from bpe.pricing.data import table
from bpe.pricing.images import image_tokens, rule_of
from bpe.pricing.message_parts import (
    as_json,
    as_namespace,
    is_function,
    is_understood,
    parts_of,
    tools_of,
)
from bpe.pricing.model_table import Model

Affix = str | int
"""Text of a frame, or how many tokens it has."""
_FILE = files(__package__).joinpath("frames.toml")
ROLES = ("system", "user", "assistant")
MOST_MESSAGES = 10_000

Exactness = Literal["exact", "estimate"]


@dataclass(frozen=True, slots=True)
class Frame:
    """The text that a vendor's template puts around messages and tools; see ``frames.toml``."""

    models: tuple[str, ...]
    source: str
    date: str
    system: tuple[Affix, Affix]
    user: tuple[Affix, Affix]
    assistant: tuple[Affix, Affix]
    generation: Affix
    start: Affix = ""
    default: int = 0
    name: int = 0
    trim: bool = False
    trim_answers: bool = False
    before_answer: int = 0
    tools: Mapping[str, Any] | None = None

    @property
    def rule(self) -> Sentence:
        """By what rule it counts."""
        template = sentences.CHAT_RULE if self.name else sentences.CHAT_TEMPLATE
        return Sentence.of(template, date=self.date)

    def counts_alike(self, one: Encoder, other: Encoder) -> bool:
        """Return whether two encoders have as many tokens for each of its texts."""
        texts = (self.start, *self.system, *self.user, *self.assistant, self.generation)
        return all(sum_of(one, text) == sum_of(other, text) for text in texts)


def sum_of(encoder: Encoder, *affixes: Affix) -> int:
    """Return the tokens of parts of frames, each for itself."""
    return sum(each if isinstance(each, int) else _encoded(encoder, each) for each in affixes)


def _encoded(encoder: Encoder, text: str) -> int:
    return len(encoder.encode(text, allowed_special="all")) if text else 0


@cache
def frames() -> dict[str, Frame]:
    by_name: dict[str, Frame] = {}
    for name, facts in tomllib.loads(_FILE.read_text("utf-8")).items():
        lists = {key: tuple(value) for key, value in facts.items() if isinstance(value, list)}
        by_name[name] = Frame(**{**facts, **lists, "date": str(facts["date"])})
    return by_name


def frame_of(model: Model) -> Frame | None:
    names = {model.ref.lower(), model.ref.lower().rpartition("/")[2]}
    for title, frame in frames().items():
        if (title == "openai") == (model.provider == "openai") and any(
            fnmatchcase(name, pattern) for name in names for pattern in frame.models
        ):
            return frame
    return None


@dataclass(frozen=True, slots=True)
class RequestCount:
    """The tokens of a request, part by part.

    ``messages`` are the role of each, its text and the frame around it; ``frame`` is what stands
    around the messages, ``request`` of it what belongs to none: the start, a built-in system
    prompt, the start of the answer. ``text_is``, ``frame_is`` and ``tools_is`` say how sure each
    part is; where no frame is known, that of it is ``None``. ``left_out`` names what is in the
    request and not in the count, ``tools_high`` is what the tools may have where that is not sure.
    """

    messages: tuple[tuple[str, int, int], ...]
    request: int
    tools: int
    text_is: Exactness
    frame_is: Exactness | None
    tools_is: Exactness
    notes: tuple[Sentence, ...]
    source: str = ""
    left_out: tuple[str, ...] = ()
    tools_high: int = 0

    @property
    def text(self) -> int:
        return sum(text for _role, text, _frame in self.messages)

    @property
    def frame(self) -> int:
        return self.request + sum(frame for _role, _text, frame in self.messages)

    @property
    def total(self) -> int:
        """All of it: what a vendor bills as input, or the least of it (:attr:`at_least`)."""
        return self.text + self.frame + self.tools

    @property
    def at_least(self) -> bool:
        """Whether something of the request is not in the count."""
        return self.frame_is is None or bool(self.left_out)

    @property
    def exactness(self) -> Exactness:
        sure = self.text_is == self.frame_is == self.tools_is == "exact"
        return "exact" if sure and not self.left_out else "estimate"


def count_messages(
    messages: Sequence[Mapping[str, Any]],
    *,
    model: str | Model,
    tools: Any = None,
    encoder: Encoder | None = None,
    uncounted: Sequence[str] = (),
) -> RequestCount:
    """Return the tokens of a request to a model, messages and tools in the form of any API.

    ``encoder`` is a tokenizer in the place of the model's own. Special tokens in a frame count as
    such, in a text as its letters.
    The name of a model needs no provider where all that sell it count alike, and may have its
    owner on the Hub in front (``Qwen/Qwen3-8B``). ``uncounted`` are other fields of the request
    that have tokens (:func:`uncounted_in`).
    """
    chosen = _model_of(model) if isinstance(model, str) else model
    if not isinstance(messages, list | tuple):
        raise BPEError("The messages and the tools of a request must be lists.")
    listed = tools_of(tools) or []
    functions = list(filter(is_function, listed))
    read = [_read(message, number, chosen) for number, message in enumerate(messages, start=1)]
    if not 1 <= len(read) <= MOST_MESSAGES:
        raise BPEError(
            "A request must have from 1 to {most} messages, not {messages}.",
            most=MOST_MESSAGES, messages=len(read),
        )  # fmt: skip
    texts = ["".join(each) for each, _images, _unread in read]
    roles = [_role_of(message) for message in messages]
    notes: list[Sentence] = []
    text_is: Exactness = "exact" if encoder or chosen.certainty == "exact" else "estimate"
    if encoder is None and text_is == "estimate":
        method = count_tokens(chosen, "\n".join(texts), encoding).method
        notes += [method] if method else []
    own = encoding(counted_with(chosen))
    used = encoder or own

    def length(text: str) -> int:
        return used.count(text) if encoder else count_tokens(chosen, text, encoding).tokens

    lengths = [sum(map(length, each)) + images for each, images, _unread in read]
    if any(images for _texts, images, _unread in read):
        rule = rule_of(chosen) or {}
        notes.append(Sentence.of(sentences.IMAGES, date=rule["date"], source=rule["source"]))
        notes += [Sentence(_DOUBTS[rule["doubt"]])] if "doubt" in rule else []
        text_is = "estimate"
    left_out = [name for _texts, _images, unread in read for name in unread]
    left_out += [*uncounted, *(_name_of(tool) for tool in listed if not is_function(tool))]
    if unread := ", ".join(dict.fromkeys(left_out)):
        notes.append(Sentence.of(sentences.LEFT_OUT, names=unread))
    frame, system = frame_of(chosen), texts[0] if _alias(roles[0]) == "system" else None
    if frame is None:
        notes.append(Sentence(sentences.CHAT_UNKNOWN))
    tools_is: Exactness = text_is if functions else "exact"
    of_tools = high = 0
    if functions:
        of_tools, high = _tools(functions, chosen, frame, used, system)
        if high != of_tools:
            notes.append(Sentence.of(sentences.TOOLS_RANGE, low=f"{of_tools:,}", high=f"{high:,}"))
        if frame is None or high != of_tools:
            tools_is = "estimate"
        if frame is None and chosen.provider != "openai":
            notes.append(Sentence(sentences.TOOLS_UNKNOWN))
    frame_is: Exactness | None = None
    framed, request = [0] * len(texts), 0
    if frame is not None:
        is_sure = chosen.certainty != "assumed" and frame.counts_alike(used, own)
        frame_is = "exact" if is_sure else "estimate"
        open_end = not frame.name and roles[-1] != "user"
        if open_end or not all(_is_plain(message, frame) for message in messages):
            frame_is = "estimate"
            left_out.append("frames")
            notes.append(Sentence(sentences.CHAT_PARTS))
        framed = [
            _around(message, text, length(text), frame, used)
            for message, text in zip(messages, texts, strict=True)
        ]
        request = sum_of(used, frame.start, frame.generation)
        if system is None and frame.default:
            request += sum_of(used, *frame.system) + frame.default
        notes.append(frame.rule)
    elif not left_out and not {*roles} <= {*ROLES}:
        left_out.append("frames")
    return RequestCount(
        tuple(zip(roles, lengths, framed, strict=True)), request, of_tools, text_is, frame_is,
        tools_is, tuple(notes), frame.source if frame else "", tuple(dict.fromkeys(left_out)), high,
    )  # fmt: skip


_DOUBTS = {"rough": sentences.IMAGES_ROUGH, "assumed": sentences.IMAGES_ASSUMED}
"""The doubt about a formula for images, by the word of ``images.toml``."""


def _read(message: Any, number: int, model: Model) -> tuple[list[str], int, list[str]]:
    """Return the texts of a message that are tokens for themselves, its images, and the rest."""
    is_read = isinstance(message, Mapping) and _role_of(message)
    parts = list(parts_of(message)) if is_read else []
    if not is_read or not (parts or message.get("content") == []):
        raise BPEError(
            "Message {number} must be an object with “role” and “content”.", number=number
        )
    texts: list[str] = []
    images, unread, before = 0, [], ""
    for kind, part in parts:
        if kind == "image" and (tokens := image_tokens(model, part)) is not None:
            images += tokens
        elif kind in ("image", "unread"):
            unread.append(part if kind == "unread" else kind)
        elif kind == before == "text":
            texts[-1] += part
        else:
            texts.append(part)
        before = kind
    return texts, images, unread


def _role_of(message: Mapping[str, Any]) -> str:
    """Return the role of a message; an item without one is a call or what came of it."""
    role = message.get("role")
    if role is None and isinstance(kind := message.get("type"), str):
        role = "tool" if kind.endswith("_output") else "assistant"
    return role if isinstance(role, str) else ""


def _model_of(name: str) -> Model:
    name = name.removesuffix(":free")  # which has no price, but tokens
    sellers = table().sellers(name) or table().sellers(name.rpartition("/")[2])
    alike = {(each.tokenizer, each.stand_in, each.calibration, each.certainty) for each in sellers}
    return sellers[0] if len(alike) == 1 else table().model(name)


def _is_plain(message: Mapping[str, Any], frame: Frame) -> bool:
    """Whether the frame holds for a message: no call of a tool, role or part of its own."""
    content, role = message.get("content"), _role_of(message)
    roles, parts = {*ROLES}, {"role", "content"}
    if frame.name:  # OpenAI's, whose older calls were compared with counts of the API
        roles, parts = roles | {"developer", "function"}, parts | {"name", "function_call"}
        if role == "assistant" and message.get("function_call"):
            content = content or "call"
    if isinstance(content, list):
        kinds = {kind for kind, _part in parts_of(message)}
        content = "parts" if kinds <= {"text", "image"} else None
    if not isinstance(content, str) or not content.strip() or role not in roles:
        return False
    fields = {part for part, value in message.items() if value is not None}
    return fields <= parts and not (role == "assistant" and "</think>" in content)


def _alias(role: str) -> str:
    return {"developer": "system", "model": "assistant"}.get(role, role)


def _around(
    message: Mapping[str, Any], text: str, length: int, frame: Frame, encoder: Encoder
) -> int:
    """Return the tokens of the frame around a message."""
    role = _role_of(message)
    before, after = getattr(frame, _alias(role) if _alias(role) in ROLES else "user")
    name = message.get("name") if frame.name else None
    extra = 0 if name is None else frame.name + encoder.count(str(name))
    if frame.name:  # as OpenAI's API counts its older functions
        extra += 3 * bool(message.get("function_call")) - 2 * (role == "function")
    if isinstance(before, int) or isinstance(after, int):
        return sum_of(encoder, before, after) + extra
    if role == "assistant":
        extra += frame.before_answer
    shown = text.strip() if frame.trim or (frame.trim_answers and role == "assistant") else text
    return _encoded(encoder, before + shown + after) - length + extra


def _tools(
    tools: Sequence[Mapping[str, Any]],
    model: Model,
    frame: Frame | None,
    encoder: Encoder,
    system: str | None,
) -> tuple[int, int]:
    """Return the tokens of tools, and the most that they may have."""
    facts = frame.tools if frame else None
    written = sum(encoder.count(as_json(tool)) for tool in tools)
    if model.provider == "openai":
        plain = encoder.count(as_namespace(tools))
        if frame is None:
            return plain, max(plain, written) + 9
        added = plain + 9  # and a system message of its own, or a line in the one that is there
        if system is not None:
            added += encoder.count(f"{system}\n") - encoder.count(system) - 4
        sure = all(is_understood(tool.get("function", tool).get("parameters")) for tool in tools)
        return added, added if sure else max(added, written + 9)
    if facts is None or frame is None:
        return written, written
    if facts.get("array"):
        text = json.dumps(tools, ensure_ascii=False, separators=(",", ":"))
        return (added := _encoded(encoder, facts["array"].format(tools=text))), added
    shown = (tool if facts.get("whole", True) else tool.get("function", tool) for tool in tools)
    each = (facts["each"].format(tool=as_json(tool)) for tool in shown)
    added = facts["before"] + facts["after"] + sum_of(encoder, *each)
    join, end = facts.get("join", ""), facts.get("end", "")
    first, last = frame.system
    if facts["where"] == "apart":
        return added, added
    if isinstance(first, int) or isinstance(last, int):
        added += encoder.count((system or "") + join) - encoder.count(system or "")
        return added, added
    if system is None:
        opened = _encoded(encoder, first + facts.get("alone", ""))
        added += opened + _encoded(encoder, end + last)
        return added, added
    shown_system = system.strip() if frame.trim else system
    alone = _encoded(encoder, first + shown_system + last)
    if facts["where"] == "behind":
        joined = _encoded(encoder, first + shown_system + join) + _encoded(encoder, last)
    else:
        joined = _encoded(encoder, first) + _encoded(encoder, end + join + shown_system + last)
    added += joined - alone
    return added, added


def tool_tokens(
    tools: Any, *, model: str | Model, encoder: Encoder | None = None
) -> list[tuple[str, int]]:
    """Return the name of each tool and the tokens that it adds to a request, costliest first."""
    chosen = _model_of(model) if isinstance(model, str) else model
    each = tools_of(tools) or []
    used, frame = encoder or encoding(counted_with(chosen)), frame_of(chosen)
    alone = [_tools([tool], chosen, frame, used, None)[0] for tool in each]
    shared = sum(alone) - _tools(each, chosen, frame, used, None)[0] if len(each) > 1 else 0
    frame_of_one = shared // (len(each) - 1) if len(each) > 1 else 0
    names = map(_name_of, each)
    rows = [(name, tokens - frame_of_one) for name, tokens in zip(names, alone, strict=True)]
    return sorted(rows, key=lambda row: -row[1])


def _name_of(tool: Mapping[str, Any]) -> str:
    named: Mapping[str, Any] = tool["function"] if is_function(tool) else tool
    return str(named.get("name") or named.get("type") or next(iter(named), "?"))


_SHOWN = 60
"""Characters of a text from the place on where it parts."""


@dataclass(frozen=True, slots=True)
class SharedPrefix:
    """The beginning that two requests have in common, in ``tokens`` of text.

    They part in ``part``: the tools, or a message by its number from 1 on; ``""`` where one is the
    beginning of the other. ``before`` and ``after`` are how both go on there. ``saving`` is what
    reading the shared tokens from the cache saves on the second request, 0 where they are too few
    to be cached; ``note`` says so, or that this number is assumed.
    """

    tokens: int
    part: str
    before: str
    after: str
    saving: Decimal
    note: Sentence | None = None


def shared_prefix(
    model: Model,
    first: tuple[Sequence[Mapping[str, Any]], Any],
    second: tuple[Sequence[Mapping[str, Any]], Any],
    terms: Terms | None = None,
) -> SharedPrefix:
    """Compare two requests, each as :func:`read_request` returns it: messages and tools.

    Caches begin with the tools, then come the messages in their order. Frames are left out.
    """
    encoder = encoding(counted_with(model))
    tokens, part, rests = 0, "", ("", "")
    pairs = zip(_texts_in_order(*first), _texts_in_order(*second), strict=False)
    for (name, one), (_name, other) in pairs:
        ids = encoder.encode_ordinary(one), encoder.encode_ordinary(other)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*ids, strict=False)))
        tokens += same
        if one != other:
            decoded = (encoder.decode(each[same:]) for each in ids)
            part, rests = name, tuple(each[:_SHOWN] for each in decoded)  # type: ignore[assignment]
            break
    saving, least = Decimal(0), model.least_cached or 0
    if tokens >= least:
        plain, cached = (cost(model, Usage(tokens, n), terms).total for n in (0, tokens))
        saving = plain - cached
    is_said = least and (model.least_source is None or tokens < least)
    return SharedPrefix(tokens, part, *rests, saving, least_note(model) if is_said else None)


def _texts_in_order(messages: Sequence[Mapping[str, Any]], tools: Any) -> Iterator[tuple[str, str]]:
    """Yield what stands in a request one after the other, with its name."""
    yield "tools", "".join(map(as_json, tools_of(tools) or []))
    for number, message in enumerate(messages, start=1):
        texts = (
            part if isinstance(part, str) else as_json(part) for _kind, part in parts_of(message)
        )
        yield str(number), "\n".join([str(message.get("role", "")), *texts])

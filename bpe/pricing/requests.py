"""What a whole request has: its texts, the frames around them, and its tools.

The frames are those of ``frames.toml``, by the template that a vendor publishes; or any
``chat_template`` is rendered, in a process with limits (:mod:`bpe.pricing.templates`). A vendor's
server may add to its template.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from bpe.encoders.base import Encoder
from bpe.encoders.catalog import encoding
from bpe.errors import BPEError, Sentence
from bpe.pricing import messages as sentences
from bpe.pricing.count import count_tokens, counted_with
from bpe.pricing.data import table
from bpe.pricing.model_table import Model
from bpe.pricing.templates import ChatTemplate, rendered

Affix = str | int
"""Text of a frame, or how many tokens it has."""
_FILE = files(__package__).joinpath("frames.toml")
ROLES = ("system", "user", "assistant")
_ALIASES = {"developer": "system", "model": "assistant"}
MOST_MESSAGES = 10_000

Exactness = Literal["exact", "estimate"]


@dataclass(frozen=True, slots=True)
class Frame:
    """What a vendor's template puts around messages and tools; see ``frames.toml``."""

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
        if self.name:
            return Sentence.of(sentences.CHAT_RULE, date=self.date)
        return Sentence.of(sentences.CHAT_TEMPLATE, date=self.date)

    def tokens(self, encoder: Encoder, number: int) -> int:
        """Return what ``number`` messages, of the user and the assistant in turn, add."""
        parts = [self.start, self.default and sum_of(encoder, *self.system) + self.default]
        for at in range(number):
            parts += (self.before_answer, *self.assistant) if at % 2 else self.user
        return sum_of(encoder, *parts, self.generation)


def sum_of(encoder: Encoder, *affixes: Affix) -> int:
    """Return the tokens of parts of frames, each for itself."""
    return sum(each if isinstance(each, int) else _encoded(encoder, each) for each in affixes)


def _encoded(encoder: Encoder, text: str) -> int:
    return len(encoder.encode(text, allowed_special="all")) if text else 0


@cache
def frames() -> dict[str, Frame]:
    found: dict[str, Frame] = {}
    for name, facts in tomllib.loads(_FILE.read_text("utf-8")).items():
        lists = {key: tuple(value) for key, value in facts.items() if isinstance(value, list)}
        found[name] = Frame(**{**facts, **lists, "date": str(facts["date"])})
    return found


def frame_of(model: Model) -> Frame | None:
    names = {model.ref.lower(), model.ref.lower().rpartition("/")[2]}
    for title, frame in frames().items():
        if (title == "openai") == (model.provider == "openai") and any(
            fnmatchcase(name, pattern) for name in names for pattern in frame.models
        ):
            return frame
    return None


def frame_tokens(model: Model, number: int) -> int | None:
    """Return what a chat of that number of messages adds; ``None`` where no frame is known."""
    frame = frame_of(model)
    return None if frame is None else frame.tokens(encoding(counted_with(model)), number)


@dataclass(frozen=True, slots=True)
class MessageCount:
    """The tokens of one message: its text, and the frame around it."""

    role: str
    text: int
    frame: int


@dataclass(frozen=True, slots=True)
class RequestCount:
    """The tokens of a request, part by part.

    ``frame`` is what stands around the messages, ``request`` of it what belongs to none: the start,
    a built-in system prompt, the start of the answer. ``text_is``, ``frame_is`` and ``tools_is``
    say how sure each part is; where no frame is known, that of it is ``None`` and the total is too
    low.
    """

    messages: tuple[MessageCount, ...]
    request: int
    tools: int
    text_is: Exactness
    frame_is: Exactness | None
    tools_is: Exactness
    notes: tuple[Sentence, ...]
    source: str = ""

    @property
    def text(self) -> int:
        return sum(each.text for each in self.messages)

    @property
    def frame(self) -> int:
        return self.request + sum(each.frame for each in self.messages)

    @property
    def total(self) -> int:
        """All of it: what a vendor bills as input."""
        return self.text + self.frame + self.tools

    @property
    def exactness(self) -> Exactness:
        sure = self.text_is == self.frame_is == self.tools_is == "exact"
        return "exact" if sure else "estimate"


def count_messages(
    messages: Sequence[Mapping[str, Any]],
    *,
    model: str | Model,
    tools: Sequence[Mapping[str, Any]] | None = None,
    template: ChatTemplate | str | None = None,
    encoder: Encoder | None = None,
) -> RequestCount:
    """Return the tokens of a request to a model: messages and tools as OpenAI's API takes them.

    ``template`` is a ``chat_template`` in the place of the frame at hand, ``encoder`` a tokenizer
    in the place of the model's own. Special tokens in a text count as such, as in a template.
    The name of a model needs no provider where all that sell it count alike, and may have its
    owner on the Hub in front (``Qwen/Qwen3-8B``).
    """
    known = _model_of(model) if isinstance(model, str) else model
    for given in (messages, tools or []):
        if not isinstance(given, list | tuple):
            raise BPEError("The messages and the tools of a request must be lists.")
    if not all(isinstance(tool, Mapping) for tool in tools or ()):
        raise BPEError("Each tool of a request must be an object.")
    texts = [_text_of(message, at) for at, message in enumerate(messages, start=1)]
    if isinstance(template, str):
        template = ChatTemplate(template)
    if not 1 <= len(texts) <= MOST_MESSAGES:
        raise BPEError(
            "A request must have from 1 to {most} messages, not {messages}.",
            most=MOST_MESSAGES,
            messages=len(texts),
        )
    notes: list[Sentence] = []
    text_is: Exactness = "exact" if encoder or known.certainty == "exact" else "estimate"
    if encoder is None and text_is == "estimate":
        notes.append(count_tokens(known, "\n".join(texts), encoding).method)
    used = encoder or encoding(counted_with(known))
    lengths = [
        used.count(text) if encoder else count_tokens(known, text, encoding).tokens
        for text in texts
    ]
    roles = [str(message["role"]) for message in messages]
    frame = frame_of(known)
    if template is not None:
        return _by_template(template, messages, tools, used, roles, lengths, text_is, notes)
    if frame is None:
        notes.append(Sentence(sentences.CHAT_UNKNOWN))
    if tools and (frame is None or frame.tools is None):
        notes.append(Sentence(sentences.TOOLS_UNKNOWN))
        tools_is: Exactness = "estimate"
    else:
        tools_is = text_is if tools else "exact"
    if frame is None:
        counted = tuple(MessageCount(*each, 0) for each in zip(roles, lengths, strict=True))
        as_json = _as_json(tools or (), used)
        return RequestCount(counted, 0, as_json, text_is, None, tools_is, tuple(notes))
    own = encoding(counted_with(known))
    spelled_out = frame.tokens(used, 2) != frame.tokens(own, 2)
    frame_is: Exactness = "estimate" if known.certainty == "assumed" or spelled_out else "exact"
    if roles[-1] != "user" or not all(_is_plain(message, frame) for message in messages):
        frame_is = "estimate"
        notes.append(Sentence(sentences.CHAT_PARTS))
    counted = tuple(
        _framed(message, text, length, frame, used)
        for message, text, length in zip(messages, texts, lengths, strict=True)
    )
    request = sum_of(used, frame.start, frame.generation)
    system = texts[0] if _role(roles[0]) == "system" else None
    if system is None and frame.default:
        request += sum_of(used, *frame.system) + frame.default
    of_tools = _tools(tools, frame, used, system) if tools else 0
    notes.append(frame.rule)
    return RequestCount(
        counted, request, of_tools, text_is, frame_is, tools_is, tuple(notes), frame.source
    )


def _model_of(name: str) -> Model:
    sellers = table().sellers(name) or table().sellers(name.rpartition("/")[2])
    alike = {(each.tokenizer, each.stand_in, each.calibration, each.certainty) for each in sellers}
    return sellers[0] if len(alike) == 1 else table().model(name)


def _is_plain(message: Mapping[str, Any], frame: Frame) -> bool:
    """Whether the frame holds for a message: no image, call of a tool, role or part of its own."""
    content, role = message["content"], message["role"]
    roles, parts = {*ROLES}, {"role", "content"}
    if frame.name:  # OpenAI's
        roles, parts = roles | {"developer"}, parts | {"name"}
    if not isinstance(content, str) or not content.strip() or role not in roles:
        return False
    given = {part for part, value in message.items() if value is not None}
    return given <= parts and not (role == "assistant" and "</think>" in content)


def _role(name: str) -> str:
    return _ALIASES.get(name, name)


def _text_of(message: Mapping[str, Any], number: int) -> str:
    if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
        raise _unreadable(number)
    content = message.get("content")
    calls = message.get("tool_calls")
    said = json.dumps(calls, ensure_ascii=False) if calls else ""
    if content is None and calls:
        return said
    if isinstance(content, list):
        content = "".join(
            str(part.get("text", "")) for part in content if isinstance(part, Mapping)
        )
    if not isinstance(content, str):
        raise _unreadable(number)
    return content + said


def _unreadable(number: int) -> BPEError:
    return BPEError("Message {number} must be an object with “role” and “content”.", number=number)


def _framed(
    message: Mapping[str, Any], text: str, length: int, frame: Frame, encoder: Encoder
) -> MessageCount:
    role = str(message["role"])
    before, after = getattr(frame, _role(role) if _role(role) in ROLES else "user")
    name = message.get("name") if frame.name else None
    extra = 0 if name is None else frame.name + encoder.count(str(name))
    if isinstance(before, int) or isinstance(after, int):
        return MessageCount(role, length, sum_of(encoder, before, after) + extra)
    if role == "assistant":
        extra += frame.before_answer
    shown = text.strip() if frame.trim or (frame.trim_answers and role == "assistant") else text
    around = _encoded(encoder, before + shown + after) - encoder.count(text)
    return MessageCount(role, length, around + extra)


def _tools(
    tools: Sequence[Mapping[str, Any]], frame: Frame, encoder: Encoder, system: str | None
) -> int:
    facts = frame.tools
    if facts is None:
        return _as_json(tools, encoder)
    shown = (tool if facts.get("whole", True) else tool.get("function", tool) for tool in tools)
    each = (facts["each"].format(tool=json.dumps(tool, ensure_ascii=False)) for tool in shown)
    added: int = facts["before"] + facts["after"] + sum_of(encoder, *each)
    join, end = facts.get("join", ""), facts.get("end", "")
    first, last = frame.system
    if facts["where"] == "apart" or isinstance(first, int) or isinstance(last, int):
        return added
    if system is None:
        opened = _encoded(encoder, first + facts.get("alone", ""))
        return added + opened + _encoded(encoder, end + last)
    shown_system = system.strip() if frame.trim else system
    alone = _encoded(encoder, first + shown_system + last)
    if facts["where"] == "behind":
        joined = _encoded(encoder, first + shown_system + join) + _encoded(encoder, last)
    else:
        joined = _encoded(encoder, first) + _encoded(encoder, end + join + shown_system + last)
    return added + joined - alone


def _as_json(tools: Sequence[Mapping[str, Any]], encoder: Encoder) -> int:
    return sum(encoder.count(json.dumps(tool, ensure_ascii=False)) for tool in tools)


def _by_template(
    template: ChatTemplate,
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]] | None,
    encoder: Encoder,
    roles: Sequence[str],
    lengths: Sequence[int],
    text_is: Exactness,
    notes: list[Sentence],
) -> RequestCount:
    shown = [rendered(template, messages)]
    shown += [rendered(template, messages, tools)] if tools else []
    totals = [_encoded(encoder, each.text) for each in shown]
    counted = tuple(MessageCount(*each, 0) for each in zip(roles, lengths, strict=True))
    notes.append(Sentence(sentences.CHAT_OWN_TEMPLATE))
    frame_is = text_is
    if unknown := shown[-1].unknown:
        frame_is = "estimate"
        notes.append(Sentence.of(sentences.CHAT_UNKNOWN_TOKENS, names=", ".join(unknown)))
    around, of_tools = totals[0] - sum(lengths), totals[-1] - totals[0]
    return RequestCount(counted, around, of_tools, text_is, frame_is, text_is, tuple(notes))

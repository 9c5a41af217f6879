"""The state that a link carries, and how it becomes a few thousand letters. No Streamlit.

A link is the sign of its version, then base64url without padding of deflate of canonical JSON. The
same state gives the same link on every machine. Whatever is read is taken for hostile: its length
is bounded before and after unpacking, every value has the type and the size that writing allows,
and anything else is a :class:`bpe.BPEError`. What a value *means* is decided by the field that
takes it, as with the reader's own input.
"""

import base64
import binascii
import json
import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, TypeVar

from bpe.documents.documents import CorpusSource
from bpe.errors import BPEError
from bpe.reading import parse_json
from bpe.text.unicode import scalar_text, utf8

VERSION = "1"
BUDGET = 6_000
"""Letters of a link: what servers and messengers pass on whole."""

MOST_PACKED = 2_000_000
MOST_BYTES = 4_000_000
"""Of the JSON: deflate packs a thousand zeros into one byte."""
MOST_VALUES = 200_000
"""Of the JSON, counted before it is parsed."""
MOST_TEXT = 200_000
MOST_FIELDS = 300
MOST_TOKENIZERS = 24
_MOST_NAME = 200

Single = str | int | float | bool | None
Value = Single | list[Single]
"""The value of a field of a page."""

_DICTIONARY = (
    '"unknown":"<unk>","prune":false,"end_of_word":"","normalisation":"NFKC+lowercase",'
    '"min_frequency":2,"tie_break":"first-seen""tie_break":"smallest-ids","merges":10,'
    '"pattern":"o200k""pattern":"none""special_tokens":["<|endoftext|>","<|endofprompt|>"],'
    '"algorithm":"sentencepiece-bpe""algorithm":"unigram""algorithm":"wordpiece"'
    '"algorithm":"character-bpe","vocabulary_size":1500,"question":"languages"'
    '"models":["openai/gpt-5","openai/gpt-4o","anthropic/claude-sonnet-5-5",'
    '"google/gemini-3.8-flash","deepseek/deepseek-v4-pro","zai/GLM-4.5","alibaba-cn/qwen3-max"],'
    '"section":"conversation""view":"vocabulary""lesson":"merge","picture":"replay","corpus":"both"'
    '"tokenizers":["own-","o200k_base","cl100k_base","deepseek_v3","qwen3","llama2"],'
    '"compare_sides":["zh","en"],"sample":"own","size":1000,"typed_corpus":"'
    '{"answers":{"bets":{"bytes.":"","puzzles":{"merge."},"scores":{}},"fields":{"base":"'
    '"compare_en":"","compare_zh":"","cost_en":"","cost_zh":"","currency":"CNY","lang":"zh","lang":'
    '"en"},"page":"compare","learn","cost"},"tokenizers":[{"corpus":{"sample":"both","separator":'
    '"line","text":"。的，"},"name":" · byte-level · 字节级 · 样本","recipe":{}}]}'
).encode()
"""Words that a packed state is likely to have; part of version 1, so it never changes again."""


@dataclass(frozen=True)
class OwnTokenizer:
    """How to train a tokenizer of the reader's again."""

    code: str
    name: str
    recipe: Mapping[str, Any] = field(default_factory=dict)
    """The fields of a recipe that are not the usual ones."""
    corpus: CorpusSource | None = None


@dataclass(frozen=True)
class State:
    """All that one needs to see a page as another reader sees it."""

    page: str = ""
    """Its name in the address; none is the first page."""
    fields: Mapping[str, Value] = field(default_factory=dict)
    """Choices, numbers and texts by the key of their field."""
    tokenizers: tuple[OwnTokenizer, ...] = ()
    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Of the course: ``bets`` and ``puzzles`` by code, and ``scores`` as ``[right, asked]``."""


def pack(state: State) -> str:
    """Return a state in letters that need no escape in an address.

    >>> unpack(pack(State("learn", {"lesson": "merge"}))).fields
    {'lesson': 'merge'}
    """
    packer = zlib.compressobj(9, zdict=_DICTIONARY)
    data = packer.compress(canonical(as_json(state))) + packer.flush()
    return VERSION + base64.urlsafe_b64encode(data).decode().rstrip("=")


def unpack(text: str) -> State:
    """Return the state that :func:`pack` has packed; anything else raises :class:`BPEError`."""
    if not text or len(text) > MOST_PACKED or not text.isascii():
        raise _broken()
    if text[0] != VERSION:
        if text[0].isdigit() and text[0] > VERSION:
            raise BPEError(
                "This link was made by a newer version of this app, which it has to be opened with."
            )
        raise _broken()
    try:
        packed = base64.b64decode(text[1:] + "=" * (-len(text[1:]) % 4), b"-_", validate=True)
        unpacker = zlib.decompressobj(zdict=_DICTIONARY)
        data = unpacker.decompress(packed, MOST_BYTES)
    except (binascii.Error, zlib.error) as error:
        raise _broken() from error
    if not unpacker.eof or unpacker.unused_data:
        raise _broken()
    return loads(data)


def loads(data: bytes) -> State:
    """Return the state in canonical JSON; anything else raises :class:`BPEError`."""
    try:
        return _state(parse_json(data, MOST_VALUES))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _broken() from error


def dumps(state: State) -> bytes:
    return canonical(as_json(state))


def canonical(values: Any) -> bytes:
    """Return JSON values in the one way that the same values are always written."""
    text = json.dumps(
        values, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )
    return utf8(text)


def as_json(state: State) -> dict[str, Any]:
    """Return a state as JSON values, without what is empty."""
    values = asdict(state)
    values["tokenizers"] = [
        _filled(entry | {"corpus": _filled(entry["corpus"] or {})})
        for entry in values["tokenizers"]
    ]
    return _filled(values)


def _filled(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in ("", None, (), [], {})}


def _broken() -> BPEError:
    return BPEError(
        "This link is incomplete, or was not made here: a part of it may have been lost when it "
        "was copied."
    )


# Reading: a value of another type, or larger than what is ever written, is a ValueError.

Read = TypeVar("Read")


def _state(values: Any) -> State:
    entries = _known(State, values)
    held = _mapping(entries.get("fields", {}), _value)
    listed = entries.get("tokenizers", [])
    if not isinstance(listed, list) or len(listed) > MOST_TOKENIZERS:
        raise ValueError("tokenizers")
    answers = _mapping(entries.get("answers", {}), lambda answer: _mapping(answer, _value))
    return State(
        _text(entries.get("page", ""), _MOST_NAME), held, tuple(map(_tokenizer, listed)), answers
    )


def _tokenizer(values: Any) -> OwnTokenizer:
    entries = _known(OwnTokenizer, values)
    corpus = None
    if "corpus" in entries:
        of_corpus = _known(CorpusSource, entries["corpus"])
        texts = {name: _text(value) for name, value in of_corpus.items() if value is not None}
        corpus = CorpusSource(**texts)
    return OwnTokenizer(
        _text(entries.get("code", ""), _MOST_NAME),
        _text(entries.get("name", ""), _MOST_NAME),
        _mapping(entries.get("recipe", {}), _value),
        corpus,
    )


def _known(kind: type, values: Any) -> dict[str, Any]:
    """Return the fields that the class has; others are left out, as a later one may add them."""
    if not isinstance(values, dict):
        raise TypeError(kind.__name__)
    names = {each.name for each in fields(kind)}
    return {name: value for name, value in values.items() if name in names}


def _mapping(values: Any, read: Callable[[Any], Read]) -> dict[str, Read]:
    if not isinstance(values, dict) or len(values) > MOST_FIELDS:
        raise ValueError("no object, or too large")
    return {_text(name, _MOST_NAME): read(value) for name, value in values.items()}


def _value(value: Any) -> Value:
    if not isinstance(value, list):
        return _single(value)
    if len(value) > MOST_FIELDS or None in value:
        raise ValueError("list")
    return [_single(each) for each in value]


def _single(value: Any) -> Single:
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise ValueError("neither text nor number")


def _text(value: Any, most: int = MOST_TEXT) -> str:
    if not isinstance(value, str) or len(value) > most:
        raise ValueError("no text, or too long")
    return scalar_text(value)

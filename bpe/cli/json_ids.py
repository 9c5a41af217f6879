"""The ids in a JSON object, as ``bpe encode --json`` prints it, read block by block."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from bpe.cli.input import Refused

Read = Callable[[], bytes]
"""Returns the next block of the object, and nothing at its end."""

_STRING = rb'"(?:[^"\\]|\\.)*+"'
_PLAIN = rb"(?:" + _STRING + rb"|-?[0-9.eE+-]++|true|false|null)"
_BEFORE_IDS = re.compile(
    rb"\s*\{(?:\s*" + _STRING + rb"\s*:\s*" + _PLAIN + rb'\s*,)*+\s*"ids"\s*:\s*\['
)


def ids_of_object(head: bytes, read: Read) -> Iterator[list[int]]:
    """Yield the ids of the object that begins with ``head`` and goes on with what ``read`` returns.

    They come block by block where only strings, numbers and the like stand before them in ``head``;
    any other object is read whole. Raises :class:`Refused` for what is no such object, which for
    one that is read in blocks may be known only after some ids.
    """
    begin = _BEFORE_IDS.match(head)
    if begin is None:
        yield _of_whole(head + b"".join(iter(read, b"")))
        return
    waiting, empty = head[begin.end() :], True
    while b"]" not in waiting:
        whole, comma, rest = waiting.rpartition(b",")
        if comma:
            yield _checked(_parsed(b"[%b]" % whole))
            empty = False
        data = read()
        if not data:
            raise Refused("The JSON object ends in the middle of its “ids”.")
        waiting = rest + data
    last, _, after = waiting.partition(b"]")
    if last.strip() or not empty:
        yield _checked(_parsed(b"[%b]" % last)) or _refuse()
    if "ids" in _parsed(b'{"": 0' + after + b"".join(iter(read, b""))):
        raise Refused("The JSON object has “ids” twice.")


def _of_whole(data: bytes) -> list[int]:
    parsed = _parsed(data)
    if "ids" not in parsed:
        raise Refused("The JSON object has no “ids”, as `bpe encode --json` prints them.")
    return _checked(parsed["ids"])


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        raise Refused("This is not a JSON object with “ids” in a list of whole numbers.") from None


def _checked(ids: object) -> list[int]:
    if not isinstance(ids, list) or not all(type(token_id) is int for token_id in ids):
        _refuse()
    return ids


def _refuse() -> NoReturn:
    raise Refused("The “ids” of the JSON object are not a list of whole numbers.")

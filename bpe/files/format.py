"""A format of files: a module of this package says it by one value."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bpe.encoders.base import Encoder


@dataclass(frozen=True, kw_only=True)
class FileFormat:
    """How tokenizers are written to files of one format, and read from them.

    ``suffix`` is that of a file that holds a tokenizer by itself, ``begins`` says whether its
    first bytes are those of the format, and ``key`` is what the object of a JSON file has in it.
    ``loads`` takes the content, or that object, with the options ``name`` (of the tokenizer, or
    ``None``), ``file`` (its name) and ``pattern``. ``holds`` are the kinds that ``dumps`` writes.
    """

    suffix: str
    begins: Callable[[bytes], object]
    key: str = ""
    holds: tuple[type[Encoder], ...] = ()
    dumps: Callable[[Any], dict[str, bytes]] | None = None
    loads: Callable[..., Encoder]


def begins_as_json(head: bytes) -> bool:
    return head.lstrip().startswith(b"{")

"""Which format a file has: what its first bytes show, as names mislead; else what its name says."""

import re
from pathlib import PurePath
from typing import Literal

from bpe.errors import BPEError

Kind = Literal[".json", ".tiktoken", ".model", ".txt"]
"""A format by the suffix that its files usually have."""

_HEAD = 1 << 17
"""Bytes looked at: the first line of a rank file has at most so many."""

# Whole groups of four base64 digits, then a number.
_RANK = re.compile(
    rb"\s*(?:[A-Za-z0-9+/]{4})*"
    rb"(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)[ \t]+\d+[ \t]*(?:[\r\n]|\Z)"
)
_PAGE = re.compile(rb"\s*<(?:!doctype|html)", re.IGNORECASE)
_POINTER = b"version https://git-lfs.github.com/"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def kind_of(content: bytes, file: str) -> str:
    """Return the suffix of the format that ``content`` has, or else that of the name.

    What one gets instead of a tokenizer, a web page or the pointer to a large file, raises
    :class:`BPEError`.

    >>> kind_of(b"IQ== 0\\nIg== 1\\n", "x.json")
    '.tiktoken'
    >>> kind_of(b"?", "x.JSON")
    '.json'
    """
    head = content[:_HEAD]
    if _PAGE.match(head):
        raise BPEError(
            "“{name}” is a web page, not a tokenizer. Download the file itself (“raw”).", name=file
        )
    if head.startswith(_POINTER):
        raise BPEError(
            "“{name}” only points to a large file (Git LFS). Download that file itself.", name=file
        )
    return _shown(head.removeprefix(_BYTE_ORDER_MARK)) or PurePath(file).suffix.lower()


def _shown(head: bytes) -> Kind | None:
    if head.lstrip().startswith(b"{"):
        return ".json"
    if _RANK.match(head):
        return ".tiktoken"
    if head.startswith(b"#version"):
        return ".txt"
    # The first field of a model is a piece, and the first field of that its text.
    if head[:1] == head[2:3] == b"\n" and len(head) > 3 and head[3] < head[1]:
        return ".model"
    return None

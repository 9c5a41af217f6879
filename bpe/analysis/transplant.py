"""What each token of one vocabulary is in another: the map by which a model changes tokenizers."""

from collections.abc import Iterator
from typing import NamedTuple

from bpe.encoders.base import Encoder
from bpe.errors import BPEError


class Mapped(NamedTuple):
    """A token of the new vocabulary, and the old ones that spell it.

    One: both have it. Several: its embedding can be composed of theirs. None: it is new.
    """

    id: int
    bytes: bytes
    old: tuple[int, ...]


def transplant(old: Encoder, new: Encoder) -> Iterator[Mapped]:
    """Yield the tokens of ``new`` without the special ones, each with the ids that it was before.

    They are the token with the same bytes; else those that ``old`` cuts its text into; else, as
    far as ``old`` has them, its single bytes.

    >>> from bpe.encoders.catalog import encoding
    >>> known = list(transplant(encoding("gpt2"), encoding("cl100k_base")))
    >>> next(token for token in known if token.bytes == "中国".encode())
    Mapped(id=59795, bytes=b'\\xe4\\xb8\\xad\\xe5\\x9b\\xbd', old=(40792, 32368, 121))
    """
    left_out = {*new.special_tokens.values(), *new.added_tokens.values()}
    special = {*old.special_tokens.values(), *old.added_tokens.values()}
    for token, data in enumerate(new.token_table):
        if data and token not in left_out:
            same = old.token_to_id(data)
            if same is None or same in special:
                yield Mapped(token, data, _spelled(old, data))
            else:
                yield Mapped(token, data, (same,))


def _spelled(old: Encoder, data: bytes) -> tuple[int, ...]:
    try:
        # Behind a line break, as some put a space in front of a text.
        before = "\n" if old.adds_leading_space else ""
        ids = old.encode_ordinary(before + data.decode())
        while len(spelled := b"".join(map(old.token_bytes, ids))) > len(data):
            ids = ids[1:]
        if spelled == data:
            return tuple(ids)
    except (UnicodeDecodeError, BPEError):
        pass
    alone = [old.token_to_id(data[at : at + 1]) for at in range(len(data))]
    return () if None in alone else tuple(token for token in alone if token is not None)

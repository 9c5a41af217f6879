"""The text of a single token, encoded by its own tokenizer and by another one.

In its own it may become other tokens: then no text produces it. What it becomes in another is the
map by which a model changes tokenizers.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Literal, NamedTuple, get_args

from bpe.analysis.vocabulary import KINDS, Vocabulary, read
from bpe.encoders.base import Encoder, adds_leading_space
from bpe.errors import BPEError

Why = Literal["pattern", "merges", "changed", "twin"]
"""The split pattern cuts its text; it does not, but merges do not lead there; the text is changed
before it is split; or another token has the same bytes, and is taken."""

WHYS: tuple[Why, ...] = get_args(Why)

_LETTERS = 8
"""Letters of a vocabulary that are tried around a text, beside “a”."""


class Unreached(NamedTuple):
    """A token, and the ids that its own text becomes."""

    id: int
    bytes: bytes
    why: Why
    becomes: tuple[int, ...]


def unreachable(encoder: Encoder, vocabulary: Vocabulary | None = None) -> tuple[Unreached, ...]:
    """Return the tokens that encoding their own text does not give, in the order of ids.

    Nor does it within a word or behind a line break, where there is no split pattern. That is an
    upper bound: something else around it may let the token come out. Special tokens, and those that
    are no whole characters and so have no text, are left out. ``vocabulary`` is given, where it
    has been read already.

    >>> from bpe.encoders.catalog import encoding
    >>> [token.bytes.decode() for token in unreachable(encoding("kimi_k2"))]
    [" I'", '⭐️⭐️']
    """
    vocabulary = vocabulary or read(encoder)
    whole = (vocabulary.kinds == KINDS.index("character")) | (
        vocabulary.kinds == KINDS.index("several")
    )

    def gives(text: str) -> list[int]:
        try:
            return encoder.encode_ordinary(text)
        except BPEError:  # it has a character that this tokenizer lacks
            return []

    texts = {index: vocabulary.pieces[index].decode() for index in whole.nonzero()[0].tolist()}
    seen, around = Counter(vocabulary.pieces), _surroundings(texts.values())
    unreached = []
    for index, text in texts.items():
        token, ids = int(vocabulary.ids[index]), gives(text)
        # A piece of a word may come out in one alone: “##ing”, or “ug” before the sign of its end.
        if token in ids or (
            encoder.pattern is None
            and any(token in gives(before + text + after) for before, after in around)
        ):
            continue
        why = "twin" if seen[vocabulary.pieces[index]] > 1 else _why(encoder, text, ids)
        unreached.append(Unreached(token, vocabulary.pieces[index], why, tuple(ids)))
    return tuple(unreached)


def _surroundings(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Return what is put before and behind a text: a line break, and letters of these texts."""
    letters = islice((text for text in texts if len(text) == 1 and text.isalnum()), _LETTERS)
    sides = [[("", each), (each, ""), (each, each)] for each in ("a", *letters)]
    return [("\n", ""), *chain.from_iterable(sides)]


def _why(encoder: Encoder, text: str, ids: list[int]) -> Why:
    if encoder.decode(ids) != text:
        return "changed"
    return "pattern" if len(_pre_tokens(encoder, text) or "") > 1 else "merges"


def _pre_tokens(encoder: Encoder, text: str) -> list[str] | None:
    try:
        return encoder.pre_tokens(text)
    except BPEError:
        return None


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
    >>> mapped = list(transplant(encoding("gpt2"), encoding("cl100k_base")))
    >>> next(token for token in mapped if token.bytes == "中国".encode())
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
        before = "\n" if adds_leading_space(old) else ""
        ids = old.encode_ordinary(before + data.decode())
        while len(spelled := b"".join(map(old.token_bytes, ids))) > len(data):
            ids = ids[1:]
        if spelled == data:
            return tuple(ids)
    except (UnicodeDecodeError, BPEError):
        pass
    alone = [old.token_to_id(data[place : place + 1]) for place in range(len(data))]
    return () if None in alone else tuple(token for token in alone if token is not None)

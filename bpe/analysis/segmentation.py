"""A text as tokens: which bytes of which characters each token holds, and where else it stands.

A token of a byte-level tokenizer need not be whole characters, so that all is counted in bytes.
What measures a text takes it as a segmentation; of an edited text only what changed is cut again.
"""

import hashlib
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from bpe.encoders.base import Encoder, space_sign
from bpe.text.special_tokens import Specials
from bpe.text.unicode import KEEP_LENGTH, byte_length, scalar_text

TokenKind = Literal["whole", "several", "part", "mixed", "bytes", "special", "empty"]
"""One whole character; several whole ones; bytes of one character, not all; several characters,
not all of them whole; only bytes that are no character; a special token; nothing at all."""

Change = Literal["normalised", "surrogates", "lossy"]
"""Why tokens spell another text than the one given: a normal form; half a UTF-16 pair, which has
no bytes; or anything else (an ``<unk>``, a space put in front)."""

Letters: TypeAlias = npt.NDArray[np.uint32]

_BEFORE = 200
"""Characters before a change in which a place to cut is sought."""


@dataclass(frozen=True, slots=True)
class Part:
    """The bytes of one character that a token holds, ``first`` to ``last`` (from 1) of ``size``."""

    character: str | None
    """``None`` where the bytes are no character."""
    position: int
    """The index of the character in the text."""
    first: int
    last: int
    size: int
    tokens: range
    """The indices from the first to the last token that holds bytes of this character."""

    @property
    def whole(self) -> bool:
        return self.last - self.first + 1 == self.size

    @property
    def code_point(self) -> str | None:
        """``U+4E2D`` for 中."""
        return None if self.character is None else f"U+{ord(self.character):04X}"

    @property
    def mark(self) -> str:
        """The short sign of a part: ``2–3/3 中`` for the last two of its three bytes."""
        bytes_held = str(self.first) if self.first == self.last else f"{self.first}–{self.last}"
        return f"{bytes_held}/{self.size} {self.character or ''}".rstrip()


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """One token at one place of a text."""

    index: int
    id: int
    bytes: bytes
    kind: TokenKind
    text: str
    """Its whole characters; the bytes of other characters are in ``parts`` alone."""
    byte_span: tuple[int, int]
    parts: tuple[Part, ...]


@dataclass(frozen=True, eq=False)
class Segmentation:
    """A text as a row of tokens. Facts about one token are found in logarithmic time."""

    ids: Sequence[int]
    pieces: Sequence[bytes]
    """The bytes of each token."""
    special_ids: frozenset[int] = frozenset()
    name: str = ""
    """Of the encoder."""
    change: Change | None = None
    """Why the tokens spell another text than the one given, if they do."""
    normal_form: str | None = None
    """The form that the encoder gives a text (:attr:`Encoder.normalises`), if that changed this."""
    source: str | None = None
    """The text given, where the tokens spell another one than it or its mended surrogates."""
    decoded: str | None = None
    """With ``source``: what decoding gives back of it, special tokens such as ``<unk>`` left out.

    Not always what the tokens spell: decoding takes a space away that was put in front.
    """

    space_sign: str = ""
    """The sign of the tokenizer for the spaces of its tokens (``</w>``, ``▁``), if not one."""

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def data(self) -> bytes:
        """The bytes of all tokens, joined."""
        return b"".join(self.pieces)

    @property
    def text(self) -> str:
        """The text that the tokens spell; bytes that are not UTF-8 become U+FFFD."""
        return self.data.decode("utf-8", "replace")

    @property
    def source_bytes(self) -> int:
        return len(self.data) if self.source is None else len(self.source.encode())

    @property
    def source_characters(self) -> int:
        return len(self.character_starts) - 1 if self.source is None else len(self.source)

    @cached_property
    def starts(self) -> Sequence[int]:
        """The byte offset at which each token starts, and at last the number of bytes."""
        return array("Q", accumulate(map(len, self.pieces), initial=0))

    @cached_property
    def character_starts(self) -> Sequence[int]:
        """The byte offset at which each character starts, and at last the number of bytes.

        Bytes that are not UTF-8 go together as "replace" puts one U+FFFD for them.
        """
        try:
            self.data.decode()
        except UnicodeDecodeError:
            characters = self.data.decode("utf-8", KEEP_LENGTH)
            return array("I", accumulate(map(byte_length, characters), initial=0))
        is_first = (np.frombuffer(self.data, np.uint8) & 0xC0) != 0x80
        starts = np.append(np.flatnonzero(is_first), len(self.data))
        return array("I", starts.astype(np.uint32).tobytes())

    @cached_property
    def counts(self) -> Counter[int]:
        return Counter(self.ids)

    @cached_property
    def digest(self) -> str:
        """A name for exactly these tokens."""
        state = hashlib.blake2b(self.data, digest_size=12)
        state.update(array("Q", self.starts).tobytes())
        state.update(array("Q", self.ids).tobytes())
        state.update(repr(sorted(self.special_ids)).encode())
        return state.hexdigest()

    @property
    def memory(self) -> int:
        """About how many bytes of memory this takes once everything about it was asked for."""
        text = len(self.data) * 5 + 4 * (len(self.source or "") + len(self.decoded or ""))
        return 2_000 + 20 * len(self) + text

    def token(self, index: int) -> TokenFacts:
        start, end = self.starts[index], self.starts[index + 1]
        offsets = self.character_starts
        first = bisect_right(offsets, start) - 1
        last = bisect_left(offsets, end) if start < end else first
        parts = tuple(
            Part(
                character=_character(self.data[offsets[place] : offsets[place + 1]]),
                position=place,
                first=max(start, offsets[place]) - offsets[place] + 1,
                last=min(end, offsets[place + 1]) - offsets[place],
                size=offsets[place + 1] - offsets[place],
                tokens=self._touching(offsets[place], offsets[place + 1]),
            )
            for place in range(first, last)
        )
        token_id = self.ids[index]
        return TokenFacts(
            index=index,
            id=token_id,
            bytes=self.pieces[index],
            kind="special" if token_id in self.special_ids else _kind(parts),
            text="".join(part.character or "" for part in parts if part.whole),
            byte_span=(start, end),
            parts=parts,
        )

    def tokens(self) -> Iterator[TokenFacts]:
        return map(self.token, range(len(self)))

    def _touching(self, start: int, end: int) -> range:
        return range(bisect_right(self.starts, start) - 1, bisect_left(self.starts, end))


def segment(
    encoder: Encoder,
    text: str,
    *,
    allowed_special: Specials = (),
    disallowed_special: Specials = (),
) -> Segmentation:
    """Return the tokens of ``text``; unless allowed, special tokens in it are ordinary text.

    The text shown is that of the tokens. Where it is not the text given, ``change`` says why.
    """
    whole = scalar_text(text)
    ids = encoder.encode(
        whole, allowed_special=allowed_special, disallowed_special=disallowed_special
    )
    specials = frozenset(encoder.special_tokens.values())
    cut = segment_ids(
        ids,
        encoder.token_bytes,
        special_ids=specials,
        name=encoder.name,
        space_sign=space_sign(encoder),
    )
    if cut.data == whole.encode():
        return cut if whole == text else replace(cut, change="surrogates")
    return replace(
        cut,
        change="normalised" if encoder.normalises else "lossy",
        normal_form=encoder.normalises,
        source=whole,
        decoded=encoder.decode(token_id for token_id in ids if token_id not in specials),
    )


def segment_ids(
    ids: Iterable[int],
    token_bytes: Callable[[int], bytes],
    *,
    special_ids: Collection[int] = (),
    name: str = "",
    space_sign: str = "",
) -> Segmentation:
    """Return a row of ids as a segmentation of the text that they spell."""
    listed = list(ids)  # an array has no room for what may be no id at all
    spelling = {token_id: token_bytes(token_id) for token_id in set(listed)}
    return Segmentation(
        ids=array("I", listed),
        pieces=[spelling[token_id] for token_id in listed],
        special_ids=frozenset(special_ids),
        name=name,
        space_sign=space_sign,
    )


def _character(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _kind(parts: Sequence[Part]) -> TokenKind:
    if not parts:
        return "empty"
    if all(part.character is None for part in parts):
        return "bytes"
    if len(parts) == 1:
        return "whole" if parts[0].whole else "part"
    whole = all(part.whole and part.character is not None for part in parts)
    return "several" if whole else "mixed"


def recut(encoder: Encoder, before: Segmentation, old: str, new: str) -> Segmentation:
    """Return what ``segment(encoder, new)`` returns, given ``before``, the tokens of ``old``.

    Cutting again starts at the last known place before the change where a text may be cut
    (:mod:`bpe.text.cuts`) and ends at the first one behind it. Where there is none, or where
    the tokens do not spell the text itself, everything is cut.
    """
    if before.change is not None or scalar_text(new) != new:
        return segment(encoder, new)
    start, tail = _common(old, new)
    begin = _begin(encoder, new, start)
    end = _end(encoder, new, len(new) - tail)
    first = _token_at(before, len(old[:begin].encode()))
    last = _token_at(before, len(before.data) - len(new[end:].encode()))
    if first is None or last is None or (not begin and end == len(new)):
        return segment(encoder, new)
    between = segment(encoder, new[begin:end])
    if between.change is not None:
        return segment(encoder, new)
    return replace(
        before,
        ids=array("I", [*before.ids[:first], *between.ids, *before.ids[last:]]),
        pieces=[*before.pieces[:first], *between.pieces, *before.pieces[last:]],
    )


def _common(old: str, new: str) -> tuple[int, int]:
    """Return how many characters both texts have in common at the start, and then at the end."""
    ours, theirs = (np.frombuffer(text.encode("utf-32-le"), np.uint32) for text in (old, new))
    start = _equal(ours, theirs, min(len(old), len(new)))
    return start, _equal(ours[::-1], theirs[::-1], min(len(old), len(new)) - start)


def _equal(ours: Letters, theirs: Letters, most: int) -> int:
    differ = np.flatnonzero(ours[:most] != theirs[:most])
    return int(differ[0]) if differ.size else most


def _begin(encoder: Encoder, text: str, change: int) -> int:
    """Return a place before the change where the text may be cut, or its start."""
    after = change - _BEFORE
    if after > 0:
        cut = encoder.next_cut(text, after)
        if cut and cut.free and cut.next + encoder.reach <= change:
            return cut.next
    return 0


def _end(encoder: Encoder, text: str, change: int) -> int:
    """Return the first place behind the change where the text may be cut, or its end."""
    cut = encoder.next_cut(text, change + encoder.reach)
    return cut.next if cut and cut.free else len(text)


def _token_at(segmentation: Segmentation, offset: int) -> int | None:
    first = bisect_left(segmentation.starts, offset)
    last = bisect_right(segmentation.starts, offset)
    return first if last - first == 1 else None

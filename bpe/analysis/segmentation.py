"""What each token holds of a text: which bytes of which characters, where else, and cut how.

A token of a byte-level tokenizer need not be whole characters: 中 (three bytes) may be one token,
part of a longer one, or two or three tokens. Everything here is counted in bytes, so that no
replacement character ever stands for bytes that are known. How the facts are drawn is not here.
"""

import hashlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Literal, overload

import numpy as np
import numpy.typing as npt

from bpe.encoders.base import KEEP_LENGTH, Encoder, byte_length, scalar_text
from bpe.errors import BPEError
from bpe.training.special_tokens import Specials

Kind = Literal["whole", "several", "part", "mixed", "bytes", "special", "empty"]
"""One whole character; several whole ones; bytes of one character, not all; several characters,
not all of them whole; only bytes that are no character; a special token; nothing at all."""

Change = Literal["normalised", "surrogates", "lossy"]
"""Why tokens spell another text than the one given: a normal form; half a UTF-16 pair, which has
no bytes; or anything else (an ``<unk>``, a space put in front)."""


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
        """Whether the token holds the character entirely."""
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
    kind: Kind
    text: str
    """Its whole characters; the bytes of other characters are in ``parts`` alone."""
    byte_span: tuple[int, int]
    character_span: tuple[int, int]
    """The characters that it touches, as :func:`bpe.encoders.base.character_spans` counts them."""
    parts: tuple[Part, ...]

    @property
    def others(self) -> tuple[int, ...]:
        """The indices of the other tokens of its characters."""
        if not self.parts:
            return ()
        touching = range(self.parts[0].tokens.start, self.parts[-1].tokens.stop)
        return tuple(index for index in touching if index != self.index)


@dataclass(frozen=True, eq=False)
class Segmentation:
    """A text as a row of tokens. Facts about one token are found in logarithmic time."""

    ids: Sequence[int]
    pieces: Sequence[bytes]
    """The bytes of each token."""
    special_ids: frozenset[int] = frozenset()
    name: str = ""
    change: Change | None = None
    """Why the tokens spell another text than the one given, if they do."""
    normal_form: str | None = None

    def __post_init__(self) -> None:
        if len(self.ids) != len(self.pieces):
            raise ValueError("as many ids as pieces are needed")

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def data(self) -> bytes:
        """The bytes of all tokens, joined."""
        return b"".join(self.pieces)

    @cached_property
    def text(self) -> str:
        """The text that the tokens spell; bytes that are not UTF-8 become U+FFFD."""
        return self.data.decode("utf-8", "replace")

    @cached_property
    def starts(self) -> Sequence[int]:
        """The byte offset at which each token starts, and at last the number of bytes."""
        return array("Q", accumulate(map(len, self.pieces), initial=0))

    @property
    def memory(self) -> int:
        """About how many bytes of memory this takes once everything was asked for."""
        return 120 * len(self) + 12 * len(self.data)

    @cached_property
    def positions(self) -> dict[int, list[int]]:
        """For each id, the indices at which it occurs."""
        found: dict[int, list[int]] = {}
        for index, token_id in enumerate(self.ids):
            found.setdefault(token_id, []).append(index)
        return found

    @cached_property
    def digest(self) -> str:
        """A name for exactly these tokens."""
        state = hashlib.blake2b(self.data, digest_size=12)
        state.update(array("Q", self.starts).tobytes())
        state.update(repr(list(self.ids)).encode())
        state.update(repr(sorted(self.special_ids)).encode())
        return state.hexdigest()

    @cached_property
    def _units(self) -> tuple[str, Sequence[int]]:
        """The characters, invalid bytes as surrogates, and the byte offsets at which they start."""
        characters = self.data.decode("utf-8", KEEP_LENGTH)
        return characters, array("Q", accumulate(map(byte_length, characters), initial=0))

    def token(self, index: int) -> TokenFacts:
        """Return the facts of the token at ``index``."""
        start, end = self.starts[index], self.starts[index + 1]
        characters, offsets = self._units
        first = bisect_right(offsets, start) - 1
        last = bisect_left(offsets, end) if start < end else first
        parts = tuple(
            Part(
                character=None if "\udc00" <= characters[at] < "\udc10" else characters[at],
                position=at,
                first=max(start, offsets[at]) - offsets[at] + 1,
                last=min(end, offsets[at + 1]) - offsets[at],
                size=offsets[at + 1] - offsets[at],
                tokens=self._touching(offsets[at], offsets[at + 1]),
            )
            for at in range(first, last)
        )
        token_id = self.ids[index]
        return TokenFacts(
            index=index,
            id=token_id,
            bytes=self.pieces[index],
            kind="special" if token_id in self.special_ids else _kind(parts),
            text="".join(part.character or "" for part in parts if part.whole),
            byte_span=(start, end),
            character_span=(first, last),
            parts=parts,
        )

    def tokens(self) -> Iterator[TokenFacts]:
        """Yield the facts of every token in order."""
        return map(self.token, range(len(self)))

    def elsewhere(self, index: int) -> list[int]:
        """Return the other indices at which the same id stands."""
        return [other for other in self.positions[self.ids[index]] if other != index]

    def _touching(self, start: int, end: int) -> range:
        """Return the indices of the tokens that hold bytes from ``start`` to ``end``."""
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
    ids = encoder.encode(
        text, allowed_special=allowed_special, disallowed_special=disallowed_special
    )
    token_bytes = _remembered(encoder.token_bytes)
    pieces = [token_bytes(token_id) for token_id in ids]
    change: Change | None = None
    scalar = scalar_text(text)
    if b"".join(pieces) != scalar.encode():
        change = "normalised" if encoder.normalises else "lossy"
    elif scalar != text:
        change = "surrogates"
    return Segmentation(
        ids=ids,
        pieces=pieces,
        special_ids=frozenset(encoder.special_tokens.values()),
        name=encoder.name,
        change=change,
        normal_form=encoder.normalises if change == "normalised" else None,
    )


def segment_ids(
    ids: Iterable[int],
    token_bytes: Callable[[int], bytes],
    *,
    special_ids: Collection[int] = (),
    name: str = "",
) -> Segmentation:
    """Return a row of ids as a segmentation of the text that they spell."""
    ids = list(ids)
    remembered = _remembered(token_bytes)
    return Segmentation(
        ids=ids,
        pieces=[remembered(token_id) for token_id in ids],
        special_ids=frozenset(special_ids),
        name=name,
    )


@dataclass(frozen=True, slots=True)
class Block:
    """The shortest stretch of bytes at whose two ends every segmentation has a boundary."""

    start: int
    end: int
    tokens: tuple[range, ...]
    """For each segmentation, the indices of its tokens here."""

    @property
    def same(self) -> bool:
        """Whether every segmentation has one token here."""
        return all(len(indices) == 1 for indices in self.tokens)


@dataclass(frozen=True, eq=False)
class Alignment(Sequence[Block]):
    """The blocks of several segmentations, each made when it is asked for."""

    ends: npt.NDArray[np.int64]
    """Where each block ends, in bytes."""
    stops: tuple[npt.NDArray[np.int64], ...]
    """For each segmentation, the index behind the last token of each block."""

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, at: int) -> Block: ...
    @overload
    def __getitem__(self, at: slice) -> list[Block]: ...
    def __getitem__(self, at: int | slice) -> Block | list[Block]:
        """Return a block, or a list of them."""
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        at %= len(self)
        before = at - 1
        return Block(
            start=int(self.ends[before]) if at else 0,
            end=int(self.ends[at]),
            tokens=tuple(range(int(s[before]) if at else 0, int(s[at])) for s in self.stops),
        )

    @property
    def sizes(self) -> tuple[npt.NDArray[np.int64], ...]:
        """For each segmentation, how many tokens each block has."""
        return tuple(np.diff(stops, prepend=0) for stops in self.stops)


@dataclass(frozen=True)
class Comparison:
    """How the second of two segmentations of the same bytes cuts them otherwise."""

    blocks: Sequence[Block]
    common: int
    """Inner boundaries that both have."""
    only_first: int
    only_second: int
    splits: int
    """Tokens of the first that are several in the second."""
    joins: int
    """Tokens of the second that are several in the first."""
    crossings: int
    """Stretches of several tokens in both with no boundary in common."""

    @property
    def share(self) -> float:
        """Common boundaries among all the boundaries that either has (Jaccard); 1 if none."""
        union = self.common + self.only_first + self.only_second
        return self.common / union if union else 1.0

    @property
    def differing(self) -> list[Block]:
        """The blocks in which the two differ."""
        return [block for block in self.blocks if not block.same]


def align(segmentations: Sequence[Segmentation]) -> Sequence[Block]:
    """Cut the bytes at every boundary that all the segmentations have, in linear time.

    Different bytes (one of the tokenizers normalises) raise :class:`BPEError`.
    """
    return _align(segmentations)


def _align(segmentations: Sequence[Segmentation]) -> Alignment:
    if not segmentations:
        return Alignment(np.zeros(0, np.int64), ())
    first = segmentations[0]
    for other in segmentations[1:]:
        if other.data != first.data:
            raise BPEError(
                "{first} and {second} spell different bytes (one of them changes the text),"
                " so their tokens cannot be aligned; compare them on text that both keep",
                first=first.name,
                second=other.name,
            )
    ends = [np.asarray(segmentation.starts[1:], np.int64) for segmentation in segmentations]
    is_shared = np.ones(len(first.data) + 1, bool)
    for end in ends:
        is_boundary = np.zeros_like(is_shared)
        is_boundary[end] = True
        is_shared &= is_boundary
    shared = np.flatnonzero(is_shared)
    # A block without bytes only where there is nothing else: tokens without bytes go with the
    # block that ends where they stand, at the very start with the first.
    shared = shared[shared > 0] if shared.size and shared[-1] > 0 else shared
    return Alignment(shared, tuple(np.searchsorted(end, shared, side="right") for end in ends))


def compare(first: Segmentation, second: Segmentation) -> Comparison:
    """Say where and how ``second`` cuts the bytes of ``first`` otherwise."""
    blocks = _align((first, second))
    before, after = blocks.sizes
    return Comparison(
        blocks=blocks,
        common=max(len(blocks) - 1, 0),
        only_first=int(np.maximum(before - 1, 0).sum()),
        only_second=int(np.maximum(after - 1, 0).sum()),
        splits=int(((before == 1) & (after > 1)).sum()),
        joins=int(((before > 1) & (after == 1)).sum()),
        crossings=int(((before > 1) & (after > 1)).sum()),
    )


def _kind(parts: Sequence[Part]) -> Kind:
    if not parts:
        return "empty"
    if all(part.character is None for part in parts):
        return "bytes"
    if len(parts) == 1:
        return "whole" if parts[0].whole else "part"
    whole = all(part.whole and part.character is not None for part in parts)
    return "several" if whole else "mixed"


def _remembered(token_bytes: Callable[[int], bytes]) -> Callable[[int], bytes]:
    """Ask for each id once: a long text repeats its ids."""
    known: dict[int, bytes] = {}

    def remember(token_id: int) -> bytes:
        if token_id not in known:
            known[token_id] = token_bytes(token_id)
        return known[token_id]

    return remember

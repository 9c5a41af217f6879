"""The trained byte-level tokenizer: an immutable value made of merges.

Ids are 0–255 for the bytes, then the special tokens, then the merges in order. Everything else
(the bytes of each id, the rank of each pair) follows from the merges and is derived on first use.
Training is in :mod:`bpe.training.train`, files are in :mod:`bpe.files`.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import regex

from bpe import compiled
from bpe.algorithm.merging import Ranks, merge_by_heap
from bpe.encoders.base import character_spans, scalar_text
from bpe.errors import BPEError, unknown_id
from bpe.training.pretokenize import normaliser, split
from bpe.training.recipe import BYTES, Merge, Recipe, StopReason
from bpe.training.special_tokens import Specials, special_parts

if TYPE_CHECKING:
    from bpe.compiled.encode.encoder import RankEncoder

CACHED_WORDS = 1 << 16
LONGEST_CACHED_WORD = 256

LONG_TEXT = 2_000
"""From this many characters the compiled encoder is worth its tables, once it is ready."""


@dataclass(frozen=True)
class Tokenizer:
    """A byte-level BPE tokenizer; see :class:`bpe.encoders.base.Encoder` for what it can do.

    ``recipe`` and ``corpus_digest`` say what it was trained by and on; ``name`` is for people.
    """

    merges: tuple[Merge, ...]
    recipe: Recipe
    corpus_digest: str = ""
    name: str = "trained"

    def __post_init__(self) -> None:
        object.__setattr__(self, "merges", tuple(Merge(*merge) for merge in self.merges))
        next_id = self.recipe.first_merge_id
        specials = range(BYTES, next_id)
        for merge in self.merges:
            parts = (merge.left, merge.right)
            if merge.new_id != next_id or any(
                not 0 <= part < next_id or part in specials for part in parts
            ):
                raise BPEError(
                    "Merge {number} does not fit: it makes id {new_id} of {left} and {right}, but "
                    "should make id {expected} of bytes or earlier merges.",
                    number=next_id - self.recipe.first_merge_id + 1,
                    new_id=merge.new_id,
                    left=merge.left,
                    right=merge.right,
                    expected=next_id,
                )
            next_id += 1

    # What follows from the fields.

    @property
    def vocabulary_size(self) -> int:
        """Bytes + special tokens + merges."""
        return self.recipe.first_merge_id + len(self.merges)

    @cached_property
    def special_tokens(self) -> Mapping[str, int]:
        """Special token to id."""
        tokens = enumerate(self.recipe.special_tokens, start=BYTES)
        return MappingProxyType({token: token_id for token_id, token in tokens})

    @property
    def normalises(self) -> str | None:
        """The normalisation made before encoding, or ``None``."""
        return None if self.recipe.normalisation == "none" else self.recipe.normalisation

    @property
    def lossy(self) -> bool:
        """``False``: every byte has an id."""
        return False

    @property
    def stop_reason(self) -> StopReason:
        """Which rule ended the training."""
        return self.recipe.stop_reason(len(self.merges))

    @cached_property
    def digest(self) -> str:
        """The identity: 16 hexadecimal digits that follow from the recipe and the merges."""
        content = json.dumps([self.recipe.digest, [merge[:2] for merge in self.merges]])
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    @cached_property
    def vocabulary(self) -> tuple[bytes, ...]:
        """The bytes of every id, special tokens as their UTF-8."""
        spelling = [bytes([byte]) for byte in range(BYTES)]
        spelling += [scalar_text(token).encode() for token in self.recipe.special_tokens]
        for left, right, *_ in self.merges:
            spelling.append(spelling[left] + spelling[right])
        return tuple(spelling)

    @cached_property
    def ranks(self) -> Ranks:
        """Pair of ids to its rank (the number of the merge) and the id that it becomes."""
        return {
            (merge.left, merge.right): (rank, merge.new_id)
            for rank, merge in enumerate(self.merges)
        }

    # Text to ids.

    def encode(
        self,
        text: str,
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> list[int]:
        """Return the ids of ``text``.

        Special tokens in the text become their ids where allowed, raise :class:`BPEError` where
        disallowed (allowing wins), and are ordinary text where neither.
        """
        ids: list[int] = []
        for part, special in special_parts(
            scalar_text(text), self.special_tokens, allowed_special, disallowed_special
        ):
            if special is not None:
                ids.append(special)
                continue
            ids.extend(self._encode_part(self._normalise(part)))
        return ids

    def encode_iterable(
        self,
        texts: Iterable[str],
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> Iterator[int]:
        """Yield the ids of the joined ``texts`` without holding them all in memory.

        The texts may be cut anywhere (lines, blocks of a file). Memory is bounded by the longest
        stretch without a border at which splitting is independent of what follows: a letter
        before white space or punctuation. With pattern ``"none"`` that is the whole stream.
        """
        waiting = ""
        for text in texts:
            waiting += text
            cut = _safe_cut(waiting, self.recipe.pattern, self.special_tokens)
            if cut:
                yield from self.encode(
                    waiting[:cut],
                    allowed_special=allowed_special,
                    disallowed_special=disallowed_special,
                )
                waiting = waiting[cut:]
        yield from self.encode(
            waiting, allowed_special=allowed_special, disallowed_special=disallowed_special
        )

    # Ids to text.

    def token_bytes(self, token_id: int, /) -> bytes:
        """Return the bytes of an id; an unknown one raises :class:`BPEError`."""
        if not 0 <= token_id < self.vocabulary_size:
            raise unknown_id(token_id, self.vocabulary_size)
        return self.vocabulary[token_id]

    def decode_bytes(self, ids: Iterable[int], /) -> bytes:
        """Return the joined bytes of ids."""
        return b"".join(map(self.token_bytes, ids))

    def decode(self, ids: Iterable[int], /) -> str:
        """Return the text of ids; bytes that are not UTF-8 become U+FFFD."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_with_offsets(self, ids: Iterable[int], /) -> tuple[str, list[tuple[int, int]]]:
        """Return the text, and for each token the span of characters that its bytes touch."""
        pieces = [self.token_bytes(token_id) for token_id in ids]
        return b"".join(pieces).decode("utf-8", "replace"), character_spans(pieces)

    # How.

    @cached_property
    def _normalise(self) -> Any:
        return normaliser(self.recipe.normalisation)

    def _encode_part(self, text: str) -> Iterable[int]:
        """Return the ids of text without special tokens; compiled where that is worth it."""
        if len(text) >= LONG_TEXT and compiled.ready():
            return self._compiled.encode(text)
        words = split(text, self.recipe.pattern)
        return chain.from_iterable(self._encode_word(word.encode()) for word in words)

    @cached_property
    def _compiled(self) -> "RankEncoder":
        from bpe.compiled.encode.encoder import RankEncoder

        return RankEncoder.from_merges(self.merges, self.recipe.pattern)

    def _encode_word(self, word: bytes) -> Iterable[int]:
        if len(word) > LONGEST_CACHED_WORD:
            return merge_by_heap(word, self.ranks)
        ids: tuple[int, ...] = self._cached_word(word)
        return ids

    @cached_property
    def _cached_word(self) -> Any:
        @lru_cache(maxsize=CACHED_WORDS)
        def encode_word(word: bytes) -> tuple[int, ...]:
            return tuple(merge_by_heap(word, self.ranks))

        return encode_word

    def __getstate__(self) -> dict[str, Any]:
        """Keep only the fields: what is derived, the cache above all, is made anew."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}


# A letter, then something that no published pattern joins to the letters before it: neither a
# letter, a mark, a number, nor the apostrophe of a contraction. Searched from the end.
_BORDER = regex.compile(r"(?r)(?<=\p{L})(?=[^\p{L}\p{M}\p{N}'])")
_BEFORE_SPACE = regex.compile(r"(?r)(?<=\S)(?=\s)")


def _safe_cut(text: str, pattern: str, specials: Collection[str]) -> int:
    """Return the last place up to which ``text`` is encoded alike whatever follows, or 0."""
    if pattern == "none":
        return 0
    border = _BEFORE_SPACE if pattern == "whitespace" else _BORDER
    # A special token that begins before the cut must have ended within the text.
    end = len(text) - max((len(token) for token in specials), default=1) + 1
    while end > 0 and (match := border.search(text, 0, end)):
        cut: int = match.start()
        around = (text.find(t, max(0, cut - len(t) + 1), cut + len(t) - 1) for t in specials)
        inside = min((start for start in around if start >= 0), default=None)
        if inside is None:
            return cut
        end = inside + 1
    return 0

"""``.tiktoken`` rank files: a token in base64 and its id on each line, and nothing else.

tiktoken merges, of all neighbours whose joined bytes are a token, those of the lowest id first.
So the ids are the ranks, and which two parts a token was made of is not written down.
"""

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType

import tiktoken

from bpe.algorithm.merging import merge_by_heap
from bpe.encoders.base import scalar_text
from bpe.encoders.tokenizer import Tokenizer
from bpe.errors import BPEError, unknown_id_in
from bpe.files.reading import errors_as
from bpe.training.pretokenize import PATTERNS, compiled_pattern
from bpe.training.recipe import BYTES, Merge
from bpe.training.special_tokens import Specials, special_parts

FILE = "tokenizer.tiktoken"

_LARGEST_ID = 2**31 - 1
_LONGEST_TOKEN = 1 << 16
_LONGEST_RECOVERED = 1 << 11  # finding the merge takes time that grows with the square of it
_ANYTHING = r"[\s\S]+"


def dumps(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Return the rank file, for ``tiktoken.Encoding`` with the pattern and special tokens.

    It gives the same ids exactly if no two tokens have the same bytes and each one's bytes encode
    to it: then two neighbours that join to a token are always the two parts of its merge, as
    the text between their outer ends has been merged just as it would be alone. Otherwise, and
    where there is a normalisation, :class:`BPEError`.
    """
    if tokenizer.recipe.normalisation != "none":
        raise BPEError(
            "A rank file cannot say that text is normalised (“{normalisation}”). Use the format "
            "“huggingface” or “bpe”.",
            normalisation=tokenizer.recipe.normalisation,
        )
    seen: dict[bytes, int] = {}
    lines = []
    for token_id in (*range(BYTES), *(merge.new_id for merge in tokenizer.merges)):
        data = tokenizer.vocabulary[token_id]
        if merge_by_heap(data, tokenizer.ranks) != [token_id] or data in seen:
            raise BPEError(
                "Token {token_id} ({token}) is not what its own bytes are encoded to, so that ids "
                "cannot serve as ranks. Use the format “huggingface” or “bpe”.",
                token_id=token_id,
                token=data.decode("utf-8", "backslashreplace"),
            )
        seen[data] = token_id
        lines.append(b"%s %d\n" % (base64.b64encode(data), token_id))
    return {FILE: b"".join(lines)}


def loads(content: bytes, *, name: str, pattern: str = "cl100k") -> "RankEncoder":
    """Return the tokenizer of a rank file; ``pattern`` is a name of a split pattern."""
    compiled_pattern(pattern)
    ranks: dict[bytes, int] = {}
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        parts = line.split()
        try:
            token, rank = parts
            data, token_id = base64.b64decode(token, validate=True), int(rank)
        except (ValueError, binascii.Error) as error:
            raise BPEError(
                "Line {line} of the rank file is not a token in base64 and its number.",
                line=number,
            ) from error
        if not 0 <= token_id <= _LARGEST_ID or not 0 < len(data) <= _LONGEST_TOKEN:
            raise BPEError("Line {line} of the rank file is out of range.", line=number)
        if data in ranks:
            raise BPEError("Line {line} of the rank file repeats a token.", line=number)
        ranks[data] = token_id
    if len(set(ranks.values())) < len(ranks):
        raise BPEError("The rank file gives one number to two tokens.")
    if missing := [byte for byte in range(BYTES) if bytes([byte]) not in ranks]:
        raise BPEError(
            "The rank file has no token for byte {byte:02X}. It needs one for each of the 256.",
            byte=missing[0],
        )
    return RankEncoder(name, ranks, pattern)


class RankEncoder:
    """The tokenizer of a rank file, run by tiktoken; see :class:`bpe.encoders.base.Encoder`.

    A rank file has no special tokens: text that spells one is ordinary text.
    """

    special_tokens: Mapping[str, int] = MappingProxyType({})
    normalises: str | None = None
    lossy = False

    def __init__(self, name: str, ranks: Mapping[bytes, int], pattern: str) -> None:
        self.name = name
        self.pattern = pattern
        self.ranks = MappingProxyType(dict(ranks))
        with errors_as("tiktoken cannot use this rank file: {reason}"):
            self._engine = tiktoken.Encoding(
                name,
                pat_str=PATTERNS[pattern] or _ANYTHING,
                mergeable_ranks=dict(ranks),
                special_tokens={},
            )

    @property
    def vocabulary_size(self) -> int:
        """How many tokens the file has."""
        return len(self.ranks)

    @cached_property
    def _bytes(self) -> dict[int, bytes]:
        return {token_id: data for data, token_id in self.ranks.items()}

    @cached_property
    def merges(self) -> tuple[Merge, ...]:
        """The merges, recovered from the ranks; counts are not known and 0."""
        return tuple(recover_merges(self.ranks))

    def encode(
        self,
        text: str,
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> list[int]:
        """Return the ids of ``text``, everything in it taken as ordinary text."""
        parts = special_parts(text, self.special_tokens, allowed_special, disallowed_special)
        ids: list[int] = []
        for part, _ in parts:  # no special tokens, so at most one part
            with errors_as("tiktoken cannot encode this text: {reason}"):
                ids.extend(self._engine.encode_ordinary(scalar_text(part)))
        return ids

    def token_bytes(self, token_id: int, /) -> bytes:
        """Return the bytes of an id; an unknown one raises :class:`BPEError`."""
        try:
            return self._bytes[token_id]
        except KeyError as error:
            raise unknown_id_in(token_id, self.name) from error

    def decode(self, ids: Iterable[int], /) -> str:
        """Return the text of ids; bytes that are not UTF-8 become U+FFFD."""
        return b"".join(map(self.token_bytes, ids)).decode("utf-8", "replace")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


def recover_merges(ranks: Mapping[bytes, int]) -> Iterator[Merge]:
    """Yield the merge that made each token, in the order of ids; counts are not known and 0.

    A token is encoded by the tokens of lower rank. If two are left, they are its parts; a token
    of which more are left was put in by hand, and no merge makes it.
    """
    for data, rank in sorted(ranks.items(), key=lambda item: item[1]):
        if not 1 < len(data) <= _LONGEST_RECOVERED:
            continue
        parts = _parts(data, ranks, rank)
        if len(parts) == 2:
            yield Merge(ranks[parts[0]], ranks[parts[1]], rank, 0)


def _parts(data: bytes, ranks: Mapping[bytes, int], below: int) -> list[bytes]:
    parts = [data[at : at + 1] for at in range(len(data))]
    while len(parts) > 2:
        found = [ranks.get(left + right, below) for left, right in pairwise(parts)]
        lowest = min(found)
        if lowest >= below:
            break
        at = found.index(lowest)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts

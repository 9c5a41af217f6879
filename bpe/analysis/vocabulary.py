"""The tokens of a vocabulary, as bytes and as text, to search, filter, sort and compare."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
import regex

from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.limits import require_memory
from bpe.text.readable import readable

Kind = Literal["character", "several", "partial", "special", "empty"]
"""One whole character; several whole ones; bytes that are not all whole characters; a special
token; an id without bytes of its own."""

Script = Literal[
    "han", "latin", "kana", "hangul", "cyrillic", "arabic", "other", "mixed",
    "digits", "signs", "space", "none",
]  # fmt: skip
"""That of its letters, if it is one alone; without letters, whether there are digits, signs or
only white space; ``"none"`` where no character is whole."""

Mode = Literal["text", "id", "hex"]
Order = Literal["id", "characters", "bytes", "text"]

KINDS: tuple[Kind, ...] = get_args(Kind)
SCRIPTS: tuple[Script, ...] = get_args(Script)

Indices: TypeAlias = npt.NDArray[np.intp]
"""Positions in the arrays of a :class:`Vocabulary`; where ids have gaps, not the ids."""

_MANY = 20_000
_BYTES_A_TOKEN = 300
"""Of memory, with the token itself where the encoder has not made it before."""


@dataclass(frozen=True)
class Entry:
    """One token of a vocabulary."""

    id: int
    bytes: bytes
    text: str
    """As a reader sees it; see :func:`bpe.text.readable.readable`."""
    kind: Kind
    script: Script
    characters: int
    """How many of its characters are whole."""


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Every token of an encoder, in the order of ids."""

    name: str
    ids: npt.NDArray[np.int64]
    pieces: list[bytes]
    texts: list[str]
    kinds: npt.NDArray[np.uint8]
    """Positions in :data:`KINDS`."""
    scripts: npt.NDArray[np.uint8]
    """Positions in :data:`SCRIPTS`."""
    characters: npt.NDArray[np.int32]
    bytes: npt.NDArray[np.int32]
    """The length of each token."""

    def __len__(self) -> int:
        return len(self.ids)

    def entry(self, index: int) -> Entry:
        return Entry(
            int(self.ids[index]),
            self.pieces[index],
            self.texts[index],
            KINDS[self.kinds[index]],
            SCRIPTS[self.scripts[index]],
            int(self.characters[index]),
        )

    def entries(self, indices: Indices) -> Iterator[Entry]:
        return map(self.entry, indices.tolist())

    def search(self, query: str, mode: Mode = "text") -> Indices:
        """Return the tokens that match, in the order of ids; all of them for an empty query.

        ``"text"`` finds a part of what is shown, whatever its case; ``"id"`` takes ids and ranges
        (``"5, 100-120"``), ``"hex"`` bytes (``"E4 B8"``). What cannot be understood raises
        :class:`BPEError`.
        """
        if not query:
            return np.arange(len(self))
        return {"text": self._text, "id": self._id, "hex": self._hex}[mode](query)

    def select(
        self, *, kinds: Collection[Kind] = KINDS, scripts: Collection[Script] = SCRIPTS
    ) -> Indices:
        """Return the tokens of these kinds and scripts."""
        chosen = np.isin(self.kinds, [KINDS.index(kind) for kind in kinds])
        chosen &= np.isin(self.scripts, [SCRIPTS.index(script) for script in scripts])
        return np.flatnonzero(chosen)

    def sort(self, indices: Indices, by: Order = "id", *, descending: bool = False) -> Indices:
        """Return the same tokens in another order; equal ones stay in that of their ids."""
        indices = np.sort(indices)
        if by == "text":
            shown = indices.tolist()
            shown.sort(key=self.texts.__getitem__, reverse=descending)
            return np.array(shown, dtype=np.intp)
        lengths = self.bytes if by == "bytes" else self.characters
        keys = self.ids[indices] if by == "id" else lengths[indices].astype(np.int64)
        return indices[np.argsort(-keys if descending else keys, kind="stable")]

    def _text(self, query: str) -> Indices:
        typed = query.casefold()
        shown = readable(query.encode("utf-8", "surrogatepass")).casefold()
        folded = map(str.casefold, self.texts)
        if typed == shown:
            return _positions(typed in text for text in folded)
        return _positions(typed in text or shown in text for text in folded)

    def _id(self, query: str) -> Indices:
        chosen = np.zeros(len(self), dtype=bool)
        for part in regex.split(r"[\s,，、;；]+", query.strip(" ,，、;；")):
            match = regex.fullmatch(r"(\d{1,15})(?:(?:-|–|\.\.|~)(\d{1,15}))?", part)
            if not match:
                raise BPEError(
                    "“{query}” is neither an id nor a range of ids. Write them like 5, 100-120.",
                    query=part,
                )
            first = int(match[1])
            chosen |= (self.ids >= first) & (self.ids <= int(match[2] or first))
        return np.flatnonzero(chosen)

    def _hex(self, query: str) -> Indices:
        digits = regex.sub(r"0x|\\x|[\s,⟨⟩]+", "", query, flags=regex.IGNORECASE)
        try:
            data = bytes.fromhex(digits)
        except ValueError as error:
            raise BPEError(
                "“{query}” is not a row of bytes in hexadecimal. Write them like E4 B8 AD.",
                query=query,
            ) from error
        return _positions(data in piece for piece in self.pieces)


def read(encoder: Encoder) -> Vocabulary:
    """Return the vocabulary of an encoder; ids that it does not have are left out."""
    specials = set(encoder.special_tokens.values())
    if (size := encoder.vocabulary_size) > _MANY:
        require_memory(_BYTES_A_TOKEN * size)
    ids, pieces, texts = [], [], []
    kinds, script_codes, characters = bytearray(), bytearray(), []
    for token_id, data in enumerate(encoder.token_table):
        if data is None:
            continue
        whole, kind = _whole(data)
        if kind != "empty" and (
            token_id in specials or (whole[:1] in "<[" and _is_special(encoder, token_id, whole))
        ):
            kind = "special"
        shown = whole.replace(" ", "·") if kind != "partial" and whole.isprintable() else None
        ids.append(token_id)
        pieces.append(data)
        texts.append(readable(data) if shown is None else shown)
        kinds.append(KINDS.index(kind))
        script_codes.append(SCRIPTS.index(_script(whole)))
        characters.append(len(whole))
    return Vocabulary(
        name=encoder.name,
        ids=np.array(ids, dtype=np.int64),
        pieces=pieces,
        texts=texts,
        kinds=np.frombuffer(bytes(kinds), dtype=np.uint8),
        scripts=np.frombuffer(bytes(script_codes), dtype=np.uint8),
        characters=np.array(characters, dtype=np.int32),
        bytes=np.array([len(piece) for piece in pieces], dtype=np.int32),
    )


@dataclass(frozen=True, eq=False)
class Overlap:
    """The tokens that two vocabularies share, by their bytes.

    Positions in the first vocabulary, but ``only_second`` in the second. Special tokens and ids
    without bytes are left out, and of several ids with the same bytes the first counts.
    """

    only_first: Indices
    both: Indices
    only_second: Indices


def overlap(first: Vocabulary, second: Vocabulary) -> Overlap:
    """Say which tokens two vocabularies share once both are mapped to bytes.

    A SentencePiece ``▁中`` is then the ``·中`` of a byte-level tokenizer.
    """
    ours, theirs = _by_bytes(first), _by_bytes(second)
    return Overlap(
        only_first=_array(place for data, place in ours.items() if data not in theirs),
        both=_array(place for data, place in ours.items() if data in theirs),
        only_second=_array(place for data, place in theirs.items() if data not in ours),
    )


def _by_bytes(vocabulary: Vocabulary) -> dict[bytes, int]:
    first: dict[bytes, int] = {}
    ordinary = np.flatnonzero(vocabulary.kinds < KINDS.index("special"))
    for index in ordinary.tolist():
        first.setdefault(vocabulary.pieces[index], index)
    return first


def _array(values: Iterable[int]) -> Indices:
    return np.fromiter(values, dtype=np.intp)


def _positions(hits: Iterable[bool]) -> Indices:
    return np.flatnonzero(np.fromiter(hits, dtype=bool))


def _whole(data: bytes) -> tuple[str, Kind]:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data.decode("utf-8", "ignore"), "partial"
    return text, ("empty", "character")[len(text)] if len(text) < 2 else "several"


_LOOKS_SPECIAL = regex.compile(r"<[^<>\s]+>|\[\w+\]")


def _is_special(encoder: Encoder, token_id: int, text: str) -> bool:
    """Say whether it is spelled like a special token and ordinary text never gives it.

    No list has all of them: not the unknown token of a file, nor what is special in an encoding of
    the catalogue for some of its models.
    """
    if not _LOOKS_SPECIAL.fullmatch(text):
        return False
    try:
        return encoder.encode_ordinary(text)[-1:] != [token_id]
    except BPEError:
        return False


_SCRIPT = regex.compile(
    r"(?P<han>\p{Script=Han})|(?P<latin>\p{Script=Latin})|(?P<hangul>\p{Script=Hangul})"
    r"|(?P<kana>[\p{Script=Hiragana}\p{Script=Katakana}ー])|(?P<cyrillic>\p{Script=Cyrillic})"
    r"|(?P<arabic>\p{Script=Arabic})|(?P<digits>\p{N})|(?P<other>\p{L})|(?P<space>\s)|(?P<signs>.)",
    regex.DOTALL,
)
_NO_LETTERS: tuple[Script, ...] = ("digits", "signs", "space", "none")


@cache
def _script_of(character: str) -> Any:
    match = _SCRIPT.match(character)
    return match and match.lastgroup


def _script(text: str) -> Script:
    return _of_all(frozenset(map(_script_of, text)))


@cache
def _of_all(found: frozenset[Any]) -> Script:
    if letters := found.difference(_NO_LETTERS):
        return next(iter(letters)) if len(letters) == 1 else "mixed"
    return next((script for script in _NO_LETTERS if script in found), "none")

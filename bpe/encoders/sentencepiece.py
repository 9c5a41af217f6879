"""SentencePiece ``.model`` files, Unigram and BPE, read and written without that library.

The model is parsed here, the text normalised as SentencePiece does it, and the pieces are found
by Hugging Face ``tokenizers``, whose code cannot be crashed by a broken file. A long text goes
there in blocks, as nothing else in the process runs meanwhile. Models of words and of characters,
which are not tokenizers in the sense of this library, are refused.
"""

import json
import math
import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from bpe.algorithm.recipe import BYTES, Merge
from bpe.encoders.base import (
    LEADING_SPACE,
    METASPACE,
    Encoder,
    MadeOf,
    PickledAlike,
    Symbol,
    require_memory_for,
)
from bpe.encoders.huggingface import added_token, bpe_model, values_of
from bpe.encoders.merge_models import ListedOrigins
from bpe.encoders.normalisers import normaliser, placed
from bpe.errors import BPEError, library
from bpe.reading import MAX_TOKENS, errors_as, require_tokens
from bpe.text.cuts import JoinedCharacters

Value = int | bytes
_Kind = TypeVar("_Kind", int, bytes)


def fields(message: bytes) -> Iterator[tuple[int, Value]]:
    """Yield the number and value of each field of ``message``; of other data ``ValueError``.

    A value is a whole number or bytes: of nested messages and text, or four or eight raw ones
    of a number of fixed width.

    >>> list(fields(bytes.fromhex("08960112026869")))
    [(1, 150), (2, b'hi')]
    """
    sizes = {1: 8, 5: 4}
    place = 0
    while place < len(message):
        tag, place = _varint(message, place)
        size, wire = 0, tag & 7
        if wire in (0, 2):
            size, place = _varint(message, place)
        if wire == 0:
            yield tag >> 3, size
            continue
        end = place + (size if wire == 2 else sizes.get(wire, len(message)))
        if end > len(message):
            raise ValueError("a field goes on behind the end")
        yield tag >> 3, message[place:end]
        place = end


def _varint(message: bytes, place: int) -> tuple[int, int]:
    value = 0
    for number, byte in enumerate(message[place : place + 10]):
        value |= (byte & 0x7F) << 7 * number
        if byte < 0x80:
            return value, place + number + 1
    raise ValueError("a number has no end")


def message(*values: tuple[int, int | float | str | bytes]) -> bytes:
    """Return a message of numbered values; a float takes four bytes.

    >>> message((1, 150), (2, "hi")).hex()
    '08960112026869'
    """
    parts = []
    for number, value in values:
        match value:
            case int():
                parts += [_written(number << 3), _written(value)]
            case float():
                parts += [_written(number << 3 | 5), struct.pack("<f", value)]
            case _:
                data = value.encode() if isinstance(value, str) else value
                parts += [_written(number << 3 | 2), _written(len(data)), data]
    return b"".join(parts)


def _written(value: int) -> bytes:
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*data, value])


def _as(kind: type[_Kind], value: Value) -> _Kind:
    if isinstance(value, kind):
        return value
    raise ValueError("a field is of another kind")


NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = 1, 2, 3, 4, 5, 6
UNIGRAM, BPE = 1, 2

_ROLES = range(40, 49)
_SHORTEST_PIECE = 16  # bytes, with a score and a type
_HIDDEN = "\ufdd0"  # put before pieces that text must never match
_LONGEST_PIECE = 1 << 10
_MOST_MERGED = 1 << 25
"""Characters that all merges together may make: of the largest vocabularies some 5 million, but a
piece of 1,024 characters may have 1,023 merges, and a file of 1 MB ask for gigabytes."""
_BLOCK = 20_000  # characters encoded at once: some 20 ms, in which no other thread runs


class Piece(NamedTuple):
    """A token of the model: what it spells, its score, and its type."""

    text: str
    score: float
    type: int


class Model(NamedTuple):
    """The content of a ``.model`` file, as far as encoding goes."""

    pieces: tuple[Piece, ...]
    type: int
    byte_fallback: bool
    charsmap: bytes
    normalisation: str
    dummy_prefix: bool
    remove_extra_spaces: bool
    escape: bool
    roles: tuple[tuple[int, Value], ...] = ()
    """Fields of the trainer: what the unknown piece, bos, eos and pad are called."""


@errors_as("This is not a SentencePiece model, or it is not complete.")
def parse(content: bytes) -> Model:
    """Return what a ``.model`` file says; :class:`BPEError` if it is not one."""
    require_tokens(min(len(content) // _SHORTEST_PIECE, MAX_TOKENS))
    pieces = []
    trainer: dict[int, Value] = {}
    normalizer: dict[int, Value] = {}
    for number, value in fields(content):
        if number == 1:
            pieces.append(_piece(_as(bytes, value)))
            if len(pieces) > MAX_TOKENS:
                require_tokens(len(pieces))
        elif number == 2:
            trainer = dict(fields(_as(bytes, value)))
        elif number == 3:
            normalizer = dict(fields(_as(bytes, value)))
    kind = _as(int, trainer.get(3, UNIGRAM))
    if kind not in (UNIGRAM, BPE):
        raise BPEError("This SentencePiece model is neither Unigram nor BPE.")
    if trainer.get(24, 0):
        raise BPEError("This SentencePiece model puts spaces behind words, which is not supported.")
    return Model(
        tuple(pieces),
        kind,
        bool(trainer.get(35, 0)),
        _as(bytes, normalizer.get(2, b"")),
        _as(bytes, normalizer.get(1, b"")).decode(),
        bool(normalizer.get(3, 1)),
        bool(normalizer.get(4, 1)),
        bool(normalizer.get(5, 1)),
        tuple((number, trainer[number]) for number in _ROLES if number in trainer),
    )


def _piece(message: bytes) -> Piece:
    values = dict(fields(message))
    (score,) = struct.unpack("<f", _as(bytes, values.get(2, bytes(4))))
    text = _as(bytes, values.get(1, b"")).decode()
    piece = Piece(text, score, _as(int, values.get(3, NORMAL)))
    if not piece.text or len(piece.text) > _LONGEST_PIECE or not math.isfinite(piece.score):
        raise BPEError("This SentencePiece model has a piece that is empty, too long or unscored.")
    return piece


def written(model: Model) -> bytes:
    """Return the content of a ``.model`` file that says the same."""
    trainer = message(
        (3, model.type), (4, len(model.pieces)), (35, int(model.byte_fallback)), *model.roles
    )
    normalizer = message(
        (1, model.normalisation or "identity"),
        (2, model.charsmap),
        (3, int(model.dummy_prefix)),
        (4, int(model.remove_extra_spaces)),
        (5, int(model.escape)),
    )
    pieces = (
        message((1, text), (2, float(score)), (3, kind)) for text, score, kind in model.pieces
    )
    return message(*((1, piece) for piece in pieces), (2, trainer), (3, normalizer))


class SentencePieceEncoder(PickledAlike, Encoder):
    """A SentencePiece tokenizer; see :class:`bpe.encoders.base.Encoder`.

    ``special_tokens`` are the control pieces, which SentencePiece itself never finds in a text.
    ``▁`` in a text cannot be told from a space, so every such tokenizer ``normalises``.
    """

    def __init__(self, name: str, model: Model) -> None:
        self.name = name
        self.model = model
        self.kind = "Unigram" if model.type == UNIGRAM else "BPE"
        unknown = [number for number, piece in enumerate(model.pieces) if piece.type == UNKNOWN]
        if len(unknown) != 1:
            raise BPEError(
                "A SentencePiece model must have one unknown piece, not {n}.", n=len(unknown)
            )
        if len({piece.text for piece in model.pieces}) < len(model.pieces):
            raise BPEError("This SentencePiece model has the same piece twice.")
        self._unknown = unknown[0]
        self.special_tokens = MappingProxyType(
            {piece.text: n for n, piece in enumerate(model.pieces) if piece.type == CONTROL}
        )
        self._byte_ids = _byte_ids(model)
        require_tokens(len(model.pieces), len(self.merges))
        self.normalises = _changes(model)
        self.lossy = not self._byte_ids
        self._options: dict[str, Any] = {
            "dummy_prefix": model.dummy_prefix,
            "remove_extra_spaces": model.remove_extra_spaces,
            "escape": model.escape,
            "protected": [piece.text for piece in model.pieces if piece.type == USER_DEFINED],
        }
        self._normalise = normaliser(model.charsmap, **self._options)
        with errors_as("“{name}” is not a model that can be used: “{reason}”", name=name):
            self._engine = library("tokenizers").Tokenizer.from_str(
                json.dumps(_tokenizer_json(model, self._unknown, self.merges))
            )

    @cached_property
    def merges(self) -> tuple[Merge, ...]:
        return merges_of(self.model)

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        return self._origins.made_of(symbol) if self.merges else super().made_of(symbol)

    @cached_property
    def _origins(self) -> ListedOrigins:
        return ListedOrigins(self.merges, self.token_bytes)

    def _encode_ordinary(self, text: str) -> list[int]:
        blocks = self._in_blocks(self._normalise(text))
        return [token_id for block in blocks for token_id, *_ in self._placed_ids(block)]

    def _encode_ordinary_with_spans(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the ids and spans as SentencePiece has them: a ▁ put in front has none."""
        row = placed(text, self.model.charsmap, **self._options)
        ids: list[int] = []
        spans: list[tuple[int, int]] = []
        done = 0
        for block in self._in_blocks("".join(one for one, *_ in row)):
            for token_id, start, end in self._placed_ids(block):
                ids.append(token_id)
                spans.append((row[done + start][1], row[done + end - 1][2]))
            done += len(block)
        return ids, spans

    def _in_blocks(self, normalised: str) -> Iterator[str]:
        """Yield the parts of a normalised text, cut where no piece reaches across."""
        start = 0
        while len(normalised) - start > _BLOCK:
            place = self._joined.first_border(normalised, start + _BLOCK)
            if place is None:
                break
            yield normalised[start:place]
            start = place
        yield normalised[start:]

    @cached_property
    def _joined(self) -> JoinedCharacters:
        return JoinedCharacters(_names(self.model))

    def _placed_ids(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield each id with the span of characters that it stands for; a byte has all of its."""
        with errors_as("“{name}” cannot encode this text: “{reason}”", name=self.name):
            require_memory_for(text)
            if len(text) > 2 * _BLOCK:  # only so does it let other threads run meanwhile
                (encoding,) = self._engine.encode_batch([text], add_special_tokens=False)
            else:
                encoding = self._engine.encode(text, add_special_tokens=False)
        for token_id, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
            if token_id != self._unknown or not self._byte_ids:
                yield token_id, start, end
                continue
            for place in range(start, end):
                for byte in text[place].encode():
                    yield self._byte_ids[byte], place, place + 1

    @cached_property
    def token_table(self) -> Sequence[bytes | None]:
        return [self._bytes_of(piece) for piece in self.model.pieces]

    def _bytes_of(self, piece: Piece) -> bytes:
        if piece.type == BYTE and self._byte_ids:
            return bytes([int(piece.text[3:5], 16)])
        if piece.type in (CONTROL, UNKNOWN):
            return piece.text.encode()
        return piece.text.replace(METASPACE, " ").encode()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.model)


def merges_of(model: Model) -> tuple[Merge, ...]:
    """Return the merges of a BPE model: for each piece, best score first, its parts in the model.

    Empty for a Unigram model.
    """
    if model.type != BPE:
        return ()
    usable = (NORMAL, USER_DEFINED, UNUSED)
    ids = {p.text: number for number, p in enumerate(model.pieces) if p.type in usable}
    ranked = sorted(ids.items(), key=lambda item: (-model.pieces[item[1]].score, item[1]))
    merges: list[Merge] = []
    made = 0
    for text, number in ranked:
        before = len(merges)
        for place in range(1, len(text)):
            if text[:place] in ids and text[place:] in ids:
                merges.append(Merge(ids[text[:place]], ids[text[place:]], number, 0))
        made += len(text) * (len(merges) - before)
        if made > _MOST_MERGED:
            raise BPEError(
                "The pieces of this SentencePiece model can be merged in too many ways to be "
                "read here."
            )
    return tuple(merges)


def _changes(model: Model) -> str:
    """Return the normalisation by its name in the model, and what is done to spaces."""
    steps = [model.normalisation or "precompiled"] if model.charsmap else []
    if model.remove_extra_spaces:
        steps.append("single spaces")
    if model.dummy_prefix:
        steps.append(LEADING_SPACE)
    return "+".join([*steps, f"{METASPACE} as space"])


def _byte_ids(model: Model) -> tuple[int, ...]:
    """Return the piece of each byte, or nothing where the model has not all of them."""
    ids = {piece.text: n for n, piece in enumerate(model.pieces) if piece.type == BYTE}
    names = [f"<0x{byte:02X}>" for byte in range(BYTES)]
    if not model.byte_fallback or not all(name in ids for name in names):
        return ()
    return tuple(ids[name] for name in names)


def _names(model: Model) -> list[str]:
    """Return what each piece is called in the engine: what it spells, if text may match it."""
    return [
        piece.text if piece.type in (NORMAL, USER_DEFINED, UNUSED) else _HIDDEN + piece.text
        for piece in model.pieces
    ]


def _tokenizer_json(model: Model, unknown: int, merges: Iterable[Merge]) -> dict[str, Any]:
    """Return the bare model for Hugging Face ``tokenizers``: no normalisation, no bytes.

    Pieces that text must not match get a name that it does not have; bytes are put in for unknown
    characters afterwards, as otherwise a text ``<0x41>`` would be taken for the byte.
    """
    names = _names(model)
    if model.type == UNIGRAM:
        engine: dict[str, Any] = {
            "type": "Unigram",
            "unk_id": unknown,
            "byte_fallback": False,
            "vocab": [[name, p.score] for name, p in zip(names, model.pieces, strict=True)],
        }
    else:
        engine = bpe_model(
            {name: number for number, name in enumerate(names)},
            [[names[merge.left], names[merge.right]] for merge in merges],
            unk_token=names[unknown],
            fuse_unk=True,
        )
    added = [
        added_token(piece.text, number, special=False)
        for number, piece in enumerate(model.pieces)
        if piece.type == USER_DEFINED
    ]
    return values_of(engine, added_tokens=added)

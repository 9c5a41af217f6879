"""The bytes of the tokens in a ``tokenizer.json``, and what happens to text before it is cut.

A file says this only by the names of its parts: ``ByteLevel`` means GPT-2's byte alphabet,
``▁`` a space, ``<0xE4>`` the byte E4, ``##`` the inside of a word, ``</w>`` its end.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bpe.files.byte_alphabet import TO_BYTE
from bpe.training.recipe import BYTES

LEADING_SPACE = "leading space"
METASPACE = "▁"

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")

_NAMES = {
    "Lowercase": "lowercase",
    "StripAccents": "strip-accents",
    "Strip": "strip",
    "Replace": "replace",
    "BertNormalizer": "BERT",
    "Nmt": "NMT",
    "Precompiled": "precompiled",
    "Prepend": LEADING_SPACE,
}
_DROP_WHITE_SPACE = {"BertPreTokenizer", "Whitespace", "WhitespaceSplit", "CharDelimiterSplit"}


def model_type(values: Mapping[str, Any]) -> str:
    """Return ``"BPE"``, ``"WordPiece"``, ``"Unigram"`` or ``"WordLevel"``; old files do not say."""
    model = values.get("model") or {}
    if isinstance(kind := model.get("type"), str):
        return kind
    if "merges" in model:
        return "BPE"
    if isinstance(model.get("vocab"), list):
        return "Unigram"
    return "WordPiece" if "max_input_chars_per_word" in model else "WordLevel"


def components(part: Mapping[str, Any] | None) -> Iterator[Mapping[str, Any]]:
    """Yield the parts of a normalizer, pre-tokenizer or decoder, sequences taken apart."""
    if part is None:
        return
    inside = [part[key] for key in ("normalizers", "pretokenizers", "decoders") if key in part]
    if part.get("type") == "Sequence" and inside:
        for step in inside[0]:
            yield from components(step)
    else:
        yield part


class Spelling:
    """How the tokens of one ``tokenizer.json`` spell bytes. ``added`` are its added tokens."""

    def __init__(self, values: Mapping[str, Any], added: Mapping[int, str]) -> None:
        self._added = added
        self._model: Mapping[str, Any] = values.get("model") or {}
        self._kind = model_type(values)
        self._normalizers = list(components(values.get("normalizer")))
        self._pre_tokenizers = list(components(values.get("pre_tokenizer")))
        self._added_tokens: Iterable[Mapping[str, Any]] = values.get("added_tokens") or ()
        decoders = list(components(values.get("decoder")))
        parts = [*self._normalizers, *self._pre_tokenizers, *decoders]
        types = {part.get("type") for part in parts}
        self.byte_level = "ByteLevel" in types
        self._metaspace = "Metaspace" in types or any(
            _string(part) == " " and part.get("content") == METASPACE for part in parts
        )
        self._byte_fallback = bool(self._model.get("byte_fallback"))
        self._suffix: str = self._model.get("end_of_word_suffix") or ""
        self._prefix: str = self._model.get("continuing_subword_prefix") or ""

    @property
    def joins(self) -> bool:
        """Whether the joined bytes of tokens are the text, with nothing put in or left out."""
        return self.byte_level and not self._suffix

    @property
    def normalises(self) -> str | None:
        """The changes to text, joined by ``+``, or ``None``."""
        steps = list(self._normalization_steps())
        return "+".join(dict.fromkeys(steps)) or None

    def _normalization_steps(self) -> Iterator[str]:
        for part in self._normalizers:
            kind = str(part.get("type"))
            if kind == "ByteLevel" or (kind == "Replace" and part.get("content") == METASPACE):
                continue
            yield _NAMES.get(kind, kind)
        for part in self._pre_tokenizers:
            if part.get("type") == "Metaspace":
                scheme = part.get("prepend_scheme", "always")
                if scheme != "never" and part.get("add_prefix_space", True):
                    yield LEADING_SPACE
            if part.get("type") == "ByteLevel" and part.get("add_prefix_space", True):
                yield LEADING_SPACE
        if self._metaspace:
            yield f"{METASPACE} as space"

    @property
    def loses_text(self) -> bool:
        """Whether text can vanish though every byte has a token."""
        dropped = any(
            part.get("type") in _DROP_WHITE_SPACE or part.get("behavior") == "Removed"
            for part in self._pre_tokenizers
        )
        around = any(token.get("lstrip") or token.get("rstrip") for token in self._added_tokens)
        return dropped or around or bool(self._suffix) or self._kind in ("WordPiece", "WordLevel")

    def has_all_bytes(self, tokens: Iterable[str]) -> bool:
        """Return whether ``tokens`` have one for each byte, so that nothing is unknown."""
        if self.byte_level and self._kind == "BPE":
            ends = [self._suffix]
            return {byte + end for byte in TO_BYTE for end in ends}.issubset(tokens)
        if self._byte_fallback:
            return {f"<0x{byte:02X}>" for byte in range(BYTES)}.issubset(tokens)
        return self.byte_level and set(TO_BYTE).issubset(tokens)

    def token_bytes(self, token_id: int, token: str) -> bytes:
        """Return the bytes that a token of the vocabulary stands for."""
        if (added := self._added.get(token_id)) is not None:
            return added.encode()
        if self._byte_fallback and (byte := _BYTE.fullmatch(token)):
            return bytes([int(byte[1], 16)])
        if self._prefix and token.startswith(self._prefix):
            token = token.removeprefix(self._prefix)
        end = ""
        if self._suffix and token.endswith(self._suffix):
            token, end = token.removesuffix(self._suffix), " "
        if self.byte_level and all(character in TO_BYTE for character in token):
            return bytes(TO_BYTE[character] for character in token) + end.encode()
        if self._metaspace:
            token = token.replace(METASPACE, " ")
        return (token + end).encode()


def _string(part: Mapping[str, Any]) -> str | None:
    pattern = part.get("pattern")
    return pattern.get("String") if isinstance(pattern, Mapping) else None

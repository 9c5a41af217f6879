"""Reading ``tokenizer.json``: any Hugging Face tokenizer behind the protocol of our own.

Hugging Face ``tokenizers`` does the encoding. What is added here is what it does not tell: the
bytes of each token (:mod:`bpe.encoders.spelling`), whether text comes back, and the merges.
"""

import copy
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

import tokenizers

from bpe.encoders.base import scalar_text
from bpe.encoders.spelling import Spelling, model_type
from bpe.errors import unknown_id_in
from bpe.files.reading import errors_as
from bpe.training.recipe import Merge
from bpe.training.special_tokens import Specials, special_parts

_LONG = 10_000


def from_json(values: Mapping[str, Any], *, name: str) -> "ForeignEncoder":
    """Return the tokenizer that the values of a ``tokenizer.json`` describe.

    Values that Hugging Face ``tokenizers`` cannot use raise :class:`BPEError`.
    """
    with errors_as("“{name}” is not a tokenizer that can be read: {reason}", name=name):
        engine = tokenizers.Tokenizer.from_str(json.dumps(values))
        engine.no_truncation()
        engine.no_padding()
        return ForeignEncoder(name, engine, values)


class ForeignEncoder:
    """A tokenizer from elsewhere; see :class:`bpe.encoders.base.Encoder`.

    ``normalises`` joins with ``+`` all that happens to text before it is cut, in our words where
    there are any; ``lossy`` says that some text becomes ``<unk>`` or vanishes (white space, in a
    WordPiece tokenizer). No beginning or end of text is ever added.
    """

    def __init__(self, name: str, engine: Any, values: Mapping[str, Any]) -> None:
        self.name = name
        self.kind = model_type(values)
        self._engine = engine
        self._tokens: dict[int, str] = {
            token_id: token for token, token_id in engine.get_vocab(True).items()
        }
        added = engine.get_added_tokens_decoder()
        self.special_tokens: Mapping[str, int] = MappingProxyType(
            {token.content: token_id for token_id, token in added.items() if token.special}
        )
        self._spelling = Spelling(values, {t: token.content for t, token in added.items()})
        self._values = values
        engine.encode_special_tokens = True  # as the text that they are

    @cached_property
    def _promoting(self) -> Any:
        """The engine that finds special tokens itself; a copy, as the setting is not per call."""
        engine = copy.deepcopy(self._engine)
        engine.encode_special_tokens = False
        return engine

    @property
    def vocabulary_size(self) -> int:
        """How many ids there are, added tokens included."""
        return len(self._tokens)

    @property
    def normalises(self) -> str | None:
        """What happens to text before it is cut: ``"NFC"``, ``"leading space"``, …; or ``None``."""
        return self._spelling.normalises

    @cached_property
    def lossy(self) -> bool:
        """Whether some text cannot be recovered from its ids."""
        return self._spelling.loses_text or not self._spelling.has_all_bytes(self._tokens.values())

    @cached_property
    def merges(self) -> tuple[Merge, ...]:
        """The merges of a BPE tokenizer, in order; counts are not known and 0. Else empty."""
        return tuple(_merges(self._values.get("model", {})))

    def encode(
        self,
        text: str,
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> list[int]:
        """Return the ids of ``text``; special tokens as in
        :meth:`bpe.encoders.base.Encoder.encode`."""
        text = scalar_text(text)
        parts = list(special_parts(text, self.special_tokens, allowed_special, disallowed_special))
        with errors_as("“{name}” cannot encode this text: {reason}", name=self.name):
            if any(special is not None for _, special in parts) and not any(
                token in part
                for part, special in parts
                if special is None
                for token in self.special_tokens
            ):
                return self._ids(self._promoting, text)
            ids: list[int] = []
            for part, special in parts:
                ids.extend(self._ids(self._engine, part) if special is None else [special])
            return ids

    @staticmethod
    def _ids(engine: Any, text: str) -> list[int]:
        if len(text) > _LONG:  # only so does it let other threads run meanwhile
            (encoding,) = engine.encode_batch_fast([text], add_special_tokens=False)
        else:
            encoding = engine.encode(text, add_special_tokens=False)
        ids: list[int] = encoding.ids
        return ids

    def token_bytes(self, token_id: int, /) -> bytes:
        """Return the bytes of an id; an unknown one raises :class:`BPEError`."""
        try:
            return self._spelling.token_bytes(token_id, self._tokens[token_id])
        except KeyError as error:
            raise unknown_id_in(token_id, self.name) from error

    def decode(self, ids: Iterable[int], /) -> str:
        """Return the text of ids; bytes that are not UTF-8 become U+FFFD.

        Where tokens are not simply joined (a space put in front is taken away again, WordPiece
        puts spaces between words), this is the decoder of the tokenizer itself.
        """
        ids = list(ids)
        joined = b"".join(map(self.token_bytes, ids))  # also finds unknown ids
        if self._spelling.joins or self._values.get("decoder") is None:
            return joined.decode("utf-8", "replace")
        with errors_as("“{name}” cannot decode these ids: {reason}", name=self.name):
            text: str = self._engine.decode(ids, skip_special_tokens=False)
            return text

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


def _merges(model: Mapping[str, Any]) -> Iterator[Merge]:
    vocabulary = model.get("vocab", {})
    prefix = model.get("continuing_subword_prefix") or ""
    for merge in model.get("merges") or []:
        left, right = merge.split(" ") if isinstance(merge, str) else merge
        whole = left + right.removeprefix(prefix)
        yield Merge(vocabulary[left], vocabulary[right], vocabulary[whole], 0)

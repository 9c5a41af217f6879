"""The interface of ``tiktoken``: ``import bpe.tiktoken as tiktoken`` is the one line to change.

The same names, results and kinds of errors. Missing are ``load``, as nothing is downloaded,
``__version__``, and ``encode_with_unstable``: ``encoder.session`` has exact ids of a text that
grows. Two differences: what a ``pat_str`` does not match is encoded, where tiktoken drops it, and
``get_encoding`` knows the byte-level encodings of :func:`bpe.encodings`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.catalog import OLDER, encoding
from bpe.encoders.merge_models import RankTable
from bpe.encoders.models import encoding_name_of
from bpe.errors import BPEError
from bpe.files.tiktoken import require_bytes
from bpe.text import own_pattern
from bpe.text.pretokenize import PATTERNS
from bpe.text.special_tokens import Specials, refuse_specials
from bpe.text.split_patterns import pattern_of
from bpe.text.unicode import character_spans

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "Encoding",
    "encoding_for_model",
    "encoding_name_for_model",
    "get_encoding",
    "list_encoding_names",
]

NAMES = ("gpt2", *OLDER, "cl100k_base", "o200k_base", "o200k_harmony")
_WHOLE = r"[\s\S]+"
"""The split pattern that takes a text as one pre-token."""

Allowed = Literal["all"] | AbstractSet[str]


class UnknownNameError(BPEError, KeyError):
    """A token or a model that is not known, where tiktoken raises ``KeyError``."""


class Encoding:
    """A tokenizer as tiktoken has it; ``encoder`` is the same as one of this library."""

    def __init__(
        self,
        name: str,
        *,
        pat_str: str,
        mergeable_ranks: Mapping[bytes, int],
        special_tokens: Mapping[str, int],
        explicit_n_vocab: int | None = None,
    ) -> None:
        require_bytes(mergeable_ranks)
        self.name = name
        self.encoder = BytePairEncoder(
            name,
            RankTable(dict(mergeable_ranks)),
            "none" if pat_str == _WHOLE else pattern_of(pat_str),
            special_tokens=special_tokens,
        )
        tokens = len(mergeable_ranks) + len(special_tokens)
        if explicit_n_vocab and not tokens == explicit_n_vocab == self.n_vocab:
            raise BPEError(
                "There are {tokens} tokens with ids below {size}, not {expected}.",
                tokens=tokens,
                size=self.n_vocab,
                expected=explicit_n_vocab,
            )

    @classmethod
    def _of(cls, name: str, encoder: BytePairEncoder) -> "Encoding":
        made = cls.__new__(cls)
        made.name, made.encoder = name, encoder
        return made

    def __repr__(self) -> str:
        return f"<Encoding {self.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a published encoding as its name, another as what it was made of."""
        if self.name in NAMES and get_encoding(self.name) is self:
            return get_encoding, (self.name,)
        ranks, specials = self._mergeable_ranks, self._special_tokens
        made = partial(Encoding, mergeable_ranks=ranks, special_tokens=specials)
        return partial(made, self.name, pat_str=self._pat_str), ()

    # Text to tokens.

    def encode(
        self,
        text: str,
        *,
        allowed_special: Allowed = frozenset(),
        disallowed_special: Specials = "all",
    ) -> list[int]:
        """Return the tokens of ``text``; a disallowed special token in it raises ``ValueError``."""
        return self.encoder.encode(
            text, **self._checked([text], allowed_special, disallowed_special)
        )

    def encode_ordinary(self, text: str) -> list[int]:
        return self.encoder.encode_ordinary(text)

    def encode_to_numpy(
        self,
        text: str,
        *,
        allowed_special: Allowed = frozenset(),
        disallowed_special: Specials = "all",
    ) -> "npt.NDArray[np.uint32]":
        """Return what :meth:`encode` returns, as an array of uint32."""
        options = self._checked([text], allowed_special, disallowed_special)
        ids: npt.NDArray[np.int32] = self.encoder.encode_to_numpy(text, **options)
        return ids.view("uint32")

    def encode_ordinary_batch(self, text: list[str], *, num_threads: int = 8) -> list[list[int]]:
        return self.encoder.encode_batch(text, disallowed_special=())

    def encode_batch(
        self,
        text: list[str],
        *,
        num_threads: int = 8,
        allowed_special: Allowed = frozenset(),
        disallowed_special: Specials = "all",
    ) -> list[list[int]]:
        """Return the tokens of each text. The library itself knows how many threads are best."""
        options = self._checked(text, allowed_special, disallowed_special)
        return self.encoder.encode_batch(text, **options)

    def encode_single_token(self, text_or_bytes: str | bytes) -> int:
        """Return the token with this text or these bytes, special or not; or ``KeyError``."""
        data = text_or_bytes.encode() if isinstance(text_or_bytes, str) else text_or_bytes
        special = self._special_tokens.get(data.decode("utf-8", "replace"))
        if (token := self.encoder.ranks.get(data, special)) is None:
            raise UnknownNameError(
                "“{token}” is not a single token of {name}.", token=text_or_bytes, name=self.name
            )
        return token

    def _checked(
        self, texts: Iterable[str], allowed: Allowed, disallowed: Specials
    ) -> dict[str, Any]:
        """Return the options that our encoders take; disallowed tokens win here if named."""
        every = self.special_tokens_set
        allowed = every if allowed == "all" else every & allowed
        if disallowed != "all":
            named: Collection[str] = frozenset(disallowed or ())  # None is none, as there
            for text in texts:
                refuse_specials(text, named)
            disallowed = ()
        return {"allowed_special": allowed, "disallowed_special": disallowed}

    # Tokens to text.

    def decode_bytes(self, tokens: Sequence[int]) -> bytes:
        """Return the joined bytes of tokens; one that is unknown raises ``KeyError``."""
        return _or_key_error(self.encoder.decode_bytes, tokens)

    def decode(self, tokens: Sequence[int], errors: str = "replace") -> str:
        """Return the text of tokens; ``errors`` says what happens to bytes that are not UTF-8."""
        return self.decode_bytes(tokens).decode("utf-8", errors)

    def decode_single_token_bytes(self, token: int) -> bytes:
        """Return the bytes of one token; one that is unknown raises ``KeyError``."""
        return _or_key_error(self.encoder.token_bytes, token)

    def decode_tokens_bytes(self, tokens: Sequence[int]) -> list[bytes]:
        return [self.decode_single_token_bytes(token) for token in tokens]

    def decode_with_offsets(self, tokens: Sequence[int]) -> tuple[str, list[int]]:
        """Return the text, and the first character that each token has bytes of."""
        pieces = self.decode_tokens_bytes(tokens)
        text = b"".join(pieces).decode("utf-8", "strict")
        return text, [start for start, _end in character_spans(pieces)]

    def decode_batch(
        self, batch: Sequence[Sequence[int]], *, errors: str = "replace", num_threads: int = 8
    ) -> list[str]:
        return [self.decode(tokens, errors) for tokens in batch]

    def decode_bytes_batch(
        self, batch: Sequence[Sequence[int]], *, num_threads: int = 8
    ) -> list[bytes]:
        return [self.decode_bytes(tokens) for tokens in batch]

    # The vocabulary.

    @property
    def n_vocab(self) -> int:
        """One more than the highest token."""
        return self.max_token_value + 1

    @cached_property
    def max_token_value(self) -> int:
        return max(*self.encoder.ranks.values(), *self._special_tokens.values(), 0)

    @cached_property
    def _special_tokens(self) -> dict[str, int]:
        return dict(self.encoder.special_tokens)

    @property
    def eot_token(self) -> int:
        """The token that ends a text."""
        return self._special_tokens["<|endoftext|>"]

    @cached_property
    def special_tokens_set(self) -> set[str]:
        return set(self._special_tokens)

    def is_special_token(self, token: int) -> bool:
        return token in self._special_tokens.values()

    def token_byte_values(self) -> list[bytes]:
        return sorted(self.encoder.ranks)

    @property
    def _mergeable_ranks(self) -> dict[bytes, int]:
        return dict(self.encoder.ranks)

    @property
    def _pat_str(self) -> str:
        pattern = self.encoder.pattern or "none"
        if own_pattern.is_own(pattern):
            return own_pattern.expression(pattern)
        return PATTERNS[pattern] or _WHOLE


@cache
def get_encoding(encoding_name: str) -> Encoding:
    """Return the encoding of that name; an unknown one raises ``ValueError``."""
    encoder = encoding(encoding_name)
    if not isinstance(encoder, BytePairEncoder):
        raise BPEError(
            "{name} is no byte-level BPE, which is all that tiktoken has. Use bpe.encoding.",
            name=encoding_name,
        )
    if encoding_name == "o200k_harmony":  # which has a second name for one id
        special_tokens = {**encoder.special_tokens, "<|endofprompt|>": 200_018}
        encoder = BytePairEncoder(encoding_name, encoder.engine, special_tokens=special_tokens)
    return Encoding._of(encoding_name, encoder)


def list_encoding_names() -> list[str]:
    return list(NAMES)


def _or_key_error(function: Callable[[Any], bytes], argument: object) -> bytes:
    try:
        return function(argument)
    except BPEError as error:
        raise UnknownNameError(error.template, **error.values) from error


_FINE_TUNED = ("ft:gpt-4", "ft:davinci-002", "ft:babbage-002")
"""Beginnings of names that tiktoken knows however they go on."""


def encoding_name_for_model(model_name: str) -> str:
    """Return the name of a model's encoding; an unknown model raises ``KeyError``."""
    name = encoding_name_of(model_name)
    if name is None and model_name.startswith(_FINE_TUNED):
        return "cl100k_base"
    if name is None:
        raise UnknownNameError(
            "No tokenizer is at hand for the model “{model}”. Choose an encoding: {names}.",
            model=model_name,
            names=", ".join(NAMES),
        )
    return name


def encoding_for_model(model_name: str) -> Encoding:
    """Return the encoding of a model; an unknown model raises ``KeyError``."""
    return get_encoding(encoding_name_for_model(model_name))

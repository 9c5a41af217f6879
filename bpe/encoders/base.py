"""What every tokenizer can do: trained here, shipped, or uploaded.

A kind of encoder supplies the ids of ordinary text, the bytes of its tokens, where its text may be
cut, and how a token was made. Everything else (special tokens, streams, batches, arrays, counting,
decoding, offsets) follows from these and is written here once. No caller asks which kind it is.
"""

import os
from abc import ABC, abstractmethod
from codecs import getincrementaldecoder
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import index, itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from bpe import compiled
from bpe.encoders.packed_tokens import PackedTokens
from bpe.errors import BPEError, unknown_id, unknown_id_in
from bpe.limits import require_memory
from bpe.numbers import whole_number
from bpe.text.cuts import Cut, Cutter, cut_around, pieces
from bpe.text.special_tokens import Specials, special_parts
from bpe.text.unicode import character_spans, scalar_text, utf8

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from bpe.algorithm.recipe import Recipe
    from bpe.compiled.encode.decoder import CompiledDecoder
    from bpe.encoders.chunks import Chunk
    from bpe.encoders.shown import Shown

    Ids = npt.NDArray[np.int32]

LEADING_SPACE = "leading space"
"""The name, in ``normalises``, of a space that is put in front of every text."""
METASPACE = "▁"
"""The character that SentencePiece writes for a space."""

STEP = 100_000
"""Characters counted or encoded between two yields of a stream: 1 to 100 ms."""

_BYTES_A_CHARACTER = 130
"""Of a text in one piece, what engines of other libraries take; measured: 67 to 130."""

_DECODED_AT_ONCE = 1 << 16
_MANY = 100_000
"""So many ids are worth the tables of the compiled decoder, which take 20 ms to make."""
_FEW = 500
"""So few are not worth a call of it."""
_THREADS = min(os.cpu_count() or 1, 8)


def checked_texts(texts: Iterable[str]) -> Iterable[str]:
    """Return ``texts``; a single string, which would be taken apart, raises ``TypeError``."""
    if isinstance(texts, str | bytes):
        raise TypeError("Give a list of texts, not one text.")
    return texts


def checked_limit(tokens: int) -> int:
    """Return a limit of tokens as an ``int``; :class:`BPEError` for what is no whole number."""
    if (limit := whole_number(tokens)) is None:
        raise BPEError("A limit of tokens is a whole number, not {value!r}.", value=tokens)
    return limit


class Symbol(NamedTuple):
    """What merges join: a token, or a symbol on the way to one that has no id."""

    bytes: bytes
    id: int | None
    key: Hashable
    """What the encoder itself calls it."""


class MadeOf(NamedTuple):
    """The symbols that a symbol was merged from.

    Two, and ``rank`` is the number of the merge, from 1. More, and ``rank`` is ``None``, where the
    vocabulary has a token whole that merges do not lead to: these are what they do lead to.
    ``count`` is how often the two met in the training, where that is known.
    """

    parts: tuple[Symbol, ...]
    rank: int | None
    count: int | None = None  # type: ignore[assignment]  # hides tuple.count


class ReadableMerge(NamedTuple):
    """A merge as a reader sees it, and the id of the token that it makes; pruned ones have none."""

    left: str
    right: str
    new: str
    count: int  # type: ignore[assignment]  # hides tuple.count
    id: int | None


def require_memory_for(text: str) -> None:
    """Raise :class:`BPEError` where another library has no room for a long text in one piece."""
    if len(text) > STEP:
        require_memory(_BYTES_A_CHARACTER * len(text))


class Encoder(ABC):
    """Text to token ids and back.

    ``b"".join(map(token_bytes, encode(text)))`` is the UTF-8 of ``text``, unless ``normalises``
    names the change made to the text first (``"NFC"``, ``"leading space"``, several joined by
    ``+``), or ``lossy`` says that text can be lost (an ``<unk>`` token).

    Special tokens in a text are treated as in tiktoken: they become their ids where allowed, raise
    :class:`BPEError` where disallowed (allowing wins; by default all are disallowed), and are
    ordinary text where neither.
    """

    # What a kind supplies.

    name: str
    """The name that a user knows the tokenizer by."""
    special_tokens: Mapping[str, int]
    """Special token to id; those that are known for sure."""
    normalises: str | None
    """The changes made to text before encoding, joined by ``+``, or ``None``."""
    lossy: bool
    """Whether some text cannot be recovered from its ids."""
    kind: str
    """What it does: ``"byte-level BPE"``, ``"SentencePiece"``, ``"WordPiece"``, …"""
    provenance: Literal["trained", "catalogue", "file"] = "file"
    """Where it comes from: trained here, a production encoding of the catalogue, or a file."""
    formats: tuple[str, ...] = ("huggingface",)
    """The formats of :mod:`bpe.files` for tokenizers of this kind."""
    recipe: "Recipe | None" = None
    """What it was trained by; ``None`` unless it was trained here."""
    corpus_digest: str = ""
    """What it was trained on."""
    learned: Sequence[Any] = ()
    """The merges of the training that made it, in order and with their counts."""
    scores: Sequence[tuple[str, float]] = ()
    """The pieces of a Unigram tokenizer with their logarithms of probabilities."""
    added_tokens: Mapping[str, int] = MappingProxyType({})
    """Tokens that are found in ordinary text before anything else, without being special."""
    pattern: str | None = None
    """The name of the split pattern; ``None`` where it has none, or none that is known here."""
    extendable: bool = False
    """Whether a training can extend it."""
    new_ids: tuple[int, ...] = ()
    """The ids that a training has added to those of another tokenizer."""

    @property
    @abstractmethod
    def token_table(self) -> Sequence[bytes | None]:
        """The bytes of each id, special tokens as their UTF-8; ``None`` in a gap."""

    @abstractmethod
    def _encode_ordinary(self, text: str) -> list[int]:
        """Return the ids of ``text``, which is scalar; nothing in it is a special token."""

    @property
    def _cutter(self) -> Cutter | None:
        """Finds where a long text may be cut; ``None`` where that is not known."""
        return None

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        """Return what a symbol was merged from; ``None`` if it was there from the start.

        Raises :class:`BPEError` where the encoder does not merge (WordPiece, Unigram).
        """
        raise BPEError("{name} has no merges: it was not made by BPE.", name=self.name)

    def readable_merge(self, merge: Any) -> ReadableMerge:
        """Return one of ``learned``, or a step of the training that made it, as text."""
        raise BPEError("{name} has no merges: it was not made by BPE.", name=self.name)

    def with_special_tokens(self, *tokens: str) -> "Encoder":
        """Return this tokenizer with more special tokens, behind all ids that there are.

        A token that is no text, or special already, raises :class:`BPEError`.
        """
        raise BPEError("{name} can have no more special tokens.", name=self.name)

    def with_pattern(self, pattern: str) -> "Encoder":
        """Return the same vocabulary behind another split pattern, as a careless server runs it.

        Raises :class:`BPEError` where the encoder is no byte-level BPE.
        """
        raise BPEError(
            "{name} does not merge bytes, so it has no split pattern to change.", name=self.name
        )

    # What follows: the vocabulary.

    @property
    def vocabulary_size(self) -> int:
        """How many ids there are, special tokens included."""
        return len(self.token_table)

    @property
    def n_vocab(self) -> int:
        """How many ids there are, as tiktoken calls it."""
        return self.vocabulary_size

    @property
    def max_token_value(self) -> int:
        return self.vocabulary_size - 1

    @property
    def eot_token(self) -> int:
        """The id of ``<|endoftext|>``; :class:`BPEError` where there is no such token."""
        return self.encode_single_token("<|endoftext|>")

    @property
    def special_tokens_set(self) -> set[str]:
        return set(self.special_tokens)

    def is_special_token(self, token_id: int, /) -> bool:
        return token_id in self.special_tokens.values()

    def token_byte_values(self) -> list[bytes]:
        """Return the bytes of all tokens that are not special, sorted."""
        specials = set(self.special_tokens.values())
        return sorted(
            data
            for token_id, data in enumerate(self.token_table)
            if data is not None and token_id not in specials
        )

    @cached_property
    def longest_token(self) -> int:
        """How many bytes the longest token has."""
        return max(len(data) for data in self.token_table if data)

    def __len__(self) -> int:
        return self.vocabulary_size

    def token_bytes(self, token_id: int, /) -> bytes:
        """Return the bytes that an id stands for; an unknown id raises :class:`BPEError`."""
        table = self.token_table
        data = table[token_id] if 0 <= token_id < len(table) else None
        if data is None:
            raise self._unknown_id(token_id)
        return data

    def decode_single_token_bytes(self, token_id: int, /) -> bytes:
        """Return what :meth:`token_bytes` returns, by tiktoken's name for it."""
        return self.token_bytes(token_id)

    def decode_tokens_bytes(self, ids: Iterable[int], /) -> list[bytes]:
        return [self.token_bytes(token_id) for token_id in ids]

    def id_to_token(self, token_id: int, /) -> bytes | None:
        """Return the bytes that an id stands for, or ``None`` where there is no such id."""
        table = self.token_table
        return table[token_id] if 0 <= token_id < len(table) else None

    def token_to_id(self, token: str | bytes, /) -> int | None:
        """Return the id of the token with these bytes (of text its UTF-8); ``None`` for none."""
        data = token if isinstance(token, bytes) else utf8(token)
        return self._ids_by_bytes.get(data)

    def encode_single_token(self, token: str | bytes, /) -> int:
        """Return the id of the token with these bytes; :class:`BPEError` where there is none."""
        token_id = self.token_to_id(token)
        if token_id is None:
            shown = token if isinstance(token, str) else token.decode("utf-8", "backslashreplace")
            raise BPEError(
                "“{token}” is not a single token of {name}.", token=shown, name=self.name
            )
        return token_id

    def get_vocab(self) -> dict[bytes, int]:
        """Return the bytes of every token to its id, special tokens included."""
        return dict(self._ids_by_bytes)

    @cached_property
    def _ids_by_bytes(self) -> Mapping[bytes, int]:
        """Of tokens with the same bytes a special one comes first, then the lowest id."""
        ids: dict[bytes, int] = {}
        for token_id, data in enumerate(self.token_table):
            if data is not None:
                ids.setdefault(data, token_id)
        specials = {utf8(token): at for token, at in self.special_tokens.items()}
        return ids | specials

    def symbol(self, token_id: int, /) -> Symbol:
        """Return a token as a symbol; an unknown id raises :class:`BPEError`."""
        return Symbol(self.token_bytes(token_id), token_id, token_id)

    @property
    def adds_leading_space(self) -> bool:
        """Whether a space is put in front of every text, and taken away again by decoding."""
        return LEADING_SPACE in (self.normalises or "").split("+")

    @property
    def space_sign(self) -> str:
        """What the tokenizer itself writes where its tokens have a space; empty for a space."""
        return METASPACE if f"{METASPACE} as space" in (self.normalises or "").split("+") else ""

    # How a piece of text is merged, where that is known.

    def pre_tokens(self, text: str) -> list[str]:
        """Return the pieces of a text that are merged each by itself, from its bytes.

        Raises :class:`BPEError` where the encoder is no byte-level BPE.
        """
        raise BPEError(
            "{name} does not merge bytes, so there are no steps to show.", name=self.name
        )

    def pair_rank(self, left: bytes, right: bytes, /) -> int | None:
        """Return the rank of two neighbours, the lowest of which is merged; ``None`` if never."""
        raise BPEError(
            "{name} does not merge bytes, so there are no steps to show.", name=self.name
        )

    # What follows: text to ids.

    def encode(
        self,
        text: str,
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> list[int]:
        """Return the ids of ``text``; what stands between special tokens is a text by itself."""
        ids: list[int] = []
        for part, special in special_parts(
            scalar_text(text), self.special_tokens, allowed_special, disallowed_special
        ):
            if special is not None:
                ids.append(special)
            elif ids:
                ids.extend(self._encode_ordinary(part))
            else:
                ids = self._encode_ordinary(part)
        return ids

    def encode_ordinary(self, text: str) -> list[int]:
        """Return the ids of ``text``, special tokens in it taken as ordinary text."""
        text = scalar_text(text)
        return self._encode_ordinary(text) if text else []

    def encode_to_numpy(
        self,
        text: str,
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> "Ids":
        """Return what :meth:`encode` returns, as an array of int32."""
        import numpy as np

        parts = [
            self._encode_ordinary_to_numpy(part) if special is None else np.array([special])
            for part, special in special_parts(
                scalar_text(text), self.special_tokens, allowed_special, disallowed_special
            )
        ]
        if len(parts) == 1:
            return parts[0].astype(np.int32, copy=False)
        return np.concatenate(parts, dtype=np.int32) if parts else np.zeros(0, np.int32)

    def encode_batch(
        self,
        texts: Iterable[str],
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> list[list[int]]:
        """Return the ids of each text, worked out on all cores where the engine allows it."""
        options: Any = {
            "allowed_special": allowed_special,
            "disallowed_special": disallowed_special,
        }
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(_THREADS) as pool:
            texts = checked_texts(texts)
            return list(pool.map(lambda text: self.encode(text, **options), texts))

    def encode_iterable(
        self,
        texts: Iterable[str],
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
        step: int = STEP,
    ) -> Iterator[int]:
        """Yield the ids of the joined ``texts`` without holding them all in memory.

        The texts may be cut anywhere (lines, blocks of a file). Memory is bounded by ``step``
        characters, or by the longest stretch in which there is no place to cut
        (:mod:`bpe.text.cuts`): the whole stream, where the encoder can be cut nowhere.
        """
        for ids in self.encode_iterable_to_numpy(
            texts,
            allowed_special=allowed_special,
            disallowed_special=disallowed_special,
            step=step,
        ):
            yield from ids.tolist()

    def encode_iterable_to_numpy(
        self,
        texts: Iterable[str],
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
        step: int = STEP,
    ) -> "Iterator[Ids]":
        """Yield the ids of the joined ``texts``, as :meth:`encode_iterable`, an array at a time."""
        options: Any = {
            "allowed_special": allowed_special,
            "disallowed_special": disallowed_special,
        }
        tokens = {*self.added_tokens, *self.special_tokens}
        for piece, extra in pieces(texts, lambda text, after: self._cut(text, after, tokens), step):
            yield self.encode_to_numpy(piece, **options)[extra:]

    def encode_with_offsets(
        self,
        text: str,
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the ids and, for each, the span of characters of ``text`` that it stands for.

        A token that holds a part of a character has the span of the whole character. Where a
        tokenizer changes its text in a way that hides which characters a token is made of,
        :class:`BPEError`.
        """
        ids: list[int] = []
        spans: list[tuple[int, int]] = []
        start = 0
        for part, special in special_parts(
            scalar_text(text), self.special_tokens, allowed_special, disallowed_special
        ):
            if special is None:
                part_ids, part_spans = self._encode_ordinary_with_spans(part)
                ids += part_ids
                spans += [(start + first, start + end) for first, end in part_spans]
            else:
                ids.append(special)
                spans.append((start, start + len(part)))
            start += len(part)
        return ids, spans

    def _encode_ordinary_with_spans(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids = self._encode_ordinary(text)
        pieces = [self.token_bytes(token_id) for token_id in ids]
        added = " " if self.adds_leading_space and text else ""
        shown = text.replace(self.space_sign, " ") if self.space_sign else text
        if b"".join(pieces) != (added + shown).encode():
            raise self._no_spans()
        spans = character_spans(pieces)
        if added:  # what stands for nothing else stands for the first character
            spans = [(max(first - 1, 0), max(end - 1, 1)) for first, end in spans]
        return ids, spans

    def _no_spans(self) -> BPEError:
        return BPEError(
            "{name} changes text before it is cut, so that it cannot be said which characters its "
            "tokens stand for. Encode without offsets, or choose another tokenizer.",
            name=self.name,
        )

    # What follows: counting.

    def count(self, text: str, *, limit: int | None = None) -> int:
        """Return the number of tokens of ``text``, special tokens in it taken as ordinary text.

        Of a long text counting ends where there are more than ``limit``; what it returns is then
        more than that, but not all.
        """
        text = scalar_text(text)
        limit = None if limit is None else checked_limit(limit)
        if limit is None or len(text) <= STEP:
            return self._count_ordinary(text) if text else 0
        tokens = 0
        for _done, tokens in self.count_in_steps(text):
            if tokens > limit:
                break
        return tokens

    def fits(self, text: str, tokens: int) -> bool:
        """Whether ``text`` has no more than so many tokens."""
        return self.count(text, limit=tokens) <= checked_limit(tokens)

    def truncate(self, text: str, tokens: int) -> str:
        """Return a beginning of ``text`` with so many tokens at the most, cut between characters.

        One character more has more tokens. A word more may have fewer again, as “International”
        has fewer than “Interna”: such a longer beginning is not looked for. A character is what a
        reader takes for one: an emoji is not cut in its parts.
        """
        from bpe.encoders.chunks import truncate  # only here: regex takes long

        return truncate(scalar_text(text), self.count, tokens)

    def chunks(self, text: str, tokens: int, *, overlap: int = 0) -> "tuple[Chunk, ...]":
        """Return the pieces of ``text``, each of so many tokens at the most when encoded by itself.

        They end at sentences where these fit, else at clauses, words or characters. With
        ``overlap`` each begins with the end of the one before, so many tokens or fewer.
        """
        from bpe.encoders.chunks import chunks  # only here: regex takes long

        return chunks(scalar_text(text), self.count, tokens, overlap)

    def count_iterable(self, texts: Iterable[str]) -> int:
        """Return the number of tokens of the joined ``texts``, which are not held in memory.

        They may be cut anywhere, as for :meth:`encode_iterable`; special tokens in them are taken
        as ordinary text.
        """
        parts = pieces(
            texts,
            lambda text, after: self._cut(text, after, self.added_tokens),
            self._counted_at_once,
        )
        return sum(self._count_ordinary(part) - extra for part, extra in parts if part)

    @property
    def counts_in_steps(self) -> bool:
        """Whether :meth:`count_in_steps` can stop on the way through a text."""
        return self._cutter is not None

    def count_in_steps(self, text: str, *, step: int = STEP) -> Iterator[tuple[int, int]]:
        """Yield how many characters are done and how many tokens they have; at last :meth:`count`.

        Between two steps other threads run and the caller can stop. A text without a place to cut
        is done in one step.
        """
        text = scalar_text(text)
        tokens = done = extra = 0
        while done < len(text):
            cut = self._cut(text, done + step, self.added_tokens)
            end = cut.end if cut else len(text)
            tokens += len(self._encode_ordinary(text[done:end])) - extra
            yield end, tokens
            done, extra = (cut.next, cut.extra) if cut else (len(text), 0)

    def next_cut(self, text: str, after: int) -> Cut | None:
        """Return the first place at or behind ``after`` to cut a text without special tokens at.

        What stands within :attr:`reach` of the place decides that, and nothing farther away.
        """
        return self._cut(text, after, self.added_tokens)

    @cached_property
    def reach(self) -> int:
        """How many characters on each side decide whether a text may be cut at a place."""
        return 2 + (max(map(len, self.added_tokens), default=0) if self._cutter else 0)

    def _cut(self, text: str, after: int, tokens: Collection[str]) -> Cut | None:
        """Return the first cut of ``text`` at or behind a place, outside of ``tokens``."""
        if self._cutter is None or after >= len(text):
            return None
        return cut_around(self._cutter, text, after, tokens)

    # What follows: ids to text.

    def decode_bytes(self, ids: Iterable[int], /) -> bytes:
        joined = self._joined_bytes(ids)
        return joined if isinstance(joined, bytes) else bytes(joined)

    def decode(self, ids: Iterable[int], /) -> str:
        """Return the text of ids; bytes that are not UTF-8 become U+FFFD."""
        data = self._joined_bytes(ids)
        if self.adds_leading_space and data[:1] == b" ":
            data = data[1:]
        return str(data, "utf-8", "replace")

    def _joined_bytes(self, ids: Iterable[int]) -> bytes | memoryview:
        """Return the joined bytes of ids, in memory of their own."""
        if not isinstance(ids, list | tuple):
            tolist = getattr(ids, "tolist", None)  # an array's, which makes plain integers
            ids = tolist() if tolist else list(ids)
        if len(ids) >= _FEW and (decoder := self._decoder.after(len(ids))) is not None:
            joined_by_kernel = decoder.joined(ids)
            if joined_by_kernel is not None:
                return joined_by_kernel
        table: Any = self.token_table
        if isinstance(table, PackedTokens):
            table = table.known
        joined = []
        for at in range(0, len(ids), _DECODED_AT_ONCE):
            part = ids[at : at + _DECODED_AT_ONCE]
            try:
                if min(part) < 0 or type(sum(part)) is not int:  # 1.0 is a key as good as 1
                    raise IndexError
                joined.append(b"".join(itemgetter(*part, part[0])(table)[:-1]))
            except (LookupError, TypeError) as error:
                for token_id in part:
                    if not hasattr(token_id, "__index__"):
                        raise TypeError(
                            "Give ids as whole numbers, not as "
                            f"{type(token_id).__name__}: {token_id!r:.80}"
                        ) from error
                # Whole numbers of another kind, such as NumPy's: one by one, which is slower.
                joined.append(b"".join(map(self.token_bytes, map(index, part))))
        return joined[0] if len(joined) == 1 else b"".join(joined)

    def decode_batch(self, batch: Iterable[Iterable[int]], /) -> list[str]:
        return [self.decode(ids) for ids in batch]

    def decode_iterable(self, blocks: Iterable[Sequence[int]], /) -> Iterator[bytes]:
        """Yield the bytes of a stream of ids, block by block: joined, those that decoding gives.

        Where the tokens of a tokenizer are not simply joined, all ids are gathered first.
        """
        if type(self).decode is not Encoder.decode:
            ids = [token_id for block in blocks for token_id in block]
            yield self.decode(ids).encode()
            return
        first = self.adds_leading_space
        for block in blocks:
            data = self.decode_bytes(block)
            if first and data:
                data, first = data.removeprefix(b" "), False
            yield data

    def decode_stream(self, ids: Iterable[int], /) -> Iterator[str]:
        """Yield the text of ids as they arrive, one by one from a model: whole characters only.

        Joined it is the text that :meth:`decode` gives.
        """
        decoder = getincrementaldecoder("utf-8")("replace")
        for data in self.decode_iterable([token_id] for token_id in ids):
            if text := decoder.decode(data):
                yield text
        if text := decoder.decode(b"", final=True):
            yield text

    def decode_with_offsets(self, ids: Iterable[int], /) -> tuple[str, list[tuple[int, int]]]:
        """Return the joined text, and for each token the span of characters its bytes touch."""
        pieces = [self.token_bytes(token_id) for token_id in ids]
        return b"".join(pieces).decode("utf-8", "replace"), character_spans(pieces)

    def show(self, text: str) -> "Shown":
        """Return the tokens of ``text`` to look at: in a notebook, a terminal, or as a web page."""
        from bpe.encoders.shown import Shown  # only here: it is seldom wanted

        ids = self.encode(text, disallowed_special=())
        return Shown(self.name, tuple((at, self.token_bytes(at)) for at in ids))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {self.vocabulary_size:,} tokens>"

    # What a kind may know a faster way for.

    _counted_at_once = STEP

    def _count_ordinary(self, text: str) -> int:
        return len(self._encode_ordinary(text))

    def _encode_ordinary_to_numpy(self, text: str) -> "Ids":
        import numpy as np

        return np.array(self._encode_ordinary(text), np.int32)

    @cached_property
    def _decoder(self) -> "_DecoderOnDemand":
        return _DecoderOnDemand(self.token_table)

    @cached_property
    def _has_gaps(self) -> bool:
        return None in self.token_table

    def _unknown_id(self, token_id: int) -> BPEError:
        if self._has_gaps:
            return unknown_id_in(token_id, self.name)
        return unknown_id(token_id, len(self.token_table))


class _DecoderOnDemand:
    """The compiled decoder of a table of tokens, made once enough ids were decoded."""

    def __init__(self, tokens: Sequence[bytes | None]) -> None:
        self._tokens = tokens
        self._decoded = 0
        self._made: CompiledDecoder | None = None

    def after(self, more: int) -> "CompiledDecoder | None":
        self._decoded += more
        if self._made is None and self._decoded >= _MANY and compiled.ready("encode"):
            # only here: of no use without kernels
            from bpe.compiled.encode.decoder import CompiledDecoder

            tokens = self._tokens
            packed = tokens if isinstance(tokens, PackedTokens) else PackedTokens.of(tokens)
            self._made = CompiledDecoder(packed.pool, packed.starts, packed.gaps)
        return self._made

"""The interface of every tokenizer: trained here, shipped, or uploaded.

A kind of encoder supplies the ids of ordinary text, the bytes of its tokens, where its text may be
cut, and how a token was made. Everything else (special tokens, streams, batches, arrays, counting,
decoding, offsets) follows from these and is written here once. No caller asks which kind it is.
"""

from abc import ABC, abstractmethod
from codecs import getincrementaldecoder
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import index, itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Unpack, overload

from bpe import compiled
from bpe.encoders.backend import STEP, Backend, EncodedBatch, Function, Session, joined
from bpe.encoders.cached_tables import PackedTokens
from bpe.errors import BPEError, whole_number
from bpe.limits import num_threads as threads_for
from bpe.limits import require_memory
from bpe.text.cuts import Cut, Cutter, cut_around, pieces
from bpe.text.special_tokens import SpecialRules, are_usual, find_special, special_parts
from bpe.text.unicode import character_spans, scalar_text, text_only, utf8

if TYPE_CHECKING:
    from bpe.algorithm.recipe import Recipe
    from bpe.compiled.encode.text_encoder import CompiledDecoder
    from bpe.encoders.backend import Ids, Numbers
    from bpe.encoders.chunks import Chunk
    from bpe.text.readable import Shown


class PickledAlike:
    """Equal to another of its class and name that is made of the same parts."""

    def __eq__(self, other: object) -> bool:
        return self is other or (
            type(self) is type(other)
            and hash(self) == hash(other)
            and self.__reduce__() == other.__reduce__()
        )

    def __hash__(self) -> int:
        return hash((type(self), getattr(self, "name", "")))


LEADING_SPACE = "leading space"
"""The name, in ``normalises``, of a space that is put in front of every text."""
METASPACE = "▁"
"""The character that SentencePiece writes for a space."""

_BYTES_A_CHARACTER = 130  # for a text in one piece, by other libraries; measured: 67 to 130
_DECODED_AT_ONCE = 1 << 16
_PAIRS_AT_ONCE = 4096  # their numbers stay in the processor's cache
_MANY = 100_000  # ids are worth the tables of the compiled decoder, which take 20 ms to make
_FEW = 500  # are not worth a call of it
_PLAIN = (None, "all", ())
"""Ways of refusing special tokens, of which a text without any needs none to be looked for."""
_LONG = 1 << 16  # letters of a text in which a kernel searches for special tokens


def adds_leading_space(encoder: "Encoder") -> bool:
    """Whether a space is put in front of every text, and taken away again by decoding."""
    return LEADING_SPACE in (encoder.normalises or "").split("+")


def space_sign(encoder: "Encoder") -> str:
    """Return what a tokenizer itself writes where its tokens have a space; empty for a space."""
    return encoder._space_sign


def checked_texts(texts: Iterable[str]) -> Iterable[str]:
    """Return ``texts``; a single string, which would be taken apart, raises ``TypeError``."""
    if isinstance(texts, str | bytes):
        raise TypeError("Give a list of texts, not one text.")
    return texts


def checked_limit(tokens: int) -> int:
    if (limit := whole_number(tokens)) is None:
        raise BPEError("A limit of tokens is a whole number, not {value!r}.", value=tokens)
    return limit


def _as_lists(ids: "Ids", spans: "Numbers") -> tuple[list[int], list[tuple[int, int]]]:
    """Return ids and spans, of which there is one at least, as lists."""
    pairs: list[tuple[int, int]] = []
    for first in range(0, len(spans), _PAIRS_AT_ONCE):
        part = spans[first : first + _PAIRS_AT_ONCE]
        starts = part[:, 0].tolist()
        # Most end where the next one begins: the numbers of both are the same objects.
        ends = [*starts[1:], part[-1, 1].item()]
        others = (part[:-1, 1] != part[1:, 0]).nonzero()[0]
        for place, end in zip(others.tolist(), part[others, 1].tolist(), strict=True):
            ends[place] = end
        pairs += zip(starts, ends, strict=True)
    return ids.tolist(), pairs


class Symbol(NamedTuple):
    """A part of a merge: a token, or a symbol on the way to one that has no id."""

    bytes: bytes
    id: int | None
    key: Hashable
    """The name that the encoder itself has for it."""


class MadeOf(NamedTuple):
    """The symbols that a symbol was merged from.

    Two, and ``rank`` is the number of the merge, from 1. More, and ``rank`` is ``None``, where the
    vocabulary has a token whole that merges do not lead to: these are what they do lead to.
    ``count`` is how often the two met in the training, where that is known.
    """

    parts: tuple[Symbol, ...]
    rank: int | None
    count: int | None = None  # type: ignore[assignment]  # hides tuple.count


@dataclass(frozen=True)
class TrainingRecord:
    """How a tokenizer was trained, and what came of it besides the ids.

    ``merges`` are in order and with their counts, ``scores`` the pieces of a Unigram tokenizer with
    their logarithms of probabilities, ``symbols`` those before the first merge of characters, and
    ``new_ids`` those that the training has added to another tokenizer, which ``start`` identifies.
    """

    recipe: "Recipe"
    corpus_digest: str = ""
    merges: Sequence[Any] = ()
    scores: Sequence[tuple[str, float]] = ()
    symbols: tuple[str, ...] = ()
    new_ids: tuple[int, ...] = ()
    start: str = ""


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
    """Its algorithm: ``"byte-level BPE"``, ``"SentencePiece"``, ``"WordPiece"``, …"""
    provenance: Literal["trained", "catalogue", "file"] = "file"
    """Where it comes from: trained here, a production encoding of the catalogue, or a file."""
    training: TrainingRecord | None = None
    """How it was trained; ``None`` unless it was trained here."""
    added_tokens: Mapping[str, int] = MappingProxyType({})
    """Tokens that are found in ordinary text before anything else, without being special."""
    pattern: str | None = None
    """The name of the split pattern; ``None`` where it has none, or none that is known here."""

    @property
    @abstractmethod
    def token_table(self) -> Sequence[bytes | None]:
        """The bytes of each id, special tokens as their UTF-8; ``None`` in a gap."""

    def _encode_ordinary(self, text: str) -> list[int]:
        """Return the ids of ``text``, which is scalar; nothing in it is a special token.

        A kind supplies this or :attr:`_backend`.
        """
        return self._backend.ids(text)

    @property
    def _backend(self) -> Backend:
        return Function(self._encode_ordinary)

    @property
    def _cutter(self) -> Cutter | None:
        """Finds where a long text may be cut; ``None`` where that is not known."""
        return None

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        """Return what a symbol was merged from; ``None`` if it was there from the start.

        Raises :class:`BPEError` where the encoder does not merge (WordPiece, Unigram).
        """
        raise BPEError("{name} has no merges: it was not made by BPE.", name=self.name)

    def with_special_tokens(self, *tokens: str) -> "Encoder":
        """Return a byte-level BPE with more special tokens, behind all ids that there are.

        A token that is no text, or special already, and another kind raise :class:`BPEError`.
        """
        raise BPEError("{name} can have no more special tokens.", name=self.name)

    # What follows: the vocabulary.

    @property
    def vocabulary_size(self) -> int:
        """How many ids there are, special tokens included."""
        return len(self.token_table)

    def __len__(self) -> int:
        return self.vocabulary_size

    def token_bytes(self, token_id: int, /) -> bytes:
        """Return the bytes that an id stands for; an unknown id raises :class:`BPEError`."""
        table = self.token_table
        data = table[token_id] if 0 <= token_id < len(table) else None
        if data is None:
            raise BPEError(
                "There is no token id {token_id} in {name}: the last is {last}.",
                token_id=token_id,
                name=self.name,
                last=len(table) - 1,
            )
        return data

    def token_to_id(self, token: str | bytes, /) -> int | None:
        """Return the id of the token with these bytes (of text its UTF-8); ``None`` for none."""
        data = token if isinstance(token, bytes) else utf8(token)
        return self._ids_by_bytes.get(data)

    @cached_property
    def _ids_by_bytes(self) -> Mapping[bytes, int]:
        """Of tokens with the same bytes a special one comes first, then the lowest id."""
        ids: dict[bytes, int] = {}
        for token_id, data in enumerate(self.token_table):
            if data is not None:
                ids.setdefault(data, token_id)
        specials = {utf8(token): i for token, i in self.special_tokens.items()}
        return ids | specials

    def symbol(self, token_id: int, /) -> Symbol:
        """Return a token as a symbol; an unknown id raises :class:`BPEError`."""
        return Symbol(self.token_bytes(token_id), token_id, token_id)

    @property
    def _space_sign(self) -> str:
        return METASPACE if f"{METASPACE} as space" in (self.normalises or "").split("+") else ""

    # How a piece of text is merged, where that is known.

    def pre_tokens(self, text: str) -> list[str]:
        """Return the pieces of a text that are merged each by itself, from its bytes.

        Raises :class:`BPEError` where the encoder is no byte-level BPE.
        """
        raise BPEError(
            "{name} does not merge bytes, so there are no steps to show.", name=self.name
        )

    # What follows: text to ids.

    def encode(self, text: str, **rules: Unpack[SpecialRules]) -> list[int]:
        """Return the ids of ``text``; what stands between special tokens is a text by itself."""
        # The usual call in few frames: of a short text, all others take longer than the encoding.
        if type(text) is str and text and (not rules or are_usual(**rules)):
            try:
                if not self._has_special(text):
                    return self._backend.ids(text)
            except UnicodeEncodeError:
                pass  # half of a surrogate pair
        ids: list[int] = []
        for part, special in special_parts(scalar_text(text), self.special_tokens, **rules):
            ids += self._backend.ids(part) if special is None else [special]
        return ids

    def encode_ordinary(self, text: str) -> list[int]:
        """Return the ids of ``text``, special tokens in it taken as ordinary text."""
        try:
            if type(text) is str and text:
                return self._backend.ids(text)
        except UnicodeEncodeError:
            pass
        text = scalar_text(text)
        return self._backend.ids(text) if text else []

    @overload
    def encode_to_numpy(
        self, text: str, *, num_threads: int | None = ..., **rules: Unpack[SpecialRules]
    ) -> "Ids": ...

    @overload
    def encode_to_numpy(
        self, text: str, *, offsets: Literal[True], **rules: Unpack[SpecialRules]
    ) -> "tuple[Ids, Numbers]": ...

    def encode_to_numpy(
        self,
        text: str,
        *,
        offsets: bool = False,
        num_threads: int | None = None,
        **rules: Unpack[SpecialRules],
    ) -> "Ids | tuple[Ids, Numbers]":
        """Return what :meth:`encode` returns, as an array of int32.

        With ``offsets`` two arrays: the ids, and the span of characters of each, a row of two for
        each id, as :meth:`encode_with_offsets` says it. A long text uses ``num_threads``, by
        default as many as :func:`bpe.set_num_threads` says.
        """
        is_long = type(text) is str and len(text) > STEP  # the number is looked up for these alone
        threads = threads_for(num_threads) if is_long or num_threads is not None else 1
        if offsets:
            if not self._moves_spans and (spanned := self._spans(text, rules)) is not None:
                return spanned
        elif type(text) is str and (not rules or are_usual(**rules)):
            tokens = self._alike_specials
            try:
                if threads > 1 and tokens:
                    batch = self._backend.arrays([text], threads, tokens=tokens)
                    if batch is not None:
                        return batch.ids
                elif text and not self._has_special(text):
                    return self._backend.array(text, threads=threads)
            except UnicodeEncodeError:
                pass
        import numpy as np

        if offsets:
            listed, spans = self.encode_with_offsets(text, **rules)
            return np.array(listed, np.int32), np.array(spans, np.int64).reshape(-1, 2)
        if self._finds_specials:
            return np.array(self.encode(text, **rules), np.int32)
        parts = special_parts(scalar_text(text), self.special_tokens, **rules)
        return joined(
            self._backend.array(part) if special is None else np.array([special], np.int32)
            for part, special in parts
        ).ids

    def encode_batch(self, texts: Iterable[str], **rules: Unpack[SpecialRules]) -> list[list[int]]:
        """Return the ids of each text, as lists, which are made by one thread.

        On all cores :meth:`encode_batch_to_numpy` and :meth:`count_batch` are faster by far.
        """
        listed = list(map(text_only, checked_texts(texts)))
        list(special_parts("", self.special_tokens, **rules))  # refuses wrong ones
        if rules.get("disallowed_special") in _PLAIN and not any(map(self._has_special, listed)):
            try:
                return self._backend.batch(listed, threads=threads_for())
            except UnicodeEncodeError:
                pass
        return Function(lambda text: self.encode(text, **rules)).batch(
            list(map(scalar_text, listed)), threads=threads_for()
        )

    def encode_batch_to_numpy(
        self,
        texts: Iterable[str],
        *,
        num_threads: int | None = None,
        **rules: Unpack[SpecialRules],
    ) -> EncodedBatch:
        """Return the ids of all texts one behind the other, and where those of each end.

        Special tokens are treated as by :meth:`encode`. ``num_threads`` take the texts in turn, by
        default as many as :func:`bpe.set_num_threads` says.
        """
        threads, backend = threads_for(num_threads), self._backend
        listed = list(map(text_only, checked_texts(texts)))
        list(special_parts("", self.special_tokens, **rules))  # refuses wrong ones
        try:
            if rules.get("disallowed_special") in _PLAIN:
                tokens = self._alike_specials
                if tokens or not any(map(self._has_special, listed)):
                    batch = backend.arrays(listed, threads, tokens=tokens)
                    if batch is not None:
                        return batch
        except UnicodeEncodeError:
            pass
        return joined(self.encode_to_numpy(text, **rules) for text in listed)

    def session(self, text: str = "") -> Session:
        """Return a text that is edited, whose ids are exact after each step, as ordinary text."""
        return Session(self._backend, self.next_cut, self.reach, text)

    def _has_special(self, text: str) -> bool:
        """Return whether a special token occurs; most texts have not even the sign it begins with.

        One sign is looked for ten times as fast as a pattern.
        """
        if len(text) > _LONG and self._alike_specials:
            return self._backend.holds(text, self._alike_specials)
        for sign in self._special_signs:
            if sign in text and find_special(text, self.special_tokens):
                return True
        return False

    @cached_property
    def _special_signs(self) -> frozenset[str]:
        return frozenset(token[0] for token in self.special_tokens)

    @cached_property
    def _alike_specials(self) -> tuple[bytes, ...]:
        """The special tokens if all begin with the same two bytes, else none."""
        tokens = tuple(token.encode() for token in self.special_tokens)
        are_alike = len({token[:2] for token in tokens}) == 1 < min(map(len, tokens))
        return tokens if are_alike else ()

    def encode_iterable(
        self, texts: Iterable[str], *, step: int = STEP, **rules: Unpack[SpecialRules]
    ) -> Iterator[int]:
        """Yield the ids of the joined ``texts`` without holding them all in memory.

        The texts may be cut anywhere (lines, blocks of a file). Memory is bounded by ``step``
        characters, or by the longest stretch in which there is no place to cut
        (:mod:`bpe.text.cuts`): the whole stream, where the encoder can be cut nowhere.
        """
        for ids in self.encode_iterable_to_numpy(texts, step=step, **rules):
            yield from ids.tolist()

    def encode_iterable_to_numpy(
        self, texts: Iterable[str], *, step: int = STEP, **rules: Unpack[SpecialRules]
    ) -> "Iterator[Ids]":
        """Yield the ids of the joined ``texts``, as :meth:`encode_iterable`, an array at a time."""
        tokens = {*self.added_tokens, *self.special_tokens}
        for piece, extra in pieces(texts, lambda text, after: self._cut(text, after, tokens), step):
            yield self.encode_to_numpy(piece, **rules)[extra:]

    def encode_with_offsets(
        self, text: str, **rules: Unpack[SpecialRules]
    ) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the ids and, for each, the span of characters of ``text`` that it stands for.

        A token that holds a part of a character has the span of the whole character. Where a
        tokenizer changes its text in a way that hides which characters a token is made of,
        :class:`BPEError`.
        """
        if (spanned := self._spans(text, rules)) is not None:
            return _as_lists(*spanned)
        ids: list[int] = []
        spans: list[tuple[int, int]] = []
        start = 0
        for part, special in special_parts(scalar_text(text), self.special_tokens, **rules):
            part_ids, part_spans = (
                self._encode_ordinary_with_spans(part)
                if special is None
                else ([special], [(0, len(part))])
            )
            ids += part_ids
            spans += [(start + first, start + end) for first, end in part_spans]
            start += len(part)
        return ids, spans

    _finds_specials = False
    """Whether the engine finds special tokens itself."""
    _moves_spans = False
    """Whether spans are changed after all, as the file of a tokenizer may say."""

    def _spans(self, text: str, rules: SpecialRules) -> "tuple[Ids, Numbers] | None":
        """Return ids and spans where nothing is special and the engine knows both."""
        try:
            if type(text) is str and text and are_usual(**rules) and not self._has_special(text):
                return self._backend.spans(text)
        except UnicodeEncodeError:
            pass
        return None

    def _encode_ordinary_with_spans(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        if text and (spanned := self._backend.spans(text)) is not None:
            return _as_lists(*spanned)
        return self._spans_of_bytes(text)

    def _spans_of_bytes(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids = self._backend.ids(text) if text else []
        pieces = [self.token_bytes(token_id) for token_id in ids]
        added = " " if adds_leading_space(self) and text else ""
        sign = self._space_sign
        shown = text.replace(sign, " ") if sign else text
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

    def count(self, text: str, *, limit: int | None = None, num_threads: int | None = None) -> int:
        """Return the number of tokens of ``text``, special tokens in it taken as ordinary text.

        Of a long text counting ends where there are more than ``limit``; what it returns is then
        more than that, but not all. Without a limit a long text uses ``num_threads``, by default as
        many as :func:`bpe.set_num_threads` says.
        """
        try:
            if limit is None and type(text) is str and text:
                if num_threads is None and len(text) <= STEP:
                    return self._backend.count(text)
                return self._backend.count(text, threads=threads_for(num_threads))
        except UnicodeEncodeError:
            pass
        text = scalar_text(text)
        limit = None if limit is None else checked_limit(limit)
        if limit is None or len(text) <= STEP:
            return self._backend.count(text) if text else 0
        tokens = done = extra = 0
        while done < len(text) and tokens <= limit:
            cut = self.next_cut(text, done + STEP)
            end = cut.end if cut else len(text)
            tokens += self._backend.count(text[done:end]) - extra
            done, extra = (cut.next, cut.extra) if cut else (len(text), 0)
        return tokens

    def count_batch(self, texts: Iterable[str], *, num_threads: int | None = None) -> "Numbers":
        """Return the number of tokens of each text, as :meth:`count` does, as int64."""
        threads = threads_for(num_threads)
        listed = list(map(text_only, checked_texts(texts)))
        try:
            return self._backend.counts(listed, threads)
        except UnicodeEncodeError:
            return self._backend.counts(list(map(scalar_text, listed)), threads)

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
        parts = pieces(texts, self.next_cut, self._backend.counted_at_once)
        return sum(self._backend.count(part) - extra for part, extra in parts if part)

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
        if adds_leading_space(self) and data[:1] == b" ":
            data = data[1:]
        return str(data, "utf-8", "replace")

    def _joined_bytes(self, ids: Iterable[int]) -> bytes | memoryview:
        """Return the joined bytes of ids, in memory of their own."""
        if not isinstance(ids, list | tuple):
            tolist = getattr(ids, "tolist", None)  # an array's, which makes plain integers
            ids = tolist() if tolist else list(ids)
        if len(ids) >= _FEW and (decoder := self._decoder_after(len(ids))) is not None:
            joined_by_kernel = decoder.joined(ids)
            if joined_by_kernel is not None:
                return joined_by_kernel
        table: Any = self.token_table
        if isinstance(table, PackedTokens):
            table = table.known
        joined = []
        for start in range(0, len(ids), _DECODED_AT_ONCE):
            part = ids[start : start + _DECODED_AT_ONCE]
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

    def decode_iterable(self, blocks: Iterable[Sequence[int]], /) -> Iterator[bytes]:
        """Yield the bytes of a stream of ids, block by block: joined, those that decoding gives.

        Where the tokens of a tokenizer are not simply joined, all ids are gathered first.
        """
        if type(self).decode is not Encoder.decode:
            ids = [token_id for block in blocks for token_id in block]
            yield self.decode(ids).encode()
            return
        first = adds_leading_space(self)
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

    def show(self, text: str) -> "Shown":
        """Return the tokens of ``text`` to look at, in a notebook or a terminal."""
        from bpe.text.readable import Shown  # only here: it is seldom wanted

        ids = self.encode(text, disallowed_special=())
        return Shown(self.name, tuple((i, self.token_bytes(i)) for i in ids))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {self.vocabulary_size:,} tokens>"

    def _decoder_after(self, more: int) -> "CompiledDecoder | None":
        """Return the compiled decoder of all tokens, made once enough ids were decoded."""
        kept = vars(self)
        kept["_decoded"] = kept.get("_decoded", 0) + more
        if "_decoder" not in kept and kept["_decoded"] >= _MANY and compiled.ready("encode"):
            # only here: of no use without kernels
            from bpe.compiled.encode.text_encoder import CompiledDecoder

            tokens = self.token_table
            packed = tokens if isinstance(tokens, PackedTokens) else PackedTokens.of(tokens)
            kept["_decoder"] = CompiledDecoder(packed.pool, packed.starts, packed.gaps)
        made: CompiledDecoder | None = kept.get("_decoder")
        return made

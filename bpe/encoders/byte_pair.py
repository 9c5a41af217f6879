"""The encoder of every byte-level BPE: trained here, shipped with a package, or in a file.

Its backend is an :class:`Engine`, which encodes pre-tokens by merges or ranks
(:mod:`bpe.encoders.merge_models`), behind added tokens and a normalisation. Short texts are encoded
in plain Python, also where Numba is missing; longer ones by the same loop compiled
(:mod:`bpe.compiled.encode`). The ids are the same.
"""

import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack

from bpe import compiled
from bpe.algorithm.merge import Merge
from bpe.encoders import cached_tables
from bpe.encoders.backend import STEP, Backend, EncodedBatch, Prepared
from bpe.encoders.base import Encoder, MadeOf, PickledAlike, Symbol, TrainingRecord
from bpe.encoders.merge_models import MergeList as MergeList
from bpe.encoders.merge_models import RankTable, Splitter
from bpe.encoders.normalisers import HuggingFaceNormaliser, Normaliser, Spans
from bpe.text.cuts import Cutter, between_pre_tokens
from bpe.text.pretokenize import split
from bpe.text.special_tokens import SpecialRules, checked_specials, split_specials
from bpe.text.unicode import character_spans, scalar_text, utf8

if TYPE_CHECKING:
    from bpe.compiled.encode.encoder import CompiledEncoder
    from bpe.compiled.encode.text_encoder import TextEncoder
    from bpe.encoders.backend import Ids, Numbers

CACHED_WORDS = 1 << 16
LONGEST_CACHED_WORD = 256

_SAMPLE = 1_000

WORTH_BUILDING = 20_000
"""Letters of plain work after which an encoder builds its compiled tables, 5 to 400 ms once."""

Model = MergeList | RankTable


class Engine(Backend):
    """Merges bytes by a model: in plain Python first, compiled once there is enough to encode.

    ``splitter`` is a name of :data:`bpe.text.pretokenize.PATTERNS`, or a function from a text to
    its pre-tokens. ``model`` may be a function that reads it, called when it is needed. With
    ``cached_as`` the compiled tables are loaded from disk, or stored there under that name with
    ``facts`` (:mod:`bpe.encoders.cached_tables`).
    """

    counted_at_once = 10 * STEP

    def __init__(
        self,
        model: Model | Callable[[], Model],
        splitter: str | Splitter,
        *,
        cached_as: str | None = None,
        facts: Callable[[], Mapping[str, Any]] = dict,
    ) -> None:
        self._given = model
        self.splitter = splitter
        self.cached_as = cached_as
        self._facts = facts
        self._work = 0
        self._lock = threading.Lock()
        self._fast: TextEncoder | None = None

    @cached_property
    def model(self) -> Model:
        return self._given() if callable(self._given) else self._given

    @property
    def pattern(self) -> str | None:
        return self.splitter if isinstance(self.splitter, str) else None

    @cached_property
    def split(self) -> Splitter:
        splitter = self.splitter
        return partial(split, pattern=splitter) if isinstance(splitter, str) else splitter

    def ids(self, text: str) -> list[int]:
        if self._is_exchanged(plain_work(text)):
            return self.ids(text)
        if len(text) <= STEP or self._cutter is None:
            return self._encode_slowly(text)
        # In parts, as the compiled encoder may be ready before the last of them.
        ids: list[int] = []
        start = 0
        while start < len(text):
            if start and self._is_exchanged(0):
                return ids + self.ids(text[start:])
            cut = self._cutter(text, start + STEP)
            end = cut.end if cut else len(text)
            ids.extend(self._encode_slowly(text[start:end]))
            start = end
        return ids

    def count(self, text: str, *, threads: int = 1) -> int:
        fast = self._is_exchanged(plain_work(text))
        return self.count(text, threads=threads) if fast else super().count(text)

    def array(self, text: str, *, threads: int = 1) -> "Ids":
        fast = self._is_exchanged(plain_work(text))
        return self.array(text, threads=threads) if fast else super().array(text)

    def batch(self, texts: Sequence[str], *, threads: int) -> list[list[int]]:
        fast = self._is_exchanged(sum(map(plain_work, texts)))
        return self.batch(texts, threads=threads) if fast else super().batch(texts, threads=threads)

    def counts(self, texts: Sequence[str], threads: int) -> "Numbers":
        fast = self._is_exchanged(sum(map(plain_work, texts)))
        return self.counts(texts, threads) if fast else super().counts(texts, threads)

    def arrays(
        self, texts: Sequence[str], threads: int, *, tokens: tuple[bytes, ...] = ()
    ) -> "EncodedBatch | None":
        if self._fast is None and not self._is_exchanged(sum(map(plain_work, texts))):
            return super().arrays(texts, threads, tokens=tokens)
        from bpe.compiled.encode.threads import IsSpecial  # only here: of no use without kernels

        assert self._fast is not None
        try:
            return EncodedBatch(*self._fast.encode_batch_to_numpy(texts, threads, tokens=tokens))
        except IsSpecial:
            return None

    def spans(self, text: str) -> "tuple[Ids, Numbers] | None":
        if self._fast is None and not self._is_exchanged(plain_work(text)):
            return super().spans(text)
        assert self._fast is not None
        ids = self._fast.encode_to_numpy(text)
        return ids, self._fast.spans(text, ids)

    def _encode_slowly(self, text: str) -> list[int]:
        return list(chain.from_iterable(map(self._encode_word, self.split(text))))

    def _encode_word(self, word: str) -> Iterable[int]:
        if len(word) > LONGEST_CACHED_WORD:
            return self.model.encode_word(word.encode())
        return self._cached_word(word)

    @cached_property
    def _cached_word(self) -> Callable[[str], tuple[int, ...]]:
        encode_word = self.model.encode_word
        return lru_cache(CACHED_WORDS)(lambda word: tuple(encode_word(word.encode())))

    @cached_property
    def _cutter(self) -> Cutter | None:
        return None if self.pattern is None else between_pre_tokens(self.pattern, None)

    # The exchange.

    def _is_exchanged(self, work: int) -> bool:
        """Return whether the compiled encoder is there by now, for so much plain work.

        Work that takes plain Python longer than loading the kernels waits for that.
        """
        if "ids" in vars(self):
            return True
        self._work += work
        has_tables = self._has_tables
        ready = compiled.ready_for(work, so_far=self._work, has_tables=has_tables)
        if ready and (has_tables or self._work >= WORTH_BUILDING):
            self.exchange()
        return "ids" in vars(self)

    def exchange(self) -> None:
        """Answer by the compiled encoder from now on; the kernels must be ready.

        Building its tables takes 5 to 400 ms, where they are not cached. Its methods take the place
        of those of this object, so that a short text is encoded in few frames.
        """
        with self._lock:
            if "ids" not in vars(self):
                fast = self._text_encoder()
                if compiled.is_linked():
                    vars(self)["holds"] = fast.holds
                vars(self).update(
                    count=fast.count,
                    array=fast.encode_to_numpy,
                    batch=fast.encode_batch,
                    counts=fast.count_batch,
                    _fast=fast,
                    ids=fast.encode,
                )

    @cached_property
    def compiled(self) -> "CompiledEncoder":
        if self._cached_tables is None:
            return self.model.compiled(self.splitter)
        from bpe.compiled.encode.encoder import CompiledEncoder  # only here: NumPy takes long

        compiled.warm(background=False, part="encode")
        return CompiledEncoder.from_tables(self._cached_tables, self.splitter)

    @cached_property
    def _has_tables(self) -> bool:
        return self.cached_as is not None and cached_tables.facts(self.cached_as) is not None

    def _text_encoder(self) -> "TextEncoder":
        if self._cached_tables is not None:
            return cached_tables.encoder_of(self._cached_tables, self.splitter)
        if self.cached_as is not None:
            cached_tables.store(self.cached_as, self._facts(), self.compiled)
        return self.compiled

    @cached_property
    def _cached_tables(self) -> "list[memoryview] | None":
        if self.cached_as is None or not compiled.is_linked():
            return None
        return cached_tables.tables(self.cached_as)


class BytePairEncoder(PickledAlike, Encoder):
    """A byte-level BPE tokenizer; see :class:`bpe.encoders.base.Encoder` for what it can do.

    ``normaliser`` is done to a text first, and ``normalises`` says what that is. ``size`` is the
    number of ids where the vendor counts more than there are tokens. ``trims`` are the steps of its
    file that take blanks off the spans of tokens: whether each leaves a first token of one blank.
    """

    lossy = False
    kind = "byte-level BPE"

    engine: Engine
    normaliser: Normaliser | HuggingFaceNormaliser | None = None
    size = 0
    trims: tuple[bool, ...] = ()
    _tokens_cached_as: str | None = None

    def __init__(
        self,
        name: str,
        model: "Model | Callable[[], Model] | Engine",
        splitter: str | Splitter = "none",
        *,
        special_tokens: Mapping[str, int] = MappingProxyType({}),
        added: Mapping[str, int] = MappingProxyType({}),
        normalise: Normaliser | HuggingFaceNormaliser | None = None,
        normalises: str | None = None,
        size: int = 0,
        trims: Sequence[bool] = (),
        training: TrainingRecord | None = None,
        cached_as: str | None = None,
    ) -> None:
        self.name = name
        self.training = training
        if training is not None:
            self.provenance = "trained"
        self.trims = tuple(trims)
        self.normalises = normalises
        self.special_tokens = MappingProxyType(dict(special_tokens))
        self.added_tokens = MappingProxyType(dict(added))
        self.normaliser = normalise
        self.size = size
        self._tokens_cached_as = cached_as
        self.engine = (
            model
            if isinstance(model, Engine)
            else Engine(model, splitter, cached_as=cached_as, facts=self._facts)
        )

    def cached_as(self, name: str) -> "BytePairEncoder":
        """Return the same encoder, whose tables and tokens are cached on disk under a name."""
        return self._changed(engine=self.engine._given, cached_as=name)

    def _changed(self, **changes: Any) -> "BytePairEncoder":
        options = {**self._options, **changes}
        engine = options.pop("engine", self.engine)
        return BytePairEncoder(self.name, engine, self.engine.splitter, **options)

    @property
    def _options(self) -> dict[str, Any]:
        """All that it is made of, besides its engine."""
        return {
            "special_tokens": dict(self.special_tokens),
            "added": dict(self.added_tokens),
            "normalise": self.normaliser,
            "normalises": self.normalises,
            "size": self.size,
            "trims": self.trims,
            "training": self.training,
        }

    def with_special_tokens(self, *tokens: str) -> "BytePairEncoder":
        checked_specials(tokens, (*self.special_tokens, *self.added_tokens))
        first = self.vocabulary_size
        new = {token: first + i for i, token in enumerate(tokens)}
        return self._changed(special_tokens={**self.special_tokens, **new}, size=first + len(new))

    @property
    def pattern(self) -> str | None:  # type: ignore[override]
        return self.engine.pattern

    @property
    def model(self) -> Model:
        return self.engine.model

    @cached_property
    def identity(self) -> str:
        """A name for its ids: one of the catalogue, or 16 hexadecimal digits."""
        if self.provenance == "catalogue":
            return self.name
        model = self.model
        of_model: Any = ()
        if isinstance(model, MergeList):
            of_model = [merge[:3] for merge in model.merges], sorted(model.whole)
        specials = (sorted(self.special_tokens.items()), sorted(self.added_tokens.items()))
        facts = (self.pattern, self.normalises, specials, of_model, sorted(model.tokens.items()))
        return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]

    @cached_property
    def merges(self) -> tuple[Merge, ...]:
        """The merges in order; of a vocabulary of ranks recovered, their counts unknown and 0."""
        return self.model.merges

    @cached_property
    def ranks(self) -> Mapping[bytes, int]:
        """The bytes of every token that is neither special nor added, to its id.

        Without those of :attr:`RankTable.others`.
        """
        return MappingProxyType(self.model.by_bytes)

    @cached_property
    def token_table(self) -> Sequence[bytes | None]:
        return cached_tables.tokens_or(self._tokens_cached_as, self._spelled)

    def _spelled(self) -> Sequence[bytes | None]:
        tokens: dict[int, bytes] = dict(self.model.tokens)
        for more in (self.added_tokens, self.special_tokens):
            tokens.update((i, utf8(token)) for token, i in more.items())
        table: list[bytes | None] = [None] * max(self.size, max(tokens) + 1)
        for token_id, data in tokens.items():
            table[token_id] = data
        return table

    def encode_word(self, word: bytes) -> list[int]:
        """Return the ids of one pre-token, given as bytes; not normalised."""
        return self.model.encode_word(word)

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        return self.model.made_of(symbol) if symbol.id in self.model.tokens else None

    def pre_tokens(self, text: str) -> list[str]:
        text = scalar_text(text)
        return list(self.engine.split(self.normaliser(text) if self.normaliser else text))

    def pair_rank(self, left: bytes, right: bytes, /) -> int | None:
        """Return the rank of two neighbours, the lowest of which is merged; ``None`` if never."""
        return self.model.pair_rank(left, right)

    # Text to ids.

    @cached_property
    def _backend(self) -> Backend:
        if not self.added_tokens and self.normaliser is None:
            return self.engine
        places = self.normaliser.places if self.normaliser else None
        return Prepared(self.engine, self.added_tokens, self.normaliser, places)

    @property
    def _moves_spans(self) -> bool:  # type: ignore[override]
        return bool(self.trims)

    def encode_with_offsets(
        self, text: str, **rules: Unpack[SpecialRules]
    ) -> tuple[list[int], Spans]:
        """Return the ids and the span of each, without blanks where the file says so."""
        ids, spans = super().encode_with_offsets(text, **rules)
        for spares_first in self.trims:
            for i, (first, end) in enumerate(spans):
                data = self.token_bytes(ids[i])
                before = len(data) - len(data.lstrip(b" "))
                behind = len(data) - len(data.rstrip(b" "))
                if (i, before, spares_first) == (0, 1, True):
                    before = 0
                first = min(first + before, end)
                spans[i] = first, max(end - behind, first) if end >= behind else end
        return ids, spans

    def _spans_of_bytes(self, text: str) -> tuple[list[int], Spans]:
        if self.normaliser is None:
            return super()._spans_of_bytes(text)
        ids: list[int] = []
        spans: Spans = []
        start = 0
        for part, is_added in split_specials(text, self.added_tokens):
            made_of = [(0, len(part))] if is_added else self.normaliser.spans(part)
            new = self._encode_ordinary(part)
            pieces = [self.token_bytes(token_id) for token_id in new]
            within = [(0, 1)] if is_added else character_spans(pieces)
            if not is_added and len(made_of) != len(b"".join(pieces).decode("utf-8", "replace")):
                raise self._no_spans()
            ids += new
            spans += [(start + made_of[a][0], start + made_of[b - 1][1]) for a, b in within]
            start += len(part)
        return ids, spans

    @property
    def _cutter(self) -> Cutter | None:
        return None if self.pattern is None else between_pre_tokens(self.pattern, self.normalises)

    def _facts(self) -> dict[str, Any]:
        """Return what is cached beside the tables: all options that decide on ids."""
        values = getattr(self.normaliser, "values", None)
        named = {"name": self.name, "splitter": self.engine.splitter, "normalise": values}
        return {**{k: v for k, v in self._options.items() if k != "training"}, **named}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what it is made of: what is derived, caches and tables, is made anew."""
        return _unpickled, (self.name, self.model, self.engine.splitter, self._options)


def _unpickled(
    name: str, model: Model, splitter: str | Splitter, options: dict[str, Any]
) -> BytePairEncoder:
    return BytePairEncoder(name, model, splitter, **options)


def plain_work(text: str) -> int:
    """Return how long plain Python encodes a text, in letters of English; 汉字 take six times that.

    >>> plain_work("low lower"), plain_work("看路灯")
    (9, 18)
    """
    sample = text[:_SAMPLE]
    if not sample or sample.isascii():
        return len(text)
    bytes_each = len(sample.encode("utf-8", "replace")) / len(sample)
    return round(len(text) * (1 + 2.5 * (bytes_each - 1)))

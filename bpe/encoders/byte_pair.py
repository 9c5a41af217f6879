"""The encoder of every byte-level BPE: trained here, shipped with a package, or in a file.

It has an :class:`Engine`, which encodes pre-tokens by merges or ranks
(:mod:`bpe.encoders.merge_models`); special and added tokens; and a normalisation. Short texts are
encoded in plain Python, also where Numba is missing; longer ones by the same loop compiled
(:mod:`bpe.compiled.encode`). The ids are the same.
"""

import contextlib
import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import chain
from os.path import commonprefix
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from bpe import compiled
from bpe.algorithm.merge import Merge
from bpe.encoders import cached_tables
from bpe.encoders.base import STEP, Encoder, MadeOf, ReadableMerge, Symbol, checked_texts
from bpe.encoders.derivation import PackedOrigins
from bpe.encoders.equality import PickledAlike
from bpe.encoders.merge_models import MergeList as MergeList
from bpe.encoders.merge_models import RankTable, Splitter
from bpe.encoders.normalisers import HuggingFaceNormaliser, Normaliser, Spans
from bpe.encoders.packed_tokens import PackedRanks, PackedTokens
from bpe.text.cuts import Cutter, between_pre_tokens
from bpe.text.pretokenize import compiled_pattern, split
from bpe.text.readable import readable
from bpe.text.special_tokens import (
    Specials,
    checked_specials,
    find_special,
    split_specials,
)
from bpe.text.unicode import character_spans, scalar_text, text_only, utf8

if TYPE_CHECKING:
    from bpe.compiled.encode.encoder import CompiledEncoder
    from bpe.compiled.encode.text_encoder import TextEncoder
    from bpe.encoders.base import Ids

CACHED_WORDS = 1 << 16
LONGEST_CACHED_WORD = 256

_SAMPLE = 1_000
_LONG = 1 << 16  # letters of a text in which special tokens are searched for by a kernel

WORTH_BUILDING = 20_000
"""Letters of plain work after which an encoder builds its compiled tables, 5 to 400 ms once."""

Model = MergeList | RankTable


class Engine:
    """Text to ids by a model and a splitter; nothing in the text is special.

    ``splitter`` is a name of :data:`bpe.text.pretokenize.PATTERNS`, or a function from a text to
    its pre-tokens. ``model`` may be a function that reads it, called when it is needed. With
    ``cached_as`` the compiled tables are loaded from disk, or stored there under that name with
    ``facts`` (:mod:`bpe.encoders.cached_tables`).
    """

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

    @cached_property
    def model(self) -> Model:
        return self._given() if callable(self._given) else self._given

    @property
    def pattern(self) -> str | None:
        return self.splitter if isinstance(self.splitter, str) else None

    @cached_property
    def split(self) -> Splitter:
        splitter = self.splitter
        if not isinstance(splitter, str):
            return splitter
        return partial(split, pattern=splitter)

    def encode(self, text: str) -> list[int]:
        if fast := self.on_demand.after(text):
            return fast.encode(text)
        if len(text) <= STEP or self._cutter is None:
            return self._encode_slowly(text)
        # In parts, as the compiled encoder may be ready before the last of them.
        ids: list[int] = []
        start = 0
        while start < len(text):
            if start and (fast := self.on_demand.after()):
                return ids + fast.encode(text[start:])
            cut = self._cutter(text, start + STEP)
            end = cut.end if cut else len(text)
            ids.extend(self._encode_slowly(text[start:end]))
            start = end
        return ids

    def _encode_slowly(self, text: str) -> list[int]:
        return list(chain.from_iterable(map(self._encode_word, self.split(text))))

    def _encode_word(self, word: str) -> Iterable[int]:
        if len(word) > LONGEST_CACHED_WORD:
            return self.model.encode_word(word.encode())
        ids: tuple[int, ...] = self._cached_word(word)
        return ids

    @cached_property
    def _cached_word(self) -> Any:
        @lru_cache(maxsize=CACHED_WORDS)
        def encode_word(word: str) -> tuple[int, ...]:
            return tuple(self.model.encode_word(word.encode()))

        return encode_word

    @cached_property
    def _cutter(self) -> Cutter | None:
        return None if self.pattern is None else between_pre_tokens(self.pattern, None)

    @cached_property
    def compiled(self) -> "CompiledEncoder":
        """The compiled encoder and what its tables say, made where need be."""
        if self._cached_tables is None:
            return self.model.compiled(self.splitter)
        from bpe.compiled.encode.encoder import CompiledEncoder  # only here: NumPy takes long

        compiled.warm(background=False, part="encode")
        return CompiledEncoder.from_tables(self._cached_tables, self.splitter)

    @cached_property
    def on_demand(self) -> "CompiledOnDemand":
        has_tables = self.cached_as is not None and cached_tables.facts(self.cached_as) is not None
        return CompiledOnDemand(self._compile, has_tables)

    def _compile(self) -> "TextEncoder":
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

    It has an ``engine``. ``normaliser`` is done to a text first, and ``normalises`` says what that
    is. ``special_tokens`` are never merged; ``added_tokens`` neither, and they are found in
    ordinary text. ``size`` is the number of ids where the vendor counts more than there are tokens.
    ``trims`` are the steps of its file that take blanks off the spans of tokens: whether each
    leaves a first token of one blank alone.
    """

    lossy = False
    kind = "byte-level BPE"
    formats: tuple[str, ...] = ("huggingface", "gpt2", "tiktoken")

    engine: Engine
    normaliser: Normaliser | HuggingFaceNormaliser | None = None
    """What is done to a text before it is split, if anything is."""
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
        cached_as: str | None = None,
    ) -> None:
        self.name = name
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
        """What it is made of besides its engine."""
        return {
            "special_tokens": dict(self.special_tokens),
            "added": dict(self.added_tokens),
            "normalise": self.normaliser,
            "normalises": self.normalises,
            "size": self.size,
            "trims": self.trims,
        }

    def readable_merge(self, merge: Any) -> ReadableMerge:
        left, right, new = (readable(self.token_bytes(part)) for part in merge[:3])
        return ReadableMerge(left, right, new, merge.count, merge.new_id)

    def with_special_tokens(self, *tokens: str) -> "BytePairEncoder":
        checked_specials(tokens, (*self.special_tokens, *self.added_tokens))
        first = self.vocabulary_size
        new = {token: first + at for at, token in enumerate(tokens)}
        return self._changed(special_tokens={**self.special_tokens, **new}, size=first + len(new))

    def with_pattern(self, pattern: str) -> "BytePairEncoder":
        compiled_pattern(pattern)  # refuses what is none
        return self._changed(engine=Engine(self.model, pattern))

    @property
    def pattern(self) -> str | None:  # type: ignore[override]
        """The name of the split pattern; ``None`` for a splitter of another library."""
        return self.engine.pattern

    @property
    def model(self) -> Model:
        return self.engine.model

    @cached_property
    def identity(self) -> str:
        """What decides on ids: a name of the catalogue, or 16 hexadecimal digits."""
        if self.provenance == "catalogue":
            return self.name
        model = self.model
        of_model: Any = ()
        if isinstance(model, MergeList):
            of_model = [merge[:3] for merge in model.merges], sorted(model.whole)
        specials = (sorted(self.special_tokens.items()), sorted(self.added_tokens.items()))
        facts = (self.pattern, self.normalises, specials, of_model, sorted(model.tokens.items()))
        return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]

    @property
    def extendable(self) -> bool:  # type: ignore[override]
        """Whether a training can go on from here: the split pattern is known."""
        return self.pattern is not None

    @cached_property
    def merges(self) -> tuple[Merge, ...]:
        """The merges in order; of a vocabulary of ranks recovered, their counts unknown and 0."""
        return self.model.merges

    @cached_property
    def ranks(self) -> Mapping[bytes, int]:
        """The bytes of every token that is neither special nor added, to its id.

        Without those of :attr:`RankTable.others`.
        """
        ranks: dict[bytes, int] = {}
        if isinstance(self.model, RankTable):
            return MappingProxyType(self.model.by_bytes)
        for token_id, data in self.model.tokens.items():
            ranks.setdefault(data, token_id)
        return MappingProxyType(ranks)

    @cached_property
    def token_table(self) -> Sequence[bytes | None]:
        return cached_tables.tokens_or(self._tokens_cached_as, self._spelled)

    def _spelled(self) -> Sequence[bytes | None]:
        tokens: dict[int, bytes] = dict(self.model.tokens)
        for more in (self.added_tokens, self.special_tokens):
            tokens.update((at, utf8(token)) for token, at in more.items())
        table: list[bytes | None] = [None] * max(self.size, max(tokens) + 1)
        for token_id, data in tokens.items():
            table[token_id] = data
        return table

    def encode_word(self, word: bytes) -> list[int]:
        """Return the ids of one pre-token, given as bytes; not normalised."""
        return self.model.encode_word(word)

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        if (packed := self._packed_origins) is not None:
            return packed.made_of(symbol)
        return self.model.made_of(symbol) if symbol.id in self.model.tokens else None

    @cached_property
    def _packed_origins(self) -> PackedOrigins | None:
        """How tokens were made, where that needs no reading of the whole vocabulary."""
        tokens = self.token_table
        if not isinstance(tokens, PackedTokens) or not tokens.order:
            return None
        if not isinstance(self.model, RankTable):
            return None
        without = (*self.added_tokens.values(), *self.special_tokens.values(), *self.model.others)
        return PackedOrigins(PackedRanks(tokens, without))

    def pre_tokens(self, text: str) -> list[str]:
        """Return the pieces of a text that are merged each by itself, from its bytes."""
        return list(self.engine.split(self._normalised(scalar_text(text))))

    def pair_rank(self, left: bytes, right: bytes, /) -> int | None:
        return self.model.pair_rank(left, right)

    @property
    def compiled_encoder(self) -> "CompiledEncoder":
        """The compiled encoder and what its tables say, made where need be."""
        return self.engine.compiled

    # Text to ids.

    def encode(
        self,
        text: str,
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> list[int]:
        # The usual call in few frames: of a short text, all others take longer than the encoding.
        if allowed_special == () and disallowed_special == "all" and (fast := self._fast(text)):
            try:
                if not self._has_special(text):
                    return fast.encode(text)
            except UnicodeEncodeError:
                pass  # half a surrogate pair
        return super().encode(
            text, allowed_special=allowed_special, disallowed_special=disallowed_special
        )

    def encode_to_numpy(
        self,
        text: str,
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> "Ids":
        usual = allowed_special == () and disallowed_special == "all"
        if usual and (fast := self._fast(text)) and not self._has_special(text):
            with contextlib.suppress(UnicodeEncodeError):
                return fast.encode_to_numpy(text)
        return super().encode_to_numpy(
            text, allowed_special=allowed_special, disallowed_special=disallowed_special
        )

    def encode_ordinary(self, text: str) -> list[int]:
        if fast := self._fast(text):
            try:
                return fast.encode(text)
            except UnicodeEncodeError:
                pass
        return super().encode_ordinary(text)

    def count(self, text: str, *, limit: int | None = None) -> int:
        if limit is None and (fast := self._fast(text)):
            try:
                return fast.count(text)
            except UnicodeEncodeError:
                pass
        return super().count(text, limit=limit)

    def _fast(self, text: str) -> "TextEncoder | None":
        """Return the compiled encoder, if it is there and takes the text as it is."""
        return self.engine.on_demand.encoder if self._is_plain and type(text) is str else None

    @cached_property
    def _is_plain(self) -> bool:
        return not self.added_tokens and self.normaliser is None

    def _has_special(self, text: str) -> bool:
        """Return whether a special token occurs; most texts have not even the sign it begins with.

        One sign is looked for ten times as fast as a pattern.
        """
        searched = len(text) > _LONG and self._specials_begin and compiled.is_linked()
        if searched and (fast := self._fast(text)):
            with contextlib.suppress(UnicodeEncodeError):
                if not fast.holds(text, self._specials_begin):
                    return False
        for sign in self._special_signs:
            if sign in text and find_special(text, self.special_tokens):
                return True
        return False

    @cached_property
    def _special_signs(self) -> frozenset[str]:
        """The characters that special tokens begin with."""
        return frozenset(token[0] for token in self.special_tokens)

    @cached_property
    def _specials_begin(self) -> bytes:
        """The two bytes that all special tokens begin with; none if they differ."""
        same = commonprefix(list(self.special_tokens)).encode()  # noqa: RUF071  # no folders
        return same[:2] if len(same) > 1 else b""

    def _normalised(self, text: str) -> str:
        return self.normaliser(text) if self.normaliser else text

    def _encode_ordinary(self, text: str) -> list[int]:
        if not self.added_tokens:
            return self.engine.encode(self._normalised(text))
        ids: list[int] = []
        for part, is_added in split_specials(text, self.added_tokens):
            ids.extend(
                [self.added_tokens[part]]
                if is_added
                else self.engine.encode(self._normalised(part))
            )
        return ids

    def encode_with_offsets(self, text: str, **options: Any) -> tuple[list[int], Spans]:
        """Return the ids and the span of each, without blanks where the file says so."""
        ids, spans = super().encode_with_offsets(text, **options)
        for spares_first in self.trims:
            for at, (first, end) in enumerate(spans):
                data = self.token_bytes(ids[at])
                before = len(data) - len(data.lstrip(b" "))
                behind = len(data) - len(data.rstrip(b" "))
                if (at, before, spares_first) == (0, 1, True):
                    before = 0
                first = min(first + before, end)
                spans[at] = first, max(end - behind, first) if end >= behind else end
        return ids, spans

    def _encode_ordinary_with_spans(self, text: str) -> tuple[list[int], Spans]:
        if self.normaliser is None:
            return super()._encode_ordinary_with_spans(text)
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

    def _encode_ordinary_to_numpy(self, text: str) -> "Ids":
        if not self.added_tokens and (fast := self.engine.on_demand.after(text)):
            return fast.encode_to_numpy(self._normalised(text))
        return super()._encode_ordinary_to_numpy(text)

    def encode_batch(
        self,
        texts: Iterable[str],
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> list[list[int]]:
        texts = list(map(text_only, checked_texts(texts)))
        plain = not self.added_tokens and not any(map(self._has_special, texts))
        if plain and (fast := self.engine.on_demand.after(*texts)):
            with contextlib.suppress(UnicodeEncodeError):
                if self.normaliser:
                    return fast.encode_batch(map(self.normaliser, map(scalar_text, texts)))
                return fast.encode_batch(texts)
        return super().encode_batch(
            texts, allowed_special=allowed_special, disallowed_special=disallowed_special
        )

    _counted_at_once = 10 * STEP

    def _count_ordinary(self, text: str) -> int:
        if not self.added_tokens and (fast := self.engine.on_demand.after(text)):
            return fast.count(self._normalised(text))
        return len(self._encode_ordinary(text))

    @property
    def _cutter(self) -> Cutter | None:
        return None if self.pattern is None else between_pre_tokens(self.pattern, self.normalises)

    def _facts(self) -> dict[str, Any]:
        """Return what is cached beside the tables: all that decides on ids."""
        return {
            "name": self.name,
            "splitter": self.engine.splitter,
            "special_tokens": dict(self.special_tokens),
            "added": dict(self.added_tokens),
            "normalises": self.normalises,
            "normaliser": getattr(self.normaliser, "values", None),
            "size": self.size,
            "trims": self.trims,
        }

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


class CompiledOnDemand:
    """The compiled encoder, built once there was enough to encode; at once if tables are cached."""

    def __init__(self, build: Callable[[], "TextEncoder"], has_tables: bool) -> None:
        self._build = build
        self._has_tables = has_tables
        self.encoder: TextEncoder | None = None
        self._work = 0
        self._lock = threading.Lock()

    def after(self, *texts: str) -> "TextEncoder | None":
        """Return the compiled encoder for these texts, if it is there by now.

        Texts that take plain Python longer than loading the kernels wait for that.
        """
        if self.encoder is None:
            work = sum(map(plain_work, texts))
            self._work += work
            ready = compiled.ready_for(work, so_far=self._work, has_tables=self._has_tables)
            if ready and (self._has_tables or self._work >= WORTH_BUILDING):
                return self.now()
        return self.encoder

    def now(self) -> "TextEncoder":
        with self._lock:
            self.encoder = self.encoder or self._build()
        return self.encoder

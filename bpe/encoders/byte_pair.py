"""The one engine of every byte-level BPE: trained here, shipped with a package, or in a file.

Behind it stand merges (:class:`MergeList`) or ranks (:class:`RankTable`). Short texts are encoded
in plain Python, also where Numba is missing; longer ones by the same loop compiled
(:mod:`bpe.compiled.encode`). The ids are the same.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from bpe import compiled
from bpe.algorithm.merge import BYTES, Merge
from bpe.algorithm.merging import Ranks, merge_by_heap
from bpe.encoders import kept
from bpe.encoders.base import STEP, Encoder, MadeOf, Symbol, checked_texts
from bpe.encoders.origins import ListedOrigins, PackedOrigins, RankedOrigins, bytes_of
from bpe.encoders.packed_tokens import PackedRanks, PackedTokens
from bpe.text.cuts import Cutter, between_pre_tokens
from bpe.text.special_tokens import Specials, find_special_in, split_specials
from bpe.text.unicode import scalar_text

if TYPE_CHECKING:
    from bpe.compiled.encode.encoder import CompiledEncoder
    from bpe.compiled.encode.text_encoder import TextEncoder
    from bpe.encoders.base import Ids

CACHED_WORDS = 1 << 16
LONGEST_CACHED_WORD = 256

_SAMPLE = 1_000

WORTH_BUILDING = 20_000
"""Letters of plain work after which an encoder builds its compiled tables, 5 to 400 ms once."""

_LONGEST_RECOVERED = 1 << 11  # finding a merge takes time that grows with the square of it

Splitter = Callable[[str], Iterable[str]]


class MergeList:
    """Merges in order: of all neighbours, those of the first merge are joined first.

    ``byte_ids`` are the ids of the 256 bytes. ``whole`` are tokens that a pre-token becomes
    without looking at merges (``ignore_merges`` of a ``tokenizer.json``); ``others`` are tokens
    that only decoding meets, as no merge makes them.
    """

    def __init__(
        self,
        merges: Sequence[Merge],
        *,
        byte_ids: Sequence[int] = range(BYTES),
        whole: Mapping[bytes, int] = MappingProxyType({}),
        others: Mapping[int, bytes] = MappingProxyType({}),
    ) -> None:
        self.merges = tuple(merges)
        self.byte_ids = tuple(byte_ids)
        self.whole = whole
        self.others = others

    @cached_property
    def tokens(self) -> Mapping[int, bytes]:
        """The bytes of each id."""
        spelled = dict(self.others)
        spelled.update((token, bytes([byte])) for byte, token in enumerate(self.byte_ids))
        for left, right, new, *_ in self.merges:
            spelled.setdefault(new, spelled[left] + spelled[right])
        spelled.update((token_id, data) for data, token_id in self.whole.items())
        return spelled

    @cached_property
    def ranks(self) -> Ranks:
        """Pair of ids to its rank (the number of the merge from 0) and the id that it becomes."""
        ranks: dict[tuple[int, int], tuple[int, int]] = {}
        for rank, (left, right, new, *_) in enumerate(self.merges):
            ranks.setdefault((left, right), (rank, new))
        return ranks

    def encode_word(self, word: bytes) -> list[int]:
        """Return the ids of a pre-token."""
        if word in self.whole:
            return [self.whole[word]]
        return merge_by_heap([self.byte_ids[byte] for byte in word], self.ranks)

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        """Return what a token was merged from; ``None`` of a byte."""
        return self._origins.made_of(symbol)

    def pair_rank(self, left: bytes, right: bytes) -> int | None:
        """Return the rank of two tokens by their bytes; ``None`` where they are not merged."""
        known = self.ranks.get((self._ids.get(left, -1), self._ids.get(right, -1)))
        return known[0] if known else None

    @cached_property
    def _ids(self) -> Mapping[bytes, int]:
        ids: dict[bytes, int] = {}
        for token_id, data in self.tokens.items():
            ids.setdefault(data, token_id)
        return ids

    @cached_property
    def _origins(self) -> ListedOrigins:
        return ListedOrigins(self.merges, self.tokens.__getitem__)

    def __reduce__(self) -> tuple[Any, ...]:
        return _merge_list, (self.merges, self.byte_ids, dict(self.whole), dict(self.others))

    def compiled(self, splitter: str | Splitter) -> "CompiledEncoder":
        """Return the compiled encoder of these merges."""
        from bpe.compiled.encode.encoder import CompiledEncoder

        return CompiledEncoder.from_merges(
            self.merges, splitter, byte_ids=self.byte_ids, whole=self.whole
        )


def _merge_list(
    merges: Sequence[Merge],
    byte_ids: Sequence[int],
    whole: Mapping[bytes, int],
    others: Mapping[int, bytes],
) -> MergeList:
    return MergeList(merges, byte_ids=byte_ids, whole=whole, others=others)


class RankTable:
    """Tokens and their ids: of all neighbours that join to a token, the lowest id comes first.

    A pre-token that is a token is its id, whether merges lead to it or not (tiktoken). The ranks
    may be a function that reads them, called when they are needed.
    """

    def __init__(self, ranks: Mapping[bytes, int] | Callable[[], Mapping[bytes, int]]) -> None:
        self._ranks = ranks

    @cached_property
    def by_bytes(self) -> Mapping[bytes, int]:
        """The bytes of each token to its id."""
        return self._ranks() if callable(self._ranks) else self._ranks

    @cached_property
    def tokens(self) -> Mapping[int, bytes]:
        """The bytes of each id."""
        return {token_id: data for data, token_id in self.by_bytes.items()}

    @cached_property
    def _joined(self) -> "_JoinedRanks":
        return _JoinedRanks(self.by_bytes, self.tokens)

    def encode_word(self, word: bytes) -> list[int]:
        """Return the ids of a pre-token."""
        if (whole := self.by_bytes.get(word)) is not None:
            return [whole]
        return self._merged(word)

    def _merged(self, word: bytes) -> list[int]:
        ids = self.by_bytes
        return merge_by_heap([ids[word[at : at + 1]] for at in range(len(word))], self._joined)

    @cached_property
    def merges(self) -> tuple[Merge, ...]:
        """The merges, recovered from the ranks; counts are not known and 0."""
        return tuple(recover_merges(self.by_bytes))

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        """Return what a token was merged from; ``None`` of a byte."""
        return self._origins.made_of(symbol)

    def pair_rank(self, left: bytes, right: bytes) -> int | None:
        """Return the rank of the token that two join to; ``None`` where there is none."""
        return self.by_bytes.get(left + right)

    @cached_property
    def _origins(self) -> RankedOrigins:
        return RankedOrigins(self.by_bytes, bytes_of)

    def __reduce__(self) -> tuple[Any, ...]:
        return RankTable, (dict(self.by_bytes),)

    def compiled(self, splitter: str | Splitter) -> "CompiledEncoder":
        """Return the compiled encoder of these ranks."""
        from bpe.compiled.encode.encoder import CompiledEncoder

        return CompiledEncoder.from_ranks(self.by_bytes, splitter)


class _JoinedRanks(Mapping[tuple[int, int], tuple[int, int]]):
    """Pair of ids to the rank and id of the token that they join to."""

    def __init__(self, ranks: Mapping[bytes, int], tokens: Mapping[int, bytes]) -> None:
        self._ranks = ranks
        self._tokens = tokens

    def __getitem__(self, pair: tuple[int, int]) -> tuple[int, int]:
        joined = self._ranks[self._tokens[pair[0]] + self._tokens[pair[1]]]
        return joined, joined

    def get(self, pair: tuple[int, int], default: Any = None) -> Any:
        joined = self._ranks.get(self._tokens[pair[0]] + self._tokens[pair[1]])
        return default if joined is None else (joined, joined)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        raise NotImplementedError("pairs are looked up, never listed")

    def __len__(self) -> int:
        raise NotImplementedError("pairs are looked up, never listed")


class BytePairEncoder(Encoder):
    """A byte-level BPE tokenizer; see :class:`bpe.encoders.base.Encoder` for what it can do.

    ``splitter`` is a name of :data:`bpe.text.pretokenize.PATTERNS`, or a function from a text
    to its pre-tokens. ``normalise`` is done to a text first, and ``normalises`` says what that is.
    ``special_tokens`` are never merged; ``added`` neither, and they are found in ordinary text.
    ``size`` is the number of ids where the vendor counts more than there are tokens. ``model`` may
    be a function that reads it, called when it is needed.
    """

    lossy = False
    kind = "byte-level BPE"

    _kept_as: str | None = None
    """The name by which facts and tables are kept on disk (:mod:`bpe.encoders.kept`), if any."""
    _splitter: str | Splitter
    _normalise: Callable[[str], str] | None
    _size: int

    def __init__(
        self,
        name: str,
        model: "MergeList | RankTable | Callable[[], MergeList | RankTable]",
        splitter: str | Splitter,
        *,
        special_tokens: Mapping[str, int] = MappingProxyType({}),
        added: Mapping[str, int] = MappingProxyType({}),
        normalise: Callable[[str], str] | None = None,
        normalises: str | None = None,
        size: int = 0,
        kept_as: str | None = None,
    ) -> None:
        # Kinds that are frozen dataclasses set no attribute otherwise.
        self.__dict__.update(
            name=name,
            normalises=normalises,
            special_tokens=MappingProxyType(dict(special_tokens)),
            _added=MappingProxyType(dict(added)),
            _normalise=normalise,
            **{"_make_model" if callable(model) else "_model": model},
            _splitter=splitter,
            _size=size,
            _kept_as=kept_as,
        )

    @cached_property
    def _model(self) -> MergeList | RankTable:
        made: MergeList | RankTable = self.__dict__["_make_model"]()
        return made

    @property
    def pattern(self) -> str | None:
        """The name of the split pattern; ``None`` for a splitter of another library."""
        return self._splitter if isinstance(self._splitter, str) else None

    @property
    def model(self) -> MergeList | RankTable:
        """The merges or ranks behind the encoder."""
        return self._model

    @property
    def added_tokens(self) -> Mapping[str, int]:
        """Tokens that are found in ordinary text before anything else, without being special."""
        return self._added

    @property
    def normaliser(self) -> Callable[[str], str] | None:
        """What is done to a text before it is split, if anything is."""
        return self._normalise

    @cached_property
    def merges(self) -> tuple[Merge, ...]:
        """The merges in order; of a vocabulary of ranks recovered, their counts unknown and 0."""
        return self._model.merges

    @cached_property
    def ranks(self) -> Mapping[bytes, int]:
        """The bytes of every token that is neither special nor added, to its id."""
        ranks: dict[bytes, int] = {}
        for token_id, data in self._model.tokens.items():
            ranks.setdefault(data, token_id)
        return MappingProxyType(ranks)

    @cached_property
    def _token_table(self) -> Sequence[bytes | None]:
        return kept.tokens_or(self._kept_as, self._spelled)

    def _spelled(self) -> Sequence[bytes | None]:
        tokens: dict[int, bytes] = dict(self._model.tokens)
        for more in (self._added, self.special_tokens):
            tokens.update((at, scalar_text(token).encode()) for token, at in more.items())
        table: list[bytes | None] = [None] * max(self._size, max(tokens) + 1)
        for token_id, data in tokens.items():
            table[token_id] = data
        return table

    def encode_word(self, word: bytes) -> list[int]:
        """Return the ids of one pre-token, given as bytes; not normalised."""
        return self._model.encode_word(word)

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        """Return what a token was merged from; ``None`` of bytes, special and added tokens."""
        if (packed := self._packed_origins) is not None:
            return packed.made_of(symbol)
        return self._model.made_of(symbol) if symbol.id in self._model.tokens else None

    @cached_property
    def _packed_origins(self) -> PackedOrigins | None:
        """How tokens were made, where that needs no reading of the whole vocabulary."""
        tokens = self._token_table
        if not isinstance(tokens, PackedTokens) or not tokens.order:
            return None
        if not isinstance(self._model, RankTable):
            return None
        without = (*self._added.values(), *self.special_tokens.values())
        return PackedOrigins(PackedRanks(tokens, without))

    def pre_tokens(self, text: str) -> list[str]:
        """Return the pieces of a text that are merged each by itself, from its bytes."""
        return list(self._split(self._normalise(text) if self._normalise else text))

    def pair_rank(self, left: bytes, right: bytes, /) -> int | None:
        """Return the rank of two neighbours, the lowest of which is merged; ``None`` if never."""
        return self._model.pair_rank(left, right)

    # Text to ids.

    def _encode_ordinary(self, text: str) -> list[int]:
        if not self._added:
            return self._encode_part(text)
        ids: list[int] = []
        for part, is_added in split_specials(text, self._added):
            ids.extend([self._added[part]] if is_added else self._encode_part(part))
        return ids

    def _encode_part(self, text: str) -> list[int]:
        if self._normalise:
            text = self._normalise(text)
        if engine := self._compiled.after(text):
            return engine.encode(text)
        if len(text) <= STEP or self._cutter is None:
            return list(chain.from_iterable(map(self._encode_word, self._split(text))))
        # In parts, as the compiled encoder may be ready before the last of them.
        cut = self._cutter(text, STEP)
        end = cut.end if cut else len(text)
        ids = list(chain.from_iterable(map(self._encode_word, self._split(text[:end]))))
        while end < len(text):
            if engine := self._compiled.after():
                return ids + engine.encode(text[end:])
            cut = self._cutter(text, end + STEP)
            start, end = end, cut.end if cut else len(text)
            ids.extend(chain.from_iterable(map(self._encode_word, self._split(text[start:end]))))
        return ids

    def _encode_ordinary_to_numpy(self, text: str) -> "Ids":
        if not self._added and (engine := self._compiled.after(text)):
            return engine.encode_to_numpy(self._normalise(text) if self._normalise else text)
        return super()._encode_ordinary_to_numpy(text)

    def encode_batch(
        self,
        texts: Iterable[str],
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> list[list[int]]:
        """Return the ids of each text, worked out on all cores once the kernels are ready."""
        texts = [scalar_text(text) for text in checked_texts(texts)]
        plain = not self._added and not find_special_in(texts, self.special_tokens)
        if plain and (engine := self._compiled.after(*texts)):
            return engine.encode_batch(map(self._normalise, texts) if self._normalise else texts)
        return super().encode_batch(
            texts, allowed_special=allowed_special, disallowed_special=disallowed_special
        )

    _counted_at_once = 10 * STEP

    def _count_ordinary(self, text: str) -> int:
        if not self._added and (engine := self._compiled.after(text)):
            return engine.count(self._normalise(text) if self._normalise else text)
        return len(self._encode_ordinary(text))

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep what it was made of: what is derived, caches and tables, is made anew."""
        options: dict[str, Any] = {
            "special_tokens": dict(self.special_tokens),
            "added": dict(self._added),
            "normalise": self._normalise,
            "normalises": self.normalises,
            "size": self._size,
        }
        return _made_again, (self.name, self._model, self._splitter, options)

    # How.

    @property
    def _cutter(self) -> Cutter | None:
        return None if self.pattern is None else between_pre_tokens(self.pattern, self.normalises)

    @cached_property
    def _split(self) -> Splitter:
        splitter = self._splitter
        if not isinstance(splitter, str):
            return splitter

        from bpe.text.pretokenize import split

        return partial(split, pattern=splitter)

    @cached_property
    def compiled_encoder(self) -> "CompiledEncoder":
        """The compiled encoder and what its tables say, made where need be."""
        if self._kept_tables is None:
            return self._model.compiled(self._splitter)
        from bpe.compiled.encode.encoder import CompiledEncoder

        compiled.warm(background=False, part="encode")
        return CompiledEncoder.from_tables(self._kept_tables, self._splitter)

    @cached_property
    def _compiled(self) -> "_CompiledOnDemand":
        has_tables = self._kept_as is not None and kept.facts(self._kept_as) is not None
        return _CompiledOnDemand(self._compile, has_tables)

    def _compile(self) -> "TextEncoder":
        if self._kept_tables is not None:
            return kept.encoder_of(self._kept_tables, self._splitter)
        if self._kept_as is not None:
            kept.keep(self._kept_as, self._facts(), self.compiled_encoder)
        return self.compiled_encoder

    @cached_property
    def _kept_tables(self) -> "list[memoryview] | None":
        if self._kept_as is None or not compiled.is_native():
            return None
        return kept.tables(self._kept_as)

    def _facts(self) -> dict[str, Any]:
        """Return what is kept beside the tables: all that decides on ids."""
        return {
            "name": self.name,
            "splitter": self._splitter,
            "special_tokens": dict(self.special_tokens),
            "added": dict(self._added),
            "normalises": self.normalises,
            "normaliser": getattr(self._normalise, "values", None),
            "size": self._size,
        }

    def _encode_word(self, word: str) -> Iterable[int]:
        if len(word) > LONGEST_CACHED_WORD:
            return self._model.encode_word(word.encode())
        ids: tuple[int, ...] = self._cached_word(word)
        return ids

    @cached_property
    def _cached_word(self) -> Any:
        @lru_cache(maxsize=CACHED_WORDS)
        def encode_word(word: str) -> tuple[int, ...]:
            return tuple(self._model.encode_word(word.encode()))

        return encode_word


def _made_again(
    name: str, model: MergeList | RankTable, splitter: str | Splitter, options: dict[str, Any]
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


class _CompiledOnDemand:
    """The compiled encoder, built once there was enough to encode; at once if tables are kept."""

    def __init__(self, build: Callable[[], "TextEncoder"], has_tables: bool) -> None:
        self._build = build
        self._has_tables = has_tables
        self._encoder: TextEncoder | None = None
        self._work = 0
        self._lock = threading.Lock()

    def after(self, *texts: str) -> "TextEncoder | None":
        """Return the compiled encoder for these texts, if it is there by now.

        Texts that take plain Python longer than loading the kernels wait for that.
        """
        if self._encoder is None:
            work = sum(map(plain_work, texts))
            self._work += work
            ready = compiled.prepare(work, has_tables=self._has_tables) or compiled.worth(
                self._work
            )
            if ready and (self._has_tables or self._work >= WORTH_BUILDING):
                return self.now()
        return self._encoder

    def now(self) -> "TextEncoder":
        """Return the compiled encoder."""
        with self._lock:
            self._encoder = self._encoder or self._build()
        return self._encoder


def recover_merges(ranks: Mapping[bytes, int]) -> Iterator[Merge]:
    """Yield the merge that made each token, in the order of ids; counts are not known and 0.

    A token is encoded by the tokens of lower rank. If two are left, they are its parts; a token
    of which more are left was put in by hand, and no merge makes it.
    """
    origins = RankedOrigins(ranks, bytes_of)
    for data, token_id in sorted(ranks.items(), key=lambda item: item[1]):
        if 1 < len(data) <= _LONGEST_RECOVERED:
            made = origins.made_of(Symbol(data, token_id, data))
            if made and made.rank is not None:
                left, right = (ranks[part.bytes] for part in made.parts)
                yield Merge(left, right, token_id, 0)

"""Reading ``tokenizer.json``: any Hugging Face tokenizer behind the base class of our own.

A byte-level BPE becomes an encoder of our own engine. All others (WordPiece, Unigram, BPE of
characters) are run by Hugging Face ``tokenizers``, which defines them. What is added here is what
that does not tell: the bytes of each token, whether text comes back, and the merges.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import Any, Unpack

from bpe import sandbox
from bpe.algorithm.recipe import BYTES, Merge
from bpe.encoders import huggingface
from bpe.encoders.base import (
    LEADING_SPACE,
    METASPACE,
    Encoder,
    MadeOf,
    PickledAlike,
    Symbol,
    TrainingRecord,
    adds_leading_space,
    require_memory_for,
)
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.huggingface import GuardedEngine, LocalEngine
from bpe.encoders.merge_models import ListedOrigins, MergeList
from bpe.encoders.normalisers import HuggingFaceNormaliser
from bpe.reading import errors_as, parse_json, require_tokens
from bpe.text.readable import TO_BYTE, TO_CHARACTER, unspell
from bpe.text.special_tokens import SpecialRules, find_special, special_parts
from bpe.text.split_patterns import published_patterns
from bpe.text.unicode import scalar_text

LARGEST_ID = 2**22
"""There is a table with a place for each id; the largest vocabularies have some 260,000."""

_MOST_COMPARED = 20_000
"""Pairs of added tokens, of which one is special: 0.1 s."""


def from_json(values: Mapping[str, Any], *, name: str) -> Encoder:
    """Return the tokenizer that the values of a ``tokenizer.json`` describe.

    Values that Hugging Face ``tokenizers`` cannot use raise :class:`BPEError`. Merges in them that
    are pairs become texts, which take half of the memory, and a third in the engine.
    """
    with errors_as("“{name}” is not a tokenizer that can be read: “{reason}”", name=name):
        model = values.get("model") or {}
        if model.get("dropout"):
            raise ValueError("its “dropout” gives a text other ids each time: write null there")
        _join_merges(values.get("model"))
        harmless = huggingface.is_harmless(values)
        text = json.dumps(values)
        guarded = None
        if not harmless and not sandbox.is_confined():
            guarded = GuardedEngine(name, text)
            text = json.dumps(huggingface.without_what_runs(values))
        require_tokens(len(model.get("vocab") or ()), len(model.get("merges") or ()))
        engine = LocalEngine(name, text)
        del text
        file = TokenizerJsonEncoder(name, engine, values, guarded)
    return (_byte_level(file) if harmless else None) or file


def _join_merges(model: Any) -> None:
    """Write the pairs of a model as files before 2024 had them, where that says the same."""
    merges = model.get("merges") if isinstance(model, dict) else None
    if not isinstance(merges, list) or not all(map(_can_be_joined, merges)):
        return
    for i, pair in enumerate(merges):
        merges[i] = " ".join(pair)


def _can_be_joined(merge: object) -> bool:
    return (
        isinstance(merge, list | tuple)
        and len(merge) == 2
        and all(isinstance(part, str) and " " not in part for part in merge)
        and not merge[0].startswith("#version")  # which such a file begins with
    )


class TokenizerJsonEncoder(PickledAlike, Encoder):
    """A tokenizer run by Hugging Face ``tokenizers``; see :class:`bpe.encoders.base.Encoder`.

    ``normalises`` joins with ``+`` all that happens to text before it is cut; ``lossy`` says that
    some text becomes ``<unk>`` or vanishes (white space, in WordPiece). No beginning or end of text
    is ever added. Metaspace puts a space in front only where the text begins with none. A file that
    may take any time or memory is run in a process (:mod:`bpe.encoders.huggingface`).
    """

    def __init__(
        self,
        name: str,
        engine: LocalEngine,
        values: Mapping[str, Any],
        guarded: GuardedEngine | None = None,
        tokens: dict[int, str] | None = None,
        text: str | None = None,
        training: TrainingRecord | None = None,
    ) -> None:
        self.name = name
        self.training = training
        if training is not None:
            self.provenance = "trained"
        self._runs = guarded or engine
        """The engine that encodes and decodes."""
        self.kind = model_type(values)
        self.engine = engine.engine
        self._head, self._text = values, text
        self.tokens: dict[int, str] = tokens or {
            token_id: token for token, token_id in self.engine.get_vocab(True).items()
        }
        if (largest := max(self.tokens, default=0)) > LARGEST_ID:
            raise ValueError(f"it has a token with the id {largest:,}; the limit is {LARGEST_ID:,}")
        self.added: Mapping[int, Any] = self.engine.get_added_tokens_decoder()
        special = {token.content: i for i, token in self.added.items() if token.special}
        others = {token.content: i for i, token in self.added.items() if not token.special}
        self.special_tokens = MappingProxyType(special)
        self.added_tokens = MappingProxyType(others)
        self.spelling = Spelling(values, {t: a.content for t, a in self.added.items()})
        self.normalises = self.spelling.normalises

    @cached_property
    def values(self) -> Mapping[str, Any]:
        """The values of the file, parsed when asked for if the encoder came from elsewhere."""
        return self._head if self._text is None else parse_json(self._text.encode())

    @cached_property
    def lossy(self) -> bool:  # type: ignore[override]  # it takes a while, so when asked
        return self.spelling.loses_text or not self.spelling.has_all_bytes(self.tokens.values())

    @property
    def vocabulary_size(self) -> int:
        return len(self.tokens)

    @cached_property
    def token_table(self) -> Sequence[bytes | None]:
        table: list[bytes | None] = [None] * (max(self.tokens, default=-1) + 1)
        for token_id, token in self.tokens.items():
            table[token_id] = self.spelling.token_bytes(token_id, token)
        return table

    @cached_property
    def merges(self) -> tuple[Merge, ...]:
        """The merges of a BPE tokenizer, in order; counts are not known and 0. Else empty."""
        return tuple(_merges(self.values.get("model", {})))

    @property
    def scores(self) -> Sequence[tuple[str, float]]:
        """The pieces of a Unigram tokenizer with their logarithms of probabilities."""
        return self.values["model"]["vocab"] if self.kind == "Unigram" else ()

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """Each token as the file spells it, to its id."""
        return {token: token_id for token_id, token in self.tokens.items()}

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        """Return what a token was merged from; :class:`BPEError` where there are no merges."""
        if not self.merges:
            return super().made_of(symbol)
        return self._origins.made_of(symbol)

    @cached_property
    def _origins(self) -> ListedOrigins:
        return ListedOrigins(self.merges, self.token_bytes)

    def encode(self, text: str, **rules: Unpack[SpecialRules]) -> list[int]:
        """Return the ids of ``text``; see :class:`bpe.encoders.base.Encoder`.

        Where every special token of the text is allowed the engine finds them: some take the white
        space around them along.
        """
        text = scalar_text(text)
        parts = list(special_parts(text, self.special_tokens, **rules))
        ordinary = (part for part, special in parts if special is None)
        if any(special is not None for _, special in parts) and not any(
            find_special(part, self.special_tokens) for part in ordinary
        ):
            return self._ids(text, promote=True)
        return super().encode(text, **rules)

    _finds_specials = True

    def _encode_ordinary(self, text: str) -> list[int]:
        return self._ids(text, promote=False)

    def encode_with_offsets(
        self, text: str, **rules: Unpack[SpecialRules]
    ) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the ids and the span of ``text`` of each, as the engine gives them."""
        ids = self.encode(text, **rules)
        text = scalar_text(text)
        for promote in (False, True):
            engine_ids, spans = self._runs.with_spans(text, promote=promote)
            if engine_ids == ids:
                return ids, spans
        return super().encode_with_offsets(text, **rules)

    def _encode_ordinary_with_spans(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        return self._runs.with_spans(text, promote=False)

    def _ids(self, text: str, *, promote: bool) -> list[int]:
        if isinstance(self._runs, LocalEngine):
            require_memory_for(text)
        return self._runs.ids(text, promote=promote)

    def decode(self, ids: Iterable[int], /) -> str:
        """Return the text of ids; bytes that are not UTF-8 become U+FFFD.

        Where tokens are not simply joined (a space put in front is taken away again, WordPiece
        puts spaces between words), this is the decoder of the tokenizer itself; one without a
        decoder puts a space between all tokens.
        """
        ids = list(ids)
        joined = self.decode_bytes(ids)  # also finds unknown ids
        if self.spelling.joins:
            return joined.decode("utf-8", "replace")
        return self._runs.decode(ids)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the text of the file and what is slow to find in it."""
        values = self.values
        text = here = self._text or json.dumps(values)
        if not huggingface.is_harmless(values):
            here = json.dumps(huggingface.without_what_runs(values))
        model = dict(values.get("model") or {})
        for large in {"vocab", "merges"} & model.keys():
            model[large] = type(model[large])()
        head = {**values, "model": model}
        return _unpickled, (self.name, head, self.tokens, text, here, self.training)


def _unpickled(
    name: str,
    head: Mapping[str, Any],
    tokens: dict[int, str],
    text: str,
    here: str,
    training: TrainingRecord | None,
) -> TokenizerJsonEncoder:
    guarded = GuardedEngine(name, text) if here != text else None
    return TokenizerJsonEncoder(
        name, LocalEngine(name, here), head, guarded, tokens, text, training
    )


def _merges(model: Mapping[str, Any]) -> Iterator[Merge]:
    vocabulary = model.get("vocab", {})
    prefix = model.get("continuing_subword_prefix") or ""
    for merge in model.get("merges") or []:
        left, right = merge.split(" ") if isinstance(merge, str) else merge
        whole = left + right.removeprefix(prefix)
        yield Merge(vocabulary[left], vocabulary[right], vocabulary[whole], 0)


# Byte-level BPE, for our own engine.


def _byte_level(file: TokenizerJsonEncoder) -> BytePairEncoder | None:
    """Return the same tokenizer with our own engine, if it is a byte-level BPE without extras.

    Extras are what our engine does not do: marks of word ends, added tokens that take the white
    space around them along, stand for whole words or overlap with special ones, a space in front.
    """
    model = file.values.get("model") or {}
    plain = (
        file.kind == "BPE"
        and not model.get("end_of_word_suffix")
        and not model.get("continuing_subword_prefix")
        and not model.get("byte_fallback")
        and not adds_leading_space(file)
        and file.spelling.byte_level
        and set(TO_BYTE).issubset(model.get("vocab") or ())
    )
    splitter = _splitter(file.values) if plain else None
    if splitter is None:
        return None
    normalizer = file.values.get("normalizer")
    normalise = HuggingFaceNormaliser(normalizer) if normalizer else None
    added: dict[str, int] = {}
    for token_id, token in file.added.items():
        if token.lstrip or token.rstrip or token.single_word or (token.normalized and normalise):
            return None
        if not token.special:
            added[token.content] = token_id
    if _overlap(file.added.values()):
        return None
    vocabulary: Mapping[str, int] = model["vocab"]
    inside = {token: i for token, i in vocabulary.items() if i not in file.added}
    if not all(character in TO_BYTE for token in inside for character in token):
        return None
    if len(set(inside.values())) < len(inside) or max(inside.values()) >= 1 << 20:
        return None
    require_tokens(len(inside), len(model.get("merges") or ()))
    ignores_merges = bool(model.get("ignore_merges"))
    whole = {unspell(token): i for token, i in inside.items()} if ignores_merges else {}
    return BytePairEncoder(
        file.name,
        MergeList(
            file.merges,
            byte_ids=[vocabulary[TO_CHARACTER[byte]] for byte in range(BYTES)],
            whole=whole,
            others={i: unspell(token) for token, i in inside.items()},
        ),
        splitter,
        special_tokens=file.special_tokens,
        added=added,
        normalise=normalise,
        normalises=file.normalises,
        trims=[
            bool(step.get("add_prefix_space", True))
            for step in components(file.values.get("post_processor"))
            if step.get("type") in ("ByteLevel", "RobertaProcessing")
            and step.get("trim_offsets", True)
        ],
    )


def _overlap(added: Iterable[Any]) -> bool:
    """Whether tokens that we look for one kind after the other may share characters of a text.

    There, the leftmost counts. Too many to be compared are taken for such.
    """
    kinds: dict[tuple[bool, bool], list[str]] = {}
    for token in added:
        kinds.setdefault((token.special, token.normalized), []).append(token.content)
    pairs = list(combinations(kinds.values(), 2))
    if sum(len(one) * len(other) for one, other in pairs) > _MOST_COMPARED:
        return True
    return any(_share(a, b) for one, other in pairs for a in one for b in other)


def _share(one: str, other: str) -> bool:
    """Whether two texts can overlap: one holds the other, or ends as the other begins."""
    sizes = range(1, min(len(one), len(other)))
    return (
        one in other
        or other in one
        or any(one.endswith(other[:size]) or other.endswith(one[:size]) for size in sizes)
    )


def _splitter(values: Mapping[str, Any]) -> str | None:
    """Return the name of the split pattern of a byte-level file, if it is one that we know.

    Any other regular expression would have to mean the same to two engines.
    """
    steps = list(components(values.get("pre_tokenizer")))
    if not steps or steps[-1].get("type") != "ByteLevel":
        return None
    *splits, last = steps
    if last.get("use_regex", True):
        return "gpt2" if not splits else None
    if not splits:
        return "none"
    sources = []
    for split in splits:
        pattern = split.get("pattern") or {}
        isolated = split.get("behavior") == "Isolated" and not split.get("invert")
        if split.get("type") != "Split" or not isolated or "Regex" not in pattern:
            return None
        sources.append(pattern["Regex"])
    return published_patterns().get(tuple(sources))


# The bytes of tokens, and what happens to text before it is cut. A file says this only by the names
# of its parts: ByteLevel means GPT-2's byte alphabet, ▁ a space, <0xE4> the byte E4, ## the inside
# of a word, </w> its end.

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


_INSIDE = ("normalizers", "pretokenizers", "processors", "decoders")


def components(part: Mapping[str, Any] | None) -> Iterator[Mapping[str, Any]]:
    """Yield the parts of a normalizer, pre-tokenizer or decoder, sequences taken apart."""
    if part is None:
        return
    inside = [part[key] for key in _INSIDE if key in part]
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
            never = part.get("type") == "Metaspace" and part.get("prepend_scheme") == "never"
            puts = not never and part.get("type") in ("Metaspace", "ByteLevel")
            if puts and part.get("add_prefix_space", True):
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
        """Return whether ``tokens`` have one for each byte, so that nothing is unknown.

        Without one for a space that is written ▁, the bytes of ▁ stand for it, which are no space.
        """
        if self.byte_level and self._kind == "BPE":
            return {byte + self._suffix for byte in TO_BYTE}.issubset(tokens)
        if self._byte_fallback:
            space = [METASPACE] if self._metaspace else []
            return {*space, *(f"<0x{byte:02X}>" for byte in range(BYTES))}.issubset(tokens)
        return self.byte_level and set(TO_BYTE).issubset(tokens)

    def token_bytes(self, token_id: int, token: str) -> bytes:
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

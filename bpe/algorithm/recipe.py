"""The recipe: everything that decides what training yields, and the merges that it yields.

Nothing here trains. A recipe and a corpus name a trained tokenizer: same recipe, same corpus,
same merges, on every machine and by every learner.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, NamedTuple, get_args

from bpe.algorithm.basic import TieBreak
from bpe.algorithm.merge import BYTES as BYTES
from bpe.algorithm.merge import Merge as Merge
from bpe.errors import BPEError, translatable, whole_number
from bpe.text.pretokenize import compiled_pattern, normaliser
from bpe.text.special_tokens import checked_specials, checked_token

Score = Literal["frequency", "likelihood"]


class Kind(NamedTuple):
    """The properties of an algorithm by which a recipe is checked."""

    unit: Literal["bytes", "characters", "pieces"] = "pieces"
    """The unit of a vocabulary: bytes, characters with a mark at the end of a word, or the
    pieces of a ``tokenizer.json``."""
    byte_fallback: bool = False
    """Whether the vocabulary has all 256 bytes unless the recipe names an unknown token."""
    needs_size: bool = False
    """Whether a training has no end without a vocabulary size."""
    scores: tuple[Score, ...] = ("frequency",)
    """The scores by which the next pair may be chosen."""
    tie_breaks: tuple[TieBreak, ...] = get_args(TieBreak)[:-1]
    """``"huggingface"``, the last, is of bytes from the beginning."""
    share: float | None = None
    """The usual share of the merges that are made otherwise, where there is such a share."""


AlgorithmName = Literal[
    "byte-bpe", "character-bpe", "wordpiece", "sentencepiece-bpe", "unigram", "superwords", "parity"
]

ALGORITHMS: dict[str, Kind] = {
    "byte-bpe": Kind("bytes", tie_breaks=get_args(TieBreak)),
    "character-bpe": Kind("characters"),
    "wordpiece": Kind(scores=get_args(Score)),
    "sentencepiece-bpe": Kind(byte_fallback=True),
    "unigram": Kind(byte_fallback=True, needs_size=True),
    "superwords": Kind("bytes", share=0.8),
    "parity": Kind("bytes", tie_breaks=get_args(TieBreak), share=0.0),
}
"""The algorithms by name; how each is trained is in :mod:`bpe.training.algorithms`."""
TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)
TIE_BREAKS_OF_ALL = TIE_BREAKS[:-1]
"""Those that every algorithm knows; ``"huggingface"`` is of bytes from the beginning."""

_NEWER = 11
"""So many fields every version knows; the others stand in JSON only where they say something."""
_OLD_SCORES: dict[str, Any] = {"wordpiece": "likelihood"}
"""The score of older versions, and of JSON without one."""

_OLD = ("superwords", "parity", "languages", "start")
_OTHER_NAMES = {
    "vocab_size": "vocabulary_size",
    "num_merges": "merges",
    "min_freq": "min_frequency",
    "model_type": "algorithm",
    "normalization": "normalisation",
    "unk_token": "unknown",
}
"""Names that other libraries have for the fields of a recipe."""

_NUMBERS = {
    "min_frequency": (translatable("minimum frequency"), 1),
    "merges": (translatable("number of merges"), 0),
    "vocabulary_size": (translatable("vocabulary size"), 1),
}
"""The fields that are whole numbers, what a reader calls them, and the least they may be."""

StopReason = Literal["vocabulary-size", "merges", "min-frequency", "alphabet"]
"""Which rule ended a training; ``"alphabet"``: the characters alone are more than was asked for."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How to train. Validated when made; a wrong value raises :class:`BPEError`.

    Training stops at whichever comes first: ``vocabulary_size`` (256 bytes + special tokens +
    merges; for characters, the size after pruning), ``merges`` done, or no pair that occurs
    ``min_frequency`` times. ``None`` means no such limit.

    ``pattern`` names a split pattern of :data:`bpe.text.pretokenize.PATTERNS`, or is ``regex:``
    and an expression of one's own; ``normalisation`` is ``"none"`` or names of
    :data:`bpe.text.pretokenize.NORMALISATIONS` joined by ``+``, any of them in any order.
    ``end_of_word`` and ``prune`` matter to ``"character-bpe"`` alone: the symbol put behind each
    word (``""`` for none), and whether a symbol that no longer occurs on its own leaves the
    vocabulary. ``unknown`` is the token that stands for unseen characters. With ``None`` these are
    an error in ``"character-bpe"``, ``[UNK]`` in ``"wordpiece"``, and their bytes in
    ``"sentencepiece-bpe"`` and ``"unigram"``, whose vocabularies then hold all 256. These three cut
    words in their own way (:mod:`bpe.training.algorithms`) and refuse a ``pattern``; those of
    ``"character-bpe"`` are what white space divides, unless it has another one than the usual.
    ``score`` is of ``"wordpiece"`` alone: whether it merges the most frequent pair, or the one that
    its parts let expect least, as is taught (:mod:`bpe.algorithm.wordpiece`). The tie break
    ``"huggingface"`` is of bytes alone, and gives the merges of Hugging Face's trainer, but for a
    corpus with special tokens in it: here these are cut out first, there they are text.
    ``share`` is the part of the merges that ``"superwords"`` learns within words, and ``"parity"``
    for all languages together, before it goes on otherwise.
    """

    algorithm: AlgorithmName = "byte-bpe"
    vocabulary_size: int | None = None
    merges: int | None = None
    pattern: str = "gpt2"
    special_tokens: tuple[str, ...] = ()
    tie_break: TieBreak = "lexicographic"
    min_frequency: int = 1
    normalisation: str = "none"
    end_of_word: str = "</w>"
    prune: bool = True
    unknown: str | None = None
    score: Score = "frequency"
    share: float | None = None

    def __new__(cls, **values: Any) -> "Recipe":
        for name in values.keys() - {field.name for field in fields(cls)}:
            names = _OTHER_NAMES.get(name) or ", ".join(field.name for field in fields(cls))
            raise TypeError(f"A recipe has no field {name}. Write it as: {names}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        tokens = self.special_tokens  # a text has none, and a set another order each time
        unordered = isinstance(tokens, str | bytes | set | frozenset | dict)
        if unordered or not isinstance(tokens, Iterable):
            what = translatable("special tokens")
            raise BPEError("Give the {what} as a list, not as one string or a set.", what=what)
        object.__setattr__(self, "special_tokens", tuple(tokens))
        _choice(translatable("algorithm"), self.algorithm, tuple(ALGORITHMS))
        _choice(translatable("tie-break rule"), self.tie_break, TIE_BREAKS)
        _choice(translatable("score of pairs"), self.score, get_args(Score))
        if self.score not in self.kind.scores:
            raise BPEError("The likelihood of pairs is a score of WordPiece alone.")
        if not isinstance(self.pattern, str) or not isinstance(self.normalisation, str):
            raise BPEError("The split pattern and the normalisation are given by their names.")
        compiled_pattern(self.pattern)
        if self.kind.unit == "pieces" and self.pattern != Recipe.pattern:
            raise BPEError(
                "The algorithm “{name}” cuts words in its own way. Leave the split pattern out.",
                name=self.algorithm,
            )
        normaliser(self.normalisation)
        if not isinstance(self.end_of_word, str) or not isinstance(self.prune, bool):
            raise BPEError("The end of a word must be text, and pruning either true or false.")
        if self.unknown is not None and (not isinstance(self.unknown, str) or not self.unknown):
            raise BPEError(
                "The unknown token must be text such as <unk>, or None for no such token."
            )
        if self.tie_break not in self.kind.tie_breaks:
            raise BPEError(
                "Hugging Face breaks ties so in plain byte-level BPE alone. Choose another rule."
            )
        if self.share is None:
            object.__setattr__(self, "share", self.kind.share)
        elif self.kind.share is None:
            raise BPEError("A share of the merges is a choice of superwords and of parity alone.")
        elif isinstance(self.share, bool) or not (
            isinstance(self.share, float | int) and 0 <= self.share <= 1
        ):
            raise BPEError("A share is a number from 0 to 1, not {share!r}.", share=self.share)
        else:
            object.__setattr__(self, "share", float(self.share))
        checked_specials(self.special_tokens, ())
        for token in filter(None, (self.unknown, self.end_of_word)):
            checked_token(token)
        for name, (what, least) in _NUMBERS.items():
            value = getattr(self, name)
            number = whole_number(value, at_least=least)
            if number is None and (value is not None or name == "min_frequency"):
                raise BPEError(
                    "The {what} must be a whole number of at least {least}, not {value!r}.",
                    what=what,
                    least=least,
                    value=value,
                )
            object.__setattr__(self, name, number)
        if self.kind.needs_size and self.vocabulary_size is None:
            raise BPEError(
                "The algorithm “{name}” needs a vocabulary size: it begins with many pieces and "
                "drops all others.",
                name=self.algorithm,
            )
        least = BYTES + len(self.special_tokens)
        if self.has_all_bytes and self.vocabulary_size is not None and self.vocabulary_size < least:
            raise BPEError(
                "A vocabulary of {size} is too small: the 256 bytes and the special tokens alone "
                "need {least}. Ask for {least} or more.",
                size=self.vocabulary_size,
                least=least,
            )

    @property
    def kind(self) -> Kind:
        return ALGORITHMS[self.algorithm]

    @property
    def of_bytes(self) -> bool:
        return self.kind.unit == "bytes"

    @property
    def has_own_words(self) -> bool:
        """Whether the words of characters are cut by a pattern, and not by white space alone."""
        return self.kind.unit == "characters" and self.pattern != Recipe.pattern

    @property
    def has_all_bytes(self) -> bool:
        """Whether the vocabulary holds the 256 bytes, so that nothing is unknown."""
        return self.of_bytes or (self.kind.byte_fallback and self.unknown is None)

    # Of bytes alone: a character vocabulary has no fixed beginning, and pruning makes it shrink.

    @property
    def first_merge_id(self) -> int:
        """The id of the first merge: after bytes and special tokens."""
        if not self.of_bytes:
            raise TypeError("Only a byte-level vocabulary begins with the 256 bytes.")
        return BYTES + len(self.special_tokens)

    @property
    def merge_limit(self) -> int | None:
        """How many merges a learner may make, or ``None`` for no limit."""
        first = self.first_merge_id
        limits = [self.merges]
        if self.vocabulary_size is not None:
            limits.append(self.vocabulary_size - first)
        return min((limit for limit in limits if limit is not None), default=None)

    def stop_reason(
        self, merges_done: int, size: int | None = None, *, alphabet: int = 0
    ) -> StopReason:
        """Return which rule ended a training, by the size of the vocabulary and of the alphabet.

        Of bytes alone the size follows from the number of merges.
        """
        size = self.first_merge_id + merges_done if size is None else size
        if self.vocabulary_size is not None and alphabet > self.vocabulary_size:
            return "alphabet"
        if self.vocabulary_size is not None and size >= self.vocabulary_size:
            return "vocabulary-size"
        if self.merges is not None and merges_done >= self.merges:
            return "merges"
        return "min-frequency"

    @property
    def digest(self) -> str:
        """A name for this recipe: 16 hexadecimal digits that change with any field."""
        text = json.dumps(self.as_json(), sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def as_json(self) -> dict[str, Any]:
        """Return the fields as JSON values, without a choice that older versions do not know."""
        values = asdict(self)
        newer = {field.name: field.default for field in fields(self)[_NEWER:]}
        newer["score"] = _OLD_SCORES.get(self.algorithm, "frequency")
        return {
            name: value
            for name, value in values.items()
            if name not in newer or value != newer[name]
        }

    @classmethod
    def from_json(cls, values: object) -> "Recipe":
        """Make a recipe of what :meth:`as_json` returned; unknown fields are an error."""
        if not isinstance(values, dict):
            raise BPEError("The recipe in this file is not an object with named fields.")
        # Of version 0.2: superwords and parity were shares beside an algorithm; the languages, and
        # what was extended, are no part of how to train.
        old = {name: values.get(name) for name in _OLD}
        values = {name: value for name, value in values.items() if name not in _OLD}
        for name in ("superwords", "parity"):
            if old[name] is not None:
                values |= {"algorithm": name, "share": old[name]}
        names = {field.name for field in fields(cls)}
        if unknown := sorted(set(values) - names):
            raise BPEError(
                "The recipe has unknown fields: {fields}. Was it made by another version?",
                fields=", ".join(unknown),
            )
        algorithm = str(values.get("algorithm"))
        if algorithm in ALGORITHMS and ALGORITHMS[algorithm].unit == "pieces":
            values = {name: value for name, value in values.items() if name != "pattern"}
        return cls(**{"score": _OLD_SCORES.get(algorithm, "frequency"), **values})


def _choice(what: str, value: object, allowed: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in allowed:
        raise BPEError(
            "There is no {what} “{name}”. Choose one of: {names}.",
            what=what,
            name=value,
            names=", ".join(allowed),
        )

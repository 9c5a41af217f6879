"""The base of WordPiece, SentencePiece's BPE and Unigram: the result is a ``tokenizer.json``."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any, ClassVar

from bpe.algorithm.recipe import BYTES
from bpe.encoders.base import METASPACE, Encoder, TrainingRecord
from bpe.encoders.huggingface import added_token, normalizer, split, values_of
from bpe.encoders.tokenizer_json import TokenizerJsonEncoder, from_json
from bpe.progress import OnProgress
from bpe.text.pretokenize import count_pieces
from bpe.training.algorithms.base import Algorithm, Learner, Trained, Words

_BORDER = "\ud800"  # no text has it
_AT_ONCE = 1 << 16  # characters


class OfPieces(Algorithm):
    """An algorithm whose tokenizer is run by Hugging Face ``tokenizers``."""

    usual_unknown: ClassVar[str] = "<unk>"
    """The unknown token where the recipe names none: every one of these tokenizers has one."""
    scores: Sequence[tuple[str, float]] = ()
    """Pieces with the logarithms of their probabilities, where they have these."""

    @property
    def unknown(self) -> str:
        return self.recipe.unknown or self.usual_unknown

    @property
    def fixed(self) -> list[str]:
        """The entries that every vocabulary has: special tokens, unknown, maybe all bytes.

        Each has one id, also a special token that is the unknown one, too.
        """
        return list(dict.fromkeys([*self.recipe.special_tokens, self.unknown, *self.bytes]))

    @property
    def bytes(self) -> list[str]:
        """The names of all bytes, where the vocabulary has these."""
        return [f"<0x{byte:02X}>" for byte in range(BYTES)] if self.recipe.has_all_bytes else []

    def entries(self, tokenizer: Encoder) -> Iterator[str]:
        """Yield the vocabulary of a tokenizer that was trained by this, in the order of ids."""
        assert isinstance(tokenizer, TokenizerJsonEncoder)  # as all that this trains
        tokens = tokenizer.tokens
        yield from (tokens[token_id] for token_id in range(len(tokens)))

    def begin_with(self, entries: Iterable[str]) -> None:
        """Number the entries that the vocabulary has before the first merge."""
        self.vocabulary = {entry: n for n, entry in enumerate(dict.fromkeys(entries))}
        self._numbered = 0  # merges

    def size(self, merges: Sequence[Any]) -> int:
        for merge in merges[self._numbered :]:
            self.vocabulary.setdefault(merge.new, len(self.vocabulary))
        self._numbered = len(merges)
        return len(self.vocabulary)

    @abstractmethod
    def model(self, merges: Sequence[Any]) -> dict[str, Any]:
        """Return the model of these merges and ``self.vocabulary`` as ``tokenizer.json`` has it."""

    @abstractmethod
    def around(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the pre-tokenizer and the decoder as ``tokenizer.json`` has them."""

    def tokenizer(self, merges: Sequence[Any], corpus_digest: str, name: str) -> Trained:
        self.size(merges)  # numbers what they make
        pre_tokenizer, decoder = self.around()
        specials = self.recipe.special_tokens
        values = values_of(
            self.model(merges),
            added_tokens=[added_token(token, self.vocabulary[token]) for token in specials],
            normalizer=normalizer(self.recipe.normalisation),
            pre_tokenizer=pre_tokenizer,
            decoder=decoder,
        )
        encoder = from_json(values, name=name)
        assert isinstance(encoder, TokenizerJsonEncoder)  # as it has no bytes for our engine
        encoder.provenance = "trained"
        encoder.training = TrainingRecord(self.recipe, corpus_digest, tuple(merges), self.scores)
        return encoder


class CutTwice(OfPieces):
    """An algorithm that cuts a text at spaces first, and then each different piece once."""

    def split(self, text: str) -> Iterable[str]:
        return chain.from_iterable(map(self.words_of, self.pieces(text)))

    def count_words(
        self, texts: Iterable[str], tell: OnProgress, learner: Learner | None, threads: int | None
    ) -> Words:
        recipe = self.recipe
        pieces = count_pieces(texts, self.pieces, recipe.special_tokens, recipe.normalisation, tell)
        counts: dict[str, int] = {}
        for piece, number in pieces.items():
            for word in self.words_of(piece):
                counts[word] = counts.get(word, 0) + number
        return counts

    @abstractmethod
    def pieces(self, text: str) -> Iterable[str]:
        """Return the pieces of a text."""

    @abstractmethod
    def words_of(self, piece: str) -> list[str]:
        """Return the words of a piece."""


def between_spaces(text: str, separator: str | None) -> Iterable[str]:
    """Return what is between the spaces of a text, or between all of its white space.

    A long text is cut bit by bit: a list of all pieces would be large.
    """
    if len(text) <= _AT_ONCE:
        return text.split(separator)
    spaces = (text.find(" ", place) for place in range(_AT_ONCE, len(text), _AT_ONCE))
    ends = [-1, *dict.fromkeys(place for place in spaces if place >= 0), len(text)]
    parts = (text[before + 1 : end].split(separator) for before, end in pairwise(ends))
    return chain.from_iterable(parts)


class OfMetaspace(CutTwice):
    """One that cuts texts before each space, which is written ▁ and begins the word, and around
    line breaks; and that falls back to bytes.
    """

    asks = Algorithm.asks | {"unknown"}

    def pieces(self, text: str) -> Iterable[str]:
        text = text.replace(METASPACE, " ")
        if text.startswith("\n"):
            text = _BORDER + text
        return between_spaces(text.removeprefix(" "), " ") if text else ()

    def words_of(self, piece: str) -> list[str]:
        begins = piece.startswith(_BORDER)  # a text, with a line break: the mark is joined to that
        cut = (piece if begins else METASPACE + piece).replace("\n", f"{_BORDER}\n{_BORDER}")
        words = [*filter(None, cut.split(_BORDER))]
        return [METASPACE + words[0], *words[1:]] if begins else words

    def as_counted(self, words: Words) -> Words:
        return {METASPACE + word.removeprefix(METASPACE): n for word, n in words.items()}

    def around(self) -> tuple[dict[str, Any], dict[str, Any]]:
        metaspace = {
            "type": "Metaspace",
            "replacement": METASPACE,
            "prepend_scheme": "first",
            "split": True,
        }
        pre_tokenizers = [split({"String": "\n"}), metaspace]
        decoders = [{"type": "ByteFallback"}, metaspace]
        return (
            {"type": "Sequence", "pretokenizers": pre_tokenizers},
            {"type": "Sequence", "decoders": decoders},
        )

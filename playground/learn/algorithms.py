"""Algorithms beside byte-level BPE, trained live: how each cuts a sentence after every merge.

The tokenizers are those of the library, in the engine of Hugging Face ``tokenizers``; what each
merges, and by what figure, is told by its learner.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, cast

from bpe.algorithm.character import CharacterMerge
from bpe.algorithm.recipe import ALGORITHMS, Recipe
from bpe.algorithm.wordpiece import INSIDE, PieceMerge
from bpe.encoders.base import METASPACE, Encoder
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.tokenizer_json import TokenizerJsonEncoder
from bpe.training.algorithms import named
from bpe.training.train import Training
from playground.learn.ladder import Frame, frames

MERGES = 40
UNKNOWN = "<unk>"
SPACE = "·"
"""What is written for a space that a tokenizer leaves out."""

NAMES: dict[str, str] = {
    "character-bpe": "BPE </w>",
    "sentencepiece-bpe": "SentencePiece BPE",
    "wordpiece": "WordPiece",
    "unigram": "Unigram",
}
"""The algorithms as they are shown; SentencePiece falls back to bytes, the others to ``<unk>``."""

_BYTE = re.compile("<0x[0-9A-F]{2}>")

Step = CharacterMerge | PieceMerge


def recipe(algorithm: str, merges: int, alphabet: int = 0) -> Recipe:
    """Return what an algorithm is trained by; Unigram has as many entries as merges would make."""
    options: dict[str, Any] = {"algorithm": algorithm, "tie_break": "first-seen"}
    if not named(algorithm).makes_merges:
        # <unk>, the characters, and ▁ are there without a merge.
        return Recipe(**options, vocabulary_size=alphabet + 2 + merges, unknown=UNKNOWN)
    if "likelihood" in ALGORITHMS[algorithm].scores:
        options["score"] = "likelihood"  # as it is taught
    unknown = None if ALGORITHMS[algorithm].byte_fallback else UNKNOWN
    return Recipe(**options, merges=merges, unknown=unknown, prune=False)


def merges(words: Mapping[str, int], algorithm: str, number: int) -> list[Any]:
    """Return the first merges that an algorithm makes of counted words; Unigram makes none."""
    if not named(algorithm).makes_merges:
        return []
    return list(islice(Training(words, recipe(algorithm, number)), number))


def row(words: Mapping[str, int], algorithm: str, sentence: str) -> tuple[Frame, ...]:
    """Return how an algorithm cuts a sentence after 0, 1, … :data:`MERGES` merges.

    The notes of the frames name the pair merged last, and how often it stood in the words.
    """
    alphabet = len({sign for word in words for sign in word})
    steps = merges(words, algorithm, MERGES)
    found = []
    for number in range(MERGES + 1):
        training = Training(words, recipe(algorithm, number, alphabet))
        for _step in training:
            pass
        pieces = list(cut(training.tokenizer(), sentence))
        note = said(steps[number - 1]) if 0 < number <= len(steps) else ""
        found.append(
            Frame(
                number,
                [size for _shown, size in pieces],
                [shown for shown, _size in pieces],
                note=note,
                faded=[at for at, (shown, _size) in enumerate(pieces) if shown == SPACE],
                count=sum(shown != SPACE for shown, _size in pieces),
            )
        )
    return frames(found)


def said(step: Step) -> str:
    """Return a merge with what it was chosen by.

    >>> said(PieceMerge("##g", "##s", 5, 20, 5))
    '##g + ##s (5×, 5 / (20 · 5) = 0.05)'
    """
    text = f"{step.left} + {step.right} ({step.count}×"
    if isinstance(step, PieceMerge):
        text += f", {step.count} / ({step.left_count} · {step.right_count}) = {step.score:.3g}"
    return text + ")"


def cut(tokenizer: Encoder, sentence: str) -> Iterator[tuple[str, int]]:
    """Yield the tokens of a sentence as the tokenizer writes them, with the bytes of the text.

    Words are cut one by one. A tokenizer without ``▁`` leaves spaces out: they are yielded too, so
    that the sizes add up to the sentence.
    """
    for number, word in enumerate(sentence.split()):
        if tokenizer.kind == CharacterTokenizer.kind:
            pieces = list(_of_characters(cast(CharacterTokenizer, tokenizer), word))
        else:
            pieces = _of_engine(cast(TokenizerJsonEncoder, tokenizer), word)
        if number and pieces[0][0].startswith(METASPACE):
            pieces[0] = (pieces[0][0], pieces[0][1] + 1)
        elif number:
            yield SPACE, 1
        yield from pieces


def _of_characters(tokenizer: CharacterTokenizer, word: str) -> Iterator[tuple[str, int]]:
    for symbol in tokenizer.encode_word(word):
        text = symbol.removesuffix(tokenizer.recipe.end_of_word)
        yield (symbol if symbol in tokenizer.ids else UNKNOWN), len(text.encode())


def _of_engine(tokenizer: TokenizerJsonEncoder, word: str) -> list[tuple[str, int]]:
    found = tokenizer.engine.encode(word, add_special_tokens=False)
    unknown = tokenizer.engine.token_to_id(UNKNOWN)
    pieces = []
    for shown, number, (start, end) in zip(found.tokens, found.ids, found.offsets, strict=True):
        if _BYTE.fullmatch(shown):
            pieces.append((shown, 1))
        elif number == unknown:
            pieces.append((UNKNOWN, len(word[start:end].encode())))
        else:
            text = shown.removeprefix(INSIDE if pieces else METASPACE)
            pieces.append((shown, len(text.encode())))
    # Signs of the tokenizer's own inside a word are not told apart: then it is drawn uncut.
    size = len(word.encode())
    return pieces if sum(length for _shown, length in pieces) == size else [(word, size)]

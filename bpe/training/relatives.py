"""WordPiece, SentencePiece's BPE and Unigram, trained on a corpus.

The first two learn merges by learners of our own, the third is fitted by Hugging Face
``tokenizers``. The result is a ``tokenizer.json``, and encodes as any other does. Texts are cut
into words as these tokenizers do it: WordPiece at white space and signs, which are words of their
own; the others before each space, which is written ▁ and begins the word, and around line breaks.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import regex
import tokenizers
from tokenizers import models, trainers

from bpe.algorithm import character, wordpiece
from bpe.algorithm.character import CharacterMerge
from bpe.algorithm.recipe import BYTES, Recipe
from bpe.algorithm.wordpiece import PieceMerge
from bpe.encoders.base import METASPACE
from bpe.encoders.tokenizer_json import TokenizerJsonEncoder, from_json
from bpe.errors import BPEError
from bpe.files.gpt2 import added_token
from bpe.files.huggingface import normalizer
from bpe.progress import OnProgress, Progress, while_waiting
from bpe.text.pretokenize import normaliser
from bpe.text.special_tokens import split_specials
from bpe.text.unicode import scalar_text

MOST_CHARACTERS = 5_000_000
"""Characters of all words, each as often as it occurs, that Unigram is fitted to: some seconds."""

_LONGEST_FITTED = 1_000
"""Characters of the longest word that Unigram is fitted to at once; the engine's stack overflows
somewhere between a hundred thousand and a million."""

_LONGEST_WORD = 1_000
"""Characters of the longest word that WordPiece encodes; others are unknown."""

_WORDPIECE_WORD = regex.compile(r"[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+")
_METASPACE_WORD = regex.compile(rf"\n|[ {METASPACE}][^ {METASPACE}\n]*|[^ {METASPACE}\n]+")

Step = CharacterMerge | PieceMerge


def split_words(text: str, recipe: Recipe) -> Iterator[str]:
    """Yield the words of a text as the algorithm sees them.

    >>> list(split_words("low, lower", Recipe(algorithm="wordpiece")))
    ['low', ',', 'lower']
    >>> list(split_words("low, lower", Recipe(algorithm="sentencepiece-bpe")))
    ['▁low,', '▁lower']
    """
    if recipe.algorithm == "wordpiece":
        yield from (match.group() for match in _WORDPIECE_WORD.finditer(text))
        return
    for match in _METASPACE_WORD.finditer(text):
        word = match.group().replace(" ", METASPACE)
        starts = match.start() == 0 and not word.startswith(METASPACE)
        yield METASPACE + word if starts else word


def count_words(
    texts: Iterable[str], recipe: Recipe, on_progress: OnProgress = lambda progress: None
) -> dict[str, int]:
    """Count the words of a corpus, in order of first occurrence."""
    normalise = normaliser(recipe.normalisation)
    counts: dict[str, int] = {}
    done = 0
    for text in texts:
        for part, special in split_specials(scalar_text(text), recipe.special_tokens):
            words = () if special else split_words(normalise(part), recipe)
            for number, word in enumerate(words):
                counts[word] = counts.get(word, 0) + 1
                if number % 4096 == 0:
                    on_progress(Progress("counting", done, None))
            done += len(part)
    return counts


def marked(word_counts: Mapping[str, int], recipe: Recipe) -> dict[str, int]:
    """Return words that were counted elsewhere as :func:`count_words` would have them.

    >>> marked({"low": 2}, Recipe(algorithm="unigram", vocabulary_size=300))
    {'▁low': 2}
    """
    if recipe.algorithm == "wordpiece":
        return dict(word_counts)
    return {METASPACE + word.removeprefix(METASPACE): n for word, n in word_counts.items()}


def learn(
    word_counts: Mapping[str, int],
    recipe: Recipe,
    *,
    by_recounting: bool = False,
    on_progress: OnProgress = lambda progress: None,
) -> Iterator[Step]:
    """Yield the merges of WordPiece or SentencePiece's BPE."""
    character.refuse_if_too_large(word_counts)
    if recipe.algorithm == "wordpiece":
        recipe = with_unknown(recipe)
        if by_recounting:
            yield from wordpiece.learn(word_counts, recipe)
        else:
            yield from wordpiece.learn_incrementally(word_counts, recipe, on_progress)
        return
    of_characters = _of_characters(recipe)
    if by_recounting:
        yield from character.learn(word_counts, of_characters)
    else:
        yield from character.learn_incrementally(word_counts, of_characters, on_progress)


def _of_characters(recipe: Recipe) -> Recipe:
    """Return the recipe for the characters and merges alone, without what every vocabulary has."""
    size = recipe.vocabulary_size
    return replace(
        recipe,
        algorithm="character-bpe",
        vocabulary_size=None if size is None else size - len(_fixed(recipe)),
        special_tokens=(),
        end_of_word="",
        prune=False,
        unknown=None,
    )


def first_symbols(word_counts: Mapping[str, int], recipe: Recipe) -> tuple[str, ...]:
    """Return what a vocabulary holds before the first merge, in the order of ids."""
    if recipe.algorithm == "wordpiece":
        return wordpiece.initial_vocabulary(word_counts, with_unknown(recipe))
    characters = character.initial_vocabulary(word_counts, _of_characters(recipe))
    return tuple(dict.fromkeys([*_fixed(recipe), *characters]))


def with_unknown(recipe: Recipe) -> Recipe:
    """Return a recipe that names its unknown token: every one of these tokenizers has one."""
    usual = "[UNK]" if recipe.algorithm == "wordpiece" else "<unk>"
    return replace(recipe, unknown=recipe.unknown or usual)


def _fixed(recipe: Recipe) -> list[str]:
    """Return what is in the vocabulary of any text: special tokens, unknown, maybe all bytes."""
    fallback = [f"<0x{byte:02X}>" for byte in range(BYTES)] if recipe.unknown is None else []
    return [*recipe.special_tokens, str(with_unknown(recipe).unknown), *fallback]


def from_merges(
    symbols: Sequence[str], merges: Sequence[Step], recipe: Recipe, *, name: str
) -> TokenizerJsonEncoder:
    """Return the tokenizer of a vocabulary's first symbols and the merges made of them."""
    entries = dict.fromkeys([*symbols, *(merge.new for merge in merges)])
    vocabulary = {entry: number for number, entry in enumerate(entries)}
    unknown = with_unknown(recipe).unknown
    if recipe.algorithm == "wordpiece":
        model: dict[str, Any] = {
            "type": "WordPiece",
            "unk_token": unknown,
            "continuing_subword_prefix": wordpiece.INSIDE,
            "max_input_chars_per_word": _LONGEST_WORD,
            "vocab": vocabulary,
        }
    else:
        pairs = dict.fromkeys((merge.left, merge.right) for merge in merges)
        model = {
            "type": "BPE",
            "dropout": None,
            "unk_token": unknown,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": recipe.unknown is None,
            "ignore_merges": False,
            "vocab": vocabulary,
            "merges": [list(pair) for pair in pairs],
        }
    return _encoder(model, vocabulary, recipe, name)


def fit_unigram(
    word_counts: Mapping[str, int],
    recipe: Recipe,
    *,
    name: str,
    on_progress: OnProgress = lambda progress: None,
) -> TokenizerJsonEncoder:
    """Fit pieces to a corpus until the vocabulary has the size that the recipe asks for.

    The fitting takes words in no order, so that the last digits of its figures differ from run to
    run. They are rounded, and equal pieces put in order, for a recipe to give one tokenizer.
    """
    characters = sum(len(word) * count for word, count in word_counts.items())
    if characters > MOST_CHARACTERS:
        raise BPEError(
            "This corpus has {size} million characters; Unigram is fitted to up to {most} million. "
            "Train on a part of it.",
            size=round(characters / 1e6, 1),
            most=MOST_CHARACTERS // 10**6,
        )
    fixed = _fixed(recipe)
    alphabet = len(set().union(*word_counts)) if word_counts else 0
    size = max((recipe.vocabulary_size or 0) - len(fixed), alphabet)
    pieces = _pieces(word_counts, size, alphabet, on_progress) if alphabet else []
    known = set(fixed)
    # A byte must never be likelier than the characters that its name is spelled with.
    entries = [(entry, -1000.0 if entry.startswith("<0x") else 0.0) for entry in fixed]
    entries += [piece for piece in pieces if piece[0] not in known]
    model = {
        "type": "Unigram",
        "unk_id": fixed.index(str(with_unknown(recipe).unknown)),
        "vocab": [list(entry) for entry in entries],
        "byte_fallback": recipe.unknown is None,
    }
    vocabulary = {entry: number for number, (entry, _) in enumerate(entries)}
    return _encoder(model, vocabulary, recipe, name)


def _pieces(
    word_counts: Mapping[str, int], size: int, alphabet: int, on_progress: OnProgress
) -> list[tuple[str, float]]:
    """Return pieces with their scores, ``size`` at the most, which every character fits into."""
    engine = tokenizers.Tokenizer(models.Unigram())
    # Asked for fewer than ten characters and nothing else, the engine never ends.
    asked = max(size, min(alphabet + 1, 10))
    trainer = trainers.UnigramTrainer(vocab_size=asked, show_progress=False, special_tokens=[])
    words = (
        word[at : at + _LONGEST_FITTED]
        for word, count in word_counts.items()
        for _ in range(count)
        for at in range(0, len(word), _LONGEST_FITTED)
    )
    while_waiting(
        lambda: engine.train_from_iterator(words, trainer),
        lambda: on_progress(Progress("fitting", 0, None)),
    )
    settled = _settled(json.loads(engine.to_str())["model"]["vocab"])
    longer = [piece for piece in settled if len(piece[0]) > 1]
    left_out = set(longer[len(longer) - max(len(settled) - size, 0) :])
    return [piece for piece in settled if piece not in left_out]


def _settled(pieces: Sequence[Sequence[Any]]) -> list[tuple[str, float]]:
    """Return pieces with their scores as every run gives them, the likeliest first.

    Characters that no piece was kept for are put in at the end, each a ten-thousandth likelier than
    the one before, in the order of a hash table: all of them get the lowest score instead.
    """
    lowest = min(score for _, score in pieces)

    def settled(piece: str, score: float) -> float:
        steps = (score - lowest) * 10_000
        put_in = len(piece) == 1 and steps < len(pieces) and abs(steps - round(steps)) < 1e-6
        return round(lowest if put_in else score, 6)

    scored = [(str(piece), settled(piece, score)) for piece, score in pieces]
    return sorted(scored, key=lambda entry: (-entry[1], entry[0]))


def _encoder(
    model: dict[str, Any], vocabulary: Mapping[str, int], recipe: Recipe, name: str
) -> TokenizerJsonEncoder:
    metaspace = {
        "type": "Metaspace",
        "replacement": METASPACE,
        "prepend_scheme": "first",
        "split": True,
    }
    lines = {
        "type": "Split",
        "pattern": {"String": "\n"},
        "behavior": "Isolated",
        "invert": False,
    }
    if recipe.algorithm == "wordpiece":
        pre_tokenizer: dict[str, Any] = {"type": "BertPreTokenizer"}
        decoder: dict[str, Any] = {"type": "WordPiece", "prefix": "##", "cleanup": True}
    else:
        pre_tokenizer = {"type": "Sequence", "pretokenizers": [lines, metaspace]}
        decoder = {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, metaspace]}
    values = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [added_token(token, vocabulary[token]) for token in recipe.special_tokens],
        "normalizer": normalizer(recipe.normalisation),
        "pre_tokenizer": pre_tokenizer,
        "post_processor": None,
        "decoder": decoder,
        "model": model,
    }
    encoder = cast(TokenizerJsonEncoder, from_json(values, name=name))
    encoder.provenance = "trained"
    return encoder

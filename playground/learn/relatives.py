"""The relatives of BPE, trained on a handful of words: what each picks first, and how it cuts.

Textbook and SentencePiece BPE are :mod:`bpe.algorithm.character`; WordPiece is the rule as it is
taught, merges by score; Unigram is trained by Hugging Face tokenizers.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from bpe.algorithm.basic import count_pairs, merge_pair
from bpe.algorithm.character import apply_merges, learn, split_word
from bpe.training.recipe import Recipe

SPACE = "▁"
INSIDE = "##"
UNKNOWN = "<unk>"


class Pick(NamedTuple):
    """A merge, how often the pair stood in the words, and its score where that decides."""

    left: str
    right: str
    times: int
    score: float | None = None


class Piece(NamedTuple):
    """A token as its tokenizer writes it, and the text that it covers."""

    shown: str
    text: str


@dataclass(frozen=True)
class Trained:
    """What training gave: the first picks, and the pieces of any sentence."""

    picks: tuple[Pick, ...]
    pieces: tuple[Piece, ...]


def textbook(words: Mapping[str, int], merges: int, sentence: str) -> Trained:
    """Train BPE with ``</w>`` and cut a sentence of words divided by single spaces."""
    recipe = Recipe(algorithm="character-bpe", merges=merges, tie_break="first-seen")
    picks = tuple(Pick(m.left, m.right, m.count) for m in learn(words, recipe))
    known = {symbol for word in words for symbol in word}
    pieces: list[Piece] = []
    for word in sentence.split():
        pieces += [Piece("·", " ")] if pieces else []
        symbols = apply_merges(split_word(word, recipe), [pick[:2] for pick in picks])
        pieces += [_piece(symbol, symbol.removesuffix("</w>"), known) for symbol in symbols]
    return Trained(picks, tuple(pieces))


def sentencepiece(words: Mapping[str, int], merges: int, sentence: str) -> Trained:
    """Train BPE as SentencePiece does: a space is a character, written ``▁``, before each word."""
    recipe = Recipe(
        algorithm="character-bpe", merges=merges, tie_break="first-seen", end_of_word=""
    )
    marked = {SPACE + word: count for word, count in words.items()}
    picks = tuple(Pick(m.left, m.right, m.count) for m in learn(marked, recipe))
    known = {symbol for word in marked for symbol in word}
    pieces: list[Piece] = []
    for word in sentence.split():
        symbols = apply_merges([*SPACE, *word], [pick[:2] for pick in picks])
        pieces += [_piece(s, _spaces(s, first=not pieces), known) for s in symbols]
    return Trained(picks, tuple(pieces))


def wordpiece(words: Mapping[str, int], merges: int, sentence: str) -> Trained:
    """Merge the pair with the highest count(a b) / (count(a) · count(b)); cut by longest match."""
    rows: list[tuple[Sequence[str], int]] = [
        ([*word[:1], *(INSIDE + sign for sign in word[1:])], count) for word, count in words.items()
    ]
    vocabulary = {symbol for symbols, _ in rows for symbol in symbols}
    picks: list[Pick] = []
    while len(picks) < merges and (pairs := count_pairs(rows)):
        occurs: Counter[str] = Counter()
        for symbols, count in rows:
            for symbol in symbols:
                occurs[symbol] += count
        score = {pair: n / (occurs[pair[0]] * occurs[pair[1]]) for pair, n in pairs.items()}
        left, right = best = max(score, key=score.__getitem__)
        new = left + right.removeprefix(INSIDE)
        picks.append(Pick(left, right, pairs[best], score[best]))
        vocabulary.add(new)
        rows = [(merge_pair(symbols, best, new), count) for symbols, count in rows]
    pieces: list[Piece] = []
    for word in sentence.split():
        pieces += [Piece("·", " ")] if pieces else []
        pieces += _longest(word, vocabulary)
    return Trained(tuple(picks), tuple(pieces))


def unigram(words: Mapping[str, int], size: int, sentence: str) -> Trained:
    """Train Unigram and cut by the likeliest pieces; it makes no merges, so it has no picks."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=size, unk_token=UNKNOWN, special_tokens=[UNKNOWN], show_progress=False
    )
    tokenizer.train_from_iterator(
        (word for word, count in words.items() for _ in range(count)), trainer
    )
    found = tokenizer.encode(" ".join(sentence.split()))
    pieces = [
        Piece(UNKNOWN if token_id == 0 else token, _spaces(token, first=number == 0))
        for number, (token, token_id) in enumerate(zip(found.tokens, found.ids, strict=True))
    ]
    return Trained((), tuple(pieces))


def _piece(shown: str, text: str, known: set[str]) -> Piece:
    unknown = len(text) == 1 and text not in known and text != " "
    return Piece(UNKNOWN if unknown else shown, text)


def _spaces(symbol: str, *, first: bool) -> str:
    """Return what a symbol covers; no space stands before the first word."""
    text = symbol.replace(SPACE, " ")
    return text.removeprefix(" ") if first else text


def _longest(word: str, vocabulary: set[str]) -> list[Piece]:
    """Take the longest known beginning again and again; a word with an unknown part is lost."""
    pieces: list[Piece] = []
    at = 0
    while at < len(word):
        mark = INSIDE if at else ""
        for end in range(len(word), at, -1):
            if mark + word[at:end] in vocabulary:
                pieces.append(Piece(mark + word[at:end], word[at:end]))
                at = end
                break
        else:
            return [Piece(UNKNOWN, word)]
    return pieces

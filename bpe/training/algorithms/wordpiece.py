"""WordPiece: words at white space and signs, symbols that are marked inside a word."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import regex

from bpe.algorithm import wordpiece
from bpe.algorithm.films import LONGEST_WORD, Cut, Film, by_longest
from bpe.encoders.base import Encoder
from bpe.progress import OnProgress
from bpe.training.algorithms.base import Learner, Step, Words
from bpe.training.algorithms.pieces import CutTwice, between_spaces

_WORD = regex.compile(r"[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+")


class WordPiece(CutTwice):
    """WordPiece, which encodes by the longest piece that fits."""

    asks = CutTwice.asks | {"score"}
    learners = ("naive", "compiled")
    small = small_if_cached = 3_000  # of plain Python the naive learner alone
    usual_unknown = "[UNK]"

    def pieces(self, text: str) -> Iterable[str]:
        return between_spaces(text, None)

    def words_of(self, piece: str) -> list[str]:
        words: list[str] = _WORD.findall(piece)
        return words

    def learn(self, words: Words, learner: Learner, on_progress: OnProgress) -> Iterator[Step]:
        recipe = replace(self.recipe, unknown=self.unknown)
        self.begin_with(wordpiece.initial_vocabulary(words, recipe))
        if learner == "naive":
            return wordpiece.learn(words, recipe)
        from bpe.compiled.train import symbols  # only here: its kernels take long

        return symbols.learn_pieces(words, recipe, on_progress)

    def model(self, merges: Sequence[Any]) -> dict[str, Any]:
        return {
            "type": "WordPiece",
            "unk_token": self.unknown,
            "continuing_subword_prefix": wordpiece.INSIDE,
            "max_input_chars_per_word": LONGEST_WORD,
            "vocab": self.vocabulary,
        }

    def film(
        self, tokenizer: Encoder, merges: Sequence[Any], words: Words | None = None
    ) -> Film | None:
        since: dict[str, int] = {}
        for step, merge in enumerate(merges, start=1):
            since.setdefault(merge.new, step)
        symbols = tuple(entry for entry in self.entries(tokenizer) if entry not in since)
        since |= dict.fromkeys(set(symbols).difference(self.fixed), 0)
        longest = max(map(len, since), default=0)

        def cuts(words: Sequence[str]) -> list[list[Cut]]:
            word_cuts = (by_longest(word, since, wordpiece.INSIDE, longest) for word in words)
            return [cut or [(0, [word])] for word, cut in zip(words, word_cuts, strict=True)]

        return Film(symbols, cuts, wordpiece.INSIDE)

    def around(self) -> tuple[dict[str, Any], dict[str, Any]]:
        decoder = {"type": "WordPiece", "prefix": wordpiece.INSIDE, "cleanup": True}
        return {"type": "BertPreTokenizer"}, decoder


ALGORITHM = WordPiece

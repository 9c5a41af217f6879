"""WordPiece: words at white space and signs, symbols that are marked inside a word."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import regex

from bpe.algorithm import wordpiece
from bpe.algorithm.films import LONGEST_WORD, Cut, Film, by_longest
from bpe.encoders.base import Encoder
from bpe.progress import OnProgress
from bpe.text.pretokenize import count_pieces
from bpe.training.algorithms.base import Learner, Learning, Words
from bpe.training.algorithms.pieces import MergedPieces, OfPieces

_WORD = regex.compile(r"[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+")


class WordPiece(OfPieces):
    """WordPiece, which encodes by the longest piece that fits."""

    asks = OfPieces.asks | {"score"}
    learners = ("naive", "compiled")
    small = small_if_cached = 3_000  # of plain Python the naive learner alone
    usual_unknown = "[UNK]"

    def split(self, text: str) -> Iterable[str]:
        return chain.from_iterable(map(_WORD.findall, text.split()))

    def count_words(
        self, texts: Iterable[str], tell: OnProgress, learner: Learner | None, threads: int | None
    ) -> Words:
        recipe = self.recipe
        between = count_pieces(
            texts, str.split, recipe.special_tokens, recipe.normalisation, tell
        )  # white space, whose different pieces are cut further once
        counts: dict[str, int] = {}
        for piece, number in between.items():
            for word in _WORD.findall(piece):
                counts[word] = counts.get(word, 0) + number
        return counts

    def learn(self, words: Words, learner: Learner, on_progress: OnProgress) -> Learning:
        recipe = replace(self.recipe, unknown=self.unknown)
        steps = wordpiece.learn(words, recipe)
        if learner != "naive":
            from bpe.compiled.train import symbols  # only here: its kernels take long

            steps = symbols.learn_pieces(words, recipe, on_progress)
        return MergedPieces(self, wordpiece.initial_vocabulary(words, recipe), steps, self._model)

    def _model(self, vocabulary: Mapping[str, int], merges: Sequence[Any]) -> dict[str, Any]:
        return {
            "type": "WordPiece",
            "unk_token": self.unknown,
            "continuing_subword_prefix": wordpiece.INSIDE,
            "max_input_chars_per_word": LONGEST_WORD,
            "vocab": vocabulary,
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

"""The rounds of BPE on a handful of words, every step kept so that it can be shown."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, cast

from bpe.algorithm.basic import TieBreak, best_pair, count_pairs, merge_pair
from bpe.text.readable import readable

EXAMPLE = "low lower lowest 看路 看天 看路灯 路灯"
LONGEST = 600
ROUNDS = 60


@dataclass(frozen=True)
class Round:
    """The words at the start of a round, what was counted, and the pair that was chosen."""

    words: list[tuple[list[Any], int]]
    counts: dict[tuple[Any, Any], int]
    pair: tuple[Any, Any]

    @staticmethod
    def show(symbol: Any) -> str:
        """Return a symbol as a reader sees it."""
        return readable(symbol) if isinstance(symbol, bytes) else str(symbol)


def rounds(text: str, unit: str, tie_break: str) -> list[Round]:
    """Run BPE on the words of ``text``; the last round holds the words when nothing is left.

    ``unit`` is ``"characters"`` (a mark ``</w>`` ends each word) or ``"bytes"``.
    """
    words: list[tuple[list[Any], int]] = []
    for word, count in Counter(text.split()).items():
        if unit == "bytes":
            data = word.encode("utf-8", "replace")
            words.append(([data[at : at + 1] for at in range(len(data))], count))
        else:
            words.append(([*word, "</w>"], count))
    done: list[Round] = []
    while (counts := count_pairs(words)) and len(done) < ROUNDS:
        pair = best_pair(counts, cast(TieBreak, tie_break), lambda symbol: symbol)
        done.append(Round(words, counts, pair))
        merged = pair[0] + pair[1]
        words = [(merge_pair(symbols, pair, merged), count) for symbols, count in words]
    return [*done, Round(words, {}, ("", ""))]

"""The byte-level learner that recounts every pair in every round.

It is the definition of right: the three functions of :mod:`bpe.algorithm.pairs` in a loop. Its
time is merges × corpus, so use it to check the others and to teach, not for real corpora.
"""

from collections.abc import Iterator, Mapping

from bpe.algorithm.pairs import best_pair, count_pairs, merge_pair
from bpe.training.recipe import BYTES, Merge, Recipe


def learn(word_counts: Mapping[bytes, int], recipe: Recipe) -> Iterator[Merge]:
    """Yield the merges of a corpus, most frequent pair first.

    ``word_counts`` maps the bytes of each pre-token to its number of occurrences
    (:func:`bpe.training.pretokenize.count_words`).
    """
    words = [(list(word), count) for word, count in word_counts.items()]
    spelling = {byte: bytes([byte]) for byte in range(BYTES)}
    new_id = recipe.first_merge_id
    limit = recipe.merge_limit
    while limit is None or new_id < recipe.first_merge_id + limit:
        counts = count_pairs(words)
        if not counts:
            return
        pair = best_pair(counts, recipe.tie_break, spelling=spelling.__getitem__)
        if counts[pair] < recipe.min_frequency:
            return
        spelling[new_id] = spelling[pair[0]] + spelling[pair[1]]
        words = [(merge_pair(symbols, pair, new_id), count) for symbols, count in words]
        yield Merge(*pair, new_id, counts[pair])
        new_id += 1

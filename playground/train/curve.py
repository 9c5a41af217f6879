"""How the tokens grow: bytes per token after each merge."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from bpe.algorithm import character, incremental
from bpe.algorithm.character import CharacterTokenizer
from bpe.analysis.metrics import count_hanzi
from bpe.encoders.tokenizer import Tokenizer
from bpe.training import pretokenize


def measure(
    tokenizer: Tokenizer | CharacterTokenizer,
    texts: Sequence[str],
    on_progress: Callable[[], object],
) -> pd.DataFrame:
    """Return bytes per token over the merges, pre-tokens with 汉字 and without apart.

    The columns are ``merges``, ``script`` ("zh" or "other") and ``bytes_per_token``.
    ``on_progress`` is called now and then; it may raise to stop the work.
    """
    recipe = tokenizer.recipe
    merges: list[tuple[Any, Any, Any]]
    words: list[tuple[Sequence[Any], int, str]]
    if isinstance(tokenizer, CharacterTokenizer):
        merges = [(merge.left, merge.right, merge.new) for merge in tokenizer.merges]
        words = [
            (character.split_word(word, recipe), count, word)
            for word, count in character.count_words(texts, recipe).items()
        ]
    else:
        merges = [(merge.left, merge.right, merge.new_id) for merge in tokenizer.merges]
        counts = pretokenize.count_words(
            texts,
            recipe.pattern,
            special_tokens=recipe.special_tokens,
            normalisation=recipe.normalisation,
        )
        words = [(list(word), count, word.decode()) for word, count in counts.items()]
    rows = []
    steps = sorted({round(len(merges) * step / 120) for step in range(121)})
    for script in ("zh", "other"):
        chosen = [word for word in words if (count_hanzi(word[2]) > 0) == (script == "zh")]
        size = sum(len(text.encode()) * count for _symbols, count, text in chosen)
        if not size:
            continue
        tokens = []
        for left in incremental.token_counts([word[:2] for word in chosen], merges):
            tokens.append(left)
            if len(tokens) % 2_000 == 0:
                on_progress()
        rows += [(step, script, size / tokens[step]) for step in steps]
    return pd.DataFrame(rows, columns=["merges", "script", "bytes_per_token"])

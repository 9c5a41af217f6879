"""Run every kernel once on a few words, so that all of them are compiled."""

from bpe.kernels.counting import count_words
from bpe.kernels.learner import learn
from bpe.pairs import TIE_BREAKS
from bpe.recipe import Recipe

_TEXT = "low lower 低 newest widest\n"


def run_every_kernel() -> None:
    """Count, learn and encode. Counting a text of two chunks joins the tables of two threads."""
    words = count_words([_TEXT * 80_000], "gpt2")
    for tie_break in TIE_BREAKS:
        list(learn(words, Recipe(tie_break=tie_break, merges=5)))

"""Run every kernel once on a few words, so that all of them are compiled."""

from bpe.kernels.counting import count_words
from bpe.kernels.encoder import RankEncoder
from bpe.kernels.learner import learn
from bpe.pairs import TIE_BREAKS
from bpe.recipe import Recipe

_TEXT = "low lower 低 newest widest\n"


def run_every_kernel() -> None:
    """Count, learn and encode. Counting a text of two chunks joins the tables of two threads."""
    words = count_words([_TEXT * 80_000], "gpt2")
    for tie_break in TIE_BREAKS:
        merges = list(learn(words, Recipe(tie_break=tie_break, merges=5)))
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"unreached": 256}
    for encoder in (
        RankEncoder.from_merges(merges, "gpt2"),
        RankEncoder.from_ranks(ranks, "gpt2"),
    ):
        encoder.encode(_TEXT)

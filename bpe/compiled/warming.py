"""Run every kernel once on a few words, so that all of them are compiled.

What is imported for training is imported only there: loading what encodes is what a fresh process
waits for.
"""

import numpy as np

from bpe.algorithm.recipe import TIE_BREAKS, Merge, Recipe
from bpe.compiled import Part

# Enough different words for the tables to grow, and enough text for two threads.
_TEXT = "low lower 低 newest widest\n" + " ".join(map(str, range(10_000)))


def compile_and_keep(part: Part) -> None:
    """Compile a part, and note that it is on disk; one process at a time."""
    from bpe.compiled import on_disk

    with on_disk.alone(part):
        run_every_kernel(part)
        on_disk.keep_list(part)


def run_every_kernel(part: Part) -> None:
    """Run every kernel of a part."""
    _encode() if part == "encode" else _train()


def _encode() -> None:
    from bpe.compiled.encode.decoder import CompiledDecoder
    from bpe.compiled.encode.encoder import CompiledEncoder
    from bpe.compiled.scanner import pre_token_ends
    from bpe.compiled.unicode_classes import class_table

    ranks = {bytes([byte]): byte for byte in range(256)} | {b"unreached": 256}
    for encoder in (
        CompiledEncoder.from_merges([Merge(108, 111, 256, 1)], "gpt2"),
        CompiledEncoder.from_ranks(ranks, "gpt2"),
    ):
        ids = encoder.encode_to_numpy(_TEXT)
    text = np.frombuffer(_TEXT.encode(), np.uint8)
    pre_token_ends(0, text, 1_000, class_table(), np.empty(1_000, np.int64))
    CompiledDecoder(b"x" * 300, range(301), ()).joined(ids.tolist())


def _train() -> None:
    from bpe.compiled.train.counting import CHUNK_CHARACTERS, count_words
    from bpe.compiled.train.learner import learn
    from bpe.encoders.byte_pair import BytePairEncoder, MergeList
    from bpe.training.extend import BaseTokenizer

    words = count_words([_TEXT] * (1 + 2 * CHUNK_CHARACTERS // len(_TEXT)), "gpt2")
    for tie_break in TIE_BREAKS:
        merges = list(learn(words, Recipe(tie_break=tie_break, merges=5)))
    start = BaseTokenizer(BytePairEncoder("", MergeList(merges), "gpt2"), Recipe(merges=1))
    list(learn(words, start.recipe, start=start))

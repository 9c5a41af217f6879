"""Run every kernel once on a few words, so that all of them are compiled.

What is imported for training is imported only there: loading what encodes is what a fresh process
waits for.
"""

import numpy as np

from bpe.algorithm.recipe import TIE_BREAKS, Merge, Recipe
from bpe.compiled import compiling, loading
from bpe.compiled.loading.cache import CACHE

# Enough different words for the tables to grow, and enough text for two threads.
_TEXT = "low lower 低 newest widest\n" + " ".join(map(str, range(10_000)))
_MERGES = [Merge(108, 111, 256, 1)]


def compile_and_write(part: loading.Part) -> None:
    """Compile a part and write its file, unless another process was faster."""
    with CACHE.alone(part):
        if loading.cached(part) is None:
            from bpe.compiled.loading import writing
            from bpe.compiled.unicode_classes import class_table

            run_every_kernel(part)
            writing.write(part, compiling.kernels, {"classes": class_table().tobytes()})


def run_every_kernel(part: loading.Part) -> None:
    _encode() if part == "encode" else _train()


def _encode() -> None:
    from bpe.compiled.borders import no_borders
    from bpe.compiled.encode.decoder import CompiledDecoder
    from bpe.compiled.encode.encoder import CompiledEncoder
    from bpe.compiled.scanner import NO, NOTHING, piece_ends
    from bpe.compiled.unicode_classes import class_table

    ranks = {bytes([byte]): byte for byte in range(256)} | {b"unreached": 256}
    for encoder in (
        CompiledEncoder.from_merges(_MERGES, "gpt2"),
        CompiledEncoder.from_ranks(ranks, "gpt2"),
    ):
        ids = encoder.encode_to_numpy(_TEXT)
        encoder.encode_to_numpy(_TEXT * 12)  # with a large cache
    encoder.holds(_TEXT, b"<|")
    text = np.frombuffer(_TEXT.encode(), np.uint8)
    ends, rest = np.empty(1_000, np.int64), np.zeros(1, np.int64)
    piece_ends(0, text, 0, 1_000, class_table(), no_borders(), NO, rest, ends, NOTHING)
    CompiledDecoder(b"x" * 300, range(301), ()).joined(ids.tolist())


def _train() -> None:
    from bpe.compiled.encode.encoder import CompiledEncoder
    from bpe.compiled.train.counting import CHUNK_CHARACTERS, count_words
    from bpe.compiled.train.learner import Start, learn

    count_words([_TEXT], "gpt2")  # in one thread: Numba's types are no work for two at once
    words = count_words([_TEXT] * (1 + 2 * CHUNK_CHARACTERS // len(_TEXT)), "gpt2")
    for tie_break in TIE_BREAKS:
        list(learn(words, Recipe(tie_break=tie_break, merges=5)))
    spelled = [*(bytes([byte]) for byte in range(256)), b"lo"]
    encoder = CompiledEncoder.from_merges(_MERGES, "gpt2")
    list(learn(words, Recipe(), start=Start(encoder, spelled, first_id=257, limit=1)))

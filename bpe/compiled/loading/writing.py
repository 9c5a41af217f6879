"""Compiling a part, in a process of its own, and writing what is cached of it.

Every kernel is run once on a few words, so that all of them are compiled. What is imported for
training is imported only there: a process that cannot link loads the kernels of a part in this way.
"""

import gc
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from bpe.algorithm.recipe import TIE_BREAKS, Merge, Recipe
from bpe.compiled import compiling, loading
from bpe.compiled.loading.cache import CACHE, Entry
from bpe.compiled.loading.linking import link

# Enough different words for the tables to grow, and enough text for two threads.
_TEXT = "low lower 低 newest widest\n" + " ".join(map(str, range(10_000)))
_MERGES = [Merge(108, 111, 256, 1)]


def compile_and_write(*parts: loading.Part) -> None:
    """Compile parts and write a file of each, unless another process was faster.

    Where they are not linked Numba caches the kernels itself, and the file only says so. Called in
    a process that does nothing else: looking for cycles takes an eighth of compiling.
    """
    gc.disable()
    for part in parts:
        with CACHE.alone(part):
            if loading.cached(part) is None:
                run_every_kernel(part)
                if compiling.private is not None:
                    loading.write(part, linked(compiling.kernels))
                elif not loading.can_link:
                    loading.write(part, Entry({}, []))


def linked(kernels: Mapping[str, Any]) -> Entry:
    """Return kernels linked, with entries, by their names, as they were compiled for arguments."""
    from bpe.compiled.unicode_classes import class_table

    objects = [code for kernel in kernels.values() for code in kernel.objects()]
    symbols = [symbol for kernel in kernels.values() for symbol in kernel.symbols.values()]
    image = link(objects, symbols)
    entries = {
        name: {signature: image.symbols[symbol] for signature, symbol in kernel.symbols.items()}
        for name, kernel in kernels.items()
    }
    facts = {"entries": entries, "addresses": image.addresses, "imports": image.imports}
    classes = class_table().tobytes()  # it takes long to make
    arrays = [memoryview(image.code), memoryview(classes)]
    return Entry({**facts, "tables": ["classes"]}, arrays)


def run_every_kernel(part: loading.Part) -> None:
    _encode() if part == "encode" else _train()


def _encode() -> None:
    from bpe.compiled.characters import no_borders
    from bpe.compiled.encode import workspace
    from bpe.compiled.encode.encoder import CompiledEncoder
    from bpe.compiled.encode.text_encoder import CompiledDecoder
    from bpe.compiled.scanner import NO, NOTHING, piece_ends
    from bpe.compiled.unicode_classes import class_table

    workspace.PLENTY = 0  # else little free memory would leave a kernel out, for all who come later
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"unreached": 256}
    for encoder in (
        CompiledEncoder.from_merges(_MERGES, "gpt2"),
        CompiledEncoder.from_ranks(ranks, "gpt2"),
    ):
        ids = encoder.encode_to_numpy(_TEXT)
        encoder.encode_to_numpy(_TEXT * 12)  # with a large cache
    encoder.holds(_TEXT, (b"<|",))
    encoder.count_batch([_TEXT] * 12, threads=2)
    encoder.encode_batch_to_numpy([_TEXT] * 12, threads=2)
    encoder.spans(_TEXT, ids)
    CompiledEncoder.from_ranks(ranks, "none").count_batch([_TEXT * 12], threads=2)  # it is cut
    text = np.frombuffer(_TEXT.encode(), np.uint8)
    ends, rest = np.empty(1_000, np.int64), np.zeros(1, np.int64)
    piece_ends(0, text, 0, 1_000, class_table(), no_borders(), NO, rest, ends, NOTHING)
    CompiledDecoder(b"x" * 300, range(301), ()).joined(ids.tolist())


def _train() -> None:
    from bpe.algorithm import unigram
    from bpe.compiled import train
    from bpe.compiled.train.counting import CHUNK_CHARACTERS, count_words
    from bpe.compiled.train.learner import WORTH_A_THREAD, Start, learn
    from bpe.compiled.train.symbols import learn_characters

    count_words([_TEXT], "gpt2")  # in one thread: Numba's types are no work for two at once
    words = count_words([_TEXT] * (1 + 2 * CHUNK_CHARACTERS // len(_TEXT)), "gpt2")
    for tie_break in TIE_BREAKS:
        list(learn(words, Recipe(tie_break=tie_break, merges=5)))
    list(learn({b"ab" * WORTH_A_THREAD: 1}, Recipe(merges=1)))  # as a share for a thread
    # A vocabulary of bytes alone: what encodes with a real one is compiled with the other part.
    of_bytes: Any = SimpleNamespace(
        encode_words=lambda words: [(words.text.astype(np.int32), np.diff(words.offsets))]
    )
    spelled = [bytes([byte]) for byte in range(256)]
    list(learn(words, Recipe(), start=Start(of_bytes, spelled, first_id=256, limit=1)))
    list(learn_characters({"low": 1}, Recipe(algorithm="character-bpe", merges=1)))
    unigram.fit(unigram.Lattice({"low": 5, "lower": 2}, train), 1, lambda progress: None)

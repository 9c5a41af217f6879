"""Unigram beside SentencePiece: tokens of text that was not trained on, seconds, and memory.

``python -m benchmarks.unigram [FILES...] [--vocabulary N] [--megabytes N...]`` trains on 19 of 20
lines of each file, or of the corpora of :mod:`benchmarks.corpus`, or of so much of their beginning,
each in a process of its own, and encodes the others. The seconds are those of the processor.
"""

import argparse
import io
import resource
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

from benchmarks import corpus

TRAINERS = ("ours", "sentencepiece")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.unigram", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--vocabulary", type=int, default=32_000)
    parser.add_argument("--megabytes", nargs="*", type=int, default=[20])
    parser.add_argument("--trainer", choices=TRAINERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.trainer:
        _measure(options.trainer, options.files[0], options.megabytes[0], options.vocabulary)
        return
    paths = options.files or corpus.build().values()
    for path, megabytes, trainer in product(paths, options.megabytes, TRAINERS):
        command = [sys.executable, "-m", __spec__.name, str(path), "--trainer", trainer]
        numbers = ["--vocabulary", str(options.vocabulary), "--megabytes", str(megabytes)]
        subprocess.run([*command, *numbers], check=True)


def _measure(trainer: str, path: Path, megabytes: int, vocabulary: int) -> None:
    with path.open("rb") as file:
        lines = file.read(megabytes * 1_000_000).decode(errors="ignore").splitlines()
    seen, unseen = [line for at, line in enumerate(lines) if at % 20], lines[::20]
    began = time.process_time()
    encoded = (_ours if trainer == "ours" else _theirs)(seen, unseen, vocabulary, began)
    tokens = f"{sum(map(len, encoded)):,} tokens"
    print(f"{path.name}, {megabytes} MB, {trainer}: {tokens}", flush=True)


def _ours(seen: list[str], unseen: list[str], size: int, began: float) -> list[list[int]]:
    import bpe

    encoder = bpe.train(seen, bpe.Recipe(algorithm="unigram", vocabulary_size=size))
    _say(began)
    return encoder.encode_batch(unseen)


def _theirs(seen: list[str], unseen: list[str], size: int, began: float) -> list[list[int]]:
    import sentencepiece

    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(seen), model_writer=written, vocab_size=size, minloglevel=2,
        byte_fallback=True, normalization_rule_name="identity", max_sentence_length=1 << 20,
    )  # fmt: skip
    _say(began)
    ids: list[list[int]] = sentencepiece.SentencePieceProcessor(
        model_proto=written.getvalue()
    ).encode(unseen)
    return ids


def _say(began: float) -> None:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{time.process_time() - began:.1f} s, {most:,} MB; ", end="")


if __name__ == "__main__":
    main()

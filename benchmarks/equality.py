"""``python -m benchmarks.equality``: ids of every byte-level encoding beside the reference engine.

The texts are the corpora of :mod:`benchmarks.corpus`, 20 MB each; the reference is splintr, whose
ids were held against the vendors' own engines. Prints a row per text and encoding, and ends with
exit code 1 where ids differ.
"""

import sys
import unicodedata
from itertools import zip_longest

from splintr import Tokenizer

import bpe
from benchmarks import corpus
from bpe import compiled

_STEP = 1_000_000  # characters compared at once


def main() -> int:
    compiled.warm(background=False)
    paths = corpus.build()
    differing = 0
    print("| text | encoding | tokens | ids that differ |\n|---|---|---|---|")
    for name in ("zh", "en"):
        text = paths[name].read_text(encoding="utf-8")
        for entry in bpe.encodings():
            if entry.kind != "byte-level BPE" or entry.name == "gpt2":
                continue
            ours, theirs = bpe.encoding(entry.name), Tokenizer.from_pretrained(entry.name)
            tokens = different = 0
            for at in range(0, len(text), _STEP):
                part = text[at : at + _STEP]
                seen = unicodedata.normalize("NFC", part) if entry.normalises else part
                expected = theirs.encode_ordinary(seen)
                tokens += len(expected)
                different += sum(
                    a != b for a, b in zip_longest(ours.encode_ordinary(part), expected)
                )
            print(f"| {name} | {entry.name} | {tokens:,} | {different:,} |", flush=True)
            differing += different
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())

"""``python -m benchmarks.equality [DIR] [NAME…]``: our ids beside those of the vendors.

The texts are 5,000 hostile strings and the corpora of :mod:`benchmarks.corpus`, 20 MB each. The
reference is the vendor's own ``tokenizer.json``, run by Hugging Face tokenizers, where DIR has it
as ``NAME.json``; else splintr, whose ids were held against the vendors' own engines. NAMES are of
the catalogue, or files in DIR of other vendors, which are then read as ours and run as published
(default: all). Prints a row per text and encoding; ends with exit code 1 where ids differ.
"""

import json
import sys
import unicodedata
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

import tokenizers
from splintr import Tokenizer

import bpe
from benchmarks import corpus
from bpe import compiled
from bpe.cli.verify import Encode, compare, random_text
from bpe.encoders.catalog import Encoding
from bpe.text.unicode import scalar_text

_STEP = 1_000_000  # characters compared at once
_HOSTILE = 5_000


def _vendors(entry: Encoding, folder: Path | None) -> Encode | None:
    """Return what the vendor's file or splintr encodes ordinary text to."""
    file = folder / f"{entry.name}.json" if folder else None
    if file and file.exists():
        facts = json.loads(file.read_bytes())
        # In ordinary text nothing is special; SentencePiece has pieces that are never cut.
        never_cut = [] if entry.pattern else facts["added_tokens"]
        facts["added_tokens"] = [each for each in never_cut if not each["special"]]
        facts["post_processor"] = None
        if entry.normalises == "NFC":
            facts["normalizer"] = None  # of an older Unicode than Python's
        engine = tokenizers.Tokenizer.from_str(json.dumps(facts))

        def encode(text: str) -> list[int]:
            return engine.encode(text, add_special_tokens=False).ids

    elif entry.source == "splintr-rs":
        encode = Tokenizer.from_pretrained(entry.name).encode_ordinary
    else:
        return None
    if entry.normalises != "NFC":
        return encode
    return lambda text: encode(unicodedata.normalize("NFC", text))


def _pairs(folder: Path | None) -> Iterator[tuple[str, Encode, Encode]]:
    """Give the name, our encoding and theirs of each tokenizer that there is a reference for."""
    for entry in bpe.encodings():
        if theirs := _vendors(entry, folder):
            yield entry.name, bpe.encoding(entry.name).encode_ordinary, theirs
    known = {entry.name for entry in bpe.encodings()}
    for file in sorted(folder.glob("*.json")) if folder else ():
        if file.stem not in known:
            ours = partial(bpe.load(file).encode, allowed_special="all")
            yield file.stem, ours, _published(file)


def _published(file: Path) -> Encode:
    engine = tokenizers.Tokenizer.from_file(str(file))
    return lambda text: engine.encode(text, add_special_tokens=False).ids


def _texts() -> Iterator[tuple[str, list[str]]]:
    random = Random(24)
    yield "hostile", [scalar_text(random_text(random)) for _ in range(_HOSTILE)]
    for name, path in corpus.build().items():
        text = path.read_text(encoding="utf-8")
        if name in corpus.LANGUAGES:
            yield name, [text[at : at + _STEP] for at in range(0, len(text), _STEP)]


def main(arguments: list[str]) -> int:
    folder = Path(arguments.pop(0)) if arguments and Path(arguments[0]).is_dir() else None
    compiled.warm(background=False)
    pairs = list(_pairs(folder))
    differing = 0
    print("| text | encoding | strings | tokens | ids that differ |\n|---|---|---|---|---|")
    for name, texts in _texts():
        for encoding, ours, theirs in pairs:
            if arguments and encoding not in arguments:
                continue
            found = compare(ours, theirs, texts)
            differing += found["differ"]
            numbers = (f"{found[part]:,}" for part in ("strings", "ids", "differ"))
            row = name, encoding, *numbers
            print(f"| {' | '.join(row)} |", flush=True)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

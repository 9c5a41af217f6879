"""Going on from o200k_base against training from bytes, on the same text.

``python -m benchmarks.start [FILE]`` takes the Chinese corpus of :mod:`benchmarks.corpus`, or a
file; without either it makes 20 MB of nonsense that has the pairs of 汉字 of our samples.
"""

import random
import sys
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import bpe
from benchmarks.corpus import BUILD
from bpe import compiled
from bpe.documents import samples

MERGES = 8000
SIZE = 20_000_000


def nonsense(size: int) -> str:
    """Return about ``size`` bytes in which each two characters mostly stand so in our samples."""
    source = samples.corpus("zh")
    following: dict[str, list[str]] = defaultdict(list)
    for one, other in pairwise(source + source[:1]):
        following[one].append(other)
    draw = random.Random(1)
    last = source[0]
    made = []
    for _ in range(size * 2 // 5):  # 2.5 bytes a character
        last = draw.choice(following[last] if draw.random() < 0.9 else source)
        made.append(last)
    return "".join(made)


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else BUILD / "corpus" / "zh.txt"
    text = path.read_text(encoding="utf-8") if path.exists() else nonsense(SIZE)
    compiled.warm(background=False)
    start = bpe.encoding("o200k_base")
    recipe = bpe.Recipe(pattern="o200k", merges=MERGES, min_frequency=2)
    print(f"{len(text.encode()) / 1e6:.1f} MB from {path if path.exists() else 'chance'}")
    for name, options in (("bytes", {}), ("o200k_base", {"start": start})):
        began = time.perf_counter(), time.process_time()
        merges = len(bpe.train([text], recipe, **options).merges)
        wall, cpu = time.perf_counter() - began[0], time.process_time() - began[1]
        print(f"from {name}: {wall:.1f} s ({cpu:.1f} s of processors), {merges} merges")


if __name__ == "__main__":
    main()

"""How time grows: with the size of the corpus, and from the naive learner to the compiled one."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from bpe import compiled
from bpe.algorithm import incremental
from bpe.algorithm.recipe import Merge, Recipe
from bpe.compiled.train import counting
from bpe.compiled.train import learner as compiled_learner
from bpe.text import pretokenize
from bpe.training.algorithms.byte_bpe import learn_by_recounting

Learner = Callable[[Mapping[bytes, int], Recipe], Iterator[Merge]]
LEARNERS: dict[str, Learner] = {
    "naive": learn_by_recounting,
    "incremental": incremental.learn,
    "compiled": compiled_learner.learn,
}
_PATIENCE = 30.0  # seconds; a learner that took longer is not asked for more
_MERGES = 500


def learners_by_size(path: Path, sizes: list[int]) -> list[dict[str, object]]:
    """Time 500 merges by each learner on growing beginnings of a text; slow ones drop out."""
    compiled.warm(background=False)
    text = path.read_text(encoding="utf-8")
    rows: list[dict[str, object]] = []
    for name, learn in LEARNERS.items():
        for size in sizes:
            part = text.encode()[:size].decode("utf-8", "ignore")
            count = counting.count_words if name == "compiled" else pretokenize.count_words
            began = time.perf_counter()
            for _ in learn(count([part], "gpt2"), Recipe(merges=_MERGES)):
                if time.perf_counter() - began > _PATIENCE:
                    break
            seconds = time.perf_counter() - began
            if seconds > _PATIENCE:
                break
            rows.append({"learner": name, "megabytes": size / 1e6, "seconds": seconds})
    return rows


def slope(rows: list[dict[str, object]], learner: str) -> float:
    """Return the exponent of growth: 1 if twice the corpus takes twice the time.

    The least-squares slope of the logarithms, over corpora that take at least 50 ms.
    """
    points = [
        (math.log(float(str(row["megabytes"]))), math.log(float(str(row["seconds"]))))
        for row in rows
        if row["learner"] == learner and float(str(row["seconds"])) >= 0.05
    ]
    if len(points) < 2:
        return math.nan
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum(
        (x - mean_x) ** 2 for x, _ in points
    )

"""The first minute on a machine: ``python -m benchmarks.start``, on a copy without any caches.

Prints how long the kernels compile that encode, and how long all of them, and then, with the cache
empty again, what a program waits for that has just begun: its import, its first training on 100 KB
(in plain Python, as nothing is compiled yet), and the first one by compiled kernels, which are
compiled meanwhile; last the same in a new process, which finds all of it cached.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bpe
from bpe.documents import samples

_COMPILE = (
    "from bpe.compiled import loading; loading.compiles = True; "
    "from bpe.compiled.loading import writing; writing.compile_and_write(*{parts!r})"
)
_BEGIN = """
import sys, time
began = time.perf_counter()
def tell(what): print(f"{what}: {time.perf_counter() - began:.2f} s", flush=True)
import bpe
from bpe import compiled
tell("bpe is imported")
compiled.warm()
text = open(sys.argv[1], encoding="utf-8").read()
recipe = bpe.Recipe(vocabulary_size=500)
bpe.train([text], recipe)
tell("first training")
while not compiled.ready("train"): time.sleep(0.02)
bpe.train([text], recipe)
tell("first training by compiled kernels")
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "text.txt")
        source = samples.corpus("zh") + samples.corpus("en")
        text.write_text((source * (1 + 100_000 // len(source)))[:100_000], "utf-8")
        for parts in (("encode",), ("encode", "train")):
            seconds, processor = _run(Path(folder, "_".join(parts)), _COMPILE.format(parts=parts))
            compiled = f"compiled in {seconds:.1f} s ({processor:.1f} s of processors)"
            print(f"{' and '.join(parts)}: {compiled}")
        for what in ("nothing is cached", "all is cached"):
            print(f"\n{what}:", flush=True)
            _run(Path(folder, "begin"), _BEGIN, str(text))


def _run(cache: Path, code: str, *arguments: str) -> tuple[float, float]:
    """Run Python on a copy of ``bpe`` with its caches; return its seconds and processor seconds."""
    if not cache.exists():
        package, caches = Path(bpe.__file__).parent, shutil.ignore_patterns("__pycache__")
        shutil.copytree(package, cache / "bpe", ignore=caches)
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(cache)}
    before, began = _processor_seconds(), time.perf_counter()
    subprocess.run([sys.executable, "-P", "-c", code, *arguments], check=True, env=environment)
    return time.perf_counter() - began, _processor_seconds() - before


def _processor_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()

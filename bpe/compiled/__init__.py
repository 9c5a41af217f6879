"""The learner, the word counter and the encoder again, compiled to machine code by Numba.

There are two parts, ``"encode"`` and ``"train"``. Compiling one takes some seconds, once on a
machine; what is cached on disk is linked without Numba in a twentieth of a second
(:mod:`.loading`), or loaded by it in half a second. Encoders load theirs by themselves once there
is enough to encode, in the background where it has to be compiled; :func:`warm` does it early.
Until a part is :func:`ready` plain Python does the work, up to as much as compiling takes. Where
Numba cannot be imported nothing is :func:`available`: no module of this package must be imported.
"""

import contextlib
import os
import sys
import threading
import time
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bpe.compiled import loading
from bpe.compiled.loading import PARTS, Part, linked

__all__ = [
    "Part", "available", "cached", "is_linked", "prefer_this_processor", "ready", "ready_for",
    "spread", "warm",
]  # fmt: skip

WORTH_LOADING = 1_000_000
"""Letters of English, or a sixth of that in 汉字: plain Python encodes them in the half second in
which Numba loads the kernels from disk."""

WORTH_LINKING = 20_000
"""The same where kernels are linked, in some milliseconds."""

WORTH_COMPILING = 15_000_000
"""The same for the whole process: plain Python takes as much of the processor as compiling does."""

_COMPILING = "bpe.compiled.compiling"  # imported once it is decided whose kernels a process has

_ready = {part: threading.Event() for part in PARTS}
_failed: set[Part] = set()
_loading = {part: threading.Lock() for part in PARTS}
_asked = threading.Event()  # once, for the encoder to be loaded in the background
_plain_work = 0  # of all encoders of this process


def available() -> bool:
    """Return whether there are kernels here: linked ones, or Numba works.

    Where another process may still compile for this one, Numba is looked for, and not imported: it
    takes 190 MB, and what is cached by then is linked without it.
    """
    if loading.can_link and not loading.compiles and _COMPILING not in sys.modules:
        return any(map(loading.is_linked, PARTS)) or _is_installed("numba")
    return _can_import()


def _can_import() -> bool:
    try:
        import_module(_COMPILING)
    except Exception:  # a broken installation fails in more ways than ImportError
        return False
    return True


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ValueError:  # its import is forbidden
        return False


def ready(part: Part | None = None) -> bool:
    """Return whether a part (or all) is loaded, so that nothing here waits for the compiler."""
    return all(_ready[each].is_set() for each in ((part,) if part else PARTS))


def cached(part: Part) -> bool:
    """Return whether a part is ready or its machine code is on disk: no compiling is needed."""
    return ready(part) or loading.cached(part) is not None


def is_linked() -> bool:
    """Return whether kernels of this process are linked ones: they are loaded without Numba."""
    if _COMPILING not in sys.modules:
        return any(map(loading.is_linked, PARTS))
    return bool(import_module(_COMPILING).LINKED)


def ready_for(work: int, *, so_far: int = 0, has_tables: bool = False) -> bool:
    """Return whether the encoder is ready, after loading it if that is worth it.

    ``work`` is what is to be encoded, in the unit of :data:`WORTH_LOADING`, and ``so_far`` that of
    all texts until now. Enough work waits for kernels on disk, half a second at most, and so does
    little work where tables are cached: it needs no vocabulary then. Enough work so far has the
    kernels loaded in the background, and only as much as compiling them waits for the compiler.
    """
    global _plain_work
    _plain_work += work
    if ready("encode") or "encode" in _failed or not _is_worth(max(work, so_far), has_tables):
        return ready("encode")
    if _plain_work >= WORTH_COMPILING or (_is_worth(work, has_tables) and cached("encode")):
        warm(background=False, part="encode")
    elif max(work, so_far) >= WORTH_LINKING and not _asked.is_set():
        _asked.set()
        warm(part="encode")
    return ready("encode")


def _is_worth(work: int, has_tables: bool) -> bool:
    if work >= WORTH_LOADING:
        return True
    return (work >= WORTH_LINKING or has_tables) and loading.is_linked("encode")


def warm(background: bool = True, *, part: Part | None = None) -> None:
    """Compile the kernels of a part (or all) or load them from disk, once; later calls do nothing.

    In the background a thread does it and this returns at once; otherwise it returns when the
    kernels are ready. Does nothing where Numba is not available.
    """
    parts = (part,) if part else PARTS
    if ready(part):
        return
    if background:
        threading.Thread(target=_warm, args=parts, name="warm kernels", daemon=True).start()
    else:
        _warm(*parts)


def prefer_this_processor() -> None:
    """Take no kernels of a wheel, which are for many processors, where Numba can compile."""
    if _is_installed("numba"):
        loading.SHIPPED.folders.clear()


def spread() -> None:
    """Have the cached kernels beside the package as well, for other users of this machine."""
    for part in PARTS:
        if (entry := loading.cached(part)) is not None:
            loading.write(part, entry)


def _warm(*parts: Part) -> None:
    for number, part in enumerate(parts):
        with _loading[part]:
            if ready(part) or part in _failed:
                continue
            try:
                if available() and not cached(part):
                    _compile_elsewhere(*parts[number:])
                if available() and _can_import():
                    _load(part)
                    _ready[part].set()
                else:
                    _fail(part, _NOTHING_HERE)
            except Exception:  # a broken compiler fails in many ways, and all have a slow twin
                loading.clear_numba()
                _fail(part, "The kernels do not compile here; plain Python goes on.", exc_info=True)


_NOTHING_HERE = (
    "There are no compiled kernels here, and Numba, which compiles them, cannot be imported: plain "
    "Python does the work, hundreds of times as slowly. Install Numba, or run “bpe warm” where it "
    "is installed."
)


def _fail(part: Part, reason: str, **options: bool) -> None:
    """Give a part up in this process, and say why, once for all parts."""
    if not _failed:
        _logger().warning(reason, **options)
    _failed.add(part)


def _load(part: Part) -> None:
    if is_linked():
        loading.load(part)
    else:
        from bpe.compiled.loading import writing  # only here: Numba takes long

        writing.run_every_kernel(part)


linked.load_missing = partial(warm, background=False)


def _logger() -> Any:
    import logging  # only here: it takes long

    return logging.getLogger(__name__)


def _compile_elsewhere(*parts: Part) -> None:
    """Compile parts in another process, which leaves the machine code on disk for this one to load.

    Return when the first one is there. The compiler holds the GIL: in this process it would hold up
    every other thread for as long. Whatever goes wrong there, this process can still compile for
    itself.
    """
    import subprocess

    part = parts[0]
    _logger().warning(
        "Compiling what makes BPE fast (%s), once on this machine; plain Python works meanwhile.",
        {"encode": "encoding", "train": "training"}[part],
    )
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        compiler = _compilers.get(part)
        if compiler is None or compiler.poll() is not None:
            compiler = _started(parts)
        ends = time.monotonic() + _MOST_SECONDS
        while not cached(part) and compiler.poll() is None:
            if time.monotonic() > ends:
                compiler.kill()
            time.sleep(0.02)


_compilers: dict[Part, Any] = {}
"""The process that compiles a part, after others perhaps: what they share is compiled once."""

_MOST_SECONDS = 600


def _started(parts: tuple[Part, ...]) -> Any:
    """Return a process that compiles parts, one after the other."""
    import subprocess

    run = "import os; hasattr(os, 'nice') and os.nice(10); " + (
        "from bpe import sandbox; sandbox.be_ended_first(); "
        "from bpe.compiled import loading; loading.compiles = True; "
        f"from bpe.compiled.loading import writing; writing.compile_and_write(*{parts!r})"
    )
    paths = [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", run],  # a folder named bpe where it runs is not this
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _compilers.update(dict.fromkeys(parts, process))
    return process

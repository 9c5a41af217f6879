"""The learner, the word counter and the encoder again, compiled to machine code by Numba.

Importing this package is cheap. There are two parts, ``"encode"`` and ``"train"``. Compiling one
takes some ten seconds, once on a machine; what is kept on disk is linked without Numba in a
twentieth of a second (:mod:`.native`), or loaded by it in half a second. Encoders
load theirs by themselves once there is enough to encode, in the background where it has to be
compiled; :func:`warm` does it early. Until a part is :func:`ready` plain Python does the work.
Where Numba cannot be imported nothing here is :func:`available`, and the modules of this package
must not be imported.
"""

import contextlib
import os
import sys
import threading
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

__all__ = [
    "PADDING",
    "SCANNERS",
    "UNCUT",
    "Part",
    "available",
    "is_native",
    "kept",
    "prepare",
    "ready",
    "warm",
    "worth",
]

Part = Literal["encode", "train"]
PARTS: tuple[Part, ...] = ("encode", "train")

_ready = {part: threading.Event() for part in PARTS}
_asked = threading.Event()
_failed: set[Part] = set()
_warming = {part: threading.Lock() for part in PARTS}

WORTH_LOADING = 1_000_000
"""Letters of English, or a sixth of that in 汉字: plain Python encodes them in the half second in
which Numba loads the kernels from disk."""

WORTH_COPYING = 20_000
"""The same where they are ready without Numba, in some milliseconds."""

SCANNERS = {
    "gpt2": 0,
    "cl100k": 1,
    "o200k": 2,
    "llama3": 3,
    "qwen2": 4,
    "deepseek_v3": 5,
    "kimi_k2": 6,
    "mistral_v3": 7,
}
"""The split patterns that have a compiled scanner, and its number."""

UNCUT = len(SCANNERS)
"""The scanner of texts that are cut already."""

PADDING = 16
"""Bytes that follow each text, as kernels read some more than there are."""


def available() -> bool:
    """Return whether there are kernels here: kept ones, or Numba works.

    Where another process may still compile for this one, Numba is looked for, and not imported: it
    takes 190 MB, and what is kept by then is linked without it.
    """
    return _is_installed("numba") if _is_open() else _is_imported()


def _is_open() -> bool:
    """Return whether it is still to be decided if kernels are linked, or loaded by Numba."""
    from bpe.compiled import native

    decided = "bpe.compiled.compiling" in sys.modules
    return (
        native.supported and native.wanted and not decided and not any(map(native.is_kept, PARTS))
    )


@cache
def _is_imported() -> bool:
    try:
        import_module("bpe.compiled.compiling")
    except Exception:  # a broken installation fails in more ways than ImportError
        return False
    return True


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ValueError:  # it is kept from being imported
        return False


def ready(part: Part | None = None) -> bool:
    """Return whether a part (or all) is loaded, so that nothing here waits for the compiler."""
    return all(_ready[each].is_set() for each in ((part,) if part else PARTS))


def kept(part: Part) -> bool:
    """Return whether a part is ready or its machine code is on disk: no compiling is needed."""
    if ready(part) or _is_open() or not available():
        return ready(part)
    from bpe.compiled import native
    from bpe.compiled.compiling import NATIVE

    return native.is_kept(part) if NATIVE else bool(_numba("on_disk").is_kept(part))


def _numba(name: str) -> Any:
    """Return a module of this package that imports Numba."""
    return import_module(f"bpe.compiled.{name}")


def worth(work: int) -> bool:
    """Return whether the encoder is ready; where so much work is worth it, begin to load it.

    ``work`` is in the unit of :data:`WORTH_LOADING`. It is loaded in the background: whoever asks
    goes on in plain Python meanwhile.
    """
    if not ready("encode") and _is_enough(work) and not _asked.is_set():
        _asked.set()
        warm(part="encode")
    return ready("encode")


def prepare(work: int, *, has_tables: bool = False) -> bool:
    """Return whether the encoder is ready; where so much work is worth it, wait until it is loaded.

    That is half a second at most. Where it would have to be compiled, this waits for nothing. What
    ``has_tables`` on disk needs no vocabulary then, so that it is always worth some milliseconds.
    """
    if not ready("encode") and (_is_enough(work) or (has_tables and _is_quick())):
        if kept("encode"):
            warm(background=False, part="encode")
        else:
            worth(work)
    return ready("encode")


def _is_enough(work: int) -> bool:
    if "encode" in _failed:
        return False
    return work >= WORTH_LOADING or (work >= WORTH_COPYING and _is_quick())


def _is_quick() -> bool:
    from bpe.compiled import native

    return "encode" not in _failed and is_native() and native.is_kept("encode")


def is_native() -> bool:
    """Return whether kernels of this process are loaded without Numba."""
    from bpe.compiled import native

    if not native.supported or _is_open() or not available():
        return False
    from bpe.compiled.compiling import NATIVE

    return NATIVE


def warm(background: bool = True, *, part: Part | None = None) -> None:
    """Compile the kernels of a part (or all) or load them from disk, once; later calls do nothing.

    In the background a thread does it and this returns at once; otherwise it returns when the
    kernels are ready. Does nothing where Numba is not available.
    """
    parts = (part,) if part else PARTS
    if ready(part):
        return
    if background:
        threading.Thread(target=_warm_once, args=parts, name="warm kernels", daemon=True).start()
    else:
        _warm_once(*parts)


def _warm_once(*parts: Part) -> None:
    for part in parts:
        with _warming[part]:
            if ready(part) or not available():
                continue
            try:
                if not kept(part):
                    _compile_elsewhere(part)
                if not _is_imported():
                    continue
                _load(part)
            except Exception:  # a broken compiler fails in many ways, and all have a slow twin
                _failed.add(part)
                _warn("The kernels do not compile here; plain Python goes on.", exc_info=True)
            else:
                _ready[part].set()


def _warn(message: str, *values: object, exc_info: bool = False) -> None:
    import logging

    logging.getLogger(__name__).warning(message, *values, exc_info=exc_info)


def _load(part: Part) -> None:
    from bpe.compiled import native
    from bpe.compiled.compiling import NATIVE

    if not NATIVE:
        _numba("warming").run_every_kernel(part)
        return
    try:
        native.load(part)
    except native.DamagedError:
        _compile_elsewhere(part)
        native.load(part)


def _compile_elsewhere(part: Part) -> None:
    """Compile in another process, which leaves the machine code on disk for this one to load.

    The compiler holds the GIL: in this process it would hold up every other thread for as long.
    Whatever goes wrong there, this process can still compile for itself.
    """
    import subprocess

    _warn(
        "Compiling what makes BPE fast (%s), once on this machine; plain Python works meanwhile.",
        {"encode": "encoding", "train": "training"}[part],
    )
    run = "import os; hasattr(os, 'nice') and os.nice(10); " + (
        "from bpe.compiled import native; native.wanted = False; "
        f"from bpe.compiled import warming; warming.compile_and_keep({part!r})"
    )
    paths = [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        subprocess.run(
            [sys.executable, "-P", "-c", run],  # a folder named bpe where it runs is not this one
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=600,
        )

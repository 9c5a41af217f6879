"""The learner, the word counter and the encoder again, compiled to machine code by Numba.

Importing this package is cheap. Compiling takes half a minute the first time, and loading what was
kept on disk two seconds: call :func:`warm` early, in the background, and use the plain Python
learners until :func:`ready`. Where Numba cannot be imported nothing here is :func:`available`, and
the modules of this package must not be imported.
"""

import contextlib
import logging
import os
import subprocess
import sys
import threading
from functools import cache
from importlib import import_module
from pathlib import Path

__all__ = ["available", "ready", "warm", "worth"]

_log = logging.getLogger(__name__)
_ready = threading.Event()
_asked = threading.Event()

WORTH_LOADING = 500_000
"""Characters that plain Python encodes in the time in which kernels are loaded from disk."""
_warming = threading.Lock()


@cache
def available() -> bool:
    """Return whether Numba works here. The first call imports it, which takes a moment."""
    try:
        import_module("bpe.compiled.compiling")
    except Exception:  # a broken installation fails in more ways than ImportError
        return False
    return True


def ready() -> bool:
    """Return whether every kernel is compiled, so that nothing here waits for the compiler."""
    return _ready.is_set()


def worth(characters: int) -> bool:
    """Return :func:`ready`; where so many characters are worth it, have the kernels loaded."""
    if not ready() and characters >= WORTH_LOADING and not _asked.is_set():
        _asked.set()
        warm()
    return ready()


def warm(background: bool = True) -> None:
    """Compile every kernel or load it from disk, once; later calls do nothing.

    In the background a thread does it and this returns at once; otherwise it returns when the
    kernels are ready. Does nothing where Numba is not available.
    """
    if ready():
        return
    if background:
        threading.Thread(target=_warm_once, name="warm kernels", daemon=True).start()
    else:
        _warm_once()


def _warm_once() -> None:
    with _warming:
        if ready() or not available():
            return
        _compile_elsewhere()
        try:
            import_module("bpe.compiled.warming").run_every_kernel()
        except Exception:  # a broken compiler fails in many ways, and all have a slow twin
            _log.warning("The kernels do not compile here; plain Python goes on.", exc_info=True)
        else:
            _ready.set()


def _compile_elsewhere() -> None:
    """Compile in another process, which leaves the machine code on disk for this one to load.

    The compiler holds the GIL: in this process it would hold up every other thread for as long.
    Whatever goes wrong there, this process can still compile for itself.
    """
    run = "import os; hasattr(os, 'nice') and os.nice(10); " + (
        "from bpe.compiled import warming; warming.run_every_kernel()"
    )
    paths = [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        subprocess.run(
            [sys.executable, "-c", run],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=600,
        )

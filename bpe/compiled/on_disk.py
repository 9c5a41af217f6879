"""Whether the machine code of a part is on disk, so that it can be loaded at once.

A list beside the kept kernels names their files and sizes, and what they were compiled by. One
process compiles at a time: others wait for it, and find everything there.
"""

import contextlib
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
import numba

from bpe.compiled import Part, exporting, native
from bpe.compiled.compiling import caches
from bpe.compiled.kernel_cache import KernelCache


def is_kept(part: Part) -> bool:
    """Return whether all files of a part are there, compiled from this package for this machine."""
    path = _list_of(part)
    if path is None:
        return False
    try:
        listed = json.loads(path.read_bytes())
        return bool(listed) and all(
            Path(file).stat().st_size == size for file, size in listed.items()
        )
    except (OSError, ValueError, AttributeError):
        return False


def keep_list(part: Part) -> None:
    """Write down which files the kernels that were compiled so far are kept in."""
    path = _list_of(part)
    if path is None:
        return
    listed = {str(file): file.stat().st_size for cache in caches for file in cache.files()}
    for old in path.parent.glob(f"{part}-*.kept"):
        old.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        path.write_text(json.dumps(listed))
        if native.supported:
            exporting.keep_bundle(part, {cache.name: cache.objects() for cache in caches})


@contextlib.contextmanager
def alone(part: Part) -> Iterator[None]:
    """Wait until no other process compiles this part."""
    path = _list_of(part)
    try:
        import fcntl

        file: Any = open(path.with_suffix(".lock"), "w") if path else contextlib.nullcontext()  # noqa: SIM115
    except (ImportError, OSError):
        yield
        return
    with file:
        if path:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _list_of(part: Part) -> Path | None:
    """Return where the list of a part is; ``None`` where no kernel can be kept."""
    try:
        folder = Path(KernelCache(_list_of, None).cache_path)
    except RuntimeError:
        return None
    libraries = numba.__version__, sys.version, llvm.get_host_cpu_name(), sys.platform
    made_by = repr((native.package_stamp(), *libraries))
    return folder / f"{part}-{hashlib.sha256(made_by.encode()).hexdigest()[:16]}.kept"

"""Machine code kept on disk, as Numba keeps it, that survives damage and a full disk.

Numba takes what it finds: a file cut short or overwritten fails each later load, for good. Here
each file carries a checksum, and a damaged one counts as missing, so that the kernel is compiled
and written again. One that cannot be written is used all the same.
"""

import contextlib
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile

from bpe import trusted
from bpe.compiled import native

_CHECKSUM = hashlib.sha256().digest_size


class KernelCache(FunctionCache):
    """What is kept of one kernel. ``stamp`` is kept with it: another one renews it."""

    def __init__(self, function: Callable[..., Any], stamp: object) -> None:
        super().__init__(function)
        self.name = f"{function.__module__}.{function.__qualname__}"
        self._stamp = hashlib.sha256(repr(stamp).encode()).hexdigest()[:16]
        self._cache_file = _CheckedFile(self.cache_path, self._impl.filename_base, stamp)

    def files(self) -> list[Path]:
        """Return the files with the machine code of the kernel, one for each signature."""
        return sorted(Path(self.cache_path).glob(f"{self._impl.filename_base}.*.nbc"))

    def objects(self) -> list[Path]:
        """Return the files with its object code; see :mod:`bpe.compiled.exporting`."""
        return sorted(Path(self.cache_path).glob(f"{self._impl.filename_base}.{self._stamp}.*.o"))

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write a compiled kernel, if there is a place for it."""
        with contextlib.suppress(OSError):
            super().save_overload(signature, result)
            if native.supported:
                self._save_object(result)

    def _save_object(self, result: Any) -> None:
        from bpe.compiled import exporting

        folder, current = Path(self.cache_path), set(self.objects())
        for old in folder.glob(f"{self._impl.filename_base}.*.o"):
            if old not in current:
                old.unlink(missing_ok=True)
        stem = f"{self._impl.filename_base}.{self._stamp}.{len(current) + 1}"
        exporting.save_object(result, folder / f"{stem}.o")


class _CheckedFile(IndexDataCacheFile):
    """The index and the machine code of one kernel; the checksum stands behind the pickle."""

    def _dump(self, value: Any) -> bytes:
        data: bytes = super()._dump(value)
        return data + hashlib.sha256(data).digest()

    def _load_index(self) -> Any:
        if not trusted.is_trusted(Path(self._index_path)):  # a pickle, which may run anything
            return {}
        try:
            return super()._load_index()
        except Exception:  # what is no pickle fails in many ways
            return {}

    def _load_data(self, name: str) -> Any:
        path = Path(self._data_path(name))
        if not trusted.is_trusted(path):
            raise OSError(f"{name} may have been written by others")
        data = path.read_bytes()
        if hashlib.sha256(data[:-_CHECKSUM]).digest() != data[-_CHECKSUM:]:
            raise OSError(f"{name} is damaged")  # as if it were missing
        return super()._load_data(name)

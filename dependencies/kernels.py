"""``python -m dependencies.kernels``: compile the kernels that a wheel for x86-64 Linux brings.

They lie in ``bpe/compiled/shipped`` when this has ended, and belong into a wheel of that platform::

    python -m dependencies.kernels
    pip wheel --no-deps . --config-settings=--build-option=--plat-name=manylinux_2_17_x86_64
"""

import os
from pathlib import Path

from bpe.compiled import loading


def ship() -> list[Path]:
    """Copy the compiled kernels of this process to where a wheel has them; return the files."""
    (folder,) = loading.SHIPPED.folders
    for part in loading.PARTS:
        entry = loading.cached(part)
        if entry is None or "entries" not in entry.facts:
            raise SystemExit(f"The kernels of “{part}” cannot be linked here.")
        loading.SHIPPED.write(loading.shipped_name(part), entry.arrays, entry.facts, most=1)
    return sorted(folder.glob("*.kernels"))


def main() -> None:
    """Compile for the processors that :data:`bpe.compiled.loading.PROCESSOR` names."""
    os.environ |= {"NUMBA_CPU_NAME": loading.PROCESSOR, "NUMBA_CPU_FEATURES": ""}
    from bpe import compiled  # only here: it compiles for what these say

    compiled.warm(background=False)
    for file in ship():
        print(f"{file.name}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

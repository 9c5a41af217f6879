"""Kept machine code: loaded again, and compiled again where its file is damaged."""

import importlib.util
import shutil
from pathlib import Path

import pytest
from numba.core.caching import IndexDataCacheFile

from bpe.compiled import compiling

KERNEL = """
from bpe.compiled.compiling import kernel

@kernel
def twice(number):
    return 2 * number
"""


def run(directory: Path) -> int:
    """Run the kernel in a fresh module; return how many compiled kernels came from the disk."""
    spec = importlib.util.spec_from_file_location("small_kernel", directory / "small_kernel.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.twice(21) == 42
    return sum(module.twice.stats.cache_hits.values())


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory):
    directory = tmp_path_factory.mktemp("kernel")
    (directory / "small_kernel.py").write_text(KERNEL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("numba.config.CACHE_DIR", "")
        patch.setattr(compiling, "NATIVE", False)
        assert run(directory) == 0
        yield directory


def test_it_is_loaded_the_next_time(compiled_once):
    assert run(compiled_once) == 1


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: bytes(len(data)),
        lambda data: data[: len(data) // 2] + bytes(100) + data[len(data) // 2 + 100 :],
    ],
    ids=["empty", "truncated", "zeros", "zeros within"],
)
def test_a_damaged_file_is_mended(compiled_once, tmp_path, suffix, damage):
    shutil.copytree(compiled_once, tmp_path, dirs_exist_ok=True)
    [file] = (tmp_path / "__pycache__").glob(f"*.{suffix}")
    file.write_bytes(damage(file.read_bytes()))
    assert run(tmp_path) == 0
    assert run(tmp_path) == 1


def test_a_full_disk_is_no_reason_to_do_without(compiled_once, tmp_path, monkeypatch):
    def full(*args):
        raise OSError(28, "No space left on device")

    (tmp_path / "small_kernel.py").write_text(KERNEL)
    monkeypatch.setattr(IndexDataCacheFile, "_open_for_write", full)
    assert run(tmp_path) == 0
    assert not list(tmp_path.rglob("*.nbi"))

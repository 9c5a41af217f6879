"""Kernels as Numba pickles them: loaded again, and compiled again where their file is damaged."""

import importlib.util
from pathlib import Path

import pytest

from bpe.compiled import compiling
from bpe.compiled.loading import numba_cache
from bpe.compiled.loading.cache import Cache

KERNEL = """
from bpe.compiled.compiling import kernel

@kernel
def twice(number):
    return 2 * number
"""

CALLER = """
from bpe.compiled.compiling import inlined, kernel

@inlined
def more(number):
    return number + 1

@kernel
def twice_more(number):
    return twice(more(number))
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setattr(compiling, "LINKED", False)
    monkeypatch.setattr(compiling, "kernels", {})
    monkeypatch.setattr(numba_cache, "CACHE", Cache([tmp_path / "cache"]))
    path = tmp_path / "small_kernel.py"
    path.write_text(KERNEL)

    def run() -> int:
        """Run the kernel in a fresh module; return how many of them came from the disk."""
        spec = importlib.util.spec_from_file_location("small_kernel", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        assert module.twice(21) == 42
        return sum(module.twice.stats.cache_hits.values())

    return run


def only_file(tmp_path) -> Path:
    (file,) = (tmp_path / "cache").iterdir()
    return file


def test_it_is_loaded_the_next_time(run):
    assert [run(), run()] == [0, 1]


def test_a_damaged_file_is_mended(run, tmp_path):
    run()
    whole = only_file(tmp_path).read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], bytes(len(whole))):
        only_file(tmp_path).write_bytes(damaged)
        assert [run(), run()] == [0, 1]


def test_a_file_that_others_can_write_is_not_unpickled(run, tmp_path, monkeypatch):
    run()
    monkeypatch.setattr("bpe.trusted._package", lambda: Path(__file__).stat())
    only_file(tmp_path).chmod(0o666)
    assert run() == 0


def test_where_nothing_can_be_written_it_runs_all_the_same(run, tmp_path):
    (tmp_path / "cache").write_text("a file, not a folder")
    assert [run(), run()] == [0, 0]


def test_a_kernel_is_called_where_it_lies(run, tmp_path):
    path = tmp_path / "small_kernel.py"
    path.write_text(KERNEL + CALLER)
    for hits in (0, 1, 1):
        run()
        caller = compiling.kernels["small_kernel.twice_more"]
        assert caller(20) == 42
        assert sum(caller.stats.cache_hits.values()) == hits


def test_a_caller_whose_called_kernel_is_missing_is_compiled_again(run, tmp_path):
    (tmp_path / "small_kernel.py").write_text(KERNEL + CALLER)
    run()
    caller = compiling.kernels["small_kernel.twice_more"]
    assert caller(20) == 42
    (compiled,) = caller.overloads.values()
    bodies = [function.name for function in compiled.library.get_defined_functions()]
    assert not any("small_kernel5twice" in name for name in bodies)
    (called,) = (tmp_path / "cache").glob("*.twice-*")
    called.unlink()
    run()
    caller = compiling.kernels["small_kernel.twice_more"]
    assert caller(20) == 42
    assert not caller.stats.cache_hits

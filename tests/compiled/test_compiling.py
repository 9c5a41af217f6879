"""How three tiny kernels are compiled: to be linked, or cached by Numba where a name is missing."""

import importlib.util
import sys
from array import array
from types import ModuleType
from typing import Any

import pytest

from bpe.compiled import compiling, loading
from bpe.compiled.loading import linked
from bpe.compiled.loading.cache import Cache

KERNELS = """
from bpe.compiled.compiling import inlined, kernel, routine

@inlined
def more(number):
    return number + 1

@routine
def add(numbers, more):
    for index in range(len(numbers)):
        numbers[index] += more
    return numbers[0]

@kernel
def twice(number):
    return 2 * number

@kernel
def twice_more(number):
    return twice(more(number))

@kernel
def add_twice(numbers, number):
    return add(numbers, twice(number))

@kernel
def more_than_forty(number):
    return twice(20) + number
"""

PRIVATE = (
    *("codegen.JITCodeLibrary", "codegen.CPUCodegen._module_pass_manager", "compiler.Compiler"),
    *("codegen.CPUCodeLibrary._optimize_final_module", "typed_passes.NativeLowering"),
)


@pytest.fixture
def numba(tmp_path, monkeypatch):
    """Numba, in a process without linked kernels and with an empty cache."""
    module = pytest.importorskip("numba")
    monkeypatch.setattr(loading, "CACHE", Cache([tmp_path / "cache"]))
    monkeypatch.setattr(loading, "_read", {})
    monkeypatch.setattr(compiling, "LINKED", False)
    monkeypatch.setattr(compiling, "private", None)
    monkeypatch.setattr(compiling, "kernels", {})
    monkeypatch.setattr(compiling, "numba", module, raising=False)
    return module


@pytest.fixture
def tiny(tmp_path, numba):
    path = tmp_path / "tiny.py"
    path.write_text(KERNELS)

    def load() -> ModuleType:
        spec = importlib.util.spec_from_file_location("tiny", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def run(tiny: ModuleType) -> tuple[Any, ...]:
    """Run the kernels, and return them."""
    import numpy as np

    assert (tiny.twice_more(20), tiny.twice(21), tiny.more_than_forty(2)) == (42, 42, 42)
    assert tiny.add_twice(np.array([2, 3]), 20) == 42
    return tiny.twice, tiny.twice_more, tiny.add_twice


def from_disk(tiny: ModuleType) -> int:
    """Run the kernels; return how many came from the disk."""
    kernels = run(tiny)
    return sum(sum(kernel.stats.cache_hits.values()) for kernel in kernels)


def test_numba_caches_what_cannot_be_linked_by_the_content_of_all_sources(tiny, monkeypatch):
    assert [from_disk(tiny()), from_disk(tiny())] == [0, 3]
    monkeypatch.setattr(loading, "name_of", lambda part: f"{part} of other sources")
    assert from_disk(tiny()) == 0
    loading.clear_numba()
    assert from_disk(tiny()) == 0


def test_where_nothing_can_be_written_kernels_run_all_the_same(tiny, tmp_path):
    (tmp_path / "cache").write_text("a file, not a folder")
    assert loading.folder_of_numba() is None
    assert tiny().twice_more(20) == 42


@pytest.mark.skipif(not loading.can_link, reason="kernels are Numba's own here")
def test_tiny_kernels_are_linked_and_called_where_they_lie(tiny, monkeypatch):
    from bpe.compiled.loading import numba_private, writing

    monkeypatch.setattr(compiling, "private", numba_private)
    monkeypatch.setattr(linked, "_entries", {})
    run(tiny())
    (caller,) = compiling.kernels["tiny.twice_more"].compiled.overloads.values()
    bodies = [function.name for function in caller.library.get_defined_functions()]
    assert not any("4tiny5twice" in name for name in bodies)
    linked.place(writing.linked(compiling.kernels))
    numbers = memoryview(array("q", (2, 3)))
    assert linked.Kernel("tiny.twice_more")(20) == 42
    assert linked.Kernel("tiny.twice")(21) == 42  # not what was compiled for a constant
    assert linked.Kernel("tiny.add_twice")(numbers, 20) == 42
    assert numbers.tolist() == [42, 43]


@pytest.mark.skipif(not loading.can_link, reason="nothing private is used here")
@pytest.mark.parametrize("name", PRIVATE)
def test_without_a_private_name_numba_compiles_as_usual(numba, monkeypatch, name):
    monkeypatch.delitem(sys.modules, "bpe.compiled.loading.numba_private", raising=False)
    monkeypatch.delattr(loading, "numba_private", raising=False)
    monkeypatch.delattr(f"numba.core.{name}")
    monkeypatch.setattr(loading, "is_linked", lambda part: False)
    spec = importlib.util.spec_from_file_location("compiling_again", compiling.__file__)
    again = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(again)
    assert again.private is None
    assert again._OPTIONS == {"nogil": True, "error_model": "numpy"}

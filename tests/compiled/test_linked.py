"""Linked kernels work without Numba, and damaged code is not run."""

import ctypes
import struct
import subprocess
import sys

import numpy as np
import pytest

from bpe import compiled
from bpe.compiled import loading
from bpe.compiled.encode import workspace
from bpe.compiled.loading import linked, writing
from bpe.compiled.loading.cache import Cache, Entry

pytestmark = pytest.mark.skipif(not loading.can_link, reason="kernels are Numba's own here")

SCRIPT = """
import sys

import bpe
from bpe import compiled

compiled.warm(background=False)
assert compiled.ready()
assert not {"numba", "llvmlite", "numpy"} & set(sys.modules)

text = "南京市长江大桥，naïve words " * 9_000
encoder = bpe.encoding("cl100k_base")
assert encoder.decode(encoder.encode(text)) == text
assert encoder.count(text) == len(encoder.encode_to_numpy(text))
assert len(bpe.train([text], bpe.Recipe(merges=9), learner="compiled").merges) == 9
assert not {"numba", "llvmlite"} & set(sys.modules)
"""


def test_linked_kernels_encode_and_train_without_numba():
    compiled.warm(background=False)
    assert all(map(loading.is_linked, loading.PARTS))
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_kernels_for_a_named_processor_are_others_and_linked_ones_those_of_any_numba(monkeypatch):
    native, installed = loading.name_of("encode"), loading.installed
    loading._processor.cache_clear()
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    monkeypatch.setattr(loading, "open", None, raising=False)  # what this machine has is not asked
    generic = loading.name_of("encode")
    monkeypatch.setattr(
        loading, "installed", lambda *names: "another" if "numba" in names else installed(*names)
    )
    assert native != generic == loading.name_of("encode")
    monkeypatch.setattr(loading, "can_link", False)
    assert loading.name_of("encode") != generic
    loading._processor.cache_clear()


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """The cached part alone in a folder, and not read yet."""
    alone = Cache([tmp_path])
    entry = loading.CACHE.read(loading.name_of("encode"))
    alone.write(loading.name_of("encode"), entry.arrays, entry.facts)
    monkeypatch.setattr(loading, "CACHE", alone)
    monkeypatch.setattr(loading, "_read", {})
    return tmp_path / loading.name_of("encode")


def test_damaged_code_is_never_run(copy):
    data = bytearray(copy.read_bytes())
    data[300] ^= 1
    copy.write_bytes(data)
    assert loading.cached("encode") is None
    assert not loading.is_linked("encode")
    with pytest.raises(OSError, match="no linked kernels"):
        loading.load("encode")


def test_a_part_is_read_once(copy, monkeypatch):
    opened = []
    read = loading.CACHE.read
    monkeypatch.setattr(loading.CACHE, "read", lambda name: opened.append(name) or read(name))
    assert loading.is_linked("encode")
    assert loading.cached("encode") is not None
    loading.load("encode")
    assert opened == [copy.name]


def test_little_memory_and_one_core_leave_no_kernel_uncompiled(monkeypatch):
    """The file is for all who come later: on a machine of 1 GB, a kernel was missing in it."""
    called: set[str] = set()
    prepared = linked.Kernel.prepared

    def noted(kernel, *arguments):
        called.add(kernel.name)
        return prepared(kernel, *arguments)

    monkeypatch.setattr(linked.Kernel, "prepared", noted)
    monkeypatch.setattr(workspace, "PLENTY", workspace.PLENTY)
    for part in loading.PARTS:
        writing.run_every_kernel(part)
    with_plenty, called = called, set()
    monkeypatch.setattr(workspace, "available_memory", lambda: 300 << 20)
    monkeypatch.setattr(workspace, "PLENTY", 1 << 31)
    monkeypatch.setenv("BPE_NUM_THREADS", "1")
    for part in loading.PARTS:
        writing.run_every_kernel(part)
    assert called == with_plenty


def test_arguments_are_packed_as_kernels_read_them():
    numbers = np.array([1, 2, 3])
    packed = linked.Packed((numbers, (np.zeros(2, np.uint8), True), -1))
    assert packed.kinds == "lB.."
    words = struct.unpack(f"{len(packed.block) // 8}q", packed.block)
    assert words[:7] == (0, 0, 3, 8, numbers.ctypes.data, 3, 8)
    assert words[9:11] == (2, 1)
    assert words[14:] == (1, -1)
    again = linked.Packed((packed, 7))
    assert (again.kinds, again.block) == ("lB...", packed.block + struct.pack("q", 7))


@pytest.mark.parametrize("array", [np.zeros((2, 2)), np.zeros(9)[::2]], ids=["a table", "gaps"])
def test_an_array_that_kernels_cannot_read_is_refused(array):
    with pytest.raises(TypeError, match="one dimension without gaps"):
        linked.Packed((array,))


def test_arguments_of_another_kind_are_refused():
    kernel = linked.Kernel(test_arguments_of_another_kind_are_refused)
    with pytest.raises(TypeError, match=r"is not loaded for arguments such as l\.\."):
        kernel(np.zeros(1, np.int64), 1, 2)


def test_elsewhere_it_is_noted_that_numba_has_cached_them(tmp_path, monkeypatch):
    monkeypatch.setattr(loading, "can_link", False)
    monkeypatch.setattr(loading, "CACHE", Cache([tmp_path]))
    monkeypatch.setattr(loading, "_read", {})
    loading.write("encode", Entry({}, []))
    assert [loading.cached(part) is None for part in loading.PARTS] == [False, True]
    assert not loading.is_linked("encode")


def test_what_must_not_be_written_to_has_its_address():
    data = bytes(range(16))
    packed = linked.Packed((memoryview(data)[4:],))
    addresses = struct.unpack("7Q", packed.block)
    assert linked._address(memoryview(data)) + 4 in addresses
    assert ctypes.string_at(linked._address(memoryview(data)[4:]), 12) == data[4:]

"""Kept kernels without Numba: the same ids and merges, and what is damaged is not run."""

import struct
import subprocess
import sys

import numpy as np
import pytest

from bpe import compiled
from bpe.compiled import native

pytestmark = pytest.mark.skipif(not native.supported, reason="kernels are Numba's own here")

SCRIPT = """
import sys

import bpe
from bpe import compiled

compiled.warm(background=False)
assert compiled.ready()
assert not {"numba", "llvmlite", "numpy"} & set(sys.modules)

from bpe.documents import samples
from bpe.training.algorithms.byte_bpe import learn_by_recounting

text = samples.corpus("zh") + samples.corpus("en")
for name in ("cl100k_base", "deepseek_v3", "gpt2"):
    encoder = bpe.encoding(name)
    words = [piece.encode() for piece in encoder.pre_tokens(text)]
    slowly = [id for word in words for id in encoder.encode_word(word)]
    assert encoder.encode_to_numpy(text * 10).tolist() == slowly * 10
    assert encoder.decode(slowly) == text
    word = "长" * (300_000 if name == "gpt2" else 100_000)  # it takes the others five times as long
    assert encoder.compiled_encoder.encode(word) == encoder.encode_word(word.encode())
counts = bpe.count_words([text], bpe.Recipe())
for tie_break in ("lexicographic", "first-seen", "smallest-ids"):
    recipe = bpe.Recipe(merges=60, tie_break=tie_break)
    merges = bpe.train([text], recipe, learner="compiled").merges
    assert merges == tuple(learn_by_recounting(counts, recipe))
assert not {"numba", "llvmlite"} & set(sys.modules)
"""


def test_what_is_kept_gives_the_same_without_numba():
    compiled.warm(background=False)
    assert native.is_kept("encode")
    assert native.is_kept("train")
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:50_000] + bytes(100) + data[50_100:],
    ],
    ids=["empty", "truncated", "zeros within"],
)
def test_a_damaged_bundle_is_deleted_and_never_run(damage, tmp_path, monkeypatch):
    copy = tmp_path / "encode.native"
    copy.write_bytes(damage(native.path_of("encode").read_bytes()))
    monkeypatch.setattr(native, "path_of", lambda part: copy if copy.exists() else None)
    with pytest.raises(OSError, match="damaged"):
        native.load("encode")
    assert not copy.exists()
    with pytest.raises(OSError, match="Nothing is kept"):
        native.load("encode")


def test_a_damaged_bundle_is_compiled_again(monkeypatch):
    done = []

    def load(part):
        done.append("load")
        if len(done) == 1:
            raise native.DamagedError("damaged")

    monkeypatch.setattr(native, "load", load)
    monkeypatch.setattr("bpe.compiled.compiling.NATIVE", True)
    monkeypatch.setattr(compiled, "_compile_elsewhere", lambda part: done.append("compile"))
    compiled._load("encode")
    assert done == ["load", "compile", "load"]


def test_arguments_are_packed_as_kernels_read_them():
    numbers = np.array([1, 2, 3])
    packed = native.Packed((numbers, (np.zeros(2, np.uint8), True), -1))
    assert packed.kinds == "lB.."
    words = struct.unpack(f"{len(packed.block) // 8}q", packed.block)
    assert words[:7] == (0, 0, 3, 8, numbers.ctypes.data, 3, 8)
    assert words[9:11] == (2, 1)
    assert words[14:] == (1, -1)
    again = native.Packed((packed, 7))
    assert (again.kinds, again.block) == ("lB...", packed.block + struct.pack("q", 7))


@pytest.mark.parametrize("array", [np.zeros((2, 2)), np.zeros(9)[::2]], ids=["a table", "gaps"])
def test_an_array_that_kernels_cannot_read_is_refused(array):
    with pytest.raises(TypeError, match="one dimension without gaps"):
        native.Packed((array,))


def test_arguments_of_another_kind_are_refused():
    kernel = native.Kernel(test_arguments_of_another_kind_are_refused)
    with pytest.raises(TypeError, match=r"was not compiled for arguments such as l\.\."):
        kernel(np.zeros(1, np.int64), 1, 2)


def test_elsewhere_nothing_is_taken_for_kept(monkeypatch):
    monkeypatch.setattr(native, "supported", False)
    assert not native.is_kept("encode")

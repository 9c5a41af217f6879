"""Each library that this one uses may be missing: what is left trains and encodes."""

import subprocess
import sys

import pytest

PARTS = ("numba", "llvmlite", "splintr", "tokenizers", "tiktoken", "pyarrow", "rjieba")
USE = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {part!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
import bpe
from bpe import files

made = bpe.train(["low lower lowest 看路灯"] * 3, bpe.Recipe(merges=9, normalisation="NFC"))
ids = made.encode("lowest 灯")
assert made.decode(ids) == "lowest 灯" and made.count("lowest 灯") == len(ids)
assert made.encode_batch(["lowest 灯"]) == [ids]
assert files.loads(files.dumps(made)).encode("lowest 灯") == ids

def tried(name, work):
    try:
        print(name, work())
    except bpe.BPEError as error:
        print(name, "refused:", error)

from bpe.analysis import metrics
tried("gpt2", lambda: bpe.encoding("gpt2").encode("low lower"))
tried("llama2", lambda: bpe.encoding("llama2").encode("low lower"))
tried("saved", lambda: len(files.dumps(made, "huggingface")))
unigram = bpe.Recipe(algorithm="unigram", vocabulary_size=300)
tried("unigram", lambda: bpe.train(["low low"], unigram).kind)
tried("words", lambda: len(metrics.chinese_words("看路灯")))
"""


@pytest.mark.parametrize("part", PARTS)
def test_what_is_left_trains_and_encodes(part, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", USE.format(part=part)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    said = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert said["gpt2"] == "[9319, 2793]" or part in said["gpt2"]
    refused = {name for name, text in said.items() if text.startswith("refused")}
    needs = {"tokenizers": {"unigram"}, "rjieba": {"words"}, "splintr": {"llama2"}}
    is_cached = part == "splintr" and not refused  # then the vocabulary is not read
    assert refused == needs.get(part, set()) or is_cached
    assert all(part in said[name] for name in refused)

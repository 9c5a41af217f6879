"""The table of algorithms, and the one that CONTRIBUTING.md adds to it."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

import bpe
from bpe.algorithm import recipe as recipes
from bpe.algorithm.recipe import ALGORITHMS, Kind
from bpe.training.algorithms import named
from bpe.training.algorithms.base import Algorithm

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_each_has_a_module_of_its_name(name):
    assert issubclass(named(name), Algorithm)
    assert named(name).__module__.endswith(name.replace("-", "_"))


def test_only_the_table_and_the_modules_know_which_algorithm():
    """Others ask what an algorithm does, not which one it is."""
    comparison = re.compile(r"""\balgorithm"?\]? (==|!=|not in \()|(?<!for )\balgorithm in \(""")
    folders = ("bpe", "playground", "pages")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert not [path for path in paths if comparison.search(path.read_text(encoding="utf-8"))]


@pytest.fixture
def whole_words(monkeypatch):
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("## Add an algorithm")[1].split("\n## ")[0]
    code, line = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    module = ModuleType("bpe.training.algorithms.whole_words")
    exec(code, module.__dict__)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for name, kind in eval("{" + line + "}", {"Kind": Kind}).items():
        monkeypatch.setitem(recipes.ALGORITHMS, name, kind)


def test_the_example_of_the_guide_is_trained(whole_words, tmp_path):
    recipe = bpe.Recipe(algorithm="whole-words", vocabulary_size=3)
    texts = ["low lower low", "lower low newest"]
    tokenizer = bpe.train(texts, recipe)
    assert tokenizer.encode("low newest lower") == [1, 0, 2]
    assert bpe.train(bpe.count_words(texts, recipe), recipe).encode("lower") == [2]
    bpe.save(tokenizer, tmp_path / "tokenizer.json", format="huggingface")
    assert bpe.load(tmp_path / "tokenizer.json").encode("low") == [1]
    with pytest.raises(bpe.BPEError, match="“whole-words” needs a vocabulary size"):
        bpe.Recipe(algorithm="whole-words")

"""The code beside the files of a tokenizer loads them, and gives the ids of ours."""

import pytest

import bpe
from bpe import files
from playground.train.downloads import snippet
from tests.support.awkward import AWKWARD

TEXTS = ["low lower lowest 看路看天", ""]


@pytest.mark.parametrize(
    ("kind", "pattern"),
    [
        *((kind, "gpt2") for kind in ("bpe", "huggingface", "gpt2", "tiktoken")),
        *(("tiktoken", pattern) for pattern in ("none", r"regex:\w+|\W+")),
    ],
)
def test_each_library_gives_the_ids_of_ours(kind, pattern, tmp_path, monkeypatch):
    recipe = bpe.Recipe(merges=20, pattern=pattern, special_tokens=("<|endoftext|>",))
    tokenizer = bpe.train(TEXTS, recipe)
    written = files.dumps(tokenizer, kind)
    for name, data in written.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    load, encode = snippet(tokenizer, kind, written).split("\ntokenizer.encode")
    names: dict = {}
    exec(load, names)
    for text in (*TEXTS, *AWKWARD):
        call = f"tokenizer.encode{encode}".replace('"你好"', repr(text))
        assert eval(call, names) == tokenizer.encode(text), text

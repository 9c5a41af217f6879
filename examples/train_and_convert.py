"""A tokenizer of one's own, saved so that ``transformers`` can pad with it at once."""

import tempfile
from pathlib import Path

import bpe
from bpe.documents import samples

recipe = bpe.Recipe(vocabulary_size=1000, pattern="o200k", special_tokens=("<|end|>",))
tokenizer = bpe.train([samples.corpus("zh"), samples.corpus("en")], recipe, name="mine")
with tempfile.TemporaryDirectory() as folder:
    bpe.save(tokenizer, folder, format="huggingface", roles={"eos": "<|end|>", "pad": "<|end|>"})
    print(sorted(path.name for path in Path(folder).iterdir()))
    print(bpe.load(folder).encode("看路灯 low") == tokenizer.encode("看路灯 low"))

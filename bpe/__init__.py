"""Byte pair encoding: learn it, train it, measure it.

>>> import bpe
>>> tokenizer = bpe.train(["low lower lowest"], bpe.Recipe(vocabulary_size=260))
>>> tokenizer.decode(tokenizer.encode("lowest"))
'lowest'

Importing this is cheap: each public name is imported where it is first used. Type checkers read
``__init__.pyi``, which says the same.
"""

from importlib import import_module as _import_module
from typing import Any as _Any

__version__ = "0.2.0"

_HOMES = {
    "bpe.algorithm.counts": ("WordCounts",),
    "bpe.algorithm.recipe": ("Merge", "Recipe"),
    "bpe.encoders.base": ("Encoder",),
    "bpe.encoders.catalog": ("encoding", "encodings", "register"),
    "bpe.encoders.character": ("CharacterTokenizer",),
    "bpe.encoders.models": ("encoding_for_model",),
    "bpe.encoders.trained": ("Tokenizer",),
    "bpe.errors": ("BPEError",),
    "bpe.files": ("load", "save"),
    "bpe.files.hub": ("from_hub",),
    "bpe.limits": ("set_num_threads",),
    "bpe.pricing.requests": ("count_messages",),
    "bpe.scale.counting": ("count_files",),
    "bpe.scale.encoding": ("encode_files",),
    "bpe.training.train": ("Training", "count_words", "train"),
}
_NAMES = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = (
    *("algorithm", "analysis", "cli", "compiled", "documents", "encoders", "errors", "files"),
    *("limits", "pricing", "progress", "reading", "sandbox", "scale", "teaching", "text"),
    *("tiktoken", "training", "writing"),
)

__all__ = sorted(_NAMES)


def __getattr__(name: str) -> _Any:
    if name in _NAMES:
        value = getattr(_import_module(_NAMES[name]), name)
    elif name in _MODULES:
        value = _import_module(f"bpe.{name}")
    else:
        raise AttributeError(f"module 'bpe' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES, "__version__"])

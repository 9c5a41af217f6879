"""Byte pair encoding: learn it, train it, measure it.

>>> import bpe
>>> tokenizer = bpe.train(["low lower lowest"], bpe.Recipe(vocabulary_size=260))
>>> tokenizer.decode(tokenizer.encode("lowest"))
'lowest'

Importing this is cheap: each name is imported where it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bpe.algorithm.counts import WordCounts
    from bpe.algorithm.recipe import Merge, Recipe
    from bpe.encoders.base import Encoder
    from bpe.encoders.catalog import encoding, encoding_for_model, encodings
    from bpe.encoders.character import CharacterTokenizer
    from bpe.encoders.trained import Tokenizer
    from bpe.errors import BPEError
    from bpe.files import load, save
    from bpe.files.hub import from_hub
    from bpe.scale.counting import count_files, count_to_file
    from bpe.scale.encoding import encode_files
    from bpe.training.count_words import count_words
    from bpe.training.train import Training, train

__version__ = "0.2.0"

__all__ = [
    "BPEError",
    "CharacterTokenizer",
    "Encoder",
    "Merge",
    "Recipe",
    "Tokenizer",
    "Training",
    "WordCounts",
    "count_files",
    "count_to_file",
    "count_words",
    "encode_files",
    "encoding",
    "encoding_for_model",
    "encodings",
    "from_hub",
    "load",
    "save",
    "train",
]

_HOMES = {
    "bpe.encoders.base": ("Encoder",),
    "bpe.encoders.catalog": ("encoding", "encoding_for_model", "encodings"),
    "bpe.encoders.character": ("CharacterTokenizer",),
    "bpe.encoders.trained": ("Tokenizer",),
    "bpe.errors": ("BPEError",),
    "bpe.files": ("load", "save"),
    "bpe.files.hub": ("from_hub",),
    "bpe.scale.counting": ("count_files", "count_to_file"),
    "bpe.scale.encoding": ("encode_files",),
    "bpe.training.count_words": ("count_words",),
    "bpe.algorithm.counts": ("WordCounts",),
    "bpe.algorithm.recipe": ("Merge", "Recipe"),
    "bpe.training.train": ("Training", "train"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}
_PARTS = (
    "analysis",
    "compiled",
    "encoders",
    "errors",
    "files",
    "pricing",
    "scale",
    "text",
    "training",
)


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        value = getattr(import_module(_HOME_OF[name]), name)
    elif name in _PARTS:
        value = import_module(f"bpe.{name}")
    else:
        raise AttributeError(f"module 'bpe' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_PARTS})

"""Byte pair encoding: learn it, train it, measure it.

>>> import bpe
>>> tokenizer = bpe.train(["low lower lowest"], bpe.Recipe(vocabulary_size=260))
>>> tokenizer.decode(tokenizer.encode("lowest"))
'lowest'
"""

from bpe.catalog import encoding, encodings
from bpe.encoder import Encoder
from bpe.errors import BPEError
from bpe.formats import load, save
from bpe.recipe import Merge, Recipe
from bpe.textbook import CharacterTokenizer
from bpe.tokenizer import Tokenizer
from bpe.training import Training, train

__all__ = [
    "BPEError",
    "CharacterTokenizer",
    "Encoder",
    "Merge",
    "Recipe",
    "Tokenizer",
    "Training",
    "encoding",
    "encodings",
    "load",
    "save",
    "train",
]

"""Byte pair encoding: learn it, train it, measure it.

>>> import bpe
>>> tokenizer = bpe.train(["low lower lowest"], bpe.Recipe(vocabulary_size=260))
>>> tokenizer.decode(tokenizer.encode("lowest"))
'lowest'
"""

from bpe.encoders.base import Encoder
from bpe.encoders.catalog import encoding, encodings
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.files import load, save
from bpe.training.counts import WordCounts
from bpe.training.recipe import Merge, Recipe
from bpe.training.train import Training, count_words, train

__all__ = [
    "BPEError",
    "CharacterTokenizer",
    "Encoder",
    "Merge",
    "Recipe",
    "Tokenizer",
    "Training",
    "WordCounts",
    "count_words",
    "encoding",
    "encodings",
    "load",
    "save",
    "train",
]

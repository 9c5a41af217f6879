"""Tokenizers whose tokens can be counted by hand, and texts cut by them."""

from bpe.algorithm.recipe import Recipe
from bpe.analysis.segmentation import Segmentation, segment
from bpe.encoders.base import Encoder
from bpe.encoders.trained import Tokenizer
from bpe.training.train import train

BYTES = Tokenizer((), Recipe())
"""Every byte is a token."""

ZHONG = train(["中中中"], Recipe(pattern="none", merges=2))
"""中 is one token, everything else its bytes."""

THE = train([" the" * 9], Recipe(pattern="gpt2", merges=3))
"""“ the” is one token, everything else its bytes."""


def cut(encoder: Encoder, *texts: str) -> list[Segmentation]:
    return [segment(encoder, text) for text in texts]

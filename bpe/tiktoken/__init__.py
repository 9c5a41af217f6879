"""The interface of ``tiktoken``: ``import bpe.tiktoken as tiktoken`` is the one line to change.

The same names, results and kinds of errors; only ``load``, as nothing is downloaded, and
``__version__`` are missing. Two differences: what a ``pat_str`` does not match is encoded, where
tiktoken drops it, and ``get_encoding`` knows the byte-level encodings of :func:`bpe.encodings`.
"""

from bpe.tiktoken.core import Encoding
from bpe.tiktoken.model import encoding_for_model, encoding_name_for_model
from bpe.tiktoken.registry import get_encoding, list_encoding_names

__all__ = [
    "Encoding",
    "encoding_for_model",
    "encoding_name_for_model",
    "get_encoding",
    "list_encoding_names",
]

"""The encodings by name, where tiktoken has them."""

from bpe.tiktoken.core import get_encoding, list_encoding_names

__all__ = ["get_encoding", "list_encoding_names"]

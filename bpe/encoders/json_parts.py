"""The parts of a ``tokenizer.json`` as all that is written here has them."""

from collections.abc import Mapping, Sequence
from typing import Any

ADDED = {
    "single_word": False,
    "lstrip": False,
    "rstrip": False,
    "normalized": False,
    "special": True,
}
"""A special token, but for its id and content."""


def values_of(model: Mapping[str, Any], **parts: Any) -> dict[str, Any]:
    """Return all values of a file; of the parts that are not given there is none."""
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": None,
        **parts,
        "model": model,
    }


def added_token(content: str, token_id: int, **facts: bool) -> dict[str, Any]:
    """Return a special token, or by ``facts`` another one that is found in a text first."""
    return {"id": token_id, "content": content, **ADDED, **facts}


def bpe_model(
    vocabulary: Mapping[str, int], merges: Sequence[Sequence[str]], **facts: Any
) -> dict[str, Any]:
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        **facts,
        "vocab": vocabulary,
        "merges": merges,
    }


def replace(pattern: Mapping[str, str], content: str) -> dict[str, Any]:
    """Return the normalizer, or decoder, that puts ``content`` in place of a pattern."""
    return {"type": "Replace", "pattern": pattern, "content": content}

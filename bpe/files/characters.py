"""Files of character tokenizers: our own JSON, and the ``vocab.json`` + ``merges.txt`` of old.

The JSON is that of :mod:`bpe.files.native` with the first symbols added, and merges that name their
symbols, since ids come and go with pruning: ``[left, right, count, removed]``.
"""

from typing import Any

from bpe.algorithm.character import CharacterMerge, CharacterTokenizer
from bpe.errors import BPEError
from bpe.training.recipe import Recipe


def dumps_gpt2(tokenizer: CharacterTokenizer) -> dict[str, bytes]:
    """Return ``vocab.json`` and ``merges.txt`` in characters, not in the byte alphabet."""
    return {
        "vocab.json": tokenizer.vocab_json().encode(),
        "merges.txt": tokenizer.merges_txt().encode(),
    }


def to_json(tokenizer: CharacterTokenizer) -> dict[str, Any]:
    """Return what is special to characters: the first symbols and the merges."""
    return {
        "symbols": list(tokenizer.symbols),
        "merges": [
            [merge.left, merge.right, merge.count, list(merge.removed)]
            for merge in tokenizer.merges
        ],
    }


def from_json(
    values: dict[str, Any], recipe: Recipe, *, corpus_digest: str, name: str
) -> CharacterTokenizer:
    """Make a tokenizer of what :func:`to_json` returned; :class:`BPEError` if it does not fit."""
    symbols, rows = values["symbols"], values["merges"]
    if not _are_texts(symbols) or len(set(symbols)) < len(symbols):
        raise BPEError("The symbols in the file are not a list of different pieces of text.")
    if not isinstance(rows, list):
        raise BPEError("The merges in the file are not a list.")
    ever = set(symbols)
    vocabulary = set(symbols)
    merges = []
    for number, row in enumerate(rows, start=1):
        if not (
            isinstance(row, list)
            and len(row) == 4
            and _are_texts(row[:2])
            and type(row[2]) is int
            and row[2] >= 0
            and _are_texts(row[3])
        ):
            raise BPEError(
                "Merge {number} in the file is not two symbols, a count and a list of symbols.",
                number=number,
            )
        left, right, count, removed = row
        if not {left, right} <= ever or not set(removed) <= {left, right}:
            raise BPEError(
                "Merge {number} in the file joins or removes symbols that are not there.",
                number=number,
            )
        ever.add(left + right)
        vocabulary.add(left + right)
        vocabulary.difference_update(removed)
        merges.append(CharacterMerge(left, right, count, tuple(removed), len(vocabulary)))
    for token in (*recipe.special_tokens, *([] if recipe.unknown is None else [recipe.unknown])):
        if token not in vocabulary:
            raise BPEError("The symbols in the file lack “{token}”.", token=token)
    return CharacterTokenizer(
        tuple(symbols), tuple(merges), recipe, corpus_digest=corpus_digest, name=name
    )


def _are_texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(v, str) and v != "" for v in values)

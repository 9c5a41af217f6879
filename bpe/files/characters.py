"""Files of character tokenizers: our own JSON, and the ``vocab.json`` + ``merges.txt`` of old.

The JSON is that of :mod:`bpe.files.native` with the first symbols added, and merges that name their
symbols, since ids come and go with pruning: ``[left, right, count, removed]``. The two files say
neither counts nor when a symbol left; what encodes follows from them all the same.
"""

import json
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bpe.algorithm.character import CharacterMerge
from bpe.algorithm.recipe import Recipe
from bpe.encoders.base import Encoder
from bpe.encoders.character import CharacterTokenizer
from bpe.errors import BPEError
from bpe.text.byte_alphabet import TO_BYTE, spell

END_OF_WORD = "</w>"
UNKNOWN: tuple[str, ...] = ("<unk>", "<UNK>", "[UNK]")
"""What a vocabulary may call the token that stands for unseen characters."""

_SPACE = spell(b" ")

Pair = tuple[str, str]


def dumps_gpt2(tokenizer: CharacterTokenizer) -> dict[str, bytes]:
    vocabulary = json.dumps(tokenizer.ids, ensure_ascii=False, indent=2) + "\n"
    merges = [f"{merge.left} {merge.right}" for merge in tokenizer.merges]
    return {
        "vocab.json": vocabulary.encode("utf-8", "surrogatepass"),
        "merges.txt": ("\n".join(["#version: 0.2", *merges]) + "\n").encode(),
    }


def encode_alike(tokenizer: CharacterTokenizer, other: Encoder) -> bool:
    """Whether both give any text the same ids, as far as their parts say it."""

    def parts(one: CharacterTokenizer) -> tuple[object, ...]:
        recipe = one.recipe
        pairs = [merge[:2] for merge in one.merges]
        names = recipe.normalisation, recipe.end_of_word, recipe.unknown, recipe.pattern
        return one.ids, pairs, one.special_tokens, names

    return isinstance(other, CharacterTokenizer) and parts(other) == parts(tokenizer)


def is_of_characters(vocabulary: Mapping[str, int], pairs: Sequence[Pair]) -> bool:
    """Whether the two files are in characters: they merge ``</w>``, or have no byte alphabet."""
    if any(part.endswith(END_OF_WORD) for part in _starts(pairs)):
        return True
    return not (TO_BYTE.keys() <= vocabulary.keys() or any(_SPACE in token for token in vocabulary))


def loads_gpt2(
    vocabulary: Mapping[str, int], pairs: Sequence[Pair], *, name: str
) -> CharacterTokenizer:
    """Return the tokenizer of the two files, with exactly the ids of ``vocabulary``.

    Of its entries that no merge makes, those of one character are the alphabet and the others
    special tokens, but for the end of a word. What merges use and the vocabulary lacks was pruned.
    """
    entries = sorted(vocabulary, key=vocabulary.__getitem__)
    if [vocabulary[entry] for entry in entries] != list(range(len(entries))):
        raise BPEError("vocab.json must number the symbols 0, 1, 2 and so on, each once.")
    unknown = next((token for token in UNKNOWN if token in vocabulary), None)
    made = {left + right for left, right in pairs}
    starts = [e for e in entries if e not in made or e in (unknown, END_OF_WORD)]
    merged = _starts(pairs)
    if any(END_OF_WORD in pair for pair in pairs):  # even if the letters of one make another
        merged = dict.fromkeys([*merged, END_OF_WORD])
    pruned = [part for part in merged if part not in vocabulary]
    end = _end_of_word([*starts, *pruned], merged)
    specials = [token for token in starts if len(token) > 1 and token not in (end, unknown)]
    removed = _removed(vocabulary, pairs)
    recipe = Recipe(
        algorithm="character-bpe",
        special_tokens=tuple(specials),
        end_of_word=end,
        prune=bool(removed),
        unknown=unknown,
    )
    rows = [[*pair, 0, removed.get(number, [])] for number, pair in enumerate(pairs)]
    values = {"symbols": [*starts, *pruned], "merges": rows, "order": entries}
    return from_json(values, recipe, corpus_digest="", name=name)


def _starts(pairs: Sequence[Pair]) -> dict[str, None]:
    """Return the parts of merges that no merge before them makes."""
    made: set[str] = set()
    starts: dict[str, None] = {}
    for pair in pairs:
        starts.update((part, None) for part in pair if part not in made)
        made.add("".join(pair))
    return starts


def _end_of_word(starts: Sequence[str], merged: Container[str]) -> str:
    """Return the one start of several characters that is merged, or ``""``."""
    marks = [
        symbol
        for symbol in starts
        if symbol.endswith(END_OF_WORD) or (len(symbol) > 1 and symbol in merged)
    ]
    for symbol in marks:
        if len(marks) > 1 or (symbol.endswith(END_OF_WORD) and symbol != END_OF_WORD):
            raise BPEError(
                "“{symbol}” is neither a character nor made by a merge. Files that put “</w>” to "
                "the last character of a word, as those of GPT-1 and CLIP do, cannot be read here.",
                symbol=next(mark for mark in marks if mark != END_OF_WORD),
            )
    return marks[0] if marks else ""


def _removed(vocabulary: Mapping[str, int], pairs: Sequence[Pair]) -> dict[int, list[str]]:
    """Return the symbols that are not in the vocabulary, each by the last merge that uses it."""
    used = {part: number for number, pair in enumerate(pairs) for part in pair}
    for number, pair in enumerate(pairs):
        new = "".join(pair)
        if new not in vocabulary and used.get(new, -1) < number:
            raise BPEError(
                "vocab.json lacks “{token}”, which merge {number} makes.",
                token=new,
                number=number + 1,
            )
    removed: dict[int, list[str]] = {}
    for part, number in used.items():
        if part not in vocabulary:
            removed.setdefault(number, []).append(part)
    return removed


def to_json(tokenizer: CharacterTokenizer) -> dict[str, Any]:
    return {
        **({"order": list(tokenizer.order)} if tokenizer.order else {}),
        "symbols": list(tokenizer.symbols),
        "merges": [
            [merge.left, merge.right, merge.count, list(merge.removed)]
            for merge in tokenizer.merges
        ],
    }


def from_json(
    values: dict[str, Any], recipe: Recipe, *, corpus_digest: str, name: str
) -> CharacterTokenizer:
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
    tokenizer = CharacterTokenizer(
        tuple(symbols), tuple(merges), recipe, corpus_digest=corpus_digest, name=name
    )
    order = values.get("order", [])
    if not order or order == list(tokenizer.vocabulary):
        return tokenizer
    if not _are_texts(order) or sorted(order) != sorted(tokenizer.vocabulary):
        raise BPEError("The order in the file is not one of its vocabulary.")
    return replace(tokenizer, order=tuple(order))


def _are_texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(v, str) and v != "" for v in values)

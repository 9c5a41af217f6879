"""Our own file: one JSON object with the recipe and the merges, from which all else follows.

That of a character tokenizer has its first symbols, too, and merges that name their symbols, since
ids come and go with pruning: ``[left, right, count, removed]``.
"""

import json
from dataclasses import replace
from typing import Any

from bpe.algorithm.character import CharacterMerge
from bpe.algorithm.recipe import BYTES, Merge, Recipe
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.files.format import FileFormat, begins_as_json
from bpe.reading import MAX_BYTES, require_tokens

MARK = "bpe-playground"
VERSION = 1
FILE = "tokenizer.bpe.json"

_FIELDS = {"format", "version", "name", "recipe", "corpus_digest", "merges"}


def to_json(tokenizer: Tokenizer | CharacterTokenizer) -> dict[str, Any]:
    """Return ``tokenizer`` as JSON values; each merge of bytes is ``[left, right, count]``."""
    head = {
        "format": MARK,
        "version": VERSION,
        "name": tokenizer.name,
        "recipe": tokenizer.recipe.as_json(),
        "corpus_digest": tokenizer.corpus_digest,
    }
    if isinstance(tokenizer, CharacterTokenizer):
        return {**head, **_values_of_characters(tokenizer)}
    if tokenizer.added_later:
        head["added_later"] = list(tokenizer.added_later)
    merges = [[merge.left, merge.right, merge.count] for merge in tokenizer.merges]
    return {**head, "merges": merges}


def dumps(tokenizer: Tokenizer | CharacterTokenizer) -> dict[str, bytes]:
    """Return the file: head and recipe readable, the merges one a line."""
    values = to_json(tokenizer)
    rows = values.pop("merges")
    merges = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    head = json.dumps(values, ensure_ascii=False, indent=1).removesuffix("\n}")
    text = f'{head},\n "merges": [\n{merges}\n]}}\n'
    return {FILE: text.encode("utf-8", "surrogatepass")}


def from_json(
    values: dict[str, Any], *, name: str | None = None, **_unused: object
) -> Tokenizer | CharacterTokenizer:
    """Make a tokenizer of what :func:`to_json` returned.

    Another format or version, missing or unknown fields, and merges that do not follow from each
    other raise :class:`BPEError`.
    """
    if values.get("format") != MARK:
        raise BPEError(
            "The file says that its format is “{format}”, not “{ours}”.",
            format=values.get("format"),
            ours=MARK,
        )
    if values.get("version") != VERSION:
        raise BPEError(
            "This file has version {version} of its format; only version {ours} can be read. Was "
            "it made by a newer program?",
            version=values.get("version"),
            ours=VERSION,
        )
    wishes = values.get("recipe")
    if isinstance(wishes, dict):  # of version 0.2: the merges that came of it stand in the file
        wishes.pop("whole_characters", None)
    recipe = Recipe.from_json(wishes)
    if recipe.kind.unit == "pieces":
        raise BPEError(
            "Tokenizers of this kind ({algorithm}) are saved as tokenizer.json, not in this "
            "format.",
            algorithm=recipe.algorithm,
        )
    of_characters = recipe.kind.unit == "characters"
    fields, may_be = (
        (_FIELDS | {"symbols"}, {"order"}) if of_characters else (_FIELDS, {"added_later"})
    )
    if different := (set(values) ^ fields) - may_be:
        raise BPEError(
            "The file has missing or unknown fields: {fields}.", fields=", ".join(sorted(different))
        )
    label, digest = values["name"], values["corpus_digest"]
    if not isinstance(label, str) or not isinstance(digest, str):
        raise BPEError("The name and the corpus digest in the file must be text.")
    if of_characters:
        return characters_from_json(values, recipe, corpus_digest=digest, name=name or label)
    merges = _merges(values["merges"], recipe)
    added_later = values.get("added_later", [])
    if not isinstance(added_later, list):
        raise BPEError("The special tokens in the file are not a list.")
    return Tokenizer(merges, recipe, digest, name or label, tuple(added_later))


def _merges(rows: object, recipe: Recipe) -> tuple[Merge, ...]:
    """Check ids and lengths before anything is built: thirty doublings are a gigabyte."""
    if not isinstance(rows, list):
        raise BPEError("The merges in the file are not a list.")
    if recipe.merge_limit is not None and len(rows) > recipe.merge_limit:
        raise BPEError(
            "The file has {merges} merges, but its recipe allows {limit}.",
            merges=len(rows),
            limit=recipe.merge_limit,
        )
    require_tokens(len(rows))
    first = recipe.first_merge_id
    lengths = [1] * BYTES + [0] * (first - BYTES)
    total = 0
    merges = []
    for number, row in enumerate(rows, start=1):
        if not (
            isinstance(row, list) and len(row) == 3 and all(type(value) is int for value in row)
        ):
            raise BPEError("Merge {number} in the file is not three whole numbers.", number=number)
        left, right, count = row
        new_id = first + number - 1
        if not all(0 <= part < BYTES or first <= part < new_id for part in (left, right)):
            raise BPEError(
                "Merge {number} in the file joins {left} and {right}, but may only join bytes and "
                "earlier merges.",
                number=number,
                left=left,
                right=right,
            )
        if count < 0:
            raise BPEError("Merge {number} in the file has a negative count.", number=number)
        lengths.append(lengths[left] + lengths[right])
        total += lengths[-1]
        if total > MAX_BYTES:
            raise BPEError("The tokens in the file are longer than {limit} bytes.", limit=MAX_BYTES)
        merges.append(Merge(left, right, new_id, count))
    if len({(merge.left, merge.right) for merge in merges}) < len(merges):
        raise BPEError("The file makes the same merge twice.")
    return tuple(merges)


def _values_of_characters(tokenizer: CharacterTokenizer) -> dict[str, Any]:
    return {
        **({"order": list(tokenizer.order)} if tokenizer.order else {}),
        "symbols": list(tokenizer.symbols),
        "merges": [
            [merge.left, merge.right, merge.count, list(merge.removed)]
            for merge in tokenizer.merges
        ],
    }


def characters_from_json(
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


FORMAT = FileFormat(
    suffix=".json",
    begins=begins_as_json,
    key="format",
    holds=(Tokenizer, CharacterTokenizer),
    dumps=dumps,
    loads=from_json,
)

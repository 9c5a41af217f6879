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
from bpe.reading import MAX_BYTES, errors_as, require_tokens

MARK = "bpe-playground"
VERSION = 1
FILE = "tokenizer.bpe.json"

_FIELDS = {"format", "version", "name", "recipe", "corpus_digest", "merges"}


def dumps(tokenizer: Tokenizer | CharacterTokenizer) -> dict[str, bytes]:
    """Return the file: head and recipe readable, the merges one a line.

    A merge of bytes is ``[left, right, count]``.
    """
    values: dict[str, Any] = {
        "format": MARK,
        "version": VERSION,
        "name": tokenizer.name,
        "recipe": tokenizer.recipe.as_json(),
        "corpus_digest": tokenizer.corpus_digest,
    }
    rows: list[list[Any]]
    if isinstance(tokenizer, CharacterTokenizer):
        if tokenizer.order:
            values["order"] = tokenizer.order
        values["symbols"] = tokenizer.symbols
        rows = [[m.left, m.right, m.count, m.removed] for m in tokenizer.merges]
    else:
        if tokenizer.added_later:
            values["added_later"] = tokenizer.added_later
        rows = [[m.left, m.right, m.count] for m in tokenizer.merges]
    merges = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    head = json.dumps(values, ensure_ascii=False, indent=1).removesuffix("\n}")
    text = f'{head},\n "merges": [\n{merges}\n]}}\n'
    return {FILE: text.encode("utf-8", "surrogatepass")}


def loads(
    values: dict[str, Any], *, name: str | None, file: str, **_unused: object
) -> Tokenizer | CharacterTokenizer:
    """Make a tokenizer of the values of a file.

    Another version, missing or unknown fields, and merges that do not follow from each other raise
    :class:`BPEError`.
    """
    if values.get("version") != VERSION:
        raise BPEError(
            "This file has version {version} of its format; only version {ours} can be read. Was "
            "it made by a newer program?",
            version=values.get("version"),
            ours=VERSION,
        )
    with errors_as("“{name}” is not a tokenizer that can be read: “{reason}”", name=name or file):
        _require(values["format"] == MARK, f"its format is not {MARK}")
        wishes = values.get("recipe")
        if isinstance(wishes, dict):  # of version 0.2: the merges that came of it are in the file
            wishes.pop("whole_characters", None)
        recipe = Recipe.from_json(wishes)
        unit, more = recipe.kind.unit, {"added_later"}
        _require(unit != "pieces", f"{recipe.algorithm} is saved as tokenizer.json alone")
        fields = _FIELDS
        if unit == "characters":
            fields, more = _FIELDS | {"symbols"}, {"order"}
        different = (set(values) ^ fields) - more
        _require(not different, f"missing or unknown fields: {', '.join(sorted(different))}")
        label, digest, rows = values["name"], values["corpus_digest"], values["merges"]
        _require(isinstance(label, str) and isinstance(digest, str), "its name is no text")
        _require(isinstance(rows, list), "its merges are not a list")
        require_tokens(len(rows))
        if unit == "characters":
            return _of_characters(values, rows, recipe, digest, name or label)
        added_later = values.get("added_later", [])
        _require(isinstance(added_later, list), "its special tokens are not a list")
        return Tokenizer(_merges(rows, recipe), recipe, digest, name or label, tuple(added_later))


def _require(fits: bool, otherwise: str) -> None:
    if not fits:
        raise ValueError(otherwise)


def _merges(rows: list[Any], recipe: Recipe) -> tuple[Merge, ...]:
    """Check ids and lengths before anything is built: thirty doublings are a gigabyte."""
    limit = recipe.merge_limit
    _require(limit is None or len(rows) <= limit, f"its recipe allows {limit} merges")
    first = recipe.first_merge_id
    lengths = [1] * BYTES + [0] * (first - BYTES)
    total = 0
    merges = []
    for new_id, row in enumerate(rows, start=first):
        if not (isinstance(row, list) and len(row) == 3 and all(type(each) is int for each in row)):
            raise ValueError(f"merge {row!r:.80} is not three whole numbers")
        left, right, count = row
        there = all(0 <= part < BYTES or first <= part < new_id for part in (left, right))
        if not there or count < 0:
            raise ValueError(f"merge {row} joins what is not there, or has a negative count")
        lengths.append(lengths[left] + lengths[right])
        total += lengths[-1]
        _require(total <= MAX_BYTES, "its tokens are too long")
        merges.append(Merge(left, right, new_id, count))
    distinct = len({merge[:2] for merge in merges})
    _require(distinct == len(merges), "it makes the same merge twice")
    return tuple(merges)


def _of_characters(
    values: dict[str, Any], rows: list[Any], recipe: Recipe, digest: str, name: str
) -> CharacterTokenizer:
    symbols = values["symbols"]
    _require(_are_texts(symbols), "its symbols are no list of texts")
    ever = set(symbols)
    _require(len(ever) == len(symbols), "it has the same symbol twice")
    vocabulary = set(symbols)
    merges = []
    for row in rows:
        left, right, count, removed = row
        are_there = _are_texts([left, right]) and {left, right} <= ever
        if not are_there or type(count) is not int or count < 0 or not _are_texts(removed):
            raise ValueError(f"merge {row!r:.80} is not two symbols, a count and symbols")
        _require(set(removed) <= {left, right}, f"merge {row!r:.80} removes other symbols")
        ever.add(left + right)
        vocabulary.add(left + right)
        vocabulary.difference_update(removed)
        merges.append(CharacterMerge(left, right, count, tuple(removed), len(vocabulary)))
    needed = {*recipe.special_tokens, *filter(None, [recipe.unknown])}
    _require(needed <= vocabulary, f"its symbols lack one of {', '.join(needed)}")
    made = CharacterTokenizer(tuple(symbols), tuple(merges), recipe, digest, name)
    order = values.get("order", [])
    if not order or order == list(made.vocabulary):
        return made
    is_other = _are_texts(order) and sorted(order) == sorted(made.vocabulary)
    _require(is_other, "its order is not one of its vocabulary")
    return replace(made, order=tuple(order))


def _are_texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(v, str) and v != "" for v in values)


FORMAT = FileFormat(
    suffix=".json",
    begins=begins_as_json,
    key="format",
    holds=(Tokenizer, CharacterTokenizer),
    dumps=dumps,
    loads=loads,
)

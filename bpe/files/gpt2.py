"""``vocab.json`` and ``merges.txt``: GPT-2's two files, in its byte alphabet.

The pair says nothing of a split pattern nor of any normalisation: the class that a
``tokenizer_config.json`` beside it names does, and without one they are GPT-2's. Character
tokenizers write files of the same names, mostly with ``</w>`` in them. They say neither counts nor
when a symbol left the vocabulary; what encodes follows from them all the same.
"""

import json
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from bpe.algorithm.recipe import Recipe
from bpe.encoders.base import METASPACE, Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.huggingface import added_token, replace, values_of
from bpe.encoders.merge_models import merge_list
from bpe.encoders.tokenizer_json import from_json
from bpe.errors import BPEError
from bpe.files import huggingface
from bpe.files.format import FileFormat
from bpe.files.native import characters_from_json
from bpe.reading import errors_as, json_object, require_tokens
from bpe.text.readable import TO_BYTE, spell, spelled

VERSION = "#version: 0.2"
END_OF_WORD = "</w>"
UNKNOWN: tuple[str, ...] = ("<unk>", "<UNK>", "[UNK]")
"""Names that a vocabulary may have for the token that stands for unseen characters."""

_SPACE = spell(b" ")

Pair = tuple[str, str]


def dumps(tokenizer: Encoder) -> dict[str, bytes]:
    """Return both files; :class:`BPEError` where they would mean another tokenizer."""
    if isinstance(tokenizer, CharacterTokenizer):
        return _of_characters(tokenizer)
    assert isinstance(tokenizer, BytePairEncoder)
    if tokenizer.pattern != "gpt2" or tokenizer.normalises is not None:
        raise BPEError(
            "The files of GPT-2 imply its split pattern and no normalisation; this tokenizer has "
            "“{pattern}” and “{normalisation}”. Use the format “huggingface”.",
            pattern=tokenizer.pattern or "–",
            normalisation=tokenizer.normalises or "none",
        )
    model = merge_list(tokenizer.model)
    made = {merge.new_id for merge in model.merges}.union(model.byte_ids)
    if tokenizer.added_tokens or any(i not in made for i in model.tokens):
        raise BPEError(
            "The files of GPT-2 have no place for tokens that no merge makes, but {name} has some. "
            "Use the format “huggingface”.",
            name=tokenizer.name,
        )
    vocabulary = spelled(model.tokens, tokenizer.special_tokens)
    lines = [VERSION]
    for merge in model.merges:
        left, right = (spell(model.tokens[part]) for part in merge[:2])
        if left.startswith("#version"):  # readers take such a line for the version
            raise BPEError(
                "A merge begins with “#version”, which merges.txt cannot hold. Use the format "
                "“huggingface” or “bpe”."
            )
        lines.append(f"{left} {right}")
    by_id = dict(sorted(vocabulary.items(), key=lambda item: item[1]))
    return {
        "vocab.json": json.dumps(by_id, ensure_ascii=False).encode("utf-8", "surrogatepass"),
        "merges.txt": ("\n".join(lines) + "\n").encode(),
    }


def _of_characters(tokenizer: CharacterTokenizer) -> dict[str, bytes]:
    files = _written(tokenizer)
    try:
        same = _encode_alike(tokenizer, loads(*files.values(), name=tokenizer.name))
    except BPEError:
        same = False
    if not same:
        raise BPEError(
            "Read again, the files of GPT-2 would be another tokenizer than {name}: they imply no "
            "normalisation, and tell special tokens and the unknown token by their spelling. Use "
            "the format “bpe”.",
            name=tokenizer.name,
        )
    return files


def loads(
    vocabulary: bytes,
    merges: bytes,
    config: bytes = b"{}",
    *,
    name: str,
    pattern: str | None = None,
) -> Encoder:
    """Return the tokenizer of the two files; that of bytes is run by Hugging Face ``tokenizers``.

    ``config`` is the ``tokenizer_config.json`` beside them, whose class says how a text is
    normalised and cut; without it they are GPT-2's. ``pattern`` names another split pattern.
    Tokens that no merge makes and that are no single byte are special, unless the file says it.
    """
    ids = json_object(vocabulary, "vocab.json")
    if not all(type(token_id) is int and token_id >= 0 for token_id in ids.values()):
        raise BPEError("vocab.json must give each token a whole number.")
    pairs = pairs_in(merges)
    facts = json_object(config, huggingface.CONFIG)
    if _is_of_characters(ids, pairs) and not facts.get("tokenizer_class"):
        return _character_tokenizer(ids, pairs, name=name)
    around = _around(facts, pattern)
    added = _added(facts) or [
        added_token(token, ids[token])
        for token in _alone(ids, pairs)
        if around["decoder"]["type"] == "ByteLevel"
    ]
    model = {"type": "BPE", "vocab": ids, "merges": pairs, **around.pop("model", {})}
    values = values_of(model, added_tokens=_with_named(facts, added, ids), **around)
    return from_json(values, name=name)


def _alone(ids: Mapping[str, int], pairs: Iterable[tuple[str, str]]) -> list[str]:
    made = {left + right for left, right in pairs}
    return [token for token in ids if token not in made and token not in TO_BYTE]


CLASSES = {
    "GPT2": ("gpt2", "none"),
    "Roberta": ("gpt2", "none"),
    "Bart": ("gpt2", "none"),
    "CodeGen": ("gpt2", "none"),
    "Whisper": ("gpt2", "none"),
    "GPTNeoX": ("gpt2", "NFC"),
    "Qwen2": ("qwen2", "NFC"),
    "Qwen3_5": ("qwen3_5", "NFC"),
}
"""Classes of ``transformers`` for byte-level BPE: their split pattern and normalisation."""


def _around(config: Mapping[str, Any], pattern: str | None) -> dict[str, Any]:
    """Return what stands around the model of a class in a ``tokenizer.json``."""
    whole = config.get("tokenizer_class") or "GPT2Tokenizer"
    kind = str(whole).removesuffix("Fast").removesuffix("Tokenizer")
    blank = config.get("add_prefix_space")
    if kind == "Llama" and pattern is None:
        scheme = "never" if blank is False else "always" if config.get("legacy") else "first"
        return metaspace(scheme)
    if kind not in CLASSES and pattern is None:
        raise BPEError(
            "{file} says “{name}”, and how that cuts texts is not known here. Give the "
            "tokenizer.json of the model, or the split pattern (pattern=…). Known are {names}.",
            file=huggingface.CONFIG,
            name=whole,
            names=", ".join(f"{each}Tokenizer" for each in (*CLASSES, "Llama")),
        )
    own, normalisation = CLASSES.get(kind, ("", "none"))
    split = huggingface.pre_tokenizer(pattern or own, blank is True)
    return {
        "normalizer": huggingface.normalizer(normalisation),
        "pre_tokenizer": split,
        "decoder": huggingface.BYTE_LEVEL,
    }


def metaspace(scheme: str) -> dict[str, Any]:
    """Return what stands around the model of Llama's first tokenizers."""
    blank = [{"type": "Strip", "content": " ", "start": 1, "stop": 0}] if scheme != "never" else []
    decoders = [
        replace({"String": METASPACE}, " "),
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        *blank,
    ]
    return {
        "model": {"fuse_unk": True, "byte_fallback": True},
        "pre_tokenizer": {
            "type": "Metaspace",
            "replacement": METASPACE,
            "prepend_scheme": scheme,
            "split": False,
        },
        "decoder": {"type": "Sequence", "decoders": decoders},
    }


def _added(config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the added tokens that the configuration lists by their ids."""
    listed = config.get("added_tokens_decoder") or {}
    with errors_as("{file} cannot be read: “{reason}”", file=huggingface.CONFIG):
        return [
            added_token(str(facts["content"]), int(token_id), **_flags(facts))
            for token_id, facts in sorted(listed.items(), key=lambda item: int(item[0]))
        ]


def _flags(facts: Mapping[str, Any]) -> dict[str, bool]:
    names = ("single_word", "lstrip", "rstrip", "normalized", "special")
    return {name: bool(facts[name]) for name in names if name in facts}


def _with_named(
    config: Mapping[str, Any], added: list[dict[str, Any]], ids: Mapping[str, int]
) -> list[dict[str, Any]]:
    """Return the added tokens with those that the configuration gives a role, such as ``eos``."""
    own = {token["content"] for token in added}
    named = [config.get(f"{role}_token") for role in huggingface.ROLES]
    for token in (*named, *(config.get("additional_special_tokens") or ())):
        content = token.get("content") if isinstance(token, Mapping) else token
        if content is None or content in own:
            continue
        if content not in ids:
            raise BPEError(
                "{file} names the special token “{token}”, which has no id in vocab.json.",
                file=huggingface.CONFIG,
                token=content,
            )
        added = [*added, added_token(content, ids[content])]
        own.add(content)
    return added


def pairs_in(content: bytes) -> list[tuple[str, str]]:
    """Return the merges of ``merges.txt``, as they are written there."""
    require_tokens(content.count(b"\n"))
    try:
        lines = content.decode().split("\n")
    except UnicodeDecodeError as error:
        raise BPEError("merges.txt is not UTF-8.") from error
    pairs = []
    for number, line in enumerate(lines, start=1):
        if (number == 1 and line.startswith("#version")) or not line.strip():
            continue
        parts = line.rstrip("\r").split(" ")
        if len(parts) != 2 or not all(parts):
            raise BPEError(
                "Line {line} of merges.txt is not two tokens with a space between.", line=number
            )
        pairs.append((parts[0], parts[1]))
    return pairs


# Of characters.


def _written(tokenizer: CharacterTokenizer) -> dict[str, bytes]:
    vocabulary = json.dumps(tokenizer.ids, ensure_ascii=False, indent=2) + "\n"
    merges = [f"{merge.left} {merge.right}" for merge in tokenizer.merges]
    return {
        "vocab.json": vocabulary.encode("utf-8", "surrogatepass"),
        "merges.txt": ("\n".join(["#version: 0.2", *merges]) + "\n").encode(),
    }


def _encode_alike(tokenizer: CharacterTokenizer, other: Encoder) -> bool:
    """Whether both give any text the same ids, as far as their parts say it."""

    def parts(one: CharacterTokenizer) -> tuple[object, ...]:
        recipe = one.recipe
        pairs = [merge[:2] for merge in one.merges]
        names = recipe.normalisation, recipe.end_of_word, recipe.unknown, recipe.pattern
        return one.ids, pairs, one.special_tokens, names

    return isinstance(other, CharacterTokenizer) and parts(other) == parts(tokenizer)


def _is_of_characters(vocabulary: Mapping[str, int], pairs: Sequence[Pair]) -> bool:
    """Whether the two files are in characters: they merge ``</w>``, or have no byte alphabet."""
    if any(part.endswith(END_OF_WORD) for part in _starts(pairs)):
        return True
    return not (TO_BYTE.keys() <= vocabulary.keys() or any(_SPACE in token for token in vocabulary))


def _character_tokenizer(
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
    return characters_from_json(values, recipe, corpus_digest="", name=name)


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


FORMAT = FileFormat(
    suffix=".txt",
    begins=re.compile(b"#version").match,
    holds=(BytePairEncoder, CharacterTokenizer),
    dumps=dumps,
    loads=loads,
)

"""``vocab.json`` and ``merges.txt``: GPT-2's two files, in its byte alphabet.

The pair says nothing of a split pattern, which is GPT-2's, nor of any normalisation. Character
tokenizers write files of the same names, mostly with ``</w>`` in them, which
:mod:`bpe.files.characters` makes something of.
"""

import json
from typing import Any

from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.json_parts import added_token, values_of
from bpe.encoders.merge_models import merge_list
from bpe.errors import BPEError
from bpe.files import characters
from bpe.reading import json_object, require_tokens
from bpe.text.byte_alphabet import TO_BYTE, spell, spelled, unspell

VERSION = "#version: 0.2"


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
    if tokenizer.added_tokens or any(at not in made for at in model.tokens):
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
    files = characters.dumps_gpt2(tokenizer)
    try:
        same = characters.encode_alike(tokenizer, loads(*files.values(), name=tokenizer.name))
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


def loads(vocabulary: bytes, merges: bytes, *, name: str) -> Encoder:
    """Return the tokenizer of the two files; that of bytes is run by Hugging Face ``tokenizers``.

    Tokens of bytes that no merge makes and that are no single byte are its special tokens.
    """
    from bpe.encoders import tokenizer_json  # only here: tokenizers takes long

    ids = json_object(vocabulary, "vocab.json")
    if not all(type(token_id) is int and token_id >= 0 for token_id in ids.values()):
        raise BPEError("vocab.json must give each token a whole number.")
    pairs = _pairs(merges)
    if characters.is_of_characters(ids, pairs):
        return characters.loads_gpt2(ids, pairs, name=name)
    made = {left + right for left, right in pairs}
    specials = [token for token in ids if token not in made and token not in TO_BYTE]
    return tokenizer_json.from_json(_tokenizer_json(ids, pairs, specials), name=name)


def byte_pairs(merges: bytes) -> list[tuple[bytes, bytes]]:
    """Return the merges of ``merges.txt`` as pairs of byte strings.

    Characters outside of the byte alphabet raise :class:`BPEError`.
    """
    return [(unspell(left), unspell(right)) for left, right in _pairs(merges)]


def _pairs(content: bytes) -> list[tuple[str, str]]:
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


def _tokenizer_json(
    ids: dict[str, Any], pairs: list[tuple[str, str]], specials: list[str]
) -> dict[str, Any]:
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False}
    return values_of(
        {"type": "BPE", "vocab": ids, "merges": pairs},
        added_tokens=[added_token(token, ids[token]) for token in specials],
        pre_tokenizer={**byte_level, "use_regex": True},
        decoder={**byte_level, "use_regex": True},
    )

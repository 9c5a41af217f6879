"""``vocab.json`` and ``merges.txt``: GPT-2's two files of byte-level BPE, in its byte alphabet.

The pair says nothing of a split pattern nor of any normalisation: they are GPT-2's.
"""

import json
import re

from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.huggingface import added_token, bpe_model, values_of
from bpe.encoders.merge_models import merge_list
from bpe.encoders.tokenizer_json import from_json
from bpe.errors import BPEError
from bpe.files import huggingface
from bpe.files.format import FileFormat
from bpe.reading import json_object, require_tokens
from bpe.text.readable import TO_BYTE, spell, spelled

VERSION = "#version: 0.2"


def dumps(tokenizer: BytePairEncoder) -> dict[str, bytes]:
    """Return both files; :class:`BPEError` where they would mean another tokenizer."""
    model = merge_list(tokenizer.model)
    made = {merge.new_id for merge in model.merges}.union(model.byte_ids)
    alone = tokenizer.added_tokens or any(i not in made for i in model.tokens)
    if alone or tokenizer.pattern != "gpt2" or tokenizer.normalises is not None:
        raise BPEError(
            "The files of GPT-2 imply its split pattern, no normalisation, and a merge for each "
            "token, which {name} has not. Use the format “huggingface”.",
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


def loads(vocabulary: bytes, merges: bytes, *, name: str, pattern: str | None = None) -> Encoder:
    """Return the tokenizer of the two files; ``pattern`` names another split pattern than GPT-2's.

    Tokens that no merge makes and that are no single byte are special.
    """
    ids = json_object(vocabulary, "vocab.json")
    if not all(type(token_id) is int and token_id >= 0 for token_id in ids.values()):
        raise BPEError("vocab.json must give each token a whole number.")
    pairs = pairs_in(merges)
    if not ids.keys() >= TO_BYTE.keys():
        raise BPEError(
            "vocab.json lacks some of the 256 bytes: these are not the files of a byte-level BPE. "
            "Of characters, only our own format “bpe” is read."
        )
    made = {left + right for left, right in pairs}
    alone = [token for token in ids if token not in made and token not in TO_BYTE]
    values = values_of(
        bpe_model(ids, pairs),
        added_tokens=[added_token(token, ids[token]) for token in alone],
        pre_tokenizer=huggingface.pre_tokenizer(pattern or "gpt2"),
        decoder=huggingface.BYTE_LEVEL,
    )
    return from_json(values, name=name)


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


FORMAT = FileFormat(
    suffix=".txt",
    begins=re.compile(b"#version").match,
    holds=(BytePairEncoder,),
    dumps=dumps,
    loads=loads,
)

"""``.tiktoken`` rank files: a token in base64 and its id on each line, and nothing else.

tiktoken merges, of all neighbours whose joined bytes are a token, those of the lowest id first.
So the ids are the ranks, and which two parts a token was made of is not written down.
"""

import base64
import binascii
from pathlib import PurePath

from bpe.algorithm.recipe import BYTES
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.merge_models import RankTable
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.text.pretokenize import PATTERNS, compiled_pattern

FILE = "tokenizer.tiktoken"

_OF_OPENAI = {
    "r50k_base": "gpt2",
    "p50k_base": "gpt2",
    "cl100k_base": "cl100k",
    "o200k_base": "o200k",
}

_LARGEST_ID = 2**20 - 1
_LONGEST_TOKEN = 1 << 16


def dumps(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Return the rank file, for ``tiktoken.Encoding`` with the pattern and special tokens.

    It gives the same ids exactly if no two tokens have the same bytes and each one's bytes encode
    to it: then two neighbours that join to a token are always the two parts of its merge, as
    the text between their outer ends has been merged just as it would be alone. Otherwise, and
    where there is a normalisation, :class:`BPEError`.
    """
    if tokenizer.recipe.normalisation != "none":
        raise BPEError(
            "A rank file cannot say that text is normalised (“{normalisation}”). Use the format "
            "“huggingface” or “bpe”.",
            normalisation=tokenizer.recipe.normalisation,
        )
    seen: dict[bytes, int] = {}
    lines = []
    for token_id in (*range(BYTES), *(merge.new_id for merge in tokenizer.merges)):
        data = tokenizer.vocabulary[token_id]
        if tokenizer.encode_word(data) != [token_id] or data in seen:
            raise BPEError(
                "Token {token_id} ({token}) is not what its own bytes are encoded to, so that ids "
                "cannot serve as ranks. Use the format “huggingface” or “bpe”.",
                token_id=token_id,
                token=data.decode("utf-8", "backslashreplace"),
            )
        seen[data] = token_id
        lines.append(b"%s %d\n" % (base64.b64encode(data), token_id))
    return {FILE: b"".join(lines)}


def loads(content: bytes, *, name: str, pattern: str | None = None) -> BytePairEncoder:
    """Return the tokenizer of a rank file; ``pattern`` is a name of a split pattern.

    Without it the file must have the name of one that OpenAI publishes, else :class:`BPEError`.
    """
    ranks: dict[bytes, int] = {}
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        parts = line.split()
        try:
            token, rank = parts
            data, token_id = base64.b64decode(token, validate=True), int(rank)
        except (ValueError, binascii.Error) as error:
            raise BPEError(
                "Line {line} of the rank file is not a token in base64 and its number.",
                line=number,
            ) from error
        if not 0 <= token_id <= _LARGEST_ID or not 0 < len(data) <= _LONGEST_TOKEN:
            raise BPEError("Line {line} of the rank file is out of range.", line=number)
        if data in ranks:
            raise BPEError("Line {line} of the rank file repeats a token.", line=number)
        ranks[data] = token_id
    if len(set(ranks.values())) < len(ranks):
        raise BPEError("The rank file gives one number to two tokens.")
    if missing := [byte for byte in range(BYTES) if bytes([byte]) not in ranks]:
        raise BPEError(
            "The rank file has no token for byte {byte:02X}. It needs one for each of the 256.",
            byte=missing[0],
        )
    pattern = pattern or _OF_OPENAI.get(PurePath(name).stem)
    if pattern is None:
        raise BPEError(
            "“{name}” does not say how text is split before merging: no rank file does. Say it by "
            "pattern=…, in a terminal --pattern. The patterns are {names}.",
            name=name,
            names=", ".join(PATTERNS),
        )
    compiled_pattern(pattern)
    return BytePairEncoder(name, RankTable(ranks), pattern)

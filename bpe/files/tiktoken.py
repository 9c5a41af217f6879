"""``.tiktoken`` rank files: a token in base64 and its id on each line, and nothing else.

tiktoken merges, of all neighbours whose joined bytes are a token, those of the lowest id first.
So the ids are the ranks, and which two parts a token was made of is not written down.
"""

import base64
import re
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import PurePath

from bpe.algorithm.recipe import BYTES
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.merge_models import MergeList, RankTable, merge_list
from bpe.errors import BPEError
from bpe.files.format import FileFormat
from bpe.reading import require_tokens
from bpe.text.pretokenize import PATTERNS, compiled_pattern

FILE = "tokenizer.tiktoken"

_OPENAI = {"r50k_base": "gpt2", "p50k_base": "gpt2", "cl100k_base": "cl100k", "o200k_base": "o200k"}

# Whole groups of four base64 digits, then a number.
_RANK = re.compile(
    rb"\s*(?:[A-Za-z0-9+/]{4})*"
    rb"(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)[ \t]+\d+[ \t]*(?:[\r\n]|\Z)"
)
_LARGEST_ID = 2**20 - 1
_LONGEST_TOKEN = 1 << 16


def dumps(tokenizer: BytePairEncoder) -> dict[str, bytes]:
    """Return the rank file, for ``tiktoken.Encoding`` with the pattern and special tokens.

    It gives the same ids exactly if the merges are those that follow from the ids as ranks, and
    each token's bytes encode to it. Otherwise, and where text is normalised or tokens are found in
    it that are not special, :class:`BPEError`.
    """
    if tokenizer.normalises is not None or tokenizer.added_tokens:
        raise BPEError(
            "A rank file cannot say that text is normalised, nor that tokens are found in it "
            "without being special, as {name} does. Use the format “huggingface” or “bpe”.",
            name=tokenizer.name,
        )
    ranks = _as_ranks(tokenizer.model)
    rows = sorted(ranks.items(), key=lambda item: item[1])
    return {FILE: b"".join(b"%s %d\n" % (base64.b64encode(data), i) for data, i in rows)}


def _as_ranks(model: MergeList | RankTable) -> Mapping[bytes, int]:
    if isinstance(model, RankTable):
        return model.by_bytes
    ranks: dict[bytes, int] = {}
    for token_id, data in model.tokens.items():
        if data in ranks or model.encode_word(data) != [token_id]:
            raise _no_rank(token_id, data)
        ranks[data] = token_id
    followed = merge_list(RankTable(ranks))
    for ours, theirs in zip_longest(model.merges, followed.merges):
        if ours is None or theirs is None or ours[:3] != theirs[:3]:
            new = (ours or theirs).new_id
            raise _no_rank(new, model.tokens[new])
    if alone := next((i for data, i in followed.whole.items() if data not in model.whole), None):
        raise _no_rank(alone, model.tokens[alone])
    return ranks


def _no_rank(token_id: int, data: bytes) -> BPEError:
    return BPEError(
        "Token {token_id} ({token}) is not what its own bytes are encoded to, so that ids "
        "cannot serve as ranks. Use the format “huggingface” or “bpe”.",
        token_id=token_id,
        token=data.decode("utf-8", "backslashreplace"),
    )


def loads(
    content: bytes, *, name: str | None, file: str, pattern: str | None = None
) -> BytePairEncoder:
    """Return the tokenizer of a rank file; ``pattern`` is a name of a split pattern.

    Without it the file must have the name of one that OpenAI publishes, else :class:`BPEError`.
    """
    require_tokens(content.count(b"\n") + content.count(b"\r"))
    ranks: dict[bytes, int] = {}
    taken: set[int] = set()
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            token, rank = line.split()
            data, token_id = base64.b64decode(token, validate=True), int(rank)
            in_range = 0 <= token_id <= _LARGEST_ID and 0 < len(data) <= _LONGEST_TOKEN
            if not in_range or data in ranks or token_id in taken:
                raise ValueError(line)
        except ValueError as error:
            raise BPEError(
                "Line {line} of the rank file is not a token in base64 and its number, or repeats "
                "one.",
                line=number,
            ) from error
        ranks[data] = token_id
        taken.add(token_id)
    require_bytes(ranks)
    pattern = pattern or _OPENAI.get(PurePath(file).stem)
    if pattern is None:
        raise BPEError(
            "“{name}” does not say how text is split before merging: no rank file does. Say it by "
            "pattern=…, in a terminal --pattern. The patterns are {names}.",
            name=name or file,
            names=", ".join(PATTERNS),
        )
    compiled_pattern(pattern)
    return BytePairEncoder(name or file, RankTable(ranks), pattern)


def require_bytes(ranks: Mapping[bytes, int]) -> None:
    if missing := [byte for byte in range(BYTES) if bytes([byte]) not in ranks]:
        raise BPEError(
            "The rank file has no token for byte {byte:02X}. It needs one for each of the 256.",
            byte=missing[0],
        )


FORMAT = FileFormat(
    suffix=".tiktoken", begins=_RANK.match, holds=(BytePairEncoder,), dumps=dumps, loads=loads
)

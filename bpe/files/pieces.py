"""A SentencePiece model as ``.model``, and as ``tokenizer.json``: ids proved equal.

SentencePiece says in one file what is done to spaces, which pieces there are and how sure of each
it is; a ``tokenizer.json`` says it by a normalizer, a model and a decoder. Not all can be said
there. So what is written encodes texts that are hard to cut before it leaves here, and where one
id differs the model is refused.
"""

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any

from bpe.encoders import sentencepiece as spm
from bpe.encoders.base import METASPACE, Encoder
from bpe.encoders.catalog import SentencePieceEncoding
from bpe.encoders.huggingface import added_token, bpe_model, replace, values_of
from bpe.encoders.sentencepiece import Model, SentencePieceEncoder, merges_of, parse, written
from bpe.errors import BPEError, library
from bpe.files.format import FileFormat
from bpe.reading import errors_as

_NEVER = 10_000.0
"""How much worse than the worst piece one is that text must not match."""

HARD = (
    "", " ", "  ", " a", "a ", "Hello, world!", "two  spaces", " lead and trail ", "▁", "▁▁a ▁",
    "你好，世界！", "龘靐龖 𠀀", "e\u0301 é ﬁ Ⅷ ㎏ ｆｕｌｌ", "👩‍👩‍👧‍👦 👍🏽", "한국어 ᄒ",
    "\u200b\ufeff", "a\tb\nc\r\nd\n\n\ne", "   \n  \n", f"{' ' * 50}x\t\t\t\t", "\u3000\u00a0x",
    "\x00\x7f\x85\u2028", "<0x41> <0xE4>", "aaaaaaaaaaaaaaaaa", "1234567 3.14",
    "x = y ** 2  # z\n    return", "<table></td> [INST]",
    "It's the first day of the rest of your life; isn't it? " * 3,
)  # fmt: skip


def dumps(encoder: SentencePieceEncoder | SentencePieceEncoding) -> dict[str, bytes]:
    """Return the ``.model`` file; :class:`BPEError` where ids would differ."""
    content = written(encoder.model)
    again = SentencePieceEncoder(encoder.name, parse(content))
    _prove(encoder, again.encode_ordinary, "SentencePiece")
    return {"tokenizer.model": content}


def to_json(encoder: Encoder, model: Model) -> dict[str, Any]:
    """Return the values of a ``tokenizer.json``; :class:`BPEError` where ids would differ."""
    values = values_of(
        _model(model),
        added_tokens=list(_added(model)),
        normalizer={"type": "Sequence", "normalizers": list(_normalizers(model))},
        decoder={"type": "Sequence", "decoders": list(_decoders(model))},
    )
    with errors_as("“{name}” is not a model that can be used: “{reason}”", name=encoder.name):
        content = json.dumps(values).encode("utf-8", "surrogatepass")
        engine = library("tokenizers").Tokenizer.from_buffer(content)
    engine.encode_special_tokens = True
    _prove(
        encoder,
        lambda text: engine.encode(text, add_special_tokens=False).ids,
        "Hugging Face tokenizers",
    )
    return values


def _prove(encoder: Encoder, ids_of: Callable[[str], list[int]], library: str) -> None:
    for text in HARD:
        if ids_of(text) != encoder.encode_ordinary(text):
            raise BPEError(
                "{name} cannot be written for {library}, which would cut “{text}” otherwise.",
                name=encoder.name,
                library=library,
                text=text,
            )


def _added(model: Model) -> Iterator[dict[str, Any]]:
    for number, piece in enumerate(model.pieces):
        if piece.type in (spm.CONTROL, spm.UNKNOWN, spm.USER_DEFINED):
            # Where a space becomes ▁, a piece of these is found in what became of the text.
            spaces = METASPACE in piece.text and model.escape and not model.dummy_prefix
            special = piece.type != spm.USER_DEFINED
            yield added_token(piece.text, number, normalized=spaces, special=special)


def _normalizers(model: Model) -> Iterator[dict[str, Any]]:
    if model.charsmap:
        table = base64.b64encode(model.charsmap).decode()
        yield {"type": "Precompiled", "precompiled_charsmap": table}
    if model.remove_extra_spaces:
        yield replace({"Regex": r"\A +| +\z"}, "")
        yield replace({"Regex": " {2,}"}, " ")
    if model.dummy_prefix:
        yield {"type": "Prepend", "prepend": METASPACE if model.escape else " "}
    if model.escape:
        yield replace({"String": " "}, METASPACE)
        if model.remove_extra_spaces:
            yield replace({"Regex": f"{METASPACE}+\\z"}, "")


def _decoders(model: Model) -> Iterator[dict[str, Any]]:
    yield replace({"String": METASPACE}, " ")
    if model.byte_fallback:
        yield {"type": "ByteFallback"}
    yield {"type": "Fuse"}
    if model.dummy_prefix:
        yield {"type": "Strip", "content": " ", "start": 1, "stop": 0}


def _model(model: Model) -> dict[str, Any]:
    unknown = next(i for i, piece in enumerate(model.pieces) if piece.type == spm.UNKNOWN)
    if model.type == spm.BPE:
        vocabulary = {piece.text: i for i, piece in enumerate(model.pieces)}
        texts = [piece.text for piece in model.pieces]
        return bpe_model(
            vocabulary,
            [[texts[left], texts[right]] for left, right, *_ in merges_of(model)],
            unk_token=texts[unknown],
            fuse_unk=True,
            byte_fallback=model.byte_fallback,
        )
    assert model.type == spm.UNIGRAM
    usable = [piece.score for piece in model.pieces if piece.type in (spm.NORMAL, spm.USER_DEFINED)]
    never = min(usable, default=0.0) - _NEVER
    hidden = (spm.CONTROL, spm.BYTE)
    return {
        "type": "Unigram",
        "unk_id": unknown,
        "byte_fallback": model.byte_fallback,
        "vocab": [
            [piece.text, never if piece.type in hidden else piece.score] for piece in model.pieces
        ],
    }


def loads(
    content: bytes, *, name: str | None, file: str, **_unused: object
) -> SentencePieceEncoder:
    return SentencePieceEncoder(name or file, parse(content))


def _begins(head: bytes) -> bool:
    # The first field of a model is a piece, and the first field of that its text.
    return head[:1] == head[2:3] == b"\n" and len(head) > 3 and head[3] < head[1]


FORMAT = FileFormat(
    suffix=".model",
    begins=_begins,
    holds=(SentencePieceEncoder, SentencePieceEncoding),
    dumps=dumps,
    loads=loads,
)

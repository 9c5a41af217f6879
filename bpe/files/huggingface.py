r"""Writing ``tokenizer.json`` for Hugging Face ``tokenizers``, which gives the same ids there.

That is for every character that both engines know: the Unicode there is some versions older.
Reading is in :mod:`bpe.encoders.tokenizer_json`.
"""

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.catalog import SentencePieceEncoding
from bpe.encoders.huggingface import added_token, bpe_model, normalizer, split, values_of
from bpe.encoders.merge_models import MergeList, merge_list
from bpe.encoders.normalisers import HuggingFaceNormaliser
from bpe.encoders.sentencepiece import SentencePieceEncoder
from bpe.encoders.tokenizer_json import TokenizerJsonEncoder, from_json
from bpe.errors import BPEError
from bpe.files import pieces
from bpe.files.format import FileFormat, begins_as_json
from bpe.text import own_pattern
from bpe.text.readable import spell, spelled
from bpe.text.split_patterns import as_published, own_in_oniguruma

_OVER_LINES = re.compile(rb"[\r\n][^\r\n]+\Z")
BYTE_LEVEL = {
    "type": "ByteLevel",
    "add_prefix_space": False,
    "trim_offsets": False,
    "use_regex": False,
}


def dumps(tokenizer: Encoder) -> dict[str, bytes]:
    """Return ``tokenizer.json``; what cannot be said there raises :class:`BPEError`."""
    match tokenizer:
        case BytePairEncoder():
            return dumps_values(_of_bytes(tokenizer))
        case TokenizerJsonEncoder():
            return dumps_values(tokenizer.values)
        case SentencePieceEncoder() | SentencePieceEncoding():
            return dumps_values(pieces.to_json(tokenizer, tokenizer.model))
    raise AssertionError(tokenizer)  # no kind has the format and is not here


def _of_bytes(tokenizer: BytePairEncoder) -> dict[str, Any]:
    if tokenizer.pattern is None:
        raise BPEError("{name} is cut in a way that has no name here.", name=tokenizer.name)
    model = merge_list(tokenizer.model)
    specials, added = tokenizer.special_tokens, tokenizer.added_tokens
    vocabulary = spelled(model.tokens, {**specials, **added})
    names = {token_id: spell(data) for token_id, data in model.tokens.items()}
    return values_of(
        bpe_model(
            dict(sorted(vocabulary.items(), key=lambda item: item[1])),
            [[names[merge.left], names[merge.right]] for merge in model.merges],
            ignore_merges=bool(model.whole),
        ),
        added_tokens=[
            *(added_token(token, i) for token, i in specials.items()),
            *(added_token(token, i, special=False) for token, i in added.items()),
        ],
        normalizer=_normalizer_of(tokenizer),
        pre_tokenizer=pre_tokenizer(_known_elsewhere(tokenizer.pattern, model)),
        decoder=BYTE_LEVEL,
    )


def _known_elsewhere(pattern: str, model: MergeList) -> str:
    """Return a pattern that more readers know, where it gives the same ids.

    That of cl100k takes white space at the end of a text as one, Llama 3's cuts it behind line
    breaks: the same, unless a token reaches over such a place.
    """
    if pattern == "cl100k" and not any(map(_OVER_LINES.search, model.tokens.values())):
        return "llama3"
    return pattern


CONFIG = "tokenizer_config.json"


ROLES = ("bos", "eos", "pad", "unk")


def dumps_config(
    encoder: Encoder, roles: Mapping[str, str] = MappingProxyType({})
) -> dict[str, bytes]:
    """Return ``tokenizer_config.json``, by which ``transformers`` knows special tokens.

    ``roles`` says which of them begins a text (``bos``), ends it (``eos``), fills it up (``pad``)
    and stands for what is unknown (``unk``).
    """
    values: dict[str, Any] = {"tokenizer_class": "PreTrainedTokenizerFast"}
    for role, token in roles.items():
        if role not in ROLES or token not in encoder.special_tokens:
            raise BPEError(
                "“{token}” is not a special token of {name}, so it cannot be its {role} token.",
                token=token,
                name=encoder.name,
                role=role,
            )
        values[f"{role}_token"] = token
    others = [token for token in encoder.special_tokens if token not in roles.values()]
    values |= {"additional_special_tokens": others, "clean_up_tokenization_spaces": False}
    text = json.dumps(values, ensure_ascii=False, indent=1) + "\n"
    return {CONFIG: text.encode("utf-8", "surrogatepass")}


def dumps_values(values: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the file: an entry a line but none indented, which only a slow encoder can do."""
    text = json.dumps(values, ensure_ascii=False, separators=(",\n", ": ")) + "\n"
    return {"tokenizer.json": text.encode("utf-8", "surrogatepass")}


def _normalizer_of(encoder: BytePairEncoder) -> Mapping[str, Any] | None:
    if isinstance(encoder.normaliser, HuggingFaceNormaliser):
        return encoder.normaliser.values
    return normalizer(encoder.normalises or "none")


def pre_tokenizer(pattern: str, blank: bool = False) -> dict[str, Any]:
    """Return the pre-tokenizer of a split pattern; with ``blank`` texts begin with a space."""
    bytes_alone = {**BYTE_LEVEL, "add_prefix_space": blank}
    if pattern == "gpt2":  # which it knows itself, as files of GPT-2's kind have it
        return {**bytes_alone, "use_regex": True}
    own = own_pattern.is_own(pattern)
    sources = (own_in_oniguruma(pattern),) if own else as_published(pattern)
    splits = [split({"Regex": source}) for source in sources]
    if not splits:
        return bytes_alone
    return {"type": "Sequence", "pretokenizers": [*splits, bytes_alone]}


def loads(values: Mapping[str, Any], *, name: str | None, file: str, **_unused: object) -> Encoder:
    return from_json(values, name=name or file)


FORMAT = FileFormat(
    suffix=".json",
    begins=begins_as_json,
    key="model",
    holds=(BytePairEncoder, TokenizerJsonEncoder, SentencePieceEncoder, SentencePieceEncoding),
    dumps=dumps,
    loads=loads,
)

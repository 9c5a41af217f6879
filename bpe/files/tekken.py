"""``tekken.json``, Mistral's file of ranks: read, not written.

Special tokens have the first ids, as many as the file reserves for them, and the tokens of the
vocabulary the next, in the order of their ranks. What the file does not name of the first is called
``<SPECIAL_7>``, as Mistral's own library does.
"""

import base64
from collections.abc import Mapping
from typing import Any

from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.merge_models import RankTable
from bpe.files.format import FileFormat, begins_as_json
from bpe.files.tiktoken import require_bytes
from bpe.reading import errors_as, require_tokens
from bpe.text.pretokenize import compiled_pattern
from bpe.text.split_patterns import pattern_of

_OLDEST = [
    *("<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]"),
    *("[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CALLS]", "<pad>", "[PREFIX]", "[MIDDLE]"),
    "[SUFFIX]",
]
"""The special tokens of files that list none."""


def loads(
    values: Mapping[str, Any], *, name: str | None, file: str, pattern: str | None = None
) -> BytePairEncoder:
    """Return the tokenizer of the values of a ``tekken.json``."""
    label = name or file
    with errors_as("“{name}” is not a tokenizer that can be read: “{reason}”", name=label):
        config = values["config"]
        reserved = _number(config["default_num_special_tokens"])
        size = _number(config["default_vocab_size"])
        require_tokens(size)
        specials = {
            f"<SPECIAL_{i}>" if token is None else token: i
            for i, token in enumerate(_specials(values, reserved))
        }
        if len(specials) < reserved:
            raise ValueError("it has the same special token twice")
        ranks: dict[bytes, int] = {}
        for entry in values["vocab"][: max(size - reserved, 0)]:
            data = base64.b64decode(entry["token_bytes"], validate=True)
            if not data or entry["rank"] != len(ranks):
                raise ValueError("its tokens are not in the order of their ranks")
            ranks[data] = reserved + len(ranks)
        source = pattern or pattern_of(str(config["pattern"]))
    require_bytes(ranks)
    compiled_pattern(source)
    return BytePairEncoder(label, RankTable(ranks), source, special_tokens=specials)


def _number(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value < 1 << 20:
        raise ValueError("its sizes are no numbers of tokens")
    return value


def _specials(values: Mapping[str, Any], reserved: int) -> list[str | None]:
    """Return the name of each reserved id; ``None`` where it has none."""
    names: list[str | None] = [None] * reserved
    listed = values.get("special_tokens")
    if listed is None:
        names[: len(_OLDEST)] = _OLDEST
        return names[:reserved]
    for entry in listed:
        names[_number(entry["rank"])] = str(entry["token_str"])
    return names


FORMAT = FileFormat(suffix=".json", begins=begins_as_json, key="config", loads=loads)

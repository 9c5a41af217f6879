"""Whatever is done to a file, loading and using it raises nothing but our own error."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe import files as formats
from bpe.encoders import huggingface
from bpe.errors import BPEError

DATA = Path(__file__).parents[1] / "tests/files/data"
TEXTS = ("", "Hello  world 中文\n", "<s> <|end|> 😀 e\u0301 ①\ufeff")

SMALL = bpe.train(["abab 中文 中文"], bpe.Recipe(merges=4, special_tokens=("<|end|>",)))
CHARACTERS = bpe.train(
    ["low lower lowest"],
    bpe.Recipe(algorithm="character-bpe", merges=4, special_tokens=("<|end|>",), unknown="<unk>"),
)
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"}
WORDPIECE = huggingface.values_of(
    {
        "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100, "vocab": {"[UNK]": 0, "hello": 1, "##s": 2, "中": 3},
    },
    added_tokens=[huggingface.added_token("[UNK]", 0)],
    normalizer={"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Lowercase"}]},
    pre_tokenizer={"type": "BertPreTokenizer"},
    decoder={"type": "WordPiece", "prefix": "##", "cleanup": True},
)  # fmt: skip
UNIGRAM = huggingface.values_of(
    {
        "type": "Unigram", "unk_id": 0, "byte_fallback": True,
        "vocab": [["[UNK]", 0.0], ["▁", -2.0], ["Hello", -3.0], ["<0x41>", -9.0]],
    },
    added_tokens=[huggingface.added_token("[UNK]", 0)],
    normalizer=huggingface.replace({"Regex": " {2,}"}, "▁"),
    pre_tokenizer=METASPACE,
    decoder=METASPACE,
)  # fmt: skip

MERGED = bpe.train(["ab ab"], bpe.Recipe(merges=1))
FILES: dict[str, Mapping[str, bytes]] = {
    **{format: formats.dumps(MERGED, format) for format in formats.formats_of(MERGED)},
    "specials": formats.dumps(SMALL, "huggingface"),
    "characters": formats.dumps(CHARACTERS),
    "wordpiece": {"tokenizer.json": json.dumps(WORDPIECE).encode()},
    "unigram": {"tokenizer.json": json.dumps(UNIGRAM).encode()},
}  # fmt: skip
FILES["sentencepiece"] = {"x.model": (DATA / "bpe.model").read_bytes()}
FILES["charsmap"] = {"x.model": (DATA / "unigram.model").read_bytes()}


def use(files: Mapping[str, bytes]) -> bool:
    """Load the files and do everything with them that a page does; say whether they loaded."""
    try:
        encoder: Any = formats.loads(files, pattern="gpt2")
    except BPEError as error:
        str(error)
        return False
    assert encoder.vocabulary_size >= 0
    assert encoder.normalises is None or isinstance(encoder.normalises, str)
    assert encoder.lossy in (True, False)
    steps = [lambda: encoder.merges]
    steps += [lambda text=text: encoder.encode(text, allowed_special="all") for text in TEXTS]
    steps += [lambda text=text: encoder.encode(text, disallowed_special=()) for text in TEXTS]
    steps += [lambda n=n: encoder.token_bytes(n) for n in range(-1, 300, 7)]
    steps += [lambda n=n: encoder.decode([n, n]) for n in range(-1, 300, 7)]
    for step in steps:
        try:
            step()
        except BPEError as error:
            str(error)
    return True


@given(
    name=st.sampled_from(sorted(FILES)),
    at=st.floats(0, 1, exclude_max=True),
    removed=st.integers(0, 40),
    put=st.binary(max_size=8),
)
def other_bytes(name: str, at: float, removed: int, put: bytes) -> None:
    damaged = {}
    for file, content in FILES[name].items():
        start = int(at * len(content))
        damaged[file] = content[:start] + put + content[start + removed :]
    use(damaged)


@given(name=st.sampled_from(sorted(FILES)), ends=st.lists(st.floats(0, 1), min_size=2, max_size=2))
def truncated(name: str, ends: list[float]) -> None:
    shares = zip(FILES[name].items(), ends, strict=False)
    use({file: content[: int(share * len(content))] for (file, content), share in shares})


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "a", "ä", "▁", "##", "NFC", "Regex", "(", "<0x41>", "\ud83d"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["type", "vocab", "a", "id", "String"]), inner, max_size=3),
    max_leaves=4,
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value within a JSON value."""
    yield path
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield from places(value[key], (*path, key))


JSON_FILES = {
    name: (file, json.loads(content))
    for name, files in FILES.items()
    for file, content in files.items()
    if file.endswith(".json")
}


@given(name=st.sampled_from(sorted(JSON_FILES)), data=st.data())
def json_with_another_value(name: str, data: st.DataObject) -> None:
    file, original = JSON_FILES[name]
    # The vocabulary has hundreds of places, so half of the time one outside of it is taken.
    everywhere = list(places(original))
    outside = [path for path in everywhere if "vocab" not in path[:-1]]
    path = data.draw(st.sampled_from(outside) | st.sampled_from(everywhere))
    changed = json.loads(json.dumps(original))
    if path:
        parent = changed
        for key in path[:-1]:
            parent = parent[key]
        if data.draw(st.booleans()) and isinstance(parent, dict):
            del parent[path[-1]]
        else:
            parent[path[-1]] = data.draw(values)
    else:
        changed = data.draw(values)
    use({**FILES[name], file: json.dumps(changed).encode()})


@given(content=st.binary(max_size=300), name=st.sampled_from(["x.json", "x.model", "x.tiktoken"]))
def any_bytes(content: bytes, name: str) -> None:
    use({name: content})
    use({"vocab.json": content, "merges.txt": content})

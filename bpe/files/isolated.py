"""Reading large tokenizer files in a sandboxed process, so that other sessions go on.

Parsing millions of values holds the lock of the interpreter for seconds. A process that serves
others therefore parses small files alone (:class:`bpe.sandbox.Limits`); of a large one it receives
the finished encoder, pickled. Only what encoders are made of is unpickled.
"""

import importlib
import io
import json
import pickle
from collections.abc import Callable, Mapping
from typing import Any

from bpe import limits, sandbox
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.limits import require_memory
from bpe.reading import memory_for_json, undisturbed

_MADE_OF = {
    "bpe.algorithm.character": {"CharacterMerge"},
    "bpe.algorithm.merge": {"Merge"},
    "bpe.algorithm.recipe": {"Recipe"},
    "bpe.encoders.base": {"TrainingRecord"},
    "bpe.encoders.byte_pair": {"_unpickled"},
    "bpe.encoders.character": {"CharacterTokenizer"},
    "bpe.encoders.merge_models": {"MergeList", "RankTable"},
    "bpe.encoders.normalisers": {"HuggingFaceNormaliser"},
    "bpe.encoders.sentencepiece": {"Model", "Piece", "SentencePieceEncoder"},
    "bpe.encoders.tokenizer_json": {"_unpickled"},
    "bpe.encoders.trained": {"Tokenizer"},
}
_BYTES_A_BYTE = 6  # of memory, what a byte of a pickled encoder becomes
_COPIES = 2  # of a file, on its way to the process
_TIMES = 3  # bytes evicted: the engine takes as much as the values, and it gets a share


def encoder(
    read: Callable[..., Encoder],
    files: Mapping[str, bytes],
    *,
    on_wait: Callable[[], object] = lambda: None,
    **options: Any,
) -> Encoder:
    """Return ``read(files, **options)``, called in a process of its own where files are large.

    ``read`` is a function of a module, and ``options`` are values of JSON.
    """
    sizes = [(name, len(content)) for name, content in files.items()]
    size = sum(each for _, each in sizes)
    if size <= sandbox.limits().bytes_parsed:
        return read(files, **options)
    require_memory(_COPIES * size)
    limits.make_room(_TIMES * sum(map(memory_for_json, files.values())))
    try:
        pickled = sandbox.run(
            f"{__name__}:opened",
            b"".join([json.dumps(sizes).encode(), b"\n", *files.values()]),
            on_wait=on_wait,
            reader=f"{read.__module__}:{read.__name__}",
            **options,
        )
    except sandbox.TooLargeError as error:
        raise BPEError(
            "{names}: reading it needs more memory than is free at the moment. Try again later, or "
            "use a smaller tokenizer.",
            names=", ".join(files),
        ) from error
    require_memory(_BYTES_A_BYTE * len(pickled))
    with undisturbed():
        made: Encoder = _Unpickler(io.BytesIO(pickled)).load()
    return made


def opened(data: bytes, reader: str, **options: object) -> bytes:
    """Return the pickled encoder that a function makes of files; called in the process."""
    start = data.index(b"\n") + 1
    files = {}
    for name, size in json.loads(data[:start]):
        files[name] = data[start : start + size]
        start += size
    del data
    module, _, name = reader.partition(":")
    made = getattr(importlib.import_module(module), name)(files, **options)
    return pickle.dumps(made, protocol=pickle.HIGHEST_PROTOCOL)


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if name not in _MADE_OF.get(module, ()):
            raise pickle.UnpicklingError(f"{module}.{name} is not part of an encoder")
        return super().find_class(module, name)

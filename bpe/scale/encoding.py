"""Write the token ids of a corpus in many files, for a training loop that maps them into memory.

A shard has the ids of its documents in ``NAME.npy``, where each begins and the last one ends in
``NAME.documents.npy`` (int64), and ``NAME.json``, written last; ``index.json`` lists all::

    ids = np.load("tokens/NAME.npy", mmap_mode="r")
    borders = np.load("tokens/NAME.documents.npy")
    third_document = ids[borders[2] : borders[3]]
"""

import hashlib
import json
import logging
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import numpy.typing as npt

from bpe import compiled
from bpe.documents.reader import compression_of, gathered
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.limits import num_threads
from bpe.progress import OnProgress
from bpe.scale import shards
from bpe.scale.shards import Paths, Shard, written_whole
from bpe.text.special_tokens import Specials
from bpe.writing import require_apart, require_beside

_log = logging.getLogger(__name__)

_VERSION = 1
_PIECE = 1 << 20
_WORTH_KERNELS = 2_000_000
_HEADER = 128
_PROBE = (
    "I'm  DON'T HelloWorld 1234567 9.11\r\n\n\t/北京大学，２０２６ ñ e\u0301 🤗👩\u200d👧 ▁x <s>"
)


@dataclass(frozen=True)
class TokenFile:
    """The files of ids of one shard."""

    source: str
    ids: str
    """The name of the file of ids."""
    documents: int
    tokens: int
    bytes: int
    """Of the texts, in UTF-8."""


def encode_files(
    sources: Paths,
    encoder: Encoder,
    out: str | PathLike[str],
    *,
    column: str | Iterable[str] | None = None,
    executor: Executor | None = None,
    end_of_document: str | None = None,
    allowed_special: Specials = (),
    on_progress: OnProgress = lambda progress: None,
) -> tuple[TokenFile, ...]:
    """Write the ids of all files of a corpus to a folder or URL; return the files.

    ``sources`` are paths, folders, globs and URLs, see :func:`bpe.scale.shards.find`. The type of
    an id is uint16 where all ids fit, else uint32. ``end_of_document`` is a special token to put
    behind each document. Special tokens that a text spells out are ordinary text unless they are
    allowed. Without an ``executor`` threads encode, one per core. Files that are whole already are
    not written again. A folder that lies in one of the sources, or around a file of them, is
    refused: its files would be read.
    """
    texts = shards.find_all(sources, column=column)
    require_beside(out, shards.folders(sources))
    require_apart(out, [shard.url for shard in texts])
    kind = np.dtype(np.uint16 if encoder.vocabulary_size <= 1 << 16 else np.uint32)
    end = _special(encoder, end_of_document)
    specials = tuple(
        sorted(encoder.special_tokens if allowed_special == "all" else allowed_special)
    )
    settings = [_VERSION, _identity(encoder), kind.str, "npy", end, specials]
    folder = os.fspath(out).rstrip("/")
    pool = ThreadPoolExecutor(num_threads()) if executor is None else nullcontext()
    with pool as threads:
        jobs = [
            (
                _encode_shard,
                (shard, encoder, f"{folder}/{_name(shard, settings)}", kind.str, end, specials),
                shard.size,
            )
            for shard in texts
        ]
        done = shards.run(
            jobs, executor or threads, on_progress, sum(shard.size for shard in texts)
        )
        written = sorted(done, key=lambda file: file.source)
    index = {
        "encoder": encoder.name,
        "vocabulary_size": encoder.vocabulary_size,
        "dtype": kind.name,
        "format": "npy",
        "end_of_document": end_of_document,
        "documents": sum(file.documents for file in written),
        "tokens": sum(file.tokens for file in written),
        "bytes": sum(file.bytes for file in written),
        "shards": [asdict(file) for file in written],
    }
    _write_json(f"{folder}/index.json", index)
    return tuple(written)


def _special(encoder: Encoder, token: str | None) -> int | None:
    if token is None:
        return None
    if token not in encoder.special_tokens:
        raise BPEError(
            "“{token}” is not a special token of this tokenizer. It has: {known}.",
            token=token,
            known=", ".join(list(encoder.special_tokens)[:20]) or "–",
        )
    return encoder.special_tokens[token]


def _identity(encoder: Encoder) -> str:
    """Name an encoder by its tokens and by what it makes of an awkward text."""
    sha = hashlib.sha256(json.dumps(sorted(encoder.special_tokens.items())).encode())
    for token in encoder.token_table:
        sha.update(b"-" if token is None else len(token).to_bytes(4, "big") + token)
    sha.update(str([encoder.kind, encoder.normalises, encoder.encode_ordinary(_PROBE)]).encode())
    return sha.hexdigest()


def _name(shard: Shard, settings: list[Any]) -> str:
    identity = json.dumps([*settings, *shard.key])
    stem = PurePosixPath(shard.name.removesuffix(compression_of(shard.name))).stem
    return f"{stem}-{hashlib.sha256(identity.encode()).hexdigest()[:12]}"


def _encode_shard(
    shard: Shard, encoder: Encoder, url: str, dtype: str, end: int | None, specials: tuple[str, ...]
) -> TokenFile:
    if (done := _done(url)) is not None:
        return done
    if shard.size >= _WORTH_KERNELS:
        compiled.warm(background=False, part="encode")
    borders, size, sealed = _write_ids(f"{url}.npy", shard, encoder, dtype, end, specials)
    name = url.rsplit("/", 1)[1]
    with written_whole(f"{url}.documents.npy") as path:
        with open(path, "wb") as file:
            np.save(file, borders, allow_pickle=False)
        seals = {f"{name}.npy": sealed, f"{name}.documents.npy": shards.seal(path)}
    written = TokenFile(shard.url, f"{name}.npy", len(borders) - 1, int(borders[-1]), size)
    _write_json(f"{url}.json", {**asdict(written), "files": seals})
    return written


def _done(url: str) -> TokenFile | None:
    """Return the files of a shard; ``None`` where one is missing or has changed."""
    system, path = shards.file_system(f"{url}.json")
    if not system.exists(path):
        return None
    try:
        with system.open(path, "rb") as file:
            values = json.loads(file.read())
        seals = values.pop("files")
        done = TokenFile(**values)
        folder = url.rsplit("/", 1)[0]
        whole = done.ids in seals and all(
            shards.is_sealed(f"{folder}/{name}", sealed) for name, sealed in seals.items()
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        whole = False
    if not whole:
        _log.warning("%s is missing, cut short or changed, and is written again.", url)
        return None
    return done


def _write_ids(
    url: str,
    shard: Shard,
    encoder: Encoder,
    dtype: npt.DTypeLike,
    end: int | None,
    specials: tuple[str, ...],
) -> tuple[npt.NDArray[np.int64], int, list[int | str]]:
    """Write all ids one behind the other, encoding many short documents at once.

    Return where each document begins, the bytes of the texts, and a seal.
    """
    kind = np.dtype(dtype)
    last = np.array([] if end is None else [end], kind)
    options: Any = {"allowed_special": specials, "disallowed_special": ()}
    borders, size = [0], 0

    def read(document: Iterable[str]) -> Iterator[str]:
        nonlocal size
        for block in document:
            size += len(block.encode())
            yield block

    with written_whole(url) as path:
        with open(path, "wb") as file:
            file.write(bytes(_HEADER))  # how many ids there are is known at the end
            for some in gathered(shards.documents(shard), _PIECE):
                tokens = borders[-1]
                if isinstance(some, list):
                    batch, ends = encoder.encode_batch_to_numpy(list(read(some)), **options)
                    file.write(
                        np.insert(batch.astype(kind), np.repeat(ends, len(last)), last[:1]).data
                    )
                    borders += (tokens + ends + len(last) * np.arange(1, len(ends) + 1)).tolist()
                    continue
                for ids in encoder.encode_iterable_to_numpy(read(some), step=_PIECE, **options):
                    file.write(ids.astype(kind).data)
                    tokens += len(ids)
                file.write(last.data)
                borders.append(tokens + len(last))
            file.seek(0)
            np.lib.format.write_array_header_1_0(
                file, {"descr": kind.str, "fortran_order": False, "shape": (borders[-1],)}
            )
            assert file.tell() == _HEADER
        sealed = shards.seal(path)
    return np.array(borders, np.int64), size, sealed


def _write_json(url: str, value: dict[str, Any]) -> None:
    with written_whole(url) as path, open(path, "w", encoding="ascii") as file:
        json.dump(value, file, indent=1)  # a path need not be UTF-8

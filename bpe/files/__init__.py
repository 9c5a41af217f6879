"""Tokenizers in files: our own, and those of Hugging Face, GPT-2, tiktoken, SentencePiece, Mistral.

Everything works in memory first: :func:`dumps` gives file names with their content, and
:func:`loads` takes them; :func:`save`, :func:`load` and :func:`bpe.from_hub` only fetch the bytes.
Nothing in a file is ever executed, and a file that cannot be used raises :class:`BPEError`.
A format is a module of this package and a line of :data:`TABLE`.

Of a byte-level BPE that is not in our own format the compiled tables and some facts are cached by a
digest of the files once it has encoded something (:mod:`bpe.encoders.cached_tables`). The next time
merges, and the bytes of tokens, are read from the files only when they are asked for.
"""

import os
import re
import stat
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Any, Literal, get_args

from bpe.encoders import cached_tables
from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.merge_models import MergeList, RankTable
from bpe.encoders.normalisers import HuggingFaceNormaliser
from bpe.errors import BPEError
from bpe.files import gpt2, huggingface, isolated, native, pieces, tekken, tiktoken
from bpe.files.format import FileFormat
from bpe.reading import MAX_BYTES, json_object
from bpe.text.readable import unspell
from bpe.writing import written_whole

TABLE: dict[str, FileFormat] = {
    "bpe": native.FORMAT,
    "huggingface": huggingface.FORMAT,
    "gpt2": gpt2.FORMAT,
    "tiktoken": tiktoken.FORMAT,
    "sentencepiece": pieces.FORMAT,
    "tekken": tekken.FORMAT,
}
Format = Literal["bpe", "huggingface", "gpt2", "tiktoken", "sentencepiece"]
FORMATS: tuple[Format, ...] = get_args(Format)
"""Those of the table that can be written, the first that a tokenizer has being the usual one."""
SUFFIXES: tuple[str, ...] = tuple(sorted({row.suffix for row in TABLE.values()}))
"""The suffixes of files that :func:`loads` can make something of."""

_HEAD = 1 << 17  # bytes looked at: the first line of a rank file has at most so many
_PAGE = re.compile(rb"\s*<(?:!doctype|html)", re.IGNORECASE)
_POINTER = b"version https://git-lfs.github.com/"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_FOLDERS = (
    ("tokenizer.json",),
    ("vocab.json", "merges.txt", huggingface.CONFIG),
    ("vocab.json", "merges.txt"),
    ("tekken.json",),
)
"""The files of a folder that are read, the first that it has all of."""


def dumps(tokenizer: Encoder, format: Format = "bpe") -> dict[str, bytes]:
    """Return the files of ``tokenizer`` in ``format``: usual file name to content.

    ``"bpe"`` holds everything of a tokenizer that was trained here. The others hold what their
    readers know, of whatever was loaded, and give the same ids there; where a tokenizer has
    something that a format cannot say, :class:`BPEError` says what.
    """
    if format not in FORMATS:
        raise BPEError(
            "There is no format “{name}”. Choose one of: {names}.",
            name=format,
            names=", ".join(FORMATS),
        )
    formats = formats_of(tokenizer)
    write = TABLE[format].dumps
    if format in formats and write is not None:
        return write(tokenizer)
    raise BPEError(
        "{name} ({kind}) cannot be written as “{format}”. Choose one of: {names}.",
        name=tokenizer.name,
        kind=tokenizer.kind,
        format=format,
        names=", ".join(formats),
    )


def save(
    tokenizer: Encoder,
    path: str | os.PathLike[str],
    format: Format | None = None,
    *,
    roles: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write ``tokenizer`` to ``path``: a file, or for ``"gpt2"`` a directory that is made.

    Without a format the suffixes ``.tiktoken`` and ``.model`` (SentencePiece) say it, and a file
    called ``tokenizer.json`` is Hugging Face's; else a tokenizer that was trained here is written
    in our own format, and a loaded one in Hugging Face's. That is a directory, too, unless the path
    ends in ``.json`` or is a file already. There, and beside a file called ``tokenizer.json``,
    ``transformers`` finds the special tokens in ``tokenizer_config.json``; ``roles`` says which of
    them are ``bos``, ``eos``, ``pad`` and ``unk``.
    """
    target = Path(path)
    format = format or format_for(tokenizer, target)
    files = dumps(tokenizer, format)
    folder = format == "huggingface" and _is_folder(target)
    if folder or (format == "huggingface" and target.name == "tokenizer.json"):
        files |= huggingface.dumps_config(tokenizer, roles)
        target = target if folder else target.parent
    elif roles:
        raise BPEError("Roles are for a folder, or a file tokenizer.json.")
    if len(files) == 1:
        files = {target.name: next(iter(files.values()))}
        target = target.parent
    parent = target.parent if len(files) > 1 and _is_folder(Path(path)) else target
    if not parent.is_dir():
        raise BPEError(
            "“{path}” cannot be written: there is no folder “{folder}”. Make it first.",
            path=str(path),
            folder=str(parent),
        )
    try:
        target.mkdir(exist_ok=True)
        _write(target, files)
    except OSError as error:
        raise BPEError(
            "“{path}” cannot be written: {reason}.", path=str(path), reason=error.strerror
        ) from error


def format_for(tokenizer: Encoder, path: Path) -> Format:
    """Return the format of a file by its name, or the first that the tokenizer has."""
    formats = formats_of(tokenizer)
    for format in FORMATS:
        if path.suffix == TABLE[format].suffix not in (".json", ".txt"):
            return format
    if path.name == "tokenizer.json" and "huggingface" in formats:
        return "huggingface"
    if not formats:
        raise BPEError("{name} is of a kind that no format holds.", name=tokenizer.name)
    return formats[0]


def formats_of(tokenizer: Encoder) -> tuple[Format, ...]:
    """Return the formats that hold tokenizers of its kind."""
    if not isinstance(tokenizer, Encoder):
        raise TypeError(
            "Give a tokenizer, such as bpe.encoding('gpt2'), not "
            f"{type(tokenizer).__name__}: {tokenizer!r:.80}"
        )
    return tuple(format for format in FORMATS if isinstance(tokenizer, TABLE[format].holds))


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files whole or not at all, and never beside those of another tokenizer.

    All are written before the first takes its place. Until the last has, those behind the first are
    missing. Links are followed; a device or a pipe is written to, and not replaced.
    """
    if len(files) == 1 and _is_stream(stream := folder / next(iter(files))):
        with stream.open("wb") as opened:
            opened.write(*files.values())
        return
    with ExitStack() as all_written:  # which moves the last that was written first
        for name in reversed(list(files)):
            path = all_written.enter_context(written_whole(folder / name))
            path.write_bytes(files[name])
        for name in list(files)[1:]:
            (folder / name).resolve().unlink(missing_ok=True)


def _is_folder(path: Path) -> bool:
    """Return whether a path is one for several files, which may be called ``qwen2.5``."""
    return path.is_dir() or not (path.suffix == ".json" or path.is_file() or _is_stream(path))


def _is_stream(path: Path) -> bool:
    """Return whether a path is a device, a pipe, or a link to one, as ``/dev/stdout`` is."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    is_file = stat.S_ISREG(mode) or stat.S_ISDIR(mode)
    return not is_file or str(path.parent) in ("/dev", "/dev/fd")


def loads(
    files: Mapping[str, bytes],
    *,
    name: str | None = None,
    pattern: str | None = None,
    on_wait: Callable[[], object] = lambda: None,
) -> Encoder:
    """Return the tokenizer in ``files`` (file name to content), whatever kind it is.

    One file of our own, a ``tokenizer.json``, a ``tekken.json``, a ``.tiktoken`` rank file or a
    SentencePiece ``.model``; or GPT-2's ``vocab.json`` and ``merges.txt`` together, which are
    refused with a ``tokenizer_config.json``, as its class may use them otherwise. ``pattern`` names
    the split pattern of a rank file, which does not say its own, unless it is called as one that
    OpenAI publishes. A single file is what its first bytes show, whatever its name. Where large
    files are read in a process of their own, ``on_wait`` is called some 20 times a second.
    """
    for file, content in files.items():
        _require_size(file, len(content))
    whole = {file: content.removeprefix(_BYTE_ORDER_MARK) for file, content in files.items()}
    others = [file for file in whole if PurePath(file).name != huggingface.CONFIG]
    read = None
    if len(whole) == 1:
        ((file, content),) = whole.items()
        read = _read_one if kind_of(content, file) in SUFFIXES else None
    elif sorted(PurePath(file).suffix.lower() for file in others) == [".json", ".txt"]:
        read = _read_pair
    if read is None:
        raise BPEError(
            "{names}: not the files of one tokenizer. Give one tokenizer.json, .tiktoken or .model "
            "file, or vocab.json and merges.txt together.",
            names=", ".join(files) or "–",
        )
    return isolated.encoder(read, whole, name=name, pattern=pattern, on_wait=on_wait)


def load(path: str | os.PathLike[str], *, pattern: str | None = None) -> Encoder:
    """Return the tokenizer at ``path``: a file, or a directory that :func:`loads` understands.

    Of a directory, ``tokenizer.json`` is taken if it has one, else ``vocab.json`` and
    ``merges.txt``, else ``tekken.json``, else a single ``.tiktoken`` or ``.model`` file.
    """
    if not isinstance(path, str | os.PathLike):
        raise BPEError("Give the path of a tokenizer, not {kind}.", kind=type(path).__name__)
    source = Path(path)
    try:
        chosen = _chosen(source) if source.is_dir() else [source]
        for file in chosen:
            _require_size(file.name, file.stat().st_size)
        files = {file.name: file.read_bytes() for file in chosen}
    except (OSError, ValueError) as error:
        if isinstance(error, BPEError):
            raise
        raise BPEError(
            "“{path}” cannot be read: {reason}.",
            path=str(path),
            reason=getattr(error, "strerror", None) or error,
        ) from error
    name = source.name if source.is_dir() else None
    return _cached(files, lambda: loads(files, name=name, pattern=pattern), name, pattern)


def _cached(
    files: Mapping[str, bytes], read: Callable[[], Encoder], *options: str | None
) -> Encoder:
    """Return the tokenizer that ``read`` makes of these files, and of nothing but the options."""
    name = cached_tables.name_of_files(files, *options)
    facts = None if name is None else cached_tables.facts(name)
    if name is not None and facts is not None:
        return _from_facts(facts, read, name)
    made = read()
    # Facts can say what it does besides merging where the pattern and the normaliser have names.
    if name is None or type(made) is not BytePairEncoder or made.pattern is None:
        return made
    says_it = isinstance(made.normaliser, HuggingFaceNormaliser | None)
    return made.cached_as(name) if says_it else made


def _from_facts(facts: dict[str, Any], read: Callable[[], Encoder], name: str) -> BytePairEncoder:
    def model() -> MergeList | RankTable:
        whole = read()
        assert isinstance(whole, BytePairEncoder)  # it was, when its facts were cached
        return whole.model

    values = facts["normalise"]
    normalise = None if values is None else HuggingFaceNormaliser(values)
    return BytePairEncoder(model=model, cached_as=name, **{**facts, "normalise": normalise})


def _require_size(name: str, size: int) -> None:
    if size > MAX_BYTES:
        raise BPEError(
            "“{name}” has {size:.1f} MB; the limit is {limit:.1f} MB.",
            name=name,
            size=size / 2**20,
            limit=MAX_BYTES / 2**20,
        )


def _chosen(directory: Path) -> list[Path]:
    for names in _FOLDERS:
        if all((directory / name).is_file() for name in names):
            return [directory / name for name in names]
    rank_files = sorted(p for p in directory.iterdir() if p.suffix in (".tiktoken", ".model"))
    if len(rank_files) == 1:
        return rank_files
    raise BPEError(
        "“{path}” has no tokenizer.json, no vocab.json with merges.txt, and no single .tiktoken "
        "or .model file.",
        path=str(directory),
    )


def _read_one(files: Mapping[str, bytes], *, name: str | None, pattern: str | None) -> Encoder:
    ((file, content),) = files.items()
    suffix = kind_of(content, file)
    data: Any = json_object(content, file) if suffix == ".json" else content
    is_vocabulary = suffix == ".json" and all(isinstance(value, int) for value in data.values())
    if suffix == ".txt" or (data and is_vocabulary):
        raise BPEError("“{name}” is half a tokenizer: give vocab.json and merges.txt.", name=file)
    for row in TABLE.values():
        if row.suffix == suffix and (not row.key or row.key in data):
            return row.loads(data, name=name, file=PurePath(file).name, pattern=pattern)
    raise BPEError(
        "“{name}” is JSON, but not a tokenizer: it has neither “format” nor “model”.", name=file
    )


def _read_pair(files: Mapping[str, bytes], *, name: str | None, pattern: str | None) -> Encoder:
    """Return the tokenizer of ``vocab.json`` and ``merges.txt``, whatever they are called."""
    (merges,) = (file for file in files if PurePath(file).suffix.lower() == ".txt")
    for file in (file for file in files if PurePath(file).name == huggingface.CONFIG):
        raise BPEError(
            "{file} says “{name}”, and how that cuts texts is known to transformers alone: save it "
            "there as tokenizer.json. Without that file, the two others are read as GPT-2's.",
            file=huggingface.CONFIG,
            name=json_object(files[file], file).get("tokenizer_class") or "–",
        )
    (vocabulary,) = (file for file in files if file != merges)
    label = name or PurePath(vocabulary).parent.name or "vocab.json + merges.txt"
    return gpt2.loads(files[vocabulary], files[merges], name=label, pattern=pattern)


def kind_of(content: bytes, file: str) -> str:
    """Return the suffix of the format that ``content`` has, or else that of the name.

    What one gets instead of a tokenizer, a web page or the pointer to a large file, raises
    :class:`BPEError`.

    >>> kind_of(b"IQ== 0\\nIg== 1\\n", "x.json")
    '.tiktoken'
    >>> kind_of(b"?", "x.JSON")
    '.json'
    """
    head = content[:_HEAD]
    if _PAGE.match(head):
        raise BPEError(
            "“{name}” is a web page, not a tokenizer. Download the file itself (“raw”).", name=file
        )
    if head.startswith(_POINTER):
        raise BPEError(
            "“{name}” only points to a large file (Git LFS). Download that file itself.", name=file
        )
    head = head.removeprefix(_BYTE_ORDER_MARK)
    shown = (row.suffix for row in TABLE.values() if row.begins(head))
    return next(shown, PurePath(file).suffix.lower())


def merges_in(content: bytes, name: str) -> list[tuple[bytes, bytes]]:
    """Return the merges of byte-level BPE in a file, each as the bytes of its two tokens.

    ``name`` is what the file is called: ``merges.txt``, or any that :func:`loads` takes alone.
    """
    if kind_of(content, name) == ".txt":
        return [(unspell(left), unspell(right)) for left, right in gpt2.pairs_in(content)]
    encoder = loads({name: content})
    if not isinstance(encoder, BytePairEncoder):
        raise BPEError("“{name}” holds no merges of byte-level BPE.", name=name)
    tokens = encoder.model.tokens
    return [(tokens[merge.left], tokens[merge.right]) for merge in encoder.merges]

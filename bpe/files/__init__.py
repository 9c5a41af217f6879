"""Tokenizers in files: our own, and those of Hugging Face, GPT-2, tiktoken and SentencePiece.

Everything works in memory first: :func:`dumps` gives file names with their content, and
:func:`loads` takes them; :func:`save`, :func:`load` and :func:`from_hub` only fetch the bytes.
Nothing in a file is ever executed, and a file that cannot be used raises :class:`BPEError`.
What each format holds is in the module named like it.

Most programs encode with a tokenizer and ask for nothing else. Of a byte-level BPE in a
``tokenizer.json`` (or another format that is not our own) the compiled tables and some facts are
cached by a digest of the files once it has encoded something (:mod:`bpe.encoders.cached_tables`).
The next time these are enough; merges, and the bytes of tokens, are read from the files when they
are asked for.
"""

import os
import re
import stat
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args

from bpe.encoders import cached_tables
from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.catalog import SentencePieceEncoding
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.merge_models import MergeList, RankTable
from bpe.encoders.normalisers import HuggingFaceNormaliser
from bpe.encoders.sentencepiece import SentencePieceEncoder
from bpe.encoders.tokenizer_json import TokenizerJsonEncoder
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.files import isolated
from bpe.reading import MAX_BYTES, json_object
from bpe.writing import written_whole

if TYPE_CHECKING:
    from bpe.files.hub import from_hub

Format = Literal["bpe", "huggingface", "gpt2", "tiktoken", "sentencepiece"]
FORMATS: tuple[Format, ...] = get_args(Format)
SUFFIXES: tuple[str, ...] = (".json", ".txt", ".tiktoken", ".model")
"""The suffixes of files that :func:`loads` can make something of."""

_HEAD = 1 << 17
"""Bytes looked at: the first line of a rank file has at most so many."""

# Whole groups of four base64 digits, then a number.
_RANK = re.compile(
    rb"\s*(?:[A-Za-z0-9+/]{4})*"
    rb"(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)[ \t]+\d+[ \t]*(?:[\r\n]|\Z)"
)
_PAGE = re.compile(rb"\s*<(?:!doctype|html)", re.IGNORECASE)
_POINTER = b"version https://git-lfs.github.com/"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


_BY_SUFFIX: dict[str, Format] = {".tiktoken": "tiktoken", ".model": "sentencepiece"}
"""What a file is written as where only its name says it."""


def dumps(tokenizer: Encoder, format: Format = "bpe") -> dict[str, bytes]:
    """Return the files of ``tokenizer`` in ``format``: usual file name to content.

    ``"bpe"`` holds everything of a tokenizer that was trained here. The others hold what their
    readers know, of whatever was loaded, and give the same ids there; where a tokenizer has
    something that a format cannot say, :class:`BPEError` says what. Of a character tokenizer
    ``"gpt2"`` gives ``vocab.json`` and ``merges.txt`` with ``</w>``.
    """
    if format not in FORMATS:
        raise BPEError(
            "There is no format “{name}”. Choose one of: {names}.",
            name=format,
            names=", ".join(FORMATS),
        )
    if format not in (known := formats_of(tokenizer)):
        if format == "bpe":
            raise BPEError(
                "The format “bpe” is for byte-level and character BPE that was trained here from "
                "the beginning, not for {name}. Choose one of: {names}.",
                name=tokenizer.name,
                names=", ".join(known),
            )
        raise BPEError(
            "{name} ({kind}) cannot be written as “{format}”. Choose one of: {names}.",
            name=tokenizer.name,
            kind=tokenizer.kind,
            format=format,
            names=", ".join(known),
        )
    match format:
        case "bpe":
            from bpe.files import native  # only here: NumPy takes long

            assert isinstance(tokenizer, Tokenizer | CharacterTokenizer)
            return native.dumps(tokenizer)
        case "huggingface":
            from bpe.files import huggingface  # only here: tokenizers takes long

            return huggingface.dumps(tokenizer)
        case "gpt2":
            from bpe.files import gpt2  # only here: NumPy takes long

            return gpt2.dumps(tokenizer)
        case "tiktoken":
            from bpe.files import tiktoken  # only here, as the other formats

            assert isinstance(tokenizer, BytePairEncoder)
            return tiktoken.dumps(tokenizer)
        case "sentencepiece":
            from bpe.files import pieces  # only here: tokenizers takes long

            assert isinstance(tokenizer, SentencePieceEncoder | SentencePieceEncoding)
            return pieces.to_model(tokenizer, tokenizer.model)


def save(
    tokenizer: Encoder,
    path: str | os.PathLike[str],
    format: Format | None = None,
    *,
    roles: Mapping[str, str] = MappingProxyType({}),
    chat_template: str = "",
) -> None:
    """Write ``tokenizer`` to ``path``: a file, or for ``"gpt2"`` a directory that is made.

    Without a format the suffixes ``.tiktoken`` and ``.model`` (SentencePiece) say it, and a file
    called ``tokenizer.json`` is Hugging Face's; else a tokenizer that was trained here is written
    in our own format, and a loaded one in Hugging Face's.

    ``"huggingface"`` is a directory, too, unless the path ends in ``.json`` or is a file already.
    There, and beside a file called ``tokenizer.json``, ``transformers`` finds the special tokens in
    ``tokenizer_config.json``; ``roles`` says which of them are ``bos``, ``eos``, ``pad`` and
    ``unk``, and ``chat_template`` how messages become a text.
    """
    target = Path(path)
    format = format or format_for(tokenizer, target)
    files = dumps(tokenizer, format)
    folder = format == "huggingface" and _is_folder(target)
    if folder or (format == "huggingface" and target.name == "tokenizer.json"):
        from bpe.files import huggingface  # only here: tokenizers takes long

        files |= huggingface.dumps_config(tokenizer, roles, chat_template)
        target = target if folder else target.parent
    elif roles or chat_template:
        raise BPEError("Roles and a chat template are for a folder, or a file tokenizer.json.")
    if len(files) == 1:
        files = {target.name: next(iter(files.values()))}
        target = target.parent
    try:
        target.mkdir(parents=True, exist_ok=True)
        _write(target, files)
    except OSError as error:
        raise BPEError(
            "“{path}” cannot be written: {reason}.", path=str(path), reason=error.strerror
        ) from error


def format_for(tokenizer: Encoder, path: Path) -> Format:
    """Return the format of a file by its name, or the first that the tokenizer has."""
    known = formats_of(tokenizer)
    if path.suffix in _BY_SUFFIX:
        return _BY_SUFFIX[path.suffix]
    if path.name == "tokenizer.json" and "huggingface" in known:
        return "huggingface"
    return known[0]


def formats_of(tokenizer: Encoder) -> tuple[Format, ...]:
    """Return the formats that hold tokenizers of its kind."""
    if not isinstance(tokenizer, Encoder):
        raise TypeError(
            "Give a tokenizer, such as bpe.encoding('gpt2'), not "
            f"{type(tokenizer).__name__}: {tokenizer!r:.80}"
        )
    if isinstance(tokenizer, Tokenizer):
        return ("bpe", "huggingface", "gpt2", "tiktoken")
    if isinstance(tokenizer, BytePairEncoder):
        return ("huggingface", "gpt2", "tiktoken")
    if isinstance(tokenizer, CharacterTokenizer):
        return ("bpe", "gpt2")
    if isinstance(tokenizer, TokenizerJsonEncoder):
        return ("huggingface",)
    if isinstance(tokenizer, SentencePieceEncoder | SentencePieceEncoding):
        return ("huggingface", "sentencepiece")
    return ()


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

    One file of our own, a ``tokenizer.json``, a ``.tiktoken`` rank file or a SentencePiece
    ``.model``; or ``vocab.json`` and ``merges.txt`` together. ``pattern`` names the split pattern
    of a rank file, which does not say its own; it must be given unless the file has the name of
    one that OpenAI publishes. Our own file gives a
    :class:`bpe.encoders.trained.Tokenizer` or, of characters, a
    :class:`bpe.encoders.character.CharacterTokenizer`, as do the two files where they are in
    characters. A single file is what its first bytes show, whatever its name. Where large files
    are read in a process of their own, ``on_wait`` is called some 20 times a second meanwhile.
    """
    for file, content in files.items():
        _require_size(file, len(content))
    named = sorted(files.items(), key=lambda item: PurePath(item[0]).suffix)
    kinds = tuple(PurePath(file).suffix.lower() for file, _ in named)
    if len(named) == 1:
        kinds = (kind_of(named[0][1], named[0][0]),)
    match kinds:
        case (".json",) | (".json", ".txt"):
            return isolated.encoder(_read_json, dict(named), name=name, on_wait=on_wait)
        case (".tiktoken",):
            from bpe.files import tiktoken  # only here, as the other formats

            return tiktoken.loads(
                named[0][1], name=name or PurePath(named[0][0]).name, pattern=pattern
            )
        case (".model",):
            from bpe.encoders import sentencepiece  # only here: tokenizers takes long

            return sentencepiece.loads(named[0][1], name=name or PurePath(named[0][0]).name)
        case (".txt",):
            raise BPEError("“{name}” needs its vocab.json: give both files.", name=named[0][0])
    raise BPEError(
        "{names}: not the files of one tokenizer. Give one tokenizer.json, .tiktoken or .model "
        "file, or vocab.json and merges.txt together.",
        names=", ".join(files) or "–",
    )


def load(path: str | os.PathLike[str], *, pattern: str | None = None) -> Encoder:
    """Return the tokenizer at ``path``: a file, or a directory that :func:`loads` understands.

    Of a directory, ``tokenizer.json`` is taken if it has one, else ``vocab.json`` and
    ``merges.txt``, else a single ``.tiktoken`` or ``.model`` file.
    """
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
    if name is not None and facts is not None and "trims" in facts:  # older ones do not say it
        cached_tables.used(name)
        return _from_facts(facts, read, name)
    made = read()
    if name is not None and type(made) is BytePairEncoder and _is_cacheable(made):
        return made.cached_as(name)
    return made


def _is_cacheable(made: BytePairEncoder) -> bool:
    """Return whether facts can say what the encoder does besides merging."""
    return made.pattern is not None and (
        made.normaliser is None or hasattr(made.normaliser, "values")
    )


def _from_facts(facts: dict[str, Any], read: Callable[[], Encoder], name: str) -> BytePairEncoder:
    def model() -> MergeList | RankTable:
        whole = read()
        assert isinstance(whole, BytePairEncoder)  # it was, when its facts were cached
        return whole.model

    normalise = None
    if facts["normaliser"] is not None:
        normalise = HuggingFaceNormaliser(facts["normaliser"])
    return BytePairEncoder(
        facts["name"],
        model,
        facts["splitter"],
        special_tokens=facts["special_tokens"],
        added=facts["added"],
        normalise=normalise,
        normalises=facts["normalises"],
        size=facts["size"],
        trims=facts["trims"],
        cached_as=name,
    )


def _require_size(name: str, size: int) -> None:
    if size > MAX_BYTES:
        raise BPEError(
            "“{name}” has {size:.1f} MB; the limit is {limit:.1f} MB.",
            name=name,
            size=size / 2**20,
            limit=MAX_BYTES / 2**20,
        )


def _chosen(directory: Path) -> list[Path]:
    for names in (("tokenizer.json",), ("vocab.json", "merges.txt")):
        if all((directory / name).is_file() for name in names):
            return [directory / name for name in names]
    found = sorted(p for p in directory.iterdir() if p.suffix in (".tiktoken", ".model"))
    if len(found) == 1:
        return found
    raise BPEError(
        "“{path}” has no tokenizer.json, no vocab.json with merges.txt, and no single .tiktoken "
        "or .model file.",
        path=str(directory),
    )


def _read_json(files: Mapping[str, bytes], *, name: str | None) -> Encoder:
    from bpe.files import gpt2, native  # only here: NumPy takes long

    (file, content), *merges = files.items()
    if merges:
        label = name or PurePath(file).parent.name or "vocab.json + merges.txt"
        return gpt2.loads(content, merges[0][1], name=label)
    values = json_object(content, file)
    if values and all(isinstance(value, int) for value in values.values()):
        raise BPEError("“{name}” needs its merges.txt: give both files.", name=file)
    if "format" in values:
        return native.from_json(values, name=name)
    if "model" in values:
        from bpe.encoders import tokenizer_json  # only here: tokenizers takes long

        return tokenizer_json.from_json(values, name=name or PurePath(file).name)
    raise BPEError(
        "“{name}” is JSON, but not a tokenizer: it has neither “format” nor “model”.", name=file
    )


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
    return _shown(head.removeprefix(_BYTE_ORDER_MARK)) or PurePath(file).suffix.lower()


def _shown(head: bytes) -> str | None:
    if head.lstrip().startswith(b"{"):
        return ".json"
    if _RANK.match(head):
        return ".tiktoken"
    if head.startswith(b"#version"):
        return ".txt"
    # The first field of a model is a piece, and the first field of that its text.
    if head[:1] == head[2:3] == b"\n" and len(head) > 3 and head[3] < head[1]:
        return ".model"
    return None


def merges_in(content: bytes, name: str) -> list[tuple[bytes, bytes]]:
    """Return the merges of byte-level BPE in a file, each as the bytes of its two tokens.

    ``name`` is what the file is called: ``merges.txt``, or any that :func:`loads` takes alone.
    """
    from bpe.files import gpt2  # only here: NumPy takes long

    if kind_of(content, name) == ".txt":
        return list(gpt2.byte_pairs(content))
    encoder = loads({name: content})
    if not isinstance(encoder, BytePairEncoder):
        raise BPEError("“{name}” holds no merges of byte-level BPE.", name=name)
    tokens = encoder.model.tokens
    return [(tokens[merge.left], tokens[merge.right]) for merge in encoder.merges]


def __getattr__(name: str) -> Any:
    if name == "from_hub":  # what it imports to fetch something takes a while
        from bpe.files.hub import from_hub  # only here: what fetches takes long

        return from_hub
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

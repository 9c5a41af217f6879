"""A store of tokenizers that others may load: each file under its own SHA-256 digest.

The store is a folder wherever ``fsspec`` reaches (``file:///srv/tokenizers``,
``s3://bucket/folder``), and several processes may use it at once. It holds files of our own format
alone: data that is checked like an upload when it is read, and never executed. In it are

- ``<digest>.bpe.json``, a tokenizer, and
- ``<digest>.<seconds>.used``, when it was used last: object stores know no time of access.

Where there is no room for one more, the tokenizers that were used least recently are evicted:
first those that were not used within an hour after they were published, while they are more than
a quarter of the store, so that no flood of new ones evicts what is in use.
"""

import errno
import hashlib
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, cast

from bpe.encoders.base import Encoder
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError, from_extra
from bpe.files import isolated, native
from bpe.progress import while_waiting
from bpe.reading import MAX_BYTES, json_object
from bpe.writing import written_whole

SUFFIX = ".bpe.json"
MOST_NAME = 200
"""Characters of a name."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_ENTRY = re.compile(r"([0-9a-f]{64})\.bpe\.json")
_USED = re.compile(r"([0-9a-f]{64})\.(\d{1,12})\.used")
_NOTE_EVERY = 3600
"""Seconds in which the use of a tokenizer is noted once at the most."""
_PUBLISHED, _USED_LATER = b"\n", b"used\n"
"""What a note holds; its size tells the two apart in a listing."""
_SHARE_OF_NEW = 1 / 4
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Entry:
    """A tokenizer of the store."""

    digest: str
    size: int
    """Bytes of its file."""
    used: int
    """When it was published or loaded last, in seconds since 1970 and to the hour."""
    is_new: bool = False
    """Whether it has not been used since an hour after it was published."""


@dataclass(frozen=True)
class TokenizerStore:
    """Tokenizers by the digest of their files, at a URL of ``fsspec``.

    The folder of an object store must be in a bucket that exists; a local folder is made. Whatever
    goes wrong there raises :class:`BPEError` within ``timeout`` seconds. Writers at the same time
    may each exceed the limits by one tokenizer, until the next one is published.
    """

    url: str
    max_bytes: int = 256 << 20
    """How much all tokenizers may take together."""
    max_count: int = 1000
    timeout: float = 20
    """Seconds for one call."""
    now: Callable[[], float] = time.time

    def publish(self, tokenizer: Encoder, name: str = "") -> str:
        """Store a tokenizer, under a name if one is given, and return its digest.

        The same tokenizer under the same name has the same digest. One without a file of our own
        format, and one that is larger than a quarter of the store, raise :class:`BPEError`.
        """
        content = self._file_of(tokenizer, name)
        digest = hashlib.sha256(content).hexdigest()
        self._within_time(lambda: self._write(digest, content))
        return digest

    def load(self, digest: str) -> Tokenizer | CharacterTokenizer:
        """Return the tokenizer of a digest; :class:`BPEError` where it is not there, or damaged."""
        if not _DIGEST.fullmatch(digest):
            raise BPEError(
                "“{digest}” is not the digest of a published tokenizer, which has 64 hexadecimal "
                "digits.",
                digest=digest[:80],
            )
        content = self._within_time(lambda: self._read(digest))
        if hashlib.sha256(content).hexdigest() != digest:
            raise BPEError(
                "The published tokenizer {digest} is damaged: its file is another than the one "
                "that was published. Publish it again.",
                digest=digest,
            )
        tokenizer = cast(
            Tokenizer | CharacterTokenizer, isolated.encoder(_read_own, {digest + SUFFIX: content})
        )
        with suppress(BPEError):  # one may be allowed to read alone
            self._within_time(lambda: self._note_use(digest))
        return tokenizer

    def entries(self) -> tuple[Entry, ...]:
        """Return what is in the store, the least recently used first."""
        return self._within_time(self._listed)[0]

    def _file_of(self, tokenizer: Encoder, name: str) -> bytes:
        if not isinstance(tokenizer, Tokenizer | CharacterTokenizer):
            raise BPEError(
                "Only tokenizers that have a file in the format of this program can be published. "
                "This one is another kind."
            )
        tokenizer = replace(tokenizer, name=name or tokenizer.name)
        if len(tokenizer.name) > MOST_NAME:
            raise BPEError(
                "The name of the tokenizer is longer than {most} characters. Take a shorter one.",
                most=MOST_NAME,
            )
        (content,) = native.dumps(tokenizer).values()
        if len(content) > (limit := min(MAX_BYTES, self.max_bytes // 4)):
            raise BPEError(
                "The tokenizer has {size:.1f} MB; {limit:.1f} MB is the most that can be "
                "published here.",
                size=len(content) / 2**20,
                limit=limit / 2**20,
            )
        return content

    def _folder(self) -> tuple[Any, str]:
        with from_extra("store"):
            from fsspec.core import url_to_fs

            system, path = url_to_fs(self.url)
        system.invalidate_cache()  # others write here, too
        return system, path.rstrip("/")

    def _write(self, digest: str, content: bytes) -> None:
        system, folder = self._folder()
        entries, others = self._listed()
        staying = [entry for entry in entries if entry.digest != digest]
        size = len(content) + sum(entry.size for entry in staying)
        while staying and (size > self.max_bytes or len(staying) >= self.max_count):
            new = [entry for entry in staying if entry.is_new]
            share = max(
                (1 + len(new)) / self.max_count,
                (len(content) + sum(entry.size for entry in new)) / self.max_bytes,
            )
            evicted = (new if new and share > _SHARE_OF_NEW else staying)[0]
            self._delete(evicted, others)
            staying.remove(evicted)
            size -= evicted.size
        path = f"{folder}/{digest}{SUFFIX}"
        if "file" in system.protocol:
            with written_whole(Path(path)) as unfinished:
                unfinished.write_bytes(content)
        else:  # a store shows an object when all of it has come
            system.pipe_file(path, content)
        self._note_use(digest)

    def _read(self, digest: str) -> bytes:
        system, folder = self._folder()
        path = f"{folder}/{digest}{SUFFIX}"
        try:
            size = int(system.info(path)["size"] or 0)
            if size > MAX_BYTES:
                return b""  # which has another digest
            content: bytes = system.cat_file(path) if size else b""
        except FileNotFoundError as error:
            raise BPEError(
                "There is no published tokenizer {digest}: it was never published here, or it has "
                "made room for others. Ask the sender of the link to publish it again.",
                digest=digest,
            ) from error
        return content

    def _listed(self) -> tuple[tuple[Entry, ...], Mapping[str, list[str]]]:
        """Return the tokenizers, and by digest the paths that note when each was used."""
        system, folder = self._folder()
        sizes: dict[str, int] = {}
        used: dict[str, int] = {}
        later: set[str] = set()
        notes: dict[str, list[str]] = {}
        for path, facts in system.find(folder, maxdepth=1, detail=True).items():
            name = path.rpartition("/")[2]
            if found := _ENTRY.fullmatch(name):
                sizes[found[1]] = int(facts["size"] or 0)
            elif found := _USED.fullmatch(name):
                used[found[1]] = max(int(found[2]), used.get(found[1], 0))
                notes.setdefault(found[1], []).append(path)
                if int(facts["size"] or 0) > len(_PUBLISHED):
                    later.add(found[1])
        entries = [
            Entry(digest, size, used.get(digest, 0), digest not in later)
            for digest, size in sizes.items()
        ]
        return tuple(sorted(entries, key=lambda entry: (entry.used, entry.digest))), notes

    def _delete(self, entry: Entry, notes: Mapping[str, list[str]]) -> None:
        system, folder = self._folder()
        for path in (f"{folder}/{entry.digest}{SUFFIX}", *notes.get(entry.digest, ())):
            _delete_quietly(system, path)

    def _note_use(self, digest: str) -> None:
        """Note that a tokenizer is used now, unless it was within the hour."""
        entries, notes = self._listed()
        now = int(self.now())
        before = next((entry.used for entry in entries if entry.digest == digest), 0)
        if now - before < _NOTE_EVERY:
            return
        system, folder = self._folder()
        note = _USED_LATER if notes.get(digest) else _PUBLISHED
        system.pipe_file(f"{folder}/{digest}.{now}.used", note)
        for path in notes.get(digest, ()):
            _delete_quietly(system, path)

    def _within_time(self, work: Callable[[], _Result]) -> _Result:
        """Do work in a thread, as a store that does not answer would hold this one for minutes."""
        try:
            return while_waiting(work, seconds=self.timeout)
        except BPEError:
            raise
        except Exception as error:
            if getattr(error, "errno", None) in _FULL:
                raise BPEError(
                    "There is no room left where published tokenizers are kept. Download the file "
                    "instead."
                ) from error
            raise BPEError(
                "The place where published tokenizers are kept cannot be reached. Try again later."
            ) from error


def _delete_quietly(system: Any, path: str) -> None:
    """Delete a file that another process may have deleted before."""
    with suppress(FileNotFoundError):
        system.rm_file(path)


def _read_own(files: Mapping[str, bytes]) -> Tokenizer | CharacterTokenizer:
    ((name, content),) = files.items()
    return native.from_json(json_object(content, name))

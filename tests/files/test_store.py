"""The store of published tokenizers: in a folder, in memory and on S3, full, damaged and shared."""

import errno
import hashlib
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import fsspec
import pytest

import bpe
from bpe.documents import samples
from bpe.errors import BPEError
from bpe.files import native, store
from bpe.files.store import TokenizerStore

HOUR = 3600
TOKENIZER = bpe.train(["低 lower lowest"], bpe.Recipe(merges=3))
SIZE = len(native.dumps(TOKENIZER)[native.FILE])


class Clock:
    """The time, which only passes when told to."""

    def __init__(self) -> None:
        self.seconds = 1_800_000_000.0

    def __call__(self) -> float:
        return self.seconds


def called(name: str) -> Any:
    """Return the tokenizer under a name, which makes its file and digest another."""
    return replace(TOKENIZER, name=name)


@pytest.fixture(scope="module")
def bucket(s3: Any) -> str:
    """Where a store on S3 is."""
    s3.mkdir("published")
    return "s3://published/tokenizers"


@pytest.fixture(params=["folder", "memory", "s3"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where an empty store is."""
    if request.param == "s3":
        url = request.getfixturevalue("bucket")
    else:
        url = {"folder": f"file://{tmp_path}/store", "memory": "memory://store"}[request.param]
    yield url
    system, path = fsspec.core.url_to_fs(url)
    if system.exists(path):
        system.rm(path, recursive=True)


def test_what_is_published_is_loaded_by_the_digest_of_its_file(url: str) -> None:
    digest = TokenizerStore(url).publish(TOKENIZER)
    assert digest == hashlib.sha256(native.dumps(TOKENIZER)[native.FILE]).hexdigest()
    assert TokenizerStore(url).load(digest) == TOKENIZER
    assert TokenizerStore(url).publish(TOKENIZER) == digest
    (entry,) = TokenizerStore(url).entries()
    assert (entry.digest, entry.size) == (digest, SIZE)


def test_tokenizers_of_characters_are_published_too(url: str) -> None:
    recipe = bpe.Recipe(algorithm="character-bpe", merges=3)
    tokenizer = bpe.train(["low lower lowest"], recipe)
    loaded = TokenizerStore(url).load(TokenizerStore(url).publish(tokenizer))
    assert isinstance(loaded, bpe.CharacterTokenizer)
    assert loaded.encode("lowest") == tokenizer.encode("lowest")


def test_the_least_recently_used_makes_room(url: str) -> None:
    clock = Clock()
    here = TokenizerStore(url, max_count=3, now=clock)
    digests = []
    for name in "abc":
        digests.append(here.publish(called(name)))
        clock.seconds += HOUR
    elsewhere = TokenizerStore(url, max_count=3, now=clock)
    elsewhere.load(digests[0])
    clock.seconds += HOUR
    fourth = here.publish(called("d"))
    assert [entry.digest for entry in here.entries()] == [digests[2], digests[0], fourth]
    with pytest.raises(BPEError, match=f"There is no published tokenizer {digests[1]}"):
        elsewhere.load(digests[1])
    system, path = fsspec.core.url_to_fs(url)
    system.invalidate_cache()
    assert len(system.find(path)) == 6, "each tokenizer, and one note of its use"


@pytest.mark.parametrize("bounds", [{"max_count": 8}, {"max_bytes": 9 * SIZE}])
def test_no_flood_of_new_tokenizers_evicts_those_in_use(bounds: dict[str, int]) -> None:
    clock = Clock()
    here = TokenizerStore(f"memory://flooded-{min(bounds)}", now=clock, **bounds)
    in_use = {here.publish(called(name)) for name in "abcde"}
    clock.seconds += HOUR
    for digest in in_use:
        here.load(digest)
    clock.seconds += HOUR
    for number in range(30):
        last = here.publish(called(str(number)))
        assert {*in_use, last} <= {entry.digest for entry in here.entries()}
    assert len(here.entries()) > len(in_use)


def test_the_size_of_all_is_bounded(url: str) -> None:
    here = TokenizerStore(url, max_bytes=5 * SIZE, now=Clock())
    for number in range(9):
        here.publish(called(f"number {number}"))
        assert sum(entry.size for entry in here.entries()) <= 5 * SIZE
    assert len(here.entries()) == 4


def test_a_tokenizer_that_would_take_a_large_part_of_the_store_is_refused(url: str) -> None:
    with pytest.raises(BPEError, match=r"has 0\.0 MB; 0\.0 MB is the most that can be published"):
        TokenizerStore(url, max_bytes=3 * SIZE).publish(TOKENIZER)
    assert TokenizerStore(url).entries() == ()


@pytest.mark.parametrize("damage", [b"", b"{", b" " * SIZE], ids=["empty", "cut", "other"])
def test_a_damaged_file_is_refused_and_named_and_mended_by_publishing_again(
    url: str, damage: bytes
) -> None:
    here = TokenizerStore(url)
    digest = here.publish(TOKENIZER)
    system, path = fsspec.core.url_to_fs(url)
    system.pipe_file(f"{path}/{digest}.bpe.json", damage)
    with pytest.raises(BPEError, match=f"The published tokenizer {digest} is damaged"):
        here.load(digest)
    assert here.publish(TOKENIZER) == digest
    assert here.load(digest) == TOKENIZER


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"import os", "is not valid JSON"),
        (b'{"format": "pickle"}', "says that its format is “pickle”"),
        (b'{"model": {"type": "BPE"}}', "says that its format is “None”"),
    ],
)
def test_what_somebody_else_put_there_is_checked_like_an_upload(
    content: bytes, message: str
) -> None:
    digest = hashlib.sha256(content).hexdigest()
    fsspec.filesystem("memory").pipe_file(f"/checked/{digest}.bpe.json", content)
    with pytest.raises(BPEError, match=message):
        TokenizerStore("memory://checked").load(digest)


@pytest.mark.parametrize("digest", ["", "../../etc/passwd", "A" * 64, "a" * 63, "a" * 64 + "\n"])
def test_what_cannot_be_a_digest_is_not_looked_for(digest: str) -> None:
    with pytest.raises(BPEError, match="is not the digest of a published tokenizer"):
        TokenizerStore("nothing://").load(digest)


def test_a_name_of_megabytes_is_not_published(tmp_path: Path) -> None:
    with pytest.raises(BPEError, match="longer than 200 characters"):
        TokenizerStore(tmp_path.as_uri()).publish(called("x" * 201))


def test_other_kinds_of_tokenizers_are_not_published() -> None:
    with pytest.raises(BPEError, match="Only tokenizers that have a file in the format"):
        TokenizerStore("memory://other").publish(bpe.encoding("gpt2"))


def test_other_files_in_the_folder_stay(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / f"{'0' * 64}.json").write_text("mine")
    here = TokenizerStore(tmp_path.as_uri(), max_count=1, now=Clock())
    for name in "abc":
        here.publish(called(name))
    assert len(here.entries()) == 1
    assert {path.name for path in tmp_path.iterdir()} >= {"notes.txt", f"{'0' * 64}.json"}


def test_two_writers_and_a_reader_at_once_see_whole_tokenizers_alone(url: str) -> None:
    tokenizers = [called(name) for name in "abcdef"]
    digests = [TokenizerStore(url).publish(each) for each in tokenizers]

    def write(order: list[Any]) -> list[str]:
        return [TokenizerStore(url).publish(each) for each in order]

    def read() -> list[str]:
        return [TokenizerStore(url).load(digest).name for digest in digests * 2]

    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(write, tokenizers)
        second = pool.submit(write, tokenizers[::-1])
        names = pool.submit(read)
    assert first.result() == second.result()[::-1] == digests
    assert names.result() == list("abcdef") * 2
    assert len(TokenizerStore(url).entries()) == 6


def test_a_file_that_was_never_finished_is_no_tokenizer_and_goes_in_the_end(
    tmp_path: Path,
) -> None:
    digest = "a" * 64
    old, new = (tmp_path / f".{digest}.{mark * 16}.part" for mark in "01")
    for part in (old, new):
        part.write_bytes(b'{"format"')
    os.utime(old, (0, 0))
    here = TokenizerStore(tmp_path.as_uri())
    with pytest.raises(BPEError, match="There is no published tokenizer"):
        here.load(digest)
    assert here.entries() == ()
    here.publish(TOKENIZER)
    assert not old.exists()
    assert new.exists()


def test_a_full_disk_is_said_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_some(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write_some)
    with pytest.raises(BPEError, match="There is no room left where published tokenizers are kept"):
        TokenizerStore(tmp_path.as_uri()).publish(TOKENIZER)
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_may_only_be_read_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = TokenizerStore(tmp_path.as_uri(), now=Clock()).publish(TOKENIZER)

    def refuse(*given: object, **more: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(type(fsspec.filesystem("file")), "pipe_file", refuse)
    assert TokenizerStore(tmp_path.as_uri()).load(digest) == TOKENIZER


def closed_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.mark.parametrize("work", [lambda it: it.publish(TOKENIZER), lambda it: it.load("a" * 64)])
def test_a_store_that_is_not_there_is_said(
    work: Callable[[TokenizerStore], object], bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import s3fs

    unreachable = ["nothing://at/all", "s3://no-such-bucket/tokenizers"]
    for url in unreachable:
        with pytest.raises(BPEError, match=r"cannot be reached|There is no published tokenizer"):
            work(TokenizerStore(url))
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{closed_port()}")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    s3fs.S3FileSystem.clear_instance_cache()
    with pytest.raises(BPEError, match="cannot be reached"):
        work(TokenizerStore(bucket))
    s3fs.S3FileSystem.clear_instance_cache()


def test_a_store_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = threading.Event()
    monkeypatch.setattr(TokenizerStore, "_read", lambda *_: asked.wait(60) and b"")
    with pytest.raises(BPEError, match="cannot be reached"):
        TokenizerStore("memory://slow", timeout=0.05).load("a" * 64)
    asked.set()


def test_the_use_is_noted_once_an_hour(tmp_path: Path) -> None:
    clock = Clock()
    here = TokenizerStore(tmp_path.as_uri(), now=clock)
    digest = here.publish(TOKENIZER)
    used = []
    for seconds in (0, HOUR - 1, 1):
        clock.seconds += seconds
        here.load(digest)
        used += [entry.used - 1_800_000_000 for entry in here.entries()]
    assert used == [0, 0, HOUR]


def test_a_real_training_goes_there_and_back(tmp_path: Path) -> None:
    tokenizer = bpe.train([samples.corpus("zh")], bpe.Recipe(vocabulary_size=600))
    here = TokenizerStore(str(tmp_path))
    started = time.time()
    digest = here.publish(tokenizer)
    assert here.load(digest).encode("你好，世界") == tokenizer.encode("你好，世界")
    assert [entry.used >= int(started) for entry in here.entries()] == [True]
    assert (tmp_path / f"{digest}{store.SUFFIX}").read_bytes() == native.dumps(tokenizer)[
        native.FILE
    ]

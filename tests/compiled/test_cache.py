"""Files on disk: read as they were written; one that is damaged counts as missing."""

import os
import signal
import subprocess
import sys
from array import array
from pathlib import Path

import pytest

from bpe.compiled.loading import cache as of_cache
from bpe.compiled.loading.cache import CACHE, Cache, file_name

NAME = "kind-0123-4567.tables"
ARRAYS = [memoryview(b"pool"), memoryview(array("q", [1, -2, 3])), memoryview(array("I"))]
FACTS = {"name": "看路", "size": 3}


@pytest.fixture
def place(tmp_path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def cache(place, tmp_path) -> Cache:
    (tmp_path / "a file").write_text("no folder")
    return Cache([tmp_path / "a file", None, place])


def test_what_is_written_is_read(cache, place):
    assert cache.read(NAME) is None
    cache.write(NAME, ARRAYS, FACTS)
    entry = cache.read(NAME)
    assert entry.facts == FACTS
    assert [each.tolist() for each in entry.arrays] == [each.tolist() for each in ARRAYS]
    assert [each.format for each in entry.arrays] == ["B", "q", "I"]
    assert [path.name for path in place.iterdir()] == [NAME]


def test_what_a_killed_process_was_writing_is_removed(cache, place):
    place.mkdir()
    abandoned, under_way = place / ".0123456789abcdef.part", place / ".fedcba9876543210.part"
    abandoned.touch()
    under_way.touch()
    os.utime(abandoned, (0, 0))
    cache.write(NAME, ARRAYS, FACTS)
    assert not abandoned.exists()
    assert under_way.exists()


def test_each_byte_that_is_changed_makes_it_missing(cache, place):
    cache.write(NAME, ARRAYS, FACTS)
    whole = (place / NAME).read_bytes()
    for at in range(len(whole)):
        damaged = bytearray(whole)
        damaged[at] ^= 0x80
        (place / NAME).write_bytes(damaged)
        assert cache.read(NAME) is None, at
    for size in range(len(whole)):
        (place / NAME).write_bytes(whole[:size])
        assert cache.read(NAME) is None, size


def test_a_file_of_another_name_is_missing(cache, place):
    cache.write(NAME, ARRAYS)
    (place / NAME).rename(place / "other-0123-4567.tables")
    assert cache.read("other-0123-4567.tables") is None


def test_what_is_no_file_is_missing_at_once(cache, place):
    place.mkdir(mode=0o700)
    with (place / NAME).open("wb") as file:
        file.truncate(1 << 40)  # takes no room
    assert cache.read(NAME) is None
    (place / NAME).unlink()
    (place / NAME).mkdir()
    assert cache.read(NAME) is None
    if hasattr(os, "mkfifo"):
        (place / NAME).rmdir()
        os.mkfifo(place / NAME, 0o600)
        assert cache.read(NAME) is None


def test_of_older_versions_and_of_a_family_the_last_stay_and_other_kinds_do(cache, place):
    versions = [f"kind-{number:04}.tables" for number in range(6)]
    others = ["kind-0000.tokens", "other-0000.tables", "file_1-0000.tables", "file_2-0000.tables"]
    for age, name in enumerate((*versions, *others)):
        cache.write(name, ARRAYS)
        os.utime(place / name, (age, age))
    cache.write("kind-0006.tables", ARRAYS)
    cache.write("file_3-0000.tables", ARRAYS, family="file_*.tables", most=2)
    assert {path.name for path in place.iterdir()} == {
        *versions[3:],
        *("kind-0006.tables", "kind-0000.tokens", "other-0000.tables"),
        *("file_2-0000.tables", "file_3-0000.tables"),
    }


def test_what_all_copies_of_the_package_use_is_written_into_each_folder(tmp_path):
    folders = [tmp_path / "a", tmp_path / "b"]
    Cache(folders).write(NAME, ARRAYS, everywhere=True)
    assert all(Cache([folder]).read(NAME) for folder in folders)


def test_a_full_disk_leaves_nothing_behind(cache, place, monkeypatch):
    cache.write(NAME, ARRAYS)

    def full(path, data):
        path.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    cache.write("kind-0123-89ab.tables", ARRAYS)
    assert [path.name for path in place.iterdir()] == [NAME]


def test_nothing_is_looked_for_in_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / NAME).write_bytes(b"planted")
    Cache([tmp_path]).write(NAME, ARRAYS)
    assert Cache([Path(".")]).read(NAME) is None


def test_another_source_or_maker_is_another_name():
    names = {
        file_name("a", "x", sources, made_by)
        for sources in (("compiled",), ("text",), ("text/cuts.py",))
        for made_by in (1, 2)
    }
    assert len(names) == 6
    assert file_name("a", "x", ("text",), 1) in names


@pytest.fixture
def digest(monkeypatch):
    """The digest of a folder of sources in a package that lies at a path."""

    def of(package) -> str:
        monkeypatch.setattr(of_cache, "_PACKAGE", package)
        of_cache._digest_of.cache_clear()
        return of_cache._digest_of("text")

    yield of
    of_cache._digest_of.cache_clear()


def test_a_copy_of_the_sources_has_the_same_name_and_a_changed_one_another(tmp_path, digest):
    """A second environment, a checkout, or an image does not compile again."""
    names = []
    for copy in ("one", "two", "changed", "bytecode"):
        folder = tmp_path / copy / "text"
        (folder / "__pycache__").mkdir(parents=True)
        (folder / ("cuts.pyc" if copy == "bytecode" else "cuts.py")).write_text("cut = 1")
        (folder / "__pycache__" / "cuts.pyc").write_text(copy)
        os.utime(folder / "__pycache__", (len(names), len(names)))
        if copy == "changed":
            (folder / "cuts.py").write_text("cut = 2")
        names.append(digest(tmp_path / copy))
    assert names[0] == names[1]
    assert len(set(names)) == 3


def test_within_an_archive_the_archive_counts(tmp_path, digest):
    digests = set()
    for content in ("one", "another"):
        (tmp_path / "app.zip").write_text(content)
        digests.add(digest(tmp_path / "app.zip" / "bpe"))
    assert len(digests) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="locks are those of Unix")
def test_a_process_that_was_killed_does_not_hold_up_the_next(tmp_path):
    script = f"""
import os, signal
from pathlib import Path
from bpe.compiled.loading.cache import Cache
with Cache([Path({str(tmp_path)!r})]).alone("train"):
    print("alone", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    for _ in range(2):
        run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        assert (run.returncode, run.stdout) == (-signal.SIGKILL, "alone\n")


def test_the_cache_of_this_process_is_beside_the_package():
    assert CACHE.folders[0].name == "__pycache__"

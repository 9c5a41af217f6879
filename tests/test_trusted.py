"""Code is loaded only from places that the user, root or the package's owner alone can write."""

import os
from pathlib import Path

import pytest

from bpe import writing
from bpe.compiled.loading.cache import CACHE, Cache

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners are those of Unix")


@pytest.fixture
def package(monkeypatch, tmp_path):
    """A package that its owner alone can change."""
    folder = tmp_path / "package"
    folder.mkdir(mode=0o755)
    monkeypatch.setattr(writing, "_package", lambda: os.stat(folder))
    return folder


@pytest.fixture
def cached(tmp_path) -> Path:
    folder = tmp_path / "cache" / "bpe"
    writing.make_folder(folder)
    file = folder / "a.native"
    file.write_bytes(b"code")
    file.chmod(0o644)
    return file


@pytest.mark.parametrize("home", ["cache", "", "../cache", "."])
def test_a_cache_is_never_looked_for_in_the_working_directory(tmp_path, monkeypatch, home):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", home)
    monkeypatch.setattr(os.path, "expanduser", lambda place: place)  # no home, no name
    assert writing.user_cache() is None
    assert all(folder.is_absolute() for folder in CACHE.folders)


def test_an_absolute_cache_home_is_used_and_a_relative_one_gives_way_to_home(monkeypatch):
    monkeypatch.setenv("HOME", "/home/ann")
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/cache/ann")
    assert writing.user_cache() == Path("/var/cache/ann/bpe")
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    assert writing.user_cache() == Path("/home/ann/.cache/bpe")
    monkeypatch.setenv("HOME", ".")  # as of a user that a container was given
    assert writing.user_cache() is None


def test_a_folder_is_made_for_the_user_alone_and_its_files_are_trusted(package, cached):
    assert cached.parent.stat().st_mode & 0o777 == 0o700
    assert writing.is_trusted(cached)


@pytest.mark.parametrize("mode", [0o664, 0o646, 0o666, 0o770, 0o777, 0o1777])
def test_a_file_is_not_trusted_if_others_can_write_it_or_in_its_folder(package, cached, mode):
    (cached if mode < 0o700 else cached.parent).chmod(mode)
    assert not writing.is_trusted(cached)


def test_a_file_of_another_user_is_not_trusted(package, cached, monkeypatch):
    if os.geteuid() == 0:
        os.chown(cached, 12345, 12345)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
        monkeypatch.setattr(writing, "_package", lambda: os.stat("/"))
    assert not writing.is_trusted(cached)


def test_where_a_group_can_change_the_package_it_can_write_beside_it(package, cached):
    package.chmod(0o775)
    cached.chmod(0o664)
    assert writing.is_trusted(cached)
    cached.chmod(0o666)
    assert not writing.is_trusted(cached)


def test_a_file_that_others_can_write_counts_as_missing(package, tmp_path):
    cache = Cache([tmp_path / "new" / "bpe"])
    before = os.umask(0)
    try:
        cache.write("encode-0-1.kernels", [b"code"])
    finally:
        os.umask(before)
    assert cache.read("encode-0-1.kernels") is not None
    (tmp_path / "new" / "bpe" / "encode-0-1.kernels").chmod(0o666)
    assert cache.read("encode-0-1.kernels") is None


def test_an_old_cache_of_ones_own_is_closed_to_others(package, tmp_path):
    folder = tmp_path / "bpe"
    folder.mkdir()
    folder.chmod(0o777)
    writing.make_folder(folder)
    assert folder.stat().st_mode & 0o777 == 0o700

"""What the tests of work in other processes need."""

import sys
import types

import pytest

from bpe.scale import shards


@pytest.fixture(autouse=True, scope="module")
def importable_main():
    """A main module that a new process need not run.

    The testing of pages leaves the last page in its place, and what starts a process by ``spawn``
    runs the main module there once more.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "__main__", types.ModuleType("__main__"))
        yield


@pytest.fixture
def shards_read(monkeypatch) -> list[str]:
    """The names of the files whose texts are read."""
    names, documents = [], shards.documents
    monkeypatch.setattr(
        shards, "documents", lambda file, *more: names.append(file.name) or documents(file, *more)
    )
    return names

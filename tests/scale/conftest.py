"""What the tests of work in other processes need."""

import sys
import types

import pytest


@pytest.fixture(autouse=True, scope="module")
def importable_main():
    """A main module that a new process need not run.

    The testing of pages leaves the last page in its place, and what starts a process by ``spawn``
    runs the main module there once more.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "__main__", types.ModuleType("__main__"))
        yield

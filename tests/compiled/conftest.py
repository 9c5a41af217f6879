"""Compile once, before the first test, so that no deadline counts the compiler."""

import pytest

from bpe import compiled


@pytest.fixture(scope="session", autouse=True)
def _compiled_kernels():
    compiled.warm(background=False)

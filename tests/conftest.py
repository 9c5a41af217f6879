"""What every test shares."""

import pytest
from hypothesis import settings

from bpe import compiled

# The same examples in every run, and none fails for taking long on a busy machine. What a search
# at random finds (``make fuzz``) is pinned beside the property as an ``@example``.
settings.register_profile("tests", deadline=None, derandomize=True, database=None)
settings.load_profile("tests")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels once, before several processes would each do it."""
    if not hasattr(config, "workerinput"):
        compiled.warm(background=False)

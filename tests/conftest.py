"""What every test shares."""

import pytest
from hypothesis import settings

from bpe import compiled

# Machines that run tests are noisy: an example that takes long is no failure.
settings.register_profile("default", deadline=None)
settings.load_profile("default")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels once, before several processes would each do it."""
    if not hasattr(config, "workerinput"):
        compiled.warm(background=False)

"""What every test shares."""

import gc
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

from bpe import compiled
from bpe.sandbox import places

# The same examples in every run, and none fails for taking long on a busy machine. What a search
# at random finds (``make fuzz``) is pinned beside the property as an ``@example``.
settings.register_profile("tests", max_examples=50, deadline=None, derandomize=True, database=None)
settings.load_profile("tests")


def pytest_configure() -> None:
    """Compile the kernels before several processes would each do it, and load them in each."""
    compiled.warm(background=False)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long: two processes share the files out in this order."""
    tests = Path(__file__).parent
    order = [tests / "e2e", tests]
    items.sort(
        key=lambda item: order.index(item.path.parent) if item.path.parent in order else len(order)
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    """Let one process have all browser tests: each with some would start browser and servers."""
    return ByFile(config, log)


class ByFile(LoadFileScheduling):
    """Files are shared out one by one, those that drive a browser together."""

    def _split_scope(self, nodeid: str) -> str:
        return "browser" if nodeid.startswith("tests/e2e/") else super()._split_scope(nodeid)


@pytest.fixture(scope="module", autouse=True)
def what_other_modules_made_is_not_searched() -> None:
    """A search for cycles is of what this module makes; it takes a second through all the rest."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def installed_packages_are_read_once() -> Iterator[None]:
    """AppTest makes a server for every run, each of which would look through all of them."""
    if "streamlit" not in sys.modules:
        yield
        return
    from streamlit.components.v2 import manifest_scanner

    with pytest.MonkeyPatch.context() as patch:
        scan = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        yield


@pytest.fixture
def limit_sandbox(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Set some of the limits of sandboxed processes, for one test."""

    def limit(**changes: float) -> None:
        monkeypatch.setattr(places.queue, "limits", replace(places.limits(), **changes))

    return limit

"""A browser and a server for the tests that drive the interface as a visitor would."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.e2e.waiting import SECONDS, settled
from tests.support.browser import ROOT, chromium, served

COMPONENTS = Path(__file__).with_name("components.py")
FLAGS = (
    *("--disable-quic", "--disable-component-update", "--disable-sync"),
    "--process-per-site",  # so that the app's scripts are compiled once, see Tabs
)

PATIENCE = 1000 * SECONDS  # in milliseconds
expect.set_options(timeout=PATIENCE)

SEEN = "try { localStorage.setItem('bpe film', 'seen') } catch {}"
"""In a tab: that no training plays by itself, which is what a first visit sees."""

WAITING = """
    const style = new CSSStyleSheet()
    style.replaceSync(`:is([data-testid=stStatusWidget], [data-testid=stSkeleton]) {
      animation: none !important
    }`)
    document.adoptedStyleSheets = [style]
"""
"""In a tab: what moves while the server is asked stands, as each of its frames would be drawn."""


@pytest.fixture(scope="session")
def browser() -> Iterator:
    with sync_playwright() as playwright:
        browser = chromium(playwright, *FLAGS, shell=True)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def logs() -> list:
    """What the started servers print, as files open for reading."""
    return []


@pytest.fixture(autouse=True)
def nothing_raised(logs) -> Iterator[None]:
    """Fail the test with what its servers logged of an error that the app did not catch."""
    yield
    said = "".join(log.read() for log in logs)
    assert "Uncaught app execution" not in said, said


@pytest.fixture(scope="session")
def serve(tmp_path_factory, logs) -> Iterator[Callable[[Path], str]]:
    """Start an app on a free port, once, and return its address."""
    running: dict[Path, str] = {}
    with ExitStack() as servers:

        def start(app: Path) -> str:
            if app not in running:
                log = tmp_path_factory.mktemp("streamlit") / "log"
                running[app] = servers.enter_context(served(app, log=log)).url
                logs.append(log.open(encoding="utf-8", errors="replace"))
            return running[app]

        yield start
    for log in logs:
        log.close()


@pytest.fixture
def app(serve) -> str:
    """The address of the whole app."""
    return serve(ROOT / "app.py")


class Tabs:
    """Tabs of one browser, in as few of its contexts as their options allow.

    Opening a page takes seconds, most of it to fetch and compile five megabytes of scripts. Tabs of
    one context share what is fetched and, while one of them stays open, a process, which keeps what
    is compiled. What the app stores is a tab's own; what all tabs of a context see is cleared.
    """

    def __init__(self, browser) -> None:
        self._browser = browser
        self._contexts: dict[tuple, object] = {}
        self.kept: list = []
        """Those that the tests of a module share."""

    def open(self, url: str, *, viewport=None, color_scheme=None, is_first_visit=False, **options):
        """Open an empty tab for a URL."""
        options = {"locale": "en-US", **options}
        key = (urlsplit(url).hostname, *sorted(options.items()))
        if key not in self._contexts:
            context = self._contexts[key] = self._browser.new_context(**options)
            context.set_default_timeout(PATIENCE)
            if key[0] is not None:
                context.new_page().goto(urljoin(url, "/_stcore/health"))
        page = self._contexts[key].new_page()
        page.add_init_script(WAITING)
        if not is_first_visit:
            page.add_init_script(SEEN)
        if viewport:
            page.set_viewport_size(viewport)
        if color_scheme:
            page.emulate_media(color_scheme=color_scheme)
        return page

    def clear(self) -> None:
        """Close all tabs but those kept and the first of each context, which stays open."""
        for context in self._contexts.values():
            first, *others = (page for page in context.pages if page not in self.kept)
            if others:
                first.evaluate("globalThis.localStorage?.clear()")
                context.clear_cookies()
            for page in others:
                page.close()

    def close(self) -> None:
        """Close all contexts: the next tab begins with nothing cached."""
        for context in self._contexts.values():
            context.close()
        self._contexts.clear()


@pytest.fixture(scope="session")
def tabs(browser) -> Iterator[Tabs]:
    """The tabs of all tests."""
    tabs = Tabs(browser)
    yield tabs
    tabs.close()


@pytest.fixture
def open_page(request, browser, tabs) -> Iterator[Callable]:
    """Open a page in a tab of its own; an error in its console fails the test.

    The keyword arguments are those of Playwright's `new_context`: viewport, color_scheme, locale.
    """
    errors: list[str] = []
    alone = request.node.get_closest_marker("nothing_cached") is not None
    used = Tabs(browser) if alone else tabs
    yield partial(_open, used, errors)
    if alone:
        used.close()
    used.clear()
    assert not errors, errors


@pytest.fixture(scope="module")
def open_shared(tabs) -> Iterator[Callable]:
    """Open a page that all tests of a module share; they leave nothing that another stumbles on."""
    errors: list[str] = []

    def open_url(url: str, **options):
        page = _open(tabs, errors, url, **options)
        tabs.kept.append(page)
        return page

    yield open_url
    tabs.kept.clear()
    tabs.clear()
    assert not errors, errors


@pytest.fixture(scope="module")
def component(serve, open_shared) -> Callable:
    """Open one of our components alone, on a page that all tests of a module share."""
    return lambda part: open_shared(f"{serve(COMPONENTS)}/?part={part}")


@pytest.fixture(scope="module")
def shared(serve, open_shared) -> Callable:
    """Open the app on a page that all tests of a module share."""

    def opened(address, **options):
        page = open_shared(f"{serve(ROOT / 'app.py')}/{address}", **options)
        settled(page)
        return page

    return opened


def _open(tabs: Tabs, errors: list[str], url: str, **options):
    page = tabs.open(url, **options)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: _is_ours(said) and errors.append(said.text))
    page.goto(url)
    return page


def _is_ours(said) -> bool:
    """Whether a console message is an error, and not Streamlit looking for its server.

    Below the root (``/compare``) it tries ``/compare/_stcore/…`` first, which does not exist.
    """
    probing = "/_stcore/" in said.location["url"] and "404" in said.text
    return said.type == "error" and not probing

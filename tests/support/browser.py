"""A server and a Chromium for the tests and the benchmarks that look at pages."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Playwright

ROOT = Path(__file__).parents[2]
_FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
_START_SECONDS = 600

# Names what can be operated in the window: the tokens of a row, which the arrow keys walk, are one.
CONTROLS = """
() => {
  const wanted = "a[href], button, input, select, textarea, summary, [contenteditable=true], " +
    "[role=slider], [role=listbox]"
  const named = []
  const look = (root) => {
    for (const each of root.querySelectorAll("*")) {
      if (each.shadowRoot) look(each.shadowRoot)
      if (!each.matches(wanted) || each.disabled || each.closest("[role=option]")) continue
      if (each.matches("[data-tag] *, [aria-haspopup=listbox]")) continue  // parts of one field
      const box = each.getBoundingClientRect()
      const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0
      const shown = each.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      if (inside && shown && box.width * box.height)
        named.push(each.ariaLabel || each.innerText || each.tagName)
    }
  }
  look(document)
  return named
}
"""


class Server(NamedTuple):
    """A running app: its address, its process, and the control group that limits its memory."""

    url: str
    process: int
    group: Path | None = None


@contextmanager
def served(
    app: Path = ROOT / "app.py", *, limit: int | None = None, log: Path | None = None
) -> Iterator[Server]:
    """Run a Streamlit app on a free port.

    ``limit`` is how many bytes of memory the system lets it and its processes have together: with
    more it is killed, as on a small host. ``log`` is where its messages go.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "streamlit", "run", str(app), "--server.headless=true"]
    command += [f"--server.port={port}", "--server.address=127.0.0.1"]
    command += ["--server.fileWatcherType=none"]  # no file of the app changes meanwhile
    with _control_group(limit) as group:
        if group is not None:
            joined = 'echo $$ > "$0" && exec "$@"'
            command = ["sh", "-c", joined, str(group / "cgroup.procs"), *command]
        with (log or Path(os.devnull)).open("wb") as messages:
            server = subprocess.Popen(command, cwd=ROOT, stdout=messages, stderr=messages)
        try:
            _wait(url, server)
            yield Server(url, server.pid, group)
        finally:
            server.terminate()
            server.wait()


@contextmanager
def _control_group(limit: int | None) -> Iterator[Path | None]:
    """Make a control group of Linux whose processes together have so much memory."""
    if limit is None:
        yield None
        return
    root = Path("/sys/fs/cgroup")
    old = root / "memory"  # version 1 has a tree for each kind of limit
    group = (old if old.is_dir() else root) / f"bpe-playground-{os.getpid()}"
    try:
        group.mkdir()
        (group / ("memory.limit_in_bytes" if old.is_dir() else "memory.max")).write_text(str(limit))
    except OSError as error:
        raise SystemExit(f"A limit needs the right to make a control group: {error}") from error
    try:
        yield group
    finally:
        until = time.monotonic() + 5
        while group.exists() and time.monotonic() < until:  # its last processes may be ending
            with suppress(OSError):
                group.rmdir()
            time.sleep(0.1)


def memory_of(group: Path) -> int:
    """Return the bytes that the processes of a control group hold, without files."""
    lines = (group / "memory.stat").read_text().splitlines()
    held = dict(line.split() for line in lines)
    return int(held["total_rss"] if "total_rss" in held else held["anon"])


def _wait(url: str, server: subprocess.Popen) -> None:
    until = time.monotonic() + _START_SECONDS
    while server.poll() is None and time.monotonic() < until:
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"{url} does not answer")


def chromium(playwright: Playwright, *flags: str, shell: bool = False) -> Browser:
    """Start the Chromium of the system (``shell``: the one without a window), or Playwright's."""
    names = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
    paths = map(shutil.which, names[::-1] if shell else names)
    path = next(filter(None, paths), None)
    return playwright.chromium.launch(executable_path=path, args=[*_FLAGS, *flags])

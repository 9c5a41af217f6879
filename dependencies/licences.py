"""``python -m dependencies.licences``: write ``docs/licences.md``, from what each package says.

The packages are those of ``requirements.lock`` that are installed on Linux. What a package says is
an SPDX expression, the classifiers of the registry, or free text, in this order.
"""

import re
from importlib import metadata
from pathlib import Path

from packaging.markers import Marker

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements.lock"
PAGE = ROOT / "docs" / "licences.md"

_ENTRY = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;]+)(?:\s*;\s*([^\\\n]+?))?\s*\\?$", re.MULTILINE)
_LINUX = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
_LONGEST = 60

_HEAD = """\
# Licences

BPE Playground itself is under the MIT licence. What it is installed with, directly or not, and the
licence that each package names. Written by `make licences`.

| Package | Version | Licence |
| --- | --- | --- |
"""


def locked() -> dict[str, str]:
    """Return the versions of all packages that the lock installs on Linux, by name."""
    return {
        name: version
        for name, version, marker in _ENTRY.findall(LOCK.read_text("utf-8"))
        if not marker or Marker(marker).evaluate(_LINUX)
    }


def licence(name: str) -> str:
    """Return what an installed package says of its licence."""
    about = metadata.metadata(name)
    classified = [
        each.rpartition(" :: ")[2]
        for each in about.get_all("Classifier", [])
        if each.startswith("License ::")
    ]
    written = (about.get("License") or "").strip().partition("\n")[0][:_LONGEST]
    return about.get("License-Expression") or ", ".join(classified) or written


def page() -> str:
    """Return the page."""
    rows = (
        f"| {name} | {version} | {licence(name)} |\n"
        for name, version in sorted(locked().items(), key=lambda item: item[0].lower())
    )
    return _HEAD + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

"""``python -m dependencies.publish OWNER/NAME APP-URL``: write the addresses of what is published.

They stand between marks in the READMEs, ``pyproject.toml``, ``mkdocs.yml`` and ``CITATION.cff``,
with nothing between them as long as nothing is published. Done again, it changes nothing; done with
other addresses, it replaces them. ``--check`` fails where an address is missing.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

_BADGE = """\
[![test](https://github.com/{name}/actions/workflows/test.yml/badge.svg)](https://github.com/{name}/actions/workflows/test.yml)
**[{open}]({app})**
"""
_PAGES = {
    "README.md": _BADGE.replace("{open}", "Open the app"),
    "README.zh-CN.md": _BADGE.replace("{open}", "打开应用"),
    "pyproject.toml": """\
[project.urls]
Homepage = "{app}"
Repository = "https://github.com/{name}"
Documentation = "https://{owner}.github.io/{repository}"
Changelog = "https://github.com/{name}/blob/HEAD/CHANGELOG.md"
Issues = "https://github.com/{name}/issues"
""",
    "mkdocs.yml": """\
site_url: https://{owner}.github.io/{repository}/
repo_url: https://github.com/{name}
""",
    "CITATION.cff": """\
repository-code: https://github.com/{name}
url: {app}
""",
}
_MARKED = re.compile(
    r"(^(?:#|<!--) published(?: -->)?\n)(.*?)(^(?:#|<!--) /published)", re.M | re.S
)


def publish(name: str, app: str) -> None:
    """Write the addresses of a repository, ``owner/name``, and of an app."""
    if not re.fullmatch(r"[\w-]+/[\w.-]+", name) or "OWNER" in name.split("/"):
        raise SystemExit(f"“{name}” is not a repository: write owner/name.")
    if not re.fullmatch(r"https://[^\s<>\"]+", app) or re.search("OWNER|APP-URL", app):
        raise SystemExit(f"“{app}” is not the address of an app: it begins with https://.")
    owner, _, repository = name.partition("/")
    addresses = {"name": name, "owner": owner.lower(), "repository": repository, "app": app}
    for page, block in _PAGES.items():
        text = (ROOT / page).read_text("utf-8")
        if len(_MARKED.findall(text)) != 1:
            raise SystemExit(f"{page} has no place for its addresses, or several.")
        filled = block.format(**addresses)
        text = _MARKED.sub(lambda marked, filled=filled: marked[1] + filled + marked[3], text)
        (ROOT / page).write_text(text, "utf-8")


def check() -> None:
    """Fail where a file has no address yet, or a placeholder."""
    for page in _PAGES:
        text = (ROOT / page).read_text("utf-8")
        if not (marked := _MARKED.search(text)) or not marked[2] or "OWNER" in text:
            raise SystemExit(
                f"{page} has no address: python -m dependencies.publish OWNER/NAME URL"
            )


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        check()
    elif len(sys.argv) == 3:
        publish(*sys.argv[1:])
        check()
    else:
        raise SystemExit(__doc__)

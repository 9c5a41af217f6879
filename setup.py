"""The description for the package index: the README, whose links to files lead to the repository.

All else stands in ``pyproject.toml``.
"""

import re
import tomllib
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent


def description() -> str:
    """Return the README; of a repository that is not published yet the links stay as they are."""
    readme = (ROOT / "README.md").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    if not (repository := project.get("urls", {}).get("Repository")):
        return readme
    readme = re.sub(r"(!\[[^]]*\]\()(?!\w+:)", rf"\1{repository}/raw/HEAD/", readme)
    return re.sub(r"(\]\()(?!\w+:|#)", rf"\1{repository}/blob/HEAD/", readme)


setup(long_description=description(), long_description_content_type="text/markdown")

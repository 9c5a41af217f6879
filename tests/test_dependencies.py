"""What is installed: every package locked by the hashes of its files, and its licence listed."""

import re
from importlib import metadata
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from dependencies import licences, prices
from tests.each import each

ROOT = Path(__file__).parents[1]
PINNED = [Requirement(line) for line in (ROOT / "requirements.txt").read_text("utf-8").split()]
LOCK = (ROOT / "requirements.lock").read_text("utf-8")


def test_what_is_pinned_is_locked_in_the_same_version():
    locked = licences.locked()
    for requirement in PINNED:
        version = locked[canonicalize_name(requirement.name)]
        assert str(requirement.specifier) == f"=={version}", requirement


def test_what_the_pinned_packages_need_is_locked():
    locked = licences.locked()
    for pinned in PINNED:
        for needed in map(Requirement, metadata.requires(pinned.name) or ()):
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                assert canonicalize_name(needed.name) in locked, (pinned.name, needed)


def test_every_package_of_the_lock_has_hashes_and_names_no_host():
    entries = re.split(r"\n(?=[a-z])", re.sub(r"^#.*\n", "", LOCK, flags=re.MULTILINE).strip())
    assert len(entries) > 50
    for entry in entries:
        head, *hashes = entry.split(" \\\n    ")
        assert re.match(r"[a-z0-9-]+==\S+", head)
        assert hashes, head
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}\s*", each) for each in hashes), head
    assert "://" not in LOCK


def test_the_licence_of_each_package_is_listed():
    rows = re.findall(r"^\| (\S+) \| (\S+) \| (.+) \|$", licences.PAGE.read_text("utf-8"), re.M)
    listed = {name: version for name, version, _ in rows[2:]}
    assert listed == licences.locked()
    assert all(licence.strip() for _, _, licence in rows)


PERMISSIONS = {
    "release": {"publish": {"id-token": "write"}},
    "docs": {"publish": {"pages": "write", "id-token": "write"}},
}
"""What the jobs of a workflow may do besides reading: publish a release, or the site."""


@each(sorted((ROOT / ".github/workflows").glob("*.yml")))
def test_workflows_may_read_and_none_has_a_secret(path):
    text = path.read_text("utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    more = {
        name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job
    }
    assert more == PERMISSIONS.get(path.stem, {})
    assert "secrets" not in text
    actions = re.findall(r"uses: ([^.\s]\S+)", text)
    assert actions
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", each) for each in actions)


def test_the_table_of_prices_is_that_of_the_installed_list():
    assert prices.PAGE.read_text("utf-8") == prices.page(), "run `make prices` and read its diff"

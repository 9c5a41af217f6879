"""The memory of the machine: the least of what is installed and what the control groups allow."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bpe import limits
from bpe.errors import BPEError

STAT = "anon 5\n{of}active_file 7\n{of}inactive_file {bytes}\nunevictable 0\n"


@pytest.fixture
def groups(monkeypatch, tmp_path) -> Path:
    """Where the system would list control groups: there are none."""
    monkeypatch.setattr(limits, "_GROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(limits, "_OF_THIS_PROCESS", tmp_path / "self")
    return tmp_path / "cgroup"


def write(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_text(content)


def new(limit: str, used: int, droppable: int) -> dict[str, str]:
    stat = STAT.format(of="", bytes=droppable - 7)
    return {"memory.max": f"{limit}\n", "memory.current": f"{used}\n", "memory.stat": stat}


def old(limit: int, used: int, droppable: int) -> dict[str, str]:
    stat = STAT.format(of="total_", bytes=droppable - 7)
    return {
        "memory.limit_in_bytes": f"{limit}\n",
        "memory.usage_in_bytes": f"{used}\n",
        "memory.stat": stat,
    }


def test_without_control_groups_it_is_that_of_the_machine(groups):
    if sys.platform == "linux":
        installed = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        assert limits.memory_limit() == installed
        assert 0 < limits.available_memory() < installed


@pytest.mark.parametrize(
    ("listed", "folders", "limit", "free"),
    [
        # A container sees its own group as the root.
        ("0::/", {"": new("1000", 700, 200)}, 1000, 500),
        # The strictest of the groups around a process counts.
        (
            "0::/app/worker",
            {"app/worker": new("max", 300, 7), "app": new("900", 800, 7), "": {"memory.stat": ""}},
            900,
            107,
        ),
        # The old groups have a tree for memory, and no word for no limit.
        (
            "4:memory:/app\n2:cpuacct,cpu:/other\n0::/",
            {"memory/app": old(2000, 2500, 400), "memory": old(9223372036854771712, 5000, 7)},
            2000,
            0,
        ),
        # A group of another format is passed over, and of one not to be seen the root counts.
        (
            "0::/app",
            {"app": new("900", 800, 7) | {"memory.stat": "unknown\n"}, "": new("1000", 800, 7)},
            1000,
            207,
        ),
        ("4:memory:/kubepods/pod1/container", {"memory": old(2000, 500, 7)}, 2000, 1507),
    ],
)
def test_the_limit_is_that_of_the_control_groups(groups, listed, folders, limit, free):
    (groups.parent / "self").write_text(f"{listed}\n")
    for folder, files in folders.items():
        write(groups / folder, files)
    assert limits.memory_limit() == limit
    if sys.platform == "linux":
        assert limits.available_memory() == free


def test_what_other_threads_are_about_to_take_is_not_free(monkeypatch):
    monkeypatch.setattr(limits, "available_memory", lambda: 1000)
    monkeypatch.setattr(limits, "_granted", {})
    with ThreadPoolExecutor(1) as other:
        other.submit(limits.require_memory, 500).result()
        with pytest.raises(BPEError, match="not free"):
            limits.require_memory(400)
        limits.require_memory(300)
        limits.require_memory(300)
        other.submit(limits.require_memory, 500).result()
    monkeypatch.setattr(limits, "_TAKEN_AFTER", -1)
    limits.require_memory(800)


def test_nothing_is_evicted_for_what_is_never_granted(monkeypatch):
    evicted = []
    monkeypatch.setattr(limits, "memory_limit", lambda: 2**30)
    monkeypatch.setattr(limits, "available_memory", lambda: 2**20)
    monkeypatch.setattr(limits, "make_room", evicted.append)
    for needed, evicts in ((2**30, False), (2**29, True)):
        with pytest.raises(BPEError, match="not free"):
            limits.require_memory(needed)
        assert bool(evicted) == evicts

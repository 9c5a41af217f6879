"""A full disk, a read-only disk, a process that is killed: nothing half-written passes for whole.

Full means that the system lets a process write no more than some bytes of a file, as it does when a
disk is full: the beginning of what is written is there, and the rest fails.
"""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import bpe
from bpe.scale.counting import count_to_file

TOKENIZER = bpe.train(["low lower"], bpe.Recipe(merges=2))
TEXT = Path(__file__)

BEFORE = """
import os, resource, signal, sys
from pathlib import Path
import bpe
from bpe.scale.counting import count_to_file
from bpe.errors import BPEError

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

def disk_is_full(room=100):
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

def die(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)

folder = Path(sys.argv[1])
old = bpe.train(["low lower"], bpe.Recipe(merges=2))
new = bpe.train(["看路，看天，看路人"], bpe.Recipe(merges=3))
"""


def run(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    code = BEFORE + textwrap.dedent(script)
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_tokenizer_that_has_no_room_leaves_the_one_before(tmp_path):
    done = run(
        """
        for format, name in (("bpe", "a.bpe"), ("huggingface", "h"), ("gpt2", "g")):
            bpe.save(old, folder / name, format)
        disk_is_full()
        for format, name in (("bpe", "a.bpe"), ("huggingface", "h"), ("gpt2", "g")):
            try:
                bpe.save(new, folder / name, format)
            except BPEError as error:
                print(format, error.template)
        """,
        tmp_path,
    )
    said = "“{path}” cannot be written: {reason}."
    assert done.stdout.splitlines() == [f"{kind} {said}" for kind in ("bpe", "huggingface", "gpt2")]
    for name in ("a.bpe", "h", "g"):
        assert bpe.load(tmp_path / name).encode("lower") == [257, 101, 114]
    names = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    whole = {"a.bpe", "tokenizer.json", "tokenizer_config.json", "vocab.json", "merges.txt"}
    assert names == whole


def test_the_vocabulary_of_one_never_lies_beside_the_merges_of_another(tmp_path):
    done = run(
        """
        bpe.save(old, folder / "g", "gpt2")
        more = bpe.train(["low lower"], bpe.Recipe(merges=3))
        replace = os.replace
        os.replace = lambda path, to: die() if to.name == "merges.txt" else replace(path, to)
        bpe.save(more, folder / "g", "gpt2")
        """,
        tmp_path,
    )
    assert done.returncode == -signal.SIGKILL
    assert (tmp_path / "g" / "vocab.json").exists()
    with pytest.raises(bpe.BPEError, match=r"no vocab\.json with merges\.txt"):
        bpe.load(tmp_path / "g")


@pytest.mark.parametrize("fault", ["disk_is_full()", "os.replace = die"], ids=["full", "killed"])
def test_counts_and_ids_that_could_not_be_finished_are_made_again(tmp_path, fault):
    lines = "".join(f"看路 {number}，看天。\n" for number in range(200))
    (tmp_path / "text.txt").write_text(lines, encoding="utf-8")
    done = run(
        f"""
        {fault}
        for work in (
            lambda: count_to_file(
                folder / "text.txt", bpe.Recipe(), folder / "all.counts.parquet"
            ),
            lambda: bpe.encode_files(folder / "text.txt", old, folder / "ids"),
        ):
            try:
                work()
            except (OSError, BPEError):
                print("refused")
        """,
        tmp_path,
    )
    assert done.stdout == "refused\nrefused\n" or done.returncode == -signal.SIGKILL
    assert not (tmp_path / "all.counts.parquet").exists()
    if done.returncode == 0:
        assert not list(tmp_path.rglob("*.part"))
    tokenizer = bpe.train(["low lower"], bpe.Recipe(merges=2))
    counted = count_to_file(tmp_path / "text.txt", bpe.Recipe(), tmp_path / "all.counts.parquet")
    assert counted.documents == 1
    [written] = bpe.encode_files(tmp_path / "text.txt", tokenizer, tmp_path / "ids")
    assert written.tokens == len(tokenizer.encode(lines))


WRITERS = {
    "a tokenizer": lambda folder: bpe.save(TOKENIZER, folder / "a.bpe.json"),
    "files of one": lambda folder: bpe.save(TOKENIZER, folder / "gpt2", "gpt2"),
    "counts": lambda folder: count_to_file(TEXT, bpe.Recipe(), folder / "all.parquet"),
    "ids": lambda folder: bpe.encode_files(TEXT, TOKENIZER, folder),
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_what_has_its_name_is_on_the_disk_and_as_readable_as_other_files(
    write, tmp_path, monkeypatch
):
    synced, named = set(), []
    fsync, replace = os.fsync, os.replace

    def noting_fsync(number):
        synced.add(os.fstat(number).st_ino)
        fsync(number)

    def noting_replace(old, new):
        facts = os.stat(old)
        named.append((facts.st_ino in synced, oct(facts.st_mode & 0o777)))
        replace(old, new)

    monkeypatch.setattr(os, "fsync", noting_fsync)
    monkeypatch.setattr(os, "replace", noting_replace)
    before = os.umask(0o027)
    try:
        write(tmp_path)
    finally:
        os.umask(before)
    assert set(named) == {(True, "0o640")}
    assert not list(tmp_path.rglob("*.part"))

"""Compiling is asked for, happens once, and is never needed."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

import bpe
from bpe import compiled
from bpe.compiled import native, on_disk
from bpe.encoders.byte_pair import plain_work


def test_warming_makes_ready_from_any_thread():
    threads = [threading.Thread(target=compiled.warm, args=(False,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert compiled.available()
    assert compiled.ready()
    compiled.warm(background=True)


def run(script: str) -> str:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_the_package_does_not_import_numba():
    assert run("import sys, bpe.compiled; print('numba' in sys.modules)") == "False"


def test_without_numba_nothing_is_available_and_nothing_breaks():
    script = (
        "import sys; sys.modules['numba'] = None\n"
        "from bpe.compiled import native; native.wanted = False\n"
        "from bpe import compiled\n"
        "compiled.warm(background=False)\n"
        "print(compiled.available(), compiled.ready())"
    )
    assert run(script) == "False False"


def test_numba_that_cannot_be_imported_is_not_waited_for():
    script = (
        "import sys; sys.modules['numba'] = None\n"
        "from bpe.compiled import native; native.is_kept = lambda part: False\n"
        "from bpe import compiled\n"
        "print(compiled.available())\n"
        "compiled.warm(background=False)\n"
        "print(compiled.available(), compiled.ready())"
    )
    assert run(script).split() == ["False", "False", "False"]


@pytest.mark.skipif(not native.supported, reason="elsewhere Numba loads the kernels")
def test_what_another_process_has_compiled_is_linked_without_numba(tmp_path):
    """As in a container that has just been made, for as long as it lives."""
    script = f"""
import shutil, sys
from pathlib import Path
from bpe import compiled
from bpe.compiled import native

kept = {{part: native.path_of(part) for part in compiled.PARTS}}
native.folders = lambda: [Path({str(tmp_path)!r})]

def compile_elsewhere(part):
    print(compiled.available(), compiled.kept(part), compiled.is_native(), "numba" in sys.modules)
    shutil.copy(kept[part], {str(tmp_path)!r})

compiled._compile_elsewhere = compile_elsewhere
compiled.warm(background=False)
print(compiled.ready(), compiled.is_native(), "numba" in sys.modules)
"""
    assert run(script).splitlines() == [
        "True False False False",
        "True False True False",
        "True True False",
    ]


@pytest.fixture
def cold(monkeypatch):
    """A process that has loaded nothing; what is asked for is noted, and not done."""
    asked = []
    monkeypatch.setattr(compiled, "_ready", {part: threading.Event() for part in compiled.PARTS})
    monkeypatch.setattr(compiled, "_asked", threading.Event())
    monkeypatch.setattr(
        compiled, "warm", lambda background=True, *, part=None: asked.append((background, part))
    )
    return asked


def test_long_texts_wait_for_kernels_that_are_on_disk(cold, monkeypatch):
    monkeypatch.setattr(compiled, "kept", lambda part: True)
    compiled.prepare(compiled.WORTH_LOADING)
    assert cold == [(False, "encode")]


def test_nobody_waits_for_the_compiler(cold, monkeypatch):
    monkeypatch.setattr(compiled, "kept", lambda part: False)
    for _ in range(3):
        assert not compiled.prepare(compiled.WORTH_LOADING)
    assert cold == [(True, "encode")]  # once, in the background


def test_short_texts_ask_for_nothing_until_there_were_many(cold, monkeypatch):
    monkeypatch.setattr(compiled, "kept", lambda part: True)
    monkeypatch.setattr(native, "is_kept", lambda part: False)
    tokenizer = bpe.train({"low": 1, "lower": 1}, bpe.Recipe(merges=2))
    text = "low lower " * 1_000
    tokenizer.encode(text)
    assert cold == []
    for _ in range(compiled.WORTH_LOADING // len(text)):
        tokenizer.encode(text)
    assert cold == [(True, "encode")]


def test_less_text_is_enough_where_kernels_need_no_numba(cold, monkeypatch):
    monkeypatch.setattr(compiled, "kept", lambda part: True)
    monkeypatch.setattr(compiled, "is_native", lambda: True)
    for is_kept in (False, True):
        monkeypatch.setattr(native, "is_kept", lambda part, is_kept=is_kept: is_kept)
        compiled.prepare(compiled.WORTH_COPYING)
        assert len(cold) == is_kept
    compiled.prepare(compiled.WORTH_COPYING - 1)
    assert len(cold) == 1
    compiled.prepare(1, has_tables=True)
    assert len(cold) == 2


def test_what_failed_is_not_tried_again_with_each_text(cold, monkeypatch):
    monkeypatch.setattr(compiled, "kept", lambda part: True)
    monkeypatch.setattr(compiled, "is_native", lambda: True)
    monkeypatch.setattr(compiled, "_failed", {"encode"})
    assert not compiled.prepare(compiled.WORTH_LOADING, has_tables=True)
    assert not compiled.worth(compiled.WORTH_LOADING)
    assert cold == []


def test_chinese_is_more_work_than_english():
    assert plain_work("a" * 6_000) == plain_work("中" * 1_000) == 6_000
    assert plain_work("") == 0


def test_a_part_is_on_disk_until_a_file_of_it_is_missing(monkeypatch, tmp_path):
    code = tmp_path / "kernel.nbc"
    code.write_bytes(b"machine code")
    cache = type("Cache", (), {"files": lambda self: [code]})()
    monkeypatch.setattr(on_disk, "caches", [cache])
    monkeypatch.setattr(native, "supported", False)
    monkeypatch.setattr(on_disk, "_list_of", lambda part: tmp_path / f"{part}-1.kept")
    assert not on_disk.is_kept("encode")
    on_disk.keep_list("encode")
    assert on_disk.is_kept("encode")
    assert not on_disk.is_kept("train")
    code.write_bytes(b"mach")
    assert not on_disk.is_kept("encode")
    (tmp_path / "encode-1.kept").write_text("{")
    assert not on_disk.is_kept("encode")


def test_the_other_process_runs_nothing_of_the_folder_it_is_started_in(monkeypatch, tmp_path):
    (tmp_path / "bpe").mkdir()
    (tmp_path / "bpe" / "__init__.py").write_text("")
    monkeypatch.chdir(tmp_path)
    run, found = subprocess.run, []

    def find(command, *, env, **options):
        command = [*command[:-1], "import bpe; print(bpe.__file__)"]
        found.append(run(command, env=env, capture_output=True, text=True, check=True).stdout)

    monkeypatch.setattr(subprocess, "run", find)
    compiled._compile_elsewhere("encode")
    assert found == [f"{Path(compiled.__file__).parents[1] / '__init__.py'}\n"]


def test_compiling_is_said_and_done_in_another_process(monkeypatch, caplog):
    ran = []
    monkeypatch.setattr(subprocess, "run", lambda command, **options: ran.append(command[-1]))
    monkeypatch.setattr(compiled, "kept", lambda part: False)
    monkeypatch.setattr(compiled, "_ready", {part: threading.Event() for part in compiled.PARTS})
    compiled.warm(background=False, part="encode")
    assert compiled.ready("encode")
    assert not compiled.ready()
    (command,) = ran
    assert "compile_and_keep('encode')" in command
    assert [record.message for record in caplog.records] == [
        "Compiling what makes BPE fast (encoding), once on this machine; plain Python works "
        "meanwhile."
    ]

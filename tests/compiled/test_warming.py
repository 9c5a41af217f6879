"""Compiling is asked for, happens once, and is never needed."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import bpe
from bpe import compiled
from bpe.compiled import loading
from bpe.encoders.byte_pair import plain_work


def test_warming_makes_ready_from_any_thread():
    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(compiled.warm, [False] * 3)) == [None] * 3
    assert compiled.available()
    assert compiled.ready()
    compiled.warm(background=True)


@pytest.mark.parametrize("setting", ["CACHE.folders = []", "can_link = False"])
def test_without_numba_nothing_is_available_and_nothing_breaks(setting):
    script = (
        "import sys; sys.modules['numba'] = None\n"
        "from bpe import compiled\n"
        f"from bpe.compiled import loading; loading.{setting}\n"
        "import bpe; tokenizer = bpe.train(['low lower'], bpe.Recipe(merges=2))\n"
        "assert len(tokenizer.encode('low ' * 10_000)) == len(tokenizer.encode('low ' * 10_000))\n"
        "compiled.warm(background=False)\n"
        "print(compiled.available(), compiled.ready())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "False False", done.stderr
    assert done.stderr.count("There are no compiled kernels here") == 1


@pytest.mark.skipif(not loading.can_link, reason="elsewhere Numba loads the kernels")
def test_what_another_process_has_compiled_is_linked_without_numba(tmp_path):
    """As in a container that has just been made, for as long as it lives."""
    script = f"""
import shutil, sys
from pathlib import Path
from bpe import compiled
from bpe.compiled import loading

before = loading.CACHE.folders
loading.CACHE.folders = [Path({str(tmp_path)!r})]

def compile_elsewhere(part, *others):
    print(compiled.available(), compiled.cached(part), compiled.is_linked(), "numba" in sys.modules)
    for folder in before:
        if (folder / loading.name_of(part)).exists():
            shutil.copy(folder / loading.name_of(part), {str(tmp_path)!r})

compiled._compile_elsewhere = compile_elsewhere
compiled.warm(background=False)
print(compiled.ready(), compiled.is_linked(), "numba" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    said = "True False False False", "True False True False", "True True False"
    assert done.stdout.splitlines() == list(said), done.stderr


@pytest.fixture
def cold(monkeypatch):
    """A process that has loaded nothing; what is asked for is noted, and not done."""
    asked = []
    monkeypatch.setattr(compiled, "_ready", {part: threading.Event() for part in loading.PARTS})
    monkeypatch.setattr(compiled, "_asked", threading.Event())
    monkeypatch.setattr(compiled, "_plain_work", 0)
    monkeypatch.setattr(
        compiled, "warm", lambda background=True, *, part=None: asked.append((background, part))
    )
    return asked


@pytest.fixture(params=[True, False], ids=["linked", "by Numba"])
def worth(monkeypatch, request):
    """How much work is worth to wait for kernels on disk: they are linked, or loaded by Numba."""
    monkeypatch.setattr(compiled, "cached", lambda part: True)
    monkeypatch.setattr(loading, "is_linked", lambda part: request.param)
    return compiled.WORTH_LINKING if request.param else compiled.WORTH_LOADING


def test_long_texts_wait_for_kernels_that_are_on_disk(cold, worth):
    compiled.ready_for(worth - 1)
    assert cold == []
    compiled.ready_for(worth)
    assert cold == [(False, "encode")]


def test_short_texts_ask_for_nothing_until_there_were_many(cold, worth):
    tokenizer = bpe.train({"low": 1, "lower": 1}, bpe.Recipe(merges=2))
    text = "low lower " * 1_000
    tokenizer.encode(text)
    assert cold == []
    for _ in range(worth // len(text)):
        tokenizer.encode(text)
    assert cold == [(True, "encode")]


def test_the_least_text_waits_for_linked_kernels_where_tables_are_cached(cold, worth):
    compiled.ready_for(1, has_tables=True)
    assert cold == [(False, "encode")] * (worth == compiled.WORTH_LINKING)


def test_the_compiler_is_waited_for_only_after_as_much_work_as_it_takes(cold, monkeypatch):
    monkeypatch.setattr(compiled, "cached", lambda part: False)
    texts = compiled.WORTH_COMPILING // compiled.WORTH_LOADING
    for _ in range(texts - 1):
        assert not compiled.ready_for(compiled.WORTH_LOADING)
    assert cold == [(True, "encode")]  # once, in the background
    compiled.ready_for(compiled.WORTH_LOADING)
    assert cold == [(True, "encode"), (False, "encode")]


def test_what_failed_is_not_tried_again_with_each_text(cold, worth, monkeypatch):
    monkeypatch.setattr(compiled, "_failed", {"encode"})
    assert not compiled.ready_for(worth, so_far=worth, has_tables=True)
    assert cold == []


def test_chinese_is_more_work_than_english():
    assert plain_work("a" * 6_000) == plain_work("中" * 1_000) == 6_000
    assert plain_work("") == 0


@pytest.mark.skipif(sys.platform != "linux", reason="there is no score elsewhere")
def test_compiling_is_said_and_done_by_a_process_that_is_ended_first_and_runs_nothing_of_its_folder(
    monkeypatch, caplog, tmp_path
):
    (tmp_path / "bpe").mkdir()
    (tmp_path / "bpe" / "__init__.py").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(compiled, "_compilers", {})
    monkeypatch.setattr(compiled, "cached", lambda part: False)
    monkeypatch.setattr(compiled, "_ready", {part: threading.Event() for part in loading.PARTS})
    begin, found = subprocess.Popen, []

    def find(command, *, env, **options):
        begins, _, rest = command[-1].partition("from bpe.compiled.loading import writing")
        assert rest == "; writing.compile_and_write(*('encode',))"
        says = "import bpe; print(bpe.__file__); print(open('/proc/self/oom_score_adj').read())"
        command = [*command[:-1], begins + says]
        process = begin(command, env=env, stdout=subprocess.PIPE, text=True)
        found.append(process.communicate()[0])
        return process

    monkeypatch.setattr(subprocess, "Popen", find)
    compiled.warm(background=False, part="encode")
    assert (compiled.ready("encode"), compiled.ready()) == (True, False)
    path, ended_first = found[0].split()
    assert path == str(Path(compiled.__file__).parents[1] / "__init__.py")
    assert ended_first == "1000"  # before the server, where memory is short
    assert [record.message for record in caplog.records] == [
        "Compiling what makes BPE fast (encoding), once on this machine; plain Python works "
        "meanwhile."
    ]

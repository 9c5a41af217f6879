"""Compiling is asked for, happens once, and is never needed."""

import subprocess
import sys
import threading

from bpe import compiled


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
        "from bpe import compiled\n"
        "compiled.warm(background=False)\n"
        "print(compiled.available(), compiled.ready())"
    )
    assert run(script) == "False False"

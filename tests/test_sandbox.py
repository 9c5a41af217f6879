"""Processes with limits: what they answer, how many there are, and what all may take together."""

import contextlib
import gc
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from bpe import limits, sandbox
from bpe.errors import BPEError, Refusals, Translatable
from bpe.sandbox import places, process
from bpe.sandbox.process import Process

LINUX = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="as Linux tells")

FUNCTIONS = """
import os, signal, time
from pathlib import Path

def echo(data, **options):
    return data + repr(options).encode()

def work_for_ever(data):
    while True:
        pass

def stop(data):
    os.kill(os.getpid(), signal.SIGSTOP)
    return data

def take(data):
    return b"%d" % len(bytearray(int(data)))

def facts(data):
    return f"{Path('/proc/self/oom_score_adj').read_text()} {sorted(os.environ)}".encode()

def refuse(data):
    from bpe.errors import BPEError, translatable
    raise BPEError("“{name}” has {what}.", name="merges", what=translatable("merges"), number=3)

def counting(data):
    asked = []
    def answer(question):
        asked.append(question)
        if question == b"end":
            os.kill(os.getpid(), signal.SIGKILL)
        if question == b"slow":
            work_for_ever(data)
        return b"%s %d" % (data, len(asked))
    return answer
"""


@pytest.fixture(autouse=True)
def functions(tmp_path, monkeypatch):
    (tmp_path / "untrusted_work.py").write_text(FUNCTIONS)
    monkeypatch.setenv("PYTHONPATH", os.fspath(tmp_path))
    monkeypatch.setattr(places, "queue", places.Queue(sandbox.Limits(processes=2)))


def call(name: str, data: bytes = b"", **options) -> bytes:
    return sandbox.run(f"untrusted_work:{name}", data, **options)


def test_bytes_go_in_and_bytes_come_out():
    large = os.urandom(3_000_000)
    assert call("echo", large, kind="pdf") == large + b"{'kind': 'pdf'}"


def test_time_of_the_processor_is_limited_and_so_is_memory():
    with pytest.raises(sandbox.TooLongError, match=r"more than 0\.1 seconds of the processor"):
        call("work_for_ever", seconds=0.1)
    with pytest.raises(sandbox.TooLargeError, match="more memory"):
        call("take", b"%d" % 10**10)


def test_a_process_that_gets_no_processor_is_waited_for_ten_times_as_long(monkeypatch):
    clock = count(0, 100)  # it goes on by so many seconds whenever somebody looks at it
    monkeypatch.setattr(Process, "clock", lambda _self: next(clock))

    def go_on():
        process = places.queue.places[0].process
        if "T (stopped)" in Path(f"/proc/{process}/status").read_text():
            os.kill(process, signal.SIGCONT)

    assert call("stop", b"1", seconds=10**6, on_wait=go_on) == b"1"
    with pytest.raises(sandbox.BusyError, match="so busy that reading it was stopped after 1060 s"):
        call("stop", seconds=100)


@pytest.mark.parametrize("purpose", ["ask a process", "start processes"])
def test_without_threads_a_sentence_says_so_and_nothing_stays_behind(monkeypatch, purpose):
    start = threading.Thread.start

    def none_left(thread):
        if thread.name.startswith(purpose):
            raise RuntimeError("can't start new thread")
        start(thread)

    process._starter.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", none_left)
        with pytest.raises(sandbox.BusyError, match="no more processes at the moment"):
            call("echo")
    assert places.queue.places == []
    assert call("echo", b"1") == b"1{}"


def test_a_failure_is_remembered_but_not_what_may_succeed_later():
    refusals = Refusals(most=2)
    tried = []

    def work(error):
        with refusals.of(str(error)):
            tried.append(str(error))
            raise error

    broken, long = BPEError("“{name}” is broken.", name="a"), sandbox.TooLongError("long")
    large, busy, other = sandbox.TooLargeError("large"), sandbox.BusyError("busy"), BPEError("b")
    for error in (broken, broken, long, long, large, large, busy, busy, other, broken):
        with pytest.raises(type(error), match=str(error)):
            work(error)
    assert tried == ["“a” is broken.", "long", *["large"] * 2, *["busy"] * 2, "b", "“a” is broken."]


@LINUX
def test_memory_counts_beside_what_the_libraries_take():
    assert call("take", b"50000000", memory=64 << 20) == b"50000000"
    with pytest.raises(sandbox.TooLargeError):
        call("take", b"80000000", memory=64 << 20)


def test_an_error_of_the_function_can_still_be_translated():
    with pytest.raises(BPEError) as raised:
        call("refuse")
    error = raised.value
    values = {"name": "merges", "what": "merges", "number": 3}
    assert (error.template, error.values) == ("“{name}” has {what}.", values)
    assert [isinstance(error.values[name], Translatable) for name in values] == [False, True, False]


def test_who_waits_may_stop_it():
    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        call("work_for_ever", on_wait=stop)
    assert places.queue.places == []


def test_large_texts_come_back_whole():
    texts = ["中" * 500_000 + "a\ud800", "", "b" * 3_000_000]
    assert sandbox.unpack(sandbox.pack({"a": 1}, texts)) == ({"a": 1}, texts)


@LINUX
def test_the_kernel_ends_a_process_before_the_server_and_no_secret_of_the_server_is_in_it(
    monkeypatch,
):
    monkeypatch.setenv("HF_TOKEN", "secret")
    score, _, names = call("facts").decode().partition("\n ")
    assert (score, "'PATH'" in names, "TOKEN" in names) == ("1000", True, False)


def test_a_worker_goes_on_after_a_question_that_was_too_long_and_after_its_end():
    worker = sandbox.Worker("untrusted_work:counting", b"x")
    assert [worker.ask(b""), worker.ask(b"")] == [b"x 1", b"x 2"]
    with pytest.raises(sandbox.TooLongError):
        worker.ask(b"slow", seconds=0.1)
    assert worker.ask(b"") == b"x 1"
    with pytest.raises(sandbox.TooLargeError):
        worker.ask(b"end")
    assert worker.ask(b"") == b"x 1"
    del worker
    gc.collect()
    assert places.queue.places == []


def test_no_more_processes_run_at_once_than_the_limit_says(monkeypatch):
    numbers, exchange = [], Process.exchange

    def watched(self, *arguments):
        numbers.append(len(places.queue.places))
        return exchange(self, *arguments)

    monkeypatch.setattr(Process, "exchange", watched)
    workers = [sandbox.Worker("untrusted_work:counting", b"x") for _ in range(3)]
    with ThreadPoolExecutor(5) as threads:
        assert list(threads.map(lambda worker: worker.ask(b""), workers)) == [b"x 1"] * 3
        assert list(threads.map(lambda data: call("echo", data), [b"y"] * 5)) == [b"y{}"] * 5
    assert max(numbers) == 2


def test_an_idle_worker_makes_place_for_another():
    workers = [sandbox.Worker("untrusted_work:counting", b"%d" % n) for n in range(4)]
    assert [worker.ask(b"") for worker in workers] == [b"0 1", b"1 1", b"2 1", b"3 1"]
    assert len(places.queue.places) == 2
    assert call("echo") == b"{}"


def test_places_are_given_in_the_order_of_asking(limit_sandbox):
    limit_sandbox(processes=1)
    order: list[int] = []

    def one(number: int) -> None:
        with places.queue.place(1 << 20, lambda: None):
            order.append(number)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(5)]
    with places.queue.place(1 << 20, lambda: None):
        for number, thread in enumerate(threads):
            thread.start()
            while len(places.queue._waiting) <= number:
                time.sleep(0.01)
    for thread in threads:
        thread.join()
    assert order == [0, 1, 2, 3, 4]


def test_all_together_get_a_share_of_what_the_machine_has_left(monkeypatch, limit_sandbox):
    limit_sandbox(processes=9, share=0.5, wait_seconds=0.2)
    monkeypatch.setattr(places, "available_memory", lambda: 400 << 20)
    with contextlib.ExitStack() as held:
        for megabytes in (200, 100):
            place = held.enter_context(places.queue.place(1 << 30, lambda: None))
            assert place.memory == megabytes << 20
        with pytest.raises(BPEError, match="has to wait"):
            call("echo")


def test_what_is_cached_makes_room_before_a_process_is_refused(monkeypatch):
    free = [10 << 20]
    monkeypatch.setattr(places, "available_memory", lambda: free[0])
    with pytest.raises(sandbox.TooLargeError):
        call("echo")
    monkeypatch.setattr(limits, "make_room", lambda needed: free.append(free.pop() + 2 * needed))
    assert call("echo") == b"{}"


@LINUX
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_a_process_ends_with_the_program_that_started_it(name):
    program = """
import os, signal, threading, time
from bpe import sandbox
from bpe.sandbox import places, process
work = "untrusted_work:work_for_ever", b""
threading.Thread(target=sandbox.run, args=work, daemon=True).start()
while not any(place.process for place in places.queue.places): time.sleep(0.01)
time.sleep(0.5)
print(places.queue.places[0].process, flush=True)
os.kill(os.getpid(), signal.SIGNAL)
""".replace("SIGNAL", name)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    process = Path("/proc", done.stdout.strip())
    while process.exists() and "Z" not in (process / "stat").read_text().split()[2]:
        time.sleep(0.05)

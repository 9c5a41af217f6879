"""What is loaded once: within a limit of bytes, and not evicted while it is in use."""

import threading

import pytest

from bpe.encoders import catalog
from bpe.encoders.loaded import IN_USE, Loaded


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def filled(clock: Clock, *sizes: int, limit: int | None = 10) -> Loaded[str, int]:
    loaded: Loaded[str, int] = Loaded(limit, clock=clock)
    for key, size in zip("abcdef", sizes, strict=False):
        loaded.put(key, size, size)
        clock.now += 1
    return loaded


def test_without_a_limit_everything_is_kept(clock):
    loaded = filled(clock, 30, 30, 40, limit=None)
    assert [loaded.get(key) for key in "abc"] == [30, 30, 40]
    assert loaded.size == 100


def test_what_was_used_longest_ago_makes_room(clock):
    loaded = filled(clock, 3, 3, 4)
    clock.now += IN_USE
    loaded.get("a")
    assert loaded.put("d", 5, 5)
    assert [key in loaded for key in "abcd"] == [True, False, False, True]
    assert loaded.size == 8


def test_what_is_in_use_is_not_evicted_and_the_new_value_is_not_kept(clock):
    loaded = filled(clock, 3, 3, 4)
    assert loaded.get_or_make("d", lambda: 5, 5) == 5
    assert [key in loaded for key in "abcd"] == [True, True, True, False]
    assert loaded.size == 10


def test_what_is_larger_than_the_limit_evicts_nothing(clock):
    loaded = filled(clock, 3, 3, 4)
    clock.now += IN_USE
    assert not loaded.put("d", 11, 11)
    assert [key in loaded for key in "abcd"] == [True, True, True, False]


def test_a_key_put_again_counts_once(clock):
    loaded = filled(clock, 3, 3, 4)
    loaded.put("a", 2, 2)
    assert loaded.get("a") == 2
    assert loaded.size == 9


def test_all_of_it_can_be_let_go(clock):
    loaded = filled(clock, 3, 3, 4)
    loaded.shrink(4)
    assert [key in loaded for key in "abc"] == [False, False, True]
    loaded.shrink()
    assert loaded.size == 0


def test_who_asks_at_the_same_time_waits_for_one_making():
    loaded: Loaded[str, object] = Loaded()
    begun, go_on = threading.Event(), threading.Event()
    made = []

    def make() -> object:
        begun.set()
        assert go_on.wait(10)
        made.append(1)
        return object()

    found: list[object] = []
    ask = lambda: found.append(loaded.get_or_make("a", make, 1))  # noqa: E731
    threads = [threading.Thread(target=ask) for _ in range(3)]
    threads[0].start()
    assert begun.wait(10)
    for thread in threads[1:]:
        thread.start()
    go_on.set()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert len(set(map(id, found))) == 1


def test_an_error_leaves_nothing_behind():
    loaded: Loaded[str, int] = Loaded()
    with pytest.raises(ZeroDivisionError):
        loaded.get_or_make("a", lambda: 1 // 0, 1)
    assert loaded.get_or_make("a", lambda: 2, 1) == 2


def test_an_encoding_is_loaded_again_once_it_was_evicted():
    first = catalog.encoding("llama2")
    assert catalog.encoding("llama2") is first
    catalog.loaded.shrink()
    again = catalog.encoding("llama2")
    assert again is not first
    assert again.encode("看路") == first.encode("看路")


@pytest.mark.parametrize(("name", "megabytes"), [("o200k_base", 57), ("llama2", 7)])
def test_the_memory_of_an_encoding_is_known_before_it_is_loaded(name, megabytes):
    assert catalog.facts(name).memory >> 20 == megabytes

"""A cache bounded in bytes: what was used longest ago goes, but nothing that is in use."""

import threading
import weakref

import pytest

from bpe.encoders import catalog
from bpe.limits import BoundedCache

IN_USE = 60


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def filled(clock: Clock, *sizes: int, limit: int | None = 10) -> BoundedCache[str, int]:
    cache: BoundedCache[str, int] = BoundedCache(limit, in_use=IN_USE, clock=clock)
    for key, size in zip("abcdef", sizes, strict=False):
        cache.put(key, size, size)
        clock.now += 1
    return cache


def test_without_a_limit_everything_is_kept(clock):
    cache = filled(clock, 30, 30, 40, limit=None)
    assert [cache.get(key) for key in "abc"] == [30, 30, 40]
    assert cache.size == 100


def test_what_somebody_still_has_is_not_made_again_after_it_was_evicted():
    class Encoder: ...

    cache: BoundedCache[str, Encoder] = BoundedCache(10)
    held = cache.get_or_make("a", Encoder, 5)
    cache.shrink()
    assert cache.get_or_make("a", Encoder, 5) is held
    assert (cache.get("a"), cache.size) == (held, 5)
    cache.drop(lambda encoder: encoder is held)
    assert cache.get_or_make("a", Encoder, 5) is not held
    cache.put("a", held, 5)
    assert cache.get("a") is held
    alive = weakref.ref(cache.get_or_make("b", Encoder, 5))
    cache.shrink()
    assert alive() is None


@pytest.mark.parametrize(
    ("waits", "used", "size", "kept"),
    [
        (IN_USE, "a", 5, "ad"),  # what was used longest ago makes room
        (IN_USE, "", 9, "d"),  # one large value may take the place of several
        (IN_USE, "", 11, "abc"),  # what is larger than the limit evicts nothing
        (0, "", 5, "abc"),  # nor is what is in use evicted
    ],
)
def test_a_new_value_is_kept_where_there_is_room_for_it(clock, waits, used, size, kept):
    cache = filled(clock, 3, 3, 4)
    clock.now += waits
    for key in used:
        cache.get(key)
    assert cache.put("d", size, size) == ("d" in kept)
    assert [key for key in "abcd" if key in cache] == [*kept]
    assert cache.size == sum({"a": 3, "b": 3, "c": 4, "d": size}[key] for key in kept)


def test_what_is_not_kept_is_made_all_the_same(clock):
    cache = filled(clock, 3, 3, 4)
    assert cache.get_or_make("d", lambda: 5, 5) == 5
    assert ("d" in cache, cache.size) == (False, 10)


def test_values_are_dropped_by_what_they_are_and_by_their_size(clock):
    cache = filled(clock, 3, 3, 4)
    cache.put("a", 2, 2)  # a key that is put again counts once
    assert (cache.get("a"), cache.size) == (2, 9)
    cache.drop(lambda value: value == 3)
    assert ([key in cache for key in "abc"], cache.size) == ([True, False, True], 6)
    cache.shrink(4)
    assert cache.size <= 4
    cache.shrink()
    assert cache.size == 0


def test_who_asks_at_the_same_time_waits_for_one_making():
    cache: BoundedCache[str, object] = BoundedCache()
    begun, go_on = threading.Event(), threading.Event()
    made = []

    def make() -> object:
        begun.set()
        assert go_on.wait(600)
        made.append(1)
        return object()

    found: list[object] = []
    ask = lambda: found.append(cache.get_or_make("a", make, 1))  # noqa: E731
    threads = [threading.Thread(target=ask) for _ in range(3)]
    threads[0].start()
    assert begun.wait(600)
    for thread in threads[1:]:
        thread.start()
    go_on.set()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert len(set(map(id, found))) == 1


def test_an_error_leaves_nothing_behind():
    cache: BoundedCache[str, int] = BoundedCache()
    with pytest.raises(ZeroDivisionError):
        cache.get_or_make("a", lambda: 1 // 0, 1)
    assert cache.get_or_make("a", lambda: 2, 1) == 2


def test_an_encoding_is_loaded_again_once_it_was_evicted(monkeypatch):
    monkeypatch.setattr(catalog, "loaded", BoundedCache())  # no other test has one of it
    first = catalog.encoding("llama2")
    assert catalog.encoding("llama2") is first
    ids, alive = first.encode("看路"), weakref.ref(first)
    del first
    catalog.loaded.shrink()
    assert alive() is None
    assert catalog.encoding("llama2").encode("看路") == ids

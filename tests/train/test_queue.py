"""Corpora are trained in the order in which they were asked for, two of small ones at a time."""

import threading
from contextlib import ExitStack, nullcontext

import pytest

from playground.train import job
from playground.ui import memory


class Gone(BaseException):
    """As Streamlit ends the run of a page whose tab was closed."""


def refuses(place: int) -> None:
    raise Gone


def test_the_others_wait_in_their_order_and_are_told_their_place():
    order: list[str] = []
    places: dict[str, list[int]] = {"second": [], "third": []}
    waits = {name: threading.Event() for name in places}

    def ask(name: str) -> None:
        def waiting(place: int) -> None:
            places[name].append(place)
            waits[name].set()

        with job.turn(job.LARGE, waiting):
            order.append(name)

    threads = [threading.Thread(target=ask, args=(name,)) for name in places]
    with job.turn(job.LARGE, refuses):
        for name, thread in zip(places, threads, strict=True):
            thread.start()
            assert waits[name].wait(600)
        order.append("first")
    for thread in threads:
        thread.join(10)
    assert order == ["first", "second", "third"]
    assert places["second"][0] == 1
    assert places["third"][0] == 2


MB = 2**20


@pytest.mark.parametrize(
    ("at_work", "next_one", "waits"),
    [
        ([5 * MB], job.SMALL - 1, False),
        ([5 * MB], job.SMALL, True),
        ([2 * MB], 3 * MB, False),
        ([2 * MB], 4 * MB, True),
        ([2 * MB, 2 * MB], job.SMALL, True),
        ([2 * MB, 2 * MB], job.SMALL - 1, False),
    ],
)
def test_what_is_under_way_says_who_waits(at_work, next_one, waits):
    with ExitStack() as under_way:
        for size in at_work:
            under_way.enter_context(job.turn(size, refuses))
        with pytest.raises(Gone) if waits else nullcontext(), job.turn(next_one, refuses):
            assert not waits
    with job.turn(job.LARGE, refuses):
        pass  # who went away while waiting has left the queue


def test_a_corpus_has_the_memory_that_it_needs_of_what_can_be_made_again(monkeypatch):
    asked = []
    monkeypatch.setattr(memory, "make_room", asked.append)
    for size in (job.SMALL // 4, job.LARGE // 4, job.LARGE):
        with job.turn(2 * size, refuses):
            pass
    middle, large = asked
    assert middle < large
    assert 12 * job.LARGE < large < 50 * job.LARGE

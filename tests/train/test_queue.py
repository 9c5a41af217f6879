"""Large corpora are trained one at a time, in the order in which they were asked for."""

import threading

import pytest
from streamlit.testing.v1 import AppTest

from playground.train import job
from playground.train.job import TrainingQueue
from playground.train.progress_bar import TrainingBar
from playground.ui import memory


class Gone(BaseException):
    """As Streamlit ends the run of a page whose tab was closed."""


def unexpected(place: int) -> None:
    raise AssertionError("no training has to wait here")


def test_who_is_alone_does_not_wait():
    turns = TrainingQueue()
    with turns.turn(unexpected):
        assert len(turns) == 1
    assert len(turns) == 0


def test_the_others_wait_in_their_order_and_are_told_their_place():
    turns = TrainingQueue()
    order: list[str] = []
    places: dict[str, list[int]] = {"second": [], "third": []}
    waits = {name: threading.Event() for name in places}

    def ask(name: str) -> None:
        def waiting(place: int) -> None:
            places[name].append(place)
            waits[name].set()

        with turns.turn(waiting):
            order.append(name)

    threads = [threading.Thread(target=ask, args=(name,)) for name in places]
    with turns.turn(unexpected):
        for name, thread in zip(places, threads, strict=True):
            thread.start()
            assert waits[name].wait(600)
        order.append("first")
    for thread in threads:
        thread.join(10)
    assert order == ["first", "second", "third"]
    assert places["second"][0] == 1
    assert places["third"][0] == 2


def test_who_goes_away_while_waiting_leaves_the_queue():
    turns = TrainingQueue()

    def waiting(place: int) -> None:
        raise Gone

    with turns.turn(unexpected):
        with pytest.raises(Gone), turns.turn(waiting):
            raise AssertionError("it was not its turn")
        assert len(turns) == 1


def test_an_error_gives_the_turn_to_the_next():
    turns = TrainingQueue()
    with pytest.raises(ZeroDivisionError), turns.turn(unexpected):
        _ = 1 // 0
    with turns.turn(unexpected):
        assert len(turns) == 1


def wait_for_a_turn() -> None:
    from playground.train.progress_bar import TrainingBar

    bar = TrainingBar()
    bar._drawn -= 1
    bar.waiting(2)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Other large corpora are trained first; place in the queue: 2"),
        ("zh", "正在训练别人的大语料；排队中，位次：2"),
    ],
)
def test_the_place_is_shown(language, expected):
    app = AppTest.from_function(wait_for_a_turn, default_timeout=600)
    app.query_params["lang"] = language
    [bar] = app.run().get("progress")
    assert bar.proto.text == expected


def test_only_large_corpora_wait():
    class Bar:
        def waiting(self, place: int) -> None:
            raise Gone

    with job.turn(job.LARGE, Bar()):
        with job.turn(job.LARGE - 1, Bar()):
            pass
        with pytest.raises(Gone), job.turn(job.LARGE, Bar()):
            raise AssertionError("it was not its turn")


def test_a_corpus_has_the_memory_that_it_needs_of_what_can_be_made_again(monkeypatch):
    asked = []
    monkeypatch.setattr(memory, "make_room", asked.append)
    for size in (job._HARDLY_ANY // 4, job.LARGE // 4, job.LARGE):
        with job.turn(2 * size, TrainingBar()):
            pass
    middle, large = asked
    assert middle < large
    assert 12 * job.LARGE < large < 50 * job.LARGE

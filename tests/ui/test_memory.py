"""The server's memory: sessions that have ended leave it, and what is shared has a limit."""

import gc
import sys
import weakref
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.testing.v1 import AppTest

from bpe import limits, sandbox
from bpe.analysis import vocabulary
from bpe.encoders import catalog
from bpe.errors import BPEError
from bpe.limits import BoundedCache
from playground.ui import memory
from playground.ui.streamlit_private import drop_ended


class Session:
    """Refers to itself, as Streamlit's do, so that only the search for cycles frees it."""

    def __init__(self, identity: str) -> None:
        self.id = identity
        self.itself = self


@pytest.fixture(autouse=True)
def held(monkeypatch) -> list[int]:
    """What the process is taken to have in memory, in place of what the tests before left."""
    bytes_held = [0]
    monkeypatch.setattr(memory, "resident", lambda: bytes_held[0])
    monkeypatch.setattr(limits, "available_memory", lambda: 2**40)
    monkeypatch.setattr(limits, "memory_limit", lambda: 2**30)
    return bytes_held


@pytest.fixture
def called(monkeypatch) -> list[str]:
    """What was called of the memory of the server, in order."""
    calls: list[str] = []
    for module, name in ((memory, "let_go"), (limits, "trim"), (memory, "make_room")):
        monkeypatch.setattr(module, name, partial(calls.append, name))
    return calls


def test_a_session_that_has_ended_is_freed_at_the_next_turn():
    sessions = {"one": Session("one"), "other": Session("other")}
    known = memory.sweep(set(), set(sessions))
    alive = weakref.ref(sessions["one"])
    gc.disable()
    try:
        del sessions["one"]
        assert alive() is not None
        memory.sweep(known, set(sessions))
        assert alive() is None
    finally:
        gc.enable()


def test_what_is_shared_is_let_go_when_nobody_is_left(called):
    known: set[str] = set()
    for sessions in ({"one", "other"}, {"other"}, set(), set()):
        known = memory.sweep(known, sessions)
    assert called.count("let_go") == 1
    assert called.index("let_go") == called.index("trim", 3) - 1


def test_at_every_turn_free_pages_go_back_and_room_is_made(called):
    memory.sweep(memory.sweep(set(), {"one"}), {"one"})
    assert called == ["trim", "make_room"] * 2


def test_what_is_let_go_is_all_that_was_loaded_for_sessions():
    catalog.encoding("llama2")
    memory.shared.put("vocabulary", object(), 1)
    memory.let_go()
    assert catalog.loaded.size == 0
    assert memory.shared.size == 0


@pytest.mark.parametrize(
    ("seconds", "held_bytes", "left"),
    [(0, 0, set()), (120, 0, {"one"}), (120, memory.ENOUGH_BYTES + 1, set())],
)
def test_what_streamlit_keeps_of_sessions_is_dropped_when_they_are_over_or_memory_is_short(
    seconds, held_bytes, left, held
):
    storage = MemorySessionStorage(ttl_seconds=seconds)
    manager = WebsocketSessionManager(storage, None, None, None)  # type: ignore[arg-type]
    session = Session("one")
    storage.save(SimpleNamespace(session=session))  # type: ignore[arg-type]
    alive = weakref.ref(session)
    del session
    held[0] = held_bytes
    assert drop_ended(manager, memory.is_short) == left
    gc.collect()
    assert (alive() is not None) == bool(left)


@pytest.fixture
def caches(monkeypatch) -> tuple[BoundedCache, BoundedCache]:
    """The cache of encoders, and that of the rest: 100 MB and 50 MB, in pieces of 25."""
    encoders, others = BoundedCache[str, object](), BoundedCache[str, object]()
    for cache, names in ((encoders, "abcd"), (others, "ef")):
        for name in names:
            cache.put(name, object(), 25 * 2**20)
    monkeypatch.setattr(catalog, "loaded", encoders)
    monkeypatch.setattr(memory, "shared", others)
    return encoders, others


@pytest.mark.parametrize(
    ("megabytes", "left"),
    [(400, "abcdef"), (401, "bcdef"), (440, "cdef"), (500, "ef"), (520, "f"), (9000, "")],
)
def test_only_as_much_is_evicted_as_is_needed_and_encoders_first(held, caches, megabytes, left):
    held[0] = memory.ENOUGH_BYTES - 400 * 2**20
    memory.make_room(megabytes * 2**20)
    assert "".join(name for name in "abcdef" if any(name in cache for cache in caches)) == left


def test_where_the_host_has_too_little_left_everything_idle_goes(caches, monkeypatch):
    ended = []
    monkeypatch.setattr(sandbox, "end_idle", lambda: ended.append(1))
    memory.make_room()
    assert (ended, memory.is_short()) == ([], False)
    monkeypatch.setattr(limits, "available_memory", lambda: memory.FREE_BYTES - 30 * 2**20)
    assert memory.is_short()
    memory.make_room()
    assert ended == [1]
    assert [cache.size >> 20 for cache in caches] == [50, 50]  # 30 MB were missing


def test_a_page_waits_for_memory_and_says_when_there_is_none(monkeypatch):
    available = iter([1, 1, 2**40])
    monkeypatch.setattr(memory, "make_room", lambda: None)
    monkeypatch.setattr(limits, "available_memory", lambda: next(available))
    monkeypatch.setattr(memory, "PAGE_SECONDS", 5.0)
    memory.wait_until_free()
    assert list(available) == []
    monkeypatch.setattr(memory, "PAGE_SECONDS", 0.0)
    monkeypatch.setattr(limits, "available_memory", lambda: 1)
    with pytest.raises(BPEError, match="no memory left"):
        memory.wait_until_free()


@pytest.mark.parametrize(
    ("host", "allowed"), [(None, 320), (2**30, 320), (2**29, 160), (2**31, 640), (2**36, 800)]
)
def test_a_limit_grows_and_shrinks_with_what_the_host_gives(monkeypatch, host, allowed):
    monkeypatch.setattr(limits, "memory_limit", lambda: host)
    assert memory.allowed(memory.ENCODINGS_BYTES) == allowed * 2**20
    assert memory.uploadable(memory.ENCODINGS_BYTES) == min(allowed, 320) * 2**20


def test_the_memory_of_this_process_is_known(monkeypatch):
    monkeypatch.undo()
    if sys.platform == "linux":
        assert memory.resident() > 20 * 2**20


def another_with_the_same_id() -> None:
    import weakref

    import streamlit as st

    import bpe
    from playground.ui import caches

    one = bpe.train(["看路，看天"], bpe.Recipe(vocabulary_size=258))
    other = bpe.train(["看路，看天"], bpe.Recipe(vocabulary_size=257))
    caches.cached(("answer",), lambda: "of one", memory=1, of=(one,))
    cache = st.session_state["cache"]
    entry = cache.get((id(one), "answer"))
    cache.put((id(other), "answer"), entry, 1)  # as if ``one`` had been at this address
    st.session_state["found"] = caches.cached(
        ("answer",), lambda: "of other", memory=1, of=(other,)
    )
    assert isinstance(entry[0][0], weakref.ref)


def test_another_tokenizer_at_the_same_address_does_not_get_its_results():
    app = AppTest.from_function(another_with_the_same_id, default_timeout=600).run()
    assert not app.exception
    assert app.session_state["found"] == "of other"


def watch_loading(monkeypatch, seen) -> None:
    """Have ``seen`` called with each encoder, whether it is loaded from its package or a cache."""

    def watched(load, *source):
        encoder = load(*source)
        seen(encoder)
        return encoder

    monkeypatch.setattr(catalog, "_load", partial(watched, catalog._load))


def test_a_page_without_memory_says_so_and_is_there_again_later(monkeypatch):
    monkeypatch.setattr(memory, "PAGE_SECONDS", 0.0)
    app = AppTest.from_file("../../app.py", default_timeout=600)
    app.query_params["lang"] = "en"
    with monkeypatch.context() as without:
        without.setattr(limits, "available_memory", lambda: 1)
        app.run()
    assert [error.value for error in app.error] == [
        "The server has no memory left to show this page at the moment. Reload it in a minute."
    ]
    assert not app.exception
    assert not app.run().error


def test_a_vocabulary_asks_for_memory_before_it_is_read(monkeypatch):
    asked = []
    monkeypatch.setattr("bpe.analysis.vocabulary.require_memory", asked.append)
    known = vocabulary.read(catalog.encoding("gpt2"))
    assert asked == [300 * len(known)]


def test_what_a_page_asks_for_by_itself_is_loaded_once(monkeypatch):
    loaded = []
    watch_loading(monkeypatch, lambda encoder: loaded.append(encoder.name))
    monkeypatch.setattr(catalog, "loaded", BoundedCache(memory.ENCODINGS_BYTES, in_use=60))
    app = AppTest.from_file("../../app.py", default_timeout=600)
    app.query_params["lang"] = "en"
    app.run().switch_page("pages/cost.py").run()
    for text in ("one word", "another word", "你好"):
        app.session_state["compare_en"] = text
        app.run()
    assert not app.exception
    assert len(loaded) >= 6
    assert sorted(loaded) == sorted(set(loaded))


@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("compare", {}),
        ("compare", {"view": "languages"}),
        ("compare", {"view": "vocabulary"}),
        ("cost", {}),
        ("cost", {"section": "conversation"}),
        ("learn", {"lesson": "chinese"}),
    ],
    ids=str,
)
def test_no_page_keeps_an_evicted_tokenizer_in_memory(monkeypatch, page, query):
    alive = []
    watch_loading(monkeypatch, lambda encoder: alive.append(weakref.ref(encoder)))
    monkeypatch.setattr(catalog, "loaded", BoundedCache())
    app = AppTest.from_file("../../app.py", default_timeout=600)
    app.query_params.update(query)
    app.run().switch_page(f"pages/{page}.py").run()
    assert not app.exception
    assert len(alive) >= 3
    catalog.loaded.shrink()
    gc.collect()
    assert [encoder() for encoder in alive if encoder()] == []

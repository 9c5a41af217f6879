"""The cache of segmentations: bounded in bytes, evicting what was used longest ago."""

from streamlit.testing.v1 import AppTest

from playground.ui.caches import BoundedCache


def filled(*sizes: int, limit: int = 10) -> BoundedCache[str, int]:
    cache: BoundedCache[str, int] = BoundedCache(limit)
    for key, size in zip("abcdef", sizes, strict=False):
        cache.put(key, size, size)
    return cache


def test_what_fits_is_kept():
    cache = filled(3, 3, 4)
    assert [cache.get(key) for key in "abc"] == [3, 3, 4]
    assert cache.size == 10


def test_what_was_used_longest_ago_makes_room():
    cache = filled(3, 3, 4)
    cache.get("a")
    cache.put("d", 1, 1)
    assert [key in cache for key in "abcd"] == [True, False, True, True]
    assert cache.size == 8


def test_one_large_value_may_take_the_place_of_several():
    cache = filled(3, 3, 4)
    cache.put("d", 9, 9)
    assert [key in cache for key in "abcd"] == [False, False, False, True]
    assert cache.size == 9


def test_what_is_larger_than_the_limit_evicts_nothing_and_is_not_kept():
    cache = filled(3, 3, 4)
    cache.put("d", 11, 11)
    assert [key in cache for key in "abcd"] == [True, True, True, False]
    assert cache.get("d") is None


def test_a_key_put_again_counts_once():
    cache = filled(3, 3, 4)
    cache.put("a", 2, 2)
    assert cache.get("a") == 2
    assert cache.size == 9


def cutting() -> None:
    import streamlit as st

    import bpe
    from playground.ui import caches

    encoder = bpe.encoding("o200k_base")
    st.session_state["known"] = caches.is_segmented(encoder, "看路，看天")
    first = caches.segmentation(encoder, "看路，看天")
    st.session_state["same"] = caches.segmentation(encoder, "看路，看天") is first


def test_a_text_is_cut_once_in_a_session_and_no_other_can_tell():
    one, other = AppTest.from_function(cutting), AppTest.from_function(cutting)
    assert one.run().session_state["same"]
    assert one.run().session_state["known"]
    assert not other.run().session_state["known"]


def forgetting() -> None:
    import gc
    import weakref

    import streamlit as st

    import bpe
    from playground import session
    from playground.ui import caches

    tokenizer = bpe.train(["看路，看天"], bpe.Recipe(vocabulary_size=258))
    session.keep("own-1", tokenizer)
    caches.segmentation(tokenizer, "看路")
    caches.cached(("other",), lambda: 1, memory=1, of=(tokenizer,))
    known = weakref.ref(tokenizer)
    session.forget("own-1")
    del tokenizer
    gc.collect()
    st.session_state["in memory"] = known() is not None
    st.session_state["size"] = st.session_state["cache"].size


def test_a_tokenizer_that_is_forgotten_leaves_the_memory_with_all_that_came_of_it():
    app = AppTest.from_function(forgetting).run()
    assert not app.exception
    assert app.session_state["in memory"] is False
    assert app.session_state["size"] == 0

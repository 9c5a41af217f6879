"""What a session works out once: it finds it again, no other session does."""

from streamlit.testing.v1 import AppTest


def cutting() -> None:
    import streamlit as st

    import bpe
    from bpe.encoders import catalog
    from playground.ui import caches

    encoder = bpe.encoding("llama2")
    st.session_state["known"] = caches._known(encoder, "看路，看天") is not None
    first = caches.segmentation(encoder, "看路，看天")
    catalog.loaded.shrink()
    st.session_state["same"] = caches.segmentation(bpe.encoding("llama2"), "看路，看天") is first


def test_a_text_is_cut_once_in_a_session_though_its_tokenizer_is_loaded_again():
    one, other = AppTest.from_function(cutting, default_timeout=600), AppTest.from_function(cutting)
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
    session.add("own-1", tokenizer)
    caches.segmentation(tokenizer, "看路")
    caches.cached(("other",), lambda: 1, memory=1, of=(tokenizer,))
    known = weakref.ref(tokenizer)
    session.remove("own-1")
    del tokenizer
    gc.collect()
    st.session_state["in memory"] = known() is not None
    st.session_state["size"] = st.session_state["cache"].size


def test_a_tokenizer_that_is_forgotten_leaves_the_memory_with_all_that_came_of_it():
    app = AppTest.from_function(forgetting, default_timeout=600).run()
    assert not app.exception
    assert app.session_state["in memory"] is False
    assert app.session_state["size"] == 0

"""The merge view alone; the address says what is trained (`?corpus=`)."""

import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.documents import samples
from bpe.text.pretokenize import count_words
from playground.merge_view import Card, Events, merge_view, record


@st.cache_resource
def events(corpus: str) -> Events:
    if corpus == "textbook":
        words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
        return record(words, Recipe(algorithm="character-bpe", tie_break="first-seen"))
    if corpus == "chinese":
        return record({"看路".encode(): 3, "路灯".encode(): 2}, Recipe())
    if corpus == "nothing":
        return record({}, Recipe())
    text = (samples.corpus("zh") + samples.corpus("en")) * 3
    return record(count_words([text], "gpt2"), Recipe(merges=1_000))


st.title("Merges")
cards = [Card("Words are cut into symbols.", "words", 0), Card("One merge.", "pairs", 1)]
score = merge_view(
    events(st.query_params.get("corpus", "textbook")), key="merges", cards=cards, bets=True
)
st.text(f"runs: {st.session_state.setdefault('runs', 0)}, score: {score}")
st.session_state["runs"] += 1

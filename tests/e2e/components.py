"""The components alone; the address says which (`?part=tokens`), and what it shows (`&show=zh`)."""

import random
import time
from dataclasses import replace
from itertools import pairwise

import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.analysis.merge_tree import Node
from bpe.analysis.segmentation import Segmentation, segment, segment_ids
from bpe.documents import samples
from bpe.encoders import catalog
from bpe.encoders.trained import Tokenizer
from bpe.text.pretokenize import count_words
from bpe.training.train import train
from playground.editor import editor
from playground.merge_view import Card, Events, merge_view, record
from playground.token_view import PAGE_SIZE, Row, aligned_view, token_view
from playground.ui.streamlit_private import fragment

ZHONG = "中".encode()
# Each token as (id, bytes): 中 in three tokens, four 汉字 in one, signs, a special token.
HAND = [
    (900, b"Hello"),
    (901, b" world"),
    (228, ZHONG[:1]),
    (184, ZHONG[1:2]),
    (173, ZHONG[2:]),
    (902, "文字处理".encode()),
    (903, "很".encode()[:2]),
    (135, "很".encode()[2:]),
    (904, "好。\n".encode()),
    (905, b" \xe4\xb8"),
    (173, ZHONG[2:]),
    (906, b"\tend"),
    (902, "文字处理".encode()),
    (256, b"<|endoftext|>"),
]
NASTY = [
    (1, "👨".encode()),
    (2, "\u200d".encode()),
    (3, "👩".encode()[:2]),
    (4, "👩".encode()[2:]),
    (5, "👩‍💻".encode()),
    (6, b"e"),
    (7, "\u0301".encode()),
    (8, "e\u0301".encode()),
    (9, b"\x00\x1b"),
    (10, b"\xff\xfe"),
    (11, "\u202eabc".encode()),
    (12, "שלום".encode()),
    (13, " العربية".encode()),
    (14, b"\n"),
    (15, b"<script>"),
    (16, b"document.title='owned'"),
    (17, b"</script>"),
    (18, b"<img src=x onerror=\"document.title='owned'\">"),
    (19, b""),
    (20, "\u00a0".encode()[:1]),
    (21, "\u00a0".encode()[1:]),
    (22, "\u3000\ufeff".encode()),
    (23, b"\r\n"),
    (24, b"x" * 300),
]


def cut_at_random(seed: str) -> list[tuple[int, bytes]]:
    """Valid and invalid UTF-8, cut anywhere."""
    chance = random.Random(seed)
    signs = ["a", " ", "中", "é", "e\u0301", "👩\u200d💻", "\n", "\x00", "\u202e", "ש", "\ufeff"]
    raw = b"".join(
        chance.choice([chance.choice(signs).encode(), chance.randbytes(1)]) for _ in range(300)
    )
    bounds = sorted({0, len(raw), *chance.choices(range(len(raw)), k=250)})
    return [(at, raw[a:b]) for at, (a, b) in enumerate(pairwise(bounds), start=1000)]


def shown(*names: str) -> tuple[str, str]:
    """Let one of these be chosen; return it, and the key of a component that a click makes anew."""
    name = st.segmented_control(
        "Show", names, default=st.query_params.get("show", names[0]), required=True
    )
    made = st.session_state["made"] = st.session_state.get("made", 0) + st.button("Anew")
    st.text(f"{name}, made anew: {made}")
    return name, f"component {made}"


# An editor in a fragment, with what it sends to Python.


def typing() -> None:
    name, key = shown("o200k_base", "llama2")

    @fragment
    def picture() -> None:
        typed = editor(
            "Your text",
            catalog.encoding(name),
            key=key,
            name=name,
            default="南京市长江大桥",
            placeholder="Type here",
            limit=int(st.query_params.get("limit", 100_000)),
        )
        st.text(f"python: {len(typed.text)} {typed.text[-20:]!r}")
        if typed.settled:
            st.rerun()

    picture()
    # A page has more to draw. A fragment that runs again before Streamlit has sent its part of a
    # whole run takes it back, and the browser puts the editor away for a moment, with all that undo
    # knows.
    time.sleep(0.2)
    runs = st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    st.text(f"runs: {runs}")
    if st.button("Another text"):
        st.session_state[key] = "hello world"
        st.rerun()


# The merges of a corpus.


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


def merges() -> None:
    corpus, key = shown("textbook", "chinese", "nothing", "large")
    cards = [Card("Words are cut into symbols.", "words", 0), Card("One merge.", "pairs", 1)]
    score = merge_view(events(corpus), key=f"{key} {corpus}", cards=cards, bets=True)
    runs = st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    st.text(f"runs: {runs}, score: {score}")


# Texts cut by hand, at random, and samples.


@st.cache_resource
def trained() -> Tokenizer:
    recipe = Recipe(vocabulary_size=1500, special_tokens=("<|endoftext|>",))
    return train([samples.corpus("zh"), samples.corpus("en")], recipe)


def by_hand(pieces: list[tuple[int, bytes]]) -> Segmentation:
    return segment_ids([i for i, _ in pieces], dict(pieces).__getitem__, special_ids={256})


@st.cache_resource
def cut_of(name: str) -> Segmentation:
    if name == "hand":
        return by_hand(HAND)
    if name == "nasty":
        return by_hand(NASTY)
    if name == "zh":
        return segment(trained(), samples.corpus(name)[:1500])
    if name.startswith("random"):
        return by_hand(cut_at_random(name))
    count = int(name)  # as many tokens of a sample, over and over
    sample = segment(trained(), samples.corpus("zh"))
    repeats = -(-count // len(sample))
    return segment_ids((list(sample.ids) * repeats)[:count], trained().token_bytes)


def made_of(token_id: int) -> Node | None:
    if token_id < 256:
        return Node(bytes([token_id]), token_id)
    if token_id == 902:
        parts = (Node("文字".encode(), 800), Node("处理".encode(), 801))
        return Node("文字处理".encode(), 902, 644, parts, count=12)
    if token_id == 903:  # in the vocabulary as it is: merges stop at its bytes
        return Node(b"\xe5\xbe", 903, parts=(Node(b"\xe5", 229), Node(b"\xbe", None)))
    return None


def side_by_side(key: str) -> str | None:
    """Show the same text by many merges, by few and by none; return what is pinned."""
    sample = samples.corpus("zh")[:400] + "\n" + samples.corpus("en")[:400]
    by_bytes = Tokenizer(merges=(), recipe=Recipe(), name="bytes")
    shorter = replace(trained(), merges=trained().merges[:400], name="short")
    cuts = [segment(encoder, sample) for encoder in (trained(), shorter, by_bytes)]
    pinned = aligned_view([Row(cut, cut.name) for cut in cuts], key=key)
    return pinned and f"{cuts[pinned[0]].name}, {pinned[1].index}, id {pinned[1].id}"


def alone(text: str, key: str) -> str | None:
    cut = cut_of(text)
    size = 2_000 if text == "9000" else PAGE_SIZE
    row = Row(cut, made=made_of if text == "hand" else None)
    pinned = token_view(row, key=key, page_size=size)
    return pinned and (
        f"{pinned.index}, id {pinned.id}, {pinned.kind}, {cut.counts[pinned.id]} times"
    )


def tokens() -> None:
    texts = ("hand", "nasty", "zh", "random1", "random2", "random3", "6000", "9000", "aligned")
    text, key = shown(*texts)
    pinned = side_by_side(key) if text == "aligned" else alone(text, key)
    st.text(f"pinned: {pinned or 'none'}")


if __name__ == "__main__":
    {"editor": typing, "merges": merges, "tokens": tokens}[st.query_params["part"]]()

"""The token view alone, on texts cut by hand and on samples; the address says which (`?text=`)."""

from dataclasses import replace

import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.analysis.merge_tree import Node
from bpe.analysis.segmentation import Segmentation, segment, segment_ids
from bpe.documents.samples import corpus
from bpe.encoders.trained import Tokenizer
from bpe.training.train import train
from playground.token_view import PAGE_SIZE, aligned_view, token_view
from tests.e2e.apps.token_view_texts import HAND, NASTY, cut_at_random


@st.cache_resource
def trained():
    recipe = Recipe(vocabulary_size=1500, special_tokens=("<|endoftext|>",))
    return train([corpus("zh"), corpus("en")], recipe)


def by_hand(pieces: list[tuple[int, bytes]]) -> Segmentation:
    return segment_ids([i for i, _ in pieces], dict(pieces).__getitem__, special_ids={256})


@st.cache_resource
def text_of(name: str) -> Segmentation:
    if name == "hand":
        return by_hand(HAND)
    if name == "nasty":
        return by_hand(NASTY)
    if name == "empty":
        return by_hand([])
    if name in ("zh", "en"):
        return segment(trained(), corpus(name)[:1500])
    if name.startswith("random"):
        return by_hand(cut_at_random(name))
    count = int(name)  # as many tokens of a sample, over and over
    sample = segment(trained(), corpus("zh"))
    repeats = -(-count // len(sample))
    return segment_ids((list(sample.ids) * repeats)[:count], trained().token_bytes)


def made_of(token_id: int) -> Node | None:
    if text != "hand":
        return None
    if token_id < 256:
        return Node(bytes([token_id]), token_id)
    if token_id == 902:
        parts = (Node("文字".encode(), 800), Node("处理".encode(), 801))
        return Node("文字处理".encode(), 902, 644, parts, count=12)
    if token_id == 903:  # in the vocabulary as it is: merges stop at its bytes
        return Node(b"\xe5\xbe", 903, parts=(Node(b"\xe5", 229), Node(b"\xbe", None)))
    return None


def side_by_side() -> None:
    """The same text by many merges, by few and by none."""
    sample = (corpus("zh")[:400] + "\n" + corpus("en")[:400]) * int(st.query_params.get("times", 1))
    by_bytes = Tokenizer(merges=(), recipe=Recipe(), name="bytes")
    shorter = replace(trained(), merges=trained().merges[:400], name="short")
    cuts = [segment(encoder, sample) for encoder in (trained(), shorter, by_bytes)]
    pinned = aligned_view(cuts, key="aligned")
    if pinned is None:
        st.text("pinned: none")
    else:
        which, token = pinned
        st.text(f"pinned: {cuts[which].name}, {token.index}, id {token.id}")


asked = st.query_params.get("text", "hand")
if asked == "aligned":
    side_by_side()
    st.stop()
TEXTS = ["hand", "nasty", "zh", "random1", "random2", "random3"]
text = st.segmented_control("Text", TEXTS, key="text") or asked
segmentation = text_of(text)
pinned = token_view(
    segmentation,
    key="view",
    made=made_of,
    page_size=int(st.query_params.get("page", PAGE_SIZE)),
)
if pinned is None:
    st.text("pinned: none")
else:
    times = segmentation.counts[pinned.id]
    st.text(f"pinned: {pinned.index}, id {pinned.id}, {pinned.kind}, {times} times")

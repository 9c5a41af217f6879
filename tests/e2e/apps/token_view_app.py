"""The token view alone, on texts cut by hand and on samples; the address says which (`?text=`)."""

import streamlit as st

from bpe.lens import Segmentation, segment, segment_ids
from bpe.recipe import Recipe
from bpe.samples import corpus
from bpe.training import train
from playground.tokens import Made, token_view

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
CHINESE = {
    "List of ids": "编号列表",
    "Ids beside tokens": "词元旁标编号",
    "Tokens: {total}": "共 {total} 个词元",
    "Click a token, or walk with the arrow keys, to see what it is made of.": (
        "点一个词元，或用方向键移动，看看它由什么组成。"
    ),
    "bytes {range} of {size} of {character}": "“{character}”的第 {range} 字节（共 {size} 字节）",
}


@st.cache_resource
def trained():
    recipe = Recipe(vocabulary_size=1500, special_tokens=("<|endoftext|>",))
    return train([*corpus("zh"), *corpus("en")], recipe)


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
        return segment(trained(), "\n".join(list(corpus(name))[:8]))
    count = int(name)  # as many tokens of a sample, over and over
    sample = segment(trained(), "\n".join(corpus("zh")))
    repeats = -(-count // len(sample))
    return segment_ids((list(sample.ids) * repeats)[:count], trained().token_bytes)


def made_of(token_id: int) -> Made | None:
    if text != "hand":
        return None
    if token_id < 256:
        return Made(rank=None)
    if token_id == 902:
        return Made(644, (800, "文字".encode()), (801, "处理".encode()), 12)
    return None


text = st.query_params.get("text", "hand")
chinese = st.query_params.get("lang") == "zh"
pinned = token_view(
    text_of(text),
    key="view",
    translate=(lambda message: CHINESE.get(message, message)) if chinese else str,
    made=made_of,
    differing=(5,) if text == "hand" else (),
)
st.text(f"pinned: {None if pinned is None else (pinned.index, pinned.id, pinned.kind)}")

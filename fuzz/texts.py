"""Hostile texts: every plane of Unicode, half pairs, heaps of marks, long runs, special tokens."""

from operator import mul

from hypothesis import strategies as st

from bpe.encoders import catalog

NAMES = [entry.name for entry in catalog.encodings()]
SPECIALS = ("<|endoftext|>", "<|end|>", "<s>", "[INST]", "<｜User｜>", "<think>", "<unk>", "中")

# What a pattern, a normalisation or a vendor treats in a way of its own, and what once failed.
PIECES = list("aBzésſK中龘𠮷ンあ〇⺀・，。'’/_-1９½<|> \n\r\t\u3000\u00a0\u2028\u200b\x00\ufeff")
PIECES += list("▁\ufffd\u0301\u0307\u0345\u1abf\u3099\u200d\ufe0fﾞ\u0e33ΣİßǅﬁﷺK㎏각👩🏻🇨\U0003d000")
PIECES += ["'ll", "'RE", "  ", "\r\n", "ing", " the", "的", "2024", "ᄀ\u1161", "<|", *SPECIALS]

pieces = st.sampled_from(PIECES)
any_unicode = st.text(max_size=40)
half_pairs = st.text(st.sampled_from("a\ud83d\ude00\ud800\udfff中 "), max_size=12)
marks = st.text(
    st.sampled_from("ae中 \u0301\u0323\u0307\u0345\u3099\u1abf\u200d\ufe0f"), max_size=60
)
runs = st.builds(mul, pieces, st.integers(2, 2000))
mixtures = st.lists(pieces, max_size=40).map("".join)

texts = st.one_of(mixtures, any_unicode, marks, half_pairs, runs) | st.lists(
    mixtures | any_unicode | runs, max_size=4
).map("".join)
several = st.lists(mixtures | any_unicode | half_pairs | st.just(""), max_size=8)
"""Parts of one text, cut anywhere, or texts of a batch."""
steps = st.integers(1, 40)

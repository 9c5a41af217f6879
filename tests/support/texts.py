"""Hostile texts: every plane of Unicode, half pairs, heaps of marks, long runs, special tokens."""

from collections.abc import Callable
from operator import mul
from random import Random

from hypothesis import strategies as st

from bpe.encoders import catalog

NAMES = [entry.name for entry in catalog.encodings()]
SPECIALS = ("<|endoftext|>", "<|end|>", "<s>", "[INST]", "<｜User｜>", "<think>", "<unk>", "中")

# What a pattern, a normalisation or a vendor treats in a way of its own, and what once failed.
PIECES = list("aBzésſK中龘𠮷ンあ〇⺀・，。'’/_-1９½<|> \n\r\t\u3000\u00a0\u2028\u200b\x00\ufeff")
PIECES += list("▁\ufffd\u0301\u0307\u0345\u1abf\u3099\u200d\ufe0fﾞ\u0e33ΣİßǅﬁﷺK㎏각👩🏻🇨\U0003d000")
PIECES += ["'ll", "'RE", "  ", "\r\n", "ing", " the", "的", "2024", "ᄀ\u1161", "<|", *SPECIALS]

_MARKS = "\u0301\u0323\u0307\u0345\u3099\u1abf\u200d\ufe0f"
pieces = st.sampled_from(PIECES)
any_unicode = st.text(max_size=40)
half_pairs = st.text(st.sampled_from("a\ud83d\ude00\ud800\udfff中 "), max_size=12)
marks = st.text(st.sampled_from("ae中 " + _MARKS), max_size=60)
runs = st.builds(mul, pieces, st.integers(2, 2000))
mixtures = st.lists(pieces, max_size=40).map("".join)

seen: set[int] = set()
"""A number for each different text that was generated so far."""


def counted(text: str) -> str:
    """Return ``text``, which is counted where it is new."""
    seen.add(hash(text))
    return text


texts = (
    st.one_of(mixtures, any_unicode, marks, half_pairs, runs)
    | st.lists(mixtures | any_unicode | runs, max_size=4).map("".join)
).map(counted)
several = st.lists((mixtures | any_unicode | half_pairs | st.just("")).map(counted), max_size=8)
"""Parts of one text, cut anywhere, or texts of a batch."""
steps = st.integers(1, 40)


def random_text(random: Random) -> str:
    """Return a text by plain chance, a hundred times as fast as Hypothesis makes one."""
    return counted(random.choice(_KINDS)(random))


def _mixture(random: Random) -> str:
    return "".join(random.choices(PIECES, k=random.randint(1, 24)))


def _of_any_plane(random: Random) -> str:
    planes = random.choices(range(17), k=random.randint(1, 10))
    return "".join(chr(plane << 16 | random.randrange(1 << 16)) for plane in planes)


def _marks(random: Random) -> str:
    marks = random.choices(_MARKS, k=random.randint(1, 40))
    return random.choice(PIECES) + "".join(marks) + random.choice(PIECES)


def _half_pairs(random: Random) -> str:
    return "".join(random.choices("a中 \ud83d\ude00\ud800\udfff", k=random.randint(1, 9)))


def _run(random: Random) -> str:
    return random.choice(PIECES) * random.randint(2, 120) + random.choice(PIECES)


def _special_tokens(random: Random) -> str:
    tokens = random.choices(SPECIALS, k=random.randint(1, 3))
    return random.choice(PIECES).join(["", *tokens, ""])


_KINDS: tuple[Callable[[Random], str], ...] = (
    _mixture, _mixture, _mixture, _of_any_plane, _of_any_plane, _marks, _half_pairs, _run,
    _special_tokens,
)  # fmt: skip

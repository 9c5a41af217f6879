"""Rows of tokens, each an id and its bytes, that the token view is tried on."""

import random
from itertools import pairwise

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

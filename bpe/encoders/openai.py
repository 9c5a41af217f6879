"""The encodings of tiktoken: OpenAI's special tokens over ranks of the catalogue."""

from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.merge_models import RankTable

_HARMONY = {
    200_002: "return",
    200_003: "constrain",
    200_005: "channel",
    200_006: "start",
    200_007: "end",
    200_008: "message",
    200_012: "call",
}
ENCODINGS: dict[str, tuple[str, dict[str, int]]] = {
    "gpt2": ("gpt2", {"<|endoftext|>": 50_256}),
    "r50k_base": ("gpt2", {"<|endoftext|>": 50_256}),
    "p50k_base": ("gpt2", {"<|endoftext|>": 50_256}),
    "p50k_edit": (
        "gpt2",
        {
            "<|endoftext|>": 50_256,
            "<|fim_prefix|>": 50_281,
            "<|fim_middle|>": 50_282,
            "<|fim_suffix|>": 50_283,
        },
    ),
    "cl100k_base": (
        "cl100k_base",
        {
            "<|endoftext|>": 100_257,
            "<|fim_prefix|>": 100_258,
            "<|fim_middle|>": 100_259,
            "<|fim_suffix|>": 100_260,
            "<|endofprompt|>": 100_276,
        },
    ),
    "o200k_base": ("o200k_base", {"<|endoftext|>": 199_999, "<|endofprompt|>": 200_018}),
    "o200k_harmony": (
        "o200k_base",
        {
            f"<|{_HARMONY.get(token, f'reserved_{token}')}|>": token
            for token in range(200_000, 201_088)
        }
        | {"<|startoftext|>": 199_998, "<|endoftext|>": 199_999, "<|endofprompt|>": 200_018},
    ),
}
"""The encoding of ours that has the ranks, and the special tokens, as OpenAI publishes them."""


def encoder_of(name: str, published: BytePairEncoder) -> BytePairEncoder:
    """Return the encoding of that name, made of the one in the catalogue that has its ranks."""
    special_tokens = ENCODINGS[name][1]
    if not name.startswith("p50k"):
        return BytePairEncoder(name, published.engine, special_tokens=special_tokens)
    # Runs of spaces behind the ranks of GPT-2.
    spaces = {b" " * length: 50_255 + length for length in range(2, 26)}
    model = RankTable(lambda: {**published.ranks, **spaces})
    return BytePairEncoder(name, model, "gpt2", special_tokens=special_tokens)

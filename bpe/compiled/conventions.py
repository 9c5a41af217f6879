"""What kernels and their callers agree on: the numbers of scanners, and the padding of a text.

NumPy is not imported here, as a process that encodes with linked kernels does without it.
"""

SCANNERS = {
    "gpt2": 0,
    "cl100k": 1,
    "o200k": 2,
    "llama3": 3,
    "qwen2": 4,
    "deepseek_v3": 5,
    "kimi_k2": 6,
    "mistral_v3": 7,
    "qwen3_5": 8,
}
"""The split patterns that have a compiled scanner, and its number."""

UNCUT = len(SCANNERS)
"""The scanner of texts that are cut already."""

USUAL_WORD = 1 << 10
"""Bytes of a pre-token that there is always room for."""

PADDING = 64
"""Bytes that follow each text, as kernels read some more than there are."""

"""The main figures of a tokenizer, measured on our own sample texts."""

from bpe.analysis import metrics
from bpe.analysis.segmentation import segment
from bpe.documents import samples
from bpe.encoders.base import Encoder
from bpe.errors import BPEError


def as_markdown(tokenizer: Encoder) -> list[str]:
    """Return the lines of a table: tokens, bytes per token and tokens per 汉字."""
    lines = [
        "Measured on the sample texts of BPE Playground:",
        "",
        "| | Chinese | English |",
        "|---|---:|---:|",
    ]
    try:
        zh, en = ([segment(tokenizer, samples.corpus(language))] for language in ("zh", "en"))
    except BPEError:  # a character that it does not know
        return [*lines, "| Tokens | – | – |"]
    return [
        *lines,
        f"| Tokens | {len(zh[0]):,} | {len(en[0]):,} |",
        f"| Bytes per token | {metrics.bytes_per_token(zh):.2f} "
        f"| {metrics.bytes_per_token(en):.2f} |",
        f"| Tokens per 汉字 | {metrics.tokens_per_hanzi(zh):.2f} | – |",
    ]

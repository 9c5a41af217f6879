"""How many tokenizers a reader may bring, and which those are."""

from bpe.errors import BPEError
from playground import session

MOST = 8
"""How many tokenizers a reader may bring at a time: each takes up to some hundred megabytes."""

FILE, HUB = "file-", "hub-"
"""What the codes of those brought begin with."""


def brought() -> list[str]:
    """Return the codes of the tokenizers that the reader has brought."""
    return [code for code in session.own() if code.startswith((FILE, HUB))]


def check() -> None:
    """Raise BPEError where there is no room for one more."""
    if len(brought()) >= MOST:
        raise BPEError(
            "{most} tokenizers of your own are as many as fit. Remove one first.", most=MOST
        )

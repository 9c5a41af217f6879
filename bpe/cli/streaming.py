"""Texts to train on, a part at a time: a large text is never in memory whole.

It is cut where no pre-token reaches across, so that the merges are those of the whole. It counts as
several documents then.
"""

from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from bpe.cli.input import Inputs, Refused
from bpe.documents.stream import OnRead
from bpe.text.cuts import Cutter, between_words

LARGE = 32 << 20
"""Bytes of a text in UTF-8 from which on it is read in parts."""

_PART = 1 << 22


class InputTexts:
    """The texts of what a command reads; iterating reads them, and calls ``on_read`` with bytes.

    Large texts are cut by ``cutter``, outside of ``special_tokens``; without one they are whole.
    ``size`` is all bytes there are, ``None`` if that is not known.
    """

    def __init__(
        self,
        inputs: Inputs,
        cutter: Cutter | None = None,
        special_tokens: Collection[str] = (),
        on_read: OnRead = lambda size: None,
    ) -> None:
        self._inputs = inputs
        self._cutter = cutter
        self._special_tokens = special_tokens
        self._on_read = on_read
        sizes = [file.size for file in inputs.files]
        self.size = None if None in sizes else sum(size or 0 for size in sizes)

    def __iter__(self) -> Iterator[str]:
        empty = True
        for file in self._inputs.files:
            for document in self._inputs.documents(file, self._on_read):
                for part in parts(document, self._cutter, self._special_tokens):
                    empty = False
                    yield part
        if empty:
            names = ", ".join(file.name for file in self._inputs.files[:3])
            raise Refused(f"There is no text in {names}.")


def parts(
    blocks: Iterable[str], cutter: Cutter | None, special_tokens: Collection[str]
) -> Iterator[str]:
    """Yield the joined blocks whole or, if large, cut where training sees no difference."""
    waiting: list[str] = []
    size = 0
    rest = iter(blocks)
    for block in rest:
        waiting.append(block)
        size += len(block.encode())
        if size > LARGE and cutter is not None:
            break
    head = "".join(waiting)
    if size <= LARGE or cutter is None:
        if head:
            yield head
        return
    yield from between_words(chain([head], rest), cutter, special_tokens, _PART)

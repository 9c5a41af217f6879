"""The corpus of a training: texts, a part at a time, or the words of a file of counts.

A large text is never in memory whole: it is cut where no pre-token reaches across, so that the
merges are those of the whole, and counts as several documents then. Of counted words those that are
too rare, or too many for the memory, are left out.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from bpe.cli.input import Inputs, Refused
from bpe.documents.reader import OnRead
from bpe.text.cuts import Cutter, between_words
from bpe.text.digests import CorpusDigest

if TYPE_CHECKING:
    from bpe.scale.count_files import Pruned

LARGE = 32 << 20
"""Bytes of a text in UTF-8 from which on it is read in parts."""

_PART = 1 << 22
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", re.IGNORECASE)
_CUT = ("algorithm", "pattern", "special_tokens", "normalisation")


class InputTexts:
    """The texts of what a command reads; iterating reads them, and calls ``on_read`` with bytes.

    Large texts are cut by ``cutter``, outside of ``special_tokens``; without one they are whole.
    ``size`` is all bytes there are, ``None`` if that is not known; ``digest`` that of the documents
    read.
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
        self.digest = CorpusDigest()
        sizes = [file.size for file in inputs.files]
        self.size = None if None in sizes else sum(size or 0 for size in sizes)

    def __iter__(self) -> Iterator[str]:
        empty = True
        for file in self._inputs.files:
            for document in self._inputs.documents(file, self._on_read):
                blocks = self.digest.reading(document)
                for part in parts(blocks, self._cutter, self._special_tokens):
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


def bytes_of(_context: click.Context, _parameter: click.Parameter, size: str | None) -> int | None:
    """Read a size such as ``4GB``."""
    if size is None:
        return None
    if not (match := _SIZE.fullmatch(size.strip())):
        raise click.BadParameter(f"“{size}” is not a size such as 4GB.")
    return int(float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " "))


def words_of(counts: str, at_least: int | None, memory: int | None) -> "Pruned":
    """Read a file of counts, without the words that are too rare or too many for the memory."""
    from bpe.scale import count_files  # only here: fsspec and Arrow take long

    if memory is not None:
        at_least = max(at_least or 1, count_files.floor_that_fits(counts, memory))
    return count_files.read_pruned(counts, at_least or 1)


def as_counted(
    counts: str | None, pruned: "Pruned | None", choices: dict[str, Any]
) -> dict[str, Any]:
    """Return the choices of a recipe; words are cut as options or else the file of counts say.

    A file that does not say it is refused without such an option.
    """
    if pruned is None:
        return choices
    options = options_of_cuts()
    counted = pruned.words.counted
    if counted is None and not options:
        raise Refused(
            f"“{counts}” does not say how its words were cut. Say it: --pattern, and --algorithm, "
            "--special and --normalisation if need be."
        )
    known = {} if counted is None else {name: getattr(counted, name) for name in _CUT}
    return {**choices, **{name: known[name] for name in known.keys() - options}}


def options_of_cuts() -> set[str]:
    """Return which options of the command line say how words are cut."""
    context = click.get_current_context()
    return {
        name for name in _CUT if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }

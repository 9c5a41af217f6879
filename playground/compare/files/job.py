"""The counting of one file under one tokenizer, in small steps: whole, and line by line."""

import threading
import time
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bpe.documents import reader
from bpe.documents.reader import Document
from bpe.encoders.base import Encoder
from bpe.errors import BPEError

_STEP = 0.01
"""Seconds; many lines are counted in them."""
_LONG_LINE = 20_000


@dataclass
class Job:
    """The counting of one file under one tokenizer, which can be left and continued."""

    document: Document
    encoder: Encoder | None
    """``None`` once a tokenizer of the catalogue has counted: it need not stay loaded for that."""
    tokens: int = 0
    """Of the whole file so far."""
    lines: "array[int]" = field(default_factory=lambda: array("I"))
    """Tokens of each line by itself, as far as they are counted."""
    done: int = 0
    """Characters encoded, of twice those of the file where it is counted whole and by lines."""
    finished: bool = False
    error: BPEError | None = None

    def __post_init__(self) -> None:
        self._steps = self._work(self.encoder) if self.encoder else iter(())
        # After a click, the run before it goes on to its next call of Streamlit.
        self._one_at_a_time = threading.Lock()

    @property
    def share(self) -> float:
        if self.finished:
            return 1.0
        work = self.document.characters * (2 if is_prose(self.document) else 1)
        return min(self.done / max(work, 1), 1.0)

    def step(self) -> None:
        """Do the next bit of the work: some ten milliseconds."""
        with self._one_at_a_time:
            until = time.perf_counter() + _STEP
            try:
                while time.perf_counter() < until:
                    next(self._steps)
            except StopIteration:
                self._finish()
            except BPEError as error:
                self.error = error
                self._finish()

    def _finish(self) -> None:
        self.finished = True
        self._steps = iter(())
        if self.encoder and self.encoder.provenance == "catalogue":
            self.encoder = None

    def _work(self, encoder: Encoder) -> Iterator[None]:
        if is_prose(self.document):
            (text,) = self.document.texts
            yield from self._whole(encoder, text)
        for line in lines_of(self.document):
            if len(line) > _LONG_LINE:
                before = self.tokens, self.done
                yield from self._whole(encoder, line)
                self.lines.append(self.tokens - before[0])
                if is_prose(self.document):
                    self.tokens = before[0]
                continue
            self.lines.append(encoder.count(line))
            self.done += len(line)
            if not is_prose(self.document):
                self.tokens += self.lines[-1]
            yield

    def _whole(self, encoder: Encoder, text: str) -> Iterator[None]:
        tokens, done = self.tokens, self.done
        for characters, counted in encoder.count_in_steps(text):
            self.tokens, self.done = tokens + counted, done + characters
            yield


def is_prose(document: Document) -> bool:
    """Whether the file is one text, counted whole; rows and samples are texts by themselves."""
    return not document.notes.columns and len(document.texts) == 1


def lines_of(document: Document) -> Sequence[str]:
    """Return the lines of a text that are not blank, or the texts of a table."""
    if not is_prose(document):
        return document.texts
    return [line for line in reader.lines(document.texts[0]) if line.strip()]

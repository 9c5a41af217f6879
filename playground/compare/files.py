"""Whole files: every token of them counted under every tokenizer, line by line, without a freeze.

Counting is done in small steps and can be stopped after any of them; what is counted stays.
"""

import threading
import time
from array import array
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import pandas as pd
import streamlit as st

from bpe.analysis.metrics import percentile
from bpe.documents import reader, samples
from bpe.documents.reader import Document
from bpe.encoders.base import Encoder, counts_in_steps
from bpe.errors import BPEError
from playground import session, switching
from playground.compare import tokenizers
from playground.switching import Side
from playground.ui import caches, fields, progress, tables, uploads
from playground.ui.i18n import _, error_text, names_joined, plain, sentences_joined
from playground.ui.state import Field

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


MOST_CACHED = 40
"""Counts of a file under a tokenizer that are remembered."""
_JOBS: Field[dict[tuple[str, Hashable], Job]] = Field("files counted", {})

Jobs = dict[tuple[str, str], Job]
"""The digest of a file and the code of a tokenizer to the counting."""


def draw() -> None:
    inputs, output = st.columns([1, 2], gap="large")
    with inputs:
        documents = choose()
        encoders = tokenizers.choose()
    with output:
        if tokenizers.are_chosen(encoders):
            show(encoders, documents)


def choose() -> list[Document]:
    source = fields.segments(
        _("Files"), {"sample": _("Our samples"), "own": _("Your own files")}, key="files_from"
    )
    if source == "own":
        return uploads.documents(key="counted_files")
    # One text each, as in the comparison of the languages: no line ends between them are counted.
    pairs = samples.pairs()
    texts = {_("Chinese"): (pair.zh for pair in pairs), _("English"): (pair.en for pair in pairs)}
    return [Document(name, tuple(lines)) for name, lines in texts.items()]


def show(encoders: Mapping[str, Encoder], documents: Sequence[Document]) -> None:
    if not documents:
        st.info(
            _(
                "Upload text, tables or JSON lines on the left: each is counted to its last "
                "token, and line by line."
            ),
            icon=":material/upload_file:",
        )
        return
    counted = _count(encoders, documents)
    for place, document in enumerate(documents):  # two may be the same, so the place is the key
        jobs = {code: counted[document.digest, code] for code in encoders}
        st.header(plain(document.name))
        _show_summary(document, jobs)
        finished = {
            code: job for code, job in jobs.items() if job.finished and not job.error and job.lines
        }
        for code, job in jobs.items():
            if job.error:
                st.error(f"{plain(session.short(code))}: {error_text(job.error)}")
        if finished:
            _table(document, finished)
            _download(document, finished, key=f"csv_{place}")
    switching.show(partial(_sides, encoders, documents, counted), key="files_switch")


def _sides(
    encoders: Mapping[str, Encoder], documents: Sequence[Document], jobs: Jobs
) -> tuple[list[str], dict[str, Side]]:
    texts = [text for document in documents for text in lines_of(document)]
    sides = {}
    for code in encoders:
        lines = [count for document in documents for count in jobs[document.digest, code].lines]
        if len(lines) == len(texts):
            sides[code] = Side(session.short(code), lines, _("exact"))
    return texts, sides


def _count(encoders: Mapping[str, Encoder], documents: Sequence[Document]) -> Jobs:
    stored = _JOBS.stored()
    jobs: Jobs = {}
    for document in documents:
        for code, encoder in encoders.items():
            # The job keeps a tokenizer of the session, and so its id.
            key = (document.digest, caches.identity(encoder))
            jobs[document.digest, code] = stored.setdefault(key, Job(document, encoder))
    wanted = {id(job) for job in jobs.values()}
    for key in list(stored):
        if len(stored) > MOST_CACHED and id(stored[key]) not in wanted:
            del stored[key]
    if not all(job.finished for job in jobs.values()):
        place = st.empty()
        if note := _at_once(jobs):
            place.caption(note)
        progress.run(
            frozenset(wanted),
            _count_on(jobs),
            stopped=_("Stopped. What is counted is shown; the rest waits."),
        )
        place.empty()
    return jobs


def _at_once(jobs: Jobs) -> str:
    names = {
        plain(session.short(code))
        for (_digest, code), job in jobs.items()
        if not job.finished and job.encoder and not counts_in_steps(job.encoder)
    }
    if not names:
        return ""
    return _(
        "{names}: a text is counted in one go, as nothing says where it could be cut. "
        "Until that is done, progress and Stop wait."
    ).format(names=names_joined(sorted(names)))


def _count_on(jobs: Jobs) -> Iterator[tuple[float, str]]:
    for (_digest, code), job in jobs.items():
        while not job.finished:
            job.step()
            yield (
                sum(each.share for each in jobs.values()) / len(jobs),
                _("{file} with {name}: {tokens} tokens so far").format(
                    file=plain(job.document.name),
                    name=plain(session.short(code)),
                    tokens=f"{job.tokens:,}",
                ),
            )


def _show_summary(document: Document, jobs: Mapping[str, Job]) -> None:
    summary = _("{characters} characters, {bytes} bytes.").format(
        characters=f"{document.characters:,}", bytes=f"{document.size:,}"
    )
    totals = {code: job.tokens for code, job in jobs.items() if job.finished and not job.error}
    if totals:
        least, most = min(totals, key=totals.__getitem__), max(totals, key=totals.__getitem__)
        summary = sentences_joined(
            summary,
            _("{name} needs the fewest tokens for it, {tokens}.").format(
                name=plain(session.short(least)), tokens=f"{totals[least]:,}"
            ),
        )
        if totals[most] > totals[least]:
            summary = sentences_joined(
                summary,
                _("{name} needs {times:.2f} times as many.").format(
                    name=plain(session.short(most)), times=totals[most] / totals[least]
                ),
            )
    st.markdown(summary)


def _table(document: Document, jobs: Mapping[str, Job]) -> None:
    ordered = {code: sorted(job.lines) for code, job in jobs.items()}
    exact = _(
        "Exact. A text is counted whole, line ends included; the rows of a table and our samples "
        "one by one."
    )
    p95 = tables.number("p95", help=_("95 of 100 lines have at most so many tokens."))
    tables.show_rows(
        sorted(jobs, key=lambda code: jobs[code].tokens),
        {
            "tokenizer": (tables.text(_("Tokenizer")), session.short),
            "tokens": (tables.number(_("Tokens"), help=exact), lambda code: jobs[code].tokens),
            "bytes_per_token": (
                tables.number(_("Bytes per token"), form="%.2f"),
                lambda code: document.size / jobs[code].tokens if jobs[code].tokens else None,
            ),
            "lines": (
                tables.number(_("Lines") if is_prose(document) else _("Rows")),
                lambda code: len(ordered[code]),
            ),
            "mean": (
                tables.number(_("Mean of a line"), form="%.1f"),
                lambda code: sum(ordered[code]) / len(ordered[code]),
            ),
            "p50": (tables.number(_("Median (p50)")), lambda code: percentile(ordered[code], 50)),
            "p95": (p95, lambda code: percentile(ordered[code], 95)),
            "longest": (tables.number(_("Longest")), lambda code: ordered[code][-1]),
        },
        alt_text=_("Tokens of “{name}” under each tokenizer, and of its lines").format(
            name=document.name
        ),
    )


def _download(document: Document, jobs: Mapping[str, Job], *, key: str) -> None:
    def content() -> bytes:
        columns = {session.short(code): job.lines for code, job in jobs.items()}
        lines = lines_of(document)
        frame = pd.DataFrame(
            {
                "number": range(1, len(lines) + 1),
                "characters": list(map(len, lines)),
                "bytes": [len(line.encode()) for line in lines],
                **columns,
            }
        )
        return tables.as_csv(frame)

    tables.download(
        _("Tokens of every line as CSV"), content, f"{document.name}.tokens.csv", key=key
    )

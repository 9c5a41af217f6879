"""Whole files: every token of them counted under every tokenizer, line by line, without a freeze.

Counting goes on in small steps and can be stopped after any of them; what was counted stays.
"""

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO

import altair as alt
import pandas as pd
import streamlit as st

from bpe import samples
from bpe.corpus import Document
from bpe.counting import count_steadily, is_steady
from bpe.encoder import Encoder
from bpe.errors import BPEError
from bpe.metrics import count_tokens
from bpe.pricing.batch import percentile
from playground import charts, library, settings, uploads
from playground.texts import _, error_text, names_joined, plain, sentences_joined

REDRAW = 0.15
"""Seconds between two drawings of the progress, and so the time in which a click is noticed."""
KEPT = 40
"""Counts of a file under a tokenizer that are remembered."""
_JOBS = "files counted"
_STOPPED = "counting files was stopped"
_LONG_LINE = 20_000


@dataclass
class Job:
    """The counting of one file under one tokenizer, which can be left and taken up again."""

    document: Document
    encoder: Encoder
    tokens: int = 0
    """Of the whole file so far."""
    lines: list[int] = field(default_factory=list)
    """Tokens of each line by itself, as far as they are counted."""
    done: int = 0
    """Characters encoded, of twice those of the file where it is counted whole and by lines."""
    finished: bool = False
    error: BPEError | None = None

    def __post_init__(self) -> None:
        self._steps = self._work()
        # After a click, the run before it goes on to its next call of Streamlit.
        self._one_at_a_time = threading.Lock()

    @property
    def share(self) -> float:
        """How much of the work is done, from 0 to 1."""
        if self.finished:
            return 1.0
        work = self.document.characters * (2 if is_prose(self.document) else 1)
        return min(self.done / max(work, 1), 1.0)

    def step(self) -> None:
        """Do the next bit of the work: some ten milliseconds."""
        with self._one_at_a_time:
            try:
                next(self._steps)
            except StopIteration:
                self.finished = True
            except BPEError as error:
                self.error = error
                self.finished = True

    def _work(self) -> Iterator[None]:
        if is_prose(self.document):
            (text,) = self.document.texts
            yield from self._whole(text)
        for line in lines_of(self.document):
            if len(line) > _LONG_LINE:
                before = self.tokens, self.done
                yield from self._whole(line)
                self.lines.append(self.tokens - before[0])
                if is_prose(self.document):
                    self.tokens = before[0]
                continue
            self.lines.append(count_tokens(self.encoder, line))
            self.done += len(line)
            if not is_prose(self.document):
                self.tokens += self.lines[-1]
            yield

    def _whole(self, text: str) -> Iterator[None]:
        tokens, done = self.tokens, self.done
        for characters, counted in count_steadily(self.encoder, text):
            self.tokens, self.done = tokens + counted, done + characters
            yield


def is_prose(document: Document) -> bool:
    """Whether the file is one text, counted whole; a table's rows are texts by themselves."""
    return document.column is None and len(document.texts) == 1


def lines_of(document: Document) -> Sequence[str]:
    """Return the lines of a text that are not empty, or the texts of a table."""
    if not is_prose(document):
        return document.texts
    return [line for line in document.texts[0].splitlines() if line.strip()]


def choose() -> list[Document]:
    """Draw the choice of files, our samples or the reader's own, and return what was read."""
    source = settings.segments(
        _("Files"), {"sample": _("our samples"), "own": _("your own files")}, key="files_from"
    )
    if source == "own":
        return uploads.documents(key="counted_files")
    texts = {_("Chinese"): samples.corpus("zh"), _("English"): samples.corpus("en")}
    return [
        Document(name, (text,), encoding="utf-8", guessed=False) for name, text in texts.items()
    ]


def show(encoders: Mapping[str, Encoder], documents: Sequence[Document]) -> None:
    """Count every file under every tokenizer and draw what comes of it."""
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
    for document in documents:
        jobs = {code: counted[document.digest, code] for code in encoders}
        st.subheader(plain(document.name))
        _say(document, jobs)
        finished = {
            code: job for code, job in jobs.items() if job.finished and not job.error and job.lines
        }
        for code, job in jobs.items():
            if job.error:
                st.error(f"{plain(library.short(code))}: {error_text(job.error)}")
        if finished:
            _table(document, finished)
            _curve(document, finished)
            _download(document, finished)


def _count(
    encoders: Mapping[str, Encoder], documents: Sequence[Document]
) -> dict[tuple[str, str], Job]:
    """Return the jobs of every file and tokenizer, after doing what is left of them."""
    shelf: dict[tuple[str, int], Job] = st.session_state.setdefault(_JOBS, {})
    jobs: dict[tuple[str, str], Job] = {}
    for document in documents:
        for code, encoder in encoders.items():
            key = (document.digest, id(encoder))  # the job keeps the encoder, and so its id
            if key not in shelf:
                st.session_state.pop(_STOPPED, None)
            jobs[document.digest, code] = shelf.setdefault(key, Job(document, encoder))
    wanted = {id(job) for job in jobs.values()}
    for key in list(shelf):
        if len(shelf) > KEPT and id(shelf[key]) not in wanted:
            del shelf[key]
    if all(job.finished for job in jobs.values()):
        return jobs
    if st.session_state.get(_STOPPED):
        st.warning(
            _("Stopped. What is counted is shown; the rest waits."), icon=":material/stop_circle:"
        )
        st.button(_("Go on"), icon=":material/play_circle:", on_click=_go_on)
        return jobs
    place = st.empty()
    with place.container():
        bar = st.progress(0.0)
        st.button(_("Stop"), icon=":material/stop_circle:", on_click=_stop)
        if at_once := {
            plain(library.short(code))
            for (_digest, code), job in jobs.items()
            if not job.finished and not is_steady(job.encoder)
        }:
            st.caption(
                _(
                    "{names}: a text is counted in one go, as nothing says where it could be cut. "
                    "Until that is done, progress and Stop wait."
                ).format(names=names_joined(sorted(at_once)))
            )
    drawn = 0.0
    for (_digest, code), job in jobs.items():
        while not job.finished:
            job.step()
            if time.perf_counter() - drawn > REDRAW:
                drawn = time.perf_counter()
                bar.progress(
                    sum(each.share for each in jobs.values()) / len(jobs),
                    text=_("{file} with {name}: {tokens} tokens so far").format(
                        file=plain(job.document.name),
                        name=plain(library.short(code)),
                        tokens=f"{job.tokens:,}",
                    ),
                )
    place.empty()
    return jobs


def _stop() -> None:
    st.session_state[_STOPPED] = True


def _go_on() -> None:
    st.session_state.pop(_STOPPED, None)


def _say(document: Document, jobs: Mapping[str, Job]) -> None:
    """Say in words what the file has, and who needs the fewest and the most tokens for it."""
    said = _("{characters} characters, {bytes} bytes.").format(
        characters=f"{document.characters:,}", bytes=f"{document.size:,}"
    )
    totals = {code: job.tokens for code, job in jobs.items() if job.finished and not job.error}
    if totals:
        least, most = min(totals, key=totals.__getitem__), max(totals, key=totals.__getitem__)
        said = sentences_joined(
            said,
            _("{name} needs the fewest tokens for it, {tokens}.").format(
                name=plain(library.short(least)), tokens=f"{totals[least]:,}"
            ),
        )
        if totals[most] > totals[least]:
            said = sentences_joined(
                said,
                _("{name} needs {times:.2f} times as many.").format(
                    name=plain(library.short(most)), times=totals[most] / totals[least]
                ),
            )
    st.markdown(said)


def _table(document: Document, jobs: Mapping[str, Job]) -> None:
    rows = []
    for code, job in jobs.items():
        ordered = sorted(job.lines)
        rows.append(
            {
                "tokenizer": library.short(code),
                "tokens": job.tokens,
                "bytes_per_token": document.size / job.tokens if job.tokens else None,
                "lines": len(ordered),
                "mean": sum(ordered) / len(ordered),
                "p50": percentile(ordered, 50),
                "p95": percentile(ordered, 95),
                "longest": ordered[-1],
            }
        )
    number = st.column_config.NumberColumn
    st.dataframe(
        pd.DataFrame(rows).sort_values("tokens"),
        hide_index=True,
        lazy=False,
        column_config={
            "tokenizer": st.column_config.TextColumn(_("Tokenizer")),
            "tokens": number(
                _("Tokens"),
                format="localized",
                help=_("Exact. A text is counted whole; the rows of a table one by one."),
            ),
            "bytes_per_token": number(_("Bytes per token"), format="%.2f"),
            "lines": number(_lines(document), format="localized"),
            "mean": number(_("Mean of a line"), format="%.1f"),
            "p50": number(_("Median (p50)"), format="localized"),
            "p95": number(
                _("p95"),
                format="localized",
                help=_("95 of 100 lines have at most so many tokens."),
            ),
            "longest": number(_("Longest"), format="localized"),
        },
        alt=_("Tokens of the file under each tokenizer, and of its lines"),
    )


def _lines(document: Document) -> str:
    return _("Lines") if is_prose(document) else _("Rows")


def _curve(document: Document, jobs: Mapping[str, Job]) -> None:
    """Draw which share of the lines has at most so many tokens."""
    rows: list[tuple[str, float, int]] = []
    for code, job in jobs.items():
        ordered = sorted(job.lines)
        name = library.short(code)
        rows += [(name, 0.0, ordered[0])]
        rows += [(name, share / 100, percentile(ordered, share)) for share in range(1, 101)]
    frame = pd.DataFrame(rows, columns=["tokenizer", "share", "tokens"])
    order = list(dict.fromkeys(frame.sort_values("tokens")["tokenizer"]))
    near = alt.selection_point(fields=["tokenizer"], on="pointerover", nearest=True, empty=False)
    base = alt.Chart(frame).encode(
        x=alt.X("tokens:Q", title=_("Tokens of a line"), axis=alt.Axis(format="~s")),
        y=alt.Y("share:Q", title=_("Share of the lines"), axis=alt.Axis(format="%", tickCount=5)),
        color=alt.Color(
            "tokenizer:N",
            sort=order,
            legend=alt.Legend(title=None, orient="top", columns=2, labelLimit=160),
        ),
        tooltip=[
            alt.Tooltip("tokenizer:N", title=_("Tokenizer")),
            alt.Tooltip("share:Q", title=_("Share of the lines"), format=".0%"),
            alt.Tooltip("tokens:Q", title=_("Tokens, at most"), format=",d"),
        ],
    )
    lines = base.mark_line(interpolate="step-after").encode(
        strokeWidth=alt.condition(near, alt.value(3.5), alt.value(2))
    )
    marks = pd.DataFrame({"share": [0.5, 0.95], "name": ["p50", "p95"]})
    rules = alt.Chart(marks).encode(y="share:Q")
    reference = rules.mark_rule(color=charts.REFERENCE, strokeDash=[4, 3])
    names = rules.mark_text(align="right", dx=-4, dy=-6, color=charts.REFERENCE).encode(
        x=alt.value("width"), text="name:N"
    )
    points = base.mark_circle(opacity=0, size=60).add_params(near)
    charts.show(
        (reference + names + lines + points).properties(height=360),
        alt_text=_("Share of the lines with at most so many tokens, for each tokenizer"),
        key=f"curve_{document.digest}",
    )


def _download(document: Document, jobs: Mapping[str, Job]) -> None:
    def content() -> bytes:
        columns = {library.short(code): job.lines for code, job in jobs.items()}
        lines = lines_of(document)
        frame = pd.DataFrame(
            {
                "number": range(1, len(lines) + 1),
                "characters": list(map(len, lines)),
                "bytes": [len(line.encode()) for line in lines],
                **columns,
            }
        )
        buffer = StringIO()
        frame.to_csv(buffer, index=False)
        return buffer.getvalue().encode("utf-8-sig")  # so that Excel reads Chinese names

    st.download_button(
        _("Tokens of every line as CSV"),
        data=content,
        file_name=f"{document.name}.tokens.csv",
        mime="text/csv",
        on_click="ignore",
        key=f"csv_{document.digest}",
        icon=":material/download:",
    )

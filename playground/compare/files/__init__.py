"""Whole files: every token of them counted under every tokenizer, line by line, without a freeze.

Counting is done in small steps and can be stopped after any of them; what is counted stays.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from bpe.analysis.metrics import percentile
from bpe.documents import samples
from bpe.documents.reader import Document
from bpe.encoders.base import Encoder, counts_in_steps
from playground import session, switching
from playground.compare import tokenizers
from playground.compare.files.job import Job, is_prose, lines_of
from playground.switching import Side
from playground.ui import caches, charts, fields, progress, tables, uploads
from playground.ui.i18n import _, error_text, names_joined, plain, sentences_joined
from playground.ui.state import Field

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
    names = [session.short(code) for code in encoders]
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
            _show_curve(finished, names, key=f"curve_{place}")
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
    known = _JOBS.stored()
    jobs: Jobs = {}
    for document in documents:
        for code, encoder in encoders.items():
            # The job keeps a tokenizer of the session, and so its id.
            key = (document.digest, caches.identity(encoder))
            jobs[document.digest, code] = known.setdefault(key, Job(document, encoder))
    wanted = {id(job) for job in jobs.values()}
    for key in list(known):
        if len(known) > MOST_CACHED and id(known[key]) not in wanted:
            del known[key]
    if not all(job.finished for job in jobs.values()):
        place = st.empty()
        if said := _at_once(jobs):
            place.caption(said)
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
    said = _("{characters} characters, {bytes} bytes.").format(
        characters=f"{document.characters:,}", bytes=f"{document.size:,}"
    )
    totals = {code: job.tokens for code, job in jobs.items() if job.finished and not job.error}
    if totals:
        least, most = min(totals, key=totals.__getitem__), max(totals, key=totals.__getitem__)
        said = sentences_joined(
            said,
            _("{name} needs the fewest tokens for it, {tokens}.").format(
                name=plain(session.short(least)), tokens=f"{totals[least]:,}"
            ),
        )
        if totals[most] > totals[least]:
            said = sentences_joined(
                said,
                _("{name} needs {times:.2f} times as many.").format(
                    name=plain(session.short(most)), times=totals[most] / totals[least]
                ),
            )
    st.markdown(said)


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


def _show_curve(jobs: Mapping[str, Job], names: Sequence[str], *, key: str) -> None:
    """Draw which share of the lines has at most so many tokens.

    ``names`` are all tokenizers, so that each has the same colour under every file.
    """
    rows: list[tuple[str, float, int]] = []
    for code, job in jobs.items():
        ordered = sorted(job.lines)
        name = session.short(code)
        rows += [(name, 0.0, ordered[0])]
        rows += [(name, share / 100, percentile(ordered, share)) for share in range(1, 101)]
    charts.show(
        partial(_curve, pd.DataFrame(rows, columns=["tokenizer", "share", "tokens"]), list(names)),
        alt_text=_("Share of the lines with at most so many tokens, for each tokenizer"),
        key=key,
    )


def _curve(frame: pd.DataFrame, names: list[str]) -> Any:
    near = alt.selection_point(fields=["tokenizer"], on="pointerover", nearest=True, empty=False)
    base = alt.Chart(frame).encode(
        x=alt.X("tokens:Q", title=_("Tokens of a line"), axis=alt.Axis(format="~s")),
        y=alt.Y("share:Q", title=_("Share of the lines"), axis=alt.Axis(format="%", tickCount=5)),
        color=alt.Color(
            "tokenizer:N",
            scale=alt.Scale(domain=names),
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
    marks = charts.line_at(0.5, "p50", axis="y") + charts.line_at(0.95, "p95", axis="y")
    points = base.mark_circle(opacity=0, size=60).add_params(near)
    return (marks + lines + points).properties(height=360)


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

"""Many prompts from a file: the length and cost of each, their sum, middle and tail."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import pandas as pd
import streamlit as st

from bpe import pricing, samples
from bpe.errors import BPEError
from bpe.pricing import Model, Summary
from playground import charts, settings, uploads
from playground.costs import counting, drawing, fields, models, notes
from playground.costs.desk import Desk
from playground.texts import _, error_text, plain

FILES = (".csv", ".tsv", ".jsonl")
SHOWN = 20_000
"""More rows than this are only downloaded: nobody reads them, and each takes memory twice."""


@dataclass(frozen=True)
class Row:
    """A model with the counts and costs of all prompts."""

    model: Model
    counts: counting.Column
    summary: Summary
    costs: Sequence[Decimal]

    @property
    def total(self) -> Decimal:
        """What all prompts cost."""
        return sum(self.costs, Decimal(0))


def section(desk: Desk) -> None:
    """Draw the file on the left and its counts on the right."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        texts, name = _prompts()
        chosen = models.choose(desk)
        output = fields.whole(_("Answer to each, tokens"), "row_output", 300)
        limit = fields.whole(
            _("Longest prompt allowed, tokens"),
            "limit",
            0,
            hint=_("0: what the model's context window leaves beside the answer."),
        )
        batch = bool(st.toggle(_("As batch jobs"), key="batch_jobs", bind="query-params"))
    with right:
        if not texts:
            st.info(
                _("Upload a csv or jsonl file with a prompt in each row."),
                icon=":material/upload_file:",
            )
            return
        if not chosen:
            st.info(_("Choose at least one model on the left."), icon=":material/checklist:")
            return
        names = models.names(desk.table.all_models)
        columns = counting.count_many(chosen, texts, name)
        done = min(len(column.high) for column in columns.values())
        if not done:
            return
        try:
            rows = [_row(desk, model, columns[model.id], output, limit, batch) for model in chosen]
        except BPEError as error:
            st.error(error_text(error))
            return
        _result(desk, rows, texts[:done], names)
        notes.below(
            (names[row.model.id], note)
            for row in rows
            for note in (
                *desk.bill(row.model, pricing.Usage(1), batch=batch).notes,
                *row.model.notes,
            )
        )
        notes.stale(desk, chosen, names)


def _prompts() -> tuple[Sequence[str], str]:
    """Draw the choice of prompts; return them, and a name for them that is theirs alone."""
    source = settings.segments(
        _("Prompts"), {"sample": _("our samples"), "file": _("from a file")}, key="rows_from"
    )
    if source == "sample":
        return [text for pair in samples.pairs() for text in (pair.zh, pair.en)], "samples"
    documents = uploads.documents(key="batch_files", suffixes=FILES)
    texts = [text for document in documents for text in document.texts]
    return texts, "-".join(document.digest for document in documents)


def _row(
    desk: Desk, model: Model, counts: counting.Column, output: int, limit: int, batch: bool
) -> Row:
    window = model.context_window
    most = limit or (None if window is None else max(0, window - output))
    costs: dict[int, Decimal] = {}
    for tokens in set(counts.tokens):
        (costs[tokens],) = pricing.row_costs(
            model,
            [tokens],
            output_tokens=output,
            when=desk.when,
            batch=batch,
            overrides=desk.overrides.get(model.id),
            free_weekends=desk.free_weekends,
        )
    return Row(
        model,
        counts,
        pricing.summarise(counts.tokens, limit=most),
        [costs[tokens] for tokens in counts.tokens],
    )


def _result(
    desk: Desk, rows: Sequence[Row], texts: Sequence[str], names: Mapping[str, str]
) -> None:
    cheapest = min(rows, key=lambda row: row.total)
    over = sum(bool(row.summary.over) for row in rows)
    st.markdown(
        _("{prompts} prompts cost {money} on **{model}**, the least here.").format(
            prompts=f"{len(texts):,}",
            money=desk.money.words(cheapest.total),
            model=plain(names[cheapest.model.id]),
        )
    )
    if over:
        st.warning(
            _("Some prompts are too long for {models} of these models; see the table.").format(
                models=over
            ),
            icon=":material/expand:",
        )
    _summary(desk, rows, names)
    by_id = {row.model.id: row for row in rows}
    chosen = by_id[
        settings.select(_("Row by row on"), {i: names[i] for i in by_id}, key="rows_model")
    ]
    summary = chosen.summary
    marks = {
        _("middle (p50): {tokens}").format(tokens=f"{summary.p50:,}"): summary.p50,
        _("p95: {tokens}").format(tokens=f"{summary.p95:,}"): summary.p95,
    }
    if summary.limit is not None and summary.limit <= 2 * summary.longest:
        marks[_("limit: {tokens}").format(tokens=f"{summary.limit:,}")] = summary.limit
    charts.show(
        drawing.lengths(chosen.counts.tokens, marks),
        alt_text=_("How many prompts have how many tokens, with middle, 95th percentile and limit"),
    )
    _rows_table(desk, chosen, texts)
    st.download_button(
        _("Download all rows as csv"),
        data=lambda: as_csv(desk, rows, texts),
        file_name="prompts.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
    )


def _summary(desk: Desk, rows: Sequence[Row], names: Mapping[str, str]) -> None:
    frame = pd.DataFrame(
        [
            {
                "model": names[row.model.id],
                "total": desk.money.number(row.total),
                "each": desk.money.number(row.total / len(row.costs)),
                "tokens": row.summary.total,
                "count": row.counts.badge,
                "p50": row.summary.p50,
                "p95": row.summary.p95,
                "longest": row.summary.longest,
                "limit": row.summary.limit,
                "over": len(row.summary.over),
                "date": models.price_day(row.model),
                "source": row.model.sources[0] if row.model.sources else None,
            }
            for row in sorted(rows, key=lambda row: row.total)
        ]
    )
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    st.dataframe(
        frame,
        hide_index=True,
        lazy=False,
        placeholder="–",
        column_config={
            "model": text(_("Model"), pinned=True),
            "total": desk.money.column(_("Total"), frame["total"]),
            "each": desk.money.column(_("Mean of a prompt"), frame["each"]),
            "tokens": number(_("Tokens"), format="localized"),
            "count": text(_("Count")),
            "p50": number(_("Middle (p50)"), format="localized"),
            "p95": number("p95", format="localized", help=_("95 % of the prompts are no longer.")),
            "longest": number(_("Longest"), format="localized"),
            "limit": number(_("Limit"), format="localized"),
            "over": number(_("Over the limit"), format="localized"),
            "date": text(_("Price date")),
            "source": st.column_config.LinkColumn(_("Price source"), display_text=_("source")),
        },
        alt=_("Total cost, tokens, percentiles and prompts over the limit, for each model"),
    )


def _rows_table(desk: Desk, row: Row, texts: Sequence[str]) -> None:
    over = set(row.summary.over)
    frame = pd.DataFrame(
        [
            {
                "number": place + 1,
                "tokens": row.counts.tokens[place],
                "cost": desk.money.number(row.costs[place]),
                "over": place in over,
                "text": text[:200],
            }
            for place, text in enumerate(texts[:SHOWN])
        ]
    )
    number = st.column_config.NumberColumn
    st.dataframe(
        frame,
        hide_index=True,
        lazy=False,
        placeholder="–",
        height=300,
        column_config={
            "number": number(_("Row"), format="localized"),
            "tokens": number(_("Tokens"), format="localized"),
            "cost": desk.money.column(_("Cost"), frame["cost"]),
            "over": st.column_config.CheckboxColumn(_("Over the limit")),
            "text": st.column_config.TextColumn(_("Begins"), width="large"),
        },
        alt=_("Tokens and cost of each prompt"),
    )
    if len(texts) > SHOWN:
        st.caption(
            _("The first {shown} of {all} rows; the download has all.").format(
                shown=f"{SHOWN:,}", all=f"{len(texts):,}"
            )
        )


def as_csv(desk: Desk, rows: Sequence[Row], texts: Sequence[str]) -> bytes:
    """Return every prompt with its tokens and its cost on each model, unrounded."""
    written = io.StringIO(newline="")
    table = csv.writer(written)
    heading = ["row", "prompt"]
    for row in rows:
        heading += [f"{row.model.id} tokens", f"{row.model.id} {desk.money.currency}"]
        heading.append(f"{row.model.id} over limit")
    table.writerow(heading)
    over = [set(row.summary.over) for row in rows]
    for place, text in enumerate(texts):
        line: list[object] = [place + 1, text]
        for row, too_long in zip(rows, over, strict=True):
            line += [row.counts.tokens[place], f"{desk.money.amount(row.costs[place]):f}"]
            line.append("yes" if place in too_long else "no")
        table.writerow(line)
    return written.getvalue().encode("utf-8-sig")

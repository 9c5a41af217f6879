"""Many prompts from a file: the length and cost of each, their sum, middle and tail."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from bpe.errors import BPEError
from bpe.text import samples
from playground.cost import columns, many_counts, models, notes
from playground.cost.batch import row_by_row
from playground.cost.batch.prompts import Row, Terms, price
from playground.cost.desk import Desk
from playground.ui import fields, settings, tables, uploads
from playground.ui.i18n import _, error_text, plain

FILES = (".csv", ".tsv", ".jsonl")


def section(desk: Desk) -> None:
    """Draw the file on the left and its counts on the right."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        texts, name = _prompts()
        chosen = models.choose(desk)
        terms = _terms()
    with right:
        if not texts:
            st.info(
                _("Upload a csv or jsonl file with a prompt in each row."),
                icon=":material/upload_file:",
            )
            return
        if not chosen:
            models.ask_for_one()
            return
        counts = many_counts.count(chosen, texts, name)
        done = many_counts.counted(counts)
        if not done:
            return
        try:
            rows = [price(desk, model, counts[model.id], terms) for model in chosen]
        except BPEError as error:
            st.error(error_text(error))
            return
        _headline(desk, rows)
        _table(desk, rows)
        row_by_row.show(desk, rows, texts[:done])
        notes.below(desk, notes.of_prices(desk, chosen, batch=terms.batch))
        notes.stale(desk, chosen)


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


def _terms() -> Terms:
    return Terms(
        output=fields.whole(_("Answer to each, tokens"), "row_output", 300),
        limit=fields.whole(
            _("Longest prompt allowed, tokens"),
            "limit",
            0,
            hint=_("0: what the model's context window leaves beside the answer."),
        ),
        batch=bool(st.toggle(_("As batch jobs"), key="batch_jobs", bind="query-params")),
    )


def _headline(desk: Desk, rows: Sequence[Row]) -> None:
    """Say where all prompts cost the least, and whether some are too long."""
    cheapest = min(rows, key=lambda row: row.total)
    over = sum(bool(row.summary.over) for row in rows)
    st.markdown(
        _("{prompts} prompts cost {money} on **{model}**, the least here.").format(
            prompts=f"{cheapest.summary.rows:,}",
            money=desk.money.words(cheapest.total),
            model=plain(desk.names[cheapest.model.id]),
        )
    )
    if over:
        st.warning(
            _("Some prompts are too long for {models} of these models; see the table.").format(
                models=over
            ),
            icon=":material/expand:",
        )


def _table(desk: Desk, rows: Sequence[Row]) -> None:
    frame = pd.DataFrame(
        [
            {
                "model": desk.names[row.model.id],
                "total": desk.money.number(row.total),
                "each": desk.money.number(row.total / len(row.costs)),
                "tokens": row.summary.total,
                "count": row.counts.badge,
                "p50": row.summary.p50,
                "p95": row.summary.p95,
                "longest": row.summary.longest,
                "limit": row.summary.limit,
                "over": len(row.summary.over),
                **columns.of_price(desk, row.model),
            }
            for row in sorted(rows, key=lambda row: row.total)
        ]
    )
    tables.show(
        frame,
        {
            **columns.model(),
            "total": desk.money.column(_("Total"), frame["total"]),
            "each": desk.money.column(_("Mean of a prompt"), frame["each"]),
            "tokens": tables.number(_("Tokens")),
            "count": tables.text(_("Count")),
            "p50": tables.number(_("Middle (p50)")),
            "p95": tables.number("p95", help=_("95 % of the prompts are no longer.")),
            "longest": tables.number(_("Longest")),
            "limit": tables.number(_("Limit")),
            "over": tables.number(_("Over the limit")),
            **columns.price(),
        },
        alt_text=_("Total cost, tokens, percentiles and prompts over the limit, for each model"),
    )

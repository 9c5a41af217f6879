"""The comparison of a text as a file: Markdown, or one HTML page that needs nothing else.

Both say the same: the texts, the tokenizers, the counts and ratios, the tokens under each other,
the day, the versions, and the link of the page. Whatever a reader or a file has written is shown
as it is, and nothing in the page can run.
"""

import platform
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from pathlib import Path

import streamlit as st

import bpe
from bpe.analysis.segmentation import Segmentation
from bpe.encoders.base import Encoder
from bpe.text.readable import readable
from playground import session
from playground.compare.side_by_side import alike
from playground.compare.text_measures import Cuts, measure, premiums
from playground.ui import caches, charts
from playground.ui.i18n import _, as_code, html_tag
from playground.ui.requests import fragment

SHOWN_BYTES = 6_000
"""Bytes of a text of which the tokens are shown."""
_LINE = 40
"""About how many characters a line of tokens has."""


@dataclass(frozen=True)
class Table:
    """A heading with rows under it; the first column has words, the others numbers."""

    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Line:
    """A stretch of a text as several tokenizers cut it."""

    rows: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]
    """The name of each, and its tokens, by the blocks at whose ends all have a boundary."""


@dataclass(frozen=True)
class Section:
    """A text with all that was found about it."""

    title: str
    text: str
    lines: tuple[Line, ...]
    is_cut: bool
    """Whether there are more tokens than are shown."""


@dataclass(frozen=True)
class Report:
    """What both files say."""

    title: str
    facts: tuple[tuple[str, str], ...]
    link: str
    tables: tuple[tuple[str, Table], ...]
    sections: tuple[Section, ...]


@fragment
def downloads(
    encoders: Mapping[str, Encoder], texts: Mapping[str, str], cuts: Cuts, link: Callable[[], str]
) -> None:
    place = st.popover(
        _("Report"), icon=":material/download:", key="comparison_report", on_change="rerun"
    )
    if not place.open:
        return
    said = report(encoders, texts, cuts, link(), datetime.now(UTC))
    with place:
        for label, content, name in (
            ("Markdown", markdown(said), "comparison.md"),
            ("HTML", html(said), "comparison.html"),
        ):
            st.download_button(label, content, name, on_click="ignore", width="stretch")


def report(
    encoders: Mapping[str, Encoder], texts: Mapping[str, str], cuts: Cuts, link: str, when: datetime
) -> Report:
    measured = measure(cuts)
    tables = [
        (
            _("Tokenizers"),
            Table(
                (_("Tokenizer"), _("Kind"), _("Entries")),
                tuple(
                    (session.label(code), encoder.kind, f"{encoder.vocabulary_size:,}")
                    for code, encoder in encoders.items()
                ),
            ),
        ),
        (
            _("Counts"),
            Table(
                (
                    _("Tokenizer"), _("Language"), _("Tokens"), _("Bytes per token"),
                    _("Tokens per Chinese character"), _("Tokens with partial characters"),
                ),
                tuple(
                    (
                        row["tokenizer"], charts.languages()[row["language"]], f"{row['tokens']:,}",
                        _ratio(row["bytes_per_token"]), _ratio(row["tokens_per_hanzi"]),
                        f"{row['partial']:.1%}",
                    )
                    for row in measured.to_dict("records")
                ),
            ),
        ),
    ]  # fmt: skip
    if found := premiums(cuts):
        heading = (_("Tokenizer"), _("Chinese tokens for each English one"))
        rows = tuple(
            (session.short(code), _ratio(found[code].micro))
            for code in sorted(found, key=lambda code: found[code].micro)
        )
        tables.append((_("Premium"), Table(heading, rows)))
    return Report(
        _("One text under several tokenizers"),
        (
            (_("Date"), f"{when:%Y-%m-%d %H:%M} UTC"),
            (
                _("Versions"),
                f"BPE Playground {bpe.__version__}, Python {platform.python_version()}",
            ),
        ),
        link,
        tuple(tables),
        tuple(
            _section(charts.languages()[side], texts[side], by_code)
            for side, by_code in cuts.items()
        ),
    )


def _ratio(value: float) -> str:
    return "–" if value != value else f"{value:.2f}"


def _section(title: str, text: str, by_code: Mapping[str, Segmentation]) -> Section:
    together = alike(by_code)
    groups = [together, *([code] for code in by_code if code not in together)]
    lines = tuple(
        line
        for codes in groups
        for line in _lines(
            [session.short(code) for code in codes], [by_code[code] for code in codes]
        )
    )
    return Section(title, text, lines, any(len(cut.data) > SHOWN_BYTES for cut in by_code.values()))


def _lines(names: Sequence[str], cuts: Sequence[Segmentation]) -> Iterator[Line]:
    blocks: list[tuple[tuple[str, ...], ...]] = []
    width = 0

    def line() -> Line:
        rows = zip(names, zip(*blocks, strict=True), strict=True)
        return Line(tuple((name, tuple(cells)) for name, cells in rows))

    for block in caches.aligned(cuts):
        if block.start >= SHOWN_BYTES:
            break
        cells = tuple(
            tuple(readable(cut.pieces[at]) for at in tokens)
            for cut, tokens in zip(cuts, block.tokens, strict=True)
        )
        blocks.append(cells)
        width += max(sum(map(len, cell)) + 1 for cell in cells)
        if width >= _LINE:
            yield line()
            blocks, width = [], 0
    if blocks:
        yield line()


def markdown(report: Report) -> str:
    parts = [f"# {report.title}"]
    parts.append("\n".join(f"- {_fact(name, value)}" for name, value in report.facts))
    if report.link:
        parts[-1] += f"\n- {_fact(_('Link'), f'<{report.link.translate(_ADDRESS)}>')}"
    for title, table in report.tables:
        heads = " | ".join(table.heading)
        rule = "|---" + "|---:" * (len(table.heading) - 1) + "|"
        rows = [f"| {' | '.join([as_code(row[0]), *row[1:]])} |" for row in table.rows]
        parts.append("\n".join([f"## {title}", "", f"| {heads} |", rule, *rows]))
    for section in report.sections:
        parts += [f"## {section.title}", _fenced(section.text)]
        if section.lines:
            shown = [
                "\n".join(
                    f"{name}: |{'|'.join('|'.join(_bars(each) for each in cell) for cell in row)}|"
                    for name, row in line.rows
                )
                for line in section.lines
            ]
            parts.append(_fenced("\n\n".join(shown)))
        if section.is_cut:
            parts.append(_only_the_beginning())
    return "\n\n".join(parts) + "\n"


def _fact(name: str, value: str) -> str:
    return _("{name}: {value}").format(name=name, value=value)


def _only_the_beginning() -> str:
    return _("Only the tokens of the beginning are shown; the counts are of the whole text.")


_ADDRESS = str.maketrans({"<": "%3C", ">": "%3E", " ": "%20", "\n": "%0A"})


def _bars(token: str) -> str:
    """Return a token with another sign for the one that stands between tokens."""
    return token.replace("|", "¦")


def _fenced(text: str) -> str:
    """Return a block of code that the text in it cannot end."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def html(report: Report) -> str:
    parts = [f"<h1>{escape(report.title)}</h1>", "<p>"]
    parts.append("<br>".join(escape(_fact(name, value)) for name, value in report.facts))
    if report.link.startswith(("http://", "https://")):
        address = escape(report.link, quote=True)
        parts.append(f'<br>{_fact(escape(_("Link")), f"""<a href="{address}">{address}</a>""")}')
    parts.append("</p>")
    for title, table in report.tables:
        parts += [f"<h2>{escape(title)}</h2>", "<table>", _row(table.heading, "th")]
        parts += [*(_row(row, "td") for row in table.rows), "</table>"]
    for section in report.sections:
        parts += [f"<h2>{escape(section.title)}</h2>", f"<pre>{escape(section.text)}</pre>"]
        parts.append('<div class="lines">')
        parts += [_tokens(line) for line in section.lines]
        parts.append("</div>")
        if section.is_cut:
            parts.append(f"<p>{escape(_only_the_beginning())}</p>")
    body = "\n".join(parts)
    style = Path(__file__).with_name("report.css").read_text("utf-8")
    return (
        f'<!doctype html>\n<html lang="{html_tag()}">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(report.title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _row(cells: Sequence[str], kind: str) -> str:
    return "<tr>" + "".join(f"<{kind}>{escape(cell)}</{kind}>" for cell in cells) + "</tr>"


def _tokens(line: Line) -> str:
    rows = []
    for name, cells in line.rows:
        shown = "".join(
            f"<td>{''.join(f'<span>{escape(token)}</span>' for token in cell)}</td>"
            for cell in cells
        )
        rows.append(f"<tr><th>{escape(name)}</th>{shown}</tr>")
    return f'<table class="tokens">{"".join(rows)}</table>'

"""Where you stand: answers and scores, as a sheet and as a link; ten merges by hand."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from bpe.reading import parse_json
from bpe.teaching.puzzles import MERGES_BY_HAND, by_hand
from bpe.text.pretokenize import split
from playground import browser, merge_view, session
from playground.learn import asking, content
from playground.learn.asking import Verdict, not_yet, solved
from playground.learn.lesson import Lesson, Progress, progress
from playground.ui import fields, state, tables
from playground.ui.i18n import _, plain, sentences_joined
from playground.ui.state import Field, component

_CODE = "sheet.by-hand"
_NAME = 80
"""Characters of a name."""
_FACTS = re.compile(r'^```json\r?\n(\{"sheet": .*\})\r?\n```', re.MULTILINE)
"""The part of a saved sheet that a program reads."""
_PICTURE = "sheet picture"


def lesson(before: Sequence[Lesson]) -> Lesson:
    return Lesson("sheet", partial(_draw, before), {"merges": MERGES_BY_HAND})


def _draw(before: Sequence[Lesson]) -> None:
    text = _(
        "a boat that floats on the moat is the boat that the goat wrote about, and the goat that "
        "wrote about the boat on the moat had a coat that floats like a boat."
    )
    challenge = asking.merges_of(asking.CHALLENGE.restorable()) or []
    target, machine, _lengths = by_hand(text, challenge[:MERGES_BY_HAND])
    if challenge:
        st.info(
            _(
                "A challenge: ten merges with **{target:.2f}** bytes per symbol. Those of BPE have "
                "{machine:.2f}. Beat them."
            ).format(target=target, machine=machine),
            icon=":material/flag:",
        )
    handed_in_last = Field(f"puzzle {_CODE}", progress().puzzles.get(_CODE, "")).get() or ""
    merges = asking.merges_of(handed_in_last) or []
    _merges_by_hand(text, merges)
    asking.puzzle(_CODE, partial(_check, text, target if challenge else None))
    st.markdown(f"**{_('Your sheet')}**")
    done = progress()
    st.markdown(summary(done))
    if rows := _rows(before, done):
        columns = {
            "lesson": tables.text(_("Lesson")),
            "answers": tables.text(_("Your answers to the puzzles")),
            "guesses": tables.text(_("Guessed right")),
        }
        table = pd.DataFrame(rows, columns=list(columns))
        tables.show(table, columns, alt_text=_("Your answers to the puzzles"))
        name = st.text_input(
            _("Your name"), max_chars=_NAME, **Field("sheet name", "", state.words(_NAME)).text()
        ) or ""  # fmt: skip
        file = "-".join(["bpe-sheet", *re.findall(r"\w+", name)])
        st.download_button(
            _("Save the sheet"), _markdown(rows, name), f"{file}.md", "text/markdown",
            icon=":material/download:", on_click="ignore",
        )  # fmt: skip
    else:
        st.caption(_("Guess or solve a puzzle in any lesson, and there is a sheet to save."))
    state.uses(session.own())
    st.caption(
        _(
            "Or press “Copy link” above: anyone who opens the link sees your answers, and your "
            "tokenizers are trained again there. There it can be made a challenge, too: to beat "
            "your ten merges without seeing them."
        )
    )
    with st.expander(_("For teachers: the sheets of a class in one table")):
        _class()


def _class() -> None:
    files = fields.file_uploader(
        _("Sheets that were saved here"), [".md"], key="class_sheets", most_bytes=1 << 20,
        accept_multiple_files=True, help=_("They are read in memory and stored nowhere."),
    )  # fmt: skip
    rows, others = [], []
    for file in files:
        if sheet := of_sheet(file.getvalue()):
            name, done = sheet
            answers = " ⏎ ".join(_own_answers(done.bets))
            rows.append((name or file.name, len(done.puzzles), *_guesses(done), answers))
        else:
            others.append(plain(file.name))
    if others:
        st.warning(_("No sheets of this course: {names}").format(names=", ".join(others)))
    if not rows:
        return
    headings = (_("Name"), _("Puzzles solved"), _("Right at the first guess"), _("Guesses"),
                _("Pairs guessed right"), _("Pairs guessed"),
                _("Answers to your questions"))  # fmt: skip
    table = pd.DataFrame(rows, columns=headings)
    tables.show(table, {}, alt_text=_("The sheets of a class"))
    st.download_button(
        _("Save the table"), tables.as_csv(table), "bpe-class.csv", "text/csv",
        icon=":material/download:", on_click="ignore",
    )  # fmt: skip


def _own_answers(bets: Mapping[str, str]) -> list[str]:
    """Return the answers to questions of a teacher."""
    return [answer for code, answer in bets.items() if code.endswith(asking.OWN)]


def of_sheet(data: bytes) -> tuple[str, Progress] | None:
    """Return whose a saved sheet is, and the answers; ``None`` of any other file."""
    blocks = _FACTS.findall(data.decode("utf-8", "replace"))
    try:
        facts = parse_json(blocks[-1].encode()) if blocks else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(facts, dict):
        return None
    parts = {name: part for name, part in facts.items() if isinstance(part, dict)}
    return str(facts.get("sheet", ""))[:_NAME], Progress.of(parts)


def _check(text: str, target: float | None, answer: str) -> Verdict:
    merges = asking.merges_of(answer)
    if merges is None:
        return not_yet(asking.two_a_line())
    mine, machine, _lengths = by_hand(text, merges)
    if mine >= machine:
        kind, sentence = solved, _("You: {mine:.2f} bytes per symbol, BPE: {machine:.2f}.")
    else:
        kind = not_yet
        sentence = _("You: {mine:.2f} bytes per symbol, BPE: {machine:.2f}. More is better.")
    verdict = sentence.format(mine=mine, machine=machine)
    if target is not None:
        beaten = _("The challenge is beaten.") if mine > target else _("The challenge stands.")
        verdict = sentences_joined(verdict, beaten)
    return kind(verdict)


def _put() -> None:
    pairs = component(_PICTURE, {"merges": [[str]]}).get("merges", ())
    lines = (" ".join(part.replace(" ", "·") for part in pair) for pair in pairs if len(pair) == 2)
    Field(f"puzzle {_CODE}", "").set("\n".join(lines))


def _total(done: Progress, counts: Callable[[str], bool]) -> tuple[int, int]:
    scores = [score for code, score in done.scores.items() if counts(code)]
    return sum(right for right, _asked in scores), sum(asked for _right, asked in scores)


def _guesses(done: Progress) -> tuple[int, int, int, int]:
    """Return the right ones and all of those before an answer, and of those of pairs."""
    return (
        *_total(done, done.bets.__contains__),
        *_total(done, lambda code: code not in done.bets),
    )


def summary(done: Progress) -> str:
    hits, guesses, right, asked = _guesses(done)
    return _(
        "Puzzles solved: {puzzles}. Right at the first guess: {hits} of {guesses}. Pairs guessed: "
        "{right} of {asked}."
    ).format(puzzles=len(done.puzzles), hits=hits, guesses=guesses, right=right, asked=asked)


def _rows(before: Sequence[Lesson], done: Progress) -> list[tuple[str, str, str]]:
    """Return of each lesson its title, the answers, and how many guesses were right."""
    rows = []
    codes = [*(lesson.code for lesson in before), "sheet"]
    for number, code in content.numbered(codes):
        mine = done.answers(code)
        given = [*mine.get("puzzles", {}).values(), *_own_answers(mine.get("bets", {}))]
        answers = " ⏎ ".join(" ".join(answer.split()) for answer in given)
        right, asked = _total(done, mine.get("scores", {}).__contains__)
        if answers or asked:
            guesses = f"{right} / {asked}" if asked else ""
            rows.append((f"{number} · {content.title(code)}", answers, guesses))
    return rows


def _markdown(rows: Sequence[tuple[str, str, str]], name: str) -> str:
    lines = [f"# BPE Playground{_(': ') if name else ''}{plain(name)}", ""]
    for lesson, answers, guesses in rows:
        parts = {_("Your answers to the puzzles"): answers, _("Guessed right"): guesses}
        said = [f"{title}{_(': ')}{value}" for title, value in parts.items() if value]
        lines.append(f"- {plain(' · '.join([lesson, *said]))}")
    facts = json.dumps({"sheet": name, **progress().answers()}, ensure_ascii=False)
    return "\n".join([*lines, "", "```json", facts, "```", ""])


_component = browser.component("bpe_merges_by_hand", "learn/hand/hand.js", "learn/hand/hand.css")


def _merges_by_hand(text: str, merges: Sequence[tuple[str, str]]) -> None:
    """Draw the text cut by ``merges``, and let the reader go on; what is handed in is sent."""
    data = {
        "version": f"{hash((text, tuple(merges)))}",
        "pieces": [list(piece) for piece in split(text, "gpt2")],
        "bytes": len(text.encode()),
        "merges": merges,
        "machine": by_hand(text, [])[2],
        "most": MERGES_BY_HAND,
        "labels": {
            "transport": {**merge_view.labels()["transport"], "slider": _("Your merges")},
            "hint": _(
                "Click a symbol: it and its right neighbour are merged wherever the two stand."
            ),
            "pair": _("{left} {right}: {count} times"),
            "score": _("After {step} merges you have {mine} bytes per symbol, BPE {machine}."),
            "full": _("Ten merges are made. Hand them in, or go back and take another way."),
            "handIn": _("Hand in"),
            "mine": _("you"),
            "alt": _("Bytes per symbol after each merge, yours and those of BPE"),
        },
    }
    _component(key=_PICTURE, data=data, on_merges_change=_put)

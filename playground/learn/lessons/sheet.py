"""Where you stand: answers and scores, as a sheet and as a link; ten merges by hand; a glossary."""

import pandas as pd
import streamlit as st

from bpe.algorithm.puzzles import MERGES_BY_HAND, by_hand
from playground import session
from playground.learn import asking
from playground.learn.asking import Verdict
from playground.learn.lesson import Lesson, progress
from playground.ui import tables
from playground.ui.i18n import _, language, plain

_SPAN = "看路人看路灯，看灯人看灯路。路灯看着看路人，灯路等着看灯人。"
_SPAN_EN = "she sells sea shells by the sea shore, and the shells she sells are sea shells."


def draw() -> None:
    """Draw the lesson."""
    st.markdown(
        _(
            "The last exercise: **beat the machine**. BPE takes the most frequent pair each time, "
            "which is greedy, and not always best in the end. Make {merges} merges of your own."
        ).format(merges=MERGES_BY_HAND)
    )
    text = _SPAN if language() == "zh" else _SPAN_EN
    st.code(text, language=None, wrap_lines=True)
    _by_hand(text)
    st.markdown(f"**{_('Your sheet')}**")
    kept = progress()
    st.markdown(
        _("Puzzles solved: {puzzles}. Bets placed: {bets}. Pairs guessed: {right} of "
          "{asked}.").format(
            puzzles=len(kept.puzzles), bets=len(kept.bets),
            right=sum(right for right, _asked in kept.scores.values()),
            asked=sum(asked for _right, asked in kept.scores.values()),
        )
    )  # fmt: skip
    if kept.puzzles:
        tables.show(
            pd.DataFrame(list(kept.puzzles.items()), columns=["puzzle", "answer"]),
            {"puzzle": tables.text(_("Puzzle")), "answer": tables.text(_("Your answer"))},
            alt_text=_("Your answers to the puzzles"),
        )
    st.download_button(
        _("Save the sheet"), _markdown(), "bpe-sheet.md", "text/markdown",
        icon=":material/download:", on_click="ignore",
    )  # fmt: skip
    st.caption(_("Or keep this link; whoever opens it sees your answers:"))
    address = (st.context.url or "").split("?")[0]
    st.code(
        f"{address}?lang={language()}&lesson=sheet&sheet={kept.packed()}",
        language=None, wrap_lines=True,
    )  # fmt: skip
    st.markdown(f"**{_('Glossary')}**")
    st.markdown(
        "\n".join(
            f"- **{word}** ({other}){_(': ')}{plain(meaning)}"
            for word, other, meaning in _glossary()
        )
    )


def _by_hand(text: str) -> None:
    def check(answer: str) -> Verdict:
        # A space is written as it is shown everywhere.
        lines = [line.split() for line in answer.splitlines() if line.strip()]
        pairs = [[part.replace("·", " ") for part in line] for line in lines]
        if any(len(pair) != 2 for pair in pairs):
            return Verdict(False, _("One merge a line, two symbols with a space between: o w"))
        result = by_hand(text, [(one, two) for one, two in pairs])
        values = {"mine": result.own, "machine": result.machine}
        if result.solved:
            return Verdict(
                True, _("You: {mine:.2f} bytes a symbol, BPE: {machine:.2f}.").format(**values)
            )
        said = _("You: {mine:.2f} bytes a symbol, BPE: {machine:.2f}. More is better.")
        return Verdict(False, said.format(**values))

    asking.puzzle(
        "sheet.by-hand",
        _("Ten merges, one a line, that shorten this text at least as much as those of BPE."),
        _("Your merges"),
        check,
        lines=True,
        hint=_("One merge a line, two symbols with a space between. Write · for a space."),
    )


def _markdown() -> str:
    kept = progress()
    lines = ["# BPE Playground", ""]
    lines += [f"- {_('Puzzle')} {code}{_(': ')}{answer}" for code, answer in kept.puzzles.items()]
    lines += [f"- {_('Bet')} {code}{_(': ')}{answer}" for code, answer in kept.bets.items()]
    lines += [
        f"- {_('Pairs guessed')} {code}{_(': ')}{right} / {asked}"
        for code, (right, asked) in kept.scores.items()
    ]
    lines += [f"- {_('Own tokenizer')}{_(': ')}{session.label(code)}" for code in session.own()]
    return "\n".join(plain(line) if line.startswith("- ") else line for line in lines) + "\n"


def _glossary() -> list[tuple[str, str, str]]:
    words = [
        ("token", "词元", _("What a model reads: a piece of text with a number.")),
        ("vocabulary", "词表", _("All tokens of a tokenizer, with their numbers.")),
        ("merge", "合并", _("Two symbols written as one from now on; what BPE learns.")),
        ("rank", "序号", _("The place of a merge in the list; the lowest is made first.")),
        ("pre-token", "预分词片段", _("A piece that no merge reaches across.")),
        ("special token", "特殊词元", _("A sign for the model, as <|endoftext|>; never merged.")),
        ("byte", "字节", _("A number from 0 to 255; a 汉字 has three in UTF-8.")),
        ("unknown token", "未知词元", _("<unk>: stands for all that the vocabulary lacks.")),
        ("fertility", "词元率", _("Tokens per word, or per 汉字.")),
        ("premium", "溢价", _("Tokens in Chinese for each token of the same text in English.")),
        ("context window", "上下文窗口", _("How many tokens a model can read at once.")),
        ("encode, decode", "编码、解码", _("From text to ids, and back.")),
    ]  # fmt: skip
    return [
        (zh, en, meaning) if language() == "zh" else (en, zh, meaning) for en, zh, meaning in words
    ]


LESSON = Lesson("sheet", lambda: _("Where you stand"), draw)

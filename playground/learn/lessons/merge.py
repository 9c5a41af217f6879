"""Merge by merge: a scrubber over a small training, of characters or of bytes."""

from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import partial
from typing import cast

import streamlit as st

from bpe.algorithm.basic import TieBreak, merge_pair, train
from bpe.algorithm.recipe import Recipe
from bpe.documents import documents
from bpe.errors import BPEError
from bpe.teaching import code
from bpe.teaching.puzzles import ties_differ
from bpe.text.unicode import scalar_text
from playground.learn import asking, content
from playground.learn.asking import Answer, Verdict, not_yet, quoted, solved
from playground.learn.ladder import Frame, Row, characters, frames, ladder, merges_done
from playground.learn.lesson import Lesson, progress
from playground.merge_view import Code, Events, merge_view, record
from playground.ui import fields, state
from playground.ui.i18n import _
from playground.ui.state import Field

LONGEST = 20_000
_SHOWN = 6
_WORD = "灯下看路"
_COUNTED = '{"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}'
MERGES = 300


def draw() -> None:
    asking.bet("merge.third", _answer)
    text, place = asking.text("merge", most=LONGEST, lines=True, of=asking.learnable)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        unit = fields.segments(
            _("Start from"), {"characters": _("Characters"), "bytes": _("Bytes")}, key="merge_unit"
        )
        rules = {
            "first-seen": _("the one seen first"),
            "lexicographic": _("the greatest in byte order"),
            "smallest-ids": _("the smallest ids"),
        }
        ties = fields.select(
            _("Among equally frequent pairs, take"),
            rules,
            key="merge_ties",
            width=240,
        )
        with st.popover(_("More"), icon=":material/tune:"):
            mark = fields.switch(
                _("Mark the end of a word by </w>"), "merge_mark", True, in_url=False
            )
            prune = fields.switch(
                _("Drop symbols that no longer stand alone"), "merge_prune", True, in_url=False
            )
    events = _learned(text, unit, ties, mark, prune)
    with place:
        if text.strip() and not events.merges:
            st.info(_("Type at least one word of two letters; then there is a pair to merge."))
        score = merge_view(
            events, key="merge picture", bets=True, height=140, rule=rules[ties],
            cards=content.cards("merge", last=len(events.merges), when=unit),
            code=_code(events, cast(TieBreak, ties), prune),
        )  # fmt: skip
    if events.merges:
        with st.expander(_("Encode a new word with these merges"), icon=":material/spellcheck:"):
            _new_word(events)
    if score is not None:
        progress().scores["merge"] = score
    target = _("lower")
    number = len(target) - 1
    check = partial(_check_target, target, number)
    asking.puzzle("merge.target", check, number=number, target=target)
    asking.puzzle("merge.ties", _check_ties)


def _code(events: Events, ties: TieBreak, prune: bool) -> Code | None:
    words, merges = dict(events.words), len(events.merges)
    if events.unit == "bytes":
        return Code(
            code.source(train),
            {"pairs": "while", "rule": "new, pair", "vocabulary": "vocabulary.append",
             "words": "rows = [("},
            code.training_script(words, merges, ties, bytes_=True),
        )  # fmt: skip
    if ties == "smallest-ids":
        return None  # its symbols have no ids
    end = tuple(filter(None, [events.end_of_word]))
    return Code(
        code.source(code.train_characters),
        {"pairs": "while", "rule": "left, right", "vocabulary": "vocabulary.add",
         "words": "rows = [(merge_pair"},
        code.training_script(words, merges, ties, bytes_=False, end=end, prune=prune),
    )  # fmt: skip


def _new_word(events: Events) -> None:
    if events.unit == "characters":
        symbols = cast(tuple[str, ...], events.symbols)
        draw_new_word("merge new", "slowest", pairs(events), symbols, events.end_of_word)
        return
    field = Field("merge new bytes", _WORD, state.words())
    field.stored()
    word = st.text_input(_("A new word"), live=True, **field.text()) or ""
    if word := scalar_text("".join(word.split())[:LONGEST_WORD]):
        ladder(
            word,
            [characters(word), Row("BPE", "bpe")],
            key="merge new picture", training=events, pieces=[word], step=len(events.merges),
        )  # fmt: skip


@st.cache_data(max_entries=64, show_spinner=False)
def _learned(text: str, unit: str, ties: str, mark: bool, prune: bool) -> Events:
    counts = None
    with suppress(BPEError):
        counts = documents.counted_words(text)  # as {"hug": 10, "pug": 5}
    return record(
        counts or Counter(text.split()),
        Recipe(
            algorithm="byte-bpe" if unit == "bytes" else "character-bpe",
            merges=MERGES,
            tie_break=cast(TieBreak, ties),
            end_of_word="</w>" if mark else "",
            prune=prune,
        ),
    )


def _answer() -> Answer:
    events = _learned(_COUNTED, "characters", "first-seen", False, False)
    first, second, third = map(" + ".join, pairs(events)[:3])
    counts = [merge.count for merge in events.merges]
    why = _(
        "{third}, {times} times. After {first} ({most}) and {second} ({more}) all is counted anew: "
        "h + u stood 15 times at first, and now stands nowhere."
    ).format(
        first=first, second=second, third=third, most=counts[0], more=counts[1], times=counts[2]
    )
    return {third}, why


def _check_target(target: str, number: int, answer: str) -> Verdict:
    if len(set(answer.split())) < 3:
        return not_yet(_("At least three different words, please."))
    events = _learned(answer[:LONGEST], "characters", "first-seen", True, True)
    made = list(map("".join, pairs(events)))
    if target in made[number - 1 : number]:
        verdict = _("Yes: merge {number} makes {target} one token. The words you used: {words}.")
        return solved(verdict, number=number, target=target, words=quoted(answer))
    verdict = _(
        "From these words the first merges make: {made}. Merge {number} should make {target}."
    )
    shown = quoted(", ".join(made[: number + 1]) or "–")
    return not_yet(verdict, made=shown, number=number, target=target)


def _check_ties(answer: str) -> Verdict:
    number, merges = ties_differ(answer)
    greatest, seen = (quoted(" ".join(made[:_SHOWN]) or "–", 80) for made in merges)
    values = {"seen": seen, "greatest": greatest, "size": len(answer), "at": number}
    if number is None:
        return not_yet(_("Both rules learn: {seen}."), **values)
    verdict = _(
        "They part at merge {at}. Seen first: {seen}. Greatest in byte order: {greatest}. Your "
        "text has {size} characters."
    ).format(**values)
    if number == 1:
        return not_yet(verdict + _(" Now a text with which the first merge is the same."))
    return solved(verdict)


def pairs(events: Events) -> list[tuple[str, str]]:
    symbols = dict(enumerate(cast(tuple[str, ...], events.symbols)))
    for merge in events.merges:
        symbols[merge.new_id] = symbols[merge.left] + symbols[merge.right]
    return [(symbols[merge.left], symbols[merge.right]) for merge in events.merges]


LONGEST_WORD = 40
END = "</w>"
UNKNOWN = "<unk>"

Pairs = Sequence[tuple[str, str]]


def draw_new_word(
    key: str, default: str, merges: Pairs, known: Collection[str] | None, end: str
) -> None:
    """Draw a field for a word, and the word after 0, 1, … all merges, made in their order.

    Characters that are not ``known`` become ``<unk>``; ``None`` knows all. ``end`` is put behind
    the word, unless the reader takes it away.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        field = Field(f"{key} word", default, state.words())
        field.stored()
        typed = st.text_input(_("A new word"), live=True, **field.text()) or ""
        marked = bool(end) and fields.switch(
            _("</w> behind it"), f"{key} marked", True, in_url=False
        )
    word = scalar_text("".join(typed.split())[:LONGEST_WORD])
    if not word:
        st.info(_("Type at least one word, and a sentence to cut."))
        return
    start = [*word, *([end] if marked else [])]
    signs = characters(start, _labels(start))
    cut = Row(_("symbols"), "tokens", frames=cuts(start, merges, known, end))
    ladder(
        "".join(start),
        [signs, cut],
        key=f"{key} picture",
        positions=merges_done(range(len(merges) + 1)),
        step=len(merges),
        notes=_("Decoded again, </w> taken away:"),
    )


def cuts(
    start: Sequence[str], merges: Pairs, known: Collection[str] | None, end: str
) -> tuple[Frame, ...]:
    symbols = list(start)
    of_steps = []
    for step in range(len(merges) + 1):
        if step:
            left, right = merges[step - 1]
            symbols = merge_pair(symbols, (left, right), left + right)
        shown = [_shown(symbol, known) for symbol in symbols]
        decoded = "".join(shown)
        of_steps.append(
            Frame(
                step,
                [len(symbol.encode()) for symbol in symbols],
                [text if text == UNKNOWN else label
                 for text, label in zip(shown, _labels(symbols), strict=True)],
                note=decoded.removesuffix(end) if end else decoded,
            )
        )  # fmt: skip
    return frames(of_steps)


def _shown(symbol: str, known: Collection[str] | None) -> str:
    unknown = known is not None and len(symbol) == 1 and symbol not in known
    return UNKNOWN if unknown else symbol


def _labels(symbols: Sequence[str]) -> list[str | None]:
    """Return what is written in place of a symbol: ``</w>`` is no text."""
    return [symbol if symbol.endswith(END) else None for symbol in symbols]


LESSON = Lesson("merge", draw)

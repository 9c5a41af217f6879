"""Pre-tokenization: one text under each pattern, special tokens first, and the reader's own."""

from collections import Counter
from itertools import accumulate

import streamlit as st

from bpe.errors import BPEError
from bpe.text import own_pattern
from bpe.text.pretokenize import compiled_pattern, count_words
from bpe.text.special_tokens import split_specials
from playground.learn import asking, content, corpora
from playground.learn.asking import Answer, Verdict, not_yet, solved
from playground.learn.corpora import Stages
from playground.learn.ladder import Frame, Row, frames, ladder, merges_done
from playground.learn.lesson import Lesson
from playground.ui import state
from playground.ui.i18n import _, error_text
from playground.ui.state import Field

LONGEST = 160
_PATTERN = r"\p{Han}| ?\p{L}+|\p{N}|[^\p{L}\p{N}]"
MERGES = 1_000
_AT = range(0, MERGES + 1, 50)
"""Numbers of merges at which the picture can be looked at."""

_END = "<|endoftext|>"
_CHINESE, _ENGLISH = "今天天气很好", "The weather is nice today"
_NAMES = {
    "gpt2": "GPT-2",
    "cl100k": "GPT-4",
    "o200k": "GPT-4o",
    "qwen2": "Qwen",
    "deepseek_v3": "DeepSeek",
}


def draw() -> None:
    asking.bet("pretokens.count", _answer, zh=_CHINESE, en=_ENGLISH)
    text, place = asking.text("pretokens", most=LONGEST)
    own = st.text_input(
        _("A pattern of your own (regular expression)"),
        live=True,
        **Field("own_pattern", _PATTERN, state.words()).text(),
    )
    with place:
        if text:
            rows = [
                _row(label, pieces(text, name), _trained(name)) for name, label in _NAMES.items()
            ]
            problem = ""
            try:
                rows.append(_row(_("yours"), own_pieces(text, own or ""), _trained_own(own or "")))
            except BPEError as error:
                problem = error_text(error)
            rows.append(_row(_("no cut"), pieces(text, "none"), _trained("none")))
            ladder(
                text,
                rows,
                key="pretokens picture",
                positions=[*merges_done(_AT), _("the pieces")],
                step=len(_AT),
                cards=content.cards("pretokens", last=len(_AT)),
            )
            if problem:
                st.warning(problem)
    asking.puzzle("pretokens.more", _check)


def pieces(text: str, pattern: str) -> list[tuple[str, bool]]:
    pieces = []
    compiled = compiled_pattern(pattern)
    for part, special in split_specials(text, [_END]):
        if special or compiled is None:
            pieces += [(part, special)] if part else []
        else:
            pieces += [(match.group(), False) for match in compiled.finditer(part)]
    return pieces


def own_pieces(text: str, pattern: str) -> list[tuple[str, bool]]:
    """Return the pieces of a pattern that a reader typed; what it leaves out is a piece too.

    Raises :class:`BPEError` for one that cannot be used, see :mod:`bpe.text.own_pattern`.
    """
    compiled = own_pattern.compiled(own_pattern.PREFIX + pattern)
    pieces: list[tuple[str, bool]] = []
    for part, special in split_specials(text, [_END]):
        if special:
            pieces.append((part, True))
        else:
            cuts = own_pattern.pieces(compiled, part)
            pieces += [(part[start:end], False) for start, end, _matched in cuts]
    return pieces


@st.cache_resource(max_entries=12, show_spinner=False)
def _trained(pattern: str) -> Stages:
    return corpora.stages(count_words([corpora.sample_text()], pattern), _AT)


@st.cache_resource(max_entries=12, show_spinner=False)
def _trained_own(pattern: str) -> Stages:
    pieces = own_pieces(corpora.sample_text(), pattern)
    return corpora.stages(Counter(piece.encode() for piece, _special in pieces), _AT)


def _row(name: str, pieces: list[tuple[str, bool]], trained: Stages) -> Row:
    whole = [len(piece.encode()) for piece, _special in pieces]
    cuts = []
    for stage in range(len(_AT)):
        sizes: list[int] = []
        labels: list[str | None] = []
        for piece, special in pieces:
            tokens = [len(piece.encode())] if special else trained.sizes(piece, stage)
            sizes += tokens
            labels += [piece] if special else [None] * len(tokens)
        cuts.append(Frame(stage, sizes, labels))
    cuts.append(Frame(len(_AT), whole, [piece if special else None for piece, special in pieces]))
    return Row(name, "tokens", frames=frames(cuts), walls=list(accumulate(whole)))


def _answer() -> Answer:
    zh, en = len(pieces(_CHINESE, "gpt2")), len(pieces(_ENGLISH, "gpt2"))
    why = _(
        "{zh} and {en}. A run of letters is one piece, and Chinese characters count as "
        "letters. What is a phrase to us is one word to the pattern."
    ).format(zh=zh, en=en)
    return Answer({f"{zh}-{en}"}, why)


def _check(answer: str) -> Verdict:
    old, new = (len(pieces(answer, name)) for name in ("gpt2", "o200k"))
    values = {"old": old, "new": new}
    if old < new and not any(sign.isdigit() for sign in answer):
        return solved(_("GPT-2 makes {old}, GPT-4o {new}."), **values)
    if old < new:
        return not_yet(_("Numbers, of course. Now without digits."))
    return not_yet(_("GPT-2 makes {old}, GPT-4o {new}: not more."), **values)


LESSON = Lesson("pretokens", draw)

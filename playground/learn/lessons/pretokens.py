"""Pre-tokenization: one text under each pattern, special tokens first, and the reader's own."""

from collections import Counter
from dataclasses import replace
from itertools import accumulate

import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.text import own_pattern
from bpe.text.pretokenize import split
from bpe.text.special_tokens import split_specials
from bpe.training.train import train
from playground.learn import asking, content, corpora
from playground.learn.asking import Answer, Verdict, not_yet, solved
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
    rows, problem = [], ""
    patterns = {**_NAMES, own_pattern.PREFIX + (own or ""): _("yours"), "none": _("no cut")}
    for name, label in patterns.items():
        try:
            rows.append(_row(label, pieces(text, name), _trained(name)))
        except BPEError as error:
            problem = error_text(error)
    with place:
        if text:
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
    """Return the pieces of a pattern, and whether each is a special token.

    What a pattern of the reader's own leaves out is a piece too. Raises :class:`BPEError` for one
    that cannot be used, see :mod:`bpe.text.own_pattern`.
    """
    own = own_pattern.compiled(pattern) if own_pattern.is_own(pattern) else None
    pieces: list[tuple[str, bool]] = []
    for part, special in split_specials(text, [_END]):
        if special:
            pieces.append((part, True))
        elif own:
            pieces += ((part[start:end], False) for start, end, _ in own_pattern.pieces(own, part))
        else:
            pieces += ((piece, False) for piece in split(part, pattern))
    return pieces


@st.cache_resource(max_entries=12, show_spinner=False)
def _trained(pattern: str) -> list[Tokenizer]:
    """Return the tokenizers after the numbers of merges in :data:`_AT`."""
    counts = Counter(piece.encode() for piece, _special in pieces(corpora.sample_text(), pattern))
    made = train(counts, Recipe(merges=MERGES))
    assert isinstance(made, Tokenizer)  # as the recipe is one of bytes
    return [replace(made, merges=made.merges[:done]) for done in _AT]


def _row(name: str, pieces: list[tuple[str, bool]], trained: list[Tokenizer]) -> Row:
    whole = [len(piece.encode()) for piece, _special in pieces]
    cuts = []
    for stage, tokenizer in enumerate(trained):
        sizes: list[int] = []
        labels: list[str | None] = []
        for piece, special in pieces:
            data = piece.encode()
            tokens = [data] if special else map(tokenizer.token_bytes, tokenizer.encode_word(data))
            sizes += map(len, tokens)
            labels += [piece if special else None] * (len(sizes) - len(labels))
        cuts.append(Frame(stage, sizes, labels))
    cuts.append(Frame(len(_AT), whole, [piece if special else None for piece, special in pieces]))
    return Row(name, "tokens", frames=frames(cuts), walls=list(accumulate(whole)))


def _answer() -> Answer:
    zh, en = len(pieces(_CHINESE, "gpt2")), len(pieces(_ENGLISH, "gpt2"))
    why = _(
        "{zh} and {en}. A run of letters is one piece, and Chinese characters count as "
        "letters. What is a phrase to us is one word to the pattern."
    ).format(zh=zh, en=en)
    return {f"{zh}-{en}"}, why


def _check(answer: str) -> Verdict:
    old, new = (len(pieces(answer, name)) for name in ("gpt2", "o200k"))
    values = {"old": old, "new": new}
    if old < new and not any(sign.isdigit() for sign in answer):
        return solved(_("GPT-2 makes {old}, GPT-4o {new}."), **values)
    if old < new:
        return not_yet(_("Numbers, of course. Now without digits."))
    return not_yet(_("GPT-2 makes {old}, GPT-4o {new}: not more."), **values)


LESSON = Lesson("pretokens", draw)

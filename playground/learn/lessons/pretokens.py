"""Pre-tokenization: one text under each pattern, special tokens first, and the reader's own."""

from collections import Counter
from itertools import accumulate

import streamlit as st

from bpe.errors import BPEError
from bpe.text import own_pattern
from bpe.text.pretokenize import compiled_pattern, count_words
from bpe.text.special_tokens import split_specials
from playground.learn import asking, corpora
from playground.learn.asking import Answer, Verdict
from playground.learn.corpora import Stages
from playground.learn.ladder import Frame, Row, frames, ladder
from playground.learn.lesson import Lesson
from playground.merge_view import Card
from playground.ui import restorable
from playground.ui.i18n import _, error_text

LONGEST = 160
_PATTERN = r"\p{Han}| ?\p{L}+|\p{N}|[^\p{L}\p{N}]"
MERGES = 1_000
_AT = range(0, MERGES + 1, 50)
"""Numbers of merges at which the picture can be looked at."""

_END = "<|endoftext|>"
_EXAMPLES = (
    f"Hello helo, I'm{_END}你好，世界。",
    "今天天气很好，我们去公园散步吧。",
    "The weather is nice today, so we walk in the park.",
    "2024年 GPT-4o costs $12345.67",
    "camelCase  HTTPServer don't DON'T",
    f"intj intj intj intj intj tech tech{_END}\n\nHéllò hôw {_END}{_END} are ü?",
)
_NAMES = {
    "gpt2": "GPT-2",
    "cl100k": "GPT-4",
    "o200k": "GPT-4o",
    "qwen2": "Qwen",
    "deepseek_v3": "DeepSeek",
}


def draw() -> None:
    st.markdown(
        _(
            "Before pairs are counted, the text is cut into **pre-tokens**, and no merge ever "
            "reaches across a cut. English is cut at each space, so a token is at most a word. "
            "Chinese has no spaces: **a whole clause is one piece**, and merges may join whatever "
            "stands in it. Special tokens are cut out first of all."
        )
    )
    text, place = asking.text("pretokens", _EXAMPLES, _("Your text"), most=LONGEST)
    own = st.text_input(
        _("A pattern of your own (regular expression)"),
        live=True,
        **restorable.text("own_pattern", _PATTERN),
    )
    with place:
        if not text:
            st.info(_("Type a word or a sentence, or press an example."))
        else:
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
                positions=[
                    *(
                        _("merges: {step} / {last}").format(step=f"{step:,}", last=f"{MERGES:,}")
                        for step in _AT
                    ),
                    _("the pieces"),
                ],
                step=len(_AT),
                cards=_cards(),
            )
            if problem:
                st.warning(problem)
    _bet()
    _puzzle()


def pieces(text: str, pattern: str) -> list[tuple[str, bool]]:
    found = []
    compiled = compiled_pattern(pattern)
    for part, special in split_specials(text, [_END]):
        if special or compiled is None:
            found += [(part, special)] if part else []
        else:
            found += [(match.group(), False) for match in compiled.finditer(part)]
    return found


def own_pieces(text: str, pattern: str) -> list[tuple[str, bool]]:
    """Return the pieces of a pattern that a reader typed; what it leaves out is a piece too.

    Raises :class:`BPEError` for one that cannot be used, see :mod:`bpe.text.own_pattern`.
    """
    compiled = own_pattern.compiled(own_pattern.PREFIX + pattern)
    found: list[tuple[str, bool]] = []
    for part, special in split_specials(text, [_END]):
        if special:
            found.append((part, True))
        else:
            cuts = own_pattern.pieces(compiled, part)
            found += [(part[start:end], False) for start, end, _matched in cuts]
    return found


@st.cache_resource(max_entries=12, show_spinner=False)
def _trained(pattern: str) -> Stages:
    return corpora.stages(count_words([corpora.sample_text()], pattern), _AT)


@st.cache_resource(max_entries=12, show_spinner=False)
def _trained_own(pattern: str) -> Stages:
    found = own_pieces(corpora.sample_text(), pattern)
    return corpora.stages(Counter(piece.encode() for piece, _special in found), _AT)


def _row(name: str, found: list[tuple[str, bool]], trained: Stages) -> Row:
    whole = [len(piece.encode()) for piece, _special in found]
    cuts = []
    for stage in range(len(_AT)):
        sizes: list[int] = []
        labels: list[str | None] = []
        for piece, special in found:
            tokens = [len(piece.encode())] if special else trained.sizes(piece, stage)
            sizes += tokens
            labels += [piece] if special else [None] * len(tokens)
        cuts.append(Frame(stage, sizes, labels))
    cuts.append(Frame(len(_AT), whole, [piece if special else None for piece, special in found]))
    return Row(name, "tokens", frames=frames(cuts), walls=list(accumulate(whole)))


def _cards() -> list[Card]:
    return [
        Card(
            _("One row for each tokenizer's pattern. A boundary here is final: whatever is "
              "learned later, no token crosses it."),
            "rows", len(_AT),
        ),
        Card(
            _("Now the tokens. Each row has learned from our samples under its own pattern. "
              "Without a merge all are cut into bytes; the thick lines are the boundaries."),
            "transport", 0,
        ),
        Card(
            _("With more merges tokens grow up to a thick line, and stop. Only in the row without "
              "cuts may a token take a comma, or the end of one word and the start of the next."),
            "rows", len(_AT) - 1,
        ),
        Card(
            _("An English word takes the space before it along: “·helo”. So the same word at the "
              "start of a line and inside it are two different tokens."),
            "rows", len(_AT),
        ),
        Card(
            _("Numbers: GPT-2 keeps a whole number together, GPT-4 cuts it in threes, Qwen "
              "digit by digit. A model that is bad at arithmetic often cannot read the "
              "number in the first place."),
            "rows 0,1,3", len(_AT),
        ),
        Card(
            _("Now change the last pattern but one. `\\p{Han}` alone cuts every Chinese "
                "character off: then no "
              "Chinese token is ever longer than one character."),
            "rows 5", len(_AT) - 1,
        ),
    ]  # fmt: skip


def _bet() -> None:
    chinese, english = "今天天气很好", "The weather is nice today"

    def answer() -> Answer:
        zh, en = len(pieces(chinese, "gpt2")), len(pieces(english, "gpt2"))
        why = _(
            "{zh} and {en}. A run of letters is one piece, and Chinese characters count as "
            "letters. What is a phrase to us is one word to the pattern."
        ).format(zh=zh, en=en)
        return Answer({f"{zh}-{en}"}, why)

    asking.bet(
        "pretokens.count",
        _("How many pieces does GPT-2's pattern make of “{zh}”, and how many of “{en}”?").format(
            zh=chinese, en=english
        ),
        {"6-5": "6 / 5", "3-5": "3 / 5", "1-5": "1 / 5"},
        answer,
    )


def _puzzle() -> None:
    def check(answer: str) -> Verdict:
        old, new = (len(pieces(answer, name)) for name in ("gpt2", "o200k"))
        values = {"old": old, "new": new}
        if old < new and not any(sign.isdigit() for sign in answer):
            return Verdict(True, _("GPT-2 makes {old}, GPT-4o {new}.").format(**values))
        if old < new:
            return Verdict(False, _("Numbers, of course. Now without digits."))
        return Verdict(False, _("GPT-2 makes {old}, GPT-4o {new}: not more.").format(**values))

    asking.puzzle(
        "pretokens.more",
        _("Find a text without digits of which GPT-4o's pattern makes more pieces than GPT-2's."),
        _("Your text"),
        check,
        hint=_("GPT-4o looks at capital letters."),
    )


LESSON = Lesson("pretokens", lambda: _("Pre-tokenization"), draw, minutes=5)

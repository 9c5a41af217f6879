"""Questions of a lesson: a text to start from, a guess before it tells, a puzzle."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpe.encoders import catalog
from bpe.errors import BPEError
from bpe.text.unicode import scalar_text
from playground import browser, session
from playground.editor import editor, plain_text
from playground.learn import content
from playground.learn.lesson import progress
from playground.ui import state
from playground.ui.i18n import ENGLISH, _, error_text, language, plain
from playground.ui.state import Field

LONGEST_ANSWER = 2_000
"""Characters of an answer."""

BRIDGE, TOWERS = "南京市长江大桥", "New towers lower slowly."
"""The sentences that go through the course until the reader types another, one per language."""

_BRIDGE_WORDS = "南京市 长江 大桥 长江大桥 市长"

ASKED = "asked "
"""How the key of a teacher's question begins, and the lesson behind it."""
OWN = ".own"
"""How the code of the answer to it ends, and the lesson before it."""

CHALLENGE = Field("challenge", "", state.words(LONGEST_ANSWER))
"""The merges by hand of whoever sent the link, to be beaten."""

AGAIN = " again"
"""How the code of a second guess ends."""
_GUESSES = 2

_THOUGHT = 1.5
"""Seconds without a key after which an answer of several lines is checked."""


Answer = tuple[Collection[str], str]
"""The options that are right, by their codes, and the reason."""

Verdict = tuple[bool, str]
"""Whether an answer is right, and what the algorithm says to it."""


def bet(
    code: str,
    answer: Callable[[], Answer],
    *,
    asked: str = "",
    options: Mapping[str, str] | None = None,
    **values: object,
) -> bool:
    """Ask what will come out before it is shown; return whether the answer is out.

    It is out after a right guess, or after the second one. The first guess counts for the score.
    Question and options are those that ``lessons.toml`` has for the code, or for ``asked``;
    ``values`` fill the gaps of the question.
    """
    question, known_options = content.bet(asked or code, values)
    options = options or known_options
    guesses = [
        guess
        for guess in map(progress().bets.get, (code, code + AGAIN))
        if guess is not None and guess in options
    ]
    with st.container(border=True):
        st.markdown(f":material/casino: **{_('Guess first')}** · {question}")
        if guesses:
            right, why = answer()
            score = progress().scores.setdefault(code, (int(guesses[0] in right), 1))
            # Once right it stays out, though another text may change what is right.
            if score[0] or guesses[-1] in right or len(guesses) == _GUESSES:
                _reveal(options, guesses, right, why)
                return True
            wrong = _("**{guess}** is not it. Once more?").format(guess=options[guesses[0]])
            st.warning(wrong, icon=":material/close:")
        left = [option for option in options if option not in guesses]
        chosen = st.pills(
            question, left, format_func=options.__getitem__,
            key=f"bet {code}" + (AGAIN if guesses else ""), label_visibility="collapsed", wrap=True,
        )  # fmt: skip
        if chosen is None:
            if not guesses:
                st.caption(_("The answer appears once you have chosen."))
            return False
        progress().bets[code + AGAIN if guesses else code] = chosen
    return st.rerun()


def _reveal(
    options: Mapping[str, str], guesses: Sequence[str], right: Collection[str], why: str
) -> None:
    marked = []
    for option, label in options.items():
        if option in right:
            marked.append(f":green[:material/check: **{label}**]")
        elif option in guesses:
            marked.append(f":red[:material/close: {label}]")
        else:
            marked.append(label)
    st.markdown("\u2003".join(marked))
    verdict, box, sign = _("Correct"), st.success, ":material/check:"
    if len(guesses) == _GUESSES:
        verdict = _("Right at the second guess")
        if guesses[-1] not in right:
            verdict, box, sign = _("Not this time"), st.warning, ":material/close:"
    box(f"**{verdict}**" + (_(": ") + why if why else ""), icon=sign)


def solved(sentence: str, /, **values: object) -> Verdict:
    return True, sentence.format(**values) if values else sentence


def not_yet(sentence: str, /, **values: object) -> Verdict:
    return False, sentence.format(**values) if values else sentence


def puzzle(code: str, check: Callable[[str], Verdict], **values: object) -> None:
    """Draw a puzzle and what the check says of the answer; an empty answer is not checked.

    ``check`` runs the learner or the encoder on the answer; its :class:`BPEError` is shown. A
    puzzle without a label has no field: a picture takes the answer.
    """
    asked = content.puzzle(code, values)
    label, hint = asked.get("label"), asked.get("hint")
    with st.container(border=True):
        was_solved = code in progress().puzzles
        sign = ":green[:material/check_circle:]" if was_solved else ":material/extension:"
        st.markdown(f"{sign} **{_('Puzzle')}** · {asked['question']}")
        field = Field(f"puzzle {code}", "", state.words(LONGEST_ANSWER))
        replace(field, default=progress().puzzles.get(code, "")).stored()
        if label is None:
            answer = field.restorable()
        elif "lines" in asked:
            answer = plain_text(label, key=field.key, limit=LONGEST_ANSWER, delay=_THOUGHT)
        else:
            options = field.text()
            answer = st.text_input(label, max_chars=LONGEST_ANSWER, help=hint, **options) or ""
        if not answer.strip():
            return
        try:
            is_right, verdict = check(answer)
        except BPEError as error:
            st.warning(error_text(error))
            return
        if is_right:
            st.success(verdict)
            if not was_solved:
                progress().puzzles[code] = answer
                st.rerun()
        else:
            st.info(verdict)


def own_question(lesson: str) -> None:
    """Draw what a teacher asks in the link to a lesson; their answer once the reader's is given."""
    question, answer = Field(f"{ASKED}{lesson}", ("", ""), _two_texts).restorable()
    if not question:
        return
    code = lesson + OWN
    with st.container(border=True):
        st.markdown(f":material/school: **{_('A question for you')}** · {plain(question)}")
        if given := progress().bets.get(code):
            st.markdown(f"{_('Your answer')}{_(': ')}**{plain(given)}**")
            st.success(plain(answer) or _("Your answer is in your sheet."))
        elif given := st.text_input(_("Your answer"), max_chars=LONGEST_ANSWER, key=f"bet {code}"):
            progress().bets[code] = given
            st.rerun()
        else:
            st.caption(_("The answer appears once you have given yours."))


def _two_texts(value: Sequence[str]) -> tuple[str, str]:
    question, answer = map(state.words(LONGEST_ANSWER), value)
    return question, answer


def merges_of(answer: str) -> list[tuple[str, str]] | None:
    """Return the merges of an answer, one a line, ``·`` for a space; ``None`` if it has others."""
    lines = [line.split() for line in answer.splitlines() if line.strip()]
    if any(len(line) != 2 for line in lines):
        return None
    return [(left.replace("·", " "), right.replace("·", " ")) for left, right in lines]


def two_a_line() -> str:
    return _("One merge a line, two symbols with a space between: o w")


def quoted(text: str, most: int = 40) -> str:
    """Return a typed text for Markdown, cut where it is long."""
    return plain(text if len(text) <= most else text[: most - 1] + "…")


def sentence() -> str:
    """Return the one that goes through the lessons: the reader's own, or that of the language."""
    return session.sentence() or (TOWERS if language() == ENGLISH else BRIDGE)


def learnable(sentence: str) -> str:
    """Return words to learn a sentence from: one without spaces has no pair that comes again.

    The words of a reader's own are the longer tokens that GPT-4o cuts it into.
    """
    if sentence == BRIDGE:
        return f"{_BRIDGE_WORDS} {sentence}"
    if len(sentence.split()) > 1:
        return sentence
    encoder = catalog.encoding("o200k_base")
    tokens = (encoder.token_bytes(number) for number in encoder.encode_ordinary(sentence))
    words = [text for token in tokens if len(text := token.decode("utf-8", "ignore").strip()) > 1]
    return " ".join([*words, *words[:1], sentence])


def text(
    key: str,
    *,
    most: int,
    lines: bool = False,
    of: Callable[[str], str] | None = None,
    examples: Sequence[str] = (),
) -> tuple[str, DeltaGenerator]:
    """Draw the examples and the field of a lesson; return what is in it, and a place between.

    The picture goes between, so that it comes first. The text has at most ``most`` characters: a
    longer one is cut, and the reader is told so. First among the examples is :func:`sentence`, or
    what a lesson makes ``of`` it; otherwise what is typed becomes the sentence of all lessons.
    """
    written = content.of(key)
    label, examples = _(written["label"]), examples or written["examples"]
    field = Field(f"text {key}", "", state.words())
    usual = of(sentence()) if of else sentence()
    examples = [usual, *(example for example in examples if example != usual)]
    # Not as the widget's default, as the examples set it too.
    former = Field(f"usual {key}", "")
    if not field.is_set or field.get() == former.get():
        field.set(usual)
    former.set(usual)

    chosen: Field[str | None] = Field(f"example {key}", None)

    def put() -> None:
        if example := chosen.get():
            field.set(example)
            chosen.set(None)

    with st.container(key="examples"):
        st.selectbox(
            _("Examples"), examples, None, lambda example: plain(_short(example)), chosen.key,
            on_change=put, placeholder=_("Another example"), label_visibility="collapsed",
            width=280,
        )  # fmt: skip
    between = st.container()
    if lines:
        typed = editor(label, None, key=field.key, default=usual, rows=3).text
    else:
        typed = st.text_input(label, live=True, **replace(field, default=usual).text()) or ""
    if not typed.strip():
        between.info(_("Type a word or a sentence, or choose an example."))
    elif not of and typed not in examples:
        session.set_text(typed)
        former.set(typed)
    if len(typed) > most:
        st.caption(
            _("This picture takes the first {most} of {all} characters.").format(
                most=f"{most:,}", all=f"{len(typed):,}"
            )
        )
    return scalar_text(typed[:most]), between


def _short(text: str) -> str:
    line = ("·" if text.startswith(" ") else "") + " ".join(text.split())
    return line if len(line) <= 28 else line[:27] + "…"


_component = browser.component("bpe_guess", "learn/guess/guess.js", "learn/guess/guess.css")


def guess(
    code: str,
    columns: Sequence[tuple[str, str]],
    measured: Callable[[], Sequence[float]],
    *,
    most: float,
    unit: str = "",
) -> bool:
    """Draw the columns, values from 0 to ``most``; return whether the reader has placed theirs.

    A column has a name and a second line under it. ``measured`` is called only then.
    """
    key = f"guess {code}"
    points = state.component(key, {"placed": [float]}).get("placed") or progress().numbers(code)
    values = points if points and len(points) == len(columns) else None
    if values:
        progress().bets.setdefault(code, json.dumps([round(value, 2) for value in values]))
    data = {
        "columns": [{"name": name, "size": size} for name, size in columns],
        "start": [most / 2] * len(columns),
        "placed": values,
        "measured": None if values is None else list(measured()),
        "most": most,
        "unit": unit,
        "labels": {
            "reveal": _("Show the measurement"),
            "hint": _("Drag the points up or down, or use the arrow keys."),
            "alt": _("Your guess, a point in each column"),
        },
    }
    _component(key=key, data=data, on_placed_change=lambda: None)
    return values is not None

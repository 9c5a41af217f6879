"""What a session holds that another can have: gathered for a link or a file, and taken up again."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bpe.errors import BPEError
from bpe.training.recipe import Recipe
from playground import session
from playground.learn import lesson
from playground.share.codec import MOST_TEXT, MOST_TOKENIZERS, OwnTokenizer, State
from playground.train import corpus, job, keeping
from playground.ui import i18n, kept
from playground.ui.i18n import KEY

_LESSON, _SHEET, _FIRST_LESSON = "lesson", "sheet", "why"


@dataclass(frozen=True)
class Gathered:
    """A state, and what a link cannot carry: tokenizers and uploaded files by their names."""

    state: State
    tokenizers: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def of_page(page: str) -> Gathered:
    """Return what one needs to see this page as it is."""
    fields = {KEY: i18n.language(), **kept.values(all_pages=False)}
    answers: Mapping[str, Mapping[str, Any]] = {}
    if page == "learn":
        open_lesson = str(fields.get(_LESSON, _FIRST_LESSON))
        answers = lesson.progress().answers(None if open_lesson == _SHEET else open_lesson)
    return _gathered(page, fields, kept.codes(), answers, tuple(kept.files()))


def of_session(page: str) -> Gathered:
    """Return what one needs to go on with everything that was done here."""
    fields = {KEY: i18n.language(), **kept.values(all_pages=True)}
    return _gathered(page, fields, session.own(), lesson.progress().answers(), ())


def _gathered(
    page: str,
    fields: Mapping[str, Any],
    codes: Iterable[str],
    answers: Mapping[str, Mapping[str, Any]],
    files: tuple[str, ...],
) -> Gathered:
    carried: list[OwnTokenizer] = []
    left: list[str] = []
    for code in codes:
        if code not in session.own():
            continue
        entry = _carried(code)
        if entry is None or len(carried) == MOST_TOKENIZERS:
            left.append(session.label(code))
        else:
            carried.append(entry)
    return Gathered(State(page, fields, tuple(carried), answers), tuple(left), files)


def _carried(code: str) -> OwnTokenizer | None:
    """Return how to train a tokenizer again, where that is possible elsewhere."""
    made = session.made(code)
    if made is None or made.corpus is None or len(made.corpus.text) > MOST_TEXT:
        return None
    usual = Recipe().as_json()
    recipe = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in made.recipe.as_json().items()
        if value != usual.get(name)
    }
    return OwnTokenizer(code, session.label(code), recipe, made.corpus)


def take_up(state: State) -> list[str]:
    """Make a state that was brought the reader's own; return the tokenizers that cannot be had.

    Fields are only laid out for where they are drawn, the language has been set before. A tokenizer
    is trained again, which a click may stop.
    """
    fields = {key: value for key, value in state.fields.items() if key != KEY}
    missing = []
    for entry in state.tokenizers:
        try:
            _train(entry)
        except BPEError:
            missing.append(entry.name)
    lesson.restore(state.answers)
    kept.brought(fields)
    return missing


def _train(entry: OwnTokenizer) -> None:
    if entry.code in session.own():
        return
    found = corpus.of(entry.corpus) if entry.corpus else None
    if found is None:
        raise BPEError("There is no corpus to train “{name}” on.", name=entry.name)
    recipe = Recipe.from_json({**Recipe().as_json(), **entry.recipe})
    trained = job.train(found.texts, recipe)
    made = session.Made(recipe, entry.corpus)
    keeping.stay(session.keep_trained(trained.tokenizer, trained.corpus_digest, entry.name, made))

"""The texts of lessons, from ``lessons.toml``: all that is the same whatever the reader types.

What depends on a text or an answer is said by the lesson. The sentences are message ids, as those
in the code: :func:`messages` gives them all to who holds the translations to them.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from playground.merge_view import Card
from playground.ui.i18n import _

_FILE = Path(__file__).parent / "lessons" / "lessons.toml"


@cache
def _lessons() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(_FILE.read_text("utf-8"))


def of(lesson: str) -> Mapping[str, Any]:
    """Return all that is written of a lesson, by its code, untranslated."""
    return _lessons()[lesson]


def numbered(lessons: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the lessons with their numbers; those for coders have letters, as 9a after 9."""
    number, letters = 0, iter("")
    for lesson in lessons:
        if of(lesson).get("branch"):
            yield f"{number}{next(letters)}", lesson
        else:
            number, letters = number + 1, iter(ascii_lowercase)
            yield str(number), lesson


def title(lesson: str) -> str:
    return _(of(lesson)["title"])


def intro(lesson: str, **values: object) -> str:
    return _filled(of(lesson)["intro"], values)


def cards(lesson: str, *, last: int | None = None, when: str = "", **values: object) -> list[Card]:
    """Return the cards beside a picture, those for ``when`` and those for always.

    A step is at most the ``last`` one that the picture has; a negative one is counted from there.
    """

    shown = []
    for card in of(lesson)["cards"]:
        if card.get("when", when) == when:
            step: int | None = card.get("step")
            if step is not None and last is not None:
                step = min(step, last) if step >= 0 else last + 1 + step
            shown.append(Card(_filled(card["text"], values), card.get("part", ""), step))
    return shown


def bet(code: str, values: Mapping[str, object]) -> tuple[str, dict[str, str]]:
    """Return the question of a bet and its options by code; some are the same in every language."""
    lesson, _dot, name = code.partition(".")
    asked = of(lesson)["bets"][name]
    options = {code: _(label) for code, label in asked.get("options", {}).items()}
    return _filled(asked["question"], values), asked.get("shown", {}) | options


def puzzle(code: str, values: Mapping[str, object]) -> dict[str, Any]:
    """Return the question, label and hint of a puzzle, and whether it asks for several lines."""
    lesson, _dot, name = code.partition(".")
    asked = of(lesson)["puzzles"][name]
    written = {part: _(asked[part]) for part in ("label", "hint") if part in asked}
    return {**asked, **written, "question": _filled(asked["question"], values)}


def _filled(message: str, values: Mapping[str, object]) -> str:
    """Return a sentence in the reader's language; without values it may contain braces."""
    return _(message).format(**values) if values else _(message)


def messages() -> Iterator[str]:
    for lesson in _lessons().values():
        yield from (lesson[name] for name in ("title", "intro", "label") if name in lesson)
        yield from (card["text"] for card in (*lesson.get("cards", ()), *lesson.get("probes", ())))
        for asked in lesson.get("bets", {}).values():
            yield from (asked["question"], *asked.get("options", {}).values())
        for asked in lesson.get("puzzles", {}).values():
            yield from (asked[name] for name in ("question", "label", "hint") if name in asked)

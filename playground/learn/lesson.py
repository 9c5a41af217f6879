"""A lesson as a value, and the answers that this session has given in the course."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from playground.ui.state import Field


@dataclass(frozen=True)
class Lesson:
    """One idea on one screen, drawn by ``draw``; what it says is in ``lessons.toml``."""

    code: str
    draw: Callable[[], None]
    values: Mapping[str, object] = field(default_factory=dict)
    """What fills the gaps of its introduction."""


@dataclass
class Progress:
    """Answers by the code of their bet or puzzle, which begins with the code of its lesson.

    A puzzle's answer is stored only where it was right.
    """

    bets: dict[str, str] = field(default_factory=dict)
    puzzles: dict[str, str] = field(default_factory=dict)
    scores: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Bets inside a picture: how many were right, of how many."""

    def solved(self, lesson: Lesson) -> int:
        return sum(key.split(".")[0] == lesson.code for key in self.puzzles)

    def numbers(self, code: str) -> list[float] | None:
        """Return the numbers that were placed as a bet; ``None`` where there are none."""
        try:
            return [float(number) for number in json.loads(self.bets[code])]
        except (KeyError, ValueError, TypeError):
            return None

    def answers(self, lesson: str | None = None) -> dict[str, dict[str, Any]]:
        """Return everything, or what belongs to one lesson, as JSON values."""
        parts: dict[str, dict[str, Any]] = {
            "bets": self.bets,
            "puzzles": self.puzzles,
            "scores": {code: list(score) for code, score in self.scores.items()},
        }
        return {
            name: chosen
            for name, part in parts.items()
            if (
                chosen := {
                    code: value
                    for code, value in part.items()
                    if lesson is None or code.split(".")[0] == lesson
                }
            )
        }

    @classmethod
    def of(cls, answers: Mapping[str, Mapping[str, Any]]) -> "Progress":
        """Return what :meth:`answers` gave; what it cannot have given is left out."""
        scores = {}
        for code, score in answers.get("scores", {}).items():
            match score:
                case [int(right), int(asked)] if 0 <= right <= asked <= _MOST_ASKED:
                    scores[code] = (right, asked)
        bets, puzzles = (
            {
                code: answer[:_ANSWER]
                for code, answer in answers.get(name, {}).items()
                if isinstance(answer, str)
            }
            for name in ("bets", "puzzles")
        )
        return cls(bets, puzzles, scores)


_MOST_ASKED = 1_000_000
_ANSWER = 2_000
_PROGRESS = Field("course progress", Progress())


def progress() -> Progress:
    return _PROGRESS.stored()


def answers(fields: Mapping[str, Any] | None) -> dict[str, dict[str, Any]]:
    """Return the answers of the lesson that these fields show; of all lessons if it shows all."""
    shown = "sheet" if fields is None else str(fields.get("lesson", "why"))
    return progress().answers(None if shown == "sheet" else shown)


def restore(answers: Mapping[str, Mapping[str, Any]]) -> None:
    """Add the answers that a link or a file carries to those that are here."""
    here, restored = progress(), Progress.of(answers)
    here.bets.update(restored.bets)
    here.puzzles.update(restored.puzzles)
    here.scores.update(restored.scores)
    for code in restored.puzzles:
        Field(f"puzzle {code}", "").pop()

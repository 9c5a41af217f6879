"""What a lesson is, and what this session has done of the course."""

import base64
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import streamlit as st

from playground.learn.carried import MOST, Carried, train_again


@dataclass(frozen=True)
class Lesson:
    """One idea on one screen. ``title`` gives it in the reader's language, ``draw`` draws it."""

    code: str
    title: Callable[[], str]
    draw: Callable[[], None]


@dataclass
class Progress:
    """Answers by the code of their bet or puzzle, which begins with the code of its lesson.

    A puzzle's answer is kept only where it was right.
    """

    bets: dict[str, str] = field(default_factory=dict)
    puzzles: dict[str, str] = field(default_factory=dict)
    scores: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Bets inside a picture: how many were right, of how many."""
    tokenizers: list[Carried] = field(default_factory=list)
    """In a link: what it carries besides the answers."""

    def is_done(self, code: str) -> bool:
        """Whether the puzzle of a lesson is solved."""
        return any(key.split(".")[0] == code for key in self.puzzles)

    def numbers(self, code: str) -> list[float] | None:
        """Return the numbers that were placed as a bet; ``None`` where there are none."""
        try:
            return [float(number) for number in json.loads(self.bets[code])]
        except (KeyError, ValueError, TypeError):
            return None

    def packed(self) -> str:
        """Return everything as text that fits into a link."""
        carried = [entry.as_json() for entry in self.tokenizers]
        values = [self.bets, self.puzzles, self.scores, carried]
        data = json.dumps(values, ensure_ascii=False).encode()
        return base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")

    @classmethod
    def unpacked(cls, text: str) -> "Progress | None":
        """Return what :meth:`packed` packed; ``None`` for anything else."""
        try:
            raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
            data = zlib.decompressobj().decompress(raw, _LONGEST)
            bets, puzzles, scores, *rest = json.loads(data)
            return cls(
                {str(code): str(answer)[:_ANSWER] for code, answer in bets.items()},
                {str(code): str(answer)[:_ANSWER] for code, answer in puzzles.items()},
                {str(code): (int(right), int(asked)) for code, (right, asked) in scores.items()},
                [Carried.from_json(entry) for entry in (rest[0] if rest else [])][:MOST],
            )
        except (ValueError, zlib.error, AttributeError, TypeError):
            return None


_LONGEST = 100_000
_ANSWER = 2_000
_KEY = "course progress"


def progress() -> Progress:
    """Return the progress of this session."""
    kept: Progress = st.session_state.setdefault(_KEY, Progress())
    return kept


def restore(text: str) -> bool:
    """Take up the progress that a link carries, and train its tokenizers; say if it can be read."""
    restored = Progress.unpacked(text)
    if restored is None:
        return False
    st.session_state[_KEY] = replace(restored, tokenizers=[])
    for code in [key for key in st.session_state if str(key).startswith("puzzle ")]:
        del st.session_state[code]
    train_again(restored.tokenizers)
    return True

"""What a lesson is, and what this session has done of the course."""

import base64
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st


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

    def is_done(self, code: str) -> bool:
        """Whether the puzzle of a lesson is solved."""
        return any(key.split(".")[0] == code for key in self.puzzles)

    def packed(self) -> str:
        """Return everything as text that fits into a link."""
        data = json.dumps([self.bets, self.puzzles, self.scores], ensure_ascii=False).encode()
        return base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")

    @classmethod
    def unpacked(cls, text: str) -> "Progress | None":
        """Return what :meth:`packed` packed; ``None`` for anything else."""
        try:
            raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
            data = zlib.decompressobj().decompress(raw, _LONGEST)
            bets, puzzles, scores = json.loads(data)
            return cls(
                {str(code): str(answer)[:_ANSWER] for code, answer in bets.items()},
                {str(code): str(answer)[:_ANSWER] for code, answer in puzzles.items()},
                {str(code): (int(right), int(asked)) for code, (right, asked) in scores.items()},
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
    """Take up the progress that a link carries; say whether it could be read."""
    restored = Progress.unpacked(text)
    if restored is None:
        return False
    st.session_state[_KEY] = restored
    return True

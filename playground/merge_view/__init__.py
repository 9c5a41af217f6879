"""Watch merges: one training as a picture that can be played, dragged and walked with the keys.

:func:`bpe.training` learns; :func:`record` trains once more and writes down what each merge did;
:func:`merge_view` sends that to the browser, which works out every step by itself, so that
dragging asks nothing of the server.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from playground import browser
from playground.merge_view.events import MOST_MERGES, Events, record
from playground.ui import state
from playground.ui.i18n import _
from playground.ui.state import Field

__all__ = ["MOST_MERGES", "Card", "Code", "Events", "merge_view", "record"]

_component = browser.component("bpe_merge_view", "merge_view/view.js", "browser/merges.css")


@dataclass(frozen=True)
class Card:
    """A few sentences beside the picture.

    ``part`` is what they speak of and what is marked while they are read: ``"transport"``,
    ``"rule"``, ``"words"``, ``"pairs"``, ``"vocabulary"``, ``"bets"``, or nothing. ``step`` is
    how many merges to show with them; ``None`` leaves the reader where they are.
    """

    text: str
    part: str = ""
    step: int | None = None


@dataclass(frozen=True)
class Code:
    """The code beside a picture, and a script that runs by itself.

    ``marks`` maps a part of the picture to the beginning of the line that works on it, in the order
    in which they run; the last of them makes a step.
    """

    text: str
    marks: Mapping[str, str]
    script: str

    def wire(self) -> dict[str, Any]:
        lines = self.text.splitlines()
        parts = dict.fromkeys(lines, "")
        for part, start in self.marks.items():
            (line,) = (line for line in lines if line.lstrip().startswith(start))
            parts[line] = part
        shown = [(line, parts[line]) for line in lines]
        return {"lines": shown, "parts": list(self.marks), "script": self.script}


def merge_view(
    events: Events,
    *,
    key: str,
    cards: Sequence[Card] = (),
    bets: bool = False,
    height: int = 360,
    rule: str = "",
    code: Code | None = None,
) -> tuple[int, int] | None:
    """Draw a recorded training; return how many bets on a next pair were right, and of how many.

    - ``events``: from :func:`record`. Draws up to 150 different words all; of more, those that
      the merge changes and the most frequent. 1,000 merges of 100 KB repaint within 50 ms.
    - ``key``: of the component; the place of the slider stays with it while ``events`` do.
    - ``cards``: a text in steps, each of which marks a part of the picture.
    - ``bets``: whether the reader may bet on the next pair before its count is shown. Without
      bets nothing is ever sent back and the page is not run again.
    - ``rule``: which of equally frequent pairs is merged, in words.
    - ``height``: pixels after which the words scroll.
    - ``code``: what does this, its line lit that ran last.

    Keys: left and right arrows, Home, End, space to play and pause.
    """
    came_with = Field(f"{state.SLIDER}{key}", None, _place).restorable()
    data = {
        **wire(events),
        "name": key,
        "version": events.digest,
        "step": came_with[1] if came_with and came_with[0] == events.digest else 0,
        "cards": [asdict(card) for card in cards],
        "bets": bets,
        "height": height,
        "code": code and code.wire(),
        "labels": labels(rule),
    }
    result = _component(key=key, data=data, on_score_change=lambda: None)
    score = state.shaped(result.get("score"), {"right": int, "asked": int})
    return (score["right"], score["asked"]) if len(score) == 2 else None


def _place(value: Sequence[Any]) -> tuple[str, int]:
    version, step = value
    if not isinstance(version, str):
        raise TypeError("no digest")
    return version, int(state.number(0, MOST_MERGES)(step))


def wire(events: Events, *, rounds: bool = True) -> dict[str, Any]:
    """Return the events as JSON values, numbers in flat arrays.

    Without ``rounds`` there are only the merges: enough to cut words, not to draw the counts.
    """
    return {
        "unit": events.unit,
        "end": events.end_of_word,
        "words": events.words if rounds else (),
        "symbols": [
            symbol[0] if isinstance(symbol, bytes) else symbol for symbol in events.symbols
        ],
        "specials": events.specials,
        "merges": [number for merge in events.merges for number in merge],
        "rounds": [
            ([number for pair in top for number in pair], *rest)
            for top, *rest in (events.rounds if rounds else ())
        ],
    }


def labels(rule: str = "") -> dict[str, Any]:
    return {
        "words": _("The words, as cut so far"),
        "changed": _("Words that this merge changed: {total}"),
        "frequent": _("The most frequent words"),
        "pairs": _("Pair counts"),
        "vocabulary": _("Vocabulary: {size} · symbols in the corpus: {tokens}"),
        "bytes": _("256 bytes"),
        "earlier": _("{n} earlier ones …"),
        "startBytes": _("No merge yet: every word is cut into its bytes."),
        "startCharacters": _("No merge yet: every word is cut into its characters."),
        "done": _("Merge {step}: {left} + {right} → {new}, which stood together {count}×."),
        "removed": _("No longer on its own, so it leaves the vocabulary: {removed}"),
        "next": _("Next: {left} {right}, {count}×, more than any other pair."),
        "nextTied": _(
            "Next: {left} {right}, {count}×. Pairs as frequent: {ties}; the tie rule chooses."
        ),
        "stopped": _("The end: as many merges as were asked for, or no pair frequent enough."),
        "exhausted": _("The end: every word is one symbol, and no pair is left."),
        "hint": _("Click a symbol or a pair: it lights up wherever it stands."),
        "pairLine": _("{left} {right} stand together {count} times."),
        "baseLine": _("{symbol} was there from the start. Id {id}, bytes {bytes}."),
        "symbolLine": _("{symbol} = {left} + {right}, by merge {step}. Id {id}, bytes {bytes}."),
        "transport": {
            "first": _("To the start"),
            "back": _("One merge back"),
            "play": _("Play"),
            "pause": _("Pause"),
            "on": _("One merge on"),
            "last": _("To the end"),
            "slider": _("Merges done"),
            "place": _("{step} of {last} merges"),
            "speed": _("Speed {rate}"),
            "previous": _("Back"),
            "next": _("Next"),
            "self": _("Try it yourself"),
        },
        "bets": {
            "on": _("Guess the next pair"),
            "off": _("Stop guessing"),
            "score": _("{right} of {asked} right"),
            "question": _("The counts are hidden. Which two will be merged next?"),
            "right": _("Right: {left} {right} stand together {count} times."),
            "wrong": _("Not that one: {left} {right} stand together {count} times."),
            "tied": _(
                "{ties} pairs are equally frequent. The tie rule takes {rule}. Which pair is it?"
            ).replace("{rule}", rule),
            "rightTied": _("Right: of {ties} pairs the rule takes {left} {right}."),
            "wrongTied": _("Not that one: of {ties} pairs the rule takes {left} {right}."),
            "merge": _("Merge them"),
        },
        "code": code_labels(),
    }


def code_labels() -> dict[str, str]:
    return {
        "title": _("The code that does it"),
        "next": _("Next line"),
        "copy": _("Copy as a script"),
        "copied": _("Copied"),
        "failed": _("The browser did not allow it"),
    }

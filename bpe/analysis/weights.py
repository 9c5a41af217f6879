"""An estimate of tokens where no tokenizer is at hand, by five weights of a vocabulary.

They are tokens for each 汉字, letter, digit, space and other character, fitted on every other
passage of our samples by least squares of relative errors; the errors are those of the others.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import regex

from bpe.documents import samples
from bpe.encoders.base import Encoder

KINDS = ("han", "letter", "digit", "space", "other")
_CLASSES = regex.compile(r"(\p{Han})|(\p{L})|(\p{N})|(\s)|(.)", regex.S)
_STRENGTH = {"chinese": 1, "english": 1, "traditional": 0.1, "code": 0.5, "table": 0.3}
"""How much each kind of text counts in fitting, however many passages it has."""
_RIDGE = 0.1
_PASSAGE = 300
"""Characters of a passage, at least."""


@dataclass(frozen=True)
class Weights:
    """Tokens for each character of a kind, and by how much they miss held-out texts (0.05: 5%)."""

    han: float
    letter: float
    digit: float
    space: float
    other: float
    errors: Mapping[str, float]

    def estimate(self, text: str) -> int:
        """Return about how many tokens a text has."""
        numbers = zip(KINDS, features(text), strict=True)
        weights: dict[str, float] = vars(self)
        return round(sum(weights[kind] * number for kind, number in numbers))


def features(text: str) -> list[int]:
    """Return how many characters of each of :data:`KINDS` a text has.

    >>> features("我有 2 apples.")
    [2, 6, 1, 2, 1]
    """
    numbers = [0] * len(KINDS)
    for match in _CLASSES.finditer(text):
        numbers[(match.lastindex or 1) - 1] += 1
    return numbers


def weights(encoder: Encoder) -> Weights:
    """Return the weights of a vocabulary, with the mean error of each kind of text held out."""
    rows, ones = [], []
    for kind, texts in passages().items():
        strength = (_STRENGTH[kind] / len(texts[::2])) ** 0.5
        for text in texts[::2]:
            rows.append(strength * np.array(features(text)) / encoder.count(text))
            ones.append(strength)
    # Letters and spaces come together: of weights that fit as well, the smaller ones are taken.
    rows += list(_RIDGE * np.eye(len(KINDS)))
    ones += [0.0] * len(KINDS)
    of_all = np.array(rows)
    used = list(range(len(KINDS)))
    values = np.zeros(len(KINDS))
    while True:  # without those that would be negative
        solved = np.linalg.lstsq(of_all[:, used], np.array(ones), rcond=None)[0]
        if (solved >= 0).all():
            break
        used = [kind for kind, value in zip(used, solved, strict=True) if value >= 0]
    values[used] = solved
    rounded = dict(zip(KINDS, (round(float(value), 3) for value in values), strict=True))
    fitted = Weights(**rounded, errors={})
    errors = {}
    for kind, texts in passages().items():
        missed = [abs(fitted.estimate(text) / encoder.count(text) - 1) for text in texts[1::2]]
        errors[kind] = round(float(np.mean(missed)), 3)
    return replace(fitted, errors=errors)


@cache
def passages() -> dict[str, list[str]]:
    """Return our samples by kind of text, in passages of some hundred characters."""
    prose = [pair for pair in samples.pairs() if pair.domain != "code"]
    code = samples.pairs("code")
    rows = [
        f"{number},{pair.domain},{len(pair.zh)},{len(pair.en)},{len(pair.en) / 7:.2f},"
        f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}"
        for number, pair in enumerate(samples.pairs())
    ]
    texts = {
        "chinese": [pair.zh for pair in prose],
        "english": [pair.en for pair in prose],
        "traditional": [pair.zh_hant for pair in prose if pair.zh_hant],
        "code": [text for pair in code for text in (pair.zh, pair.en)],
        "table": rows,
    }
    return {kind: _joined(lines) for kind, lines in texts.items()}


def _joined(lines: list[str]) -> list[str]:
    joined = [""]
    for line in lines:
        if len(joined[-1]) >= _PASSAGE:
            joined.append("")
        joined[-1] += line + "\n"
    return joined


def as_code(fitted: Weights, language: str, name: str) -> str:
    """Return a function that estimates tokens, in ``"python"`` or ``"javascript"``."""
    values = {kind: f"{getattr(fitted, kind):g}" for kind in KINDS}
    return _CODE[language].format(name=name, **values)


_CODE = {
    "python": '''\
import unicodedata

def estimate_tokens(text: str) -> int:
    """About how many tokens of {name} a text has."""
    total = 0.0
    for c in text:
        kind = unicodedata.category(c)[0]
        if "\\u3400" <= c <= "\\u9fff" or "\\U00020000" <= c <= "\\U000323af":
            total += {han}
        elif c.isspace():
            total += {space}
        elif kind == "L":
            total += {letter}
        elif kind == "N":
            total += {digit}
        else:
            total += {other}
    return round(total)
''',
    "javascript": """\
/** About how many tokens of {name} a text has. */
function estimateTokens(text) {{
  let total = 0;
  for (const c of text) {{
    if (/\\p{{Script=Han}}/u.test(c)) total += {han};
    else if (/\\s/u.test(c)) total += {space};
    else if (/\\p{{L}}/u.test(c)) total += {letter};
    else if (/\\p{{N}}/u.test(c)) total += {digit};
    else total += {other};
  }}
  return Math.round(total);
}}
""",
}

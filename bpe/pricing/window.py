"""How much of a model's context window a text takes, how much more would fit, and pieces that fit.

A text is split on the best borders at hand. Sentences stay whole where they fit; a longer one
is cut at clauses, then at spaces, and at last between characters as a reader sees them (a base
letter with its accents, an emoji with its parts). The pieces joined are the text.
"""

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

import regex

from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.pricing.bill import Usage
from bpe.pricing.model_table import Model

HANZI_PER_PAGE = 800
"""汉字 on a page: 20 lines of 40, an ordinary printed page. A convention, for you to change."""
WORDS_PER_PAGE = 500
"""English words on a page: single-spaced A4 or Letter at 12 points. A convention, too."""

# A border lies at the end of each match, never before what belongs to the character in front of
# it: marks, vowel signs that are letters (Thai and Lao AM), skin tones. A full stop ends a sentence
# only before white space, so that 3.14 stays whole; closing quotes and brackets and the white space
# go with their sentence.
_BORDER = r"(?: (?<=[\r\n]) | (?! [\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}] ) )"
_SENTENCE = regex.compile(
    r"""(?: (?: [。！？!?…]+ [”’」』）)\]"']* | \. [”’）)\]"']* (?=\s) ) \s* | \n+ )""" + _BORDER,
    regex.VERBOSE,
)
_CLAUSE = regex.compile(
    r"""(?: [，、；：]+ [”’」』）]* \s* | [,;:] \s+ )""" + _BORDER, regex.VERBOSE
)
_WORD = regex.compile(r"\s+" + _BORDER, regex.VERBOSE)
_CHARACTER = regex.compile(r"\X")
_LEVELS = (_CLAUSE, _WORD, _CHARACTER)


@dataclass(frozen=True, slots=True)
class Gauge:
    """A window and what fills it, in tokens; ``window`` is ``None`` if it is unknown.

    ``reserved`` stays free for the answer.
    """

    window: int | None
    used: int
    reserved: int

    @property
    def share(self) -> Decimal | None:
        """The used share of the window; more than 1 where the text does not fit."""
        return None if self.window is None else Decimal(self.used) / self.window

    @property
    def free(self) -> int | None:
        """Tokens still free beside the reserve, at least 0."""
        return None if self.window is None else max(0, self.window - self.used - self.reserved)

    @property
    def fits(self) -> bool | None:
        return None if self.window is None else self.used + self.reserved <= self.window


@dataclass(frozen=True, slots=True)
class Remaining:
    """What fits in the free tokens, rounded down: either 汉字 **or** English words, not both."""

    tokens: int
    hanzi: int
    words: int
    zh_pages: Decimal
    en_pages: Decimal


def gauge(model: Model, tokens: int, *, reserve: int = 0) -> Gauge:
    """Return how a text of ``tokens`` fills the model's window."""
    Usage(tokens, output_tokens=reserve)
    return Gauge(model.context_window, tokens, reserve)


def remaining(
    tokens: int,
    *,
    tokens_per_hanzi: Decimal,
    tokens_per_word: Decimal,
    hanzi_per_page: int = HANZI_PER_PAGE,
    words_per_page: int = WORDS_PER_PAGE,
) -> Remaining:
    """Return what fits in ``tokens``, by rates **measured** with that model's tokenizer.

    Pages are given to a tenth.
    """
    for rate in (tokens_per_hanzi, tokens_per_word, hanzi_per_page, words_per_page):
        if not rate > 0:
            raise BPEError("A rate must be more than zero, not {rate}.", rate=rate)
    hanzi = int(tokens / tokens_per_hanzi)
    words = int(tokens / tokens_per_word)
    return Remaining(
        tokens, hanzi, words, _pages(hanzi, hanzi_per_page), _pages(words, words_per_page)
    )  # fmt: skip


def _pages(units: int, per_page: int) -> Decimal:
    return (Decimal(units) / per_page).quantize(Decimal("0.1"), ROUND_FLOOR)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a text: its place in it (code points), and its own number of tokens."""

    text: str
    start: int
    tokens: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def chunks(text: str, encoder: Encoder, max_tokens: int) -> tuple[Chunk, ...]:
    """Return the pieces of a text, each of at most ``max_tokens`` when encoded by itself.

    Each piece takes as many sentences as fit. Raises :class:`BPEError` if a single character has
    more tokens than that.
    """
    if isinstance(max_tokens, bool) or not isinstance(max_tokens, int) or max_tokens < 1:
        raise BPEError("A chunk must have at least 1 token, not {most}.", most=max_tokens)
    pieces = _split(_SENTENCE, text)
    found: list[Chunk] = []
    at, start, guess = 0, 0, 16
    while at < len(pieces):
        taken = _as_many_as_fit(pieces, at, guess, encoder, max_tokens)
        if not taken:
            pieces[at : at + 1] = _finer(pieces[at], encoder, max_tokens)
            continue
        chunk = "".join(pieces[at : at + taken])
        found.append(Chunk(chunk, start, encoder.count(chunk)))
        at, start, guess = at + taken, start + len(chunk), taken
    return tuple(found)


def _as_many_as_fit(pieces: list[str], at: int, guess: int, encoder: Encoder, most: int) -> int:
    """Return how many pieces from ``at`` on fit together; 0 if not even one does.

    It doubles or halves from ``guess``, then bisects. More text can have fewer tokens, so this may
    miss a longer run that fits; what it returns was measured.
    """

    def fits(number: int) -> bool:
        return encoder.count("".join(pieces[at : at + number])) <= most

    left = len(pieces) - at
    low, high = 0, min(max(guess, 1), left)
    while fits(high):
        low = high
        if high == left:
            return left
        high = min(2 * high, left)
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low


def _finer(piece: str, encoder: Encoder, most: int) -> list[str]:
    for level in _LEVELS:
        parts = _split(level, piece)
        if len(parts) > 1:
            return parts
    raise BPEError(
        "“{character}” alone has {tokens} tokens, more than the {most} allowed for a chunk.",
        character=piece,
        tokens=encoder.count(piece),
        most=most,
    )


def _split(border: regex.Pattern[str], text: str) -> list[str]:
    ends = [match.end() for match in border.finditer(text)]
    if not ends or ends[-1] < len(text):
        ends.append(len(text))
    starts = [0, *ends[:-1]]
    return [text[start:end] for start, end in zip(starts, ends, strict=True) if end > start]

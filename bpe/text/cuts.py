"""Where may a text be cut, so that its parts have the tokens of the whole?

Byte-level tokenizers split a text into pre-tokens by a pattern: cut where every pattern does,
whatever stands around. SentencePiece joins characters over a whole text: cut between two characters
that no piece joins. Places inside special tokens are left out.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from bpe.text.own_pattern import is_own
from bpe.text.unicode import NEWER, scalar_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import regex

    Numbers = npt.NDArray[np.int64]


class Cut(NamedTuple):
    """A place to cut: where the text before it ends, where the next starts, what that adds.

    Cutting is free for most: ``end == next`` and ``extra == 0``. ``extra`` counts the tokens that
    the next part has at its start and the whole text has not.
    """

    end: int
    next: int
    extra: int

    @property
    def free(self) -> bool:
        """Whether the tokens of the two parts, one after the other, are those of the whole."""
        return self.end == self.next and not self.extra


Cutter = Callable[[str, int], Cut | None]
"""Returns the first cut at or behind a place of a text; ``None`` if there is none."""


def cut_around(cutter: Cutter, text: str, after: int, tokens: Collection[str]) -> Cut | None:
    """Return the first cut at or behind ``after`` that none of ``tokens`` in the text reaches over.

    Nor could one that begins before the cut go on behind the end of the text.
    """
    longest = max(map(len, tokens), default=1)
    while cut := cutter(text, after):
        if tokens and cut.next + longest + 1 > len(text):
            return None
        # What is put in front of the next part, or left out, belongs to ordinary text: then no
        # token may touch the place either.
        margin = 0 if cut.free else cut.next - cut.end + 1
        end = _end_of_token_over(text, cut.end, tokens, margin)
        if end is None:
            return cut
        after = end if cut.free else max(end, cut.end) + 1
    return None


def pieces(texts: Iterable[str], cut: Cutter, size: int) -> Iterator[tuple[str, int]]:
    """Cut the joined ``texts``, which may be blocks of a file, into pieces for each by itself.

    Yield each piece with how many of its first tokens the joined text has not. A piece has half of
    ``size`` characters or more; memory is bounded by ``size``, or by the longest stretch in which
    there is no place to cut.
    """
    waiting = ""
    wanted = size
    extra = 0
    for text in texts:
        waiting += text
        if len(waiting) < wanted:
            continue
        # Cuts are sought between the characters that will be encoded, so half pairs are mended
        # before; the first half of a pair at the end waits for the second.
        half = waiting[-1:] if "\ud800" <= waiting[-1:] <= "\udbff" else ""
        whole = scalar_text(waiting.removesuffix(half))
        # Half of what waits is held back, so that what decides on a cut has been read.
        place = cut(whole, len(whole) // 2)
        if place is None:
            wanted = 2 * len(waiting)
            continue
        yield whole[: place.end], extra
        waiting, extra, wanted = whole[place.next :] + half, place.extra, size
    yield scalar_text(waiting), extra


def between_words(
    blocks: Iterable[str], cutter: Cutter | None, tokens: Collection[str], size: int
) -> Iterator[str]:
    """Cut the joined blocks of a document into pieces that have the words of the whole.

    It is not cut inside ``tokens``; without a ``cutter`` it is one piece.
    """
    if cutter is None:
        yield "".join(blocks)
        return
    for piece, _ in pieces(blocks, partial(cut_around, cutter, tokens=tokens), size):
        yield piece


def _end_of_token_over(
    text: str, place: int, tokens: Collection[str], margin: int = 0
) -> int | None:
    """Return where one of ``tokens`` ends that begins before ``place`` and ends behind it.

    With a ``margin``, also one that ends or begins less than so many characters from there.
    """
    found = -1
    for token in tokens:
        reach = len(token) - 1 + margin
        if (start := text.find(token, max(0, place - reach), place + reach)) >= 0:
            found = max(found, start + len(token))
    return found if found >= 0 else None


# Between pre-tokens.

# A letter or number, then what no pattern joins to it: neither letter, number, mark, 汉字 nor kana
# (some patterns gather these with the signs among them), nor the apostrophe of a contraction. Or a
# single line break between characters that are not white space; one pattern appends slashes to line
# breaks. No pattern looks back behind such a place. What later versions of Unicode made a letter is
# none for the patterns.
_WORD_END = rf"(?<=[\p{{L}}\p{{N}}&&[^{NEWER}]])"
_BORDER = rf"{_WORD_END}(?=[^\p{{L}}\p{{N}}\p{{M}}\p{{Han}}\u3040-\u30ff'’])|(?<=\S\n)(?=[^\s/])"
# What normalising does depends on what stands around, but not across a blank behind a word: marks
# that compose, a final sigma, and punctuation that is deleted all look no further.
_BORDER_OF_NORMALISED = rf"{_WORD_END}(?= )"
_LOCAL = frozenset({"NFC", "NFKC", "lowercase", "strip-punctuation"})
_BEFORE_SPACE = r"(?<=\S)(?=\s)"


@cache
def _compiled(border: str) -> "regex.Pattern[str]":
    import regex  # takes longer than encoding a short text

    return regex.compile(border, regex.V1)


def between_pre_tokens(pattern: str, normalises: str | None = None) -> Cutter | None:
    """Return what cuts text that is normalised, then split by a named pattern.

    Of a pattern of one's own no place is known where it always cuts.

    >>> between_pre_tokens("gpt2")("low lower", 1)
    Cut(end=3, next=3, extra=0)
    """
    steps = [] if normalises in (None, "none") else normalises.split("+")
    if pattern == "none" or is_own(pattern) or not _LOCAL.issuperset(steps):
        return None
    if steps and steps != ["NFC"]:
        border = _BORDER_OF_NORMALISED
    else:
        border = _BEFORE_SPACE if pattern == "whitespace" else _BORDER

    def cutter(text: str, after: int) -> Cut | None:
        match = _compiled(border).search(text, after)
        return Cut(match.start(), match.start(), 0) if match else None

    return cutter


def borders(text: str, size: int) -> Iterator[int]:
    """Yield where to cut ``text`` between pre-tokens, each time ``size`` characters or a few more.

    For the patterns that have a compiled scanner.
    """
    place = 0
    while border := _compiled(_BORDER).search(text, place + size):
        place = border.start()
        yield place


def chunks(text: str, size: int) -> Iterator[str]:
    """Yield the parts of ``text`` between its :func:`borders`."""
    start = 0
    for border in borders(text, size):
        yield text[start:border]
        start = border
    yield text[start:] if start else text


def borders_in_utf8(data: bytes | memoryview, size: int) -> Iterator[int]:
    """Yield where to cut UTF-8 as :func:`borders` cuts a text, each time ``size`` bytes or more.

    The text is seen through windows, whose borders hold for the whole.
    """
    place = size
    while place < len(data):
        if data[place] & 0xC0 == 0x80:  # inside a character
            place += 1
            continue
        window = str(data[place : place + _UTF8_WINDOW], "utf-8", "ignore")
        border = _compiled(_BORDER).search(window, 1)
        if border is None:
            place += _UTF8_WINDOW
            continue
        place += len(window[: border.start()].encode())
        yield place
        place += size


_UTF8_WINDOW = 256

# Between the pieces of a SentencePiece vocabulary. NumPy is imported only here, as it takes long.

_WINDOW = 4096
_BETWEEN = "\ud800"  # no piece has it, being text


class JoinedCharacters:
    """The pairs of characters inside the pieces of one vocabulary.

    SentencePiece merges, or adds up scores, over a whole text: there are no pre-tokens between
    which nothing happens. But a token is a piece, so between two characters that stand side by
    side in no piece there is always a boundary, and one side does not change the other.
    """

    def __init__(self, pieces: Iterable[str]) -> None:
        import numpy as np

        pieces = list(pieces)
        single = [ord(piece) for piece in pieces if len(piece) == 1]
        codes = _codes(_BETWEEN.join(pieces))
        self._pairs: Numbers = np.unique(codes[:-1] << 21 | codes[1:])
        self._single: Numbers = np.unique(np.array(single, np.int64))

    def first_border(self, text: str, after: int, *, prefix: str = "") -> int | None:
        """Return the first place at or behind ``after``, but not the start, to cut ``text`` at.

        One of the two characters there is a piece by itself, as unknown ones in a row may be one
        token. Where the encoder puts ``prefix`` in front of every text, the character behind the
        border is that prefix, or no piece joins the prefix to it.
        """
        for start in range(max(after, 1), len(text), _WINDOW):
            codes = _codes(text[start - 1 : start + _WINDOW])
            before, behind = codes[:-1], codes[1:]
            single = _among(codes, self._single)
            safe = ~_among(before << 21 | behind, self._pairs) & (single[:-1] | single[1:])
            if prefix:
                sign = ord(prefix)
                safe &= (behind == sign) | ~_among(sign << 21 | behind, self._pairs)
            if safe.any():
                return start + int(safe.argmax())
        return None


def between_pieces(pieces: Iterable[str], *, prefix: str = "") -> Cutter:
    """Return what cuts text that is encoded into ``pieces``, spaces written as spaces.

    ``prefix`` is the space that the encoder puts in front of every text, if it does. One that the
    next part starts with is left out, as the encoder puts it back; in front of anything else it is
    a token too many.
    """
    joined = JoinedCharacters(pieces)

    def cutter(text: str, after: int) -> Cut | None:
        place = joined.first_border(text, after, prefix=prefix)
        if place is None:
            return None
        if not prefix or text[place] != prefix:
            return Cut(place, place, len(prefix))
        return Cut(place, place + 1, 0) if place + 1 < len(text) else None

    return cutter


def _codes(text: str) -> "Numbers":
    import numpy as np

    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int64)


def _among(values: "Numbers", ordered: "Numbers") -> "npt.NDArray[np.bool_]":
    import numpy as np

    if not ordered.size:
        return np.zeros(len(values), np.bool_)
    places = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    return np.asarray(ordered[places] == values)

"""The corpus that a tokenizer is trained on, as a value: documents and a name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import regex

from bpe.analysis.metrics import count_hanzi
from bpe.documents import documents, samples
from bpe.documents.documents import CorpusSource
from bpe.text.digests import digest
from playground import session
from playground.ui.i18n import _
from playground.ui.state import Field

OPENING = 160
"""Characters of the first line of each sample text that are tokenized at first sight."""

_BLOCK = 1 << 20

SHORT, LONG = 60, 150
"""Characters of an ordinary line."""
LINES = 3

_SPAN = 50_000
"""Characters of a text, and number of documents, that are searched."""
_DOCUMENTS = 500
_LETTERS = 2 / 3
"""Share of an ordinary line that is letters or 汉字."""

_LETTER = regex.compile(r"[\p{L}\p{M}]")
_BEGINNING, _END = r"(?:^|(?<=[。！？!?…]) *|(?<=\.) +)", r"(?:[。！？!?…]|\.(?=\s)|\S$)"
_LINE, _SHORT_LINE = (  # up to the last end of a sentence that is near enough
    regex.compile(rf"(?m){_BEGINNING}(\S.{{{least - 2},{LONG - 2}}}{_END})") for least in (SHORT, 8)
)


_SHOWN = Field("corpus of the film", "")
_SUPERSEDED = Field("text from before the corpus", "")


def text_to_show(opening: str) -> str:
    """Return the text that a tokenizer is shown on: the visitor's, or how the corpus begins."""
    text = session.text()
    return text if text and text != _SUPERSEDED.get() else opening


@dataclass(frozen=True)
class Corpus:
    """The documents that a tokenizer is trained on, and what they are called."""

    name: str
    texts: tuple[str, ...]
    words: int | None = None
    """How many different words, where the corpus is words with their counts."""
    opening: str = ""
    """A text to look at: a few lines of the corpus, each repeated document once."""
    source: CorpusSource | None = None
    """How to have the same corpus again, of samples or a typed text."""

    @cached_property
    def digest(self) -> str:
        """The digest of what is trained on, worked out once."""
        return digest(self.texts)

    @cached_property
    def characters(self) -> int:
        return sum(map(len, self.texts))

    @cached_property
    def size(self) -> int:
        """How many bytes the texts have together in UTF-8."""
        return sum(len(block.encode("utf-8", "surrogatepass")) for block in self._blocks())

    @property
    def work(self) -> int:
        """About how many bytes a training reads."""
        return 2 * self.characters

    @cached_property
    def hanzi(self) -> int:
        """How many of the characters are 汉字."""
        return sum(map(count_hanzi, self._blocks()))

    def follow_text(self) -> None:
        """Have the film show this corpus, and all pages a passage of it that is the visitor's.

        What they typed before they chose this corpus is no longer shown beside it.
        """
        former, is_sample = _SHOWN.get(), bool(self.source and self.source.sample)
        if self.digest == former:
            return
        _SHOWN.set(self.digest)
        if not is_sample and not session.TEXT_CAME.get():
            session.set_text(self.opening)
        _SUPERSEDED.set(session.text() if is_sample and former else "")

    def _blocks(self) -> Iterator[str]:
        """Yield the texts in blocks, so that other threads have their turn."""
        for some in range(0, len(self.texts), 1000):
            text = "".join(self.texts[some : some + 1000])
            yield from (text[first : first + _BLOCK] for first in range(0, len(text), _BLOCK))


def size_text(size: float) -> str:
    if size < 1000:
        return f"{size} B"
    return f"{size / 1000:.1f} KB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def sampled() -> dict[str, tuple[str, ...]]:
    """Return the texts of each choice of samples."""
    zh, en = (samples.corpus("zh"),), (samples.corpus("en"),)
    return {"both": zh + en, "zh": zh, "en": en}


def source_name(source: CorpusSource) -> str:
    return _("samples") if source.sample else _("typed")


def from_source(source: CorpusSource) -> Corpus | None:
    """Return the corpus that a link or a file describes; ``None`` where there is no such."""
    texts = sampled().get(source.sample) if source.sample else (source.text,)
    if not texts or not "".join(texts).strip():
        return None
    return from_texts(source_name(source), texts, source.separator, source)


def from_texts(
    name: str, texts: tuple[str, ...], separator: str | None, source: CorpusSource | None = None
) -> Corpus | None:
    """Return the corpus of texts, cut into documents; ``None`` if there are none.

    A single text of words with their counts is these words, each as often.
    """
    words = documents.counted_words(texts[0]) if len(texts) == 1 else None
    if words is not None:
        repeated = tuple(word for word, count in words.items() for _ in range(count))
        return Corpus(name, repeated, len(words), " ".join(words), source=source)
    cut = tuple(documents.separated(texts, separator))
    if not cut:
        return None
    is_sample = source is not None and bool(source.sample)
    return Corpus(name, cut, opening=_opening(cut, is_sample=is_sample), source=source)


def _opening(texts: tuple[str, ...], *, is_sample: bool) -> str:
    """Return a text to look at: a short corpus whole, of another one ordinary lines.

    Our samples begin with such lines, one in each language.
    """
    if sum(map(len, texts[:20])) <= 2 * OPENING and len(texts) <= 20:
        return "\n".join(texts)
    if not is_sample and (chosen := passage(texts)):
        return chosen
    return "\n".join(text[:OPENING].split("\n")[0] for text in texts[:2])


def passage(texts: Sequence[str]) -> str:
    """Return up to three ordinary lines from the middle of a corpus; empty if it has none.

    It often begins with a title, a licence or empty lines, which show nothing of its text.
    Of a few long texts, such as a file in each language, each has a line.
    """
    if len(texts) <= LINES:
        each = LINES if len(texts) == 1 else 1
        return "\n".join(line for text in texts for line in _ordinary(text)[:each])
    middle = texts[max(0, len(texts) // 2 - _DOCUMENTS // 2) :][:_DOCUMENTS]
    return "\n".join(_ordinary("\n".join(text[:_SPAN] for text in middle))[:LINES])


def _ordinary(text: str) -> list[str]:
    """Return lines from the middle of a text on, or else from its beginning, of mostly letters."""
    for line in _LINE, _SHORT_LINE:
        for start in len(text) // 2, 0:
            found = (match[1] for match in line.finditer(text, start, start + _SPAN))
            lines = [each for each in found if len(_LETTER.findall(each)) >= _LETTERS * len(each)]
            if lines:
                return list(dict.fromkeys(lines))
    return []

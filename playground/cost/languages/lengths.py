"""How long a text is for each model: counted, given in tokens, or the mean of many texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bpe.pricing import Model
from bpe.pricing.languages import LANGUAGES, Language
from bpe.text import corpus
from playground.cost import counting, many_counts
from playground.cost.languages.pair_files import PairFile
from playground.cost.many_counts import Column
from playground.ui.i18n import _, sentence


@dataclass(frozen=True)
class Length:
    """The tokens of a text for a model (of many texts: their mean), and the range they are in."""

    tokens: int
    low: int
    high: int
    badge: str = ""
    method: str = ""
    total: int = 0
    """All tokens, where ``tokens`` is a mean."""

    @property
    def uncertainty(self) -> float:
        """How wide the range is, as a share of the tokens."""
        return (self.high - self.low) / (self.tokens or 1)


Lengths = dict[Language, dict[str, Length]]
"""By language, and then by the id of a model."""


def of_texts(models: Sequence[Model], texts: Mapping[Language, str | int]) -> Lengths:
    """Return the lengths of one text in each language; a number is a length already."""
    return {language: _of_text(models, texts[language]) for language in LANGUAGES}


def of_pairs(models: Sequence[Model], file: PairFile) -> Lengths:
    """Return the mean lengths of the pairs, of as many as are counted in both languages."""
    texts = [text for pair in file.pairs for text in pair]
    columns = many_counts.count(models, texts, f"pairs-{corpus.digest(texts)}")
    pairs = many_counts.counted(columns) // 2
    return {
        language: {
            name: _mean(column.taken(slice(place, 2 * pairs, 2)))
            for name, column in columns.items()
        }
        for place, language in enumerate(LANGUAGES)
    }


def _of_text(models: Sequence[Model], text: str | int) -> dict[str, Length]:
    if isinstance(text, int):
        return {model.id: Length(text, text, text, total=text) for model in models}
    return {
        name: Length(
            counted.tokens,
            counted.low,
            counted.high,
            counting.badge(counted),
            sentence(counted.method),
            counted.tokens,
        )
        for name, counted in counting.count(models, text).items()
    }


def _mean(column: Column) -> Length:
    number = len(column) or 1

    def mean(counts: Sequence[int]) -> int:
        return (2 * sum(counts) + number) // (2 * number)

    return Length(
        mean(column.tokens),
        mean(column.low),
        mean(column.high),
        column.badge,
        _("the mean of {texts} texts").format(texts=f"{number:,}"),
        sum(column.tokens),
    )

"""A sentence about a price or a count, kept as template and values so that it can be translated.

The templates themselves are in ``words.py``.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sentence:
    """An English template with ``{named}`` gaps and what fills them.

    It has the ``template`` and ``values`` of :class:`bpe.errors.BPEError`, so whatever shows that
    error in another language can show this.

    >>> str(Sentence.of("{count} tokens", count=3))
    '3 tokens'
    """

    template: str
    filled: tuple[tuple[str, object], ...] = ()

    @classmethod
    def of(cls, template: str, /, **values: object) -> "Sentence":
        """Return the sentence with its gaps filled by ``values``."""
        return cls(template, tuple(values.items()))

    @property
    def values(self) -> dict[str, object]:
        """What fills the gaps, by name."""
        return dict(self.filled)

    def __str__(self) -> str:
        return self.template.format(**self.values)

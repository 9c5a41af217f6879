"""What reasons of :mod:`bpe.analysis.divergence` say: a sentence each, for pages and commands."""

from typing import NamedTuple

from bpe.analysis.divergence import Divergence, Reason
from bpe.errors import translatable


class Sentence(NamedTuple):
    """A template with named gaps, which an interface may translate, and what fills them."""

    template: str
    values: dict[str, object]

    def __str__(self) -> str:
        return self.template.format(**self.values)


def sentence(reason: Reason) -> Sentence:
    """Return what a reason says.

    >>> str(sentence(Reason("tie-break", "first-seen")))
    'Of equally frequent pairs it takes the one seen first.'
    """
    return Sentence(_template(reason), {"value": reason.value} if reason.value else {})


def conclusion(found: Divergence) -> Sentence | None:
    """Return what introduces the reasons, ``None`` where the lists are the same without any."""
    if any(reason.kind != "absent" for reason in found.reasons):
        values: dict[str, object] = {
            "merges": f"{found.merges:,}",
            "explained": f"{found.explained:,}",
        }
        if found.is_explained:
            return Sentence(translatable("With this, all {merges} merges are the same:"), values)
        return Sentence(
            translatable(
                "With this, {explained} of {merges} merges are the same; the rest stays "
                "unexplained:"
            ),
            values,
        )
    if found.is_explained:
        return None
    return Sentence(translatable("None of the usual reasons explains it. Is it the same text?"), {})


def _template(reason: Reason) -> str:
    match reason.kind, reason.value:
        case "tie-break", "lexicographic":
            return translatable("Of equally frequent pairs it takes the greatest in bytes.")
        case "tie-break", "first-seen":
            return translatable("Of equally frequent pairs it takes the one seen first.")
        case "tie-break", "huggingface":
            return translatable(
                "Of equally frequent pairs it takes the one of smallest ids, and numbers bytes in "
                "the order of the byte alphabet, as Hugging Face does."
            )
        case "tie-break", _:
            return translatable("Of equally frequent pairs it takes the one of smallest ids.")
        case "pattern", _:
            return translatable("It splits text by the pattern “{value}”.")
        case "normalisation", "none":
            return translatable("It does not normalise the text.")
        case "normalisation", _:
            return translatable("It normalises the text first: {value}.")
        case "special-tokens", "":
            return translatable("It has no special tokens: they are text like any other.")
        case "special-tokens", _:
            return translatable("It cuts out these special tokens: {value}")
        case "documents", "lines":
            return translatable("It takes each line, with its line break, for a document.")
        case "documents", _:
            return translatable("It takes each line, without its line break, for a document.")
        case "prefix-space", _:
            return translatable("It puts a space in front of each document (add_prefix_space).")
        case "overlaps", "counted-apart":
            return translatable("It counts “aaa” as one pair (a, a), not as two.")
        case "overlaps", "merged-from-right":
            return translatable("It merges from right to left, so that “aaa” is a + aa.")
        case "overlaps", _:
            return translatable("It merges pairs that overlap: “aaa” becomes aa + aa.")
        case "counts", _:
            return translatable("It counts each different word once, however often it occurs.")
        case "wrapped", _:
            return translatable("Its counts have 32 bits: from 2,147,483,648 on they are negative.")
        case "absent", _:
            return translatable(
                "It next joins {value}, which never stand side by side here: it read another text, "
                "or cut it otherwise."
            )
        case "shifted", _:
            return translatable("Its first merge is lost, as where a line is taken for the header.")
        case "min-frequency", _:
            return translatable("Its minimum frequency may be {value}.")
    return translatable(
        "Its size leaves room for {value} merges: do both count the 256 bytes and the special "
        "tokens?"
    )

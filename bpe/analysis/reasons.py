"""What reasons of :mod:`bpe.analysis.divergence` say: a sentence each, for pages and commands."""

from bpe.analysis.divergence import Divergence, Reason
from bpe.errors import Sentence, translatable

_SENTENCES = {
    ("tie-break", "lexicographic"): translatable(
        "Of equally frequent pairs it takes the greatest in bytes."
    ),
    ("tie-break", "first-seen"): translatable(
        "Of equally frequent pairs it takes the one seen first."
    ),
    ("tie-break", "huggingface"): translatable(
        "Of equally frequent pairs it takes the one of smallest ids, and numbers bytes in "
        "the order of the byte alphabet, as Hugging Face does."
    ),
    ("tie-break", "*"): translatable("Of equally frequent pairs it takes the one of smallest ids."),
    ("pattern", "*"): translatable("It splits text by the pattern “{value}”."),
    ("normalisation", "none"): translatable("It does not normalise the text."),
    ("normalisation", "*"): translatable("It normalises the text first: {value}."),
    ("special-tokens", ""): translatable("It has no special tokens: they are text like any other."),
    ("special-tokens", "*"): translatable("It cuts out these special tokens: {value}"),
    ("documents", "lines"): translatable(
        "It takes each line, with its line break, for a document."
    ),
    ("documents", "*"): translatable("It takes each line, without its line break, for a document."),
    ("prefix-space", "*"): translatable(
        "It puts a space in front of each document (add_prefix_space)."
    ),
    ("overlaps", "counted-apart"): translatable("It counts “aaa” as one pair (a, a), not as two."),
    ("overlaps", "merged-from-right"): translatable(
        "It merges from right to left, so that “aaa” is a + aa."
    ),
    ("overlaps", "*"): translatable("It merges pairs that overlap: “aaa” becomes aa + aa."),
    ("counts", "*"): translatable("It counts each different word once, however often it occurs."),
    ("wrapped", "*"): translatable(
        "Its counts have 32 bits: from 2,147,483,648 on they are negative."
    ),
    ("absent", "*"): translatable(
        "It next joins {value}, which never stand side by side here: it read another text, "
        "or cut it otherwise."
    ),
    ("shifted", "*"): translatable(
        "Its first merge is lost, as where a line is taken for the header."
    ),
    ("min-frequency", "*"): translatable("Its minimum frequency may be {value}."),
    ("size", "*"): translatable(
        "Its size leaves room for {value} merges: do both count the 256 bytes and the special "
        "tokens?"
    ),
}
"""By the kind of a reason and its value; ``"*"`` is any other value, which may fill a gap."""


def sentence(reason: Reason) -> Sentence:
    """Return what a reason says.

    >>> str(sentence(Reason("tie-break", "first-seen")))
    'Of equally frequent pairs it takes the one seen first.'
    """
    said = _SENTENCES.get((reason.kind, reason.value)) or _SENTENCES[reason.kind, "*"]
    return Sentence.of(said, value=reason.value) if reason.value else Sentence(said)


def conclusion(found: Divergence) -> Sentence | None:
    """Return what introduces the reasons, ``None`` where the lists are the same without any."""
    if all(reason.kind == "absent" for reason in found.reasons):
        return None if found.is_explained else Sentence(_NONE)
    said = _ALL if found.is_explained else _SOME
    return Sentence.of(said, merges=f"{found.merges:,}", explained=f"{found.explained:,}")


_ALL = translatable("With this, all {merges} merges are the same:")
_SOME = translatable(
    "With this, {explained} of {merges} merges are the same; the rest stays unexplained:"
)
_NONE = translatable("None of the usual reasons explains it. Is it the same text?")

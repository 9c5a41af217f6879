"""What is wrong with a regular expression, in words of ours in place of the library's."""

from bpe.errors import translatable

_REASONS = {
    "missing )": translatable("a “(” is not closed"),
    "unbalanced parenthesis": translatable("a “)” closes nothing"),
    "unterminated character set": translatable("a “[” is not closed"),
    "missing ]": translatable("a “[” is not closed"),
    "bad character range": translatable("a range such as a-z goes backwards, or from no character"),
    "nothing to repeat": translatable("there is nothing before it to repeat"),
    "multiple repeat": translatable("two signs of repetition follow each other"),
    "min repeat greater": translatable("the largest number of repetitions is below the smallest"),
    "repeat count too big": translatable("the number of repetitions is too large"),
    "unknown property": translatable(
        "no such property of characters is known; write \\p{L} or \\p{Han}"
    ),
    "bad escape": translatable("“\\” before this sign means nothing; a “\\” itself is “\\\\”"),
    "bad hex escape": translatable("a code such as \\x41 or \\u4e2d is not complete"),
    "incomplete escape": translatable("a code such as \\x41 or \\u4e2d is not complete"),
    "undefined character name": translatable("no character has this name"),
    "unknown extension": translatable("“(?” is followed by something unknown"),
    "missing group name": translatable("a group has no name"),
    "bad character in group name": translatable("a group's name has letters, digits and _ only"),
    "unknown group": translatable("there is no such group"),
    "invalid group reference": translatable("there is no such group"),
}


def fault(source: str, error: Exception) -> dict[str, object]:
    """Return the ``reason`` and the ``place`` (a character, from 1) of what ``regex`` refuses.

    The place is where the library had come to. What the table does not know keeps its words.
    """
    said = str(getattr(error, "msg", error))
    known = [start for start in _REASONS if said.startswith(start)]
    place = getattr(error, "pos", None)
    return {
        "reason": _REASONS[max(known, key=len)] if known else f"“{said}”",
        "place": f"{max(1, len(source) if place is None else place):,}",
    }

"""The lessons, in the order in which they are read."""

from playground.learn.lesson import Lesson
from playground.learn.lessons import (
    algorithms,
    chinese,
    encode,
    fast,
    merge,
    notes,
    pretokens,
    sheet,
    stumble,
    tables,
    why,
)
from playground.learn.lessons import bytes as bytes_

_BEFORE: tuple[Lesson, ...] = (
    why.LESSON,
    merge.LESSON,
    notes.LESSON,
    bytes_.LESSON,
    pretokens.LESSON,
    encode.LESSON,
    stumble.LESSON,
    algorithms.LESSON,
    chinese.LESSON,
    tables.LESSON,
    fast.LESSON,
)

LESSONS = (*_BEFORE, sheet.lesson(_BEFORE))

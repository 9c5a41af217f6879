"""The lessons, in the order in which they are read."""

from playground.learn.lesson import Lesson
from playground.learn.lessons import bytes as bytes_
from playground.learn.lessons import (
    chinese,
    encode,
    fast,
    merge,
    notes,
    pretokens,
    relatives,
    sheet,
    stumble,
    tables,
    why,
)

LESSONS: tuple[Lesson, ...] = (
    why.LESSON,
    merge.LESSON,
    notes.LESSON,
    bytes_.LESSON,
    pretokens.LESSON,
    tables.LESSON,
    fast.LESSON,
    encode.LESSON,
    relatives.LESSON,
    chinese.LESSON,
    stumble.LESSON,
    sheet.LESSON,
)

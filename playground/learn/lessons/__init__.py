"""The lessons, in the order in which they are read."""

from playground.learn.lesson import Lesson
from playground.learn.lessons import bytes as bytes_
from playground.learn.lessons import chinese, encode, merge, notes, pretokens, why

LESSONS: tuple[Lesson, ...] = (
    why.LESSON,
    merge.LESSON,
    notes.LESSON,
    bytes_.LESSON,
    pretokens.LESSON,
    encode.LESSON,
    chinese.LESSON,
)

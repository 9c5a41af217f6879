"""The lessons, in the order in which they are read."""

from playground.learn.lesson import Lesson
from playground.learn.lessons import bytes as bytes_
from playground.learn.lessons import merge, why

LESSONS: tuple[Lesson, ...] = (why.LESSON, merge.LESSON, bytes_.LESSON)

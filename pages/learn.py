"""Learn: a course in which the algorithm is the teacher and the grader."""

from playground import navigation
from playground.learn import lessons

navigation.through_app()

lessons.show()

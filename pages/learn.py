"""Learn: a course in which the algorithm is the teacher and the grader."""

from playground.learn import course
from playground.ui import navigation

navigation.through_app()

course.show()

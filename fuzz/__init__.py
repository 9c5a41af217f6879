"""A search at random for texts, words and files that the tests do not know yet.

Each module but ``texts`` and ``properties`` is a subject: every function in it that Hypothesis
calls is a check. ``make fuzz`` runs them in turn until the time is over, each time with other
examples, and prints what fails as a literal to be pinned in a test.
"""

"""The learner and the word counter, compiled."""

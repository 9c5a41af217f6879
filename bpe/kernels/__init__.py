"""The learner, the word counter and the encoder again, compiled to machine code."""

"""The content of lessons: worked examples, puzzles, the rounds and tables of a training."""

"""What the lessons show: worked examples, puzzles, the rounds and tables of a training."""

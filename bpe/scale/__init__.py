"""Corpora in many files, near or far: count their words, learn from the counts, write their ids."""

"""Texts as tokens: segmentations, alignments, merge trees, metrics."""

"""Texts as tokens: segmentations, alignments, how tokens were made, metrics."""

"""What a tokenizer does to a text: segmentations, alignments, merge trees, metrics."""

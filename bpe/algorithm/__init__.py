"""BPE: the algorithm on one screen, and the same for characters and step by step."""

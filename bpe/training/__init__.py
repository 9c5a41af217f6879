"""From texts and a recipe to a tokenizer."""

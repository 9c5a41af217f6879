"""Text before it is tokens: Unicode, charsets, corpora, parallel texts, samples."""

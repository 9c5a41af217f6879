"""The encoder, compiled."""

"""Anything that turns text into token ids: one base class, one engine for byte-level BPE."""

"""Byte pair encoding: learn it, train it, measure it."""
